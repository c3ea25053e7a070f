"""Read a presentation slide by slide: titles, bullets, tables, charts and speaker notes."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import version
from io import BytesIO
from typing import Any

import pptx

from .archives import check_archive
from .extraction import Extraction, TextBuilder, one_line
from .limits import MAX_CHARS, MAX_DEPTH
from .number_formats import shown
from .tables import add_table


def parse_pptx(data: bytes, name: str, *, max_chars: int = MAX_CHARS) -> Extraction:
    """Read all slides that are shown; a slide's number is its page.

    Raises: SourceError where it is locked or too large; what its library raises where it is damaged.
    """
    check_archive(data, name)
    builder, hidden = TextBuilder(), []
    deck = pptx.Presentation(BytesIO(data))
    title = one_line(deck.core_properties.title or "")
    for number, slide in enumerate(deck.slides, start=1):
        if slide._element.get("show") == "0":
            hidden.append(str(number))
            continue
        _write_slide(builder, slide, number)
        if builder.length > max_chars:
            break
    headings = [block.headings[-1] for block in builder.blocks if block.kind == "heading"]
    generic = title.lower() in ("powerpoint presentation", "presentation")
    return Extraction(
        text=builder.text,
        title=next(iter(headings), "") if generic or not title else title,
        media_type="application/vnd.openxmlformats-officedocument.presentationml.presentation",
        extractor=f"python-pptx {version('python-pptx')}",
        blocks=tuple(builder.blocks),
        rows=tuple(builder.rows),
        note=f"hidden slide {', '.join(hidden)} left out" if hidden else "",
    )


def _write_slide(builder: TextBuilder, slide: Any, number: int) -> None:
    title = slide.shapes.title
    builder.leave_headings()
    if title is not None and title.has_text_frame:
        builder.heading(title.text_frame.text, 1, page=number)
    for shape in _in_reading_order(slide.shapes, 0):
        if title is not None and shape.shape_id == title.shape_id:
            continue
        if shape.has_text_frame:
            _write_paragraphs(builder, shape.text_frame, number)
        elif getattr(shape, "has_table", False) and shape.has_table:
            _write_table(builder, shape.table, number)
        elif getattr(shape, "has_chart", False) and shape.has_chart:
            _write_chart(builder, shape.chart, number)
    if slide.has_notes_slide and slide.notes_slide.notes_text_frame is not None:
        notes = slide.notes_slide.notes_text_frame.text.strip()
        builder.block(f"Speaker notes: {notes}" if notes else "", page=number)


def _in_reading_order(shapes: Any, depth: int) -> Iterator[Any]:
    """Yield shapes from top to bottom, those of a group in its place."""
    for shape in sorted(shapes, key=lambda shape: (shape.top or 0, shape.left or 0)):
        if hasattr(shape, "shapes"):
            if depth < MAX_DEPTH:
                yield from _in_reading_order(shape.shapes, depth + 1)
        else:
            yield shape


def _write_paragraphs(builder: TextBuilder, frame: Any, page: int) -> None:
    paragraphs = [(paragraph.level, one_line(paragraph.text)) for paragraph in frame.paragraphs]
    paragraphs = [(level, text) for level, text in paragraphs if text]
    for level, text in paragraphs:
        if len(paragraphs) > 1:
            builder.block("  " * level + f"- {text}", "list_item", page=page)
        else:
            builder.block(text, page=page)


def _write_table(builder: TextBuilder, table: Any, page: int) -> None:
    rows: list[list[str]] = []
    spread: list[list[str]] = []
    for row in table.rows:
        cells = list(row.cells)
        rows.append(["" if cell.is_spanned else cell.text for cell in cells])
        wide: list[str] = []
        for cell in cells:
            wide.append(wide[-1] if cell.is_spanned and wide and not cell.text else cell.text)
        spread.append(wide)
    add_table(builder, rows, spread=spread, page=page)


def _write_chart(builder: TextBuilder, chart: Any, page: int) -> None:
    """Write the numbers behind a chart: one row per category, one column per series."""
    caption = (
        one_line(chart.chart_title.text_frame.text) if chart.has_title and chart.chart_title.has_text_frame else ""
    )
    for plot in chart.plots:
        categories = [str(category) for category in plot.categories]
        series = [(one_line(item.name or ""), list(item.values), _format_of(item)) for item in plot.series]
        if not series:
            continue
        count = max(len(categories), *(len(values) for _, values, _ in series))
        rows = [["", *(name for name, _, _ in series)]]
        for index in range(count):
            label = categories[index] if index < len(categories) else str(index + 1)
            shown_values = [shown(v[index], code) if index < len(v) else "" for _, v, code in series]
            rows.append([label, *shown_values])
        add_table(builder, rows, headers=1, caption=caption, page=page)


def _format_of(series: Any) -> str:
    code = series._element.find(".//{*}val//{*}formatCode")
    return (code.text or "General") if code is not None else "General"
