"""Hold an amount of the asker's own against the bounds of the rules: for `a £45,000 grant` the rule below £60,000."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import regex

from ....text.numbers import Number, find_numbers, in_one_unit, same_unit, same_value
from ..asked.question import Question
from ..asked.soft import own_amounts_of
from ..found.findings import Finding

_ABOVE = regex.compile(
    r"\b(?:above|over|more than|greater than|exceed(?:s|ing)?|in excess of|at least|beyond)\s*$",
    regex.IGNORECASE,
)
_BELOW = regex.compile(
    r"\b(?:below|under|less than|not? more than|up to|at most|not exceeding|within|a maximum of)\s*$", regex.IGNORECASE
)
_FIRST = 12
_AND_MORE = regex.compile(r"^\s+(?:or|and) (?:more|above|over)\b", regex.IGNORECASE)
_AND_LESS = regex.compile(r"^\s+(?:or|and) (?:less|below|under|fewer)\b", regex.IGNORECASE)


def rules_for(question: Question, findings: Sequence[Finding]) -> list[Finding]:
    """Return the findings with a bound on an amount that the asker brings, those first that it meets; at most two."""
    amounts = own_amounts_of(question.text) if question.language == "en" else ()
    if not amounts:
        return []
    ranked = [(max(_rank(amount, each.statement) for amount in amounts), each) for each in findings[:_FIRST]]
    best = max((rank for rank, _ in ranked), default=0)
    return [each for rank, each in ranked if rank and rank == best and each.candidate.row is None][:2]


def is_by_amount(question: Question, finding: Finding) -> bool:
    """Whether a finding may settle a question as far as an amount of the asker's own goes: it has that very amount."""
    amounts = own_amounts_of(question.text) if question.language == "en" else ()
    return not amounts or any(
        same_value(amount, number) for amount in amounts for number in find_numbers(finding.statement)
    )


def _rank(amount: Number, text: str) -> int:
    met = list(_met(amount, text))
    return 0 if not met else 2 if any(met) else 1


def _met(amount: Number, text: str) -> Iterator[bool]:
    """Yield for each bound of an amount's unit in a text whether the amount lies on its side."""
    for number in find_numbers(text):
        if not (number.unit == amount.unit or (number.unit and same_unit(number, amount))):
            continue
        before, behind = text[: number.start], text[number.end :]
        upper = bool(_BELOW.search(before) or _AND_LESS.match(behind))
        if not upper and not (_ABOVE.search(before) or _AND_MORE.match(behind)):
            continue
        own, limit = in_one_unit(amount, number)
        yield own <= limit if upper else own >= limit
