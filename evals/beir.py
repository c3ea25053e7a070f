"""Read a retrieval set in the layout of BEIR, and score rankings against its gold documents."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Query:
    """A question with the grade of each gold document."""

    query_id: str
    text: str
    gold: Mapping[str, float]
    metadata: Mapping[str, Any]


@dataclass(frozen=True)
class RetrievalSet:
    """Documents and questions.

    Attributes:
        documents: (id, title, text, metadata) in the order of the file.
    """

    name: str
    documents: Sequence[tuple[str, str, str, Mapping[str, Any]]]
    queries: Sequence[Query]

    @classmethod
    def read(cls, folder: Path) -> RetrievalSet:
        """Read `corpus.jsonl`, `queries.jsonl` and `qrels.tsv`; questions without a gold document are left out."""
        gold: dict[str, dict[str, float]] = {}
        for line in (folder / "qrels.tsv").read_text(encoding="utf-8").splitlines()[1:]:
            query_id, document_id, grade = line.split("\t")
            gold.setdefault(query_id, {})[document_id] = float(grade)
        documents = [
            (row["_id"], row.get("title") or "", row["text"], row.get("metadata") or {})
            for row in _lines(folder / "corpus.jsonl")
        ]
        queries = [
            Query(row["_id"], row["text"], gold[row["_id"]], row.get("metadata") or {})
            for row in _lines(folder / "queries.jsonl")
            if row["_id"] in gold
        ]
        return cls(folder.name, documents, queries)


def ndcg(ranking: Sequence[str], gold: Mapping[str, float], k: int = 10) -> float:
    """Return the discounted gain of the first k over the best possible one, in [0, 1]; gain is the grade.

    Source: Järvelin and Kekäläinen, "Cumulated gain-based evaluation of IR techniques", TOIS 2002,
        doi:10.1145/582415.582418.
    """
    gained = sum(gold.get(found, 0.0) / math.log2(rank + 1) for rank, found in enumerate(ranking[:k], start=1))
    best = sorted(gold.values(), reverse=True)[:k]
    ideal = sum(grade / math.log2(rank + 1) for rank, grade in enumerate(best, start=1))
    return gained / ideal if ideal else 0.0


def recall(ranking: Sequence[str], gold: Mapping[str, float], k: int = 10) -> float:
    """Return the share of the gold documents among the first k."""
    return len(gold.keys() & set(ranking[:k])) / len(gold)


def _lines(path: Path) -> list[dict[str, Any]]:
    with path.open(encoding="utf-8") as file:
        return [json.loads(line) for line in file if line.strip()]
