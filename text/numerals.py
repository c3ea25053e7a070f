"""Numbers written out: every digit, with or without thousands apart."""

from __future__ import annotations

from decimal import Decimal


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
