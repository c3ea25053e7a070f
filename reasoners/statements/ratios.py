"""One item of statements as a share of another, where a question names both: no definition has to foresee the pair."""

from __future__ import annotations

import re
from collections.abc import Callable

from .measures import Item, Measure, definitions

_SHARE = r"(?:%|per ?cent(?:age)?|share|proportion|fraction|portion)"
_TAKES = r"(?:is|are|was|were|went to|goes to|do|does|did|came from|comes from|consist(?:s|ed) of|represent\w*)"
# How a question names a part and its whole, the unit of the answer, and how the answer names it.
_ASKED = tuple(
    (re.compile(pattern, re.IGNORECASE), unit, words)
    for pattern, unit, words in (
        (rf"\b(?:what|which) {_SHARE} of (?P<whole>.+?) {_TAKES} (?P<part>.+)", "%", "as a share of"),
        (rf"(?P<part>.+?),? (?:expressed )?(?:as|in) (?:a |an )?{_SHARE} of (?P<whole>.+)", "%", "as a share of"),
        (r"(?P<part>.+?)(?:\s?/\s?|,? divided by |,? relative to )(?P<whole>.+)", "%", "as a share of"),
        (r"\bratio (?:of|between) (?P<part>.+?) (?:to|and|over) (?P<whole>.+)", "x", "to"),
        (r"(?P<part>.+?)[- ]to[- ](?P<whole>.+?)[- ]ratio\b", "x", "to"),
    )
)


def ratio_asked(question: str, is_about: Callable[[str, tuple[Item, ...]], bool]) -> Measure | None:
    """Return the share or the ratio that a question asks for; None where it does not name one item on each side.

    Args:
        is_about: Whether a part of the question is about an item, rather than about a part of it.
    """
    for pattern, unit, words in _ASKED:
        match = pattern.search(question)
        if match is None:
            continue
        sides = [(match[name], definitions().items_in(match[name])) for name in ("part", "whole")]
        if all(len(items) == 1 and is_about(text, items) for text, items in sides):
            (part,), (whole,) = (items for _, items in sides)
            if part is not whole:
                return Measure(f"{part.name} {words} {whole.name}", pattern, unit, (f"{part.key} / {whole.key}",))
    return None
