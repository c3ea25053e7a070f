"""The nearest current memory is found among what the records hold at this moment, whoever wrote it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from zlib import crc32

import numpy as np
import pytest
from citewell.errors import UsageError
from citewell.retrievers.memory import Memory
from citewell.retrievers.memory_items import MemoryItem
from citewell.retrievers.memory_records import MemoryRecords
from citewell.retrievers.memory_vectors import CurrentVectors

DAY = datetime(2024, 1, 2, tzinfo=UTC)


class Spelt:
    """Vectors of 384 numbers that lie close together where texts share most letters."""

    name, dim = "spelt", 384

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        rows = np.zeros((len(texts), self.dim), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in text.lower().split():
                row += np.random.default_rng(crc32(word.encode())).normal(size=self.dim)
            row /= np.linalg.norm(row)
        return rows


def unit(seed: int, *, towards: np.ndarray | None = None, share: float = 0.0) -> np.ndarray:
    row = np.random.default_rng(seed).normal(size=384).astype(np.float32)
    row /= np.linalg.norm(row)
    if towards is not None:
        row = share * towards + (1 - share) * row
    return (row / np.linalg.norm(row)).astype(np.float32)


def insert(records: MemoryRecords, text: str, vector: np.ndarray, namespace: str = "") -> MemoryItem:
    item = MemoryItem(
        memory_id="", user="ann", text=text, namespace=namespace, said_at=DAY, created_at=DAY, updated_at=DAY
    )
    return records.insert(item, fingerprint=text, subject="", model="m", vector=vector)


@pytest.fixture
def records(tmp_path: Path) -> MemoryRecords:
    return MemoryRecords(tmp_path)


def nearest(current: CurrentVectors, records: MemoryRecords, vector: np.ndarray, namespace: str = "") -> str | None:
    found = current.nearest(vector, namespace, records.state("ann"))
    return found[0] if found else None


def test_the_nearest_of_many_is_found_with_its_cosine(records):
    rows = [unit(seed) for seed in range(200)]
    for seed, row in enumerate(rows):
        insert(records, f"text {seed}", row)
    current = CurrentVectors("ann", records, "m")
    for wanted in (0, 63, 64, 199):
        near = unit(1_000 + wanted, towards=rows[wanted], share=0.8)
        found = current.nearest(near, "", records.state("ann"))
        assert found is not None
        assert found[0] == f"mem_{wanted + 1:04d}"
        assert found[1] == pytest.approx(float(rows[wanted] @ near), abs=1e-5)
    assert nearest(current, records, unit(5_000)) is None


def test_another_namespace_a_closed_memory_and_another_user_are_not_looked_at(records):
    row = unit(1)
    insert(records, "one", row, namespace="other")
    closed = insert(records, "two", row)
    records.replace(closed.model_copy(update={"closed_at": DAY}))
    current = CurrentVectors("ann", records, "m")
    assert nearest(current, records, row) is None
    third = insert(records, "three", unit(2, towards=row, share=0.9))
    assert nearest(current, records, row) == third.memory_id
    assert nearest(current, records, row, "other") == "mem_0001"
    assert CurrentVectors("bob", records, "m").nearest(row, "", records.state("bob")) is None


def test_what_another_connection_writes_replaces_and_forgets_is_followed(records, tmp_path):
    current, other = CurrentVectors("ann", records, "m"), MemoryRecords(tmp_path)
    first, second = insert(other, "one", unit(1)), insert(other, "two", unit(2))
    assert nearest(current, records, unit(1)) == first.memory_id
    other.replace(first, model="m", vector=unit(3))
    assert nearest(current, records, unit(1)) is None
    assert nearest(current, records, unit(3)) == first.memory_id
    other.replace(second.model_copy(update={"closed_at": DAY}))
    assert nearest(current, records, unit(2)) is None
    other.delete("ann", [1])
    assert nearest(current, records, unit(3)) is None


def test_what_a_transaction_took_back_is_forgotten(records, tmp_path):
    current, other = CurrentVectors("ann", records, "m"), MemoryRecords(tmp_path)

    def taken_back() -> None:
        with records.writing():
            insert(records, "one", unit(1))
            assert nearest(current, records, unit(1)) == "mem_0001"
            raise RuntimeError

    with pytest.raises(RuntimeError):
        taken_back()
    insert(other, "another", unit(2))  # takes the same revision
    assert nearest(current, records, unit(1)) is None
    assert nearest(current, records, unit(2)) == "mem_0001"


def test_vectors_of_another_length_are_not_compared(records):
    insert(records, "one", unit(1))
    assert nearest(CurrentVectors("ann", records, "m"), records, np.ones(8, dtype=np.float32)) is None


def test_a_near_duplicate_merges_though_a_closer_one_lies_elsewhere(tmp_path):
    with Memory.open(tmp_path, user="ann", namespace="a", embedder=Spelt()) as other:
        other.store("The spare key of the workshop hangs behind the green door.", said_at=DAY)
    with Memory.open(tmp_path, user="ann", namespace="b", embedder=Spelt()) as memory:
        first = memory.store("The spare key of the workshop hangs behind the green door!", said_at=DAY)
        assert (first.action, first.memory_id) == ("stored", "mem_0002")
        again = memory.store("The spare key of the workshop hangs behind the green doors", said_at=DAY)
        assert (again.action, again.memory_id) == ("merged", "mem_0002")


def test_a_failed_import_leaves_no_trace_in_what_is_compared(tmp_path):
    with Memory.open(tmp_path, user="ann", embedder=Spelt()) as memory:
        memory.store("The lock is green.", said_at=DAY)
        line = next(iter(memory.export()))
        with pytest.raises(UsageError):
            memory.import_lines([line.replace("green", "red"), "{"])
        assert memory.store("The lock is red.", said_at=DAY).action == "stored"
