"""SQLite as the place of checkpoints, with what the LangGraph server asks of a saver: copy, prune, roll back a run."""

from __future__ import annotations

import json
from collections.abc import Sequence

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import CheckpointTuple
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

from .checkpoint_ids import newer_than

_OF_RUN = "json_extract(CAST(metadata AS TEXT), '$.run_id')"


class ThreadSqliteSaver(AsyncSqliteSaver):
    """Checkpoints in SQLite that can be copied, pruned and rolled back run by run."""

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """Return a thread's checkpoint; what is saved after it sorts behind it, whatever the clock says."""
        found = await super().aget_tuple(config)
        newer_than(found)
        return found

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
