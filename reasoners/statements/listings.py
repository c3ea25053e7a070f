"""What a table enumerates: the names of its columns or rows, where its title says that they are what is asked for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ...text.words import analyse
from .inference import Inference, short_label
from .lines import Line, Statements
from .periods import header_rest, when_of

_COUNTED = re.compile(
    r"\b(?:which|what)(?: (?:is|are|was|were))?(?: the| its| their)?(?: main| major| primary| principal| largest)? "
    r"(?P<what>(?:geographic(?:al)? |operating |reportable |reporting |business )?(?:regions?|segments?|areas?)|"
    r"geographies|geography|(?:product )?categor(?:y|ies)|countries)\b",
    re.IGNORECASE,
)
_NOT_ONE = re.compile(
    r"\b(?:total|consolidated|unallocated|eliminations?|reconcil\w*|other)\b|^(?:net )?(?:revenues?|sales)$",
    re.IGNORECASE,
)
_NAMED_CHARS = 40
_LEAST = 3
_STEM = 6


@dataclass(frozen=True)
class ListAsk:
    """What a question wants enumerated: index terms of the category, as the question spells it."""

    what: str
    terms: frozenset[str]


def read_list_ask(question: str) -> ListAsk | None:
    """Read a question; None where it asks for no parts of a company that a table would enumerate."""
    match = _COUNTED.search(question)
    if match is None:
        return None
    return ListAsk(match["what"], frozenset(analyse(match["what"])))


def compute_listing(ask: ListAsk, statements: Statements) -> list[Inference]:
    """Return the names in the columns, or the rows, of the table that fits best; nothing where none has three."""
    best: tuple[tuple[int, ...], list[str], Line] | None = None
    for lines in _tables(statements):
        first = lines[0]
        titled = sum(_holds(term, first.row.caption) for term in ask.terms)
        near = sum(_holds(term, f"{first.row.caption} {_announced(first.intro)}") for term in ask.terms)
        if not near:
            continue
        for names in (_column_names(first), _row_names(lines)):
            if len(names) < _LEAST:
                continue
            key = (titled, near, -(first.row.page or 0))
            if best is None or key > best[0]:
                best = (key, names, first)
            break
    if best is None:
        return []
    _, names, line = best
    what = ask.what[:1].upper() + ask.what[1:]
    text = f"{what}: {', '.join(names)}."
    quotes = [line.quote]
    return [Inference(text, tuple(quotes), ask.what)]


def _announced(intro: str) -> str:
    """Return the sentence that announces a table and the line of its headers."""
    return " ".join(re.split(r"[.:]\s+", intro)[-2:])


def _tables(statements: Statements) -> list[list[Line]]:
    tables: dict[tuple[object, ...], list[Line]] = {}
    for line in statements.lines:
        headers = tuple(cell.header for cell in line.row.cells)
        tables.setdefault((line.row.uri, line.row.page, line.row.caption, headers), []).append(line)
    return list(tables.values())


def _column_names(line: Line) -> list[str]:
    """Return the headers of columns that name no period and no sum."""
    names = [" ".join(cell.header.split()) for cell in line.row.cells]
    kept = [name for name in names if name and not when_of(name) and header_rest(name) == name]
    return [name for name in dict.fromkeys(kept) if not _NOT_ONE.search(name) and len(name) <= _NAMED_CHARS]


def _row_names(lines: Sequence[Line]) -> list[str]:
    names = (short_label(line.label) for line in lines if any(line.whens))
    return [name for name in dict.fromkeys(names) if name and not _NOT_ONE.search(name) and len(name) <= _NAMED_CHARS]


def _holds(term: str, text: str) -> bool:
    return _count(term, text) > 0


def _count(term: str, text: str) -> int:
    """Count words of a term's family."""
    return sum(other == term or (len(term) >= _STEM and other[:_STEM] == term[:_STEM]) for other in analyse(text))
