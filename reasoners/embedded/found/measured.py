"""Whether a row of an export measures what a question wants: its table has the words of the thing asked for."""

from __future__ import annotations

from functools import lru_cache
from pathlib import PurePosixPath

from ....state.records import TableRow
from ....text.words import analyse
from ...tables.catalog import header_words
from ...tables.scope import FRAME, LOOSE, is_amount
from ..asked.initials import is_abbreviation, with_initials
from ..asked.question import Question
from .candidates import Candidate, index_terms
from .weights import holds

# `What was the removal of …` names no kind of answer.
_AMOUNTS = ("number", "explanation", "entity")
_SAME_WORDS = (
    "revenue turnover sales income receipts",
    "employees staff headcount workers people personnel",
    "cost price fee charge expense spend spent spending expenditure rent budget amount paid",
    "customers clients accounts subscribers users",
    "power electricity energy",
    "temperature heat",
)
_SAME = tuple(frozenset(analyse(words)) for words in _SAME_WORDS)


def measures(question: Question, candidate: Candidate) -> bool:
    """Whether a candidate may tell the amount asked for; all but rows of exports may."""
    if candidate.row is None or candidate.row.page is not None or question.answer_type not in _AMOUNTS:
        return True
    return has_measure(question, candidate.row, f"{candidate.title} {candidate.passage.source.title}")


def has_measure(question: Question, row: TableRow, title: str = "") -> bool:
    """Whether a row, its table and file have each word of the thing asked for, or another word for it.

    `Nitrate removal` is no removal of phosphate, and the use of electricity not its price.
    """
    if question.language != "en":
        return True
    # That money was spent, and whose it is, need not stand in a row of amounts.
    spare = LOOSE if any(is_amount(cell.header) for cell in row.cells) else frozenset[str]()
    focus = with_initials(analyse(question.focus), question.focus)
    if any(map(is_abbreviation, focus)):  # `R&D expenditure` is told as `research and development`
        focus = tuple(term for term in focus if term in question.terms)
    wanted = [term for term in focus if term not in FRAME | question.period_terms | spare and not term.isdigit()]
    own = _terms_of(row) | index_terms(title)
    glosses = dict((*question.glosses, *(pair[::-1] for pair in question.glosses)))
    return all(
        holds(own, term) or holds(own, glosses.get(term, term)) or _has_another_word(own, term) for term in wanted
    )


def _has_another_word(own: frozenset[str], term: str) -> bool:
    return any(term in words and bool(words & own) for words in _SAME)


@lru_cache(maxsize=8_192)
def _terms_of(row: TableRow) -> frozenset[str]:
    stem = header_words(PurePosixPath(row.uri).stem)
    words = " ".join(
        [row.label, row.caption, stem, *(f"{header_words(each.header)} {each.text}" for each in row.cells)]
    )
    return index_terms(words)
