"""Long-term memory of one user: stored, searched, corrected, forgotten, carried away and brought back."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Collection, Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from ..errors import ProviderError, UsageError
from ..settings import Environment, Settings
from .embeddings import Embedder, Vectors, load_embedder
from .memory_index import KnownVectors, MemoryIndex, indexed_text
from .memory_intake import EXPORT_SCHEMA, clean_label, clean_text, plain_metadata, read_exported
from .memory_items import MemoryHit, MemoryItem, StoreResult
from .memory_records import MemoryRecords, number_of
from .memory_sameness import SAME_COSINE, depends_on_its_day, fingerprint, same_statement, subject_of

if TYPE_CHECKING:
    from .hybrid_ranking import Mode

DEFAULT_K = 5

# Inside the class `list` is the method.
Items = list[MemoryItem]
Hits = list[MemoryHit]
Results = list[StoreResult]
Ids = Sequence[str]


def _now() -> datetime:
    return datetime.now(UTC)


class Memory:
    """The memories of one user in a folder, in one namespace or in all of them.

    Records in SQLite are the truth; the hybrid index beside them follows.  Texts are data: nothing that is stored is
    ever read as an instruction.
    """

    def __init__(
        self,
        folder: Path,
        user: str,
        *,
        namespace: str | None = None,
        embedder: Embedder,
        clock: Callable[[], datetime] = _now,
    ) -> None:
        self.folder, self.user, self.namespace = folder, clean_label("user", user), namespace
        self.degraded = ""
        self._clock = clock
        self._embedder = KnownVectors(embedder)
        self._records = MemoryRecords(folder)
        self._index = MemoryIndex(folder / "index", self.user, self._records, self._embedder)
        self._lock = threading.RLock()

    @classmethod
    def open(
        cls,
        folder: str | Path,
        *,
        user: str = "default",
        namespace: str | None = None,
        embedder: Embedder | None = None,
        settings: Settings | None = None,
        environment: Environment | None = None,
        clock: Callable[[], datetime] = _now,
    ) -> Self:
        """Open the memory of a user, making the folder where it is missing.

        Args:
            folder: The memory folder; several users and processes may share it.
            user: Exact name; no other user's memories are ever seen.
            namespace: Exact name of a part to keep to; None for all of the user's.
            embedder: Another embedding model than the settings name.
        Raises: MemoryFolderError where the records cannot be opened.
        """
        chosen = embedder or load_embedder(settings or Settings(), environment or Environment.read())
        return cls(Path(folder), user, namespace=namespace, embedder=chosen, clock=clock)

    def store(
        self,
        text: str,
        category: str = "general",
        *,
        metadata: dict[str, Any] | None = None,
        said_at: datetime | None = None,
        thread_id: str = "",
        turn: int | None = None,
        supersedes: str = "",
    ) -> StoreResult:
        """Remember a text.

        What an older memory says already is merged into it.  A newer statement about the same thing (`Ann's office is
        in …`) closes the older one, which stays readable; `supersedes` names the one to close.

        Args:
            text: Up to 20,000 characters.
            category: A word of the caller's, e.g. `fact`.
            metadata: Plain JSON values.
            said_at: When it was said; now where absent.
            thread_id: The conversation it comes from.
            turn: The turn of that conversation.
            supersedes: Id of an older memory.
        Raises: UsageError for an empty or over-long text or an unknown id.
        """
        now = self._clock()
        item = MemoryItem(
            memory_id="",
            user=self.user,
            text=clean_text(text),
            category=clean_label("category", category or "general"),
            namespace=self.namespace or "",
            metadata=plain_metadata(metadata or {}),
            said_at=said_at or now,
            thread_id=thread_id,
            turn=turn,
            created_at=now,
            updated_at=now,
        )
        vector = self._vector(indexed_text(item))
        with self._lock, self._records.writing():
            if not supersedes and (twin := self._twin(item, vector)):
                self._records.note_repeat(self.user, twin.memory_id)
                return StoreResult(item=self.get(twin.memory_id), action="merged")
            older = self.get(supersedes) if supersedes else self._older(item)
            stored = self._insert(item.model_copy(update={"supersedes": older.memory_id if older else ""}), vector)
            if older:
                self._close(older, stored)
            return StoreResult(item=stored, action="superseded" if older else "stored")

    def search(
        self,
        query: str,
        k: int = DEFAULT_K,
        *,
        category: str | None = None,
        include_superseded: bool = False,
        mode: Mode = "hybrid",
        only: Collection[str] | None = None,
    ) -> Hits:
        """Return the `k` memories closest to a query, best first, with fused score, cosine and BM25.

        Args:
            query: Words; an empty one finds nothing.
            k: How many, 1 or more; fewer are returned where fewer exist.
            category: Only this category.
            include_superseded: Whether closed memories are found too.
            mode: `hybrid`, `sparse` or `dense`.
            only: Ids to search among.
        Raises: MemoryFolderError where the index is damaged.
        """
        if k < 1:
            raise UsageError("k is 1 or more")
        if not query.strip():
            return []
        with self._lock:
            allowed = self._allowed(category, include_superseded)
            if only is not None:
                allowed = set(only) if allowed is None else allowed & set(only)
            hits = self._index.search(query, k=k, mode=mode, allowed=allowed)
            self.degraded = self._index.degraded
            found = {item.memory_id: item for item in self._items([hit.chunk_id for hit in hits])}
            # Between the index and the records another process may have forgotten one.
            hits = [hit for hit in hits if hit.chunk_id in found]
            self._records.touch(self.user, list(found), self._clock())
        return [
            MemoryHit(
                item=found[hit.chunk_id],
                rank=rank,
                **hit.model_dump(exclude={"chunk_id", "rank"}),
            )
            for rank, hit in enumerate(hits, start=1)
        ]

    def get(self, memory_id: str) -> MemoryItem:
        """Return one memory.  Raises: UsageError where this user and namespace have none of that id."""
        item = self._records.get(self.user, memory_id)
        if item is None or (self.namespace is not None and item.namespace != self.namespace):
            raise UsageError(f"{self.user} has no memory {memory_id!r}")
        return item

    def update(
        self,
        memory_id: str,
        text: str | None = None,
        *,
        category: str | None = None,
        metadata: dict[str, Any] | None = None,
        value: dict[str, Any] | None = None,
    ) -> MemoryItem:
        """Correct a memory in place; what is left out stays.  Raises: UsageError for an unknown id or a bad text."""
        with self._lock, self._records.writing():
            before = item = self.get(memory_id)
            changes: dict[str, Any] = {"updated_at": self._clock()}
            if text is not None:
                changes["text"] = clean_text(text)
            if category is not None:
                changes["category"] = clean_label("category", category)
            if metadata is not None:
                changes["metadata"] = plain_metadata(metadata)
            if value is not None:
                changes["value"] = plain_metadata(value)
            item = item.model_copy(update=changes)
            self._replace(item)
            if item.text != before.text:
                # The old words must not linger in an index.
                self._records.next_epoch(self.user)
        if item.text != before.text:
            self._records.scrub()
        return item

    def put(self, key: str, value: dict[str, Any], text: str) -> MemoryItem:
        """Store a value under a key of this namespace, or replace the one there; `text` is what is searched."""
        now, namespace = self._clock(), self.namespace or ""
        with self._lock, self._records.writing():
            known = self.by_key(key)
            if known:
                return self.update(known.memory_id, text, value=value)
            item = MemoryItem(
                memory_id="", user=self.user, text=clean_text(text), namespace=namespace, said_at=now, created_at=now,
                updated_at=now, key=key, value=plain_metadata(value),
            )  # fmt: skip
            return self._insert(item, self._vector(indexed_text(item)))

    def by_key(self, key: str) -> MemoryItem | None:
        """Return what was put under a key of this namespace; an id is the key of what was stored without one."""
        values = (self.namespace or "", key, number_of(key))
        found = self._records.find(self.user, "namespace = ? AND (key = ? OR (key = '' AND number = ?))", values)
        return found[0] if found else None

    def supersede(self, memory_id: str, text: str, category: str | None = None, **origin: Any) -> StoreResult:
        """Store a newer text that closes an older memory; both stay readable."""
        return self.store(text, category or self.get(memory_id).category, supersedes=memory_id, **origin)

    def forget(self, *memory_ids: str) -> int:
        """Remove memories for good: their bytes leave the records, the write-ahead log and every index.

        Returns: How many were removed.
        Raises: UsageError where one is unknown; then none is removed.
        """
        numbers = [number_of(self.get(memory_id).memory_id) for memory_id in memory_ids]
        with self._lock:
            gone = self._records.delete(self.user, numbers)
            self.rebuild()
        return gone

    def list(self, *, category: str | None = None, current_only: bool = False) -> Items:
        """Return the memories in the order of their ids, closed ones too unless told otherwise."""
        return [
            item
            for item in self._records.find(self.user, *self._scope())
            if (category is None or item.category == category) and (item.current or not current_only)
        ]

    def rebuild(self) -> None:
        """Throw the index away and make it again from the records; no text is embedded twice."""
        with self._lock:
            self._index.drop()
            self._records.next_epoch(self.user)
            self._index.catch_up()

    def export(self) -> Iterable[str]:
        """Yield one JSON line per memory, without the line end."""
        for item in self.list():
            yield json.dumps({"schema": EXPORT_SCHEMA} | item.model_dump(mode="json"), ensure_ascii=False)

    def import_lines(self, lines: Iterable[str]) -> Results:
        """Bring exported memories in, for this user whoever exported them; all lines or none.

        An id that is free is kept; what is known already is merged.  Links between old and new memories follow.
        Raises: UsageError that names the line.
        """
        items = [read_exported(line, number) for number, line in enumerate(lines, start=1) if line.strip()]
        results: Results = []
        renamed: dict[str, str] = {}
        with self._lock, self._records.writing():
            for item in items:
                mine = item.model_copy(
                    update={"user": self.user} | ({"namespace": self.namespace} if self.namespace is not None else {})
                )
                vector = self._vector(indexed_text(mine))
                twin = self._same_record(mine) or (self._twin(mine, vector) if mine.current else None)
                stored = twin or self._insert(mine, vector)
                renamed[item.memory_id] = stored.memory_id
                results.append(StoreResult(item=stored, action="merged" if twin else "stored"))
            for number, result in enumerate(results):
                item = result.item
                links = {
                    field: renamed.get(getattr(item, field), "")
                    for field in ("supersedes", "superseded_by")
                    if getattr(item, field)
                }
                if result.action == "stored" and any(getattr(item, field) != value for field, value in links.items()):
                    self._records.replace(item.model_copy(update=links))
                    results[number] = StoreResult(item=self.get(item.memory_id), action="stored")
        return results

    def close(self) -> None:
        """Let go of files; another `Memory` may be opened on the folder at any time."""
        with self._lock:
            self._index.close()
            self._records.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _insert(self, item: MemoryItem, vector: Vectors | None) -> MemoryItem:
        return self._records.insert(
            item,
            fingerprint=fingerprint(item.text),
            subject=subject_of(item.text),
            model=self._embedder.name,
            vector=vector,
        )

    def _replace(self, item: MemoryItem) -> None:
        self._records.replace(
            item,
            fingerprint=fingerprint(item.text),
            subject=subject_of(item.text),
            model=self._embedder.name,
            vector=self._vector(indexed_text(item)),
        )

    def _close(self, older: MemoryItem, newer: MemoryItem) -> None:
        self._records.replace(
            older.model_copy(update={"closed_at": newer.created_at, "superseded_by": newer.memory_id})
        )

    def _twin(self, item: MemoryItem, vector: Vectors | None) -> MemoryItem | None:
        """Return the current memory that says the same already."""
        candidates = self._records.find(
            self.user,
            "namespace = ? AND fingerprint = ? AND closed_at IS NULL",
            (item.namespace, fingerprint(item.text)),
        )
        if vector is not None and not candidates:
            nearest = self._index.nearest(vector, item.namespace)
            if nearest and nearest[1] >= SAME_COSINE:
                near = self._records.get(self.user, nearest[0])
                if near and same_statement(item.text, near.text):
                    candidates = [near]
        for candidate in candidates:
            same_day = candidate.said_at.date() == item.said_at.date()
            if item.category in (candidate.category, "general") and (same_day or not depends_on_its_day(item.text)):
                return candidate
        return None

    def _older(self, item: MemoryItem) -> MemoryItem | None:
        """Return the current memory that this newer statement about the same thing closes."""
        subject = subject_of(item.text)
        if not subject:
            return None
        found = self._records.find(
            self.user, "namespace = ? AND subject = ? AND closed_at IS NULL", (item.namespace, subject)
        )
        return next((older for older in reversed(found) if older.said_at <= item.said_at), None)

    def _same_record(self, item: MemoryItem) -> MemoryItem | None:
        """Return the record that an earlier import of the same line made."""
        known = self._records.get(self.user, item.memory_id)
        same = known and (known.text, known.namespace, known.said_at) == (item.text, item.namespace, item.said_at)
        return known if same else None

    def _vector(self, text: str) -> Vectors | None:
        try:
            row: Vectors = self._embedder.embed([text])[0]
        except ProviderError as error:
            # The records keep the text; its vector is computed when the model can be asked again.
            self.degraded = f"dense search unavailable: {error}"
            return None
        return row

    def _scope(self) -> tuple[str, Sequence[Any]]:
        return ("1", ()) if self.namespace is None else ("namespace = ?", (self.namespace,))

    def _items(self, memory_ids: Ids) -> Items:
        marks = ", ".join("?" * len(memory_ids))
        return self._records.find(self.user, f"number IN ({marks})", [number_of(each) for each in memory_ids])

    def _allowed(self, category: str | None, include_superseded: bool) -> set[str] | None:
        condition, values = self._scope()
        conditions, arguments = [condition], [*values]
        if category is not None:
            conditions.append("category = ?")
            arguments.append(category)
        if not include_superseded:
            conditions.append("closed_at IS NULL")
        if not include_superseded and len(conditions) == 2 and condition == "1":
            closed = self._records.ids(self.user, "closed_at IS NOT NULL")
            if not closed:
                return None
        return set(self._records.ids(self.user, " AND ".join(conditions), arguments))
