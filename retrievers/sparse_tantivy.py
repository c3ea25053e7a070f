"""Sparse ranking of a kept corpus: tantivy proposes candidates from disk, our exact BM25 orders them."""

from __future__ import annotations

import contextlib
import gc
import json
import os
import shutil
import threading
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any
from zlib import crc32

from ..errors import CorpusError
from .fusion import in_order
from .sparse import EVERYTHING, K1, B, Scope, TermCounts, inverse_document_frequency, score_rows

if TYPE_CHECKING:
    import tantivy

WRITER_HEAP_BYTES = 64_000_000
WRITER_WAIT_S = 120.0
# tantivy stores lengths coarsely and weighs them more than we do, so its order differs a little from the exact one.
# It proposes this many times what is kept, then more as long as a row that it left out could still belong to those
# kept: one that it scores lower than the last one proposed, and we at most `margin` times higher.
PROPOSE_FACTOR = 4
PROPOSE_LEAST = 100
PROPOSE_MOST = 8_192
# How many rows hold a term is counted in an index of so many rows; in a larger one tantivy's own number stands for it,
# in which a deleted row counts until its segment is merged.
COUNTED_UP_TO = 100_000
# What tantivy weighs the length with, and how far its mean length and counts, deleted rows included, may lie off.
TANTIVY_B = 0.75
DRIFT = 1.02
# Files are compared with their checksums when they are first seen, where they are together not larger.
LOOK_AT_UP_TO_BYTES = 64_000_000
# The last four bytes of every file that tantivy writes.
_FOOTER_MAGIC = 1337


def margin(longest: float) -> float:
    """Return how many times higher than tantivy's our score of a row can be, where no row is longer.

    Args:
        longest: Terms of the longest row over the mean, 1 or more.  A row of the mean length has one score in both, and
            a longer one that holds a term once gains most from the smaller `B`.  Coarse lengths, which are rounded
            down, only raise tantivy's score.
    """
    ours, theirs = (1 + K1 * (1 - b + b * max(longest, 1.0)) for b in (B, TANTIVY_B))
    return DRIFT * theirs / ours


