"""Words of everyday English that stand for each other: `warranty` and `guarantee`, `intensive care` and `ICU`."""

from __future__ import annotations

from functools import cache, lru_cache
from importlib.resources import files

import regex

from .words import analyse

_WORD = regex.compile(r"[\p{L}\p{N}&'’]+")


@lru_cache(maxsize=16_384)
def everyday_terms(term: str) -> frozenset[str]:
    """Return the index terms of other single words that may stand for an index term."""
    return _others().get(term, frozenset())


@lru_cache(maxsize=4_096)
def in_everyday_words(text: str) -> str:
    """Return a text with its everyday phrases (`down tools`) as the one word that each stands for (`suspend`)."""
    found: str = _phrases().sub(lambda match: _word_of()[_folded(match.group())], text)
    return found


@lru_cache(maxsize=16_384)
def phrase_terms(text: str) -> frozenset[str]:
    """Return the index terms of the words that the everyday phrases of a text stand for."""
    # Looked up by their first words: six times as fast as one pattern of all phrases.
    words = _WORD.findall(text.casefold())
    found = {
        stands_for
        for at, word in enumerate(words)
        for phrase, stands_for in _by_first_word().get(word, ())
        if words[at : at + len(phrase)] == phrase
    }
    return frozenset(term for word in found for term in analyse(word))


@cache
def _lines() -> list[list[str]]:
    table = (files(__package__) / "data" / "everyday.txt").read_text(encoding="utf-8")
    lines = (line for line in table.splitlines() if line and line[0] != "#")
    return [[word.strip() for word in line.split("|")] for line in lines]


@cache
def _others() -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for words in _lines():
        terms = frozenset(term for word in words if not _is_phrase(word) for term in analyse(word))
        for term in terms:
            found[term] = found.get(term, frozenset()) | terms - {term}
    return found


@cache
def _word_of() -> dict[str, str]:
    found: dict[str, str] = {}
    for first, *others in _lines():
        for phrase in (first, *others):
            if _is_phrase(phrase):
                found.setdefault(_folded(phrase), first)
    return {phrase: word for phrase, word in found.items() if phrase != _folded(word)}


@cache
def _by_first_word() -> dict[str, list[tuple[list[str], str]]]:
    found: dict[str, list[tuple[list[str], str]]] = {}
    for phrase, stands_for in _word_of().items():
        words = _WORD.findall(phrase)
        found.setdefault(words[0], []).append((words, stands_for))
    return found


@cache
def _phrases() -> regex.Pattern[str]:
    phrases = sorted(_word_of(), key=len, reverse=True)
    spelled = "|".join(regex.escape(phrase).replace(r"\ ", r"[\s-]+") for phrase in phrases)
    return regex.compile(rf"(?<![\w-])(?:{spelled})(?![\w-])", regex.IGNORECASE)


def _is_phrase(word: str) -> bool:
    return " " in word or "-" in word or "&" in word


def _folded(phrase: str) -> str:
    return " ".join(regex.split(r"[\s-]+", phrase.casefold()))
