"""Fetch web pages: guarded, polite, bounded in time and size, revalidated from a disk cache."""

from __future__ import annotations

import asyncio
import logging
import os
import sqlite3
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.message import Message
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self
from urllib.parse import urljoin, urlsplit

import httpx

from ..errors import FetchFailed, FetchRefused, SourceError
from ..settings import Environment, Settings
from .guard import AddressGuard, GuardedTransport
from .politeness import USER_AGENT, HostQueue, HostTable, Manners, Robots, http_date, retry_after_s, shared_table
from .urls import tidy

if TYPE_CHECKING:
    from hishel import AsyncSqliteStorage

TIMEOUT_S = 25.0
MAX_BYTES = 25_000_000
MAX_REDIRECTS = 10
_ROBOTS_BYTES = 512_000
_FETCHED_AT = "x-citewell-fetched-at"
_BUSY = (429, 503)
_HEADERS = {
    "User-Agent": f"{USER_AGENT}/0.1",
    "Accept": "text/html,application/xhtml+xml,application/pdf,text/plain;q=0.9,*/*;q=0.5",
}

# The cache works on without a readable database; its log of that would reach the terminal as a traceback.
logging.getLogger("hishel").addHandler(logging.NullHandler())


@dataclass(frozen=True)
class Page:
    """What a host gave for a URL.

    Attributes:
        url: As it was asked for.
        final_url: After redirects.
        content: The decoded body.
        media_type: From the Content-Type header, lower case, "" where absent.
        charset: From the Content-Type header, None where absent.
        published_at: Last-Modified, where it is not just the time of the answer.
        fetched_at: When the host last gave or confirmed it.
        from_cache: True where the body came from the disk cache, revalidated or still fresh.
    """

    url: str
    final_url: str
    content: bytes
    media_type: str
    charset: str | None
    published_at: datetime | None
    fetched_at: datetime
    from_cache: bool


