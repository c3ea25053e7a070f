"""SQLite as the place of checkpoints, with what the LangGraph server asks of a saver: copy, prune, roll back a run."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, cast

import aiosqlite
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import (
    WRITES_IDX_MAP,
    ChannelVersions,
    Checkpoint,
    CheckpointMetadata,
    CheckpointTuple,
    get_checkpoint_metadata,
)
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

from .checkpoint_ids import newer_than
from .packed_values import PackedValues, Thread
from .sealed_serde import SealedSerializer
from .sqlite import BUSY_TIMEOUT_S, connect
from .sqlite_thread import SqliteThread

_WRITE = (
    "INTO writes (thread_id, checkpoint_ns, checkpoint_id, task_id, task_path, idx, channel, type, value)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
_OF_RUN = "json_extract(CAST(metadata AS TEXT), '$.run_id')"


class ThreadSqliteSaver(AsyncSqliteSaver):
    """Checkpoints in SQLite that can be copied, pruned and rolled back run by run.

    What a run does at every step, one thread does for all runs: read a checkpoint, save it, save what a step returned.
    All that is rare goes through the connection of the library, which is opened when it is first needed.

    Args:
        path: The file.
        serde: The serializer of what is saved.
        remedy: What to do where the file is damaged.
    """

    def __init__(self, path: Path, *, serde: SealedSerializer, remedy: str = "") -> None:
        super().__init__(aiosqlite.connect(path, timeout=BUSY_TIMEOUT_S), serde=serde)
        self._thread = SqliteThread(lambda: _opened(path, remedy))
        self._steps: _Steps | None = None

    async def check(self) -> None:
        """Open the file.  Raises: CitewellError where that is not possible."""
        await self._thread.run(lambda connection: None)

    async def aclose(self) -> None:
        """Let the file go, for the copies that LangGraph makes of this saver too."""
        await asyncio.to_thread(self._thread.close)
        await self.conn.close()

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """Return a thread's checkpoint; what is saved after it sorts behind it, whatever the clock says."""
        found = await self._thread.run(lambda connection: self._on(connection).get_tuple(config))
        newer_than(found)
        return found

    async def athread_ids(self) -> list[str]:
        """Return the threads that there are, of which nothing is read."""

        def names(connection: sqlite3.Connection) -> list[tuple[str]]:
            self._on(connection).setup()
            return connection.execute("SELECT DISTINCT thread_id FROM checkpoints WHERE checkpoint_ns = ''").fetchall()

        return [thread_id for (thread_id,) in await self._thread.run(names)]

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """Save a checkpoint."""
        return await self._thread.run(
            lambda connection: self._on(connection).put(config, checkpoint, metadata, new_versions)
        )

    async def aput_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        """Save what a step returned: with its checkpoint, or before it where that takes its time."""
        await self._thread.run_with_next(
            lambda connection: self._on(connection).put_writes(config, writes, task_id, task_path)
        )

    def _on(self, connection: sqlite3.Connection) -> _Steps:
        if self._steps is None or self._steps.conn is not connection:
            self._steps = _Steps(connection, serde=cast("SealedSerializer", self.serde))
        return self._steps

    async def adelete_thread(self, thread_id: str) -> None:
        """Delete a thread; one of a new home, where nothing was written yet, is none."""
        await self.setup()
        await super().adelete_thread(thread_id)

    async def adelete_for_runs(self, run_ids: Sequence[str]) -> None:
        """Delete what these runs of a server saved, so that their threads are as they were before."""
        await self.setup()
        async with self.lock, self.conn.cursor() as cursor:
            for run_id in map(str, run_ids):
                await cursor.execute(
                    "DELETE FROM writes WHERE (thread_id, checkpoint_ns, checkpoint_id) IN"  # noqa: S608 (a constant)
                    f" (SELECT thread_id, checkpoint_ns, checkpoint_id FROM checkpoints WHERE {_OF_RUN} = ?)",
                    (run_id,),
                )
                await cursor.execute(f"DELETE FROM checkpoints WHERE {_OF_RUN} = ?", (run_id,))  # noqa: S608
            await self.conn.commit()

    async def acopy_thread(self, source_thread_id: str, target_thread_id: str) -> None:
        """Copy a thread with its history under a new id."""
        await self.setup()
        new, old = str(target_thread_id), str(source_thread_id)
        async with self.lock, self.conn.cursor() as cursor:
            await cursor.execute(
                "INSERT INTO checkpoints (thread_id, checkpoint_ns, checkpoint_id, parent_checkpoint_id, type,"
                " checkpoint, metadata) SELECT ?, checkpoint_ns, checkpoint_id, parent_checkpoint_id, type, checkpoint,"
                " CAST(json_set(CAST(metadata AS TEXT), '$.thread_id', ?) AS BLOB) FROM checkpoints"
                " WHERE thread_id = ?",
                (new, new, old),
            )
            await cursor.execute(
                "INSERT INTO writes (thread_id, checkpoint_ns, checkpoint_id, task_id, task_path, idx, channel, type,"
                " value) SELECT ?, checkpoint_ns, checkpoint_id, task_id, task_path, idx, channel, type, value"
                " FROM writes WHERE thread_id = ?",
                (new, old),
            )
            await self.conn.commit()

    async def aprune(self, thread_ids: Sequence[str], *, strategy: str = "keep_latest") -> None:
        """Delete all but the latest checkpoint of threads (`keep_latest`), or all of them (`delete`, `delete_all`).

        The latest one of a graph inside a node is kept only while its parent still stands at that node.
        Raises: ValueError for another strategy.
        """
        if strategy not in ("keep_latest", "delete", "delete_all"):
            raise ValueError(f"unknown strategy {strategy!r}")
        await self.setup()
        for thread_id in map(str, thread_ids):
            if strategy == "keep_latest":
                await self._keep_latest(thread_id)
            else:
                await self.adelete_thread(thread_id)

    async def _keep_latest(self, thread_id: str) -> None:
        async with self.lock, self.conn.cursor() as cursor:
            await cursor.execute(
                "SELECT checkpoint_ns, checkpoint_id, metadata FROM checkpoints WHERE thread_id = ?"
                " ORDER BY checkpoint_id",
                (thread_id,),
            )
            latest: dict[str, tuple[str, str | None]] = {}
            roots: set[str] = set()
            async for place, checkpoint_id, metadata in cursor:
                latest[place] = checkpoint_id, (json.loads(metadata or b"{}").get("parents") or {}).get("")
                if not place:
                    roots.add(checkpoint_id)
            for place, (checkpoint_id, root) in latest.items():
                # A graph inside a node is done with once its parent has gone on.
                left_behind = ":" in place and root in roots and root != latest[""][0]
                for table in ("writes", "checkpoints"):
                    await cursor.execute(
                        f"DELETE FROM {table} WHERE thread_id = ? AND checkpoint_ns = ? AND checkpoint_id <> ?",  # noqa: S608
                        (thread_id, place, "" if left_behind else checkpoint_id),
                    )
                await cursor.execute(
                    "UPDATE checkpoints SET parent_checkpoint_id = NULL WHERE thread_id = ? AND checkpoint_ns = ?",
                    (thread_id, place),
                )
            await self.conn.commit()


