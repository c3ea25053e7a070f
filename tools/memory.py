"""The memory tools: note what the user said, look up what is known, forget what the user wants forgotten."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from langchain_core.runnables import RunnableConfig
from langchain_core.tools import BaseTool, StructuredTool
from pydantic import BaseModel, Field

from ..retrievers.memory_items import MemoryBackend, MemoryHit
from ..state.scope import ToolScope, scope_of

MemoryFor = Callable[[ToolScope], MemoryBackend]
MAX_TOP_K = 20


class StoreArguments(BaseModel):
    """Arguments of `memory_store`."""

    text: str = Field(min_length=1, max_length=20_000, description="One fact in a sentence, as the user said it.")
    category: str = Field(
        default="general", min_length=1, max_length=60, description="E.g. fact, task, calendar, user_pref, order."
    )


class SearchArguments(BaseModel):
    """Arguments of `memory_search`."""

    query: str = Field(min_length=1, max_length=2_000, description="What to look for, in words.")
    top_k: int = Field(default=3, ge=1, le=MAX_TOP_K, description="How many memories to return.")


def memory_store_tool(memory_for: MemoryFor) -> BaseTool:
    """Return the tool `memory_store` over the memory of whoever it runs for."""

    def memory_store(text: str, category: str = "general", *, config: RunnableConfig) -> dict[str, Any]:
        scope = scope_of(config)
        result = memory_for(scope).store(text, category, thread_id=scope.thread_id, turn=scope.turn)
        told: dict[str, Any] = {"memory_id": result.memory_id, "action": result.action, "text": result.item.text}
        if result.item.supersedes and result.action == "superseded":
            told["closed"] = result.item.supersedes
        return told

    return StructuredTool.from_function(
        func=memory_store,
        name="memory_store",
        description="Store a fact the user stated or asked to remember in long-term memory.",
        args_schema=StoreArguments,
    )


def memory_search_tool(memory_for: MemoryFor) -> BaseTool:
    """Return the tool `memory_search` over the memory of whoever it runs for."""

    def memory_search(query: str, top_k: int = 3, *, config: RunnableConfig) -> list[dict[str, Any]]:
        hits = memory_for(scope_of(config)).search(query, top_k)
        return [described(hit) for hit in hits]

    return StructuredTool.from_function(
        func=memory_search,
        name="memory_search",
        description="Search long-term memory by meaning and by words; returns the closest memories with their ids.",
        args_schema=SearchArguments,
    )


class ForgetArguments(BaseModel):
    """Arguments of `memory_forget`."""

    memory_ids: list[str] = Field(min_length=1, max_length=MAX_TOP_K, description="Ids of the memories to remove.")
    with_older: bool = Field(default=False, description="Remove too what these memories superseded.")


def memory_forget_tool(memory_for: MemoryFor) -> BaseTool:
    """Return the tool `memory_forget` over the memory of whoever it runs for."""

    def memory_forget(
        memory_ids: list[str], with_older: bool = False, *, config: RunnableConfig
    ) -> dict[str, list[dict[str, str]]]:
        memory = memory_for(scope_of(config))
        known = {item.memory_id: item for item in memory.list()}
        chosen = list(dict.fromkeys(memory_ids))
        # The list grows while it is gone through: what an older memory superseded goes with it.
        for memory_id in chosen if with_older else ():
            older = known[memory_id].supersedes if memory_id in known else ""
            if older in known and older not in chosen:
                chosen.append(older)
        memory.forget(*chosen)
        return {"forgotten": [{"memory_id": each, "text": known[each].text} for each in chosen]}

    return StructuredTool.from_function(
        func=memory_forget,
        name="memory_forget",
        description=(
            "Remove memories for good, by id, because the user asks to forget them; search for the ids first and ask "
            "which ones are meant where several may be."
        ),
        args_schema=ForgetArguments,
    )


def described(hit: MemoryHit) -> dict[str, Any]:
    """Return a hit as plain values, scores rounded to what can be read."""
    told: dict[str, Any] = {
        "memory_id": hit.memory_id,
        "text": hit.text,
        "category": hit.category,
        "date": hit.item.said_at.date().isoformat(),
        "fused": _rounded(hit.score_fused),
        "cosine": _rounded(hit.score_dense),
        "bm25": _rounded(hit.score_sparse),
    }
    if hit.item.supersedes:
        told["supersedes"] = hit.item.supersedes
    if hit.item.superseded_by:
        told["superseded_by"] = hit.item.superseded_by
    return told


def _rounded(score: float | None) -> float | None:
    return None if score is None else round(score, 4)
