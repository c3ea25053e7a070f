"""How many of something there are, where a narrative states it and the exports only have its words in other columns."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...state.harness import Harness
from ...text.numbers import find_numbers
from ...text.words import content_words, stem
from ..tables.catalog import Catalog, header_words
from .lines import Line
from .unknowns import mentions

_COUNTED = re.compile(
    r"\bhow many (?P<what>(?:[^\W\d_][\w-]*\s+){1,4}?)(?:are|were|is|was|does|did|do|has|have|had|there)\b",
    re.IGNORECASE,
)
_HEDGED = re.compile(
    r"\b(?:almost|nearly|about|around|roughly|approximately|some|over|under|up to|more than|less than|at least|"
    r"close to|circa|ca\.)\s*$",
    re.IGNORECASE,
)
MAX_STATED = 2


def counted_in(question: str, lines: Sequence[Line], catalog: Catalog, harness: Harness) -> list[Line]:
    """Return the lines that state the count asked for, word for word (`48 fishing boats`); none where an export may.

    An export that has all the words in one header answers itself.  A forecast and a rounded figure state no count.
    """
    match = _COUNTED.search(question)
    what = _stems(match["what"]) if match else []
    # Of one word a column may be meant whatever else its header says.
    if len(what) < 2 or any(set(what) <= {*_stems(header_words(header))} for header in _headers(catalog)):
        return []
    stated = [
        line for line in lines
        if line.row is None and not mentions(line.text, harness.words("forecast")) and _states(line.text, what)
    ]  # fmt: skip
    return stated[:MAX_STATED]


def _headers(catalog: Catalog) -> set[str]:
    return {column.header for table in catalog.tables if table.structured for column in table.columns}


def _states(text: str, what: Sequence[str]) -> bool:
    for number in find_numbers(text):
        words = re.findall(r"[^\W\d_][\w-]*", text[number.end :])[: len(what)]
        if _HEDGED.search(text[: number.start]) or number.bound or text[number.end :].lstrip()[:1] in ("(", "."):
            continue
        if [stem(word) for word in words] == list(what):
            return True
    return False


def _stems(text: str) -> list[str]:
    return [stem(word) for word in content_words(text)]
