"""What was asked in an interview, asked again: the reply to it answers, whatever its own words."""

from __future__ import annotations

from collections.abc import Sequence

import regex

from ....text.words import analyse
from ..asked.foreign import pivot_terms
from ..asked.question import Question
from ..asked.sayings import saying_asked
from .candidates import SAID, Candidate, context_terms, index_terms
from .findings import Finding
from .turns import Turn, described, turn_at
from .weights import holds, holds_all, holds_any

_OF_THE_QUESTION = 0.5
_TITLES = frozenset(("herr", "frau", "mr", "mrs", "ms", "dr", "prof", "madam", "monsieur"))
_FOR_ADVICE = regex.compile(
    r"\b(?:would you|should|advice|advise|recommend\p{L}*|suggest\p{L}*|würden sie|würdest du|sollte\p{L}*|raten sie|"
    r"empfehlen|feriez-vous|changeriez|conseill\p{L}+|recommand\p{L}+)\b",
    regex.IGNORECASE,
)


def replies_to(question: Question, candidate: Candidate) -> bool:
    """Whether a span stands in the reply to a question with all words of this one, half of them its own."""
    turn = _reply(candidate)
    if turn is None:
        return False
    passage = candidate.passage
    asked = _terms(candidate, *(turn.asked or (0, 0)))
    about = _speaker_terms(candidate, turn) | context_terms(passage) | SAID
    wanted = [term for term in question.terms if not holds(about, term)]
    every = holds_all(asked | about, question.terms)
    own = sum(holds(asked, term) for term in question.terms)
    return bool(wanted) and every and own >= _OF_THE_QUESTION * len(question.terms)


def of_the_reply(question: Question, findings: Sequence[Finding]) -> list[Finding]:
    """Return the findings without turns that share with the question no more than who speaks."""
    return [each for each in findings if _is_on_the_subject(question, each.candidate)]


def is_said_by(question: Question, candidate: Candidate) -> bool:
    """Whether a span stands in the turn of the one whose words a question asks for."""
    saying = saying_asked(question.text)
    turn = _reply(candidate) if saying is not None else None
    return turn is not None and saying is not None and holds_all(_speaker_terms(candidate, turn), saying.who)


def of_the_speaker(question: Question, findings: Sequence[Finding]) -> list[Finding]:
    """Keep, of a question for somebody's words, the turns of that person; of one for advice, the replies that are."""
    saying = saying_asked(question.text)
    said = [each for each in findings if is_said_by(question, each.candidate)]
    if saying is None or not said:
        return list(findings)
    advised = [each for each in said if saying.advises and _asks_for_advice(each.candidate)]
    return advised or said


def _asks_for_advice(candidate: Candidate) -> bool:
    turn = _reply(candidate)
    return bool(turn and turn.asked and _FOR_ADVICE.search(candidate.passage.chunk.text[slice(*turn.asked)]))


def _is_on_the_subject(question: Question, candidate: Candidate) -> bool:
    turn = _reply(candidate)
    if turn is None:
        return True
    about = _speaker_terms(candidate, turn) | SAID | _TITLES
    wanted = [term for term in question.terms if not holds(about, term)]
    said = _terms(candidate, turn.start, turn.end) | _terms(candidate, *(turn.asked or (0, 0)))
    return not wanted or holds_any(said, wanted)


def _reply(candidate: Candidate) -> Turn | None:
    turn = turn_at(candidate.passage.chunk.text, candidate.start) if candidate.row is None else None
    return turn if turn is not None and turn.asked is not None else None


def _speaker_terms(candidate: Candidate, turn: Turn) -> frozenset[str]:
    return frozenset(analyse(described(candidate.passage.chunk.text, turn.speaker)))


def _terms(candidate: Candidate, start: int, end: int) -> frozenset[str]:
    text = candidate.passage.chunk.text[start:end]
    return index_terms(text) | pivot_terms(text, candidate.passage)
