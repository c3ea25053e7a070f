"""What a request for a memo names: the topics that are asked for, before the questions that fit any company."""

from __future__ import annotations

import regex

from ...text.words import content_words, stem

MAX_TOPICS = 6
MAX_TOPIC_WORDS = 5

_LISTS = regex.compile(
    r"(?::|\b(?:covering|covers|cover|including|includes|addressing|focus(?:ed|ing)? on|looking at|with sections on|"
    r"with a section on|on the topics of|in terms of|with regard to|regarding)\b)\s*(?P<topics>[^:?]+)",
    regex.IGNORECASE,
)
_PARTS = regex.compile(r"\s*(?:[,;/&]|\band\b|\bor\b|\bas well as\b|\bplus\b)\s*", regex.IGNORECASE)
_LEAD = regex.compile(r"^(?:(?:the|its|their|our|any|all|main|key|current|both)\s+)+", regex.IGNORECASE)
# What the register and the lists of a run hold already.
_REGISTER = frozenset(
    stem(word) for word in ("risk", "risks", "flags", "red", "questions", "open", "contradiction", "contradictions")
)


def topics_of(request: str) -> tuple[str, ...]:
    """Return the topics that a request lists, in order: `a memo on X: revenue, debt and its network` has three."""
    match = _LISTS.search(request)
    if match is None:
        return ()
    found: dict[str, str] = {}
    for part in _PARTS.split(match["topics"].strip().rstrip(".!")):
        topic = _LEAD.sub("", part.strip())
        stems = topic_stems(topic)
        if stems and len(topic.split()) <= MAX_TOPIC_WORDS and not stems <= _REGISTER:
            found.setdefault(topic.casefold(), topic)
    return tuple(found.values())[:MAX_TOPICS]


def topic_stems(text: str) -> frozenset[str]:
    """Return the stems of the words that say what a text is about."""
    return frozenset(stem(word) for word in content_words(text))
