"""Tell which entity of a temporal graph a name means: one that bears it, has it in part, or is written much like it."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from ...errors import UsageError
from .names import alike, form_of
from .records import Candidate, Entity, EntityKind
from .rows import entities_of

_FORM_KINDS: tuple[EntityKind, ...] = ("org", "thing")
_BORNE = ("name", "alias", "case", "lead")
_SHORTEST_LEAD = 3


class AmbiguousName(UsageError):
    """A name means several entities.

    Attributes:
        candidates: What it may mean, best first.
    """

    def __init__(self, name: str, candidates: Sequence[Candidate]) -> None:
        told = ", ".join(f"{each.entity.name} ({each.entity.kind}, {each.entity.entity_id})" for each in candidates)
        super().__init__(f"{name!r} may mean {told}: name one of them, or give its id")
        self.candidates = tuple(candidates)


def canonical_of(sql: sqlite3.Connection, entity: str | Entity) -> int | None:
    """Return the canonical number of an entity, given itself, its id or its name; None where unknown.

    Raises: AmbiguousName.
    """
    by_id = entity.entity_id if isinstance(entity, Entity) else entity
    row = sql.execute("SELECT canonical FROM entities WHERE entity_id = ?", (by_id,)).fetchone()
    if row:
        return int(row[0])
    if isinstance(entity, Entity):
        return None
    found = _bearers(sql, entity) or _led(sql, entity)
    if not found:
        return None
    first = max(score for score, _ in found.values())
    best = [canonical for canonical, (score, _) in found.items() if score == first]
    if len(best) > 1:
        left = [each for each in _described(sql, {n: found[n] for n in best}) if each.facts]
        if len(left) != 1:
            raise AmbiguousName(entity, left or _described(sql, {n: found[n] for n in best}))
        by_id = left[0].entity.entity_id
        best = [sql.execute("SELECT canonical FROM entities WHERE entity_id = ?", (by_id,)).fetchone()[0]]
    return int(best[0])


def candidates(sql: sqlite3.Connection, name: str, kind: EntityKind | None) -> list[Candidate]:
    """Return the entities that a name may mean, best first."""
    found = _bearers(sql, name) or _led(sql, name)
    forms = {form_of(" ".join(name.split()), each) for each in _FORM_KINDS}
    keys = sorted({form.key for form in forms})
    if not found or len(keys[0]) > 2:
        for key in keys:
            _note(sql, found, 0.6, "part", "instr(' ' || key || ' ', ' ' || ? || ' ')", [key])
            _note(sql, found, 0.5, "part", "instr(' ' || ? || ' ', ' ' || key || ' ') AND length(key) > 3", [key])
    if not found:
        for canonical, other in sql.execute("SELECT DISTINCT canonical, key FROM entities").fetchall():
            score = max(alike(key, other) for key in keys)
            if score:
                found[canonical] = (round(0.5 * score, 3), "similar")
    made = _described(sql, found)
    return [each for each in made if (kind is None or each.entity.kind == kind) and (each.facts or each.how in _BORNE)]


def _bearers(sql: sqlite3.Connection, name: str) -> dict[int, tuple[float, str]]:
    """Return the entities that bear a name, by canonical number, with score and how."""
    given = " ".join(name.split())
    found: dict[int, tuple[float, str]] = {}
    forms = {form_of(given, each) for each in _FORM_KINDS}
    folded = next(iter(forms)).folded
    _note(sql, found, 1.0, "name", "folded = ? AND name = ?", [folded, given])
    _note(sql, found, 0.95, "alias", "n IN (SELECT entity FROM stated_names WHERE folded = ?)", [folded])
    _note(sql, found, 0.9, "case", "folded = ?", [folded])
    for key in sorted({form.key for form in forms}):
        _note(sql, found, 0.9, "case", "key = ?", [key])
    return found


def _led(sql: sqlite3.Connection, name: str) -> dict[int, tuple[float, str]]:
    """Return the one entity whose name begins with the words given (`Brandt`: Brandt Mills AG); nothing for several."""
    found: dict[int, tuple[float, str]] = {}
    for key in sorted({form_of(" ".join(name.split()), each).key for each in _FORM_KINDS}):
        if len(key) >= _SHORTEST_LEAD:
            _note(sql, found, 0.8, "lead", "substr(key, 1, ?) = ?", [str(len(key) + 1), f"{key} "])
            _note(sql, found, 0.8, "lead", "substr(folded, 1, ?) = ?", [str(len(key) + 1), f"{key} "])
    return found if len(found) == 1 else {}


def _note(
    sql: sqlite3.Connection, found: dict[int, tuple[float, str]], score: float, how: str, where: str, values: list[str]
) -> None:
    for (canonical,) in sql.execute(f"SELECT DISTINCT canonical FROM entities WHERE {where}", values).fetchall():  # noqa: S608
        found.setdefault(canonical, (score, how))


def _described(sql: sqlite3.Connection, found: dict[int, tuple[float, str]]) -> list[Candidate]:
    known = entities_of(sql, list(found))
    made = [
        Candidate(entity=known[canonical], score=score, how=how, facts=_count(sql, canonical))  # type: ignore[arg-type]
        for canonical, (score, how) in found.items()
    ]
    return sorted(made, key=lambda each: (-each.score, -each.facts, each.entity.name, each.entity.entity_id))


def _count(sql: sqlite3.Connection, canonical: int) -> int:
    return int(
        sql.execute(
            """SELECT count(*) FROM triplets t JOIN events e ON e.n = t.event WHERE e.expired_at IS NULL AND t.n IN (
            SELECT n FROM triplets WHERE subject IN (SELECT n FROM entities WHERE canonical = ?1)
            UNION SELECT n FROM triplets WHERE object IN (SELECT n FROM entities WHERE canonical = ?1))""",
            (canonical,),
        ).fetchone()[0]
    )
