"""Measure long-term memory: what it finds in long conversations, what storing and searching cost.

python -m citewell.evals.memory recall DATA [--cache DIR]     a folder in the layout of LoCoMo as BEIR files
python -m citewell.evals.memory cost                          needs no data
"""

from __future__ import annotations

import gc
import json
import math
import re
import statistics
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from zlib import crc32

import click
import numpy as np

from ..reasoners.relevance import bearing
from ..retrievers.embeddings import Embedder, Vectors, bundled
from ..retrievers.memory import Memory
from ..retrievers.memory_index import spoken_date
from ..text.words import analyse

K = 10
CATEGORY_NAMES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial"}
ADVERSARIAL = 5
QUOTED_HITS = 5


class CachedEmbedder:
    """An embedder whose vectors are kept in a file, so that a second measurement does not wait for them."""

    def __init__(self, embedder: Embedder, file: Path | None) -> None:
        self._embedder, self._file = embedder, file
        self.name, self.dim = embedder.name, embedder.dim
        self._known: dict[str, Vectors] = {}
        if file and file.exists():
            texts = json.loads(file.with_suffix(".json").read_text(encoding="utf-8"))
            self._known = dict(zip(texts, np.load(file), strict=True))

    def embed(self, texts: Sequence[str]) -> Vectors:
        missing = [text for text in dict.fromkeys(texts) if text not in self._known]
        self._known |= dict(zip(missing, self._embedder.embed(missing), strict=True))
        return np.vstack([self._known[text] for text in texts])

    def save(self) -> None:
        if self._file:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            np.save(self._file, np.vstack(list(self._known.values())))
            self._file.with_suffix(".json").write_text(json.dumps(list(self._known)), encoding="utf-8")


def ndcg(ranked: Sequence[set[str]], gold: set[str], k: int) -> float:
    """Return nDCG at k of binary relevance; a ranked entry counts the gold turns that it stands for, each once."""
    left = set(gold)
    gain = 0.0
    for rank, turns in enumerate(ranked[:k], start=1):
        if turns & left:
            gain += 1 / math.log2(rank + 1)
            left -= turns
    ideal = sum(1 / math.log2(rank + 1) for rank in range(1, min(k, len(gold)) + 1))
    return gain / ideal


def recall(ranked: Sequence[set[str]], gold: set[str], k: int) -> float:
    """Return the share of gold turns among the first k entries."""
    found = set().union(*ranked[:k]) if ranked else set()
    return len(found & gold) / len(gold)


def parsed_date(text: str) -> datetime:
    """Return the time of a session, written `1:56 pm on 8 May, 2023`."""
    match = re.match(r"(\d+):(\d+) ([ap]m) on (\d+) (\w+),? (\d{4})", text)
    if match is None:
        raise click.UsageError(f"no session date: {text!r}")
    hour = int(match[1]) % 12 + (12 if match[3] == "pm" else 0)
    month = next(number for number in range(1, 13) if match[5] in spoken_date(datetime(2000, number, 1, tzinfo=UTC)))
    return datetime(int(match[6]), month, int(match[4]), hour, int(match[2]), tzinfo=UTC)


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]


def measure_recall(data: Path, embedder: Embedder, say: Callable[[str], None]) -> dict[str, Any]:
    """Store every turn one by one under its conversation, ask every question there, and score by category."""
    turns: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for turn in _lines(data / "corpus.jsonl"):
        turns[turn["metadata"]["conv"]].append(turn)
    gold: dict[str, set[str]] = defaultdict(set)
    for line in (data / "qrels.tsv").read_text(encoding="utf-8").splitlines()[1:]:
        query_id, turn_id, _ = line.split("\t")
        gold[query_id].add(turn_id)
    queries: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for query in _lines(data / "queries.jsonl"):
        queries[query["metadata"]["conv"]].append(query)
    scores: dict[int, list[dict[str, float]]] = defaultdict(list)
    declined: dict[int, list[bool]] = defaultdict(list)
    with tempfile.TemporaryDirectory() as folder:
        for conversation, said in turns.items():
            with Memory.open(folder, user=conversation, embedder=embedder) as memory:
                turns_of = _store(memory, said)
                for query in queries[conversation]:
                    hits = memory.search(query["text"], 20)
                    category = query["metadata"]["category"]
                    first = [(hit.text, hit.score_dense) for hit in hits[:QUOTED_HITS]]
                    declined[category].append(not bearing(query["text"], first))
                    if gold[query["_id"]]:
                        ranked = [turns_of[hit.memory_id] for hit in hits]
                        scores[category].append(_scored(ranked, gold[query["_id"]]))
            say(f"conversation {conversation}: {len(said)} turns, {len(queries[conversation])} questions")
    answerable = [row for category, rows in scores.items() if category != ADVERSARIAL for row in rows]
    result: dict[str, Any] = {"all answerable": _mean(answerable)}
    for category in sorted(scores):
        result[CATEGORY_NAMES[category]] = _mean(scores[category])
    result["declined"] = {
        CATEGORY_NAMES[category]: round(sum(each) / len(each), 3) for category, each in sorted(declined.items())
    }
    return result


def _store(memory: Memory, said: Iterable[Mapping[str, Any]]) -> dict[str, set[str]]:
    turns_of: dict[str, set[str]] = defaultdict(set)
    for turn in said:
        when = parsed_date(turn["metadata"]["date"])
        stored = memory.store(turn["text"], "turn", said_at=when)
        turns_of[stored.memory_id].add(turn["_id"])
    return turns_of


def _scored(ranked: Sequence[set[str]], gold: set[str]) -> dict[str, float]:
    return {"ndcg@10": ndcg(ranked, gold, K)} | {f"recall@{k}": recall(ranked, gold, k) for k in (5, 10, 20)}


