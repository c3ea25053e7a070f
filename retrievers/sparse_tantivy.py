"""Sparse ranking of a kept corpus: tantivy proposes candidates from disk, our exact BM25 orders them."""

from __future__ import annotations

import gc
import threading
import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import CorpusError
from .fusion import in_order
from .sparse import EVERYTHING, Scope, TermCounts, score_rows

if TYPE_CHECKING:
    import tantivy

WRITER_HEAP_BYTES = 64_000_000
WRITER_WAIT_S = 120.0
# tantivy stores lengths coarsely and weighs them more than we do, so its order differs a little from the exact one.
# It proposes this many times what is kept, then more as long as a row that it left out could still belong to those
# kept: one that it scores lower than the last one proposed, and we at most `MARGIN` times higher.
PROPOSE_FACTOR = 4
MARGIN = 1.25
PROPOSE_MOST = 8_192

CountsReader = Callable[[Collection[str], Collection[str]], Mapping[str, TermCounts]]


class TantivySparse:
    """A tantivy index of row numbers, groups and terms; texts, ids and counts stay in the caller's database.

    Args:
        folder: Made by the first write.
        ids_of: Gives the id of each row number that is still there.
        numbers_of: Gives the row number of each id.
        counts_of: Gives how often some terms stand in rows by id.
        totals: Gives the number of rows and of their terms together.
    """

    def __init__(
        self,
        folder: Path,
        *,
        ids_of: Callable[[Collection[int]], Mapping[int, str]],
        numbers_of: Callable[[Collection[str]], Collection[int]],
        counts_of: CountsReader,
        totals: Callable[[], tuple[int, int]],
    ) -> None:
        self._folder = folder
        self._ids_of, self._numbers_of, self._counts_of, self._totals = ids_of, numbers_of, counts_of, totals
        self._lock = threading.Lock()
        self._index: tantivy.Index | None = None
        self._schema: Any = None

    @property
    def n_rows(self) -> int:
        """Rows that the last commit holds."""
        index = self._open(make=False)
        return int(index.searcher().num_docs) if index is not None else 0

    def write(self, rows: Iterable[tuple[int, str, str]], gone: Sequence[int]) -> None:
        """Commit rows as (number, group, terms joined by spaces) and drop those that are gone.

        A number that is there already is replaced, so that a write cut short can be done again.
        """
        import tantivy

        index = self._open(make=True)
        assert index is not None
        added = list(rows)
        old = [*gone, *(number for number, _, _ in added)]
        writer = _writer(index)
        try:
            for at in range(0, len(old), 10_000):
                numbers = old[at : at + 10_000]
                writer.delete_documents_by_query(tantivy.Query.term_set_query(self._schema, "n", numbers))
            for number, group, terms in added:
                document = tantivy.Document()
                document.add_unsigned("n", number)
                document.add_text("group", group)
                document.add_text("terms", terms)
                writer.add_document(document)
            writer.commit()
            writer.wait_merging_threads()
        finally:
            # The writer's lock file goes with the object.
            del writer
            gc.collect(0)
        self.reload()

    def reload(self) -> None:
        """See what the last commit of any process holds."""
        index = self._open(make=False)
        if index is not None:
            index.reload()

    def search(self, terms: Sequence[str], *, k: int, scope: Scope = EVERYTHING) -> list[tuple[str, float]]:
        """Return the k best rows with a score above 0, best first, equal scores by id."""
        index = self._open(make=False)
        if index is None or not terms:
            return []
        searcher = index.searcher()
        query, limit = self._query(terms, scope), PROPOSE_FACTOR * k
        while True:
            proposed = searcher.search(query, limit=limit, count=False).hits
            numbers = searcher.fast_field_values("n", [address for _, address in proposed])
            ids = self._ids_of([int(number) for number in numbers if number is not None])
            kept = in_order(self.score(terms, list(ids.values())))[:k]
            if len(proposed) < limit or limit >= PROPOSE_MOST:
                return kept
            if len(kept) == k and float(proposed[-1][0]) * MARGIN < kept[-1][1]:
                return kept
            limit *= 4

    def score(self, terms: Sequence[str], ids: Collection[str]) -> dict[str, float]:
        """Return the score of each given row, 0 where no term matches."""
        n_rows, total_length = self._totals()
        counts = self._counts_of(ids, set(terms))
        rows = {row_id: counts[row_id] for row_id in ids if row_id in counts}
        held = self._row_counts(set(terms))
        scores = score_rows(terms, rows, row_counts=held, n_rows=n_rows, total_length=total_length)
        return {row_id: scores.get(row_id, 0.0) for row_id in ids}

    def close(self) -> None:
        """Let the index go; it opens again at next use."""
        with self._lock:
            self._index = None

    def _row_counts(self, terms: Collection[str]) -> dict[str, int]:
        # A query's count leaves deleted rows out; the term's own document frequency counts them until merged.
        index = self._open(make=False)
        if index is None:
            return {}
        searcher = index.searcher()
        held: dict[str, int] = {}
        for term in terms:
            found = searcher.search(self._term("terms", term), limit=1, count=True)
            held[term] = int(getattr(found, "count", None) or 0)
        return held

    def _term(self, field: str, value: str) -> Any:
        import tantivy

        return tantivy.Query.term_query(
            self._schema, field, value, index_option="freq" if field == "terms" else "basic"
        )

    def _query(self, terms: Sequence[str], scope: Scope) -> Any:
        import tantivy

        occur = tantivy.Occur
        any_term = tantivy.Query.boolean_query(
            [(occur.Should, self._term("terms", term)) for term in sorted(set(terms))]
        )
        if scope.everything:
            return any_term
        # A filter has to match and adds nothing to the score.
        clauses = [(occur.Must, any_term)]
        if scope.groups is not None:
            groups = tantivy.Query.term_set_query(self._schema, "group", sorted(scope.groups))
            clauses.append((occur.Must, tantivy.Query.const_score_query(groups, 0.0)))
        if scope.ids is not None:
            numbers = tantivy.Query.term_set_query(self._schema, "n", sorted(self._numbers_of(scope.ids)))
            clauses.append((occur.Must, tantivy.Query.const_score_query(numbers, 0.0)))
        return tantivy.Query.boolean_query(clauses)

    def _open(self, *, make: bool) -> tantivy.Index | None:
        import tantivy

        with self._lock:
            if self._index is None:
                if not make and not (self._folder / "meta.json").is_file():
                    return None
                self._folder.mkdir(parents=True, exist_ok=True)
                self._schema = _schema()
                try:
                    self._index = tantivy.Index(self._schema, path=str(self._folder), reuse=True)
                except ValueError as error:
                    raise CorpusError(
                        f"{self._folder}: the sparse index is damaged; delete this folder and it is built again"
                    ) from error
            return self._index


def _schema() -> Any:
    import tantivy

    builder = tantivy.SchemaBuilder()
    builder.add_unsigned_field("n", indexed=True, fast=True)
    builder.add_text_field("group", tokenizer_name="raw", index_option="basic")
    # The terms are made by our analyser; tantivy only splits them at the spaces between them.
    builder.add_text_field("terms", tokenizer_name="whitespace", index_option="freq")
    return builder.build()


def _writer(index: tantivy.Index) -> Any:
    """Return the index's one writer, waiting for another process that holds it."""
    deadline = time.monotonic() + WRITER_WAIT_S
    while True:
        try:
            return index.writer(heap_size=WRITER_HEAP_BYTES, num_threads=1)
        except ValueError as error:
            if "LockBusy" not in str(error) or time.monotonic() > deadline:
                raise CorpusError(f"the sparse index cannot be written: {error}") from error
            time.sleep(0.02)
