"""A corpus: sources kept in a folder, searched by words and by meaning."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

from ..errors import CorpusError
from ..settings import Environment, Settings, load_settings
from ..state.records import Chunk, Document, Hit, IndexReport, Source, TableRow, chunk_id_of
from .corpus_following import BATCH_SOURCES, Following
from .corpus_intake import page_content, read_document, ready
from .corpus_reading import CorpusReading
from .corpus_records import Intake
from .corpus_store import CorpusStore
from .corpus_sync import FolderSync, Outcomes, Progress, known_roots
from .corpus_vectors import MissingVectors
from .embeddings import Embedder, Vectors, as_embedder, load_embedder
from .filters import Where
from .hybrid import Engine, HybridIndex
from .hybrid_ranking import Mode
from .parsers import Extraction
from .sparse import group_of

if TYPE_CHECKING:
    from langchain_core.embeddings import Embeddings
    from langchain_core.retrievers import BaseRetriever


class Corpus:
    """Sources, their texts and chunks in SQLite, which is the truth, and an index over the chunks that follows it.

    Adding goes in two steps: texts and words first, so that sparse search finds them at once, then the vectors.  Each
    step commits batch by batch and goes on where a killed process left it.  Several processes may add and search the
    same folder at once.
    """

    def __init__(self, folder: Path, settings: Settings, index: HybridIndex) -> None:
        self.folder, self.settings = folder, settings
        self._index = index
        self._store = CorpusStore(folder)
        self._following = Following(self._store, index)
        self._vectors = MissingVectors(self._store, index, folder / "embed.lock", settings.embeddings)
        self._reading = CorpusReading(self._store)

    @classmethod
    def open(
        cls,
        folder: Path | str,
        *,
        settings: Settings | None = None,
        environment: Environment | None = None,
        embedder: Embedder | Embeddings | None = None,
        sparse: Engine = "tantivy",
        reembed: bool = False,
    ) -> Corpus:
        """Open a corpus folder; it is made by the first write.

        Args:
            embedder: Instead of the one that the settings name.
            sparse: `tantivy` for a kept corpus, `memory` for the passages of a single run; both give the same order.
            reembed: Give a corpus made with another embedding model a second collection of vectors.
        Raises: CorpusError where the folder is no corpus, EmbeddingMismatch where it was made with another model.
        """
        path = Path(folder).expanduser().absolute()  # Chroma keeps clients by path, whatever the working directory
        if path.exists() and not path.is_dir():
            raise CorpusError(f"{path}: a corpus is a folder, this is a file")
        settings = settings or load_settings()
        environment = environment or Environment.read()
        index = HybridIndex(
            path / "index",
            as_embedder(embedder) if embedder is not None else load_embedder(settings, environment),
            sparse=sparse,
            chroma_url=environment.chroma_url,
            reembed=reembed,
        )
        return cls(path, settings, index)

    def __enter__(self) -> Corpus:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __len__(self) -> int:
        return self._store.chunk_count()

    @property
    def degraded(self) -> str:
        """Why dense search does not take part fully, in words for the report; empty where it does."""
        if self._index.degraded:
            return self._index.degraded
        pending = self.pending
        return f"{pending:,} passages have no vector yet and are found by their words alone" if pending else ""

    @property
    def approximate(self) -> str:
        """What was approximate about the last search, in words for the report; empty where it was exact."""
        return self._index.approximate

    @property
    def pending(self) -> int:
        """Chunks without a vector."""
        self._following.complete()
        return self._index.pending

    # Adding

    def add_path(self, *paths: Path | str, progress: Progress | None = None, embed: bool = True) -> IndexReport:
        """Bring the corpus in step with files and folders: new ones come, changed ones replace, removed ones leave.

        Files are told apart by their bytes, so an unchanged one is only hashed.  A file with the content of another
        one is skipped.  One bad file never stops the rest.

        Args:
            progress: Called with stage (`read`, then `embed`), done and total.
            embed: Whether to compute the vectors now; else `embed_pending` does.
        Raises: UsageError where a path does not exist, CorpusError where the corpus cannot be written.
        """
        with self._store.alone():
            roots = known_roots(self._store, [Path(path) for path in paths])
        report = Outcomes()
        sync = FolderSync(self._store, self.settings, roots, report, progress)
        sync.drop_removed()
        self._take_in(sync.changed(), report, embed)
        self._take_in(sync.orphaned(), report, embed)
        if embed:
            self.embed_pending(progress=progress)
        return report.report()

    def add(
        self, documents: Sequence[Document], *, progress: Progress | None = None, embed: bool = True
    ) -> IndexReport:
        """Add texts by uri; one that is there is replaced where its text or metadata changed."""
        report = Outcomes()

        def reading() -> Iterator[Intake]:
            for at in range(0, len(documents), BATCH_SOURCES):
                batch = [read_document(document, self.settings) for document in documents[at : at + BATCH_SOURCES]]
                held = self._store.held_of([intake.source.uri for intake in batch])
                for intake in batch:
                    known = held.get(intake.source.uri)
                    if known and (known.content, known.cut) == (intake.content, intake.cut):
                        report.add(known.source, "unchanged")
                    else:
                        yield intake
                if progress:
                    progress("read", min(at + BATCH_SOURCES, len(documents)), len(documents))

        self._take_in(reading(), report, embed)
        if embed:
            self.embed_pending(progress=progress)
        return report.report()

    def add_extractions(
        self,
        extractions: Sequence[tuple[Source, Extraction | None]],
        *,
        progress: Progress | None = None,
        embed: bool = True,
    ) -> list[Source]:
        """Add pages that were fetched and read, or why they were not.

        Args:
            extractions: Each source with its text; None where its status tells why there is none.
        Returns: The sources as stored: a page with the content of another one is skipped.
        """
        intakes = [
            ready(source, extraction, self.settings, content=page_content(source, extraction))
            if extraction is not None
            else Intake(source)
            for source, extraction in extractions
        ]
        report = Outcomes()
        self._take_in(iter(intakes), report, embed)
        if embed:
            self.embed_pending(progress=progress)
        return report.sources

    def _take_in(self, intakes: Iterator[Intake], report: Outcomes, embed: bool) -> None:
        """Store sources, with vectors computed beside where they are wanted and there is much to read."""
        if not embed:
            self._following.take_in(intakes, report)
            return
        with self._vectors.beside() as more:
            self._following.take_in(intakes, report, indexed=more)

    def remove(self, uris: Collection[str]) -> None:
        """Take sources out."""
        self._store.remove(uris)
        self._following.bring_index()

    def compact(self) -> tuple[int, int]:
        """Leave no room to what was removed, and return the bytes of the folder before and after.

        Searches find what they found.  A process that is killed meanwhile leaves a whole corpus.
        Raises: CorpusError, also where the disk has no room for copies; RetrievalUnavailable where Chroma is away.
        """
        before = _bytes_of(self.folder)
        with self._store.alone():
            self._following.bring_index()
            self._index.compact()
            self._store.vacuum()
        return before, _bytes_of(self.folder)

    def problems(self) -> Iterator[str]:
        """Read all files and tell what is not as it was written, a line each; none where the corpus is sound."""
        yield from self._store.problems()
        yield from self._store.damaged_rows()
        yield from self._index.problems(self._store.texts_of)
        chunks, indexed = self._store.chunk_count(), len(self._index)
        if chunks != indexed and not self._store.behind():
            yield f"{self._index.folder}: holds {indexed:,} of {chunks:,} passages"

    def embed_pending(
        self, progress: Progress | None = None, until: Callable[[], bool] | None = None, workers: str = ""
    ) -> int:
        """Compute the vectors that are missing, batch by batch, and return how many were computed.

        Args:
            progress: Called with `embed`, done and total.
            until: Asked before each batch; True ends the work, which goes on with the next call.
            workers: Who computes: this process, or what `workers.open_workers` takes.
        """
        self._following.complete()
        return self._vectors.compute(progress, until, workers)

    # Searching

    def search(
        self,
        query: str,
        k: int = 10,
        mode: Mode = "hybrid",
        where: Where | Mapping[str, Any] | None = None,
        *,
        route: bool = True,
    ) -> list[Hit]:
        """Return the k best chunks for a query, best first, equal scores by id.

        Args:
            where: Which sources may be searched; see `filters.Where`.
            route: Whether chunks of sources that the query names are preferred.
        """
        return self.search_many([query], k=k, mode=mode, where=where, route=route)[0]

    def search_many(
        self,
        queries: Sequence[str],
        k: int = 10,
        mode: Mode = "hybrid",
        where: Where | Mapping[str, Any] | None = None,
        *,
        route: bool = True,
    ) -> list[list[Hit]]:
        """Return the k best chunks for each query; the queries are embedded together."""
        self._following.complete()
        groups = None if where is None else self._groups(Where.of(where))
        router = self._reading.router() if route else None
        routed = [router.boosts(query) if router else (query, {}) for query in queries]
        return self._index.search(
            [rest for rest, _ in routed],
            k=k,
            mode=mode,
            sparse_k=self.settings.sparse_k,
            dense_k=self.settings.dense_k,
            fusion=self.settings.fusion,
            rrf_k=self.settings.rrf_k,
            groups=groups,
            boosts=[{_group(uri): boost for uri, boost in boosts.items()} for _, boosts in routed],
        )

    def route(self, question: str) -> list[str]:
        """Return the uris of the sources that a question names, the best match first; none where it names none."""
        return [uri for uri, _ in self._reading.router().route(question)]

    def read(self, chunk_ids: Sequence[str]) -> list[Chunk]:
        """Return chunks in the order given; one that left the corpus is left out."""
        found = self._reading.chunks(chunk_ids)
        return [found[chunk_id] for chunk_id in chunk_ids if chunk_id in found]

    def chunks_of(self, uri: str) -> list[Chunk]:
        """Return the chunks of a source, in order."""
        return self._store.chunks_from(uri)

    def source(self, uri: str) -> Source:
        """Return a source.  Raises: CorpusError where there is none."""
        found = self._reading.source(uri)
        if found is None:
            raise CorpusError(f"{uri}: not in the corpus {self.folder}")
        return found

    def sources(self) -> list[Source]:
        """Return all sources, by uri, those that failed or were skipped too."""
        return self._reading.sources()

    @property
    def structured(self) -> bool:
        """Whether a source is an export, from which figures can be looked up."""
        return self._store.structured()

    def source_text(self, uri: str) -> str:
        """Return the extracted text of a source.  Raises: CorpusError where there is none."""
        text = self._store.text(uri)
        if text is None:
            raise CorpusError(f"{uri}: no text of it is in the corpus {self.folder}")
        return text

    def rows(self, chunk_ids: Sequence[str]) -> dict[str, tuple[TableRow, ...]]:
        """Return the table rows that touch each chunk; those of PDF pages are recovered now and kept."""
        return self._reading.rows(chunk_ids)

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return vectors of the corpus's space, rows of unit length; those of passages that were read are kept ones.

        Raises: RetrievalUnavailable, ProviderError.
        """
        return self._index.remembered(texts, self._kept_vectors)

    def as_retriever(
        self, k: int = 10, mode: Mode = "hybrid", where: Where | Mapping[str, Any] | None = None
    ) -> BaseRetriever:
        """Return a LangChain retriever over this corpus."""
        from .langchain_retriever import CorpusRetriever

        return CorpusRetriever(corpus=self, k=k, mode=mode, where=None if where is None else Where.of(where))

    def close(self) -> None:
        """Let all files go; the corpus opens again at next use."""
        self._index.close()
        self._store.close()

    def _kept_vectors(self, texts: Sequence[str]) -> dict[str, Vectors]:
        """Return the vectors that the index holds of texts that are passages, by text.

        A passage and its vector are of one state only where the index follows, and nothing changed meanwhile.
        """
        state = self._store.generation()
        ids = self._reading.named(state, texts)
        if not ids or self._store.behind():
            return {}
        try:
            held = self._index.vectors_of(ids.values())
        except CorpusError:  # a search tells of the damage; what is embedded anew is whole
            return {}
        if self._store.generation() != state:
            return {}
        return {text: held[chunk_id] for text, chunk_id in ids.items() if chunk_id in held}

    def _groups(self, where: Where) -> list[str]:
        return [
            _group(uri)
            for uri, kind, published, status, metadata in self._store.described()
            if status == "ok" and where.admits(uri, kind, published, metadata)
        ]


def _bytes_of(folder: Path) -> int:
    """Return what the files of a folder take on the disk; files of vectors may have holes."""
    return sum(path.stat().st_blocks * 512 for path in folder.rglob("*") if path.is_file())


def _group(uri: str) -> str:
    """Return what the chunk ids of a source begin with."""
    return group_of(chunk_id_of(uri, 0))
