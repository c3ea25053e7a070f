"""Who is who in the graph: names become entities, and names of one entity are merged, each merge on record."""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from collections.abc import Callable, Iterable
from datetime import datetime

from .names import alike, blocks_of, entity_id_of, form_of, shown_first
from .records import EntityKind, Mention
from .sealing import check

Similar = Callable[[str, str], float]
"""Compares the meaning of two names: a cosine in [-1, 1]."""

SIMILAR_FROM = 0.75
_SPELLED: frozenset[EntityKind] = frozenset(["org", "product"])
"""Kinds whose spellings are compared; people with almost the same name are often two."""


class Names:
    """Registers the names of one transaction and remembers which entities changed."""

    def __init__(self, sql: sqlite3.Connection, uri: str, now: datetime, similar: Similar | None) -> None:
        self._sql, self._uri, self._now, self._similar = sql, uri, now.isoformat(), similar
        self._known: dict[tuple[str, EntityKind], int] = {}
        self.moved: set[int] = set()
        """Numbers of names whose entity changed."""

    def register(self, mention: Mention) -> int:
        """Return the number of a name, taking it and what the source calls it besides in where they are new."""
        name = " ".join(mention.name.split())
        number = self._known.get((name, mention.kind))
        if number is None:
            number = self._known[name, mention.kind] = self._found(name, mention.kind)
        for other in mention.aliases:
            self._state(number, " ".join(other.split()), mention.kind)
        return number

    def _found(self, name: str, kind: EntityKind) -> int:
        entity_id = entity_id_of(name, kind)
        row = self._sql.execute("SELECT n FROM entities WHERE entity_id = ?", (entity_id,)).fetchone()
        if row:
            return int(row[0])
        form = form_of(name, kind)
        head, tail = blocks_of(form.key)
        self._sql.execute(
            """INSERT INTO entities (entity_id, name, kind, canonical, folded, key, head, tail)
            VALUES (?, ?, ?, 0, ?, ?, ?, ?)""",
            (entity_id, name, kind, form.folded, form.key, head, tail),
        )
        number = int(self._sql.execute("SELECT last_insert_rowid()").fetchone()[0])
        self._sql.execute("UPDATE entities SET canonical = n WHERE n = ?", (number,))
        self._by_form(form.key, kind)
        self._by_stated_name(form.folded, kind)
        self._by_spelling(number, form.key, kind)
        return number

    def _state(self, number: int, other: str, kind: EntityKind) -> None:
        folded = form_of(other, kind).folded
        added = self._sql.execute(
            "INSERT OR IGNORE INTO stated_names VALUES (?, ?, ?, ?, ?, NULL)", (folded, kind, number, self._uri, other)
        )
        if added.rowcount:
            self._by_stated_name(folded, kind)

    def _by_form(self, key: str, kind: EntityKind) -> None:
        """Merge names that differ in case, marks or the mention of a legal form; two legal forms stay two."""
        rows = self._sql.execute("SELECT n, name FROM entities WHERE key = ? AND kind = ?", (key, kind)).fetchall()
        rows = [(n, name) for n, name in rows if not self._parted(n)]
        forms: dict[str, list[tuple[int, str]]] = defaultdict(list)
        for n, name in rows:
            forms[form_of(name, kind).legal].append((n, name))
        legal = [form for form in forms if form]
        groups = [rows] if len(legal) < 2 else list(forms.values())
        wanted: dict[tuple[int, int], float] = {}
        for group in groups:
            first = min(group, key=lambda each: shown_first(each[1], kind))[0]
            wanted |= {(n, first): 1.0 for n, _ in group if n != first}
        self._reconcile([n for n, _ in rows], "form", "the same name but for case, marks or legal form", wanted)

    def _by_stated_name(self, folded: str, kind: EntityKind) -> None:
        """Merge a name that sources state to be another name of one entity, and of one only."""
        rows = self._sql.execute(
            """SELECT DISTINCT s.entity, e.canonical FROM stated_names s JOIN entities e ON e.n = s.entity
            WHERE s.folded = ? AND s.kind = ?""",
            (folded, kind),
        ).fetchall()
        named = self._sql.execute("SELECT n FROM entities WHERE folded = ? AND kind = ?", (folded, kind)).fetchall()
        bare = [n for (n,) in named if not self._parted(n) and n not in {entity for entity, _ in rows}]
        meant = {canonical for _, canonical in rows}
        wanted = {(n, min(rows)[0]): 1.0 for n in bare} if len(meant) == 1 else {}
        self._reconcile(bare, "stated", "a source states it as another name", wanted)

    def _by_spelling(self, number: int, key: str, kind: EntityKind) -> None:
        """Merge a new name with the one entity whose name is spelled and meant alike."""
        if kind not in _SPELLED or self._parted(number):
            return
        head, tail = blocks_of(key)
        rows = self._sql.execute(
            """SELECT n, name, key, canonical FROM entities
            WHERE (head = ? OR tail = ?) AND kind = ? AND key != ? AND n != ?""",
            (head, tail, kind, key, number),
        ).fetchall()
        found: dict[int, tuple[float, int]] = {}
        for n, _, other, canonical in rows:
            spelled = alike(key, other)
            if not spelled or self._parted(n):
                continue
            score = 1.0 if spelled == 1.0 else self._similar(key, other) if self._similar else 0.0
            if score >= SIMILAR_FROM:
                found[canonical] = max(found.get(canonical, (0.0, 0)), (min(1.0, score), n))
        if len(found) == 1:
            ((score, other_n),) = found.values()
            self._merge(number, other_n, "spelling", f"spelled alike, similarity {score:.2f}", score)

    def _reconcile(self, members: Iterable[int], rule: str, reason: str, wanted: dict[tuple[int, int], float]) -> None:
        """Bring the merges of some names under a rule to what is wanted now."""
        for n in members:
            standing = self._sql.execute(
                "SELECT n, a, b FROM merges WHERE a = ? AND rule = ? AND undone_at IS NULL", (n, rule)
            ).fetchall()
            for merge, a, b in standing:
                if (a, b) not in wanted:
                    check(self._sql, "merges", "n = ?", merge)
                    self._sql.execute(
                        "UPDATE merges SET undone_at = ?, undone_by = 'rule' WHERE n = ?", (self._now, merge)
                    )
                    self._settle(a, b)
        for (a, b), score in wanted.items():
            self._merge(a, b, rule, reason, score)

    def _merge(self, a: int, b: int, rule: str, reason: str, score: float) -> None:
        changed = self._sql.execute(
            """INSERT INTO merges (a, b, rule, reason, score, created_at) VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT DO UPDATE SET undone_at = NULL, undone_by = '' WHERE undone_by = 'rule'""",
            (a, b, rule, reason, score, self._now),
        )
        if changed.rowcount:
            self._settle(a, b)

    def _settle(self, *numbers: int) -> None:
        self.moved |= settle(self._sql, numbers)

    def _parted(self, number: int) -> bool:
        found = self._sql.execute("SELECT 1 FROM merges WHERE a = ? AND undone_by = 'user'", (number,)).fetchone()
        return found is not None


