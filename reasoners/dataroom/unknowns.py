"""What a dataroom does not establish: figures nobody validated, figures asked for and not delivered, neighbours."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...state.harness import Guidance, Harness
from ...text.numbers import find_numbers
from ...text.periods import find_periods
from ...text.words import analyse
from .lines import Line

_SHOWN = 3
_COMMON = frozenset(
    analyse("what which who is are was the of and company does did have has in at by for its how much there")
)
_ACRONYM = re.compile(r"\(([A-Z]{2,6})\)")


def unvalidated_lines(question: str, lines: Sequence[Line], harness: Harness) -> list[list[Line]]:
    """Return, for each file that states a figure and says that nobody validated it, its line and the caveat."""
    groups = []
    asked = metric_words(question)
    for uri in dict.fromkeys(line.uri for line in lines):
        inside = [line for line in lines if line.uri == uri]
        caveats = [line for line in inside if _has(line.text, harness.words("validation"))]
        figures = [line for line in inside if line not in caveats and _figures(line) and bears(line, asked)]
        if figures and caveats and not inside[0].structured:
            groups.append([figures[0], caveats[0]])
    return groups


def repeats_of(groups: Sequence[Sequence[Line]], lines: Sequence[Line], question: str) -> list[Line]:
    """Return narrative lines elsewhere that repeat an unvalidated figure without the caveat."""
    found: list[Line] = []
    asked = metric_words(question)
    for figure, *_ in groups:
        values = _figures(figure)
        others = [line for line in lines if line.uri != figure.uri and not line.structured]
        found += [line for line in others if _figures(line) & values and bears(line, asked)]
    return found


def undelivered_lines(question: str, lines: Sequence[Line], harness: Harness) -> list[Line]:
    """Return lines that say that what the question asks for was not delivered, the closest first."""
    asked = metric_words(question)
    if not asked:
        return []
    words = harness.words("not_delivered")
    found = [line for line in lines if _has(line.text, words) or _follows(line, lines, words)]
    scored = [(len(line.words & asked) / len(asked), line) for line in found]
    close = [(score, line) for score, line in scored if score >= 0.5 and len(line.words & asked) >= min(2, len(asked))]
    close.sort(key=lambda each: -each[0])
    return [line for _, line in close[:_SHOWN]]


def metric_words(question: str) -> frozenset[str]:
    """Return the index terms by which a question names what it wants; an acronym in brackets repeats its words."""
    for period in reversed(find_periods(question)):
        question = f"{question[: period.at]} {question[period.to :]}"
    return frozenset(analyse(_ACRONYM.sub(" ", question))) - _COMMON


def bears(line: Line, asked: frozenset[str]) -> bool:
    """Whether a line names most of what was asked, or its acronym."""
    if not asked:
        return False
    initials = "".join(sorted(word[0] for word in asked))
    acronym = any("".join(sorted(word)) == initials for word in line.words if len(word) == len(asked))
    return acronym or len(line.words & asked) * 2 >= len(asked)


def is_neighbour(text: str, opened: Sequence[Guidance], question: str, entities: Sequence[str]) -> bool:
    """Whether a claim with a figure is of another metric or another thing than the one asked about."""
    if not opened or not _numbers(text):
        return False
    words = frozenset(analyse(text.replace("_", " ")))
    asked = f" {question.casefold()} "
    metrics = [word for guidance in opened for word in guidance.words if re.search(rf"\b{re.escape(word)}\b", asked)]
    if metrics and not any(set(analyse(metric)) <= words or metric in text.casefold() for metric in metrics):
        return not _spelled_out(metrics, words, question)
    named = [entity for entity in entities if entity[:1].isupper() and entity.casefold() not in metrics]
    return bool(named) and not any(entity.casefold() in text.casefold() for entity in named)


def _spelled_out(metrics: Sequence[str], words: frozenset[str], question: str) -> bool:
    """Whether the text has the words of a metric that the question gives as an acronym too."""
    return bool(_ACRONYM.search(question)) and len(metric_words(question) & words) * 2 >= len(metric_words(question))


def _follows(line: Line, lines: Sequence[Line], words: Sequence[str]) -> bool:
    """Whether the next sentence of the same chunk says it of this one (`The analysis was not delivered.`)."""
    after = [other for other in lines if other.chunk_id == line.chunk_id and line.end <= other.start <= line.end + 3]
    return line.row is None and bool(after) and _has(after[0].text, words) and len(line.text) < 120


def _figures(line: Line) -> set[tuple[str, str]]:
    return _numbers(line.text)


def _numbers(text: str) -> set[tuple[str, str]]:
    return {
        (f"{number.value.normalize():f}", number.unit)
        for number in find_numbers(text)
        if not number.is_year and number.kind != "identifier" and (number.unit or number.value > 31)
    }


def _has(text: str, words: Sequence[str]) -> bool:
    return any(re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text, re.IGNORECASE) for word in words)
