"""A series of values as a small drawing: SVG without script, its texts escaped, its colours those of the page."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup, escape

from ..state.graph_answers import Series

WIDTH, HEIGHT = 560, 190
_LEFT, _RIGHT, _TOP, _BOTTOM = 24, 24, 34, 34
_MOST_LABELS = 12
_SCALES = ((1e12, " tn"), (1e9, " bn"), (1e6, " m"), (1e3, " k"))


def series_chart(series: Series) -> Markup:
    """Return a line through the values of a series, each with its value and date; time runs to the right."""
    places = _places(series)
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    every = -(-len(places) // _MOST_LABELS)
    marks = []
    for number, (point, (x, y)) in enumerate(zip(series.points, places, strict=True)):
        marks.append(Markup('<circle cx="{}" cy="{}" r="3.5"><title>{}: {}</title></circle>').format(
            f"{x:.1f}", f"{y:.1f}", point.label, _exact(point.value)))  # fmt: skip
        if number % every == 0 or number == len(places) - 1:
            anchor = "start" if number == 0 else "end" if number == len(places) - 1 else "middle"
            marks.append(Markup('<text class="value" x="{}" y="{}" text-anchor="{}">{}</text>').format(
                f"{x:.1f}", f"{y - 9:.1f}", anchor, short_number(point.value)))  # fmt: skip
            marks.append(Markup('<text class="day" x="{}" y="{}" text-anchor="{}">{}</text>').format(
                f"{x:.1f}", HEIGHT - 10, anchor, point.label))  # fmt: skip
    told = f"{series.subject}, {series.measure}{' in ' + series.unit if series.unit else ''}"
    return Markup(
        '<svg class="chart" viewBox="0 0 {} {}" role="img" aria-label="{}">'
        '<line class="axis" x1="{}" y1="{}" x2="{}" y2="{}"/><polyline class="line" points="{}"/>{}</svg>'
    ).format(
        WIDTH, HEIGHT, escape(told), _LEFT, HEIGHT - _BOTTOM, WIDTH - _RIGHT, HEIGHT - _BOTTOM, line,
        Markup("").join(marks),
    )  # fmt: skip


def short_number(value: float) -> str:
    """Return a number in at most four digits with its scale: `12.4 m`."""
    for scale, name in _SCALES:
        if abs(value) >= scale:
            return f"{value / scale:.4g}{name}"
    return f"{value:.4g}"


def _exact(value: float) -> str:
    return f"{value:,.0f}" if value == int(value) else f"{value:,}"


def _places(series: Series) -> Sequence[tuple[float, float]]:
    days = [point.on.toordinal() for point in series.points]
    values = [point.value for point in series.points]
    low, high = min(0.0, *values), max(0.0, *values)
    wide, tall = (days[-1] - days[0]) or 1, (high - low) or 1.0
    return [
        (
            _LEFT + (day - days[0]) / wide * (WIDTH - _LEFT - _RIGHT),
            HEIGHT - _BOTTOM - (value - low) / tall * (HEIGHT - _TOP - _BOTTOM),
        )
        for day, value in zip(days, values, strict=True)
    ]
