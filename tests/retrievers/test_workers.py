"""Vectors computed by other processes are those that this one computes, in its order."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import numpy as np
import pytest
from citewell.errors import ProviderUnavailable, UsageError
from citewell.retrievers.corpus import Corpus
from citewell.retrievers.workers import in_order, open_workers
from citewell.state.records import Document

needs_dask = pytest.mark.skipif(
    importlib.util.find_spec("distributed") is None, reason="distributed is not installed (citewell[dask])"
)
DOCUMENTS = [Document(uri=f"doc:{n}", text=f"Passage {n} tells of lake {n % 7} and its tide.") for n in range(150)]


def test_items_come_back_in_order_and_few_are_under_way():
    most, running = 0, 0

    def work(value: int) -> np.ndarray:
        nonlocal most, running
        running += 1
        most = max(most, running)
        time.sleep(0.002 * (value % 3))
        running -= 1
        return np.full((1, 1), value, dtype=np.float32)

    with ThreadPoolExecutor(8) as pool:
        found = [(item, int(result[0, 0])) for item, result in in_order(pool, work, range(30), lambda n: (n,), 4)]
    assert found == [(number, number) for number in range(30)]
    assert most <= 5


@pytest.mark.parametrize("where", ["zero", "0", "-1", "http://x:1", "ray"])
def test_what_names_no_workers_is_refused(where):
    with pytest.raises(UsageError, match="number of processes or a Dask scheduler"), open_workers(where):
        pass


def searched(corpus: Corpus) -> list[tuple[str, float | None]]:
    return [(hit.chunk_id, hit.score_dense) for hit in corpus.search("the tide of lake 3", k=20)]


def indexed(folder, workers: str) -> list[tuple[str, float | None]]:
    with Corpus.open(folder) as corpus:
        corpus.add(DOCUMENTS, embed=False)
        assert corpus.embed_pending(workers=workers) == len(DOCUMENTS)
        assert corpus.pending == 0
        return searched(corpus)


@pytest.mark.slow
def test_processes_give_the_vectors_of_this_one(tmp_path):
    assert indexed(tmp_path / "others", "2") == indexed(tmp_path / "here", "")


@contextmanager
def dask_cluster(folder) -> Iterator[str]:
    """Run the real scheduler and a worker on loopback, as the documentation starts them."""
    env = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    address = "tcp://127.0.0.1:18786"
    scheduler = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "18786"]
    worker = [sys.executable, "-m", "distributed.cli.dask_worker", address, "--nworkers", "1", "--nthreads", "1"]
    quiet = {"env": env, "cwd": folder, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    running = [subprocess.Popen([*scheduler, "--no-dashboard"], **quiet)]
    try:
        running.append(subprocess.Popen([*worker, "--no-dashboard", "--host", "127.0.0.1"], **quiet))
        until = time.monotonic() + 120
        while True:
            try:
                with open_workers(address):
                    break
            except ProviderUnavailable:
                assert time.monotonic() < until
                time.sleep(0.2)
        yield address
    finally:
        for process in running[::-1]:
            process.terminate()
            process.wait(timeout=60)


@needs_dask
@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_a_dask_cluster_gives_the_vectors_of_this_process(tmp_path):
    with dask_cluster(tmp_path) as address:
        assert indexed(tmp_path / "cluster", address) == indexed(tmp_path / "here", "")


@needs_dask
@pytest.mark.filterwarnings("ignore")
def test_a_scheduler_that_is_not_there_is_named(monkeypatch):
    monkeypatch.setattr("citewell.retrievers.workers.CONNECT_S", 1)
    with (
        pytest.raises(ProviderUnavailable, match=r"Dask scheduler at tcp://127\.0\.0\.1:9"),
        open_workers("tcp://127.0.0.1:9"),
    ):
        pass
