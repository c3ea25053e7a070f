"""When two memories say the same thing, and when a newer one replaces an older one."""

from __future__ import annotations

import difflib
from functools import lru_cache

import regex

from ..text.words import STOP_WORDS, analyse, content_words, stem
from .memory_states import state_of

SAME_COSINE = 0.92
_MIN_SPELLING_RATIO = 0.85
_MIN_SPELLING_CHARS = 5

_NEGATION = regex.compile(r"\b(?:not|no|never|none|without|nicht|kein\w*|nie|pas|jamais|sin|nunca)\b|n['’]t\b")
_WORD = regex.compile(r"[\p{L}\p{M}\p{N}]+")
# With one of these a sentence means another thing on another day.
_MOVING_TIME = frozenset(
    [
        *("today", "yesterday", "tomorrow", "tonight", "morning", "now", "just", "recently", "lately", "currently"),
        *("ago", "last", "next", "this", "soon"),
    ]
)
_VERB = r"(?:is|was|will be|becomes|became|changed to|changes to|moved to|moves to|equals|:|=)"
_NAME = r"[\p{L}\p{N}][\p{L}\p{N}.\-]*(?: [\p{L}\p{N}][\p{L}\p{N}.\-]*){0,3}?"
_OWNED = regex.compile(rf"^(?P<owner>{_NAME})['’]s (?P<attribute>{_NAME}) (?:now )?{_VERB} (?P<value>.+)$", regex.I)
_OWN = regex.compile(rf"^(?P<owner>my|our) (?P<attribute>{_NAME}) (?:now )?{_VERB} (?P<value>.+)$", regex.I)
_OF = regex.compile(
    rf"^(?:the )?(?P<attribute>{_NAME}) (?:of|for) (?:the )?(?P<owner>{_NAME}) (?:now )?{_VERB} (?P<value>.+)$", regex.I
)
_CHANGE = regex.compile(
    rf"^(?:the |our )?(?P<attribute>{_NAME})(?: of (?:the )?(?P<owner>{_NAME}))? "
    r"chang(?:es|ed) from .+ to (?P<value>.+)$",
    regex.I,
)
_ONE_OF_MANY = regex.compile(r"\b(?:also|another|too|as well|one of|among)\b", regex.I)
# One has several of these at a time, so that a second one closes nothing.
_SEVERAL = frozenset(
    [
        *("friend", "colleague", "brother", "sister", "child", "son", "daughter", "cousin", "pet", "hobby", "skill"),
        *("book", "film", "movie", "song", "idea", "task", "note", "goal", "member", "customer", "client"),
    ]
)


@lru_cache(maxsize=8)  # asked twice while a memory is stored
def fingerprint(text: str) -> str:
    """Return what two texts share when they differ in case, accents, punctuation and stop words only."""
    negations = len(_NEGATION.findall(text.casefold()))
    words = analyse(text) or _WORD.findall(text.casefold())
    return f"{negations}|{' '.join(words)}" if words else text.strip()


def same_statement(new: str, old: str) -> bool:
    """Whether a text close to an older one adds nothing to it: its numbers and negations, and no word of its own.

    A word that differs by spelling alone (`favourite`, `favorite`) is no word of its own.
    """
    if len(_NEGATION.findall(new.casefold())) != len(_NEGATION.findall(old.casefold())):
        return False
    words, known = content_words(new), content_words(old)
    if [word for word in words if _has_digit(word)] != [word for word in known if _has_digit(word)]:
        return False
    stems = {stem(word) for word in known}
    for word in words:
        if stem(word) in stems:
            continue
        if len(word) < _MIN_SPELLING_CHARS or not any(_spelt_alike(word, other) for other in known):
            return False
    # `A beat B` and `B beat A` share their words: the common ones must come in the same order.
    mine = [stem(word) for word in words if stem(word) in stems]
    return _is_subsequence(mine, [stem(word) for word in known])


def depends_on_its_day(text: str) -> bool:
    """Whether the text means another thing when it is said on another day."""
    return not _MOVING_TIME.isdisjoint(_WORD.findall(text.casefold()))


@lru_cache(maxsize=8)
def subject_of(text: str) -> str:
    """Return what a statement of one value is about (`Ann's office is room 5`: ann, office), or ""."""
    sentence = " ".join(text.split()).rstrip(".!")
    if _ONE_OF_MANY.search(sentence):
        return ""
    if told := state_of(sentence):
        # `my` and `the` are no content words, and `my sister` is another one than `her sister`.
        of = [stem(word) for word in _WORD.findall(told[0].casefold()) if word not in ("the", "s")]
        return f"{' '.join(of)}|{' '.join(stem(word) for word in content_words(told[1]))}" if of else ""
    for pattern in (_CHANGE, _OWN, _OWNED, _OF):
        if match := pattern.match(sentence):
            attribute = [stem(word) for word in content_words(match["attribute"])]
            if not attribute or attribute[-1] in _SEVERAL_STEMS:
                return ""
            owner = [stem(word) for word in content_words(match["owner"] or "")] or [(match["owner"] or "").lower()]
            return f"{' '.join(owner)}|{' '.join(attribute)}"
    return ""


_SEVERAL_STEMS = frozenset(stem(word) for word in _SEVERAL)


def _has_digit(word: str) -> bool:
    return any(char.isdigit() for char in word)


def _spelt_alike(word: str, other: str) -> bool:
    return (
        word not in STOP_WORDS
        and word[0] == other[0]
        and difflib.SequenceMatcher(None, word, other).ratio() >= _MIN_SPELLING_RATIO
    )


def _is_subsequence(part: list[str], whole: list[str]) -> bool:
    rest = iter(whole)
    return all(word in rest for word in part)
