"""Bars of a run of the suite as small SVG files, one for each group of parts.  Needs matplotlib."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from .timing import Figure

OURS = "#2f6f4f"
OTHERS = "#b9b4a7"
GROUPS = {
    "search": ("search: words", "search: meaning", "search: both"),
    "index": ("index",),
    "orchestration": ("super-step",),
}


def draw(figures: Sequence[Figure], folder: Path) -> list[Path]:
    """Write a plot for each group that has figures, and return the files."""
    import matplotlib

    matplotlib.use("svg")
    import matplotlib.pyplot as plt

    matplotlib.rcParams |= {"svg.fonttype": "none", "svg.hashsalt": "citewell", "font.family": "sans-serif"}
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for name, parts in GROUPS.items():
        rows = [figure for part in parts for figure in figures if figure.part == part]
        if not rows:
            continue
        plot, axes = plt.subplots(figsize=(6.4, 0.42 * len(rows) + 0.9))
        labels = [f"{figure.part.removeprefix('search: ')} · {figure.side}" for figure in rows]
        colours = [OURS if figure.side == "citewell" else OTHERS for figure in rows]
        bars = axes.barh(labels, [figure.value for figure in rows], color=colours)
        axes.bar_label(bars, labels=[f"{figure.value:,.3g} {figure.unit}" for figure in rows], padding=3, fontsize=8)
        axes.set_xlim(right=max(figure.value for figure in rows) * 1.25)
        axes.invert_yaxis()
        axes.tick_params(labelsize=8)
        axes.spines[["top", "right"]].set_visible(False)
        axes.set_title(f"{name}: {rows[0].per}", fontsize=9, loc="left")
        path = folder / f"{name}.svg"
        plot.tight_layout()
        plot.savefig(path, metadata={"Date": None})
        plt.close(plot)
        written.append(path)
    return written
