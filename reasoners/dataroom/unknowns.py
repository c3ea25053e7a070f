"""What a dataroom does not establish: figures nobody validated, figures asked for and not delivered, neighbours."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from ...state.harness import Guidance, Harness
from ...state.records import PlanQuestion
from ...text.numbers import find_numbers
from ...text.numerals import trimmed
from ...text.periods import find_periods
from ...text.words import analyse
from ..embedded.found.fragments import has_verb
from ..tables.wording import (
    Spelling,
    aside,
    clause,
    follow_on,
    header_and_value,
    in_brackets,
    is_remark,
    is_unit,
    subject_of,
)
from .lines import Line

_SHOWN = 3
_LABEL_CHARS = 120
_POINTS_BACK = re.compile(r"\W*(?:it|this|these|that|those|they|none|neither|both|all of (?:it|them))\b", re.IGNORECASE)
_LISTED = 12
_MISSING = re.compile(
    r"\b(?:missing|outstanding|undelivered|not (?:been )?(?:delivered|provided|received|answered|handed over))\b"
    r"(?=[^?]{0,40}\?|\s*$)",
    re.IGNORECASE,
)
_REQUEST = frozenset(
    analyse(
        "request requested ask asked promise promised information item items list document documents missing open "
        "metric metrics"
    )
)
_NOT_HANDED_OVER = re.compile(
    r"\b(?:not|never)\b(?:\s+(?:yet|been|be|so|far|again))*\s+"
    r"(?:delivered|provided|received|handed over|supplied|submitted|reported|produced|presented)\b",
    re.IGNORECASE,
)
"""What prose says of something that was to come; other words (`outstanding`) are said of debts and doors too."""
_HANDING_OVER = frozenset(
    analyse("deliver delivered provide provided receive received submit submitted supply supplied arrive arrived")
)
_CAME = re.compile(
    r"(?<!not )(?<!not been )(?<!not yet been )(?<!never )(?<!be )\b"
    r"(?:delivered|provided|received|handed over|supplied|submitted|arrived|paid out|came in)\b",
    re.IGNORECASE,
)
_STATE = re.compile(r"\b(?:status|state|stage|progress)\b", re.IGNORECASE)
_CLOSED = re.compile(
    r"^\W*(?:closed|done|complete[d]?|delivered|received|provided|resolved|settled|submitted|erledigt|geliefert)\b",
    re.IGNORECASE,
)
_AMBIGUOUS = frozenset({"not available", "outstanding", "carried forward"})
_OFFERED = re.compile(
    r"\bnot available (?:on|to|with|without|from|as|outside|under|before|until|in (?:this|that|all|any|every|[A-Z]))\b",
)
_COMMON = frozenset(
    analyse(
        "what which who is are was the of and company does did have has in at by for its how much there compare "
        "compared comparison change changed difference between"
    )
)
_ACRONYM = re.compile(r"\(([A-Z]{2,6})\)")


def unvalidated_lines(question: str, lines: Sequence[Line], harness: Harness) -> list[list[Line]]:
    """Return, for each file that states a figure and says that nobody validated it, its line and the caveat."""
    groups = []
    asked = metric_words(question)
    for uri in dict.fromkeys(line.uri for line in lines):
        inside = [line for line in lines if line.uri == uri]
        caveats = [line for line in inside if mentions(line.text, harness.words("validation"))]
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


def undelivered_lines(part: PlanQuestion, lines: Sequence[Line], harness: Harness) -> list[Line]:
    """Return lines that say that what the question asks for was not delivered, the closest first.

    A question about what is missing itself gets every record that says so; one about a person or place gets none.
    """
    words = harness.words("not_delivered")
    asked = metric_words(part.text)
    if not asked or part.answer_type in ("person", "place"):
        return []
    if asks_for_missing(part.text, harness):
        return _missing_records(asked, lines, words, promised=mentions(part.text, ("promised",)))
    found = [line for line in lines if says_missing(line, words) or _follows(line, lines, words)]
    found = [line for line in found if not came_after(line, lines, asked)]
    scored = [(len(line.words & asked) / len(asked), line) for line in found]
    close = [
        (score, line)
        for score, line in scored
        if score >= 0.5 and len(line.words & asked) >= min(2, len(asked)) and _is_about(line, asked)
    ]
    close.sort(key=lambda each: -each[0])
    return [line if says_missing(line, words) else _with_next(line, lines) for _, line in close[:_SHOWN]]


def asks_for_missing(question: str, harness: Harness) -> bool:
    """Whether a question asks what was not delivered, rather than for something that was not."""
    return mentions(question, harness.words("not_delivered")) or bool(_MISSING.search(question))


def says_missing(line: Line, words: Sequence[str]) -> bool:
    """Whether a line says that something was not delivered.

    Of a record the values say so, never its headers, and none of them that it came all the same: a risk called `report
    not delivered` may be closed.  Of prose a word that is also said of debts and of offers (`outstanding`, `not
    available on Basic`) must be said of no amount and of no plan or place.
    """
    if line.row is None:
        return mentions(line.text, words) and not _of_something_else(line, words)
    states = [cell for cell in line.row.cells if _STATE.search(cell.header.replace("_", " "))]
    if any(mentions(cell.text, words) for cell in states):
        return True
    return any(mentions(cell.text, words) for cell in line.row.cells) and not _came(line)


def came_after(line: Line, lines: Sequence[Line], asked: frozenset[str]) -> bool:
    """Whether a later source says of what a line calls undelivered, as far as it was asked for, that it came."""
    named = (line.words & asked) - _HANDING_OVER
    return bool(line.dated and named) and any(
        other.dated > line.dated and named <= other.words and _came(other) for other in lines
    )


def asks_whether_it_came(part: PlanQuestion) -> bool:
    """Whether a question is answered by the very line that tells that something was not delivered."""
    return part.answer_type == "yes_no" and bool(frozenset(analyse(part.text)) & _HANDING_OVER)


def _came(line: Line) -> bool:
    """Whether a line says that something was delivered, received or, of a record, that it is closed."""
    if line.row is not None and any(
        _STATE.search(cell.header.replace("_", " ")) and _CLOSED.search(cell.text) for cell in line.row.cells
    ):
        return True
    return bool(_CAME.search(line.text)) and not _NOT_HANDED_OVER.search(line.text)


def _of_something_else(line: Line, words: Sequence[str]) -> bool:
    told = [word for word in words if mentions(line.text, (word,))]
    if any(word not in _AMBIGUOUS for word in told):
        return False
    return bool(_OFFERED.search(line.text)) or any(number.unit for number in find_numbers(line.text))


def said_missing(line: Line, harness: Harness) -> str:
    """Return a line in a sentence: prose as it is, a record as `For X (R-07), status is not delivered (…).`"""
    if line.row is None:
        return line.text
    words = harness.words("not_delivered")
    subject = subject_of(line.row)
    cells = [cell for cell in line.row.cells if cell.text.strip() and cell not in subject.cells and not is_unit(cell)]
    main = [cell for cell in cells if mentions(cell.text, words) and not is_remark(cell.header)][:1]
    if not main or not subject.lead:
        return line.text
    spelling = Spelling.of(line.text)
    told = clause(*header_and_value(main[0], line.row, spelling))
    beside = in_brackets(aside(*header_and_value(cell, line.row, spelling)) for cell in follow_on(cells, main))
    return f"{subject.lead}, {told}{beside}."


def missing_reason(line: Line) -> str:
    """Return what was asked for and not delivered, in short."""
    if line.row is None:
        return " ".join(line.text.split())
    subject = subject_of(line.row)
    remarks = (" ".join(cell.text.split()) for cell in line.row.cells if is_remark(cell.header))
    return f"{subject.name or line.text}{in_brackets(remarks)}"


def _missing_records(
    asked: frozenset[str], lines: Sequence[Line], words: Sequence[str], *, promised: bool
) -> list[Line]:
    found = [line for line in lines if line.row is not None and says_missing(line, words)]
    if promised:  # a promise stands in prose, a request in a register
        found += [line for line in lines if line.row is None and _NOT_HANDED_OVER.search(line.text)]
    about = asked - _REQUEST - frozenset(analyse(" ".join(words)))
    named = [line for line in found if line.words & about]
    return (named or found)[:_LISTED]


def _is_about(line: Line, asked: frozenset[str]) -> bool:
    """Whether a line is about what a single word asks for: `board ARR` is ARR, `revenue retention` no revenue."""
    if len(asked) > 1:
        return True
    tokens = re.findall(r"\w+|[^\w\s]", line.text)
    return any(
        set(analyse(token)) & asked and not (tokens[at + 1 : at + 2] and analyse(tokens[at + 1]))
        for at, token in enumerate(tokens)
    )


@lru_cache(maxsize=1_024)
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
        return not _spelled_out(words, question)
    named = [entity for entity in entities if entity[:1].isupper() and entity.casefold() not in metrics]
    return bool(named) and not any(entity.casefold() in text.casefold() for entity in named)


def _spelled_out(words: frozenset[str], question: str) -> bool:
    """Whether the text has the words of a metric that the question gives as an acronym too."""
    return bool(_ACRONYM.search(question)) and len(metric_words(question) & words) * 2 >= len(metric_words(question))


def _with_next(line: Line, lines: Sequence[Line]) -> Line:
    """Return a line together with the sentence behind it, which says what became of it."""
    after = next(other for other in lines if _is_next(other, line))
    return replace(line, text=line.text + line.gap_to(after) + after.text, end=after.end)


def _is_next(other: Line, line: Line) -> bool:
    return other.chunk_id == line.chunk_id and line.end <= other.start and not line.gap_to(other).strip(" \n")


def _follows(line: Line, lines: Sequence[Line], words: Sequence[str]) -> bool:
    """Whether the next sentence of the same chunk says it of this one (`The analysis was not delivered.`).

    Behind a label any sentence does; behind a sentence one that points back to it or names the same.
    """
    after = [other for other in lines if _is_next(other, line)]
    if line.row is not None or not after or after[0].row is not None or len(line.text) >= _LABEL_CHARS:
        return False
    told = after[0]
    return says_missing(told, words) and (
        not has_verb(line.text) or bool(_POINTS_BACK.match(told.text)) or len(line.words & told.words) > 1
    )


def _figures(line: Line) -> set[tuple[str, str]]:
    return _numbers(line.text)


def _numbers(text: str) -> set[tuple[str, str]]:
    return {
        (trimmed(number.value), number.unit)
        for number in find_numbers(text)
        if not number.is_year and number.kind != "identifier" and (number.unit or number.value > 31)
    }


def mentions(text: str, words: Sequence[str]) -> bool:
    """Whether a text has one of some words or phrases, whole."""
    return bool(words) and _any_of(tuple(words)).search(text) is not None


@lru_cache(maxsize=64)
def _any_of(words: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, words))})(?!\w)", re.IGNORECASE)
