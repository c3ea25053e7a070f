"""What states the thing asked for, `The primary endpoint is …`, beside what only mentions it."""

from __future__ import annotations

from functools import lru_cache

import regex

from ....text.words import analyse, line_words
from ..asked.question import Question
from .candidates import Candidate

_KINDS = frozenset(["entity", "number", "definition", "date", "person", "place", "explanation", "list"])
# Of `which ship` the focus is only a kind.
_ASKS_WHAT = regex.compile(
    r"^\W*(?:(?:what|who|wie hoch|was|quel(?:le)?s?|cu[aá]l(?:es)?|qual[ei]?)"
    r"(?:['’]s| (?:is|are|was|were|ist|sind|war|waren|est|sont|était|es|son|era|è|sono))|what does|define)\b",
    regex.IGNORECASE,
)
_IS = (
    r"(?:is|are|was|were|means|remains?|amounts? to|amounted to|equals|refers to|consists? of|comprises?|lautet|ist|"
    r"sind|war|beträgt|betrug|est|sont|était|es|son|era|è|sono)"
)
# What is said of a thing without saying what it is.
_NOT_STATED = (
    r"(?:unchanged|met|missed|reached|achieved|the same|also|still|not|no longer|never|subject|described|set out|given|"
    r"shown|defined (?:in|below|above)|discussed|attached|available|unknown|open|under|being|to be|expected to|changed|"
    r"unverändert|nicht|inchangée?|pas|approved|reviewed|confirmed|important|likely|based on)\b"
)


def states_focus(question: Question, candidate: Candidate) -> bool:
    """Whether a sentence says what the thing asked for is: the focus as subject, a copula, and what it is."""
    pattern = _statement_of(question)
    return pattern is not None and candidate.row is None and pattern.search(candidate.text) is not None


@lru_cache(maxsize=1_024)
def _statement_of(question: Question) -> regex.Pattern[str] | None:
    words = [word for word in line_words(question.focus) if analyse(word)]
    if question.answer_type not in _KINDS or not words or not _ASKS_WHAT.match(question.text):
        return None
    focus = r"\W+(?:\w+\W+)?".join(map(regex.escape, words))
    within = r"(?: (?:of|for|in|under|at|to|von|der|des|für|im|du|de|des|della?)(?: [\w’'.-]+){1,6}?)?"
    return regex.compile(rf"\b{focus}s?{within}(?: \([^)]*\))?(?::| {_IS}) (?!{_NOT_STATED})", regex.IGNORECASE)