def _mean(rows: Sequence[Mapping[str, float]]) -> dict[str, float]:
    names = list(rows[0])
    return {"questions": len(rows)} | {name: round(statistics.fmean(row[name] for row in rows), 4) for name in names}


SYLLABLES = ("ba", "do", "ki", "lu", "me", "no", "pa", "ri", "so", "tu", "ve", "za")
VOCABULARY = [first + second + third for first in SYLLABLES for second in SYLLABLES for third in SYLLABLES]


def made_up(count: int, *, seed: int = 7) -> list[str]:
    """Return texts as long as a turn of a conversation; always the same.

    Words are as uneven as a language's once its stop words are gone: frequency falls with 1 / (30 + rank).
    """
    generator = np.random.default_rng(seed)
    weights = 1 / (30 + np.arange(len(VOCABULARY)))
    rows = generator.choice(len(VOCABULARY), (count, 15), p=weights / weights.sum())
    return [f"It was the {' '.join(VOCABULARY[word] for word in row)} at {number}." for number, row in enumerate(rows)]


class Quick:
    """Vectors at next to no cost, so that storing alone is timed; with `behind` set that model is asked instead."""

    def __init__(self, texts: Iterable[str] = ()) -> None:
        self.name, self.dim = "quick", 384
        self.behind: Embedder | None = None
        self._made = {text: self._row(text) for text in texts}

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return unit vectors that depend on the texts alone."""
        if self.behind is not None:
            return self.behind.embed(texts)
        return np.array([self._made[text] if text in self._made else self._row(text) for text in texts])

    def _row(self, text: str) -> Vectors:
        row = np.random.default_rng(crc32(text.encode())).normal(size=self.dim)
        unit: Vectors = (row / np.linalg.norm(row)).astype(np.float32)
        return unit


def measure_store(count: int) -> dict[str, float]:
    """Time storing one by one against rebuilding BM25 over all texts at each store; neither computes embeddings."""
    from rank_bm25 import BM25Okapi

    texts = made_up(count)
    each: list[float] = []
    day = datetime(2023, 5, 8, tzinfo=UTC)
    quick = Quick(f"{spoken_date(day)}: {text}" for text in texts)
    with tempfile.TemporaryDirectory() as folder, Memory.open(folder, user="u", embedder=quick) as memory:
        memory.store("warm", "up")
        memory.search("warm")

        def one_by_one() -> None:
            for text in texts:
                started = time.perf_counter()
                memory.store(text, "fact", said_at=day)
                each.append(time.perf_counter() - started)
            # Brings the index to the last memory, which the rebuilt one has too.
            memory.search("warm")

        ours = _timed(one_by_one)
    rebuilt = _timed(lambda: [BM25Okapi([analyse(text) for text in texts[:upto]]) for upto in range(1, count + 1)])
    split = _timed(lambda: [BM25Okapi([text.split() for text in texts[:upto]]) for upto in range(1, count + 1)])
    return {
        "memories": count,
        "first_hundred_ms_each": round(statistics.fmean(each[:100]) * 1000, 3),
        "last_hundred_ms_each": round(statistics.fmean(each[-100:]) * 1000, 3),
        "one_by_one_s": ours[0],
        "rebuilding_s": rebuilt[0],
        "rebuilding_over_split_words_s": split[0],
        "times_faster": round(rebuilt[0] / ours[0], 1),
        "times_faster_in_processor_time": round(rebuilt[1] / ours[1], 1),
        "times_faster_than_over_split_words": round(split[0] / ours[0], 1),
    }


def _timed(work: Callable[[], object]) -> tuple[float, float]:
    """Return wall and processor seconds, the collector of garbage switched off as `timeit` has it."""
    gc.collect()
    gc.disable()
    wall, cpu = time.perf_counter(), time.process_time()
    try:
        work()
    finally:
        gc.enable()
    return round(time.perf_counter() - wall, 3), round(time.process_time() - cpu, 3)


def measure_search(count: int, searches: int = 200) -> dict[str, float]:
    """Time searches over many memories, the query's embedding by the bundled model included."""
    embedder = Quick()
    with tempfile.TemporaryDirectory() as folder, Memory.open(folder, user="u", embedder=embedder) as memory:
        for text in made_up(count):
            memory.store(text, "fact")
        embedder.behind = bundled()
        memory.search("warm up")
        times = []
        for text in made_up(searches, seed=8):
            # As many word pieces as a question of a dozen words has.
            query = " ".join(text.split()[2:7])
            started = time.perf_counter()
            memory.search(query, 5)
            times.append((time.perf_counter() - started) * 1000)
    times.sort()
    return {
        "memories": count,
        "median_ms": round(statistics.median(times), 2),
        "p95_ms": round(times[int(len(times) * 0.95)], 2),
    }


@click.group()
def main() -> None:
    """Measure long-term memory."""


@main.command("recall")
@click.argument("data", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.option("--cache", type=click.Path(path_type=Path), help="Folder that keeps embeddings between runs.")
def recall_command(data: Path, cache: Path | None) -> None:
    """Score retrieval over conversations, by category, and how often the embedded engine declines."""
    embedder = CachedEmbedder(bundled(), cache / f"{bundled().name}-memory.npy" if cache else None)
    result = measure_recall(data, embedder, lambda line: click.echo(line, err=True))
    embedder.save()
    click.echo(json.dumps(result, indent=2))


@main.command("cost")
def cost_command() -> None:
    """Time storing and searching."""
    click.echo(json.dumps({"store": measure_store(1_000), "search": measure_search(10_000)}, indent=2))


if __name__ == "__main__":
    main()
