"""Where a question is looked up: what came with it, what the run context says, or what a person answers."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from langgraph.types import interrupt

from ..errors import UsageError
from ..retrievers.folder import named_path
from ..retrievers.urls import clean_urls, find_urls
from ..state.context import ResearchContext
from ..state.replies import SOURCE_ACTIONS, SourcesReply, sources_reply
from ..state.research import ResearchState, as_list


@dataclass(frozen=True)
class Where:
    """The sources of a run.

    Attributes:
        sources: `docs`, `urls`, `web` and `corpus`, as the input of a run takes them.
        kept: Whether the thread's next question takes them over, since a person named them.
        refusal: Why a person ended the run instead; empty where they did not.
    """

    sources: dict[str, Any] = field(default_factory=dict)
    kept: bool = False
    refusal: str = ""


async def where_to_look(
    question: str,
    state: ResearchState,
    context: ResearchContext | None,
    asking: Callable[[], Awaitable[bool]],
    refuse: Callable[[Sequence[str]], None],
) -> Where:
    """Settle the sources of a question.  Interrupts where there are none and a person is to be asked.

    The run context is asked after the state, so that a question's own sources always win.

    Args:
        asking: Says whether a person is to be asked; called where there are no sources.
        refuse: Raises UsageError where one of these paths may not be read here.
    """
    given = {
        "docs": as_list(state.get("docs")),
        "urls": as_list(state.get("urls")),
        "web": bool(state.get("web")),
        "corpus": state.get("corpus") or "",
    }
    if any(given.values()):
        return Where(given)
    if context is not None and any(context.sources.values()):
        return Where(context.sources)
    if not question or not await asking():
        return Where(given)
    return await _ask(question, refuse)


async def _ask(question: str, refuse: Callable[[Sequence[str]], None]) -> Where:
    """Ask a person, and again with the problem named while a reply cannot be read or names what is not there."""
    shown = {
        "question": question,
        "ask": "Where is this to be looked up?",
        "actions": SOURCE_ACTIONS,
        # Shown, not followed: a question may be the words of another program.
        "suggested": {"urls": clean_urls(find_urls(question))},
    }
    problem: dict[str, str] = {}
    while True:
        reply = interrupt({**shown, **problem}, response_schema=SourcesReply.model_json_schema())
        try:
            decided = sources_reply(reply)
            await asyncio.to_thread(_check, decided, refuse)
        except UsageError as error:
            problem = {"error": str(error)}
            continue
        if decided.action == "cancel":
            return Where(refusal=decided.reason or "no reason given")
        return Where(decided.sources, kept=True)


def _check(decided: SourcesReply, refuse: Callable[[Sequence[str]], None]) -> None:
    paths = [*decided.docs, *([decided.corpus] if decided.corpus else [])]
    refuse(paths)
    for path in paths:
        if not named_path(path).exists():
            raise UsageError(f"sources: {path}: no such file or folder")
