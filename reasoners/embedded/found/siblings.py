"""Leave out what a passage tells of something beside the thing asked for: of the outbound flight, not the return."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import regex

from ....text.words import analyse
from ..asked.question import Question
from .candidates import Candidate, index_terms, passage_terms
from .findings import Finding
from .needed import words_needed
from .weights import holds

_VAGUE = regex.compile(
    r"^(?:he|she|it|they|his|her|its|their|this|these|that|those|there|the (?:same|latter|figure|amount|sum|price))\b",
    regex.IGNORECASE,
)
_FIGURE_FOR = r"\b(?:figure|number|value|share|rate|amount|price|fee|one|that) (?:for|of) (?:the )?(?P<what>[\p{L}-]+)"


def of_the_thing(question: Question, findings: Sequence[Finding]) -> list[Finding]:
    """Return findings without those about something that their own passage tells from the thing asked for.

    It does so where it has the thing's attribute elsewhere (`the return flight`) and the sentence only its noun
    (`flight KV 101`), or a sentence with `the figure for` the thing.  One is left out only where another finding has
    the word and a value; a sentence that goes on with `it` is about whatever was named before.
    """
    if question.answer_type not in ("number", "date"):
        return list(findings)
    return [each for each in findings if not _is_of_a_sibling(question, each, findings)]


def _is_of_a_sibling(question: Question, finding: Finding, findings: Sequence[Finding]) -> bool:
    candidate = finding.candidate
    if candidate.row is not None or finding.scored.kind <= 0 or _VAGUE.match(candidate.text):
        return False
    known = candidate.known
    missing = [
        term
        for term in words_needed(question)
        if not holds(known, term) and holds(passage_terms(candidate.passage), term)
    ]
    return any(
        _tells_instead(question, other, finding, term)
        for term in missing
        for other in findings
        if other is not finding and other.scored.kind >= finding.scored.kind and holds(other.candidate.terms, term)
    )


def _tells_instead(question: Question, other: Finding, finding: Finding, term: str) -> bool:
    one, two = finding.candidate, other.candidate
    if two.chunk_id == one.chunk_id and _is_figure_for(two, term):
        return True
    noun = _noun_of(question, term)
    if not noun or not holds(one.terms, noun) or not _stand_together(one.passage.chunk.text, term, noun):
        return False
    return holds(two.known, noun)


def _is_figure_for(candidate: Candidate, thing: str) -> bool:
    """Whether a sentence says `the figure for …` of a thing."""
    told = regex.finditer(_FIGURE_FOR, candidate.text, regex.IGNORECASE)
    return any(holds(index_terms(match["what"]), thing) for match in told)


def _noun_of(question: Question, term: str) -> str:
    """Return the index term of the word right behind one that a question has in small letters; empty where none is."""
    words = question.text.split()
    for word, after in pairwise(words):
        if word.islower() and term in analyse(word):
            return next(iter(analyse(after)), "")
    return ""


def _stand_together(text: str, term: str, noun: str) -> bool:
    return any(term in analyse(word) and noun in analyse(after) for word, after in pairwise(text.split()))
