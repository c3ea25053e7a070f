"""Sparse ranking: BM25 with exact counts over terms of the one analyser, and the index that keeps all in memory."""

from __future__ import annotations

import heapq
import math
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from rank_bm25 import BM25Okapi

# Chunks are of nearly one length by construction, and a short one is rarely short because it is to the point, so the
# length counts for less than the usual 0.75.
K1 = 1.2
B = 0.5


@dataclass(frozen=True)
class TermCounts:
    """How often each term stands in a text, and how many terms it has."""

    counts: Mapping[str, int]
    length: int

    @classmethod
    def of(cls, terms: Sequence[str]) -> TermCounts:
        """Count the terms of a text."""
        return cls(Counter(terms), len(terms))


@dataclass(frozen=True)
class Scope:
    """The rows that a search may return.

    Attributes:
        ids: Only these, or None for all.
        groups: Only rows of these groups, or None for all; a row's group is its id up to the colon, its source.
    """

    ids: frozenset[str] | None = None
    groups: frozenset[str] | None = None

    def __contains__(self, row_id: str) -> bool:
        return (self.ids is None or row_id in self.ids) and (self.groups is None or group_of(row_id) in self.groups)

    @property
    def everything(self) -> bool:
        """Whether nothing is excluded."""
        return self.ids is None and self.groups is None

    def within(self, groups: Collection[str]) -> Scope:
        """Return the part of this scope that lies in the given groups."""
        kept = frozenset(groups) if self.groups is None else self.groups & frozenset(groups)
        return Scope(self.ids, kept)


EVERYTHING = Scope()


def group_of(row_id: str) -> str:
    """Return what rows of one source share: the id up to the colon."""
    return row_id.partition(":")[0]


class SparseIndex(Protocol):
    """Ranks rows by BM25 with exact counts, so that every engine gives the same scores and the same order."""

    def search(self, terms: Sequence[str], *, k: int, scope: Scope = EVERYTHING) -> list[tuple[str, float]]:
        """Return the k best rows with a score above 0, best first, equal scores by id."""
        ...

    def score(self, terms: Sequence[str], ids: Collection[str]) -> dict[str, float]:
        """Return the score of each given row, 0 where no term matches."""
        ...


class ExactBM25(BM25Okapi):
    """rank-bm25's scorer over some rows, fed with the exact counts of the whole index.

    BM25Okapi gives IDF 0 to a term in exactly half of the corpus; ours is ln(1 + (N - n + 0.5) / (n + 0.5)), never 0.
    Source: Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009,
        doi:10.1561/1500000019; the IDF is that of Apache Lucene's BM25Similarity.
    """

    def __init__(
        self,
        rows: Sequence[TermCounts],
        *,
        row_counts: Mapping[str, int],
        n_rows: int,
        mean_length: float,
        k1: float = K1,
        b: float = B,
    ) -> None:
        # BM25Okapi.__init__ counts the rows it is given; here they are a part of an index that is counted already.
        self.k1, self.b = k1, b
        self.corpus_size = len(rows)
        self.avgdl = mean_length
        self.doc_freqs = [row.counts for row in rows]
        self.doc_len = [row.length for row in rows]
        self.idf = {term: inverse_document_frequency(n_rows, count) for term, count in row_counts.items()}

    def scores(self, terms: Sequence[str]) -> list[float]:
        """Return the score of each row, 0 or more; a term that the query repeats counts as often."""
        if not self.doc_freqs or not self.avgdl:
            return [0.0] * len(self.doc_freqs)
        # The terms are added in one order, so that the sum does not depend on the wording of the query.
        return [float(score) for score in self.get_scores(sorted(terms))]


def inverse_document_frequency(n_rows: int, n_holding: int) -> float:
    """Return ln(1 + (N - n + 0.5) / (n + 0.5)), above 0 for 0 <= n <= N."""
    return math.log(1 + (n_rows - n_holding + 0.5) / (n_holding + 0.5))


def score_rows(
    terms: Sequence[str],
    rows: Mapping[str, TermCounts],
    *,
    row_counts: Mapping[str, int],
    n_rows: int,
    total_length: int,
) -> dict[str, float]:
    """Return the BM25 score of each row, given the exact counts of the index it belongs to.

    Args:
        terms: Of the query, repeats kept.
        rows: By id.
        row_counts: For each term of the query, how many rows of the index hold it.
        n_rows: Rows of the index.
        total_length: Terms of all rows together.
    """
    known = [term for term in terms if row_counts.get(term)]
    mean_length = total_length / n_rows if n_rows else 0.0
    scorer = ExactBM25(list(rows.values()), row_counts=row_counts, n_rows=n_rows, mean_length=mean_length)
    return dict(zip(rows, scorer.scores(known), strict=True))


class MemorySparse:
    """All counts in memory: for the passages of one run and for memories, up to some ten thousand rows.

    Adding or removing a row costs what the row holds, however many rows there are.
    """

    def __init__(self) -> None:
        self._rows: dict[str, TermCounts] = {}
        self._holders: dict[str, dict[str, None]] = {}
        self._total_length = 0

    def __len__(self) -> int:
        return len(self._rows)

    def add(self, rows: Iterable[tuple[str, Sequence[str]]]) -> None:
        """Add rows as (id, terms); one that is there is replaced."""
        for row_id, terms in rows:
            self.remove([row_id])
            row = TermCounts.of(terms)
            self._rows[row_id] = row
            self._total_length += row.length
            for term in row.counts:
                self._holders.setdefault(term, {})[row_id] = None

    def remove(self, ids: Iterable[str]) -> None:
        """Remove rows; one that is not there is passed over."""
        for row_id in ids:
            row = self._rows.pop(row_id, None)
            if row is None:
                continue
            self._total_length -= row.length
            for term in row.counts:
                holders = self._holders[term]
                del holders[row_id]
                if not holders:
                    del self._holders[term]

    def search(self, terms: Sequence[str], *, k: int, scope: Scope = EVERYTHING) -> list[tuple[str, float]]:
        """Return the k best rows with a score above 0, best first, equal scores by id."""
        scores: dict[str, float] = {}
        mean_length = self._total_length / len(self._rows) if self._rows else 0.0
        # Holder by holder, in the order of terms that `ExactBM25` adds them in: the same sum to the last bit, without
        # asking each matching row for each term.
        for term in sorted(terms):
            holders = self._holders.get(term)
            if not holders:
                continue
            idf = inverse_document_frequency(len(self._rows), len(holders))
            for row_id in holders:
                row = self._rows[row_id]
                count = row.counts[term]
                part = idf * (count * (K1 + 1) / (count + K1 * (1 - B + B * row.length / mean_length)))
                scores[row_id] = scores.get(row_id, 0.0) + part
        inside = scores.items() if scope.everything else (pair for pair in scores.items() if pair[0] in scope)
        return heapq.nsmallest(k, inside, key=lambda pair: (-pair[1], pair[0]))

    def score(self, terms: Sequence[str], ids: Collection[str]) -> dict[str, float]:
        """Return the score of each given row, 0 where no term matches or the row is not there."""
        rows = {row_id: self._rows[row_id] for row_id in ids if row_id in self._rows}
        scores = score_rows(
            terms,
            rows,
            row_counts={term: len(self._holders.get(term, ())) for term in set(terms)},
            n_rows=len(self._rows),
            total_length=self._total_length,
        )
        return {row_id: scores.get(row_id, 0.0) for row_id in ids}
