"""What a forked process cannot go on with: threads that it has not, locks that nobody will open, its parent's files."""

from __future__ import annotations

import os
from typing import Protocol
from weakref import WeakSet


class Holder(Protocol):
    """Holds threads, locks or open files of one process."""

    def begin_anew(self) -> None:
        """Let go of what is the parent's without touching it: closing a file would end what the parent does there."""


_HOLDERS: WeakSet[Holder] = WeakSet()


def begin_anew_in_forks(holder: Holder) -> None:
    """Have a holder begin anew in each process that is forked from this one, for as long as it lives."""
    _HOLDERS.add(holder)


def _forked() -> None:
    for holder in list(_HOLDERS):
        holder.begin_anew()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)
