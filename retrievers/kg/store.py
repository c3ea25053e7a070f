"""The temporal graph in one SQLite file: what held when, who is who, and where it is written."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, date, datetime
from pathlib import Path
from types import TracebackType

from ...errors import UsageError
from ...settings import Environment
from ...state.records import Chunk, Source
from ..database import Database, Store
from . import naming, writing
from .meant import candidates, canonical_of
from .records import (
    Candidate,
    Entity,
    EntityKind,
    Event,
    GraphDocument,
    KnownFact,
    Merge,
    Neighbourhood,
    Statement,
)
from .rows import EVENT, TRIPLET, entities_of, event_of, facts_of
from .schema import SCHEMA, UPGRADES, VERSION
from .sealing import ChangedRow, columns_of, read, seal_rows
from .windows import Wanted, ask
from .writing import Held

REMEDY = "delete it and build the graph again"

NEIGHBOURS = 200
"""The most facts of a neighbourhood."""


class TemporalGraph(Store):
    """Entities, events and triplets with their validity.  Nothing is deleted: what ends is closed, with a reason.

    Several processes may read and write one file at once; a reader sees whole documents only.
    """

    def __init__(self, path: Path) -> None:
        super().__init__(Database(path, SCHEMA, version=VERSION, remedy=REMEDY, upgrades=UPGRADES))
        self.path = path

    @classmethod
    def open(cls, path: Path | str | None = None) -> TemporalGraph:
        """Open a graph; its file is made by the first write.

        Args:
            path: The SQLite file; `kg.sqlite` in the home folder by default.
        """
        return cls(Path(path).expanduser() if path else Environment.read().home / "kg.sqlite")

    def __enter__(self) -> TemporalGraph:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        """Give one state of the graph.  Raises: CorpusError where a row that is read is not what was written."""
        with self._db.read() as sql:
            try:
                yield sql
            except ChangedRow as error:
                raise self._db.damaged(error.what) from None

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """Give a transaction whose new and changed rows are sealed at its end.  Raises: CorpusError, as above."""
        with self._db.write() as sql:
            try:
                yield sql
            except ChangedRow as error:
                raise self._db.damaged(error.what) from None
            seal_rows(sql)

    # Asking

    def facts(
        self,
        entity: str | Entity | None = None,
        start: date | None = None,
        end: date | None = None,
        predicate: str | None = None,
        as_of: date | None = None,
        *,
        expired: bool = False,
        limit: int | None = None,
    ) -> list[KnownFact]:
        """Return facts, by `valid_at` (those without one last), then id.

        Args:
            entity: An id, a name or an entity; facts in which it is subject or object.
            start: First day of a window: what held or happened on a day of it.  What has no date is left out then.
            end: Last day of the window, included.
            predicate: One of `PREDICATES`, in any case.
            as_of: What was so on that day: states that held, and what had happened or been measured by then.
            expired: Also what sources said that have since changed or left.
            limit: The most facts; None for all.
        Returns: Facts; none for a name that the graph does not know.
        Raises: UsageError where the window ends before it begins or no predicate has that name; AmbiguousName.
        """
        wanted = Wanted(entity, start, end, predicate, as_of, expired, limit)
        with self._reading() as sql:
            return ask(sql, wanted)

    def resolve(self, name: str, kind: EntityKind | None = None, *, limit: int = 5) -> list[Candidate]:
        """Return the entities that a name may mean, best first: those that bear it, then those it is part of."""
        with self._reading() as sql:
            return candidates(sql, name, kind)[:limit]

    def entity(self, entity_id: str) -> Entity | None:
        """Return the entity of an id, also of the id that one of its merged names had."""
        with self._reading() as sql:
            row = sql.execute("SELECT canonical FROM entities WHERE entity_id = ?", (entity_id,)).fetchone()
            return entities_of(sql, [row[0]])[row[0]] if row else None

    def entities(self, kind: EntityKind | None = None, *, limit: int | None = None) -> list[tuple[Entity, int]]:
        """Return entities with the number of facts that they have a part in, most first, then by name."""
        where, values = ("WHERE entities.kind = ?", (kind,)) if kind is not None else ("", ())
        with self._reading() as sql:
            counted = sql.execute(
                f"""WITH part AS (
                    SELECT t.subject AS raw, t.n AS fact FROM triplets t JOIN events e ON e.n = t.event
                        WHERE e.expired_at IS NULL
                    UNION SELECT t.object, t.n FROM triplets t JOIN events e ON e.n = t.event
                        WHERE e.expired_at IS NULL AND t.object IS NOT NULL
                ) SELECT canonical, count(DISTINCT fact) FROM entities JOIN part ON part.raw = entities.n
                {where} GROUP BY canonical""",  # noqa: S608
                values,
            ).fetchall()
            known = entities_of(sql, [canonical for canonical, _ in counted])
        found = [(known[canonical], count) for canonical, count in counted]
        found.sort(key=lambda each: (-each[1], each[0].name, each[0].entity_id))
        return found[:limit]

    def neighbourhood(
        self,
        entity: str | Entity,
        depth: int = 1,
    ) -> Neighbourhood | None:
        """Return an entity with the facts that link it to others over at most `depth` steps; None where unknown.

        At most `NEIGHBOURS` facts.  Raises: UsageError where depth is below 1; AmbiguousName.
        """
        if depth < 1:
            raise UsageError(f"a neighbourhood is at least one step deep, not {depth}")
        with self._reading() as sql:
            centre = canonical_of(sql, entity)
            if centre is None:
                return None
            first = entities_of(sql, [centre])[centre]
        seen: dict[str, Entity] = {first.entity_id: first}
        facts: dict[str, KnownFact] = {}
        edge = [first]
        for _ in range(depth):
            reached: list[Entity] = []
            for each in edge:
                for fact in self.facts(each.entity_id, limit=NEIGHBOURS):
                    if len(facts) >= NEIGHBOURS:
                        break
                    facts.setdefault(fact.fact_id, fact)
                    for other in filter(None, (fact.subject, fact.object)):
                        if other.entity_id not in seen:
                            seen[other.entity_id] = other
                            reached.append(other)
            edge = reached
        ordered = sorted(facts.values(), key=_by_day)
        return Neighbourhood(centre=first, entities=tuple(seen.values()), facts=tuple(ordered))

    def statement(self, event_id: str) -> Event | None:
        """Return an event, also one that expired."""
        with self._reading() as sql:
            row = sql.execute(f"SELECT {EVENT} FROM events e WHERE e.event_id = ?", (event_id,)).fetchone()  # noqa: S608
            return event_of(row) if row else None

    def facts_of(self, event_id: str) -> list[KnownFact]:
        """Return the facts of one event."""
        with self._reading() as sql:
            rows = sql.execute(
                f"""SELECT {TRIPLET}, {EVENT}
                FROM events e JOIN triplets t ON t.event = e.n WHERE e.event_id = ? ORDER BY t.place""",  # noqa: S608
                (event_id,),
            ).fetchall()
            return facts_of(sql, rows)

    def chunk(self, event: Event) -> Chunk | None:
        """Return the passage that an event is quoted from."""
        with self._reading() as sql:
            row = sql.execute(
                f"""SELECT {columns_of("chunks", "c")}
                FROM events e JOIN chunks c ON c.chunk_id = e.chunk_id AND c.content = e.content
                WHERE e.event_id = ?""",  # noqa: S608
                (event.event_id,),
            ).fetchone()
            return Chunk.model_validate_json(read("chunks", row)["record"]) if row else None

    def source(self, uri: str) -> Source | None:
        """Return the document of an event, also one that left."""
        with self._reading() as sql:
            row = sql.execute(f"SELECT {_DOCUMENT} FROM documents d WHERE uri = ?", (uri,)).fetchone()  # noqa: S608
            return Source.model_validate_json(read("documents", row)["record"]) if row else None

    def date_range(self) -> tuple[date, date] | None:
        """Return the first and the last day on which something known began; None where nothing has a date."""
        with self._reading() as sql:
            first, last = sql.execute(
                "SELECT min(valid_at), max(valid_at) FROM events WHERE expired_at IS NULL AND statement_type = 'FACT'"
            ).fetchone()
        return (date.fromisoformat(first), date.fromisoformat(last)) if first else None

    def documents(self) -> list[GraphDocument]:
        """Return the documents of the graph, by uri; those that left are not among them."""
        with self._reading() as sql:
            rows = sql.execute(
                f"""SELECT (SELECT count(*) FROM events e WHERE e.uri = d.uri AND e.expired_at IS NULL), {_DOCUMENT}
                FROM documents d WHERE d.expired_at IS NULL ORDER BY d.uri"""  # noqa: S608
            ).fetchall()
            held = [(events, read("documents", row)) for events, *row in rows]
        return [
            GraphDocument(
                source=Source.model_validate_json(each["record"]),
                content=each["content"],
                engine=each["engine"],
                dated=date.fromisoformat(each["dated"]) if each["dated"] else None,
                events=events,
            )
            for events, each in held
        ]

    # Who is who

    def merges(self, *, undone: bool = False) -> list[Merge]:
        """Return the merges of names that are in force, or with `undone` also those taken back, in order made."""
        where = "" if undone else "WHERE m.undone_at IS NULL"
        with self._reading() as sql:
            rows = sql.execute(
                f"""SELECT a.name, b.name, a.kind, {columns_of("merges", "m")} FROM merges m
                JOIN entities a ON a.n = m.a JOIN entities b ON b.n = m.b {where} ORDER BY m.n"""  # noqa: S608
            ).fetchall()
            held = [(name, into, kind, read("merges", row)) for name, into, kind, *row in rows]
        kept = ("reason", "score", "created_at", "undone_at")
        return [
            Merge.model_validate(
                {"merge_id": row["n"], "name": name, "into": into, "kind": kind, **{key: row[key] for key in kept}}
            )
            for name, into, kind, row in held
        ]

    def undo_merge(self, merge_id: int) -> Merge:
        """Take a merge back for good: the names part again and later builds leave them apart.

        Raises: UsageError where there is no such merge or it was undone before.
        """
        with self._writing() as sql:
            writing.undo_merge(sql, merge_id, datetime.now(UTC))
        return next(merge for merge in self.merges(undone=True) if merge.merge_id == merge_id)

    # Writing

    def put(
        self,
        source: Source,
        statements: Iterable[Statement],
        *,
        content: str,
        engine: str,
        chunks: Sequence[Chunk] = (),
        cut: str = "",
        root: str = "",
        path: str = "",
        dated: date | None = None,
        similar: naming.Similar | None = None,
        now: datetime | None = None,
    ) -> bool:
        """Take in a document as one transaction; what it said in an earlier state expires.

        Args:
            content: Hash of what was read; where the graph holds it so already, by the same engine, nothing is done.
            engine: What read it.
            chunks: The passages of its statements.
            dated: The day it speaks from.
            similar: Compares the meaning of names; without it names are merged by rules alone.
            now: When it is taken in.
        Returns: Whether anything was written.
        """
        new = writing.NewDocument(
            source, tuple(statements), content, engine, tuple(chunks), cut, root, path, dated, now or datetime.now(UTC)
        )
        with self._writing() as sql:
            return writing.put(sql, new, similar)

    def withdraw(self, uris: Iterable[str], *, now: datetime | None = None) -> int:
        """Let what documents said expire, as when their files are gone; return how many documents there were."""
        with self._writing() as sql:
            return writing.withdraw(sql, list(uris), now or datetime.now(UTC))

    def held(self, *, root: str | None = None) -> dict[str, Held]:
        """Return what is held of each document, by uri, enough to tell whether it changed."""
        with self._reading() as sql:
            return writing.held(sql, root)

    def roots(self) -> dict[str, str]:
        """Return the name that prefixes the uris of each folder that was built from, by path."""
        with self._reading() as sql:
            held = [read("roots", row) for row in sql.execute(f"SELECT {columns_of('roots', 'r')} FROM roots r")]  # noqa: S608
        return {each["path"]: each["name"] for each in held}

    def add_root(self, path: str, name: str) -> None:
        """Remember a folder and its name."""
        with self._writing() as sql:
            sql.execute("INSERT OR IGNORE INTO roots VALUES (?, ?, NULL)", (path, name))


_DOCUMENT = columns_of("documents", "d")


def _by_day(fact: KnownFact) -> tuple[bool, date, str]:
    return fact.event.valid_at is None, fact.event.valid_at or date.min, fact.fact_id
