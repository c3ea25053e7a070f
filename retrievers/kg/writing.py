"""Take documents into the graph and let what they said expire, each as one transaction."""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from hashlib import sha1
from typing import Any

from ...errors import UsageError
from ...state.records import Chunk, Source
from . import validity
from .naming import Names, Similar, settle
from .records import Statement
from .sealing import check, columns_of, read


@dataclass(frozen=True)
class NewDocument:
    """A document with all that it states."""

    source: Source
    statements: tuple[Statement, ...]
    content: str
    engine: str
    chunks: tuple[Chunk, ...]
    cut: str
    root: str
    path: str
    dated: date | None
    now: datetime


@dataclass(frozen=True)
class Held:
    """What the graph holds of a document, enough to tell whether it changed."""

    source: Source
    content: str
    cut: str
    engine: str
    root: str
    path: str


def held(sql: sqlite3.Connection, root: str | None) -> dict[str, Held]:
    """Return the documents that did not leave, of one root or of all, by uri."""
    where, values = ("AND root = ?", (root,)) if root is not None else ("", ())
    rows = sql.execute(
        f"SELECT {columns_of('documents', 'd')} FROM documents d WHERE expired_at IS NULL {where}",  # noqa: S608
        values,
    ).fetchall()
    kept = ("content", "cut", "engine", "root", "path")
    return {
        each["uri"]: Held(Source.model_validate_json(each["record"]), **{name: each[name] for name in kept})
        for each in (read("documents", row) for row in rows)
    }


def put(sql: sqlite3.Connection, new: NewDocument, similar: Similar | None) -> bool:
    """Store a document in place of its earlier state; False where it is held as it is."""
    uri = new.source.uri
    check(sql, "documents", "uri = ?", uri)
    before = sql.execute(
        "SELECT content, cut, engine FROM documents WHERE uri = ? AND expired_at IS NULL", (uri,)
    ).fetchone()
    if before == (new.content, new.cut, new.engine):
        return False  # another process was faster
    touched = _expire(sql, [uri], new.now)
    sql.execute(
        "INSERT OR REPLACE INTO documents VALUES (?, ?, ?, ?, ?, ?, ?, ?, NULL, NULL)",
        (uri, new.source.model_dump_json(), new.content, new.cut, new.engine, new.root, new.path, _day(new.dated)),
    )
    stated = {statement.chunk_id for statement in new.statements}
    sql.executemany(
        "INSERT OR REPLACE INTO chunks VALUES (?, ?, ?, NULL)",
        [(chunk.chunk_id, _state(new), chunk.model_dump_json()) for chunk in new.chunks if chunk.chunk_id in stated],
    )
    names = Names(sql, uri, new.now, similar)
    triplets: list[int] = []
    for place, statement in enumerate(new.statements):
        triplets += _put_event(sql, names, new, place, statement)
    touched |= _key(sql, triplets)
    if names.moved:
        touched |= _key(sql, _triplets_of(sql, names.moved))
    _close(sql, touched)
    return True


def withdraw(sql: sqlite3.Connection, uris: Collection[str], now: datetime) -> int:
    """Let all that documents said expire."""
    check(sql, "documents", "uri IN (SELECT value FROM json_each(?))", json.dumps(list(uris)))
    left = sql.execute(
        "UPDATE documents SET expired_at = ? WHERE expired_at IS NULL AND uri IN (SELECT value FROM json_each(?))",
        (now.isoformat(), json.dumps(list(uris))),
    ).rowcount
    _close(sql, _expire(sql, uris, now))
    return left


def rekey(sql: sqlite3.Connection, names: Collection[int]) -> None:
    """Close anew what statements about some names, whose entity changed, close or are closed by."""
    _close(sql, _key(sql, _triplets_of(sql, names)))


