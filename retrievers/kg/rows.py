"""Make entities, events and facts of the rows of a temporal graph."""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from collections.abc import Sequence
from datetime import date, datetime
from typing import Any

from .records import Entity, Event, KnownFact
from .sealing import columns_of, read, width

EVENT = columns_of("events", "e")
TRIPLET = columns_of("triplets", "t")
_FIELDS = tuple(Event.model_fields)
_DAYS = ("valid_at", "invalid_at", "stated_at")
_TIMES = ("created_at", "expired_at")


def facts_of(sql: sqlite3.Connection, rows: Sequence[tuple]) -> list[KnownFact]:
    """Return the facts of rows of `TRIPLET` and `EVENT`, in their order.  Raises: ChangedRow."""
    at = width("triplets")
    triplets = [read("triplets", row[:at]) for row in rows]
    numbers = sorted({n for each in triplets for n in (each["subject"], each["object"]) if n is not None})
    named = sql.execute(
        f"SELECT {columns_of('entities', 'e')} FROM entities e WHERE n IN (SELECT value FROM json_each(?))",  # noqa: S608
        (json.dumps(numbers),),
    )
    canonical = {each["n"]: each["canonical"] for each in (read("entities", row) for row in named)}
    known = entities_of(sql, sorted(set(canonical.values())))
    facts = []
    for triplet, row in zip(triplets, rows, strict=True):
        told, target = event_of(row[at:]), triplet["object"]
        facts.append(
            KnownFact(
                fact_id=f"{told.event_id}.{triplet['place']}",
                subject=known[canonical[triplet["subject"]]],
                predicate=triplet["predicate"],
                object=known[canonical[target]] if target is not None else None,
                value=triplet["value"],
                unit=triplet["unit"],
                event=told,
            )
        )
    return facts


def entities_of(sql: sqlite3.Connection, numbers: Sequence[int]) -> dict[int, Entity]:
    """Return entities by canonical number.  Raises: ChangedRow."""
    wanted = json.dumps(list(numbers))
    rows = sql.execute(
        f"""SELECT {columns_of("entities", "e")} FROM entities e
        WHERE canonical IN (SELECT value FROM json_each(?)) ORDER BY n""",  # noqa: S608
        (wanted,),
    ).fetchall()
    stated = sql.execute(
        f"""SELECT e.canonical, {columns_of("stated_names", "s")} FROM stated_names s JOIN entities e ON e.n = s.entity
        WHERE e.canonical IN (SELECT value FROM json_each(?))""",  # noqa: S608
        (wanted,),
    ).fetchall()
    others: dict[int, set[str]] = defaultdict(set)
    shown: dict[int, tuple[str, str, str]] = {}
    for each in (read("entities", row) for row in rows):
        others[each["canonical"]].add(each["name"])
        if each["n"] == each["canonical"]:
            shown[each["canonical"]] = each["entity_id"], each["name"], each["kind"]
    for canonical, *row in stated:
        others[canonical].add(read("stated_names", row)["name"])
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
    """Return the event of a row of `EVENT`.  Raises: ChangedRow."""
    held = read("events", row)
    values = {name: held[name] for name in _FIELDS}
    for name in _DAYS:
        values[name] = date.fromisoformat(values[name]) if values[name] else None
    for name in _TIMES:
        values[name] = datetime.fromisoformat(values[name]) if values[name] else None
    return Event(**values)
