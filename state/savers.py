"""Where checkpoints and the store live: SQLite, or Postgres by setting; and the types that a saver accepts."""

from __future__ import annotations

import asyncio
import inspect
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from types import ModuleType
from typing import TYPE_CHECKING, Any

from ..errors import CitewellError, UsageError, cause
from ..settings import Environment
from . import records, research
from .sqlite import connect, unusable

if TYPE_CHECKING:
    import aiosqlite
    from langgraph.checkpoint.base import BaseCheckpointSaver
    from langgraph.store.base import BaseStore

    from .postgres import PooledPostgresSaver
    from .sealed_serde import SealedSerializer
    from .sqlite_saver import ThreadSqliteSaver

    ThreadSaver = ThreadSqliteSaver | PooledPostgresSaver

_REMEDY = "move it away: the threads in it are lost, reports and corpora are not"

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


def checkpoint_serde() -> SealedSerializer:
    """Return the serializer that accepts our records and nothing else beyond LangGraph's own types."""
    from .sealed_serde import SealedSerializer

    return SealedSerializer(allowed_msgpack_modules=CHECKPOINT_TYPES)


@asynccontextmanager
async def open_saver(environment: Environment, serde: SealedSerializer | None = None) -> AsyncIterator[ThreadSaver]:
    """Open the saver of a deployment: `CITEWELL_POSTGRES_URL` where set, else `checkpoints.sqlite` in the home.

    Args:
        serde: Another serializer than `checkpoint_serde`.
    Raises: CitewellError where the home cannot be written; UsageError where the Postgres package is missing;
        ProviderError where Postgres cannot be reached.
    """
    serde = serde or checkpoint_serde()
    if environment.postgres_url:
        postgres = _postgres()
        async with postgres.open_postgres_saver(environment.postgres_url, serde) as saver:
            yield saver
        return

    from .sqlite_saver import ThreadSqliteSaver

    path = environment.home / "checkpoints.sqlite"
    saver = ThreadSqliteSaver(path, serde=serde, remedy=_REMEDY)
    try:
        await saver.check()
        yield saver
    except sqlite3.Error as error:  # what other files raise is named where they are read
        raise unusable(path, error, _REMEDY) from error
    finally:
        await saver.aclose()


@asynccontextmanager
async def open_store(environment: Environment) -> AsyncIterator[BaseStore]:
    """Open LangGraph's long-term store of a deployment: in Postgres where set, else `store.sqlite` in the home.

    Raises: what `open_saver` raises.
    """
    if environment.postgres_url:
        postgres = _postgres()
        async with postgres.open_postgres_store(environment.postgres_url) as store:
            yield store
        return

    from filelock import AsyncFileLock
    from langgraph.store.sqlite.aio import AsyncSqliteStore

    async with _sqlite(environment, "store.sqlite", isolation_level=None) as connection:
        sqlite = AsyncSqliteStore(connection)
        # Its migrations are not made for several processes that begin at once.
        async with AsyncFileLock(environment.home / "store.lock"):
            await sqlite.setup()
        yield sqlite


@asynccontextmanager
async def saver() -> AsyncIterator[BaseCheckpointSaver]:
    """The LangGraph server's saver, named in `langgraph.json` under `checkpointer.path`."""
    from .server_serde import ServerSerializer

    async with open_saver(Environment.read(), ServerSerializer(allowed_msgpack_modules=CHECKPOINT_TYPES)) as opened:
        yield opened


@asynccontextmanager
async def store() -> AsyncIterator[BaseStore]:
    """The LangGraph server's long-term store, named in `langgraph.json` under `store.path`."""
    async with open_store(Environment.read()) as opened:
        yield opened


def _postgres() -> ModuleType:
    try:
        from . import postgres
    except ImportError as error:
        raise UsageError("CITEWELL_POSTGRES_URL is set: install citewell[postgres]") from error
    return postgres


@asynccontextmanager
async def _sqlite(environment: Environment, name: str, **how: Any) -> AsyncIterator[aiosqlite.Connection]:
    import aiosqlite

    path = environment.home / name
    try:
        await asyncio.to_thread(lambda: connect(path, remedy=_REMEDY).close())
        connection = await aiosqlite.connect(path, timeout=60, **how)
        # A killed process loses nothing; where the power fails, the last steps are done once more.
        await connection.execute("PRAGMA synchronous=NORMAL")
    except OSError as error:
        raise CitewellError(f"{path}: cannot be opened ({cause(error)})") from error
    except aiosqlite.Error as error:
        raise unusable(path, error, _REMEDY) from error
    try:
        yield connection
    except aiosqlite.Error as error:  # what other files raise is named where they are read
        raise unusable(path, error, _REMEDY) from error
    finally:
        await connection.close()
