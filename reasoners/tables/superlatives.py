"""A superlative may name its measure by itself: the oldest has the highest age, the cheapest the lowest price."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .asking import Ask, read_ask

_MEASURES = (
    (r"oldest", "highest", "age"),
    (r"youngest|newest", "lowest", "age"),
    (r"heaviest", "highest", "weight mass"),
    (r"lightest", "lowest", "weight mass"),
    (r"longest", "highest", "length duration distance"),
    (r"shortest", "lowest", "length duration distance"),
    (r"cheapest|least expensive|least costly", "lowest", "price cost fee rent"),
    (r"most expensive|dearest|priciest|costliest|most costly", "highest", "price cost fee rent"),
    (r"hottest|warmest", "highest", "temperature"),
    (r"coldest|coolest", "lowest", "temperature"),
    (r"tallest", "highest", "height"),
    (r"deepest", "highest", "depth"),
    (r"widest", "highest", "width"),
    (r"fastest|quickest", "highest", "speed"),
    (r"slowest", "lowest", "speed"),
)


def readings(ask: Ask) -> Iterator[Ask]:
    """Yield a question and, where it has such a superlative, the question with the measure said in its stead."""
    yield ask
    for words, most, measures in _MEASURES:
        pattern = re.compile(rf"\b(?:{words})\b", re.IGNORECASE)
        if pattern.search(ask.question):
            for measure in measures.split():
                yield read_ask(pattern.sub(f"{most} {measure}", ask.question, count=1))
