"""Hold a `Yes` or `No` against the support check: the question, put as a statement, is what the word would claim."""

from __future__ import annotations

import regex

from ....text.numbers import same_unit
from ....text.words import analyse
from ...support.check import examine
from ...support.exact import Finding
from ...support.reading import read
from ..asked.cues import AUXILIARIES
from ..asked.question import Question
from ..found.candidates import Candidate, index_terms
from ..found.weights import holds_all

_AUXILIARY = regex.compile(rf"^\W*(?:{AUXILIARIES}|am|may|might|must)\s+", regex.IGNORECASE)
_MAY = regex.compile(
    r"^\W*(?:may|can|could)\s+(?:i|we|you|one|they|he|she|people|guests|tenants?|\p{L}+)\s+", regex.IGNORECASE
)
# A thing by its number or letter: `year 6`, `platform 2B`, `Item 3`; no measure and no date.
_LABELLED = regex.compile(
    r"\b(?P<word>year|grade|class|form|group|item|line|phase|stage|step|room|flat|floor|building|block|unit|platform|gate|"
    r"route|bus|tram|train|lot|plot|berth|batch|version|revision|section|clause|article|chapter|page|level|team|ward|"
    r"zone|site|station|well|pump|machine|hall|court|pool|case|file|order|invoice|contract|arm|cohort|study|trial|week|"
    r"day|module|course|part|type|model|firmware|release|table|figure)s? (?:no\. ?|number )?"
    r"(?P<number>\d{1,5}\p{L}?|(?-i:\p{Lu}))(?![\p{L}\d%]|[.,]\d| per ?cent)",
    regex.IGNORECASE,
)
_WORDED = frozenset({"opposite", "direction", "negation"})
_EXACT = frozenset({"number", "unit", "period"})


def confirmed(question: Question, candidate: Candidate, answer: str) -> str:
    """Return the word that a sentence bears out: the one given, `No` where it says otherwise, or none.

    Args:
        question: A question for yes or no.
        candidate: A sentence that holds the words of the question.
        answer: `Yes` or `No`, as read from the sentence alone.
    """
    if not _names_held(question, candidate):
        return ""
    statement, text = statement_of(question.text), candidate.text
    against = examine(statement, [text], context=[candidate.title]).hard
    kinds = {finding.kind for finding in against}
    if not kinds:
        return answer
    if kinds <= _EXACT:
        return "No" if answer == "Yes" and _told_otherwise(statement, text, kinds) else ""
    if answer == "No":
        return answer
    return "No" if kinds <= _WORDED and not any(_only_said(finding) for finding in against) else ""


def is_of_another(question: str, text: str) -> bool:
    """Whether a text numbers what a question numbers, but not the same one: `year 9`, where `year 6` is asked about."""
    asked, said = _labels(question), _labels(text)
    return any(word in said and not numbers & said[word] for word, numbers in asked.items())


def _labels(text: str) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for match in _LABELLED.finditer(text):
        for term in analyse(match["word"]):
            found.setdefault(term, set()).add(match["number"].casefold())
    return found


def statement_of(question: str) -> str:
    """Return a question for yes or no as what it would claim; a permission that is asked for, as given."""
    asked = question.strip().rstrip("?？ ")
    said = _AUXILIARY.sub("", asked)
    return f"{said} is allowed" if _MAY.match(asked) else said


def _names_held(question: Question, candidate: Candidate) -> bool:
    """Whether the sentence, or what it stands below, has every name of the question."""
    known = candidate.known | index_terms(candidate.title)
    return holds_all(known, question.name_terms)


def _told_otherwise(statement: str, text: str, kinds: set[str]) -> bool:
    """Whether a sentence has another figure of the same unit, or another time, in the place of the one asked."""
    asked, said = read(statement), read(text)
    times = "period" not in kinds or bool(said.periods)
    figures = kinds == {"period"} or any(
        same_unit(mine, theirs) and mine.value != theirs.value for mine in asked.numbers for theirs in said.numbers
    )
    return times and figures


def _only_said(finding: Finding) -> bool:
    """Whether somebody denies it, which does not make it untrue."""
    return finding.detail.startswith("the passage denies")
