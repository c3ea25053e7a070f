"""Which of two figures of a sentence came first: `from 3 to 4`, `4, up from 3`, `4 instead of 3`."""

from __future__ import annotations

import regex

_REACH = 40
_AMOUNT = r"\W+(?:(?:about|some|around|between|rund|environ)\s)?(?:\p{Sc}|[A-Z]{3}\s)?$"
_FROM = regex.compile(rf"\b(?:from|von|vom|de|du|desde|da|dal){_AMOUNT}", regex.IGNORECASE)
_TO = regex.compile(rf"\b(?:to|auf|à|a|al){_AMOUNT}", regex.IGNORECASE)
_BACK = regex.compile(
    r"\b(?:up|down) from\b|\b(?:compared (?:with|to)|against|versus|instead of|rather than)\b|^[^\d;.]{0,12}\bafter\b|"
    r"\bbefore (?:that|then)\b|\(\s*(?:before|previously|formerly|earlier|last year|(?:19|20)\d\d)\s*[:,]?|"
    r"\b(?:previously|formerly|the year before|the previous year)\b|"
    r"\(\s*(?:bisher|zuvor|vorher|früher|vorjahr|auparavant|précédemment|antes|anteriormente|prima|in precedenza)\b|"
    r"\b(?:statt|anstelle von|gegenüber|nach zuvor|au lieu de|contre|en lugar de|frente a|invece di)\b",
    regex.IGNORECASE,
)
_PART = regex.compile(r"[;.]\s")


def first_is_older(text: str, one_start: int, one_end: int, other_start: int) -> bool | None:
    """Return whether the first of two figures of a text is the older one, False where the second is, None if unclear.

    Args:
        one_start: Where the first figure begins; one_end: one past its last character.
        other_start: Where the second figure begins.
    """
    before, between = text[max(0, one_start - _REACH) : one_start], text[one_end:other_start]
    if len(between) > 2 * _REACH or _PART.search(between):
        return None
    if _FROM.search(before) and _TO.search(between):
        return True
    if (_TO.search(before) and _FROM.search(between)) or _BACK.search(between):
        return False
    return None
