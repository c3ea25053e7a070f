"""Check what must be exact: the claim's numbers with their units, its periods, its names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

import regex

from ...text.numbers import Number, in_one_unit, same_unit, same_value
from ...text.periods import Period, contains, same_period
from ...text.units import UNIT_WORDS
from .reading import Reading
from .wording import is_acronym_of

_SCALE_NOTE = regex.compile(
    r"\b(?:in\s+)?(thousands|millions|billions)\b|\b(?:in|\$|USD|EUR)\s?(?:000s?|mn|bn)\b", regex.IGNORECASE
)
_SCALES = {"thousands": Decimal(10) ** 3, "millions": Decimal(10) ** 6, "billions": Decimal(10) ** 9}
# `Rule 19`, `Type 2`, `Figure 3`: the number is part of a name.
_ADDRESS = regex.compile(r"(?:https?://|www\.|doi:\s?10\.|\b10\.\d{4,}/)\S+", regex.IGNORECASE)
_TIME_OF_DAY = regex.compile(r"\b(?:at|until|till|before|after|around)\s+$", regex.IGNORECASE)
_TIME_ENDS = regex.compile(r"\s*(?:$|[.,;:!?)]|o['’]clock|[ap]\.?m\b|in the|on )", regex.IGNORECASE)
_LABEL = regex.compile(
    r"(?:\p{Lu}[\p{L}\p{M}]*|\b(?:type|phase|stage|grade|class|level|step|rule|figure|table|passage))[ -]$"
)
_MARKER = regex.compile(r"(?:^|\n)\s*\(?$")
_SMALL = Decimal(12)
_MOST_ITEMS = 100


@dataclass(frozen=True)
class Finding:
    """One thing that was checked.

    Attributes:
        kind: `number`, `unit`, `period`, `name`, …; detail: what was found, in words.
        hard: A claim with it cannot be supported.
        at: Where in the claim it stands.
    """

    kind: str
    detail: str
    hard: bool
    at: int = 0


def check_numbers(claim: Reading, texts: Sequence[Reading], question: Reading | None = None) -> list[Finding]:
    """Return the claim's numbers that no passage carries.

    A number may be rounded to fewer places, be converted to another unit of its kind, or stand in a table whose note
    gives the scale.  `more than 50%` is carried by 53%.  Numbers of names, list marks and the question are let pass.
    """
    numbers = [number for text in texts for number in text.numbers]
    given = [*question.numbers] if question is not None else []
    scales = scales_of(texts)
    findings: list[Finding] = []
    for number in claim.numbers:
        beside = _unit_beside(number, claim.text)
        bearers = [other for other in numbers if carries(other, number, scales)]
        if any(not (beside and other.unit and other.unit != beside) for other in bearers) or _in_period(number, texts):
            continue
        if bearers:
            findings.append(
                Finding("unit", f"{number.text} where the passages say {bearers[0].text}", True, number.start)
            )
            continue
        rival = next((o for o in numbers if o.value == number.value and not same_unit(o, number)), None)
        hard = not (is_label(number, claim.text) or any(same_value(number, other) for other in given))
        if rival is not None:
            findings.append(Finding("unit", f"{number.text} where the passages say {rival.text}", hard, number.start))
        else:
            findings.append(Finding("number", f"{number.text} is absent", hard, number.start))
    return findings


def carries(stated: Number, claimed: Number, scales: Sequence[Decimal] = ()) -> bool:
    """Whether a number of a passage carries a number of a claim."""
    if same_value(stated, claimed, ignore_sign=True):
        return True
    if not same_unit(stated, claimed):
        return False
    left, right = (abs(value) for value in in_one_unit(stated, claimed))
    if claimed.bound == ">" and right < left <= 2 * right:
        return True
    if claimed.bound == "<" and right / 2 <= left < right:
        return True
    if claimed.bound == "~" and abs(left - right) <= right / 20:
        return True
    if not stated.unit or stated.unit == claimed.unit:
        for scale in scales:
            if abs(left * scale - right) <= max(claimed.step, stated.step * scale) / 2 and left * scale != 0:
                return True
    return False


def _unit_beside(number: Number, text: str) -> str:
    """Return the unit named by one of the two words after a number that was read without one: `5 cubic litres`."""
    if number.unit:
        return ""
    following = regex.match(r"\s?(\p{L}+)(?:\s(\p{L}+))?", text[number.end :])
    words = [word for word in following.groups() if word] if following else []
    return next((UNIT_WORDS[word] for word in words if len(word) > 2 and word in UNIT_WORDS), "")


def scales_of(texts: Sequence[Reading]) -> list[Decimal]:
    """Return the factors that notes such as `in millions` give to bare numbers, each once."""
    names = {match.group(1).casefold() for text in texts for match in _SCALE_NOTE.finditer(text.text) if match.group(1)}
    return [_SCALES[name] for name in sorted(names)]


def _in_period(number: Number, texts: Sequence[Reading]) -> bool:
    """Whether a bare number stands inside a date of the passages."""
    if number.unit or number.kind != "cardinal":
        return False
    plain = number.text.strip("() ")
    return any(
        regex.search(rf"(?<!\d){regex.escape(plain)}(?!\d)", period.text) for text in texts for period in text.periods
    )


@lru_cache(maxsize=8_192)
def is_label(number: Number, text: str) -> bool:
    """Whether a number belongs to a name or a list, or is a small count in words, and need not be in a passage."""
    before, after = text[: number.start], text[number.end : number.end + 2]
    if _LABEL.search(before) and not number.unit and number.kind in ("cardinal", "fraction"):
        return True
    # A figure that a wrapped line happens to open, `\nEUR 310,000.`, marks no item of a list.
    if _MARKER.search(before) and after[:1] in (".", ")") and not number.unit and abs(number.value) < _MOST_ITEMS:
        return True
    if not text[number.end :].strip(" .)") and before.endswith("\n\n"):
        return True
    if number.kind == "word" and number.value <= _SMALL and not number.unit:
        return not (_TIME_OF_DAY.search(before) and _TIME_ENDS.match(text[number.end :]))
    return after[:1] == "-" and not number.unit and number.kind == "cardinal" and number.value <= _SMALL


def check_links(claim: Reading, texts: Sequence[Reading]) -> list[Finding]:
    """Return the claim's addresses (URLs, DOIs) that no passage holds."""
    held = " ".join(text.text for text in texts).casefold()
    return [
        Finding("link", f"{match.group()} is absent", True, match.start())
        for match in _ADDRESS.finditer(claim.text)
        if match.group().rstrip(".,;:)]").casefold() not in held
    ]


