"""Write raised digits so that a footnote mark does not grow into the number before it."""

from __future__ import annotations

_RAISED = str.maketrans("0123456789+-−=()n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿ")


def raised(text: str) -> str:
    """Return short marks as Unicode superscripts, longer text as it is."""
    marks = text.translate(_RAISED)
    return marks if len(text) <= 4 and not any(char.isascii() for char in marks) else text
