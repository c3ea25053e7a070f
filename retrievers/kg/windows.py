"""Ask a temporal graph for the facts of an entity, a window of days or one day."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from datetime import date
from typing import Any

from ...errors import UsageError
from .meant import canonical_of
from .records import PREDICATES, Entity, KnownFact
from .rows import EVENT, TRIPLET, facts_of


@dataclass(frozen=True)
class Wanted:
    """Which facts are wanted; the fields are the arguments of `TemporalGraph.facts`.

    Raises: UsageError where the window ends before it begins or no predicate has that name.
    """

    entity: str | Entity | None = None
    start: date | None = None
    end: date | None = None
    predicate: str | None = None
    as_of: date | None = None
    expired: bool = False
    limit: int | None = None

    def __post_init__(self) -> None:
        if self.start and self.end and self.end < self.start:
            raise UsageError(f"the window ends before it begins: {self.start} to {self.end}")
        if self.predicate is not None:
            object.__setattr__(self, "predicate", predicate_named(self.predicate))


def ask(sql: sqlite3.Connection, wanted: Wanted) -> list[KnownFact]:
    """Return the wanted facts, by `valid_at` (those without one last), then id.  Raises: AmbiguousName."""
    where, values = _conditions(wanted)
    tables = "triplets t JOIN events e ON e.n = t.event"
    if wanted.entity is not None:
        found = canonical_of(sql, wanted.entity)
        if found is None:
            return []
        parts = " UNION ".join(
            f"SELECT n FROM triplets WHERE {side} IN (SELECT n FROM entities WHERE canonical = ?)"  # noqa: S608
            for side in ("subject", "object")
        )
        tables = f"({parts}) hit CROSS JOIN triplets t ON t.n = hit.n CROSS JOIN events e ON e.n = t.event"
        values = [found, found, *values]
    statement = f"""SELECT {TRIPLET}, {EVENT} FROM {tables} WHERE {" AND ".join(where) or "1"}
        ORDER BY e.valid_at IS NULL, e.valid_at, e.event_id, t.place LIMIT ?"""  # noqa: S608
    return facts_of(sql, sql.execute(statement, (*values, -1 if wanted.limit is None else wanted.limit)).fetchall())


def _conditions(wanted: Wanted) -> tuple[list[str], list[Any]]:
    where: list[str] = [] if wanted.expired else ["e.expired_at IS NULL"]
    values: list[Any] = []
    if wanted.predicate is not None:
        where.append("t.predicate = ?")
        values.append(wanted.predicate)
    if wanted.start or wanted.end:
        where.append("(e.temporal_type = 'ATEMPORAL' OR (e.since <= ? AND (e.invalid_at IS NULL OR e.invalid_at > ?)))")
        values += [(wanted.end or date.max).isoformat(), (wanted.start or date.min).isoformat()]
    if wanted.as_of:
        day = wanted.as_of.isoformat()
        where.append("""(e.temporal_type = 'ATEMPORAL' OR (e.since <= ?
            AND (e.temporal_type = 'STATIC' OR e.invalid_at IS NULL OR e.invalid_at > ?)))""")
        values += [day, day]
    return where, values


def predicate_named(name: str) -> str:
    """Return a predicate by its name in any case.  Raises: UsageError where there is none."""
    found = "_".join(name.strip().upper().replace("-", " ").replace("_", " ").split())
    if found not in PREDICATES:
        raise UsageError(f"no predicate {name!r}: one of {', '.join(PREDICATES)}")
    return found
