"""Long-term memory as a LangGraph store: the same records, index and users, under LangGraph's own interface."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

from langgraph.store.base import (
    BaseStore,
    GetOp,
    Item,
    ListNamespacesOp,
    MatchCondition,
    Op,
    PutOp,
    Result,
    SearchItem,
    SearchOp,
)

from ..errors import UsageError
from .embeddings import Embedder
from .memory import Memory
from .memory_items import MemoryItem
from .memory_records import MemoryRecords


class MemoryStore(BaseStore):
    """A memory folder behind `BaseStore`.

    The first part of a namespace is the user, exactly; the others name a part of that user's memories.  A prefix
    matches whole parts, so `("ann",)` never sees `("anna",)`.
    """

    def __init__(self, folder: str | Path, embedder: Embedder) -> None:
        self._folder, self._embedder = Path(folder), embedder
        self._memories: dict[tuple[str, str | None], Memory] = {}
        self._lock = threading.RLock()

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        return [self._do(op) for op in ops]

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        return await asyncio.to_thread(self.batch, list(ops))

    def close(self) -> None:
        """Let go of all files."""
        with self._lock:
            for memory in self._memories.values():
                memory.close()
            self._memories.clear()

    def _do(self, op: Op) -> Result:
        if isinstance(op, GetOp):
            found = self._memory(op.namespace).by_key(op.key)
            return _item(found) if found else None
        if isinstance(op, PutOp):
            self._put(op)
            return None
        if isinstance(op, SearchOp):
            return self._search(op)
        if isinstance(op, ListNamespacesOp):
            return self._namespaces(op)
        raise UsageError(f"a store does not know {type(op).__name__}")

    def _put(self, op: PutOp) -> None:
        memory = self._memory(op.namespace)
        if op.value is not None:
            memory.put(op.key, dict(op.value), _text_of(dict(op.value)))
        elif found := memory.by_key(op.key):
            memory.forget(found.memory_id)

    def _search(self, op: SearchOp) -> list[SearchItem]:
        users = [op.namespace_prefix[0]] if op.namespace_prefix else self._users()
        found: list[SearchItem] = []
        for user in users:
            memory = self._memory((user,), whole=True)
            items = {
                item.memory_id: item
                for item in memory.list(current_only=True)
                if _path(item)[: len(op.namespace_prefix)] == op.namespace_prefix and _matches(item, op.filter)
            }
            if op.query and items:
                hits = memory.search(op.query, op.limit + op.offset, only=items)
                found += [_search_item(hit.item, hit.score) for hit in hits]
            elif not op.query:
                found += [_search_item(item, None) for item in items.values()]
        if op.query:
            found.sort(key=lambda item: (-(item.score or 0.0), item.namespace, item.key))
        return found[op.offset : op.offset + op.limit]

    def _namespaces(self, op: ListNamespacesOp) -> list[tuple[str, ...]]:
        every = {_path(item) for user in self._users() for item in self._memory((user,), whole=True).list()}
        kept = {
            path[: op.max_depth] if op.max_depth else path
            for path in every
            if all(_fits(path, condition) for condition in op.match_conditions or ())
        }
        return sorted(kept)[op.offset : op.offset + op.limit]

    def _users(self) -> list[str]:
        records = MemoryRecords(self._folder)
        try:
            return records.users()
        finally:
            records.close()

    def _memory(self, namespace: tuple[str, ...], *, whole: bool = False) -> Memory:
        inner = None if whole else "/".join(quote(part, safe="") for part in namespace[1:])
        with self._lock:
            key = (namespace[0], inner)
            if key not in self._memories:
                self._memories[key] = Memory.open(
                    self._folder, user=namespace[0], namespace=inner, embedder=self._embedder
                )
            return self._memories[key]


def _path(item: MemoryItem) -> tuple[str, ...]:
    return (item.user, *(unquote(part) for part in item.namespace.split("/") if part))


def _value(item: MemoryItem) -> dict[str, Any]:
    return item.value if item.value is not None else {"text": item.text, "category": item.category} | item.metadata


def _item(item: MemoryItem) -> Item:
    return Item(
        value=_value(item),
        key=item.key or item.memory_id,
        namespace=_path(item),
        created_at=item.created_at,
        updated_at=item.updated_at,
    )


def _search_item(item: MemoryItem, score: float | None) -> SearchItem:
    created: datetime = item.created_at
    return SearchItem(_path(item), item.key or item.memory_id, _value(item), created, item.updated_at, score)


def _text_of(value: dict[str, Any]) -> str:
    """Return the words of a value: its `text` where it has one, else all strings in it; its keys where it has none."""
    if isinstance(value.get("text"), str) and value["text"].strip():
        return str(value["text"])
    return "\n".join(_strings(value)) or " ".join(value) or "empty"


def _strings(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value] if value.strip() else []
    if isinstance(value, dict):
        return [text for each in value.values() for text in _strings(each)]
    if isinstance(value, list):
        return [text for each in value for text in _strings(each)]
    return [str(value)] if isinstance(value, int | float) and not isinstance(value, bool) else []


def _matches(item: MemoryItem, wanted: dict[str, Any] | None) -> bool:
    return all(_holds(_value(item).get(name), value) for name, value in (wanted or {}).items())


def _holds(value: Any, wanted: Any) -> bool:
    if not isinstance(wanted, dict) or not any(str(name).startswith("$") for name in wanted):
        return bool(value == wanted)
    for sign, bound in wanted.items():
        if sign in ("$eq", "$ne"):
            fits = (value == bound) is (sign == "$eq")
        elif sign in ("$gt", "$gte", "$lt", "$lte"):
            fits = value is not None and _compared(sign, value, bound)
        else:
            raise UsageError(f"a filter knows $eq, $ne, $gt, $gte, $lt and $lte, not {sign!r}")
        if not fits:
            return False
    return True


def _compared(sign: str, value: Any, bound: Any) -> bool:
    try:
        return bool(
            value > bound if sign == "$gt" else value >= bound if sign == "$gte" else value < bound
            if sign == "$lt" else value <= bound
        )  # fmt: skip
    except TypeError:
        return False


def _fits(path: tuple[str, ...], condition: MatchCondition) -> bool:
    wanted = tuple(condition.path)
    part = path[: len(wanted)] if condition.match_type == "prefix" else path[-len(wanted) :]
    return len(part) == len(wanted) and all(each in ("*", given) for each, given in zip(wanted, part, strict=True))
