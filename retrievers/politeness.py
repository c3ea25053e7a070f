"""How a host is treated: few requests at once, a pause between them, and its robots.txt obeyed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from weakref import WeakKeyDictionary

from protego import Protego

USER_AGENT = "citewell"
ROBOTS_AGE_S = 3600.0


@dataclass(frozen=True)
class Manners:
    """How much is asked of one host.

    Attributes:
        parallel: Requests in flight at one host.
        pause_s: Seconds between the starts of two requests to one host.
        longest_pause_s: Upper bound for a pause that robots.txt asks for.
        longest_wait_s: A Retry-After longer than this is not waited for.
    """

    parallel: int = 2
    pause_s: float = 0.2
    longest_pause_s: float = 5.0
    longest_wait_s: float = 15.0


@dataclass
class HostQueue:
    """Lets requests to one host pass a few at a time, spaced."""

    manners: Manners
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    pause_s: float = 0.0
    _slots: asyncio.Semaphore = field(init=False)
    _next_start: float = 0.0

    def __post_init__(self) -> None:
        self._slots = asyncio.Semaphore(self.manners.parallel)
        self.pause_s = self.pause_s or self.manners.pause_s

    def slow_down(self, crawl_delay_s: float | None) -> None:
        """Take over the pause that robots.txt asks for, within bounds."""
        if crawl_delay_s is not None:
            self.pause_s = max(self.manners.pause_s, min(crawl_delay_s, self.manners.longest_pause_s))

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Wait for a slot and for the pause since the last start."""
        async with self._slots:
            now = asyncio.get_running_loop().time()
            start = max(now, self._next_start)
            self._next_start = start + self.pause_s
            if start > now:
                await self.sleep(start - now)
            yield


@dataclass
class HostTable:
    """What is known of each host: its queue, and the rules of its origins with the loop time they were read at."""

    queues: dict[str, HostQueue] = field(default_factory=dict)
    robots: dict[str, tuple[Robots, float]] = field(default_factory=dict)

    def rules(self, origin: str) -> Robots | None:
        """Return the rules of an origin unless they are older than an hour."""
        robots, read_s = self.robots.get(origin, (None, 0.0))
        return robots if asyncio.get_running_loop().time() - read_s < ROBOTS_AGE_S else None


_TABLES: WeakKeyDictionary[asyncio.AbstractEventLoop, HostTable] = WeakKeyDictionary()


def shared_table() -> HostTable:
    """Return the table of the running event loop, so that branches of a run treat a host politely together."""
    return _TABLES.setdefault(asyncio.get_running_loop(), HostTable())


class Robots:
    """The rules of one origin."""

    def __init__(self, text: str | None, *, closed: str = "") -> None:
        """Parse robots.txt.

        Args:
            text: Its content; None where there is none.
            closed: Why everything is refused, where the host could not say what it allows.
        """
        self._rules = Protego.parse(text) if text is not None else None
        self.closed = closed

    def allows(self, url: str) -> bool:
        """Whether this URL may be fetched."""
        return not self.closed and (self._rules is None or self._rules.can_fetch(url, USER_AGENT))

    @property
    def crawl_delay_s(self) -> float | None:
        """Seconds between requests that the host asks for."""
        return self._rules.crawl_delay(USER_AGENT) if self._rules is not None else None


def retry_after_s(header: str | None, now: datetime | None = None) -> float | None:
    """Return the seconds that a Retry-After header asks to wait, as a number or an HTTP date; None where unusable."""
    text = (header or "").strip()
    if not text:
        return None
    try:
        return max(0.0, float(text))
    except ValueError:
        when = http_date(text)
        return None if when is None else max(0.0, (when - (now or datetime.now(UTC))).total_seconds())


def http_date(text: str | None) -> datetime | None:
    """Return the time of an HTTP date, None where it cannot be read."""
    try:
        when = parsedate_to_datetime(text or "")
    except (TypeError, ValueError, IndexError):
        return None
    return when if when.tzinfo else when.replace(tzinfo=UTC)
