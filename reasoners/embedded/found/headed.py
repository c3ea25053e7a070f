"""Sections that a question asks for: by all words of their heading's matter, or by the number that they bear."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import regex

from ....text.words import analyse
from ..asked.foreign import is_same_word, pivot_terms
from ..asked.question import Question
from ..asked.requests import asks_account
from .candidates import VERSION, Candidate, index_terms, written_terms
from .dating import stated_on
from .findings import Finding
from .weights import holds, holds_all, holds_any

# `8.4.0`, `v2.1`: what tells one section of a change log from another.
_CODE = regex.compile(r"(?<![\w.])v?(\d+(?:\.\d+)+)(?![\w]|\.\d)", regex.IGNORECASE)
_SUMMARY = regex.compile(
    r"^[#\s\d.]*(?:(?:executive |management )?summary|overview|abstract|synopsis|at a glance|in brief|zusammenfassung|"
    r"überblick|kurzfassung|résumé|synthèse|resumen|riassunto)\W*$",
    regex.IGNORECASE,
)
# In an account of the safety results `results` says no more than `account`.
_WHAT_CAME_OUT = frozenset(analyse("results findings outcome details contents facts events data information"))
_OF_A_VALUE = ("number", "date", "person", "place", "yes_no", "comparison")


def heading_of(candidate: Candidate) -> str:
    """Return the label or heading that a span stands under, empty where there is none."""
    place = candidate.heading or candidate.section
    return candidate.passage.chunk.text[slice(*place)].strip() if place else ""


def is_headed(question: Question, candidate: Candidate) -> bool:
    """Whether a span stands under a heading that names all that a question asks about, no single value."""
    if candidate.row is not None or question.answer_type in _OF_A_VALUE:
        return False
    heading = heading_of(candidate)
    if not heading:
        return False
    if asks_account(question.text):
        return _gives_account(question, candidate, heading)
    asked = _codes(question.text)
    if asked:
        return bool(asked & _codes(heading))
    headed = index_terms(heading) | pivot_terms(heading, candidate.passage)
    held = [term for term in question.terms if holds(headed, term)]
    if question.answer_type == "list" and set(analyse(heading)) <= set(question.terms):
        return bool(held)
    if not held or len(held) == len(question.terms):
        return bool(held)
    # `5 Accident` of a paper on forklifts heads what to do after an accident with a forklift.
    named = [term for term in dict.fromkeys(analyse(heading)) if not term.isdigit()]
    every = all(any(holds({term}, other) or is_same_word(other, {term}) for other in question.terms) for term in named)
    day = stated_on(candidate)
    of_the_day = day is not None and any(period.start <= day.start <= period.end for period in question.periods)
    return every and all(
        holds(candidate.context, term) or (of_the_day and term in question.period_terms) for term in question.terms
    )


def _gives_account(question: Question, candidate: Candidate, heading: str) -> bool:
    """Whether a span stands in the section of what an account is asked of, or in the summary of a paper about it."""
    wanted = [term for term in question.terms if term not in _WHAT_CAME_OUT] or question.terms
    headed = index_terms(heading)
    if _SUMMARY.match(heading):
        about = [term for term in wanted if holds(candidate.context, term)]
        return 2 * len(about) >= len(wanted) and holds_all(written_terms(candidate.passage), wanted)
    return bool(wanted) and holds_all(headed, wanted)


def names_all_asked(question: Question, candidate: Candidate) -> bool:
    """Whether the heading of a span has each word of a question, or the number asked for: prose below it is of that."""
    heading = heading_of(candidate)
    if asks_account(question.text):
        return True
    headed = index_terms(heading) | pivot_terms(heading, candidate.passage) | candidate.context
    return bool(_codes(question.text) & _codes(heading)) or holds_all(headed, question.terms)


def of_named_sections(question: Question, findings: Sequence[Finding]) -> list[Finding]:
    """Return findings without those of a source's other numbered sections, where the one asked for tells of it."""
    asked = _codes(question.text)
    if not asked:
        return list(findings)
    wanted = [term for term in question.terms if term not in VERSION and not regex.fullmatch(r"[\d.]+", term)]
    codes = {id(each): _codes(heading_of(each.candidate)) for each in findings}
    named = {
        each.candidate.uri
        for each in findings
        if codes[id(each)] & asked and (not wanted or holds_any(each.candidate.terms, wanted))
    }
    return [
        each for each in findings if each.candidate.uri not in named or not codes[id(each)] or codes[id(each)] & asked
    ]


@lru_cache(maxsize=4_096)
def _codes(text: str) -> frozenset[str]:
    return frozenset(_CODE.findall(text))
