"""Whether a memory bears on a question: the nearest one is always found, and is often about something else."""

from __future__ import annotations

from collections.abc import Sequence

import regex

from ..text.words import STOP_WORDS, content_words, stem

# Below the one no meaning is shared; above the other it is, whatever the words.
MIN_COSINE = 0.22
SURE_COSINE = 0.55
MIN_COVERED = 0.3

_NAME = regex.compile(r"(?<![.?!]\s)(?<!^)\b\p{Lu}[\p{L}\p{N}-]+")
# A turn of a recorded conversation: `Ann: words`.
_SPEAKER = regex.compile(r"^(\p{Lu}[\p{L}-]+(?: \p{Lu}[\p{L}-]+)?): ")
_NUMBER = regex.compile(r"\d[\d.,]*\d|\d")
# Words that a question about memories is made of and that say nothing of its subject.
_FRAME = frozenset(
    stem(word)
    for word in [
        *("remember", "recall", "remind", "tell", "know", "say", "said", "mention", "detail", "details", "name"),
        *("give", "show", "list", "find", "search", "memory", "memories", "thing", "anything", "something", "please"),
        *("also", "kind", "type", "many", "much", "user", "use", "used", "using", "one", "get", "got"),
    ]
)


def question_stems(question: str) -> set[str]:
    """Return the stems of the words that say what a question is about."""
    return {stem(word) for word in content_words(question)} - _FRAME


def bearing(question: str, found: Sequence[tuple[str, float | None]]) -> list[int]:
    """Return which of the memories found for a question are about what it asks, by their places.

    None is where the closest one is what somebody else said than the person asked about: the question takes one
    person for another, and what comes further down would only make that look answered.

    Args:
        found: Text and cosine of each, best first.
    """
    speakers = [match[1] if (match := _SPEAKER.match(text)) else "" for text, _ in found]
    asked_about = {name for name in speakers if name and regex.search(rf"\b{regex.escape(name)}\b", question)}
    if asked_about and speakers[0] and speakers[0] not in asked_about:
        return []
    return [place for place, (text, cosine) in enumerate(found) if bears_on(question, text, cosine)]


def bears_on(question: str, text: str, cosine: float | None) -> bool:
    """Whether a memory found for a question is about what it asks.

    Args:
        question: One question.
        text: The memory's words.
        cosine: Of their vectors; None where meaning was not searched.
    """
    asked, known = question_stems(question), {stem(word) for word in content_words(text)}
    numbers = {number.strip(".,") for number in _NUMBER.findall(question)}
    if numbers and numbers.isdisjoint(number.strip(".,") for number in _NUMBER.findall(text)):
        return False
    names = {name for name in _NAME.findall(question) if name.casefold() not in STOP_WORDS}
    missing = {name for name in names if not known.issuperset(stem(word) for word in content_words(name))}
    # A question about one person is not answered by what is known of another.
    if names and missing == names and _NAME.search(f"x {text}"):
        return False
    if not asked:
        return bool(cosine and cosine >= SURE_COSINE)
    covered = len(asked & known) / len(asked)
    if cosine is None:
        return covered >= MIN_COVERED
    return cosine >= SURE_COSINE or (cosine >= MIN_COSINE and covered >= MIN_COVERED)
