"""Leave out the price of another thing: what is asked by name costs nothing that a sentence states per gear."""

from __future__ import annotations

from collections.abc import Sequence

import regex

from ....text.numbers import find_numbers
from ....text.words import analyse
from ..asked.answer_types import asks_for_money
from ..asked.question import Question
from .candidates import index_terms
from .findings import Finding
from .weights import holds, holds_any

_PER = regex.compile(r"^\W?\s?(?:per|for (?:each|every)|each|a|an) (?P<unit>\p{L}{3,})", regex.IGNORECASE)
_PLAIN_UNITS = frozenset(
    analyse(
        "day week month quarter year hour minute night season annum person head share passenger guest participant time "
        "unit piece item kilometre metre litre kilogram tonne kilo gram mile hectare square cubic kwh mwh"
    )
)


def without_other_prices(question: Question, findings: Sequence[Finding]) -> list[Finding]:
    """Return findings without prices per unit of what a question for the price of a named thing does not name.

    Nothing is left where these were the only amounts: what is found beside them tells no price.
    """
    if not question.name_terms or not asks_for_money(question):
        return list(findings)
    kept = [each for each in findings if not _is_of_another(question, each, question.name_terms)]
    if len(kept) < len(findings) and not any(_amounts(each) for each in kept):
        return []
    return kept


def _is_of_another(question: Question, finding: Finding, named: frozenset[str]) -> bool:
    candidate = finding.candidate
    if candidate.row is not None or holds_any(candidate.known, named):
        return False
    ends = _amounts(finding)
    units = [match["unit"] for end in ends if (match := _PER.match(candidate.text[end:]))]
    terms = [term for unit in units for term in index_terms(unit)]
    strange = [term for term in terms if term not in _PLAIN_UNITS and not holds(question.terms, term)]
    return bool(ends) and len(units) == len(ends) and len(strange) == len(terms)


def _amounts(finding: Finding) -> list[int]:
    """Return where amounts of money end in a finding."""
    numbers = find_numbers(finding.candidate.text)
    return [number.end for number in numbers if len(number.unit) == 3 and number.unit.isupper()]
