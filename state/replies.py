"""What a person may answer to a run that waits: about its plan, and about where to look.  Read strictly."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeVar

from pydantic import Field, StrictBool, StrictStr, ValidationError

from ..errors import UsageError
from .records import Record

MAX_QUERIES = 50
MAX_SOURCES = 1_000

PLAN_ACTIONS = {
    "approve": "search with these queries",
    "edit": "search with `queries` instead",
    "reject": "end the run; `reason` says why",
}
SOURCE_ACTIONS = {
    "look": "look in `docs`, `urls`, `corpus` or the `web`",
    "cancel": "end the run; `reason` says why",
}

Line = Annotated[StrictStr, Field(max_length=2_000)]


class PlanReply(Record):
    """A person's decision on a plan."""

    action: Literal["approve", "edit", "reject"] = Field(description="What to do with the plan.")
    queries: tuple[Line, ...] = Field(
        default=(), max_length=MAX_QUERIES, description="With `edit`: what to search for instead."
    )
    reason: Line = Field(default="", description="With `reject`: why.")


class SourcesReply(Record):
    """A person's word on where to look."""

    action: Literal["look", "cancel"] = Field(default="look", description="Go on, or end the run.")
    docs: tuple[Line, ...] = Field(default=(), max_length=MAX_SOURCES, description="Files and folders to read.")
    urls: tuple[Line, ...] = Field(default=(), max_length=MAX_SOURCES, description="Pages to read, http or https.")
    corpus: Line = Field(default="", description="Folder of a kept corpus.")
    web: StrictBool = Field(default=False, description="Search the web.")
    reason: Line = Field(default="", description="With `cancel`: why.")

    @property
    def sources(self) -> dict[str, Any]:
        """The sources as the input of a run takes them."""
        return {"docs": list(self.docs), "urls": list(self.urls), "web": self.web, "corpus": self.corpus}


def plan_reply(reply: Any, shown: tuple[str, ...]) -> PlanReply:
    """Read a decision on a plan.

    Args:
        reply: `{"action": "approve" | "edit" | "reject", "queries": […], "reason": …}`, or that as JSON text.
        shown: The queries of the plan, which an approval may repeat.
    Returns: The decision; queries of an edit are stripped, distinct and not empty.
    Raises: UsageError saying what was expected.
    """
    decided = _read(PlanReply, reply, "plan approval", PLAN_ACTIONS)
    queries = tuple(dict.fromkeys(query.strip() for query in decided.queries if query.strip()))
    if decided.action == "edit" and not queries:
        raise UsageError("plan approval: edit needs `queries`, a list with at least one of them")
    if decided.action == "approve" and queries and queries != shown:
        raise UsageError("plan approval: approve takes the plan as it is; send the queries with the action edit")
    return decided.model_copy(update={"queries": queries})


def sources_reply(reply: Any) -> SourcesReply:
    """Read where a person wants a question to be looked up.

    Args:
        reply: `{"docs": […], "urls": […], "corpus": …, "web": true}` with at least one of them, or
            `{"action": "cancel", "reason": …}`, or either as JSON text.
    Raises: UsageError saying what was expected.
    """
    decided = _read(SourcesReply, reply, "sources", SOURCE_ACTIONS)
    if decided.action == "look" and not any(decided.sources.values()):
        raise UsageError("sources: name `docs`, `urls`, a `corpus`, or set `web` to true; or send the action cancel")
    return decided


Reply = TypeVar("Reply", PlanReply, SourcesReply)


def _read(kind: type[Reply], reply: Any, what: str, actions: Mapping[str, str]) -> Reply:
    if isinstance(reply, str):
        try:
            reply = json.loads(reply)
        except ValueError:
            raise UsageError(f"{what}: expected {_expected(kind, actions)}, got the text {reply[:80]!r}") from None
    if not isinstance(reply, Mapping):
        raise UsageError(f"{what}: expected {_expected(kind, actions)}, got {str(reply)[:80]!r}")
    try:
        return kind.model_validate(dict(reply))
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"])) or "the reply"
        problem = f"{place}: {first['msg']}, got {str(first['input'])[:80]!r}"
        raise UsageError(f"{what}: expected {_expected(kind, actions)}; {problem}") from error


def _expected(kind: type[Record], actions: Mapping[str, str]) -> str:
    others = ", ".join(f"`{name}`" for name in kind.model_fields if name != "action")
    return f"an action of {', '.join(actions)}, with {others}"
