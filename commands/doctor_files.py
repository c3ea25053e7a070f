"""Whether what is stored is what was written: every database of the home, and a kept corpus, read from end to end."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from ..errors import CitewellError
from ..retrievers.kg.sealing import SEALED
from ..settings import Environment, Settings

REMEDIES = {
    "checkpoints.sqlite": "move it away: the threads in it are lost, reports and corpora are not",
    "journal.sqlite": "delete it: what is not finished is then asked anew",
    "episodes.sqlite": "delete it: only what earlier runs taught is lost",
    "records.sqlite": "restore the file, or import an export into a new folder",
    "kg.sqlite": "delete it and build the graph again",
}
"""What to do about a damaged file, by its name."""

_CORPUS_REMEDY = "delete this folder and index the sources again"
# Values with a checksum, by their table: what it is over, and how a row is called.
_SEALED = {
    "calls": ("run_id, kind, request, result", "the {1} call of run {0}"),
    "memories": ("user, number, namespace, category, text, metadata, said_at, key, value", "memory {1} of user {0}"),
    "vectors": ("vector", "a vector"),
}
_SEALED |= {name: (", ".join(table.columns), table.called) for name, table in SEALED.items()}
# Which column of LangGraph's tables holds a value whose type carries a checksum.
_STEPS = {"checkpoints": "checkpoint", "writes": "value"}


def damaged_files(home: Path) -> Iterator[tuple[str, str]]:
    """Read the databases of a home and give (what is wrong, what to do) for each that is damaged."""
    for path in sorted([*home.glob("*.sqlite"), *home.glob("memory/*.sqlite"), *home.glob("cache/*.sqlite")]):
        try:
            with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as database:
                wrong = next(_wrong(database), "")
        except sqlite3.Error as error:
            wrong = str(error)
        if wrong:
            yield f"{path}: {wrong}", REMEDIES.get(path.name, "delete it: it is made again")


def _wrong(database: sqlite3.Connection) -> Iterator[str]:
    from ..state.seals import broken

    (found,) = database.execute("PRAGMA integrity_check(1)").fetchone()
    if found != "ok":
        yield str(found)
    tables = {name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    for table in tables & _STEPS.keys():
        yield from _changed_steps(database, table)
    for table in tables & _SEALED.keys():
        columns, called = _SEALED[table]
        if "seal" not in {name for _, name, *_ in database.execute(f"PRAGMA table_info({table})")}:
            continue
        for sealed, *row in database.execute(f"SELECT seal, {columns} FROM {table}"):  # noqa: S608 (constants)
            if broken(sealed, *row):
                yield f"{called.format(*row)} was changed by the disk"


def _changed_steps(database: sqlite3.Connection, table: str) -> Iterator[str]:
    from ..state.sealed_serde import intact

    for thread, kind, data in database.execute(f"SELECT thread_id, type, {_STEPS[table]} FROM {table}"):  # noqa: S608
        if kind is not None and not intact(kind, data or b""):
            yield f"a step of thread {thread} was changed by the disk"


def damaged_corpora(
    home: Path, corpus: Path | None, settings: Settings, environment: Environment
) -> Iterator[tuple[str, str]]:
    """Read the corpora of a home, and a kept one, and give (what is wrong, what to do) for each that is damaged."""
    from .. import Corpus

    folders = [path.parent for path in sorted((home / "corpora").glob("*/corpus.sqlite"))]
    for folder in [*folders, *([corpus] if corpus else [])]:
        try:
            with Corpus.open(folder, settings=settings, environment=environment, reembed=True) as opened:
                wrong = next(opened.problems(), "")
        except CitewellError as error:
            wrong = str(error)
        if wrong:
            yield f"{folder}: {wrong}", _CORPUS_REMEDY
