"""Say `No` where a sentence denies the very thing asked: `There was no …`, `It did not approve …`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import regex

from ....text.sentences import sentences
from ....text.words import analyse
from ..asked.compound import sides_of
from ..asked.question import Question
from ..found.candidates import Candidate, index_terms
from ..found.findings import Finding
from ..found.weights import holds, holds_all
from .asserted import is_of_a_case
from .confirming import is_of_another
from .verdicts import Verdict

_FIRST = 6
_BEFORE_CHARS = 300
_NEAR_WORDS = 4
_NOT = regex.compile(
    r"\b(?:not|no|never|neither|nor|cannot|nobody)\b(?! (?:only|just|less|more|fewer|later|earlier|least|doubt|matter|"
    r"one))|n['’]t\b",
    regex.IGNORECASE,
)
_ASKS_DENIAL = regex.compile(
    r"\b(?:not|no|never|without|both|all|every|each|same|either|or)\b|n['’]t\b", regex.IGNORECASE
)
_UNSURE = regex.compile(
    r"\b(?:if|unless|except|whether|might|could|would|should|until|asked|alleged|claimed|said|unclear|expect\w*|plan\w*)\b",
    regex.IGNORECASE,
)
_NAMED = regex.compile(r"(?<=[\p{L},;:)] )\p{Lu}[\p{L}\d-]*")
_WORD = regex.compile(r"[\p{L}\d'’-]+|[,;:.()]")


def negated_verdict(question: Question, findings: Sequence[Finding]) -> Verdict | None:
    """Return `No` and the sentence that denies what is asked; None where none of the first ones does.

    A word of the question stands right behind the denial, the sentence holds at least half of the question's words and
    its surroundings the rest, and it names nothing else: of another thing it may well be true.
    """
    found = (each for each in findings[:_FIRST] if is_denied(question, each.candidate))
    return next((Verdict("No", each) for each in found), None)


def is_denied(question: Question, candidate: Candidate) -> bool:
    """Whether a sentence of a candidate denies what a question for yes or no asks."""
    if question.answer_type != "yes_no" or question.language != "en" or candidate.row is not None:
        return False
    if sides_of(question) or _ASKS_DENIAL.search(question.text):
        return False
    return any(_denies(question, candidate, *each) for each in _sentences(candidate))


def _sentences(candidate: Candidate) -> Iterator[tuple[str, str]]:
    """Yield each sentence of a candidate with what stands shortly before it."""
    text = candidate.passage.chunk.text
    for start, end in sentences(candidate.text):
        at = candidate.start + start
        yield candidate.text[start:end], text[max(at - _BEFORE_CHARS, 0) : at]


def _denies(question: Question, candidate: Candidate, sentence: str, before: str) -> bool:
    if _UNSURE.search(sentence) or is_of_another(question.text, sentence) or is_of_a_case(sentence, question):
        return False
    said = index_terms(sentence)
    held = [term for term in question.terms if holds(said, term)]
    denied = {term for word in _behind_denial(sentence) for term in analyse(word)}
    if not any(holds(denied, term) for term in question.terms if term not in question.name_terms):
        return False
    if 2 * len(held) < len(question.terms) or _names_another(question, sentence):
        return False
    around = said | candidate.context | index_terms(f"{candidate.title} {before}")
    return holds_all(around, question.terms)


def _behind_denial(sentence: str) -> Iterator[str]:
    """Yield the few words behind each denial, up to the next mark."""
    for denial in _NOT.finditer(sentence):
        for count, word in enumerate(_WORD.finditer(sentence, denial.end())):
            if count >= _NEAR_WORDS or not word.group()[0].isalnum():
                break
            yield word.group()


def _names_another(question: Question, sentence: str) -> bool:
    """Whether a sentence names what the question does not."""
    asked = frozenset(analyse(question.text))
    return any(not holds_all(asked, analyse(name)) for name in _NAMED.findall(sentence))
