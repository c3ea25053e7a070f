"""Sections that a question asks for: by all words of their heading's matter, or by the number that they bear."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import regex

from ....text.words import analyse
from ..asked.foreign import is_same_word, pivot_terms
from ..asked.question import Question
from .candidates import VERSION, Candidate, index_terms
from .findings import Finding
from .weights import holds, holds_all, holds_any

# `8.4.0`, `v2.1`: what tells one section of a change log from another.
_CODE = regex.compile(r"(?<![\w.])v?(\d+(?:\.\d+)+)(?![\w]|\.\d)", regex.IGNORECASE)
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
    every = all(any(term == other or is_same_word(other, {term}) for other in question.terms) for term in named)
    return every and holds_all(candidate.context, question.terms)


def names_all_asked(question: Question, candidate: Candidate) -> bool:
    """Whether the heading of a span has each word of a question, or the number asked for: prose below it is of that."""
    heading = heading_of(candidate)
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
