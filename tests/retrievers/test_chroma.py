"""Vectors in Chroma: a folder whose client ends with its last user, or a real server that several processes share."""

from __future__ import annotations

import gc
import os
import signal
import socket
import subprocess
import sys
import threading
import warnings
from pathlib import Path

import numpy as np
import pytest
from chromadb.api.shared_system_client import SharedSystemClient
from citewell.errors import RetrievalUnavailable
from citewell.retrievers.chroma import ChromaStore
from citewell.retrievers.hybrid import HybridIndex
from hashed_embedder import HashedEmbedder
from servers.chroma_process import CHROMA, chroma_process, chroma_server

# httpcore drops the socket of a server that went away without closing it.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
needs_server = pytest.mark.skipif(not CHROMA.exists(), reason=f"{CHROMA} is not installed")


@pytest.fixture(autouse=True, scope="module")
def sockets_of_servers_that_went_away():
    """Collect them quietly: httpcore drops such a socket without closing it."""
    yield
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        gc.collect()


@pytest.fixture(autouse=True)
def collected():
    yield
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        gc.collect()


def unit(count: int, seed: int = 0) -> np.ndarray:
    rows = np.random.default_rng(seed).standard_normal((count, 8)).astype(np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def open_folders() -> set[str]:
    return set(SharedSystemClient._identifier_to_system)


def test_a_store_that_is_dropped_or_closed_leaves_no_client_behind(tmp_path):
    before, threads = open_folders(), set(threading.enumerate())
    for number in range(4):
        store = ChromaStore(tmp_path / f"dropped-{number}", "m")
        store.upsert(["a"], unit(1))
        del store
        gc.collect()
    last = ChromaStore(tmp_path / "closed", "m")
    last.upsert(["a"], unit(1))
    assert open_folders() - before == {str(tmp_path / "closed")}
    last.close()
    assert (open_folders() - before, set(threading.enumerate()) - threads) == (set(), set())
    assert last.count() == 1
    last.close()


def test_stores_of_one_folder_share_a_client_until_the_last_one_is_done(tmp_path):
    one, other = ChromaStore(tmp_path, "m"), ChromaStore(tmp_path, "n")
    one.upsert(["a"], unit(1))
    other.upsert(["b", "c"], unit(2))
    one.close()
    assert other.count() == 2
    assert str(tmp_path) in open_folders()
    other.close()
    assert str(tmp_path) not in open_folders()


def test_many_threads_may_use_drop_and_reopen_one_folder(tmp_path):
    ChromaStore(tmp_path, "m").upsert([str(number) for number in range(20)], unit(20))
    faults: list[BaseException] = []

    def work(number: int) -> None:
        try:
            for turn in range(10):
                store = ChromaStore(tmp_path, "m")
                assert len(store.nearest(unit(1, number), k=3)[0]) == 3
                if turn % 3 == number % 3:
                    store.reopen()
        except BaseException as error:
            faults.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert faults == []


WRITE = """
import sys, numpy as np
from pathlib import Path
from citewell.retrievers.chroma import ChromaStore
store = ChromaStore(Path(sys.argv[2]), "m", url=sys.argv[1] or None, space="s")
rows = np.random.default_rng(5).standard_normal((50, 8)).astype(np.float32)
store.upsert([f"other-{n}" for n in range(50)], rows / np.linalg.norm(rows, axis=1, keepdims=True))
store.close()
"""  # fmt: skip


def write_elsewhere(url: str, folder: Path) -> None:
    subprocess.run([sys.executable, "-c", WRITE, url, str(folder)], check=True, timeout=120)


def test_a_reopened_folder_shows_what_another_process_added(tmp_path):
    store = ChromaStore(tmp_path, "m")
    store.upsert(["a"], unit(1))
    write_elsewhere("", tmp_path)
    store.reopen()
    assert store.count() == 51
    store.close()


@needs_server
@pytest.mark.slow
def test_a_server_is_shared_by_processes_and_keeps_corpora_apart(tmp_path):
    with chroma_server(tmp_path / "server") as url:
        mine = ChromaStore(tmp_path / "unused", "m", url=url, space="s")
        other = ChromaStore(tmp_path / "unused", "m", url=url, space="t")
        rows = unit(30)
        mine.upsert([f"mine-{number}" for number in range(30)], rows)
        other.upsert(["only"], rows[:1])
        assert mine.nearest(rows[3:4], k=1) == [["mine-3"]]
        write_elsewhere(url, tmp_path)
        assert (mine.count(), other.count()) == (80, 1)
        mine.delete(["mine-3", "never there"])
        assert mine.nearest(rows[3:4], k=1) != [["mine-3"]]
        assert not (tmp_path / "unused").exists()
    with pytest.raises(RetrievalUnavailable, match=f"Chroma at {url}"):
        mine.count()
    mine.close()
    other.close()
    gc.collect()


@needs_server
@pytest.mark.slow
def test_a_server_that_returns_is_used_again(tmp_path):
    with chroma_server(tmp_path / "server") as url:
        store = ChromaStore(tmp_path / "unused", "m", url=url)
        store.upsert(["a", "b"], unit(2))
    with pytest.raises(RetrievalUnavailable):
        store.nearest(unit(1), k=1)
    with chroma_server(tmp_path / "server", port=int(url.rpartition(":")[2])):
        assert store.count() == 2
        assert store.nearest(unit(2)[:1], k=1) == [["a"]]
    store.close()
    gc.collect()


def test_a_server_that_never_answers_is_waited_for_only_so_long(tmp_path, monkeypatch):
    monkeypatch.setattr("citewell.retrievers.chroma_clients.READ_WAIT_S", 0.3)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        store = ChromaStore(tmp_path, "m", url=f"http://127.0.0.1:{silent.getsockname()[1]}")
        with pytest.raises(RetrievalUnavailable, match=r"no answer within 0\.3 s; .*CITEWELL_CHROMA_URL"):
            store.count()
        store.close()


@needs_server
@pytest.mark.slow
def test_a_server_that_hangs_is_waited_for_once_and_used_again_when_it_goes_on(tmp_path, monkeypatch):
    with chroma_process(tmp_path / "server") as (url, process):
        store = ChromaStore(tmp_path / "unused", "m", url=url)
        store.upsert(["a", "b"], unit(2))
        process.send_signal(signal.SIGSTOP)
        try:
            with monkeypatch.context() as impatient:
                impatient.setattr("citewell.retrievers.chroma_clients.READ_WAIT_S", 0.3)
                with pytest.raises(RetrievalUnavailable, match=f"Chroma at {url}: no answer within 0.3 s"):
                    store.nearest(unit(1), k=1)
            store._shared.leave_alone(600)
            for ask in (lambda: store.nearest(unit(1), k=1), lambda: store.upsert(["c"], unit(1))):
                with pytest.raises(RetrievalUnavailable, match="no answer within"):
                    ask()  # at once: for half a minute and more it would be waited for
        finally:
            process.send_signal(signal.SIGCONT)
        store._shared.leave_alone(0)
        assert store.nearest(unit(2)[:1], k=1) == [["a"]]
        store.close()
    gc.collect()


FOLLOWER = """
import sys
from citewell.retrievers.hybrid import HybridIndex
from hashed_embedder import HashedEmbedder
index = HybridIndex(__import__("pathlib").Path(sys.argv[2]), HashedEmbedder(), sparse="tantivy", chroma_url=sys.argv[1])
index._dense._exact_up_to = 20
index.upsert([(f"late:{n}", f"a late row number {n} of the harbour") for n in range(40)])
index.flush()
print([hit.chunk_id for hit in index.search(["quay number 7"], k=3)[0]])
index.close()
"""


@needs_server
@pytest.mark.slow
def test_an_index_over_a_server_is_shared_falls_back_to_words_and_recovers(tmp_path, caplog):
    rows = [(f"row:{number}", f"the quay number {number} is {number * 7} metres long") for number in range(60)]
    exact = HybridIndex(tmp_path / "exact", HashedEmbedder(), sparse="tantivy")
    exact.upsert(rows)
    wanted = exact.search(["quay number 7"], k=3)
    with chroma_server(tmp_path / "server") as url:
        index = HybridIndex(tmp_path / "index", HashedEmbedder(), sparse="tantivy", chroma_url=url)
        index._dense._exact_up_to = 20
        index.upsert(rows)
        index.flush()
        assert not (tmp_path / "index" / "chroma").exists()
        assert [hit.chunk_id for hit in index.search(["quay number 7"], k=3)[0]] == [h.chunk_id for h in wanted[0]]
        assert "approximate" in index.approximate
        env = os.environ | {"PYTHONPATH": str(Path(__file__).parents[1])}
        command = [sys.executable, "-c", FOLLOWER, url, str(tmp_path / "index")]
        told = subprocess.run(command, env=env, capture_output=True, text=True, timeout=120, check=True)
        assert "'row:7'" in told.stdout
        assert index.search(["late row number 3 of the harbour"], k=1)[0][0].chunk_id == "late:3"
        assert index._dense._chroma.store.count() == 100
    hits = index.search(["quay number 7"], k=3)[0]
    assert "row:7" in [hit.chunk_id for hit in hits]
    assert hits[0].score_dense is None
    assert f"Chroma at {url}" in index.degraded
    index.upsert([("row:60", "the quay number 60 is new")])
    index.flush()
    assert "brought up to date later" in caplog.text
    with chroma_server(tmp_path / "server", port=int(url.rpartition(":")[2])):
        index.flush()
        assert index.search(["quay number 60 is new"], k=1)[0][0].score_dense is not None
        assert index.degraded == ""
        index.close()
    exact.close()
    gc.collect()
