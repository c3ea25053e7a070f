"""What a disk changed in a kept corpus is told with the way out, and never read as evidence."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from citewell.errors import CorpusError
from citewell.retrievers.corpus import Corpus
from citewell.retrievers.sparse_tantivy import _files
from citewell.state.records import Document
from hashed_embedder import HashedEmbedder

TEXTS = {
    "depth": "Lake Baikal is 1,642 m deep. It is the deepest lake on Earth.",
    "river": "The Angara is the only river that drains Lake Baikal.",
    "towns": "The town of Listvyanka lies on the shore of Lake Baikal.",
}


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    with opened(tmp_path / "kept") as corpus:
        corpus.add([Document(uri=uri, text=text) for uri, text in TEXTS.items()])
    return tmp_path / "kept"


def opened(folder: Path) -> Corpus:
    return Corpus.open(folder, embedder=HashedEmbedder())


def flip(path: Path, place: int) -> None:
    """Change one bit of a file."""
    with path.open("r+b") as file:
        file.seek(place)
        byte = file.read(1)[0]
        file.seek(place)
        file.write(bytes([byte ^ 1]))


def flip_words(path: Path, words: bytes) -> None:
    """Change one bit in every place where some words stand in a file."""
    data, at = path.read_bytes(), -1
    while (at := data.find(words, at + 1)) >= 0:
        flip(path, at)


def test_a_changed_passage_is_told_and_never_handed_out(kept):
    flip_words(kept / "corpus.sqlite", b"1,642 m deep")
    with opened(kept) as corpus:
        hit = corpus.search("How deep is Lake Baikal?")[0]
        with pytest.raises(CorpusError, match=r"passage .*:0 of depth was changed by the disk; delete its folder"):
            corpus.read([hit.chunk_id])
        with pytest.raises(CorpusError, match="text of depth was changed"):
            corpus.source_text("depth")
        assert corpus.source_text("river") == TEXTS["river"]


def test_a_changed_place_of_a_passage_is_told(kept):
    with closing(sqlite3.connect(kept / "corpus.sqlite")) as database, database:
        database.execute("UPDATE chunks SET page = 7 WHERE uri = 'river'")
    with opened(kept) as corpus, pytest.raises(CorpusError, match="of river was changed"):
        corpus.chunks_of("river")


def test_changed_words_of_the_index_are_told(kept):
    flip_words(kept / "index" / "index.sqlite", b"angara")
    with opened(kept) as corpus, pytest.raises(CorpusError, match=r"delete the folder .*index and index the sources"):
        corpus.search("Angara")


@pytest.mark.parametrize("row", range(3))
def test_a_changed_vector_is_told_wherever_it_changed(kept, row):
    path = next((kept / "index").glob("vectors-*.f32"))
    flip(path, row * path.stat().st_size // 3 + 17)
    with opened(kept) as corpus, pytest.raises(CorpusError, match=r"changed by the disk\); delete the folder"):
        corpus.search("Which river drains the lake?")


@pytest.mark.parametrize("cut", ["truncated", "gone"])
def test_vectors_that_are_missing_are_told(kept, cut):
    path = next((kept / "index").glob("vectors-*.f32"))
    path.write_bytes(path.read_bytes()[:100]) if cut == "truncated" else path.unlink()
    with opened(kept) as corpus, pytest.raises(CorpusError, match="the vectors are damaged"):
        corpus.search("Which river drains the lake?")


def test_a_changed_file_of_the_sparse_index_is_told_and_built_again_once_it_is_deleted(kept):
    with opened(kept) as corpus:
        before = corpus.search("Which river drains the lake?")
    for path in _files(kept / "index" / "tantivy"):
        held = path.read_bytes()
        flip(path, len(held) // 3)
        with opened(kept) as corpus, pytest.raises(CorpusError, match="delete this folder and it is built again"):
            corpus.search("Which river drains the lake?")
        path.write_bytes(held)
    shutil.rmtree(kept / "index" / "tantivy")
    with opened(kept) as corpus:
        assert corpus.search("Which river drains the lake?") == before


def test_an_index_that_was_deleted_is_made_again_from_the_texts(kept):
    with opened(kept) as corpus:
        before = corpus.search("Which river drains the lake?")
    shutil.rmtree(kept / "index")
    with opened(kept) as corpus:
        assert corpus.search("Which river drains the lake?")
        assert "3 passages have no vector yet" in corpus.degraded
        corpus.embed_pending()
        assert corpus.search("Which river drains the lake?") == before


def test_a_database_of_whose_file_half_is_gone_is_told(kept):
    for name in ("corpus.sqlite", "index/index.sqlite"):
        held = (kept / name).read_bytes()
        (kept / name).write_bytes(held[: len(held) // 2])
        with pytest.raises(CorpusError, match=r"the file is damaged .*; delete"), opened(kept) as corpus:
            corpus.read([corpus.search("Which river drains the lake?")[0].chunk_id])
        (kept / name).write_bytes(held)


def test_a_corpus_of_the_version_before_seals_is_read_and_sealed_from_then_on(kept):
    with opened(kept) as corpus:
        before = corpus.search("Which river drains the lake?")
    for name, tables in (
        ("corpus.sqlite", ("sources", "texts", "chunks", "table_rows", "recovered_pages")),
        ("index/index.sqlite", ("terms", "vectors")),
    ):
        with closing(sqlite3.connect(kept / name)) as database:
            for table in tables:
                database.execute(f"ALTER TABLE {table} DROP COLUMN seal")
            database.execute("PRAGMA user_version = 1")
    with opened(kept) as corpus:
        assert corpus.search("Which river drains the lake?") == before
        assert corpus.read([hit.chunk_id for hit in before])
        corpus.add([Document(uri="ice", text="The ice of Lake Baikal lasts until May.")])
    flip_words(kept / "corpus.sqlite", b"lasts until May")
    with opened(kept) as corpus, pytest.raises(CorpusError, match="of ice was changed"):
        corpus.chunks_of("ice")
