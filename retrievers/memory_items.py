"""What a memory is, what a search for memories finds, and the interface a memory backend offers to an agent."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Literal, Protocol

from pydantic import Field

from ..state.records import Record


class MemoryItem(Record):
    """One remembered text with its origin and its life."""

    memory_id: str = Field(description="`mem_0001` and on, counted per user, never given twice.")
    user: str
    text: str
    category: str = "general"
    namespace: str = ""
    metadata: dict[str, Any] = Field(default_factory=dict)
    said_at: datetime = Field(description="When it was said or became known; its date is part of what is indexed.")
    thread_id: str = Field(default="", description="The conversation it comes from.")
    turn: int | None = Field(default=None, ge=0, description="The turn of that conversation, counted from 1.")
    created_at: datetime
    updated_at: datetime
    last_used_at: datetime | None = Field(default=None, description="When a search last returned it.")
    uses: int = Field(default=0, ge=0, description="Searches that returned it.")
    repeats: int = Field(default=0, ge=0, description="Near-duplicates merged into it.")
    supersedes: str = Field(default="", description="Id of the older memory that this one closed.")
    superseded_by: str = Field(default="", description="Id of the newer memory that closed this one.")
    closed_at: datetime | None = Field(default=None, description="When it was closed; None while it holds.")
    key: str = Field(default="", description="Its key where it was put through a LangGraph store.")
    value: dict[str, Any] | None = Field(default=None, description="Its value where it was put through such a store.")

    @property
    def current(self) -> bool:
        """Whether no newer memory closed it."""
        return self.closed_at is None

    @property
    def superseded(self) -> str:
        """When a newer memory closed it and which one, in words; empty while it holds."""
        if self.closed_at is None:
            return ""
        by = f" by {self.superseded_by}" if self.superseded_by else ""
        return f"superseded on {self.closed_at.date().isoformat()}{by}"


class MemoryHit(Record):
    """A memory that a query found, with the scores and ranks that explain its place."""

    item: MemoryItem
    score: float = Field(description="What orders the list.")
    rank: int = Field(ge=1)
    score_fused: float | None = Field(default=None, description="Reciprocal rank fusion of the two rankings.")
    score_dense: float | None = Field(default=None, description="Cosine, in [-1, 1].")
    score_sparse: float | None = Field(default=None, description="BM25, 0 or more.")
    rank_sparse: int | None = None
    rank_dense: int | None = None

    @property
    def memory_id(self) -> str:
        return self.item.memory_id

    @property
    def text(self) -> str:
        return self.item.text

    @property
    def category(self) -> str:
        return self.item.category


class StoreResult(Record):
    """What storing did."""

    item: MemoryItem
    action: Literal["stored", "merged", "superseded"] = Field(
        description="`merged`: an older memory says the same and stands; `superseded`: an older one was closed."
    )

    @property
    def memory_id(self) -> str:
        return self.item.memory_id


class MemoryBackend(Protocol):
    """Long-term memory of one user, as an agent sees it."""

    def store(
        self,
        text: str,
        category: str = "general",
        *,
        said_at: datetime | None = None,
        thread_id: str = "",
        turn: int | None = None,
    ) -> StoreResult: ...

    def search(self, query: str, k: int = 5) -> Sequence[MemoryHit]:
        """Return the memories closest to the query, best first."""
        ...

    def list(self) -> Sequence[MemoryItem]:
        """Return every memory in the order of its id, closed ones too."""
        ...

    def forget(self, *memory_ids: str) -> int:
        """Remove memories for good, all or none.  Returns how many.  Raises: UsageError where one is unknown."""
        ...