def settle(sql: sqlite3.Connection, numbers: Iterable[int]) -> set[int]:
    """Give the names that standing merges unite one entity, and return those whose entity changed."""
    moved: set[int] = set()
    done: set[int] = set()
    for number in numbers:
        if number in done:
            continue
        group = _united(sql, number)
        done |= group
        check(sql, "entities", "n IN (SELECT value FROM json_each(?))", json.dumps(sorted(group)))
        rows = sql.execute(
            f"SELECT n, name, kind, canonical FROM entities WHERE n IN ({','.join(map(str, sorted(group)))})"  # noqa: S608
        ).fetchall()
        first = min(rows, key=lambda row: shown_first(row[1], row[2]))[0]
        for n, _, _, canonical in rows:
            if canonical != first:
                sql.execute("UPDATE entities SET canonical = ? WHERE n = ?", (first, n))
                moved.add(n)
    return moved


def _united(sql: sqlite3.Connection, number: int) -> set[int]:
    group, edge = {number}, [number]
    while edge:
        each = edge.pop()
        rows = sql.execute(
            """SELECT b FROM merges WHERE a = ?1 AND undone_at IS NULL
            UNION SELECT a FROM merges WHERE b = ?1 AND undone_at IS NULL""",
            (each,),
        ).fetchall()
        for (n,) in rows:
            if n not in group:
                group.add(n)
                edge.append(n)
    return group
