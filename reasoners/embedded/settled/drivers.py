"""Put first what says why something is so: the cause of the very thing asked for, or of the change computed."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

import regex

from ....text.numbers import Number, find_numbers
from ....text.words import analyse
from ...statements.inference import Inference
from ..asked.families import related_terms
from ..asked.question import Question
from ..found.candidates import index_terms
from ..found.causes import asks_cause
from ..found.findings import Finding
from ..found.needed import LOOSE, words_needed
from ..found.weights import share_held

_NEAR = Decimal("0.005")
_SCALES = tuple(Decimal(10) ** power for power in (0, 3, 6, 9))
_TELLING = 3
_HALF = 0.5
_FAR_BETTER = 1.25
_CAUSE = regex.compile(
    r",?\s(?:(?:was|were|is|are)\s)?(?:primarily|mainly|largely|mostly|partly|principally)?\s?(?:because|due to|"
    r"owing to|as a result of|driven by|caused by|attributable to|reflecting|reflects|thanks to|resulted from)\b",
    regex.IGNORECASE,
)
_ASKS_WHY = frozenset(
    analyse("drive drove driven driver cause caused lead led contribute contributed explain reason result why")
)


def things_asked(question: Question) -> list[str]:
    """Return the terms of what a question is about: no names, no word for moving or for being the reason."""
    return [
        term
        for term in words_needed(question)
        if term not in question.name_terms and term not in _ASKS_WHY and not related_terms(term) & LOOSE
    ]


def effect_share(question: Question, finding: Finding) -> float:
    """Return how much of what is asked stands in front of the words that lead to a cause; 0 where there are none."""
    text = finding.candidate.text
    cause = _CAUSE.search(text)
    asked = things_asked(question)
    if cause is None or not asked:
        return 0.0
    told = index_terms(text[: cause.start()])
    return share_held(told, asked)


def own_share(question: Question, finding: Finding) -> float:
    """Return how much of what is asked stands in a finding's own words; 1 where a question names nothing else."""
    asked = things_asked(question)
    return share_held(finding.candidate.terms, asked) if asked else 1.0


def told_causes(question: Question, findings: Sequence[Finding]) -> list[Finding]:
    """Return the findings that give the cause of all that a question for a reason is about; all where none does.

    What bears on the question far better stays beside them: it may give the cause in the sentence behind it.
    """
    told = [each for each in findings if effect_share(question, each) >= 1]
    if not asks_cause(question) or not told:
        return list(findings)
    better = _FAR_BETTER * max(each.scored.score for each in told)
    return [
        each
        for each in findings
        if each in told or (each.scored.score >= better and not _CAUSE.search(each.candidate.text))
    ]


def beside_change(question: Question, findings: Sequence[Finding]) -> list[Finding]:
    """Return what may stand beside a computed answer, what gives the cause of it first.

    A sentence that gives the cause of something else does not belong there, nor one that has little of what is asked.
    """
    fit = [
        each
        for each in findings
        if own_share(question, each) >= _HALF
        and (_CAUSE.search(each.candidate.text) is None or effect_share(question, each) >= _HALF)
    ]
    return sorted(fit, key=lambda each: -effect_share(question, each))


def drivers_first(question: Question, findings: Sequence[Finding], inferences: Sequence[Inference]) -> list[Finding]:
    """Return findings with those first that give a reason and hold a figure of an inference, whatever its scale.

    `The $104.2 million increase was due to …` is about the change of 104,233 thousand.  What has neither such a figure
    nor half of what is asked is left out, and what has not all of it beside the word that a measure does not apply.
    """
    least = _HALF if any(inference.is_computed for inference in inferences) else 1.0
    computed = [number for inference in inferences for number in find_numbers(inference.text) if _tells(number)]

    def is_of_it(finding: Finding) -> bool:
        numbers = [number for number in find_numbers(finding.statement) if _tells(number)]
        return any(_same(number, other) for number in numbers for other in computed)

    def rank(finding: Finding) -> tuple[int, float, int]:
        reason = finding.scored.kind >= 1
        return (int(not (reason and is_of_it(finding))), -effect_share(question, finding), int(not reason))

    fit = [each for each in findings if is_of_it(each) or own_share(question, each) >= least]
    return sorted(fit, key=rank)


def _tells(number: Number) -> bool:
    """Whether a number has so many digits that an equal one is hardly equal by chance."""
    digits = [sign for sign in number.text if sign.isdigit()]
    return len(digits) >= _TELLING and not number.is_year and number.kind == "cardinal"


def _same(one: Number, other: Number) -> bool:
    a, b = abs(one.value), abs(other.value)
    return a > 0 and b > 0 and any(abs(a - b * by) <= _NEAR * a or abs(b - a * by) <= _NEAR * b for by in _SCALES)