class _Steps(SqliteSaver):
    """What the library reads and writes for a step, on a connection whose thread commits.

    Rows are the library's; only, a value that did not change since the last checkpoint is not packed again.
    """

    def __init__(self, connection: sqlite3.Connection, *, serde: SealedSerializer) -> None:
        super().__init__(connection, serde=serde)
        self._sealed = serde
        self._packed = PackedValues(serde.packed)

    @contextmanager
    def cursor(self, transaction: bool = True) -> Iterator[sqlite3.Cursor]:
        """Give a cursor; nothing is committed here."""
        self.setup()
        with closing(self.conn.cursor()) as cursor:
            yield cursor

    def put(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """Save a checkpoint."""
        self.setup()
        place = config["configurable"]
        thread, checkpoint_id = _thread_of(config), checkpoint["id"]
        packed = self._packed.of_checkpoint(thread, checkpoint["channel_values"], checkpoint["channel_versions"])
        told = json.dumps(get_checkpoint_metadata(config, metadata), ensure_ascii=False).encode("utf-8", "ignore")
        self.conn.execute(
            "INSERT OR REPLACE INTO checkpoints (thread_id, checkpoint_ns, checkpoint_id, parent_checkpoint_id, type,"
            " checkpoint, metadata) VALUES (?, ?, ?, ?, ?, ?, ?)",
            (*thread, checkpoint_id, place.get("checkpoint_id"), *self._sealed.checkpoint_of(checkpoint, packed), told),
        )
        return {"configurable": {"thread_id": thread[0], "checkpoint_ns": thread[1], "checkpoint_id": checkpoint_id}}

    def put_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        """Save what a step returned."""
        self.setup()
        thread, checkpoint_id = _thread_of(config), str(config["configurable"]["checkpoint_id"])
        rows = []
        for place, (channel, value) in enumerate(writes):
            kind, data = self._sealed.dumps_typed(value)
            self._packed.note(thread, value, data)
            place = WRITES_IDX_MAP.get(channel, place)
            rows.append((*thread, checkpoint_id, task_id, task_path, place, channel, kind, data))
        # What is said of a step, e.g. its error, may be said anew; what it returned stays.
        anew = all(channel in WRITES_IDX_MAP for channel, _ in writes)
        self.conn.executemany(f"INSERT OR {'REPLACE' if anew else 'IGNORE'} {_WRITE}", rows)


def _thread_of(config: RunnableConfig) -> Thread:
    place = config["configurable"]
    return str(place["thread_id"]), str(place["checkpoint_ns"])


def _opened(path: Path, remedy: str) -> sqlite3.Connection:
    connection = connect(path, remedy=remedy)
    # A killed process loses nothing; where the power fails, the last steps are done once more.
    connection.execute("PRAGMA synchronous=NORMAL")
    return connection