def check_periods(claim: Reading, texts: Sequence[Reading], question: Reading | None = None) -> list[Finding]:
    """Return the claim's periods that no passage names, holds or lies in."""
    stated = [period for text in texts for period in text.periods]
    given = list(question.periods) if question is not None else []
    bare = {number.text for text in texts for number in text.numbers}
    findings: list[Finding] = []
    for period in claim.periods:
        if any(_meets(period, other) for other in stated) or period.text in bare:
            continue
        if period.kind == "range" and _ends_stated(period, stated):
            continue
        hard = period.kind not in ("century", "decade", "month_day") and not any(_meets(period, o) for o in given)
        findings.append(Finding("period", f"{period.text} is absent", hard, period.at))
    return findings


def _ends_stated(claimed: Period, stated: Sequence[Period]) -> bool:
    """Whether the first and the last year of a range are each named as a beginning or an end."""
    years = {year for period in stated for year in (period.start.year, period.end.year)}
    return {claimed.start.year, claimed.end.year} <= years


def _meets(claimed: Period, stated: Period) -> bool:
    """Whether a stated period carries a claimed one: the same, a part of it, or a whole of at most a year around it."""
    if claimed.kind == "range":
        return same_period(claimed, stated)
    if contains(claimed, stated):
        return True
    return contains(stated, claimed) and (stated.end - stated.start).days <= 400 and claimed.kind != "day"


def check_names(claim: Reading, texts: Sequence[Reading], question: Reading | None = None) -> list[Finding]:
    """Return the claim's names that neither the passages nor the question know, by words or by initials."""
    known = {word.stem for text in texts for word in text.words}
    known |= {word.stem for word in question.words} if question is not None else set()
    findings: list[Finding] = []
    for word in claim.names:
        if word.stem in known or any(word.stem[:5] == other[:5] for other in known if len(word.stem) >= 6):
            continue
        if word.text.isupper() and 2 <= len(word.text) <= 6 and any(is_acronym_of(word.text, text) for text in texts):
            continue
        findings.append(Finding("name", f"{word.text} is absent", False, word.start))
    return findings
