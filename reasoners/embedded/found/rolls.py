"""Lines that only say who was present, who spoke with whom and when: they head minutes and interviews."""

from __future__ import annotations

from functools import lru_cache

import regex

from ....text.sentences import sentences
from ..asked.posts import post_asked
from ..asked.question import Question
from .candidates import Candidate
from .fragments import has_verb
from .turns import turns_of

_PRESENT = (
    r"(?:(?:also |those |members? |directors? )?present(?: at the meeting)?|in attendance|attendance|attendees|"
    r"attending|participants?|apologies(?: for absence)?|absent|excused|by (?:video|phone|telephone)|"
    r"anwesend(?:e|heit)?|teilnehmer(?:innen)?|teilnehmende|entschuldigt|abwesend|gäste|"
    r"(?:étaient )?présente?s?|absente?s?|excusée?s?|participant(?:e?s)?|asistentes|presentes|ausentes|presenti)"
)
_OPENS = regex.compile(
    rf"^[ \t]*(?:[-*•]\s+)?\*{{0,2}}{_PRESENT}\*{{0,2}}\s*(?::|\.(?=[ \t]\p{{Lu}}))", regex.IGNORECASE | regex.MULTILINE
)
_OF_A_TALK = regex.compile(
    r"\b(?:interview\p{L}*|transcript|conversation|expert call|call with|hearing|talk with|questions by|asked by|"
    r"gespräch|protokoll|entretien|propos recueillis|entrevista)\b",
    regex.IGNORECASE,
)
_ASKS_WHO_WAS_THERE = regex.compile(
    r"\b(?:present|presence|attend\p{L}*|absen\p{L}+|apolog\p{L}+|participa\p{L}+|took part|takes part|at the meeting|"
    r"members?|interview\p{L}*|conducted|spoke with|anwesend\p{L}*|teilnehm\p{L}*|teilgenommen|nahm\p{L}*|entschuldigt|"
    r"gäste|dabei|mitglied\p{L}*|gespräch|présent\p{L}*|assist\p{L}*|membres?|entretien)\b",
    regex.IGNORECASE,
)


def is_roll(candidate: Candidate) -> bool:
    """Whether a span stands in a list of those present, or above the first turn of an interview without a verb."""
    text = candidate.passage.chunk.text
    if candidate.row is not None:
        return False
    return any(start <= candidate.start < end for start, end in _rolls(text))


def asks_who_was_there(question: Question) -> bool:
    """Whether a question is about those present, one who holds a post among them, or about the interview itself."""
    return asks_of_presence(question) or post_asked(question.text) is not None


def asks_of_presence(question: Question) -> bool:
    """Whether a question is about those present or absent, or about an interview itself."""
    return bool(_ASKS_WHO_WAS_THERE.search(question.text))


@lru_cache(maxsize=1_024)
def _rolls(text: str) -> tuple[tuple[int, int], ...]:
    """Return where lists of those present stand, each to the end of its paragraph, and the head of an interview."""
    found = []
    for match in _OPENS.finditer(text):
        end = text.find("\n", match.end())
        found.append((match.start(), end if end >= 0 else len(text)))
    turns = turns_of(text)
    if turns:
        head = [
            (start, end)
            for start, end in sentences(text[: turns[0].start])
            if not has_verb(text[start:end]) or _OF_A_TALK.search(text[start:end])
        ]
        found += head if turns[0].start < _HEAD_CHARS else head[:0]
    return tuple(found)


_HEAD_CHARS = 900
