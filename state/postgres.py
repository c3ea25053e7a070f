"""Postgres as the place of checkpoints and store: a pool, tables made once, what a LangGraph server asks of a saver."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import urlsplit

import psycopg
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import ChannelVersions, Checkpoint, CheckpointMetadata, CheckpointTuple
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from langgraph.checkpoint.serde.base import SerializerProtocol
from langgraph.store.postgres.aio import AsyncPostgresStore
from psycopg.rows import DictRow, dict_row
from psycopg_pool import AsyncConnectionPool

from ..errors import ProviderError, ProviderUnavailable
from .checkpoint_ids import newer_than

MAX_CONNECTIONS = 8
CONNECT_TIMEOUT_S = 10
SETUP_LOCK = 0x63697465  # "cite": any number does that all processes of a deployment share
_HOW: dict[str, Any] = {"autocommit": True, "prepare_threshold": 0, "row_factory": dict_row}

Connection = psycopg.AsyncConnection[DictRow]
Pool = AsyncConnectionPool[Connection]


class PooledPostgresSaver(AsyncPostgresSaver):
    """Checkpoints in Postgres, written side by side, that can be copied, pruned and rolled back run by run."""

    def __init__(self, pool: Pool, serde: SerializerProtocol) -> None:
        super().__init__(pool, serde=serde)
        # The library's lock lets one task at a time use a pool of many connections.
        self.lock = asyncio.Semaphore(MAX_CONNECTIONS)  # type: ignore[assignment]

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """Return a thread's checkpoint; what is saved after it sorts behind it, whatever the clock says."""
        found = await super().aget_tuple(config)
        newer_than(found)
        return found

    async def athread_ids(self) -> list[str]:
        """Return the threads that there are, of which nothing is read."""
        async with self._cursor() as cursor:
            await cursor.execute("SELECT DISTINCT thread_id FROM checkpoints WHERE checkpoint_ns = ''")
            return [row["thread_id"] async for row in cursor]

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """Save a checkpoint; characters that Postgres cannot hold in JSON (NUL, lone surrogates) become U+FFFD."""
        values = {
            name: storable(value) if isinstance(value, str) else value
            for name, value in checkpoint["channel_values"].items()
        }
        stored: Checkpoint = {**checkpoint, "channel_values": values}
        return await super().aput(config, stored, metadata, new_versions)

    async def adelete_for_runs(self, run_ids: Sequence[str]) -> None:
        """Delete what these runs of a server saved, so that their threads are as they were before."""
        ids = [str(run_id) for run_id in run_ids]
        async with self._cursor() as cursor, cursor.connection.transaction():
            await cursor.execute(
                "DELETE FROM checkpoint_writes WHERE (thread_id, checkpoint_ns, checkpoint_id) IN (SELECT thread_id,"
                " checkpoint_ns, checkpoint_id FROM checkpoints WHERE metadata ->> 'run_id' = ANY(%s))",
                (ids,),
            )
            await cursor.execute("DELETE FROM checkpoints WHERE metadata ->> 'run_id' = ANY(%s)", (ids,))

    async def acopy_thread(self, source_thread_id: str, target_thread_id: str) -> None:
        """Copy a thread with its history under a new id."""
        new, old = str(target_thread_id), str(source_thread_id)
        async with self._cursor() as cursor, cursor.connection.transaction():
            await cursor.execute(
                "INSERT INTO checkpoints (thread_id, checkpoint_ns, checkpoint_id, parent_checkpoint_id, type,"
                " checkpoint, metadata) SELECT %s, checkpoint_ns, checkpoint_id, parent_checkpoint_id, type,"
                " checkpoint, jsonb_set(metadata, '{thread_id}', to_jsonb(%s::text)) FROM checkpoints"
                " WHERE thread_id = %s",
                (new, new, old),
            )
            await cursor.execute(
                "INSERT INTO checkpoint_blobs (thread_id, checkpoint_ns, channel, version, type, blob)"
                " SELECT %s, checkpoint_ns, channel, version, type, blob FROM checkpoint_blobs WHERE thread_id = %s",
                (new, old),
            )
            await cursor.execute(
                "INSERT INTO checkpoint_writes (thread_id, checkpoint_ns, checkpoint_id, task_id, task_path, idx,"
                " channel, type, blob) SELECT %s, checkpoint_ns, checkpoint_id, task_id, task_path, idx, channel, type,"
                " blob FROM checkpoint_writes WHERE thread_id = %s",
                (new, old),
            )

    async def aprune(self, thread_ids: Sequence[str], *, strategy: str = "keep_latest") -> None:
        """Delete all but the latest checkpoint of threads (`keep_latest`), or all of them (`delete`, `delete_all`)."""
        await super().aprune(thread_ids, strategy="delete" if strategy == "delete_all" else strategy)


