"""Who wrote a letter or a mail: the sender of its letterhead, else the name below its closing words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import regex

from ....state.records import Quote
from ....text.words import analyse
from ...protocol import Passage
from ..asked.question import Question
from .candidates import Candidate, passage_terms
from .findings import Finding
from .weights import holds_all

_ASKED = regex.compile(
    r"^\W*(?:who (?:wrote|sent|signed|has written|has sent)|from whom|who is the (?:author|sender|writer) of|"
    r"wer (?:hat|schrieb|schickte)\b.*|qui a (?:écrit|envoyé|signé)|quién (?:escribió|envió|firmó))\b",
    regex.IGNORECASE,
)
# What a message is called says nothing of what it tells.
_MESSAGE_WORDS = """
    wrote write written sent send signed sign letter mail email e-mail message note about regarding concerning brief
    geschrieben geschickt lettre courriel courrier écrit envoyé carta correo escribió envió author sender writer"""
_MESSAGE = frozenset(analyse(_MESSAGE_WORDS)) | frozenset(_MESSAGE_WORDS.split())
_FROM = regex.compile(r"^(?:From|Von|De|Da):\s*(?P<name>[^\n<]{2,60}?)\s*(?:<[^\n>]*>)?\s*$", regex.MULTILINE)
_CLOSING = regex.compile(
    r"^(?:(?:yours|kind|best|warm|with (?:kind|best)) ?\p{L}*(?: \p{L}+)?|sincerely(?: yours)?|regards|love|cheers|"
    r"mit (?:freundlichen|besten|herzlichen) grüßen|viele grüße|liebe grüße|cordialement|bien à vous|"
    r"(?:saludos|atentamente|un saludo)(?: \p{L}+)?|cordiali saluti),?\s*\n+\s*(?P<name>\p{Lu}[^\n,]{1,50})",
    regex.IGNORECASE | regex.MULTILINE,
)


def sender_told(question: Question, findings: Sequence[Finding]) -> tuple[str, Quote] | None:
    """Return the line that names who wrote the message asked for, and its place; None where none is meant clearly.

    It holds, in one passage that something was found in, all that the question tells of it; several such messages are
    of one sender.
    """
    meant = _meant(question, {each.candidate.chunk_id: each.candidate.passage for each in findings})
    if len({passage.chunk.text[slice(*place)] for passage, place in meant}) != 1:
        return None
    passage, (start, end) = meant[0]
    text = passage.chunk.text[start:end]
    return " ".join(text.split()), Quote(chunk_id=passage.chunk.chunk_id, start=start, end=end, text=text)


def is_of_a_message(question: Question, spans: Sequence[Candidate]) -> bool:
    """Whether a question asks who wrote a message, and a passage that something was found in is one."""
    return bool(_meant(question, {span.chunk_id: span.passage for span in spans}))


def _meant(question: Question, passages: Mapping[str, Passage]) -> list[tuple[Passage, tuple[int, int]]]:
    asked = [term for term in question.terms if term not in _MESSAGE] if _ASKED.match(question.text) else []
    return [
        (passage, place)
        for passage in passages.values()
        if asked and holds_all(passage_terms(passage), asked) and (place := _sender_in(passage)) is not None
    ]


def _sender_in(passage: Passage) -> tuple[int, int] | None:
    """Return where a passage names its sender: its first line `From: …`, else the last closing with a name below."""
    text = passage.chunk.text
    head = _FROM.search(text)
    if head is not None:
        return head.start(), head.end()
    closings = list(_CLOSING.finditer(text))
    return (closings[-1].start(), closings[-1].end()) if closings else None
