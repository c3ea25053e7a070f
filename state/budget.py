"""The budget of one run: reserved before a call, settled after it, shared by parallel branches."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from ..errors import BudgetExhausted
from ..settings import Settings


@dataclass(frozen=True)
class Usage:
    """What model calls consumed.  `cost_usd` is None where the price of a call is unknown."""

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost_usd: float | None = 0.0

    def __add__(self, other: Usage) -> Usage:
        unknown = self.cost_usd is None or other.cost_usd is None
        return Usage(
            self.calls + other.calls,
            self.prompt_tokens + other.prompt_tokens,
            self.completion_tokens + other.completion_tokens,
            None if unknown else (self.cost_usd or 0.0) + (other.cost_usd or 0.0),
        )


@dataclass(frozen=True)
class Limits:
    """Upper bounds of a run; None is unbounded."""

    model_calls: int | None = None
    tokens: int | None = None
    cost_usd: float | None = None
    seconds: float | None = None

    @classmethod
    def of(cls, settings: Settings) -> Limits:
        """Return the limits that the settings of a run name."""
        return cls(settings.max_model_calls, settings.max_tokens, settings.max_cost_usd, settings.max_seconds)


@dataclass(frozen=True)
class Reservation:
    """Room held for one call: tokens and US dollars it may use at most."""

    tokens: int
    cost_usd: float


@dataclass
class Budget:
    """Counts what a run spends against its limits.  Safe to share between threads and tasks of one process.

    Attributes:
        spent: What calls consumed so far; a resumed run hands in what its journal recorded.
        carried_s: Active seconds before this process took the run up.
    """

    limits: Limits
    spent: Usage = field(default_factory=Usage)
    carried_s: float = 0.0
    clock: Callable[[], float] = time.monotonic
    _open: list[Reservation] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        self._started = self.clock()

    @property
    def seconds(self) -> float:
        """Active wall time of the run so far, in seconds."""
        return self.carried_s + self.clock() - self._started

    @property
    def remaining_s(self) -> float:
        """Seconds left, never below 0; infinite where time is unbounded."""
        return float("inf") if self.limits.seconds is None else max(0.0, self.limits.seconds - self.seconds)

    def reserve(self, *, tokens: int = 0, cost_usd: float = 0.0) -> Reservation:
        """Hold room for one call.

        Args:
            tokens: The most prompt and completion tokens the call may use.
            cost_usd: The most it may cost, in US dollars.
        Raises: BudgetExhausted naming the first budget, in the order calls, tokens, cost, time, that has no room.
        """
        with self._lock:
            reason = self._exceeded(calls=1, tokens=tokens, cost_usd=cost_usd)
            if reason:
                raise BudgetExhausted(reason)
            reservation = Reservation(tokens, cost_usd)
            self._open.append(reservation)
            return reservation

    def settle(self, reservation: Reservation, usage: Usage | None = None) -> None:
        """Replace a reservation by what the call used; None where nothing was consumed."""
        with self._lock:
            self._open.remove(reservation)
            if usage is not None:
                self.spent += usage

    def exhausted(self, *, model: bool = True) -> str:
        """Name the first budget with no room for more work, or return an empty string.

        Args:
            model: Whether the work asks a model; else only time counts.
        """
        if not model:
            return "time_budget" if self.remaining_s <= 0 else ""
        with self._lock:
            return self._exceeded(calls=1, tokens=1, cost_usd=0.0)

    def _exceeded(self, *, calls: int, tokens: int, cost_usd: float) -> str:
        limits, spent = self.limits, self.spent
        held_tokens = sum(reservation.tokens for reservation in self._open)
        held_cost = sum(reservation.cost_usd for reservation in self._open)
        if limits.model_calls is not None and spent.calls + len(self._open) + calls > limits.model_calls:
            return "model_call_budget"
        used = spent.prompt_tokens + spent.completion_tokens
        if limits.tokens is not None and used + held_tokens + tokens > limits.tokens:
            return "token_budget"
        if limits.cost_usd is not None:
            total = (spent.cost_usd or 0.0) + held_cost + cost_usd
            if total > limits.cost_usd or (cost_usd == 0.0 and total >= limits.cost_usd):
                return "cost_budget"
        if limits.seconds is not None and self.seconds >= limits.seconds:
            return "time_budget"
        return ""