@asynccontextmanager
async def open_postgres_saver(url: str, serde: SerializerProtocol) -> AsyncIterator[PooledPostgresSaver]:
    """Open the checkpoints of a Postgres database, making their tables where they are missing.

    Raises: ProviderError where the database cannot be reached or refuses; it names the host, never user or password.
    """
    async with _pool(url, AsyncPostgresSaver) as pool:
        yield PooledPostgresSaver(pool, serde)


@asynccontextmanager
async def open_postgres_store(url: str) -> AsyncIterator[AsyncPostgresStore]:
    """Open the long-term store of a Postgres database, making its tables where they are missing.

    Raises: ProviderError as `open_postgres_saver` does.
    """
    async with _pool(url, AsyncPostgresStore) as pool:
        yield AsyncPostgresStore(pool)  # type: ignore[arg-type]


def storable(text: str) -> str:
    """Return a text as Postgres can hold it."""
    return text.replace("\x00", "\ufffd").encode("utf-16", "surrogatepass").decode("utf-16", "replace")


@asynccontextmanager
async def _pool(url: str, kind: type[AsyncPostgresSaver] | type[AsyncPostgresStore]) -> AsyncIterator[Pool]:
    try:
        first: Connection = await psycopg.AsyncConnection.connect(url, connect_timeout=CONNECT_TIMEOUT_S, **_HOW)
        async with first:
            await _set_up(first, kind)
    except psycopg.Error as error:
        raise refusal(url, error) from error
    pool: Pool = AsyncConnectionPool(
        url,
        open=False,
        min_size=1,
        max_size=MAX_CONNECTIONS,
        kwargs=_HOW,
        # A connection that died with its server is replaced before it is used.
        check=AsyncConnectionPool.check_connection,
    )
    async with pool:
        yield pool


async def _set_up(connection: Connection, kind: type[AsyncPostgresSaver] | type[AsyncPostgresStore]) -> None:
    """Make the tables, one process at a time."""
    # Asked again and again: whoever waits inside Postgres would hold up the indexes that the other one builds.
    while not (await _one(connection, "SELECT pg_try_advisory_lock(%s) AS got"))["got"]:  # noqa: ASYNC110
        await asyncio.sleep(0.05)
    try:
        await kind(connection).setup()  # type: ignore[arg-type]
    finally:
        await _one(connection, "SELECT pg_advisory_unlock(%s) AS freed")


async def _one(connection: Connection, query: str) -> dict[str, Any]:
    found = await (await connection.execute(query, (SETUP_LOCK,))).fetchone()
    assert found is not None
    return found


def refusal(url: str, error: psycopg.Error) -> ProviderError:
    """Return the error for a user; the library's own words may repeat the password."""
    unread = ProviderError("Postgres", "its address cannot be read", setting="CITEWELL_POSTGRES_URL")
    try:
        parts = urlsplit(url)
        where = f"Postgres at {parts.hostname or 'its socket'}{f':{parts.port}' if parts.port else ''}"
    except ValueError:
        return unread
    if isinstance(error, psycopg.ProgrammingError) and error.sqlstate is None:
        return unread
    if "authentication" in str(error):
        return ProviderError(where, "refuses the login", setting="CITEWELL_POSTGRES_URL")
    if error.sqlstate or "does not exist" in str(error):
        return ProviderError(
            where, f"refuses ({error.sqlstate or 'no such database or user'})", setting="CITEWELL_POSTGRES_URL"
        )
    return ProviderUnavailable(where, "does not answer (start the server, or unset CITEWELL_POSTGRES_URL)")
