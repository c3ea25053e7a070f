"""Rank the rows of a hybrid index for one query: candidates of both sides, both scores, one order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from ..state.records import Hit
from ..text.words import analyse
from .embeddings import Vectors
from .fusion import completed_fusion, in_order, reciprocal_rank_fusion
from .hybrid_dense import DenseSide
from .sparse import Scope, SparseIndex, group_of

Mode = Literal["hybrid", "sparse", "dense"]
Fusion = Literal["completed", "rrf"]
Ranking = list[tuple[str, float]]


@dataclass(frozen=True)
class Ranker:
    """Ranks rows for queries over one state of an index.

    Attributes:
        dense: None where no vector can be compared; then the sparse side alone ranks.
        scope: The rows that may be returned.
    """

    sparse: SparseIndex
    dense: DenseSide | None
    mode: Mode
    fusion: Fusion
    rrf_k: int
    sparse_k: int
    dense_k: int
    scope: Scope

    def rank(
        self, queries: Sequence[str], vectors: Vectors | None, boosts: Sequence[Mapping[str, float]]
    ) -> list[list[Hit]]:
        """Return all candidates of each query as hits, best first.

        Args:
            vectors: Of the queries, shape (n_queries, dim); None where the sparse side alone ranks.
            boosts: For each query, what is added to the score of the rows of a group.
        """
        near: list[Ranking] = [[] for _ in queries]
        if vectors is not None and self.dense is not None and self.mode != "sparse":
            near = self.dense.search(vectors, k=self.dense_k, scope=self.scope)
        return [
            self._rank_one(query, vectors[index] if vectors is not None else None, near[index], boosts[index])
            for index, query in enumerate(queries)
        ]

    def _rank_one(self, query: str, vector: Vectors | None, near: Ranking, boosts: Mapping[str, float]) -> list[Hit]:
        terms = analyse(query)
        worded = self.sparse.search(terms, k=self.sparse_k, scope=self.scope)
        candidates = dict.fromkeys([row_id for row_id, _ in (near if self.mode == "dense" else worded + near)])
        if boosts:
            candidates |= dict.fromkeys(self._boosted(terms, vector, self.scope.within(boosts)))
        known = dict(worded)
        sparse = known | self.sparse.score(terms, [row_id for row_id in candidates if row_id not in known])
        sparse = {row_id: sparse[row_id] for row_id in candidates}
        dense = self._cosines(vector, list(candidates))
        ranks_sparse = {row_id: rank for rank, (row_id, _) in enumerate(worded, start=1)}
        ranks_dense = {row_id: rank for rank, (row_id, _) in enumerate(near, start=1)}
        fused = dict(reciprocal_rank_fusion([list(ranks_sparse), list(ranks_dense)], k=self.rrf_k))
        order = self._order(sparse, dense, fused)
        boosted = {row_id: score + boosts.get(group_of(row_id), 0.0) for row_id, score in order.items()}
        return [
            Hit(
                chunk_id=row_id,
                score=score,
                rank=rank,
                score_sparse=sparse[row_id],
                score_dense=dense.get(row_id),
                score_fused=fused.get(row_id, 0.0),
                rank_sparse=ranks_sparse.get(row_id),
                rank_dense=ranks_dense.get(row_id),
            )
            for rank, (row_id, score) in enumerate(in_order(boosted), start=1)
        ]

    def _boosted(self, terms: Sequence[str], vector: Vectors | None, scope: Scope) -> list[str]:
        found = self.sparse.search(terms, k=self.sparse_k, scope=scope) if self.mode != "dense" else []
        if vector is not None and self.dense is not None:
            found += self.dense.search(vector[None, :], k=self.dense_k, scope=scope)[0]
        return [row_id for row_id, _ in found]

    def _cosines(self, vector: Vectors | None, ids: Sequence[str]) -> dict[str, float]:
        return self.dense.score(vector, ids) if vector is not None and self.dense is not None else {}

    def _order(
        self, sparse: Mapping[str, float], dense: Mapping[str, float], fused: Mapping[str, float]
    ) -> dict[str, float]:
        """Return what orders the candidates."""
        if not dense or self.mode == "sparse":
            return {row_id: score for row_id, score in sparse.items() if score > 0}
        if self.mode == "dense":
            return dict(dense)
        if self.fusion == "rrf":
            return {row_id: fused.get(row_id, 0.0) for row_id in sparse}
        # A row that has no vector yet counts as no nearer than the farthest candidate.
        farthest = min(dense.values())
        return dict(completed_fusion(sparse, {row_id: dense.get(row_id, farthest) for row_id in sparse}))
