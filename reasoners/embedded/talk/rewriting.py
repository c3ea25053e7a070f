"""A message of a conversation as it is meant: a follow-up is completed by what was asked before it."""

from __future__ import annotations

from collections.abc import Sequence

import regex

from .follow_up import resolve_follow_up
from .forgetting import read_forgetting
from .intents import read_intents

_ASKED = ("recall", "research", "search")
# `And in 2024` without a question mark still asks.
_SWAPS = regex.compile(
    r"^(?:and|und|et|y|e|och)\s+(?:in|for|at|on|im|für|bei|en|pour|à|per|för|i)\s+[^.!]{1,40}$", regex.IGNORECASE
)


def as_asked(message: str, history: Sequence[tuple[str, str]]) -> str:
    """Return the message with what earlier questions left unsaid filled in; unchanged where it stands by itself.

    Args:
        history: Earlier messages as (role, text), oldest first; only what the user asked counts.
    """
    text = message.strip()
    kind = read_intents(text)[0].kind
    if kind != "recall" and not (kind == "none" and _SWAPS.match(text)):
        return text
    asked: list[tuple[str, str]] = []
    for role, said in history:
        if role == "user" and (question := _question_of(said)):
            asked.append(("user", resolve_follow_up(question, asked)))
    return resolve_follow_up(text, asked)


def _question_of(said: str) -> str:
    """Return what a message asks, without the words that order it to be looked up; empty where it asks nothing."""
    if read_forgetting(said):
        return ""
    intents = read_intents(said)
    first = intents[0]
    if first.kind in ("research", "search"):
        return first.text
    swaps = first.kind == "none" and _SWAPS.match(said.strip())
    return said.strip() if first.kind in _ASKED or swaps else ""
