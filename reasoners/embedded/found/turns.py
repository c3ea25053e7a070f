"""The turns of an interview, a hearing or a list of questions and answers: who speaks, what was asked, what is said."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import regex

from .fragments import is_letterhead

_OPENS = regex.compile(
    r"^[ \t]*(?:[-*•>]\s+)?\*{0,2}(?P<speaker>(?:(?:Dr|Prof|Mr|Mrs|Ms|Cllr|Herr|Frau|Mme|M)\.?\s)?"
    r"(?:\p{Lu}[\p{L}.'’-]*)(?:\s\p{Lu}[\p{L}.'’-]*){0,3})(?:\s\([^()\n]{2,40}\))?\*{0,2}:\*{0,2}[ \t]+(?=\S)",
    regex.MULTILINE,
)
_ASKS = regex.compile(r"[?？][\"'”’»)*]*\s*$")
_HEADING = regex.compile(r"\n\s*#{1,6}\s|\n\s*\n\s*(?=[\[(—–*-])")
_LEAST_TURNS = 2
_HEAD_CHARS = 800
_DESCRIBED_CHARS = 80


@dataclass(frozen=True)
class Turn:
    """What one person says until another one speaks.

    Attributes:
        speaker: As the text labels it.
        start: First character of the label; end: one past the last of what is said.
        words: First character of what is said.
        asked: Where the question stands that it replies to; None where it replies to none.
        asks: Whether it ends in a question.
    """

    speaker: str
    start: int
    words: int
    end: int
    asked: tuple[int, int] | None
    asks: bool


@lru_cache(maxsize=1_024)
def turns_of(text: str) -> tuple[Turn, ...]:
    """Return the turns of a text in order; none unless somebody asks and somebody else replies."""
    opened = [match for match in _OPENS.finditer(text) if not is_letterhead(match.group().strip())]
    found: list[Turn] = []
    for place, match in enumerate(opened):
        end = opened[place + 1].start() if place + 1 < len(opened) else len(text)
        if (heading := _HEADING.search(text, match.end(), end)) is not None:
            end = heading.start()
        said = text[match.end() : end].rstrip()
        before = found[-1] if found else None
        replies = before is not None and before.asks and before.speaker != match["speaker"]
        found.append(
            Turn(
                speaker=match["speaker"],
                start=match.start("speaker"),
                words=match.end(),
                end=match.end() + len(said),
                asked=(before.words, before.end) if replies and before else None,
                asks=bool(_ASKS.search(said)),
            )
        )
    return tuple(found) if len(found) >= _LEAST_TURNS and any(turn.asked for turn in found) else ()


def turn_at(text: str, start: int) -> Turn | None:
    """Return the turn that a character of a text stands in."""
    return next((turn for turn in turns_of(text) if turn.start <= start < turn.end), None)


@lru_cache(maxsize=4_096)
def described(text: str, speaker: str) -> str:
    """Return what the lines above the first turn say of a speaker: the name with the words behind it."""
    turns = turns_of(text)
    surname = speaker.split()[-1]
    if not turns or len(surname) < 2:
        return speaker
    head = text[: turns[0].start][:_HEAD_CHARS]
    told = regex.search(
        rf"[^.;:\n]{{0,30}}\b{regex.escape(surname)}\b[^.;:\n]{{0,{_DESCRIBED_CHARS}}}", head, regex.IGNORECASE
    )
    others = {turn.speaker.split()[-1].casefold() for turn in turns} - {surname.casefold()}
    words = told.group() if told else ""
    for other in others:
        words = regex.sub(rf"\b{regex.escape(other)}\b.*", "", words, flags=regex.IGNORECASE)
    return f"{speaker} {words}".strip()
