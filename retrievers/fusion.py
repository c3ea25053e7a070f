"""Fuse rankings and scores of several retrievers into one order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

RRF_K = 60


def reciprocal_rank_fusion(rankings: Sequence[Sequence[str]], *, k: int = RRF_K) -> list[tuple[str, float]]:
    """Fuse ranked lists of chunk ids, best first.  Rank r (from 1) in a list adds 1 / (k + r); absence adds 0.

    Args:
        rankings: One list per retriever, best first, ids unique within a list; lengths may differ.
        k: Rank offset, 0 or more; larger flattens the top ranks. `RRF_K` is 60, the value of the paper.
    Returns: (chunk_id, score) for each distinct id, score in (0, len(rankings) / (k + 1)]; equal scores order by id.
    Raises: ValueError when k is negative.
    Source: Cormack, Clarke and Büttcher, SIGIR 2009, doi:10.1145/1571941.1572114.
    """
    if k < 0:
        raise ValueError("k must be 0 or more")
    # Ranks are added in order of size, so that the sum does not depend on which retriever came first.
    ranks: dict[str, list[int]] = {}
    for ranking in rankings:
        for rank, chunk_id in enumerate(ranking, start=1):
            ranks.setdefault(chunk_id, []).append(rank)
    return in_order({chunk_id: sum(1 / (k + rank) for rank in sorted(held)) for chunk_id, held in ranks.items()})


def completed_fusion(
    sparse: Mapping[str, float], dense: Mapping[str, float], *, dense_weight: float = 0.5
) -> list[tuple[str, float]]:
    """Fuse two scores that are both known for every candidate: each divided by its maximum, then their weighted mean.

    A candidate that only one retriever proposed has been scored by the other too ("completed"), so that a missing
    rank is no verdict.  A score below 0, a cosine of two texts that have nothing in common, counts as 0.

    Args:
        sparse: BM25 by chunk id.
        dense: Cosine by chunk id, the same ids.
        dense_weight: Share of the dense side, in [0, 1].
    Returns: (chunk_id, score) for each id, score in [0, 1]; equal scores order by id.
    Raises: ValueError where the ids differ or the weight is out of range.
    Source: Bruch, Gai and Ingber, "An Analysis of Fusion Functions for Hybrid Retrieval", TOIS 2023,
        doi:10.1145/3596512 (convex combination of normalised scores).
    """
    if sparse.keys() != dense.keys():
        raise ValueError("both scores must be known for every candidate")
    if not 0 <= dense_weight <= 1:
        raise ValueError("dense_weight must lie in [0, 1]")
    shares = _by_maximum(sparse), _by_maximum(dense)
    return in_order(
        {chunk_id: (1 - dense_weight) * shares[0][chunk_id] + dense_weight * shares[1][chunk_id] for chunk_id in sparse}
    )


def in_order(scores: Mapping[str, float]) -> list[tuple[str, float]]:
    """Return (chunk_id, score), best first; equal scores order by id."""
    return sorted(scores.items(), key=lambda pair: (-pair[1], pair[0]))


def _by_maximum(scores: Mapping[str, float]) -> dict[str, float]:
    top = max(scores.values(), default=0.0)
    return {chunk_id: max(score, 0.0) / top if top > 0 else 0.0 for chunk_id, score in scores.items()}
