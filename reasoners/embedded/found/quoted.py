"""What a reply quotes of the one who asked, `> May we …?`: no statement, but what the words below it are about."""

from __future__ import annotations

import regex

_LINES = regex.compile(
    r"(?m)(?:^[^\n]*\b(?:wrote|writes|schrieb|a écrit|escribió|ha scritto)\s?:\s*\n)?(?:^[ \t]*>[^\n]*\n?)+"
)
_ASKS = regex.compile(r"[?？]")
_BELOW = regex.compile(r"\s*(?:[^\n>]+(?:\n|$))+")


def questions_quoted(text: str) -> list[tuple[int, int]]:
    """Return the places of quoted lines that hold a question, each with the line that says who wrote them."""
    return [match.span() for match in _LINES.finditer(text) if _ASKS.search(match.group())] if ">" in text else []


def replied_to(text: str, start: int) -> str:
    """Return the quoted question right above the paragraph in which a place stands; empty where there is none."""
    for first, end in questions_quoted(text):
        below = _BELOW.match(text, end)
        if below is not None and below.start() <= start < below.end():
            return text[first:end]
    return ""