class Fetcher:
    """Fetches pages for one run.  Use as an async context manager, or call `aclose`."""

    def __init__(
        self,
        *,
        cache_dir: Path | None = None,
        guard: AddressGuard | None = None,
        transport: httpx.AsyncBaseTransport | None = None,
        manners: Manners | None = None,
        timeout_s: float = TIMEOUT_S,
        max_bytes: int = MAX_BYTES,
        max_parallel: int = 16,
        hosts: HostTable | None = None,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """Set up without touching network or disk.

        Args:
            cache_dir: Folder of the disk cache; None for none.
            guard: Decides which addresses may be reached; public ones by default.
            transport: Makes the connections to checked addresses; a test hands in another.
            timeout_s: Seconds for one page with its redirects, waiting in a host's queue not counted.
            max_bytes: A decoded body larger than this is a failure.
            hosts: Queues and rules by host; those of the running event loop by default.
        """
        self.guard = guard or AddressGuard()
        self.manners = manners or Manners()
        self.timeout_s, self.max_bytes, self.clock, self.sleep = timeout_s, max_bytes, clock, sleep
        self._contacted: dict[str, None] = {}
        self._cache_dir = cache_dir
        self._transport = transport
        self._client: httpx.AsyncClient | None = None
        self._opening = asyncio.Lock()
        self._hosts = hosts
        self._robots: dict[str, asyncio.Task[Robots]] = {}
        self._slots = asyncio.Semaphore(max_parallel)

    @classmethod
    def from_settings(cls, settings: Settings, environment: Environment) -> Fetcher:
        """Build the fetcher of a run."""
        guard = AddressGuard.from_setting(environment.allow_private_hosts, offline=settings.offline)
        return cls(cache_dir=environment.home / "cache", guard=guard)

    @property
    def hosts_contacted(self) -> tuple[str, ...]:
        """Hosts to which a connection was tried, in order."""
        return tuple(self._contacted)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Close connections and the cache."""
        for task in self._robots.values():
            task.cancel()
        await asyncio.gather(*self._robots.values(), return_exceptions=True)
        if self._client is not None:
            await self._client.aclose()
            self._client = None

    async def fetch(self, url: str) -> Page:
        """Fetch one page, following redirects, each of them checked as if it had been asked for.

        Raises:
            FetchRefused: The guard or robots.txt refuses the URL or one it redirects to.
            FetchFailed: No complete answer in time, an error status, or a body over the size limit.
        """
        async with self._slots:
            at, left_s = tidy(url.strip()), self.timeout_s
            for hop in range(MAX_REDIRECTS + 1):
                try:
                    started = asyncio.get_running_loop().time()
                    queue = await self._admitted(at)
                    left_s -= asyncio.get_running_loop().time() - started
                    response, content, spent_s = await self._get_politely(at, queue, max(left_s, 0.1))
                except SourceError as error:
                    raise _about(url, error, at if hop else "") from error
                left_s -= spent_s
                if not response.has_redirect_location:
                    return self._page(url, at, response, content)
                at = tidy(urljoin(at, response.headers["location"]))
        raise _lasting(url, f"more than {MAX_REDIRECTS} redirects")

    async def _admitted(self, url: str) -> HostQueue:
        """Return the queue of a URL's host once the guard and robots.txt let it pass."""
        host, _ = self.guard.check_form(url)
        await self.guard.check(url)
        parts = urlsplit(url)
        origin = f"{parts.scheme}://{parts.netloc}"
        table = self._hosts or shared_table()
        queue = table.queues.setdefault(host, HostQueue(self.manners, self.sleep))
        robots = table.rules(origin)
        if robots is None:
            if origin not in self._robots:
                self._robots[origin] = asyncio.create_task(self._read_robots(origin, queue))
            # Shielded: a page that is given up must not take the rules away from the others of its host.
            robots = await asyncio.shield(self._robots[origin])
            if not robots.closed:
                table.robots[origin] = (robots, asyncio.get_running_loop().time())
        queue.slow_down(robots.crawl_delay_s)
        if not robots.allows(url):
            raise FetchRefused(url, robots.closed or "refused by robots.txt")
        return queue

    async def _read_robots(self, origin: str, queue: HostQueue) -> Robots:
        """Read the rules of an origin; by RFC 9309 a 4xx means none, and no answer means that nothing is allowed."""
        at = f"{origin}/robots.txt"
        try:
            for _ in range(5):
                await self.guard.check(at)
                response, content, _ = await self._get_politely(at, queue, self.timeout_s, _ROBOTS_BYTES)
                if not response.has_redirect_location:
                    return Robots(content.decode("utf-8-sig", "replace"))
                at = urljoin(at, response.headers["location"])
        except _Status as error:
            if error.status < 500 and error.status != 429:
                return Robots(None)
            return Robots(None, closed=f"refused: robots.txt answers HTTP {error.status}")
        except FetchRefused:
            return Robots(None)
        except SourceError as error:
            return Robots(None, closed=f"robots.txt: {error.reason}")
        return Robots(None)

    async def _get_politely(
        self, url: str, queue: HostQueue, left_s: float, max_bytes: int | None = None
    ) -> tuple[httpx.Response, bytes, float]:
        """Return the answer, its body and the seconds it took; a busy host is asked once more when it says when."""
        for attempt in (1, 2):
            async with queue.turn():
                started = asyncio.get_running_loop().time()
                try:
                    response, content = await self._get(url, left_s, max_bytes or self.max_bytes)
                    return response, content, asyncio.get_running_loop().time() - started
                except _Status as error:
                    wait_s = error.retry_after_s
                    if attempt == 2 or wait_s is None or wait_s > self.manners.longest_wait_s:
                        raise
            await self.sleep(wait_s)
        raise AssertionError("unreachable")

    async def _get(self, url: str, left_s: float, max_bytes: int) -> tuple[httpx.Response, bytes]:
        try:
            client = await self._open()
            async with asyncio.timeout(left_s), client.stream("GET", url) as response:
                if response.status_code >= 400:
                    raise _Status(url, response, self.clock())
                content = bytearray()
                async for piece in response.aiter_bytes():
                    content += piece
                    if len(content) > max_bytes:
                        if max_bytes == _ROBOTS_BYTES:
                            break
                        raise _lasting(url, f"larger than {max_bytes:,} bytes")
                return response, bytes(content)
        except (TimeoutError, httpx.TimeoutException) as error:
            raise FetchFailed(url, f"no complete answer within {self.timeout_s:g} s") from error
        except (httpx.DecodingError, httpx.InvalidURL) as error:
            raise _lasting(url, f"unreadable answer: {error}") from error
        except httpx.HTTPError as error:
            raise FetchFailed(url, f"connection failed: {str(error) or type(error).__name__}") from error

    def _page(self, url: str, final_url: str, response: httpx.Response, content: bytes) -> Page:
        header = Message()
        header["content-type"] = response.headers.get("content-type", "")
        charset = header.get_content_charset()
        fetched_at = datetime.fromisoformat(response.headers.get(_FETCHED_AT) or self.clock().isoformat())
        modified = http_date(response.headers.get("last-modified"))
        if modified is not None and fetched_at - modified < timedelta(minutes=2):
            modified = None  # Made for this answer: it dates the answer, not the text.
        return Page(
            url=url,
            final_url=final_url,
            content=content,
            media_type=header.get_content_type() if response.headers.get("content-type") else "",
            charset=charset,
            published_at=modified,
            fetched_at=fetched_at,
            from_cache=bool(response.extensions.get("caching", {}).get("from_cache")),
        )

    async def _open(self) -> httpx.AsyncClient:
        """Make the client once, in a thread: certificates and the cache's folder are read from the disk."""
        async with self._opening:
            if self._client is None:
                storage = await _cache_at(self._cache_dir)
                self._client = await asyncio.to_thread(self._make, storage)
            return self._client

    def _make(self, storage: AsyncSqliteStorage | None) -> httpx.AsyncClient:
        # A kept connection would be found by its address and could serve another name; see GuardedTransport.
        inner = self._transport or httpx.AsyncHTTPTransport(
            verify=httpx.create_ssl_context(), limits=httpx.Limits(max_keepalive_connections=0)
        )
        guarded = GuardedTransport(self.guard, inner, lambda host: self._contacted.setdefault(host))
        stamped = _Stamped(guarded, self.clock)
        return httpx.AsyncClient(
            transport=_cached(stamped, storage),
            headers=_HEADERS,
            timeout=self.timeout_s,
            follow_redirects=False,
            trust_env=False,
        )


class _Status(FetchFailed):
    """An HTTP error status."""

    def __init__(self, url: str, response: httpx.Response, now: datetime) -> None:
        self.status = response.status_code
        self.retry_after_s = retry_after_s(response.headers.get("retry-after"), now) if self.status in _BUSY else None
        later = f", asks to wait {self.retry_after_s:g} s" if self.retry_after_s else ""
        super().__init__(url, f"HTTP {self.status} {response.reason_phrase}".rstrip() + later)
        self.transient = self.status in (408, 425, 429) or self.status >= 500


class _Stamped(httpx.AsyncBaseTransport):
    """Writes the time of the answer into it, so that a cached page knows its age."""

    def __init__(self, inner: httpx.AsyncBaseTransport, clock: Callable[[], datetime]) -> None:
        self.inner, self.clock = inner, clock

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        response = await self.inner.handle_async_request(request)
        response.headers[_FETCHED_AT] = self.clock().isoformat()
        return response

    async def aclose(self) -> None:
        await self.inner.aclose()


async def _cache_at(folder: Path | None) -> AsyncSqliteStorage | None:
    """Connect the disk cache in a folder; None without one, or where it cannot be written.

    Left to itself, the cache would make its folder on the event loop, which a server refuses.
    """
    if folder is None or not await asyncio.to_thread(_is_writable, folder):
        return None
    import anysqlite
    from hishel import AsyncSqliteStorage

    path = folder / "pages.sqlite"
    try:
        return AsyncSqliteStorage(connection=await anysqlite.connect(str(path), isolation_level=None))
    except sqlite3.Error:
        return None


def _is_writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(folder, os.W_OK)


def _cached(inner: httpx.AsyncBaseTransport, storage: AsyncSqliteStorage | None) -> httpx.AsyncBaseTransport:
    """Put the disk cache (RFC 9111: revalidation by ETag and Last-Modified) in front."""
    if storage is None:
        return inner
    from hishel import CacheOptions
    from hishel.httpx import AsyncCacheTransport

    return AsyncCacheTransport(inner, storage=storage, rfc=CacheOptions(shared=False))


def _lasting(url: str, reason: str) -> FetchFailed:
    """Return a failure that asking again does not mend."""
    error = FetchFailed(url, reason)
    error.transient = False
    return error


def _about(url: str, error: SourceError, hop: str) -> SourceError:
    """Return the error told of the URL that was asked for, naming the redirect that met it."""
    reason = f"redirect to {hop}: {error.reason}" if hop else error.reason
    told = FetchRefused(url, reason) if isinstance(error, FetchRefused) else FetchFailed(url, reason)
    told.transient = error.transient
    return told
