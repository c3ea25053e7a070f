"""Compaction gives the disk back what was removed, and searches find what they found."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from citewell.retrievers.chroma import ChromaStore
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
        assert dense._chroma.store.count() == 100
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
    side._chroma.store.drop()
    index.close()
    again = HybridIndex(tmp_path, embedder, sparse="tantivy")
    side = again._dense
    assert side is not None
    side._exact_up_to = 50
    assert again.search(["crate in bay 31"], mode="dense") == expected
    assert side._chroma.store.count() == 200
    again.close()


def test_a_vector_that_chroma_took_before_a_kill_leaves_it_with_its_passage(tmp_path, monkeypatch):
    embedder = HashedEmbedder(dim=64)
    index = HybridIndex(tmp_path, embedder)
    index.upsert([(f"bay:{n}", f"crate in bay {n}") for n in range(4)])
    side = index._dense
    assert side is not None
    side._chroma.store.upsert(["bay:3"], embedder.embed(["crate in bay 3"]))  # and was killed before it noted that
    index.delete(["bay:3"])
    index.flush()
    assert side._chroma.store.count() == 3
    index.close()


def test_passages_that_left_change_no_order_of_those_that_are_there(tmp_path):
    left = [f"bay:{n}" for n in range(0, 400, 2)]
    with opened(tmp_path / "with") as corpus, opened(tmp_path / "without") as other:
        corpus.add(documents(400))
        corpus.remove(left)
        other.add([document for document in documents(400) if document.uri not in left])
        for mode in ("sparse", "hybrid"):
            hits, wanted = (each.search_many(QUERIES, k=10, mode=mode) for each in (corpus, other))
            assert [[hit.chunk_id for hit in one] for one in hits] == [[hit.chunk_id for hit in one] for one in wanted]


READER = """
import json, sys, time
from pathlib import Path
from citewell.retrievers.corpus import Corpus
from citewell.settings import Environment
from hashed_embedder import HashedEmbedder
folder, url, stop = Path(sys.argv[1]), sys.argv[2] or None, Path(sys.argv[3])
environment = Environment(home=folder.parent, chroma_url=url)
with Corpus.open(folder, embedder=HashedEmbedder(dim=256), environment=environment) as corpus:
    corpus._index._dense._exact_up_to = 50
    seen, searches = {}, 0
    while searches < 2 or not stop.exists():
        for mode in ("dense", "sparse", "hybrid"):
            hits = corpus.search_many(json.loads(sys.argv[4]), k=10, mode=mode)
            found = [[(hit.chunk_id, hit.score) for hit in each] for each in hits]
            seen[json.dumps([mode, corpus.degraded, found])] = 1
        searches += 1
        if searches == 2:
            print("ready", flush=True)
    print(json.dumps([json.loads(each) for each in seen]), flush=True)
"""  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("place", ["folder", "server"])
def test_searches_of_another_process_see_the_whole_corpus_while_one_compacts_it(tmp_path, request, monkeypatch, place):
    """More passages than are ranked exactly, so that Chroma proposes."""
    url = request.getfixturevalue("chroma_url") if place == "server" else None
    monkeypatch.setattr("citewell.retrievers.chroma_follower.CHROMA_BATCH", 20)
    filled = ChromaStore.upsert

    def slowly(store, ids, vectors):
        time.sleep(0.05)
        filled(store, ids, vectors)

    with opened(tmp_path / "kept", url) as corpus:
        dense = corpus._index._dense
        assert dense is not None
        dense._exact_up_to = 50
        corpus.add(documents(400))
        corpus.remove([f"bay:{n}" for n in range(0, 400, 2)])
        corpus._index.flush()
        stop = tmp_path / "stop"
        command = [sys.executable, "-c", READER, str(tmp_path / "kept"), url or "", str(stop), json.dumps(QUERIES)]
        env = os.environ | {"PYTHONPATH": str(Path(__file__).parents[1])}
        with subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True) as reader:
            assert reader.stdout is not None
            assert reader.stdout.readline() == "ready\n"
            monkeypatch.setattr(ChromaStore, "upsert", slowly)
            try:
                for _ in range(3):
                    corpus.compact()
                    with corpus._index._store._db.write() as sql:  # as if something had been dropped, and nothing found
                        sql.execute("INSERT OR REPLACE INTO meta VALUES (?, 1)", (f"dropped {dense.model}",))
            finally:
                stop.touch()
            told = json.loads(reader.stdout.readline())
        assert [mode for mode, *_ in told] == ["dense", "sparse", "hybrid"]
        assert [degraded for _, degraded, _ in told] == ["", "", ""]
        assert dense._chroma.store.count() == 200
