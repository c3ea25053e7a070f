"""Where checkpoints live: SQLite by default, Postgres by setting, with the list of types a saver accepts."""

from __future__ import annotations

import inspect
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from ..errors import CitewellError, UsageError
from ..settings import Environment
from . import records, research

if TYPE_CHECKING:
    from langgraph.checkpoint.base import BaseCheckpointSaver
    from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

CHECKPOINT_TYPES = tuple(
    sorted(
        {
            (value.__module__, value.__name__)
            for module in (records, research)
            for value in vars(module).values()
            if inspect.isclass(value) and issubclass(value, records.Record)
        }
    )
)


def checkpoint_serde() -> JsonPlusSerializer:
    """Return the serializer that accepts our records and nothing else beyond LangGraph's own types."""
    from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

    return JsonPlusSerializer(allowed_msgpack_modules=CHECKPOINT_TYPES)


@asynccontextmanager
async def open_saver(environment: Environment) -> AsyncIterator[BaseCheckpointSaver]:
    """Open the saver of a deployment: `CITEWELL_POSTGRES_URL` where set, else `checkpoints.sqlite` in the home.

    Raises: CitewellError where the home cannot be written; UsageError where the Postgres package is missing.
    """
    if environment.postgres_url:
        try:
            from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
        except ImportError as error:
            raise UsageError("CITEWELL_POSTGRES_URL is set: install citewell[postgres]") from error
        async with AsyncPostgresSaver.from_conn_string(environment.postgres_url, serde=checkpoint_serde()) as postgres:
            await postgres.setup()
            yield postgres
        return

    import aiosqlite
    from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

    path = environment.home / "checkpoints.sqlite"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        connection = await aiosqlite.connect(path, timeout=60)
    except (OSError, aiosqlite.Error) as error:
        raise CitewellError(f"{path}: cannot be opened ({error})") from error
    try:
        yield AsyncSqliteSaver(connection, serde=checkpoint_serde())
    finally:
        await connection.close()


@asynccontextmanager
async def saver() -> AsyncIterator[BaseCheckpointSaver]:
    """The LangGraph server's saver, named in `langgraph.json` under `checkpointer.path`."""
    async with open_saver(Environment.read()) as opened:
        yield opened
