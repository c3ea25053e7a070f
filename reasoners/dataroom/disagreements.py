"""Where a narrative says other than the exports: a figure, a currency, a status, a denial, a promise about shares."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import PurePosixPath

from ...state.harness import Harness
from ...state.records import Conflict, ConflictValue, Quote
from ...text.numbers import Number, find_numbers, same_value
from ...text.periods import find_periods
from ...text.words import analyse
from ..support.measurements import is_former, is_planned
from ..tables.asking import is_code_in
from ..tables.catalog import Catalog, Table, header_words, number_of
from ..tables.computed import Computed
from ..tables.joins import name_column
from ..tables.lookups import Lookup
from ..tables.wording import STATES, Spelling, measure_words, record_in_words
from .lines import Line

OUTRANKS = "a structured export outranks a narrative"
BY_PARENT = "the exports, added up by parent account, outrank a narrative by legal entity"
REPLACED = "the export says that the older figure was replaced"
AUDITED = "an audited figure outranks one that is not"
_AUDITED = re.compile(r"(?<!not )(?<!yet )\baudited\b", re.IGNORECASE)
_DENIAL = re.compile(
    r"\b(?:there (?:is|are|was|were) )?no (?:(?:material|significant|pending|open|known|other) )*(?P<noun>[a-z]{5,})",
    re.IGNORECASE,
)
_CEILING = re.compile(
    r"\bno (?:single )?(?:customer|client|supplier|account|counterparty)\b[^.]*?"
    r"(?:more than|over|above|exceeds?|beyond)\s+(?P<share>\d+(?:\.\d+)?)\s*(?:%|percent)",
    re.IGNORECASE,
)
_SUPERLATIVE = re.compile(
    r"(?<!\bwas our )(?<!\bbeen our )(?<!\bwas the )(?<!\bbeen the )\b(?:largest|biggest|top)\s+"
    r"(?:customer|client|supplier|account)\b(?!\s+in\b)",
    re.IGNORECASE,
)
"""One that is the largest of all; not the ten largest, nor the largest that was, or in one field."""
_PARTY = re.compile(
    r"\b(?:customers?|clients?|suppliers?|accounts?|counterpart(?:y|ies)|parents?|groups?|debtors?|vendors?|buyers?)\b",
    re.IGNORECASE,
)
_ROLLED_UP = re.compile(r"\b(?:parent|ultimate|holding|group)\b", re.IGNORECASE)
_NEAR = (Decimal("0.5"), Decimal(2))
"""Figures of one thing lie within this factor; farther apart they measure something else."""


@dataclass(frozen=True)
class Disagreement:
    """A conflict, and the narrative lines that lose it and must not stand as claims."""

    conflict: Conflict
    losers: tuple[Line, ...]


def figure_disagreements(found: Lookup, quote: Quote, lines: Sequence[Line]) -> Iterator[Disagreement]:
    """Yield the narrative lines that give another figure, or another currency, for what an export states."""
    percent = found.unit == "%"
    stated = find_numbers(f"{found.value:f}%" if percent else f"{found.unit} {found.value:f}".strip())
    ours = stated[0] if stated else None
    others: list[tuple[Line, Number]] = []
    for line in lines:
        if line.structured or ours is None or not found.words or not found.words <= line.words:
            continue
        if not _same_time(found, line) or _lacks_code(found.row.label, line.text):
            continue
        for number in find_numbers(line.text):
            if (
                number.is_year
                or (number.unit == "%") != percent
                or number.kind == "identifier"
                or not number.value
                or not found.value
                or is_planned(line.text, number)
                or is_former(line.text, number)
                or (not number.unit and not _counts(found, line.text, number))
            ):
                continue
            ratio = abs(number.value / found.value)
            if _NEAR[0] <= ratio <= _NEAR[1] and not same_value(ours, number):
                others.append((line, number))
                break
    superseded = found.superseded
    audited = [(line, number) for line, number in others if _AUDITED.search(line.text)]
    if not others and superseded is None:
        return
    spelling = Spelling.of(*(line.text for line in lines if not line.structured))
    currency = f"{found.unit} " if found.table.currency is not None else ""
    values = [_value(f"{currency}{found.cell.text}", quote, found.table.uri, found.when)]
    if superseded is not None:
        values.append(_value(superseded.text, quote, found.table.uri, superseded.header))
    values += [_narrative(number.text, line) for line, number in others]
    yield Disagreement(
        Conflict(
            subject=" ".join(sorted(found.words))
            if not found.row.label
            else measure_words(found.cell.header, spelling),
            attribute=found.row.label if found.row.label and not _dated(found.row.label) else "",
            period=found.when,
            values=tuple(values),
            preferred=audited[0][1].text if audited else values[0].value,
            reason=AUDITED if audited else OUTRANKS if superseded is None else REPLACED,
        ),
        tuple(line for line, _ in others if (line, _) not in audited),
    )


def _counts(found: Lookup, text: str, number: Number) -> bool:
    """Whether a bare number counts what an export counts: its noun is none other than that of the header."""
    behind = re.match(r"\s(?P<noun>[^\W\d_]+)(?:\s(?P<next>[^\W\d_]+))?", text[number.end :])
    before = re.search(r"(?P<noun>[^\W\d_]+)\W+(?:[^\W\d_]+\W+){0,3}$", text[: number.start])
    near = " ".join([*(filter(None, behind.groups()) if behind else ()), before["noun"] if before else ""])
    return bool(found.words & frozenset(analyse(f"{text[max(0, number.start - 40) : number.start]} {near}"))) and (
        behind is None or not analyse(behind["noun"]) or bool(found.words & frozenset(analyse(near)))
    )


def _lacks_code(label: str, text: str) -> bool:
    """Whether a row is named by a code, `IT`, which is no index term, and a text has it not."""
    return is_code_in(label, label) and not is_code_in(label, text)


def currency_disagreements(catalog: Catalog, lines: Sequence[Line]) -> Iterator[Disagreement]:
    """Yield narrative lines whose amount an export has in another currency, or only as a sum over several."""
    told = [(line, number) for line in lines if not line.structured for number in find_numbers(line.text)]
    amounts = [(line, number) for line, number in told if len(number.unit) == 3 and number.unit.isupper()]
    for table in catalog.tables:
        if not table.structured or table.currency is None:
            continue
        units = table.texts(table.currency.header)
        for column in table.columns:
            if column.kind != "number":
                continue
            values = [number_of(text) for text in table.texts(column.header)]
            total = sum((value for value in values if value is not None), Decimal(0))
            for line, number in amounts:
                near = line.words & (column.words | table.words | _row_words(table, values, number.value))
                rows = [at for at, value in enumerate(values) if value == number.value and units[at] != number.unit]
                mixed = len(set(units)) > 1 and len(values) > 1 and total == number.value
                if (
                    not near
                    or not (rows or mixed)
                    or any(units[at] == number.unit and value == number.value for at, value in enumerate(values))
                ):
                    continue
                used = rows or list(range(len(values)))
                quotes = [next((each.quote for each in lines if each.row == table.rows[at]), None) for at in used]
                stated = [
                    _value(f"{units[at]} {table.texts(column.header)[at]}", quote, table.uri, "")
                    for at, quote in zip(used, quotes, strict=True)
                    if quote is not None
                ]
                if len(stated) == len(used):
                    conflict = Conflict(
                        subject=header_words(column.header),
                        attribute="currency",
                        values=(*stated, _narrative(number.text, line)),
                        preferred="; ".join(value.value for value in stated),
                        reason=OUTRANKS
                        if rows
                        else f"{OUTRANKS}; the narrative's amount is their sum without conversion",
                    )
                    yield Disagreement(conflict, (line,))


def _row_words(table: Table, values: Sequence[Decimal | None], value: Decimal) -> frozenset[str]:
    rows = [table.rows[at] for at, each in enumerate(values) if each == value]
    return frozenset(analyse(" ".join(cell.text for row in rows for cell in row.cells)))


def status_disagreements(catalog: Catalog, lines: Sequence[Line], harness: Harness) -> Iterator[Disagreement]:
    """Yield narrative lines that call something done whose status in an export says otherwise."""
    for table in catalog.tables:
        column = next(
            (each for each in table.columns if set(header_words(each.header).casefold().split()) & STATES), None
        )
        label = name_column(table)
        if column is None or label is None or not table.structured:
            continue
        for place, status in enumerate(table.texts(column.header)):
            name = table.texts(label.header)[place]
            if not _has(status, harness.words("not_done")):
                continue
            liars = [
                line
                for line in lines
                if not line.structured and _names(line.text, name) and claims_done(line.text, harness)
            ]
            quote = next((line.quote for line in lines if line.row is not None and line.row == table.rows[place]), None)
            if liars and quote is not None:
                values = (_value(status, quote, table.uri, ""), *(_narrative(line.text, line) for line in liars))
                conflict = Conflict(
                    subject=name, attribute=column.header, values=values, preferred=status, reason=OUTRANKS
                )
                yield Disagreement(conflict, tuple(liars))


def denial_disagreements(catalog: Catalog, lines: Sequence[Line]) -> Iterator[Disagreement]:
    """Yield narrative lines that deny what an export lists: `no material litigation` beside a litigation register."""
    for line in lines:
        match = None if line.structured else _DENIAL.search(line.text)
        if match is None or _CEILING.search(line.text):
            continue
        noun = set(analyse(match["noun"]))
        for table in catalog.tables:
            named = set(analyse(header_words(PurePosixPath(table.uri).stem)))
            listed = [each for each in lines if each.row is not None and each.uri == table.uri]
            if table.structured and noun & named and listed:
                values = (
                    *(_value(record_in_words(each.row), each.quote, table.uri, "") for each in listed[:4] if each.row),
                    _narrative(line.text, line),
                )
                conflict = Conflict(
                    subject=match["noun"],
                    attribute="existence",
                    values=values,
                    preferred="; ".join(value.value for value in values[:-1]),
                    reason=OUTRANKS,
                )
                yield Disagreement(conflict, (line,))
                break


def share_disagreements(
    computed: Sequence[Computed], quotes: Sequence[Quote], lines: Sequence[Line]
) -> Iterator[Disagreement]:
    """Yield narrative lines that promise a spread, or name a largest customer, against the shares of customers."""
    shares = [answer for answer in computed if answer.share is not None and _is_of_parties(answer)]
    if not shares or not quotes:
        return
    top = shares[0]
    head = top.text.partition(":")[0].rpartition(" is ")[2]
    wrong = [line for line in lines if not line.structured and _promises_less(line, top, head)]
    if wrong:
        values = (
            _value(f"{head}: {top.share}%", quotes[0], top.rows[0].uri, ""),
            *(_narrative(line.text, line) for line in wrong),
        )
        conflict = Conflict(
            subject="concentration",
            attribute="largest share",
            values=values,
            preferred=values[0].value,
            reason=BY_PARENT if _ROLLED_UP.search(_headed(top)) else OUTRANKS,
        )
        yield Disagreement(conflict, tuple(wrong))


def _is_of_parties(answer: Computed) -> bool:
    """Whether a share is that of a customer or the like, not of a branch of business or a region."""
    return bool(_PARTY.search(answer.text.partition(":")[0]) or _PARTY.search(_headed(answer)))


def _headed(answer: Computed) -> str:
    """Return the headers of the rows that an answer was computed from, as words."""
    return header_words(" ".join(dict.fromkeys(cell.header for row in answer.rows for cell in row.cells)))


def _promises_less(line: Line, top: Computed, head: str) -> bool:
    """Whether a line gives a ceiling that the largest share exceeds, or calls another one the largest."""
    ceiling = _CEILING.search(line.text)
    if ceiling and top.share is not None and top.share > Decimal(ceiling["share"]):
        return True
    return bool(_SUPERLATIVE.search(line.text) and head and head.casefold() not in line.text.casefold())


def _same_time(found: Lookup, line: Line) -> bool:
    """Whether a line speaks of the lookup's period; a line without one speaks of any."""
    periods = find_periods(line.text)
    if re.search(r"\b(?:every|each|all|always)\b", line.text, re.IGNORECASE):
        return True
    if not periods or not found.when:
        return not found.when or not periods
    fiscal = {word for word in found.when.split() if any(sign.isdigit() for sign in word)}
    first = min(periods, key=lambda each: each.at)
    if first.is_fiscal and fiscal:
        # A line about two years tells the figure of the one it names first.
        return bool(fiscal & set(analyse(first.text)))
    return any(first.start <= other.end and other.start <= first.end for other in find_periods(found.when))


def claims_done(text: str, harness: Harness) -> bool:
    return (
        _has(text, harness.words("done"))
        and not _has(text, harness.words("not_done"))
        and not re.search(
            r"\b(?:not|no|never|yet|will|may|if|when|until|once|expected?|plan(?:ned)?)\b", text, re.IGNORECASE
        )
    )


def _names(text: str, name: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text, re.IGNORECASE) is not None


def _has(text: str, words: Sequence[str]) -> bool:
    return any(re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text, re.IGNORECASE) for word in words)


def _dated(label: str) -> bool:
    return re.fullmatch(r"[\d./-]+", label) is not None


def _value(value: str, quote: Quote, uri: str, dated: str) -> ConflictValue:
    return ConflictValue(value=value, chunk_id=quote.chunk_id, quote=quote, uri=uri, tier="structured", dated=dated)


def _narrative(value: str, line: Line) -> ConflictValue:
    return ConflictValue(value=value, chunk_id=line.chunk_id, quote=line.quote, uri=line.uri, dated=line.dated)
