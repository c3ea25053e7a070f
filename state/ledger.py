"""What bounds the calls of one run and keeps a resumed one from repeating them: its budget and the call journal."""

from __future__ import annotations

import threading
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ..settings import Settings
from .budget import Budget, Limits
from .journal import CallJournal, Recorded


@dataclass(frozen=True)
class CallLedger:
    """The ledger of one run.  Without a journal its calls are bounded and not recorded."""

    run_id: str = ""
    budget: Budget = field(default_factory=lambda: Budget(Limits()))
    journal: CallJournal | None = None

    async def once(self, kind: str, request: Mapping[str, Any], call: Callable[[], Awaitable[Recorded]]) -> Recorded:
        """Return the recorded result of this request in this run, or make the call and record it."""
        if self.journal is None:
            return await call()
        return await self.journal.once(self.run_id, kind, request, call)

    def told(self) -> dict[str, Any]:
        """Return what the run spent, as JSON."""
        spent = self.budget.spent
        return {
            "model_calls": spent.calls,
            "prompt_tokens": spent.prompt_tokens,
            "completion_tokens": spent.completion_tokens,
            "cost_usd": spent.cost_usd,
            "seconds": round(self.budget.seconds, 3),
        }


@dataclass
class CallLedgers:
    """The ledgers of the runs under way in this process; each run's steps share one budget."""

    journal: CallJournal | None = None
    _budgets: dict[str, Budget] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def of(self, run_id: str, settings: Settings, carried_s: float = 0.0) -> CallLedger:
        """Return the ledger of a run; one taken up from another process begins with what its journal recorded.

        Args:
            carried_s: Active seconds that the run's last checkpoint tells.
        """
        with self._lock:
            if run_id not in self._budgets:
                limits = Limits.of(settings)
                if self.journal is None:
                    self._budgets[run_id] = Budget(limits, carried_s=carried_s)
                else:
                    self._budgets[run_id] = Budget(limits, self.journal.spent(run_id), carried_s)
            return CallLedger(run_id, self._budgets[run_id], self.journal)

    def close(self, run_id: str) -> None:
        """Drop what is kept of a run that has its answer and needs no resuming any more."""
        with self._lock:
            self._budgets.pop(run_id, None)
        if self.journal is not None:
            self.journal.forget(run_id)
