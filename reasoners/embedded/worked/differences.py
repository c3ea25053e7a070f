"""By how much one figure differs from another that sentences lay beside it."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from itertools import product

import regex

from ....text.numerals import grouped, percent
from ....text.words import analyse
from ...protocol import Passage
from ...statements.inference import Inference
from ...tables.scope import DOWN, UP
from ..asked.question import Question
from ..found.findings import Finding
from ..found.needed import words_needed
from ..found.weights import holds_all
from ..settled.versions import versions_of
from .results import inference_of
from .sentence_figures import ToldFigure, figures_of, keyed_pair, money_in, pairs_of, same_unit

_REACH = 40
_MOVES = "|".join(sorted(UP | DOWN))
_CHANGE = regex.compile(
    r"\bby how (?:much|many)\b|\bdifference\b|"
    rf"\bhow (?:much|many)\b.*\b(?:{_MOVES}|chang\w+|more|less|fewer|gained?|lost|lose)\b|"
    r"\bchange\b.*\b(?:percent\w*|points?)\b|\bhow (?:did|has|have)\b.*\bchanged?\b",
    regex.IGNORECASE,
)
_APART = regex.compile(
    r"\bhow (?:far|much) (?:is|are|was|were) (?:the )?(?P<a>[^?]+?) (?:away )?(?:from|below|above|under|over) "
    r"(?:the )?(?P<b>[^?]+)",
    regex.IGNORECASE,
)
_MOST_FINDINGS = 6
_PERCENT = frozenset({"%", "per cent", "percent", "pct"})
_NEW = regex.compile(
    r"\b(?:replac\w+|amended|revised|(?:is|are|was|were) now|the new|from \d{1,2} \w+ (?:19|20)\d\d|"
    r"(?:since|as of|as from|from) (?:\w+ )?(?:19|20)\d\d)\b",
    regex.IGNORECASE,
)


def difference(question: Question, finding: Finding, about: Sequence[Finding]) -> Inference | None:
    """Return by how much the later of two figures differs from the earlier."""
    if not _CHANGE.search(question.text):
        return None
    text = finding.candidate.text
    pair = keyed_pair(question, text) or next(pairs_of(question, text), None)
    if pair is None or not _of_the_years(question, finding):
        return None
    return inference_of(_less(*pair), [finding], "difference")


def difference_of_versions(
    question: Question, findings: Sequence[Finding], passages: Sequence[Passage]
) -> Inference | None:
    """Return by how much what holds now differs from what it has replaced, where two sentences give one each."""
    if not _CHANGE.search(question.text):
        return None
    versions = [(each.finding, figures_of(each.value)) for each in versions_of(question, findings, passages)[:2]]
    stated = versions or _restated(question, findings)
    if len(stated) < 2:
        return None
    (now_in, now), (before_in, before) = stated
    if len(now) != 1 or len(before) != 1 or not same_unit(now[0], before[0]):
        return None
    return inference_of(_less(before[0], now[0]), [now_in, before_in], "difference")


def distance_between(question: Question, findings: Sequence[Finding]) -> Inference | None:
    """Return how far one thing is from another of which two sentences give a figure in one unit: `1.4` and `3.0 times`.

    Nothing where a sentence gives several in that unit, or where both are told by one sentence.
    """
    match = _APART.search(question.text)
    if match is None:
        return None
    sides = [
        [finding for finding in findings if _tells_of(match[side], finding)][:_MOST_FINDINGS] for side in ("a", "b")
    ]
    found: dict[tuple[Decimal, Decimal, str], tuple[ToldFigure, ToldFigure, Finding, Finding]] = {}
    for one, other in product(*sides):
        if one is other:
            continue
        mine, theirs = (figures_of(each.candidate.text) for each in (one, other))
        for a, b in product(mine, theirs):
            if a.unit and a.unit == b.unit and same_unit(a, b):
                found[a.value, b.value, a.unit] = (a, b, one, other)
    if len(found) != 1:
        return None
    a, b, one, other = next(iter(found.values()))
    more, less = (a, b) if a.value > b.value else (b, a)
    worked = f"Difference: {more.digits} - {less.digits} = {grouped(more.value - less.value)} {a.unit}."
    return inference_of(worked, [one, other], "difference")


def _tells_of(thing: str, finding: Finding) -> bool:
    candidate = finding.candidate
    terms = analyse(thing)
    return candidate.row is None and bool(terms) and holds_all(candidate.terms, terms)


def _restated(question: Question, findings: Sequence[Finding]) -> list[tuple[Finding, list[ToldFigure]]]:
    """Return the sentence that gives a new amount and the one that gives the old; nothing where there are others."""
    needed = words_needed(question)
    found: dict[Decimal, tuple[Finding, list[ToldFigure]]] = {}
    for finding in findings:
        candidate = finding.candidate
        amounts = money_in(candidate.text)
        if candidate.row is None and len(amounts) == 1 and holds_all(candidate.terms, needed):
            found.setdefault(amounts[0].value, (finding, amounts))
    if len(found) != 2 or not needed:
        return []
    both = sorted(found.values(), key=lambda each: not _NEW.search(each[0].candidate.text))
    ends = [each[0].candidate.text[each[1][0].number.end :][:_REACH].split()[:2] for each in both]
    news = [bool(_NEW.search(each[0].candidate.text)) for each in both]
    return both if news == [True, False] and ends[0][:1] == ends[1][:1] else []


def _less(earlier: ToldFigure, later: ToldFigure) -> str:
    """Say the difference of two figures, and by how much of the earlier one."""
    before, after = earlier.value, later.value
    unit = later.unit or earlier.unit
    worked = f"Difference: {later.digits} - {earlier.digits} = {grouped(after - before)}"
    if unit.casefold() in _PERCENT:
        return f"{worked} percentage points."
    worked += f" {unit}" if unit else ""
    if before > 0:
        rate = percent(after - before, before)
        worked += f"; ({later.digits} - {earlier.digits}) / {earlier.digits} = {rate}%"
    return f"{worked}."


def _of_the_years(question: Question, finding: Finding) -> bool:
    """Whether the years that a question names stand in the sentence or its title."""
    candidate = finding.candidate
    said = f"{candidate.text} {candidate.title} {' '.join(sorted(candidate.context))}"
    years = {str(year) for period in question.periods for year in (period.start.year, period.end.year)}
    return all(year in said for year in years)