def undo_merge(sql: sqlite3.Connection, merge_id: int, now: datetime) -> None:
    """Take a merge back for good and close anew what its names state."""
    check(sql, "merges", "n = ?", merge_id)
    row = sql.execute("SELECT a, b, undone_at FROM merges WHERE n = ?", (merge_id,)).fetchone()
    if row is None:
        raise UsageError(f"there is no merge {merge_id}: `citewell kg merges` lists them")
    if row[2] is not None:
        raise UsageError(f"merge {merge_id} was undone on {row[2][:10]}")
    # Every merge of the name goes, or another rule would hold the two together.
    sql.execute(
        "UPDATE merges SET undone_at = ?, undone_by = 'user' WHERE (n = ? OR a = ?) AND undone_at IS NULL",
        (now.isoformat(), merge_id, row[0]),
    )
    rekey(sql, settle(sql, row[:2]))


def _state(new: NewDocument) -> str:
    """Name the state of a document: its passages differ with what was read and how it was cut."""
    return f"{new.content}|{new.cut}|{new.engine}"


def _put_event(sql: sqlite3.Connection, names: Names, new: NewDocument, place: int, statement: Statement) -> list[int]:
    uri = new.source.uri
    event_id = "e" + sha1(f"{uri}\n{_state(new)}\n{place}\n{statement.model_dump_json()}".encode()).hexdigest()[:16]
    back = sql.execute("SELECT n FROM events WHERE event_id = ?", (event_id,)).fetchone()
    if back:  # the document is again what it was before
        check(sql, "events", "n = ?", *back)
        sql.execute("UPDATE events SET expired_at = NULL WHERE n = ?", back)
        return [n for (n,) in sql.execute("SELECT n FROM triplets WHERE event = ? ORDER BY place", back)]
    start, end = statement.valid_at, statement.invalid_at
    if start and end and end <= start:
        end = None  # a statement that ends before it begins tells its beginning at most
    since = start or (end - timedelta(days=1) if end else None)
    sql.execute(
        """INSERT INTO events (event_id, uri, content, chunk_id, statement, quote, start, end, statement_type,
            temporal_type, valid_at, stated_end, invalid_at, since, created_at, stated_at)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""",
        (
            event_id, uri, _state(new), statement.chunk_id, statement.statement, statement.quote, statement.start,
            statement.end, statement.statement_type, statement.temporal_type, _day(start), _day(end), _day(end),
            _day(since), new.now.isoformat(), _day(new.dated),
        ),
    )  # fmt: skip
    number = int(sql.execute("SELECT last_insert_rowid()").fetchone()[0])
    made = []
    for at, triplet in enumerate(statement.triplets):
        subject = names.register(triplet.subject)
        target = names.register(triplet.object) if triplet.object else None
        sql.execute(
            """INSERT INTO triplets (event, place, subject, predicate, object, value, unit, exclusive)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)""",
            (number, at, subject, triplet.predicate, target, triplet.value, triplet.unit, triplet.exclusive),
        )
        made.append(int(sql.execute("SELECT last_insert_rowid()").fetchone()[0]))
    return made


def _expire(sql: sqlite3.Connection, uris: Iterable[str], now: datetime) -> set[str]:
    """Expire the events of documents and return the groups they leave."""
    touched: set[str] = set()
    for uri in uris:
        check(sql, "events", "uri = ? AND expired_at IS NULL", uri)
        rows = sql.execute(
            "SELECT t.n FROM triplets t JOIN events e ON e.n = t.event WHERE e.uri = ? AND e.expired_at IS NULL", (uri,)
        ).fetchall()
        sql.execute("UPDATE events SET expired_at = ? WHERE uri = ? AND expired_at IS NULL", (now.isoformat(), uri))
        for (triplet,) in rows:
            touched |= {key for (key,) in sql.execute("SELECT key FROM closing_keys WHERE triplet = ?", (triplet,))}
            sql.execute("DELETE FROM closing_keys WHERE triplet = ?", (triplet,))
    return touched


def _triplets_of(sql: sqlite3.Connection, names: Collection[int]) -> list[int]:
    """Return the triplets of standing events that name any of some names."""
    rows = sql.execute(
        """SELECT t.n FROM triplets t JOIN events e ON e.n = t.event WHERE e.expired_at IS NULL AND t.n IN (
        SELECT n FROM triplets WHERE subject IN (SELECT value FROM json_each(?1))
        UNION SELECT n FROM triplets WHERE object IN (SELECT value FROM json_each(?1)))""",
        (json.dumps(list(names)),),
    ).fetchall()
    return [n for (n,) in rows]


