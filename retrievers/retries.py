"""Ask a provider again while that may work: after the time it names, else with growing pauses, within a time limit."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from tenacity import AsyncRetrying, RetryCallState, retry_if_exception, stop_after_attempt, stop_before_delay
from tenacity.wait import wait_random_exponential

from ..errors import CitewellError

T = TypeVar("T")

FIRST_PAUSE_S = 0.5
LONGEST_PAUSE_S = 20.0


async def with_retries(
    call: Callable[[], Awaitable[T]],
    *,
    attempts: int = 3,
    within_s: float = 60.0,
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
) -> T:
    """Return what `call` returns, calling again after an error whose `transient` is True.

    Args:
        attempts: Calls at most, the first counted.
        within_s: A pause that would end later than this, counted from the first call, is not begun.
    Raises: The last error, as it was raised.
    """
    async for attempt in AsyncRetrying(
        stop=stop_after_attempt(attempts) | stop_before_delay(within_s),
        wait=_pause,
        retry=retry_if_exception(lambda error: isinstance(error, CitewellError) and error.transient),
        sleep=sleep,
        reraise=True,
    ):
        with attempt:
            return await call()
    raise AssertionError("unreachable: the last error is raised again")


def _pause(state: RetryCallState) -> float:
    error = state.outcome.exception() if state.outcome else None
    asked = getattr(error, "retry_after_s", None)
    return float(asked) if asked is not None else _backoff(state)


_backoff = wait_random_exponential(multiplier=FIRST_PAUSE_S, max=LONGEST_PAUSE_S)
