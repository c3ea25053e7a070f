"""What is shared by all calls to one provider in one event loop: how many run at once, and whether it is down."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from weakref import WeakKeyDictionary

from ...errors import ProviderUnavailable

FAILURES_TO_OPEN = 5
OPEN_S = 30.0


@dataclass
class Breaker:
    """Stops asking a provider that failed several times in a row, for a while; then lets one call try.

    Attributes:
        failures: Failures since the last success.
        worked: Whether any call of this process succeeded.
    """

    provider: str
    clock: Callable[[], float] = time.monotonic
    failures: int = 0
    worked: bool = False
    _open_until: float = 0.0

    def check(self) -> None:
        """Raise ProviderUnavailable, not to be retried, while the breaker is open."""
        left_s = self._open_until - self.clock()
        if left_s > 0:
            error = ProviderUnavailable(self.provider, f"failed {self.failures} times in a row, not asked for a while")
            error.transient = False
            raise error

    def succeeded(self) -> None:
        """Note a call that was answered, be it with a refusal."""
        self.failures, self.worked = 0, True

    def failed(self) -> None:
        """Note a call that was not answered."""
        self.failures += 1
        if self.failures >= FAILURES_TO_OPEN:
            self._open_until = self.clock() + OPEN_S


@dataclass
class Lane:
    """One provider's calls in one event loop, of all runs together.

    Attributes:
        slots: How many may run at once.
    """

    breaker: Breaker
    most: int
    clock: Callable[[], float] = time.monotonic
    slots: asyncio.Semaphore = field(init=False)
    _free_at: float = 0.0

    def __post_init__(self) -> None:
        self.slots = asyncio.Semaphore(self.most)

    def throttled(self, pause_s: float) -> None:
        """Note that the provider asked to be left alone: calls of every run wait, not only the one it told."""
        self._free_at = max(self._free_at, self.clock() + pause_s)

    async def rest(self, sleep: Callable[[float], Awaitable[None]]) -> None:
        """Wait until the provider may be asked again, a little longer each, so that not all come back at once."""
        left_s = self._free_at - self.clock()
        if left_s > 0:
            await sleep(left_s + random.random() * min(left_s, 1.0))  # noqa: S311 (spreads calls, keeps no secret)


_LANES: WeakKeyDictionary[asyncio.AbstractEventLoop, dict[tuple[str, str, int], Lane]] = WeakKeyDictionary()


def lane_of(provider: str, address: str, most: int) -> Lane:
    """Return the lane of a provider at an address in the running event loop."""
    lanes = _LANES.setdefault(asyncio.get_running_loop(), {})
    return lanes.setdefault((provider, address, most), Lane(Breaker(provider), most))
