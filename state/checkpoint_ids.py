"""Checkpoints sort by an id that holds the time: a clock that was set back must not put a new one before an old one."""

from __future__ import annotations

from langgraph.checkpoint.base import CheckpointTuple
from langgraph.checkpoint.base import id as ids


def newer_than(found: CheckpointTuple | None) -> None:
    """Have the checkpoints that this process makes from now on sort behind one that was read.

    LangGraph keeps the times of one process in order; a process that takes a thread up after the clock was set back
    would write behind the thread's last checkpoint, and the next reader would take the old one for the last.
    """
    if found is None:
        return
    try:
        checkpoint_id = ids.UUID(found.checkpoint["id"])
    except ValueError:
        return  # another program's id
    if checkpoint_id.version == 6 and (ids._last_v6_timestamp or 0) < checkpoint_id.time:
        ids._last_v6_timestamp = checkpoint_id.time  # type: ignore[assignment]
