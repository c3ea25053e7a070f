"""A kept corpus of a million chunks: built once, then searched, added to and killed half way.

`python -m citewell.evals.bench.kept build FOLDER [--chunks N]`
`python -m citewell.evals.bench.kept measure FOLDER [--server URL] [--json FILE]`
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ...retrievers.corpus import Corpus
from ...settings import Environment
from .synthetic import GivenVectors, documents, questions, vectors
from .timing import Figure, Result, figure_of, machine

SLICE = 20_000
QUESTIONS = 60
ADDED = 1_000
RECALL_OF = 10


def build(folder: Path, chunks: int, *, server: str | None = None) -> None:
    """Index up to so many chunks, going on where an earlier call was stopped, and tell time and memory as it goes."""
    corpus = _open(folder, server=server)
    for at in range(len(corpus) // SLICE * SLICE, chunks, SLICE):
        began, cpu = time.perf_counter(), time.process_time()
        corpus.add(list(documents(at, min(SLICE, chunks - at))))
        took = f"{time.perf_counter() - began:.1f} s, processor {time.process_time() - cpu:.1f} s"
        print(f"{len(corpus):,} chunks: {took}, resident {resident_gb():.2f} GB", flush=True)
    corpus.embed_pending()
    corpus.close()


def measure(folder: Path, *, server: str | None = None) -> list[Figure]:
    """Search a built corpus in this process, after ten questions that do not count; then add to it and take it back."""
    size = _size(folder, server)
    asked = questions(QUESTIONS + 10, corpus=size)
    exact = vectors([number for _, number in asked])
    rng = np.random.default_rng(7)
    near = exact + 0.3 * rng.standard_normal(exact.shape).astype(np.float32) / np.float32(np.sqrt(exact.shape[1]))
    near /= np.linalg.norm(near, axis=1, keepdims=True)
    embedder = GivenVectors({query: near[place] for place, (query, _) in enumerate(asked)})
    corpus = _open(folder, embedder=embedder, server=server)
    figures = []
    began = time.perf_counter()
    corpus.search(asked[0][0])
    figures.append(Figure("first search", "citewell", time.perf_counter() - began, "s", per="a new process"))
    for mode, limit in (("sparse", "20 ms"), ("hybrid", "60 ms")):
        taken = _each([query for query, _ in asked], lambda query, mode=mode: corpus.search(query, mode=mode))  # type: ignore[misc]
        walls = sorted(wall for wall, _ in taken)
        per = f"median over {size:,} chunks, target {limit}; 95th percentile {1_000 * walls[-len(walls) // 20]:.1f} ms"
        figures.append(figure_of(f"search {mode}", "citewell", taken, unit="ms", per=per))
    figures.append(
        Figure("resident", "citewell", resident_gb(), "GB", per="searching process; target 3, with server 1")
    )
    figures.append(Figure("private", "citewell", resident_gb("RssAnon"), "GB", per="without pages of files"))
    figures.append(_recall(corpus, asked, near))  # maps all vectors to know the truth: memory is told before
    figures += _added_and_removed(corpus, size)
    corpus.close()
    return figures


def _added_and_removed(corpus: Corpus, size: int) -> list[Figure]:
    new = list(documents(10 * size, ADDED))
    began, cpu = time.perf_counter(), time.process_time()
    corpus.add(new)
    added = time.perf_counter() - began, time.process_time() - cpu
    began, cpu = time.perf_counter(), time.process_time()
    corpus.remove([document.uri for document in new])
    removed = time.perf_counter() - began, time.process_time() - cpu
    return [
        figure_of("add", "citewell", [added], unit="s", per=f"{ADDED:,} new chunks, vectors given, target 10 s"),
        figure_of("remove", "citewell", [removed], unit="s", per=f"the same {ADDED:,} chunks"),
    ]


def _recall(corpus: Corpus, asked: Sequence[tuple[str, int]], near: Any) -> Figure:
    """Return how many of the ten nearest chunks are found, counted against all vectors."""
    side = corpus._index._dense
    assert side is not None
    corpus.search(asked[0][0], mode="dense")
    rows = side._rows(side._n_places)
    shares = []
    best: list[list[tuple[float, int]]] = [[] for _ in range(20)]
    for at in range(0, len(rows), 100_000):
        part = np.asarray(rows[at : at + 100_000]) @ near[:20].T
        for index in range(20):
            top = np.argpartition(-part[:, index], RECALL_OF)[:RECALL_OF]
            best[index] = sorted([*best[index], *((-float(part[row, index]), at + int(row)) for row in top)])[
                :RECALL_OF
            ]
    for index, (query, _) in enumerate(asked[:20]):
        found = [hit.chunk_id for hit in corpus.search(query, k=RECALL_OF, mode="dense", route=False)]
        places = set(side.places_of(found))
        shares.append(len(places & {place for _, place in best[index]}) / RECALL_OF)
    return Figure("recall@10", "citewell", statistics.mean(shares), "", per="of the ten nearest by exact cosine")


def killed_half_way(folder: Path, chunks: int = 5_000) -> Figure:
    """Kill an indexing process, open what it left, finish, and count."""
    command = [sys.executable, "-m", "citewell.evals.bench.kept", "build", str(folder), "--chunks", str(chunks)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    while not (folder / "index" / "index.sqlite").exists() and process.poll() is None:
        time.sleep(0.05)
    time.sleep(1.0)
    process.kill()
    process.wait()
    with _open(folder) as corpus:
        found = corpus.search("passage 17", mode="sparse")
        before = len(corpus)
        build(folder, chunks)
        return Figure(
            "killed half way",
            "citewell",
            float(len(corpus)),
            "chunks",
            per=f"{before:,} before, {len(found)} hits then",
        )


def resident_gb(field: str = "VmRSS") -> float:
    """Return the resident memory of this process, pages of mapped files included, in GB."""
    status = Path("/proc/self/status").read_text()
    return next(int(row.split()[1]) for row in status.splitlines() if row.startswith(field)) / 1e6


def _open(folder: Path, *, embedder: GivenVectors | None = None, server: str | None = None) -> Corpus:
    environment = Environment(home=folder / "home", chroma_url=server)
    return Corpus.open(folder, environment=environment, embedder=embedder or GivenVectors())


def _size(folder: Path, server: str | None = None) -> int:
    with _open(folder, server=server) as corpus:
        return len(corpus)


def _each(queries: Sequence[str], search: Callable[[str], Any]) -> list[tuple[float, float]]:
    taken = []
    for query in queries:
        began, cpu = time.perf_counter(), time.process_time()
        search(query)
        taken.append((time.perf_counter() - began, time.process_time() - cpu))
    return taken[10:]


def main(arguments: Sequence[str] | None = None) -> None:
    """Build or measure."""
    parser = argparse.ArgumentParser(prog="python -m citewell.evals.bench.kept", description=__doc__)
    parser.add_argument("what", choices=["build", "measure", "kill"])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--chunks", type=int, default=1_000_000)
    parser.add_argument("--server", help="a Chroma server, where the vectors lie there")
    parser.add_argument("--json", type=Path)
    given = parser.parse_args(arguments)
    if given.what == "build":
        build(given.folder, given.chunks, server=given.server)
        return
    result = Result(machine())
    print(json.dumps(result.machine))
    result.add(
        *(measure(given.folder, server=given.server) if given.what == "measure" else [killed_half_way(given.folder)])
    )
    print(f"load {os.getloadavg()[0]:.1f}")
    if given.json:
        given.json.write_text(json.dumps(result.as_json(), indent=1) + "\n")


if __name__ == "__main__":
    main()
