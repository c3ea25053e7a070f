"""Bring a query into a form that a search provider takes, its operators kept."""

from __future__ import annotations

import re

from ..text.words import STOP_WORDS

MAX_QUERY_CHARS = 400

# `site:x`, `-word`, `-site:x` and "a phrase": what narrows a search, and what a user would miss most.
_OPERATOR = re.compile(r'(?<!\S)-?(?:[a-z]+:[^\s"]+|"[^"]+")(?!\S)|(?<!\S)-[^\W\d_][\w.-]*(?!\S)', re.I)
_SITE = re.compile(r"(?<!\S)site:([^\s/]+)\S*", re.I)


def fit_query(query: str, limit: int = MAX_QUERY_CHARS) -> str:
    """Return a query of at most `limit` characters, "" where it holds no word.

    Operators stay whole and go first to the count; of the other words repeats go first, then stop words, then words
    from the front, since a long question gives its background first and asks at its end.
    """
    query = " ".join("".join(char if char.isprintable() else " " for char in query).split())
    if not re.search(r"\w", query):
        return ""
    if len(query) <= limit:
        return query
    operators = list(dict.fromkeys(match.group() for match in _OPERATOR.finditer(query)))
    kept: list[str] = []
    for operator in operators:
        if len(" ".join([*kept, operator])) <= limit:
            kept.append(operator)
    words = list(dict.fromkeys(word for word in _OPERATOR.sub(" ", query).split() if re.search(r"\w", word)))
    room = limit - len(" ".join(kept)) - (1 if kept else 0)
    if _length(words) > room:
        distinct = {_bare(word): word for word in reversed(words)}
        words = [word for word in words if distinct.get(_bare(word)) == word]
    if _length(words) > room:
        words = [word for word in words if _bare(word) not in STOP_WORDS]
    while words and _length(words) > room:
        words.pop(0)
    return " ".join([*words, *kept]) or query[:limit]


def sites_of(query: str) -> tuple[str, ...]:
    """Return the domains that `site:` operators of a query name."""
    return tuple(dict.fromkeys(match.group(1).lower() for match in _SITE.finditer(query)))


def _length(words: list[str]) -> int:
    return len(" ".join(words))


def _bare(word: str) -> str:
    return re.sub(r"\W+", "", word).casefold()