class TantivySparse:
    """A tantivy index of row numbers, groups and terms; texts, ids and counts stay in the caller's database.

    Args:
        folder: Made by the first write.
        numbers_of: Gives the row number of each id.
        counts_of: Gives how often some terms stand in rows, by the id of each number that is still there.
        totals: Gives the number of rows, of their terms together, and of the terms of the longest.
    """

    def __init__(
        self,
        folder: Path,
        *,
        numbers_of: Callable[[Collection[str]], Mapping[str, int]],
        counts_of: Callable[[Collection[int], Collection[str]], Mapping[str, TermCounts]],
        totals: Callable[[], tuple[int, int, int]],
    ) -> None:
        self.folder = folder
        self._numbers_of, self._counts_of, self._totals = numbers_of, counts_of, totals
        self._lock = threading.Lock()
        self._index: tantivy.Index | None = None
        self._schema: Any = None
        self._copy: TemporaryDirectory[str] | None = None
        self._looked_at: set[str] = set()

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

        added = list(rows)

        def drop(writer: Any) -> None:
            old = [*gone, *(number for number, _, _ in added)]
            for at in range(0, len(old), 10_000):
                numbers = old[at : at + 10_000]
                writer.delete_documents_by_query(tantivy.Query.term_set_query(self._schema, "n", numbers))

        self._write(drop, added)

    def rebuild(self, rows: Iterable[tuple[int, str, str]]) -> None:
        """Write all rows anew, in one commit: a process that is killed meanwhile leaves what was there.

        Deleted rows then take no room any more, and no longer count in how many rows a term is found.
        """
        self._write(lambda writer: writer.delete_all_documents(), rows)

    def _write(self, drop: Callable[[Any], object], rows: Iterable[tuple[int, str, str]]) -> None:
        import tantivy

        with self._named_errors():
            index = self._open(make=True)
            assert index is not None
            writer = _writer(index)
            try:
                drop(writer)
                for number, group, terms in rows:
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
            with self._named_errors():
                self._look_at_small_files()
                index.reload()

    def damaged(self) -> list[str]:
        """Read all files of the last commit and name those whose checksum is not what tantivy wrote."""
        return [path.name for path in _files(self.folder) if not _intact(path)]

    def _look_at_small_files(self) -> None:
        """Read files once that have not been read yet, as long as that takes no time to speak of."""
        new = [path for path in _files(self.folder) if path.name not in self._looked_at]
        if sum(path.stat().st_size for path in new if path.exists()) > LOOK_AT_UP_TO_BYTES:
            return
        for path in new:
            if not _intact(path):
                raise self._named(f"{path.name} was changed by the disk")
            self._looked_at.add(path.name)

    def _named(self, how: str) -> CorpusError:
        return CorpusError(
            f"{self.folder}: the sparse index is damaged ({how}); delete this folder and it is built again"
        )

    @contextlib.contextmanager
    def _named_errors(self) -> Iterator[None]:
        """Name what tantivy raises: where its own code stops at files that it did not write, no `Exception`."""
        try:
            yield
        except ValueError as error:
            told = str(error).splitlines()[0][:200]
            if "os error 28" in told or "No space left" in told:
                raise CorpusError(f"{self.folder}: the disk is full; free some room and index again") from error
            raise self._named(told) from error
        except BaseException as error:
            if type(error).__name__ != "PanicException":
                raise
            raise self._named(str(error).splitlines()[0][:200]) from None

    def search(self, terms: Sequence[str], *, k: int, scope: Scope = EVERYTHING) -> list[tuple[str, float]]:
        """Return the k best rows with a score above 0, best first, equal scores by id."""
        with self._named_errors():
            return self._search(terms, k, scope)

    def _search(self, terms: Sequence[str], k: int, scope: Scope) -> list[tuple[str, float]]:
        index = self._open(make=False)
        if index is None or not terms:
            return []
        searcher = index.searcher()
        n_rows, total_length, longest = self._totals()
        most = margin(longest * n_rows / max(total_length, 1))
        row_counts = self._row_counts(set(terms))
        most *= self._rarer(searcher, row_counts, n_rows)
        query, limit, seen = self._query(terms, scope), max(PROPOSE_FACTOR * k, PROPOSE_LEAST), 0
        scores: dict[str, float] = {}
        while True:
            proposed = searcher.search(query, limit=limit, count=False).hits
            # A longer list begins with the shorter one: only what is new is scored.
            numbers = searcher.fast_field_values("n", [address for _, address in proposed[seen:]])
            scores |= self._scores(terms, [int(number) for number in numbers if number is not None], row_counts)
            kept, seen = in_order(scores)[:k], len(proposed)
            if len(proposed) < limit or limit >= PROPOSE_MOST:
                return kept
            if len(kept) == k and float(proposed[-1][0]) * most < kept[-1][1]:
                return kept
            limit *= 4

    def _rarer(self, searcher: Any, row_counts: Mapping[str, int], n_rows: int) -> float:
        """Return how many times more a term may weigh with us than with tantivy, which counts rows that left too.

        How many rows it counts in all is not told: at least those that are there, and those that hold the term.
        """
        weight, most = inverse_document_frequency, 1.0
        for term, ours in row_counts.items():
            theirs = int(searcher.doc_freq("terms", term))
            if 0 < ours < theirs:
                most = max(most, weight(n_rows, ours) / weight(max(n_rows, theirs), theirs))
        return most

    def score(self, terms: Sequence[str], ids: Collection[str]) -> dict[str, float]:
        """Return the score of each given row, 0 where no term matches."""
        with self._named_errors():
            scores = self._scores(terms, list(self._numbers_of(ids).values()), self._row_counts(set(terms)))
        return {row_id: scores.get(row_id, 0.0) for row_id in ids}

    def _scores(
        self, terms: Sequence[str], numbers: Collection[int], row_counts: Mapping[str, int]
    ) -> dict[str, float]:
        n_rows, total_length, _ = self._totals()
        rows = self._counts_of(numbers, set(terms))
        return score_rows(terms, rows, row_counts=row_counts, n_rows=n_rows, total_length=total_length)

    def close(self) -> None:
        """Let the index go; it opens again at next use."""
        with self._lock:
            self._index = None
            if self._copy is not None:
                self._copy.cleanup()
                self._copy = None

    def _row_counts(self, terms: Collection[str]) -> dict[str, int]:
        # A query's count leaves deleted rows out; the term's own document frequency counts them until merged.
        index = self._open(make=False)
        if index is None:
            return {}
        searcher = index.searcher()
        held: dict[str, int] = {}
        n_rows, _, _ = self._totals()
        if n_rows > COUNTED_UP_TO:
            return {term: min(int(searcher.doc_freq("terms", term)), n_rows) for term in terms}
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
            numbers = tantivy.Query.term_set_query(self._schema, "n", sorted(self._numbers_of(scope.ids).values()))
            clauses.append((occur.Must, tantivy.Query.const_score_query(numbers, 0.0)))
        return tantivy.Query.boolean_query(clauses)

    def _writable(self) -> Path:
        """Return the folder, or a copy where it cannot be written: a reader too makes lock files beside the index."""
        if self.folder.exists() and not os.access(self.folder, os.W_OK):
            self._copy = TemporaryDirectory(prefix="citewell-words-")
            return Path(shutil.copytree(self.folder, Path(self._copy.name, "tantivy")))
        self.folder.mkdir(parents=True, exist_ok=True)
        return self.folder

    def _open(self, *, make: bool) -> tantivy.Index | None:
        import tantivy

        with self._lock:
            if self._index is None:
                if not make and not (self.folder / "meta.json").is_file():
                    return None
                self._schema = _schema()
                with self._named_errors():
                    self._look_at_small_files()
                    self._index = tantivy.Index(self._schema, path=str(self._writable()), reuse=True)
            return self._index


def _files(folder: Path) -> list[Path]:
    """Return the files of the last commit: segments, which never change once they are written."""
    try:
        held = json.loads((folder / "meta.json").read_bytes())["segments"]
        segments = {str(each["segment_id"]).replace("-", "") for each in held}
        # Which rows of a segment are gone stands in a file of each commit; one that is being written counts not yet.
        gone = {str(each["deletes"]["opstamp"]) for each in held if each["deletes"]}
    except FileNotFoundError:
        return []
    except (ValueError, KeyError, TypeError):
        return [folder / "meta.json"]
    parts = [(path, path.name.split(".")) for path in folder.iterdir()]
    return sorted(path for path, name in parts if name[0] in segments and (name[-1] != "del" or name[1] in gone))


def _intact(path: Path) -> bool:
    """Whether a file ends with the checksum of what stands before it, as tantivy ends its files."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:  # merged into another one meanwhile
        return True
    if len(data) < 8 or int.from_bytes(data[-4:], "little") != _FOOTER_MAGIC:
        return False
    length = int.from_bytes(data[-8:-4], "little")
    try:
        held = json.loads(data[-8 - length : -8])["crc"]
    except (ValueError, KeyError, TypeError):
        return False
    return bool(held == crc32(data[: -8 - length]))


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
