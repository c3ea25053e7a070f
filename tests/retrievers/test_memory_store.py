"""The memory as a LangGraph store: its operations, and users that are told apart by whole names."""

from __future__ import annotations

from collections.abc import Sequence
from zlib import crc32

import numpy as np
import pytest
from citewell.errors import UsageError
from citewell.retrievers.memory import Memory
from citewell.retrievers.memory_store import MemoryStore
from langgraph.graph import START, StateGraph
from langgraph.runtime import Runtime
from typing_extensions import TypedDict


class WordVectors:
    """Vectors that are near where texts share words."""

    name, dim = "words", 64

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        rows = np.zeros((len(texts), self.dim), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in text.lower().replace(".", " ").split():
                row[crc32(word.encode()) % self.dim] += 1
            row /= max(float(np.linalg.norm(row)), 1e-9)
        return rows


@pytest.fixture
def store(tmp_path):
    opened = MemoryStore(tmp_path, WordVectors())
    yield opened
    opened.close()


def test_put_get_replace_and_delete(store):
    store.put(("ann", "prefs"), "k1", {"text": "Tea at four."})
    assert store.get(("ann", "prefs"), "k1").value == {"text": "Tea at four."}
    store.put(("ann", "prefs"), "k1", {"text": "Coffee at nine.", "hot": True})
    assert store.get(("ann", "prefs"), "k1").value == {"text": "Coffee at nine.", "hot": True}
    store.delete(("ann", "prefs"), "k1")
    assert store.get(("ann", "prefs"), "k1") is None


def test_a_prefix_matches_whole_names(store):
    store.put(("ann",), "k", {"text": "The key is under the pot."})
    store.put(("anna", "x"), "k", {"text": "The key is in the car."})
    assert [item.namespace for item in store.search(("ann",), query="where is the key")] == [("ann",)]
    assert [item.namespace for item in store.search(("anna",))] == [("anna", "x")]
    assert {item.namespace[0] for item in store.search((), query="key")} == {"ann", "anna"}


def test_search_ranks_filters_and_pages(store):
    for number in range(5):
        store.put(("ann", "a/b"), f"k{number}", {"text": f"Crate {number} is in bay {number}.", "bay": number})
    found = store.search(("ann", "a/b"), query="crate 3", limit=2)
    assert (found[0].key, found[0].namespace, len(found)) == ("k3", ("ann", "a/b"), 2)
    assert found[0].score >= found[1].score
    assert [item.key for item in store.search(("ann",), filter={"bay": {"$gte": 3}})] == ["k3", "k4"]
    assert [item.key for item in store.search(("ann",), limit=2, offset=1)] == ["k1", "k2"]
    with pytest.raises(UsageError):
        store.search(("ann",), filter={"bay": {"$near": 3}})


def test_namespaces_are_listed(store):
    store.put(("ann", "a", "b"), "k", {"text": "x"})
    store.put(("bob", "b"), "k", {"text": "x"})
    assert store.list_namespaces() == [("ann", "a", "b"), ("bob", "b")]
    assert store.list_namespaces(suffix=("b",), max_depth=2) == [("ann", "a"), ("bob", "b")]
    assert store.list_namespaces(prefix=("ann",)) == [("ann", "a", "b")]


def test_what_memory_stored_is_seen_through_the_store(store, tmp_path):
    Memory.open(tmp_path, user="ann", embedder=WordVectors()).store("Pump D has 61 bar.", "fact")
    [item] = store.search(("ann",), query="pump")
    assert (item.key, item.value) == ("mem_0001", {"text": "Pump D has 61 bar.", "category": "fact"})
    assert store.get(("ann",), "mem_0001").value["text"] == "Pump D has 61 bar."


class Asked(TypedDict):
    """A state of one channel."""

    found: list[str]


async def test_a_graph_compiled_with_it_reads_and_writes_memories(store):
    async def step(state: Asked, runtime: Runtime) -> Asked:
        await runtime.store.aput(("ann",), "k", {"text": "Tea at four."})
        return {"found": [item.value["text"] for item in await runtime.store.asearch(("ann",), query="tea")]}

    graph = StateGraph(Asked)
    graph.add_node("step", step)
    graph.add_edge(START, "step")
    assert (await graph.compile(store=store).ainvoke({"found": []}))["found"] == ["Tea at four."]
