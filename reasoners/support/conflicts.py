"""Find measurements of one thing that disagree, and say which to prefer and why."""

# ruff: noqa: SIM905 - word lists read better as running text

from __future__ import annotations

from collections.abc import Sequence

import regex

from ...state.records import Conflict, ConflictValue, Fact
from ...text.numbers import same_unit, same_value
from ...text.periods import same_period
from ..protocol import Passage
from .measurements import Measurement, measurements_in
from .preferences import preferred_of
from .reading import read

# Units that many things are measured in.
_LOOSE_UNITS = frozenset("% pp bp x USD EUR GBP JPY CHF CNY INR yr mo wk d h min s g mg µg ml".split()) | {""}
_CHANGE_WORDS = regex.compile(
    r"\b(?:by|growth|grew|rose|fell|increase[ds]?|decrease[ds]?|change[ds]?|up|down)\b", regex.IGNORECASE
)


_SIBLING_LABEL = 3


def find_conflicts(facts: Sequence[Fact], passages: Sequence[Passage]) -> tuple[Conflict, ...]:
    """Return the disagreements among facts: one entity, attribute and period, different values.

    A figure rounded from another is no conflict, figures of different periods neither.  Preferred is the structured
    source over the narrative one, then the statement that says it corrects the other, then the later one.  Where the
    two name different definitions of the figure (booked against recognised), that is the reason given, and neither is
    preferred unless one is a mere estimate.  Nothing is averaged.

    Args:
        facts: Their quotes name chunks; entity, attribute, period and value are used where they are filled.
        passages: The chunks quoted, for tiers, dates and uris.
    """
    by_id = {passage.chunk.chunk_id: passage for passage in passages}
    groups: list[list[Measurement]] = []
    for measurement in (found for fact in facts for found in measurements_in(fact, by_id)):
        home = next((group for group in groups if _comparable(group[0], measurement)), None)
        if home is None:
            groups.append([measurement])
        elif not any(_same_place(measurement, other) for other in home):
            home.append(measurement)
    return tuple(_conflict(group) for group in groups if _differs(group))


def disagreements(facts: Sequence[Fact], passages: Sequence[Passage]) -> tuple[Conflict, ...]:
    """Return the conflicts between two statements: the figures of one sentence do not contradict each other."""
    return tuple(each for each in find_conflicts(facts, passages) if _is_between_statements(each))


def _is_between_statements(conflict: Conflict) -> bool:
    places = {(value.chunk_id, value.quote.start if value.quote else None) for value in conflict.values}
    return len(places) > 1


def _comparable(a: Measurement, b: Measurement) -> bool:
    if _one_statement(a, b) or not same_unit(a.number, b.number) or bool(a.number.unit) != bool(b.number.unit):
        return False
    if not _periods_agree(a, b) or not _subjects_agree(a, b) or a.planned is not b.planned:
        return False
    if _of_several(a, b) or _of_several(b, a):
        return False
    if bool(_CHANGE_WORDS.search(_around(a))) != bool(_CHANGE_WORDS.search(_around(b))) and a.number.unit == "%":
        return False
    shared, every = len(a.attribute & b.attribute), len(a.attribute | b.attribute)
    if a.number.unit not in _LOOSE_UNITS and shared:
        return True  # a measure such as cubic metres tells what was measured
    # A column header is short and to the point; the words of a sentence hold more than the name of its figure.
    named = [m.attribute for m in (a, b) if m.row is not None]
    if named:
        return all(header and len(header & a.attribute & b.attribute) >= 0.5 * len(header) for header in named)
    return shared > 0.5 * every


def _one_statement(a: Measurement, b: Measurement) -> bool:
    """Whether two figures stand in one sentence or in rows of one table, which tell different things apart."""
    if a.quote.chunk_id == b.quote.chunk_id and a.quote.start < b.quote.end and b.quote.start < a.quote.end:
        return True
    return a.row is not None and b.row is not None and a.row.uri == b.row.uri and a.row.sheet == b.row.sheet


def _of_several(row: Measurement, told: Measurement) -> bool:
    """Whether a sentence names several members of the table that a row stands in: its figure is theirs together."""
    if row.row is None or told.row is not None or row.passage is None:
        return False
    labels = {regex.sub(r"\s*\([^()]*\)", "", each.label).strip() for each in row.passage.rows}
    named = [label for label in labels if len(label) >= _SIBLING_LABEL and label in told.words]
    return len(named) > 1


def _around(measurement: Measurement) -> str:
    text, number = measurement.words, measurement.number
    return text[max(0, number.start - 24) : number.start]


def _periods_agree(a: Measurement, b: Measurement) -> bool:
    if a.period is None or b.period is None:
        return True
    if same_period(a.period, b.period):
        return True
    # The state at a day is the state at the end of its month.
    day, month = sorted((a.period, b.period), key=lambda period: period.end - period.start)
    return day.kind == "day" and month.kind == "month" and day.start == month.end


def _subjects_agree(a: Measurement, b: Measurement) -> bool:
    if not a.subject and not b.subject:
        return bool(a.attribute & b.attribute)
    if not a.subject or not b.subject:
        other = (a.subject or b.subject) & (a.attribute | b.attribute)
        return bool(other) or len(a.attribute & b.attribute) >= 2
    shared = len(a.subject & b.subject)
    if shared >= 1 and shared >= 0.5 * min(len(a.subject), len(b.subject)):
        return True
    return _is_told_of(a, b) or _is_told_of(b, a)


def _is_told_of(a: Measurement, b: Measurement) -> bool:
    """Whether a paper whose title names its author, as an auditor's does, tells of whom the other one is about."""
    if a.row is not None or a.passage is None or any(name in a.words for name in a.names):
        return False
    return bool(b.names) and all(name in a.passage.chunk.text for name in b.names)


def _same_place(a: Measurement, b: Measurement) -> bool:
    return a.quote.chunk_id == b.quote.chunk_id and a.quote.text == b.quote.text and a.number.text == b.number.text


def _differs(group: Sequence[Measurement]) -> bool:
    first = group[0].number
    return any(not same_value(first, other.number, ignore_sign=True) for other in group[1:])


def _conflict(group: Sequence[Measurement]) -> Conflict:
    distinct: list[Measurement] = []
    for measurement in group:
        if not any(
            same_value(measurement.number, kept.number, ignore_sign=True) and kept.tier == measurement.tier
            for kept in distinct
        ):
            distinct.append(measurement)
    preferred, reason = preferred_of(distinct)
    period = next((m.period for m in group if m.period is not None), None)
    named = max(group, key=lambda m: len(m.names))
    return Conflict(
        subject=next((m.fact.entity for m in group if m.fact.entity), "") or " ".join(dict.fromkeys(named.names)),
        attribute=next((m.fact.attribute for m in group if m.fact.attribute), "") or _shared_attribute(group),
        period=period.text if period else "",
        values=tuple(
            ConflictValue(
                value=m.number.text.rstrip("."),
                chunk_id=m.quote.chunk_id,
                quote=m.quote,
                uri=m.passage.chunk.uri if m.passage else "",
                tier=m.tier,
                dated=m.dated,
            )
            for m in distinct
        ),
        preferred=preferred.number.text.rstrip(".") if preferred else "",
        reason=reason,
    )


def _shared_attribute(group: Sequence[Measurement]) -> str:
    shared = frozenset.intersection(*(m.attribute for m in group))
    words = [word.text for word in read(group[0].words).content if word.stem in shared]
    return " ".join(dict.fromkeys(words)) or group[0].number.unit
