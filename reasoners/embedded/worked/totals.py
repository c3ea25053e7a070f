"""What several amounts of one thing come to: the fees of the first and the second, a price with what is added to it."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

import regex

from ....text.numbers import find_numbers
from ....text.numerals import grouped
from ....text.sentences import sentences
from ...statements.inference import Inference
from ..asked.question import Question
from ..found.candidates import index_terms
from ..found.findings import Finding
from ..found.weights import holds, holds_any
from ..settled.drivers import things_asked
from .results import inference_of
from .sentence_figures import ToldFigure, money_in

_FOR_SO_MANY = regex.compile(r"\bfor (?P<count>two|three|four|five|[2-5]) (?P<what>\p{L}{3,})", regex.IGNORECASE)
_ORDINALS = ("first", "second", "third", "fourth", "fifth")
_ORDINAL = regex.compile(rf"\b(?:{'|'.join(_ORDINALS)})\b", regex.IGNORECASE)
_FREE_FROM = regex.compile(
    rf"\bfree (?:of charge )?from the (?P<ordinal>{'|'.join(_ORDINALS)})\b|"
    rf"\b(?P<ordinal>{'|'.join(_ORDINALS)})(?: \p{{L}}+)? (?:is )?free\b",
    regex.IGNORECASE,
)
_TOTAL = regex.compile(
    r"\b(?:total|altogether|together|in all|all[- ]in|including|incl\.?|sum|combined|overall)\b", regex.IGNORECASE
)
_CLAUSE = regex.compile(r";\s+|,\s+(?=\p{L})|\s+(?:and|plus)\s+")
_PER = regex.compile(r"^\s?(?:per|a|an|each|every|/)\s?(?P<unit>\p{L}+)", regex.IGNORECASE)
_COUNT_WORDS = {"two": 2, "three": 3, "four": 4, "five": 5}
_NEAR = 30


def of_so_many(question: Question, finding: Finding, about: Sequence[Finding]) -> Inference | None:
    """Return what so many pay together of whom a sentence gives the fee of the first, the second and so on."""
    asked = _FOR_SO_MANY.search(question.text)
    if asked is None:
        return None
    count = _COUNT_WORDS.get(asked["count"].casefold()) or int(asked["count"])
    text = finding.candidate.text
    fees: dict[int, ToldFigure] = {}
    for figure in money_in(text):
        behind = _ORDINAL.search(text[figure.number.end : figure.number.end + _NEAR])
        if behind is not None:
            fees.setdefault(_ORDINALS.index(behind.group().casefold()), figure)
    free = _FREE_FROM.search(text)
    last = min(count, _ORDINALS.index(free["ordinal"].casefold()) if free else count)
    if last < 2 or any(place not in fees for place in range(last)):
        return None
    return _summed([fees[place] for place in range(last)], [finding])


def of_parts(question: Question, finding: Finding, about: Sequence[Finding]) -> Inference | None:
    """Return what amounts come to of which each stands by a thing that the question names; all of them are told."""
    things = things_asked(question)
    if not _TOTAL.search(question.text) or len(things) < 2:
        return None
    near = [each for each in (finding, *about) if each.candidate.chunk_id == finding.candidate.chunk_id]
    near = [each for each in dict.fromkeys(near) if holds_any(each.candidate.terms, things)]
    if any(_TOTAL.search(each.candidate.text) for each in near):
        return None
    chosen: list[tuple[ToldFigure, Finding]] = []
    covered: set[str] = set()
    units: set[str] = set()
    for each in near:
        for clause in _CLAUSE.split(each.candidate.text):
            amounts = money_in(clause)
            held = {term for term in things if holds(index_terms(clause), term)}
            if len(amounts) != 1 or not held:
                continue
            if held <= covered:
                return None  # two amounts of one thing
            per = _PER.match(clause[amounts[0].number.end :])
            units.add(per["unit"].casefold() if per else "")
            covered |= held
            chosen.append((amounts[0], each))
    if len(chosen) < 2 or len(units) > 1 or covered < set(things) or _has_more(finding, things, len(chosen)):
        return None
    told = list(dict.fromkeys(each for _, each in chosen))
    return _summed([amount for amount, _ in chosen], told, *(f"per {unit}" for unit in units if unit))


def _has_more(finding: Finding, things: Sequence[str], known: int) -> bool:
    """Whether a passage states more amounts of the things asked for than are known."""
    text = finding.candidate.passage.chunk.text
    clauses = [clause for start, end in sentences(text) for clause in _CLAUSE.split(text[start:end])]
    told = [each for each in clauses if money_in(each) and holds_any(index_terms(each), things)]
    return len(told) > known


def _summed(amounts: Sequence[ToldFigure], told: Sequence[Finding], per: str = "") -> Inference | None:
    if len({amount.number.unit for amount in amounts}) > 1 or any(_scaled(amount) for amount in amounts):
        return None
    total = sum((amount.value for amount in amounts), Decimal(0))
    unit = f"{amounts[0].number.unit} {per}".strip()
    worked = f"Sum: {' + '.join(amount.digits for amount in amounts)} = {grouped(total)} {unit}."
    return inference_of(worked, told, "sum")


def _scaled(amount: ToldFigure) -> bool:
    """Whether an amount is told in thousands or millions."""
    numbers = find_numbers(amount.digits)
    return len(numbers) != 1 or numbers[0].value != amount.number.value