def _key(sql: sqlite3.Connection, triplets: Collection[int]) -> set[str]:
    """Put triplets into the groups they belong to now; return the groups they left and joined."""
    numbers = json.dumps(sorted(triplets))
    touched = {
        key
        for (key,) in sql.execute(
            "SELECT DISTINCT key FROM closing_keys WHERE triplet IN (SELECT value FROM json_each(?))", (numbers,)
        )
    }
    sql.execute("DELETE FROM closing_keys WHERE triplet IN (SELECT value FROM json_each(?))", (numbers,))
    joined = [(key, number) for number, one in _read(sql, triplets) for key in validity.keys_of(one)]
    sql.executemany("INSERT INTO closing_keys VALUES (?, ?, NULL)", joined)
    return touched | {key for key, _ in joined}


def _close(sql: sqlite3.Connection, keys: Collection[str]) -> None:
    """Work out anew what closes the events of some groups."""
    touched = {
        event
        for (event,) in sql.execute(
            """SELECT DISTINCT t.event FROM closing_keys k JOIN triplets t ON t.n = k.triplet
            WHERE k.key IN (SELECT value FROM json_each(?))""",
            (json.dumps(sorted(keys)),),
        )
    }
    # Also what the touched events take part in beside these groups: the earliest closing of all counts.
    members: dict[str, list[int]] = defaultdict(list)
    for key, triplet in sql.execute(
        """SELECT key, triplet FROM closing_keys WHERE key IN (
            SELECT k.key FROM triplets t JOIN closing_keys k ON k.triplet = t.n
            WHERE t.event IN (SELECT value FROM json_each(?)))""",
        (json.dumps(sorted(touched)),),
    ):
        members[key].append(triplet)
    read = dict(_read(sql, {n for several in members.values() for n in several}))
    closed = validity.closings((key, [read[n] for n in several]) for key, several in sorted(members.items()))
    check(sql, "events", "n IN (SELECT value FROM json_each(?))", json.dumps(sorted(touched)))
    rows = sql.execute(
        """SELECT n, event_id, stated_end, invalid_at, invalidated_by FROM events
        WHERE n IN (SELECT value FROM json_each(?))""",
        (json.dumps(sorted(touched)),),
    ).fetchall()
    changed = []
    for event, event_id, stated_end, was_end, was_by in rows:
        closing = closed.get(event_id)
        end, by = stated_end, ""
        if closing and (stated_end is None or closing.at.isoformat() <= stated_end):
            end, by = closing.at.isoformat(), closing.by
        if (end, by) != (was_end, was_by):
            changed.append((end, by, event))
    sql.executemany("UPDATE events SET invalid_at = ?, invalidated_by = ? WHERE n = ?", changed)


def _read(sql: sqlite3.Connection, triplets: Collection[int]) -> list[tuple[int, validity.Held]]:
    check(sql, "triplets", "n IN (SELECT value FROM json_each(?))", json.dumps(list(triplets)))
    rows = sql.execute(
        """SELECT t.n, e.event_id, s.canonical, t.predicate, o.canonical, t.value, t.unit, t.exclusive,
            e.statement_type, e.temporal_type, e.valid_at, e.stated_end
        FROM triplets t JOIN events e ON e.n = t.event JOIN entities s ON s.n = t.subject
        LEFT JOIN entities o ON o.n = t.object WHERE t.n IN (SELECT value FROM json_each(?))""",
        (json.dumps(list(triplets)),),
    ).fetchall()
    return [(n, _held(row)) for n, *row in rows]


def _held(row: Sequence[Any]) -> validity.Held:
    event, subject, predicate, target, value, unit, exclusive, statement_type, temporal_type, valid_at, end = row
    return validity.Held(
        event=event,
        subject=subject,
        predicate=predicate,
        object=target,
        value=value,
        unit=unit,
        exclusive=bool(exclusive),
        statement_type=statement_type,
        temporal_type=temporal_type,
        valid_at=_date(valid_at),
        stated_end=_date(end),
    )


def _day(day: date | None) -> str | None:
    return day.isoformat() if day else None


def _date(text: str | None) -> date | None:
    return date.fromisoformat(text) if text else None
