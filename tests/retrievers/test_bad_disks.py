"""A disk that is full or read-only: what was begun can be gone on with, and what is there can be searched."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from citewell.errors import CorpusError
from citewell.retrievers.hybrid import HybridIndex
from citewell.retrievers.hybrid_store import HybridStore
from hashed_embedder import HashedEmbedder
from small_disk import disk, needs_mount


def fill(store: HybridStore) -> None:
    for number in range(100):
        store.replace([(f"row:{number}", ["word"] * 400)])


WRITE = """
import sys
from pathlib import Path
from citewell.retrievers.hybrid import HybridIndex
from hashed_embedder import HashedEmbedder
index = HybridIndex(Path(sys.argv[1]), HashedEmbedder(), sparse="tantivy")
index.upsert([(f"row:{number}", f"the quay number {number} is long") for number in range(9)])
index.close()
"""


@needs_mount
@pytest.mark.parametrize("size", ["4k", "16k", "32k", "64k", "96k", "128k"])
def test_a_database_begun_on_a_full_disk_is_whole_once_there_is_room(tmp_path, size):
    with disk(tmp_path / "small", size) as small:
        store = HybridStore(small / "index")
        with pytest.raises(CorpusError, match="full"):
            fill(store)
        store.close()
        subprocess.run(["mount", "-o", "remount,size=8m", small], check=True)
        again = HybridStore(small / "index")
        again.replace([("last:0", ["word"])])
        assert "last:0" in again.all_numbers()
        again.close()


@needs_mount
def test_a_read_only_corpus_is_searched_by_words_and_meaning(tmp_path):
    with disk(tmp_path / "small", "16m") as small:
        # In another process: a file that is open for writing keeps a disk from becoming read-only.
        env = os.environ | {"PYTHONPATH": str(Path(__file__).parents[1])}
        subprocess.run([sys.executable, "-c", WRITE, str(small / "index")], env=env, check=True)
        subprocess.run(["mount", "-o", "remount,ro", small], check=True)
        reader = HybridIndex(small / "index", HashedEmbedder(), sparse="tantivy")
        hits = reader.search(["quay number 7"], k=3)[0]
        assert (hits[0].chunk_id, hits[0].rank_sparse, hits[0].rank_dense) == ("row:7", 1, 1)
        reader.close()
