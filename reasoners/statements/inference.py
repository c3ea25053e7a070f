"""A statement worked out from rows, which shows its formulas, and how its figures are written."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

from ...state.records import Quote
from ...text.numerals import grouped
from .lines import Figure

_LABEL_CHARS = 70


@dataclass(frozen=True)
class Inference:
    """A statement that shows its formulas, or one figure told from its row, with what it rests on.

    Attributes:
        subject: What it is about: the name of the measure or the label of the row.
    """

    text: str
    quotes: tuple[Quote, ...]
    subject: str = ""

    @property
    def is_computed(self) -> bool:
        """Whether it holds a formula."""
        return " = " in self.text


def verb_of_move(before: Decimal, after: Decimal) -> str:
    """Return the verb that says how a value moved, followed by `from`."""
    return "rose" if after > before else "fell" if after < before else "stayed the same,"


def difference(after: Decimal, before: Decimal) -> str:
    """Return `a - b = c`, a negative number written as taken from nothing."""
    return f"{signed(after)} - {signed(before)} = {grouped(after - before)}"


def signed(value: Decimal) -> str:
    """Return a number as a formula reads it: a negative one as `(0 - 5)`."""
    return grouped(value) if value >= 0 else f"(0 - {grouped(-value)})"


def concluded(verdict: str, text: str, scale: str) -> str:
    """Return the text of an inference, led by its verdict where there is one, with the scale of its figures."""
    unit = f", in {scale}" if scale else ""
    return f"{verdict + '. ' if verdict else ''}Inference: {text}{unit}."


def cell_text(figure: Figure) -> str:
    """Return a cell as written, without the space between a figure and its sign."""
    text = figure.cell.text
    return re.sub(r"(?<=\d)\s+%", "%", re.sub(r"([$€£])\s+", r"\1", " ".join(text.split())))


def short_label(label: str) -> str:
    """Return a label without what it includes or leaves out, at a length that reads."""
    cut = re.split(r",? (?:less|including|includes|net of)\b|\s\(includes\b", label)[0]
    return cut if len(cut) <= _LABEL_CHARS else f"{cut[:_LABEL_CHARS].rsplit(' ', 1)[0]}"
