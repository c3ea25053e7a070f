"""The parts of a run one by one: cold start, parse, chunk, embed, index, search, fuse."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from ...retrievers.chunking import cut
from ...retrievers.corpus import Corpus
from ...retrievers.fusion import completed_fusion, reciprocal_rank_fusion
from ...retrievers.minilm import MINILM_WINDOW, MiniLM, windows
from ...retrievers.parsers import extract
from .synthetic import GivenVectors, documents, passages
from .timing import Figure, in_turns

DATAROOM = Path(__file__).parents[2] / "studio" / "dataroom"
EMBEDDED_TEXTS = 96


def cold_start(turns: int) -> list[Figure]:
    """Time whole processes from nothing: the interpreter alone, the command line, the Python API."""
    programs = {
        "python": ["-c", "pass"],
        "citewell --help": ["-m", "citewell.cli", "--help"],
        "import citewell": ["-c", "import citewell; citewell.Corpus"],
    }

    def started(arguments: list[str]) -> Callable[[], Any]:
        return lambda: subprocess.run([sys.executable, *arguments], check=True, capture_output=True)

    figures = in_turns("cold start", {name: started(given) for name, given in programs.items()}, turns=turns, unit="s")
    # The processor time is that of other processes.
    return [Figure(f.part, f.side, f.value, f.unit, None, f.spread, f.turns, "a whole process") for f in figures]


def parse_and_chunk(turns: int) -> list[Figure]:
    """Time reading the sample dataroom from bytes to text, and cutting the texts."""
    files = [(path.name, path.read_bytes()) for path in sorted(DATAROOM.rglob("*")) if path.is_file()]
    read = [extract(data, name=name) for name, data in files]
    chars = sum(len(extraction.text) for extraction in read)
    parse = in_turns(
        "parse",
        {"citewell": lambda: [extract(data, name=name) for name, data in files]},
        turns=turns,
        unit="files/s",
        each=len(files),
        per=f"{len(files)} files of the sample dataroom, PDF, DOCX, XLSX, CSV, JSON, Markdown",
    )
    chunk = in_turns(
        "chunk",
        {"citewell": lambda: [cut(extraction, "u", chars=1_600, overlap=320) for extraction in read]},
        turns=turns,
        unit="chars/s",
        each=chars,
        per="the same texts",
    )
    return parse + chunk


def embed(turns: int) -> list[Figure]:
    """Time the bundled model beside onnxruntime alone on the same windows, two side by side in both."""
    from concurrent.futures import ThreadPoolExecutor

    model = MiniLM()
    texts = passages(0, EMBEDDED_TEXTS)
    model.embed(texts[:2])
    feeds = []
    for text in texts:
        encoding = model._tokenizer.encode(text, add_special_tokens=False)
        for ids in windows(encoding.ids, [token.startswith("##") for token in encoding.tokens], MINILM_WINDOW):
            row = np.array([[101, *ids, 102]], dtype=np.int64)
            feeds.append({"input_ids": row, "attention_mask": np.ones_like(row), "token_type_ids": np.zeros_like(row)})

    def alone() -> None:
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(lambda feed: model._session.run(None, feed), feeds))

    return in_turns(
        "embed",
        {"citewell": lambda: model.embed(texts), "onnxruntime alone": alone},
        turns=turns,
        unit="texts/s",
        each=len(texts),
        per=f"{len(texts)} passages of 128 words, {len(feeds)} windows",
    )


def index_stages(folder: Path, count: int) -> list[Figure]:
    """Time the stages of indexing, each on its own: texts and words, vectors, Chroma.  Once."""
    import time

    from .timing import figure_of

    figures = []
    corpus = Corpus.open(folder, embedder=GivenVectors())
    follow = corpus._index.follow
    corpus._index.follow = lambda: None  # type: ignore[method-assign]
    given = list(documents(0, count))
    for stage, work in (
        ("index: texts, words", lambda: corpus.add(given, embed=False)),
        ("index: vectors", corpus.embed_pending),
        ("index: Chroma", follow),
    ):
        began, cpu = time.perf_counter(), time.process_time()
        work()  # type: ignore[operator]
        taken = [(time.perf_counter() - began, time.process_time() - cpu)]
        figures.append(figure_of(stage, "citewell", taken, unit="s", per=f"{count:,} chunks, vectors given"))
    corpus.close()
    return figures


def fuse(turns: int) -> list[Figure]:
    """Time fusing two lists of sixty."""
    ids = [f"{number:040x}:{number}" for number in range(90)]
    sparse = {row: 20.0 - place / 10 for place, row in enumerate(ids)}
    dense = {row: 0.9 - place / 200 for place, row in enumerate(reversed(ids))}
    return in_turns(
        "fuse",
        {
            "completed": lambda: [completed_fusion(sparse, dense) for _ in range(100)],
            "rrf": lambda: [reciprocal_rank_fusion([ids[:60], ids[30:]]) for _ in range(100)],
        },
        turns=turns,
        each=100,
        per="90 candidates of two lists of sixty",
    )
