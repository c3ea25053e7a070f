"""Searches kept for a while, each with its age, so that a second run asks a provider nothing it knows."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from ..errors import CitewellError
from ..state.sqlite import connect
from .web_search import SearchHit, SearchResult, WebSearch

MAX_AGE = timedelta(hours=6)

_SCHEMA = """
CREATE TABLE IF NOT EXISTS searches (
  request TEXT PRIMARY KEY, result TEXT NOT NULL, searched_at TEXT NOT NULL
) WITHOUT ROWID
"""


@dataclass(frozen=True)
class CachedSearch:
    """A provider with a memory.  A cache that cannot be read or written is passed by.

    Attributes:
        max_age: An older search is asked again.
    """

    provider: WebSearch
    path: Path
    max_age: timedelta = MAX_AGE
    clock: Callable[[], datetime] = lambda: datetime.now(UTC)

    @property
    def name(self) -> str:
        """The provider's name."""
        return self.provider.name

    @property
    def hosts(self) -> tuple[str, ...]:
        """Hosts the provider has contacted."""
        return self.provider.hosts

    async def search(
        self, query: str, *, max_results: int, allow_domains: Sequence[str] = (), deny_domains: Sequence[str] = ()
    ) -> SearchResult:
        """Return a kept result that is young enough, or ask the provider and keep what it says."""
        asked = [self.name, query, max_results, sorted(allow_domains), sorted(deny_domains)]
        request = json.dumps(asked, ensure_ascii=True)
        kept = await asyncio.to_thread(self._find, request)
        if kept is not None:
            return kept
        result = await self.provider.search(
            query, max_results=max_results, allow_domains=allow_domains, deny_domains=deny_domains
        )
        if result.query:
            await asyncio.to_thread(self._keep, request, result)
        return result

    def _find(self, request: str) -> SearchResult | None:
        try:
            with closing(connect(self.path, _SCHEMA)) as database:
                row = database.execute(
                    "SELECT result, searched_at FROM searches WHERE request = ?", (request,)
                ).fetchone()
        except (CitewellError, sqlite3.Error):
            return None
        if row is None or self.clock() - datetime.fromisoformat(row[1]) > self.max_age:
            return None
        return replace(_decoded(row[0]), from_cache=True)

    def _keep(self, request: str, result: SearchResult) -> None:
        try:
            with closing(connect(self.path, _SCHEMA)) as database, database:
                database.execute(
                    "INSERT OR REPLACE INTO searches VALUES (?, ?, ?)",
                    (request, _encoded(result), (result.searched_at or self.clock()).isoformat()),
                )
        except (CitewellError, sqlite3.Error):
            return


def _encoded(result: SearchResult) -> str:
    return json.dumps(asdict(result), default=lambda when: when.isoformat())


def _decoded(text: str) -> SearchResult:
    values = json.loads(text)
    hits = tuple(SearchHit(**hit | {"published_at": _time(hit["published_at"])}) for hit in values["hits"])
    return SearchResult(**values | {"hits": hits, "searched_at": _time(values["searched_at"])})


def _time(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None
