"""Show a sheet's value as its number format shows it to people."""

from __future__ import annotations

import re
from datetime import date, datetime, time, timedelta
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation

_LITERAL = re.compile(r'"([^"]*)"|\\(.)|\[\$([^\-\]]*)(?:-[^\]]*)?\]')
_COLOR_OR_CONDITION = re.compile(r"\[(?!\$)[^\]]*\]")
_PADDING = re.compile(r"_.|\*.")
_DIGITS = re.compile(r"[#0?][#0?,]*(?:\.([#0?]+))?(,*)")
# Literals are put aside while the pattern is read, since they may hold digits and commas.
_ASIDE = "\x01"


def shown(value: object, number_format: str) -> str:
    """Return a cell's value as text: percents, thousands, currency signs and dates as the sheet shows them.

    Dates are written as ISO 8601, whose order no reader mistakes.
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, datetime):
        whole_day = (value.hour, value.minute, value.second, value.microsecond) == (0, 0, 0, 0)
        return value.date().isoformat() if whole_day else value.isoformat(sep=" ", timespec="minutes")
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, time):
        return value.isoformat(timespec="minutes")
    if isinstance(value, timedelta):
        minutes = round(value.total_seconds() / 60)
        return f"{minutes // 60}:{minutes % 60:02d}"
    if isinstance(value, int | float):
        return _number(value, number_format)
    return str(value)


def _number(value: int | float, number_format: str) -> str:
    try:
        exact = Decimal(repr(value)) if isinstance(value, float) else Decimal(value)
    except InvalidOperation:
        return str(value)
    if not exact.is_finite():
        return str(value)
    pattern = number_format or "General"
    if pattern == "General" or "@" in pattern or "E" in pattern.upper().replace("GENERAL", "") or "?/" in pattern:
        return plain(exact)
    section, negative = _section(pattern, exact)
    literals: list[str] = []

    def put_aside(match: re.Match[str]) -> str:
        literals.append(next((group for group in match.groups() if group is not None), ""))
        return _ASIDE

    section = _LITERAL.sub(put_aside, _PADDING.sub("", _COLOR_OR_CONDITION.sub("", section)))
    digits = _DIGITS.search(section)
    if not digits:
        # Such a section shows a text for the number, e.g. a dash for zero.
        text = _restored(section, literals).strip()
        return text if text and "general" not in text.lower() else plain(exact)
    percent = section.count("%")
    places = len(digits.group(1) or "")
    scaled = abs(exact) * Decimal(100) ** percent / Decimal(1000) ** len(digits.group(2) or "")
    try:
        scaled = scaled.quantize(Decimal(1).scaleb(-places), rounding=ROUND_HALF_UP)
    except InvalidOperation:
        return plain(exact)
    grouped = "," in digits.group(0).rstrip(",")
    body = f"{scaled:,f}" if grouped else f"{scaled:f}"
    if places and set((digits.group(1) or "")[1:]) <= {"#"} and "0" not in (digits.group(1) or ""):
        body = body.rstrip("0").rstrip(".")
    text = _restored(section[: digits.start()], literals) + body
    text += _restored(section[digits.end() :], literals[section[: digits.start()].count(_ASIDE) :])
    return ("-" if negative else "") + " ".join(text.split())


def _section(pattern: str, value: Decimal) -> tuple[str, bool]:
    """Choose the section for positive, negative or zero, and whether a minus must be added."""
    sections = re.split(r';(?=(?:[^"]*"[^"]*")*[^"]*\Z)', pattern)
    if value < 0:
        return (sections[1], False) if len(sections) > 1 and sections[1] else (sections[0], True)
    if value == 0 and len(sections) > 2 and sections[2]:
        return sections[2], False
    return sections[0], False


def _restored(text: str, literals: list[str]) -> str:
    parts = text.split(_ASIDE)
    return parts[0] + "".join(literal + part for literal, part in zip(literals, parts[1:], strict=False))


def plain(value: Decimal) -> str:
    """Write a number with at most 12 significant digits, no exponent, no trailing zeros."""
    rounded = value if value == value.to_integral_value() else Decimal(f"{value:.12g}")
    text = f"{rounded:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
