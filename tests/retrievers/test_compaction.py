"""Compaction gives the disk back what was removed, and searches find what they found."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from citewell.retrievers.corpus import Corpus
from citewell.retrievers.hybrid import HybridIndex
from citewell.settings import Environment
from citewell.state.records import Document
from hashed_embedder import HashedEmbedder
from servers.chroma_process import chroma_server

QUERIES = ("crate in bay 31", "the quay and the ferry", "bay")


def documents(count: int) -> list[Document]:
    return [Document(uri=f"bay:{n}", text=f"There is a crate in bay {n} of the quay. " * 20) for n in range(count)]


def opened(folder: Path, url: str | None = None) -> Corpus:
    return Corpus.open(
        folder, embedder=HashedEmbedder(dim=256), environment=Environment(home=folder.parent, chroma_url=url)
    )


def found(corpus: Corpus) -> list[list[tuple[str, float]]]:
    hits = corpus.search_many(QUERIES, k=10)
    return [[(hit.chunk_id, hit.score) for hit in each] for each in hits]


@pytest.fixture
def chroma_url(tmp_path: Path) -> Iterator[str]:
    with chroma_server(tmp_path / "server") as url:
        yield url


@pytest.mark.parametrize("place", ["folder", pytest.param("server", marks=pytest.mark.slow)])
def test_what_was_removed_leaves_the_disk_and_searches_find_what_they_found(tmp_path, request, place):
    url = request.getfixturevalue("chroma_url") if place == "server" else None
    with opened(tmp_path / "kept", url) as corpus:
        corpus.add(documents(400))
        corpus.remove([f"bay:{n}" for n in range(100, 400)])
        expected = found(corpus)
        before, after = corpus.compact()
        assert after < 0.6 * before
        assert found(corpus) == expected
        dense = corpus._index._dense
        assert dense is not None
        assert dense._chroma.count() == 100
        (vectors,) = (tmp_path / "kept" / "index").glob("vectors-*.f32")
        assert vectors.stat().st_size == 100 * 256 * 4
        assert list(corpus.problems()) == []
    with opened(tmp_path / "kept", url) as corpus:
        assert found(corpus) == expected
        corpus.add(documents(120))
        assert len(corpus) == 120
        assert corpus.pending == 0


def test_another_process_that_searches_goes_on_over_what_was_compacted(tmp_path):
    with opened(tmp_path / "kept") as corpus, opened(tmp_path / "kept") as reader:
        corpus.add(documents(60))
        corpus.remove([f"bay:{n}" for n in range(30)])
        expected = found(reader)
        corpus.compact()
        assert found(reader) == expected


def test_chroma_that_lost_its_vectors_is_filled_again(tmp_path):
    embedder = HashedEmbedder(dim=64)
    index = HybridIndex(tmp_path, embedder, sparse="tantivy")
    index.upsert([(f"bay:{n}", f"crate in bay {n}") for n in range(200)])
    index.flush()
    side = index._dense
    assert side is not None
    side._exact_up_to = 50
    expected = index.search(["crate in bay 31"], mode="dense")
    side._chroma.drop()
    index.close()
    again = HybridIndex(tmp_path, embedder, sparse="tantivy")
    side = again._dense
    assert side is not None
    side._exact_up_to = 50
    assert again.search(["crate in bay 31"], mode="dense") == expected
    assert side._chroma.count() == 200
    again.close()


def test_a_vector_that_chroma_took_before_a_kill_leaves_it_with_its_passage(tmp_path, monkeypatch):
    embedder = HashedEmbedder(dim=64)
    index = HybridIndex(tmp_path, embedder)
    index.upsert([(f"bay:{n}", f"crate in bay {n}") for n in range(4)])
    side = index._dense
    assert side is not None
    side._chroma.upsert(["bay:3"], embedder.embed(["crate in bay 3"]))  # and was killed before it noted that
    index.delete(["bay:3"])
    index.flush()
    assert side._chroma.count() == 3
    index.close()
