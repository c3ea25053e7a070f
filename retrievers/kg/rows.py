"""Make entities, events and facts of the rows of a temporal graph."""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from collections.abc import Sequence
from datetime import date, datetime
from typing import Any

from .records import Entity, Event, KnownFact

EVENT = """e.event_id, e.statement, e.chunk_id, e.uri, e.quote, e.start, e.end, e.statement_type, e.temporal_type,
    e.valid_at, e.invalid_at, e.created_at, e.expired_at, e.invalidated_by, e.stated_at"""
TRIPLET = "t.place, t.subject, t.predicate, t.object, t.value, t.unit"
_FIELDS = tuple(name.strip().removeprefix("e.") for name in EVENT.split(","))
_DAYS = ("valid_at", "invalid_at", "stated_at")
_TIMES = ("created_at", "expired_at")


def facts_of(sql: sqlite3.Connection, rows: Sequence[tuple]) -> list[KnownFact]:
    """Return the facts of rows of `TRIPLET` and `EVENT`, in their order."""
    numbers = sorted({n for row in rows for n in (row[1], row[3]) if n is not None})
    canonical = dict(
        sql.execute(
            "SELECT n, canonical FROM entities WHERE n IN (SELECT value FROM json_each(?))", (json.dumps(numbers),)
        ).fetchall()
    )
    known = entities_of(sql, sorted(set(canonical.values())))
    facts = []
    for place, subject, predicate, target, value, unit, *event in rows:
        told = event_of(event)
        facts.append(
            KnownFact(
                fact_id=f"{told.event_id}.{place}",
                subject=known[canonical[subject]],
                predicate=predicate,
                object=known[canonical[target]] if target is not None else None,
                value=value,
                unit=unit,
                event=told,
            )
        )
    return facts


def entities_of(sql: sqlite3.Connection, numbers: Sequence[int]) -> dict[int, Entity]:
    """Return entities by canonical number."""
    wanted = json.dumps(list(numbers))
    rows = sql.execute(
        """SELECT canonical, n, entity_id, name, kind FROM entities
        WHERE canonical IN (SELECT value FROM json_each(?)) ORDER BY n""",
        (wanted,),
    ).fetchall()
    stated = sql.execute(
        """SELECT e.canonical, s.name FROM stated_names s JOIN entities e ON e.n = s.entity
        WHERE e.canonical IN (SELECT value FROM json_each(?))""",
        (wanted,),
    ).fetchall()
    others: dict[int, set[str]] = defaultdict(set)
    shown: dict[int, tuple[str, str, str]] = {}
    for canonical, n, entity_id, name, kind in rows:
        others[canonical].add(name)
        if n == canonical:
            shown[canonical] = entity_id, name, kind
    for canonical, name in stated:
        others[canonical].add(name)
    return {
        canonical: Entity(
            entity_id=entity_id,
            name=name,
            kind=kind,  # type: ignore[arg-type]
            aliases=tuple(sorted(others[canonical] - {name})),
        )
        for canonical, (entity_id, name, kind) in shown.items()
    }


def event_of(row: Sequence[Any]) -> Event:
    """Return the event of a row of `EVENT`."""
    values = dict(zip(_FIELDS, row, strict=True))
    for name in _DAYS:
        values[name] = date.fromisoformat(values[name]) if values[name] else None
    for name in _TIMES:
        values[name] = datetime.fromisoformat(values[name]) if values[name] else None
    return Event(**values)
