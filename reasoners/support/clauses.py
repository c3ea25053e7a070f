"""Cut a claim into the clauses that must each be supported."""

from __future__ import annotations

from functools import lru_cache

import regex

from ...text.sentences import sentences

_JOINT = regex.compile(
    r"\s*(?:[;:]\s+|\s[–—-]\s|,\s+(?:and|but|while|whereas|although|though|which|who|where|when|so|yet|or)\b"
    r"|\s(?:while|whereas|although|though|but|because)\b|\s(?:and)\s(?=(?:\w+\s){0,3}(?:is|are|was|were|has|have|had|will|can|rose|fell|did)\b))",
    regex.IGNORECASE,
)
_MIN_WORDS = 3


@lru_cache(maxsize=4_096)
def clauses(text: str) -> tuple[tuple[int, int], ...]:
    """Return the clauses of a claim as (start, end) spans in order; pieces of fewer than three words stay joined."""
    spans: list[tuple[int, int]] = []
    for start, end in sentences(text):
        begin = start
        for joint in _JOINT.finditer(text, start, end):
            if (
                len(text[begin : joint.start()].split()) >= _MIN_WORDS
                and len(text[joint.end() : end].split()) >= _MIN_WORDS
            ):
                spans.append((begin, joint.start()))
                begin = joint.start() + len(joint.group()) - len(joint.group().lstrip(" ,;:–—-"))
        if text[begin:end].strip():
            spans.append((begin, end))
    return tuple(spans)
