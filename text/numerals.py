"""Numbers written out: every digit, with or without thousands apart."""

from __future__ import annotations

from decimal import ROUND_HALF_EVEN, Decimal


def grouped(value: Decimal) -> str:
    """Return a number with thousands apart by commas; the digits of a written figure stay: `1,250.00`."""
    return f"{value:,f}"


def grouped_short(value: Decimal) -> str:
    """Return a number with thousands apart by commas and without zeros at its end: `1,250`."""
    return f"{value.normalize():,f}"


def trimmed(value: Decimal) -> str:
    """Return a number in plain digits, without zeros at its end and without commas: `1250`."""
    text = f"{value:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def percent(part: Decimal, whole: Decimal) -> Decimal:
    """Return how much a part is of a whole other than 0, in percent to one place."""
    return (part / whole * 100).quantize(Decimal("0.1"), ROUND_HALF_EVEN)
