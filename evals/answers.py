"""Measure the extractive engine: whether the answer leads, whether it declines without evidence, both hops found."""

from __future__ import annotations

import argparse
import asyncio
import json
import tempfile
import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from ..reasoners.embedded import EmbeddedReasoner
from ..reasoners.embedded.asked.question import read_question
from ..reasoners.embedded.found.findings import spans_of
from ..reasoners.embedded.found.merging import merge_rounds
from ..reasoners.embedded.found.vectors import TextVectors
from ..reasoners.embedded.steps.declining import BEARS, bearing_of
from ..reasoners.protocol import FactTask, GapTask, Passage, PlanTask, SynthesisTask
from ..reasoners.support.judge import RuleJudge
from ..retrievers.corpus import Corpus
from ..state.records import Document, Draft, Fact, Hit, Plan, Step

SETS = ("hotpotqa", "scifact", "cranfield")
TWO_HOPS = "hotpotqa"
K = 10
ROUNDS = 2
CURVE = (1.0, 1.2, 1.4, 1.6, 1.8, 1.9, 2.0, 2.05, 2.1, 2.15, 2.2, 2.25, 2.3, 2.4, 2.6)


@dataclass(frozen=True)
class Item:
    """A question with its gold documents and, where the set has them, its gold answers."""

    text: str
    gold: frozenset[str]
    answers: tuple[str, ...] = ()


@dataclass
class Found:
    """What one run over a question brought.

    Attributes:
        rankings: Chunk ids by query, best first, over both rounds; the question itself was asked first.
        merged: The first ten of both rounds in one ranking.
        bearing: How the evidence bears on the question, the number that the threshold is laid on.
        seconds: Time spent in the reasoner, embedding included, search not.
    """

    draft: Draft = field(default_factory=Draft)
    facts: list[Fact] = field(default_factory=list)
    passages: dict[str, Passage] = field(default_factory=dict)
    rankings: dict[str, list[str]] = field(default_factory=dict)
    merged: list[str] = field(default_factory=list)
    bearing: float = 0.0
    seconds: float = 0.0

    @property
    def declined(self) -> bool:
        """Whether nothing is claimed or a plan question is listed as open."""
        return not self.draft.claims or bool(self.draft.open_questions)


def load(folder: Path, limit: int) -> list[Item]:
    """Return the first questions of a set in the BEIR layout."""
    gold: dict[str, set[str]] = {}
    for line in (folder / "qrels.tsv").read_text(encoding="utf-8").splitlines()[1:]:
        query, document, _ = line.split("\t")
        gold.setdefault(query, set()).add(document)
    rows = [json.loads(line) for line in (folder / "queries.jsonl").read_text(encoding="utf-8").splitlines()]
    return [
        Item(row["text"], frozenset(gold.get(row["_id"], ())), tuple(row.get("metadata", {}).get("answer") or ()))
        for row in rows[:limit]
    ]


def open_corpus(folder: Path, data: Path) -> Corpus:
    """Return the corpus of a set; it is made and embedded where the folder does not hold it yet."""
    corpus = Corpus.open(folder, sparse="memory")
    rows = [json.loads(line) for line in (data / "corpus.jsonl").read_text(encoding="utf-8").splitlines()]
    documents = [
        Document(uri=row["_id"], text=f"{row['title']}\n\n{row['text']}".strip(), metadata={"title": row["title"]})
        for row in rows
    ]
    corpus.add([document for document in documents if document.text])
    return corpus


async def ask(item: Item, corpus: Corpus, removed: Collection[str] = ()) -> Found:
    """Run plan, two rounds of retrieval and facts, and the draft; hits in removed documents count as not there."""

    async def embed(texts: list[str]) -> Any:
        return await asyncio.to_thread(corpus.embed, texts)

    reasoner = EmbeddedReasoner(embed, RuleJudge(corpus.embed))
    found = Found()
    clock = time.perf_counter()
    plan = await reasoner.plan(PlanTask(question=item.text, sources=()))
    found.seconds += time.perf_counter() - clock
    queries: Sequence[str] = plan.queries
    steps: list[Step] = []
    for iteration in range(1, ROUNDS + 1):
        if not queries:
            break
        fresh, rankings = retrieve(corpus, queries, found.passages, removed)
        found.rankings |= rankings
        clock = time.perf_counter()
        facts = await reasoner.extract_facts(
            FactTask(plan, item.text, iteration, fresh, rankings, known=found.facts, limit=50 - len(found.facts))
        )
        start = len(found.facts)
        found.facts += [fact.model_copy(update={"fact_id": f"F-{start + n:03d}"}) for n, fact in enumerate(facts, 1)]
        gaps = await reasoner.find_gaps(
            GapTask(plan, item.text, found.facts, list(found.passages.values()), list(found.rankings))
        )
        found.seconds += time.perf_counter() - clock
        steps.append(Step(iteration=iteration, queries=tuple(queries), hits=len(fresh), new_facts=len(facts)))
        queries = [query for gap in gaps for query in gap.queries]
    passages = sorted(found.passages.values(), key=lambda passage: (-passage.hit.score, passage.chunk.chunk_id))
    clock = time.perf_counter()
    found.draft = await reasoner.synthesize(SynthesisTask(plan, item.text, found.facts, passages, gaps, steps))
    found.seconds += time.perf_counter() - clock
    question = read_question(item.text)
    by_passage = (await bearing_of(question, passages, TextVectors(embed))).by_passage
    found.merged = merge_rounds(question, passages, found.rankings, plan.queries, by_passage)[:K]
    found.bearing = await _bearing(plan, found.facts, passages, TextVectors(embed))
    return found


def retrieve(
    corpus: Corpus, queries: Sequence[str], known: dict[str, Passage], removed: Collection[str]
) -> tuple[list[Passage], dict[str, list[str]]]:
    """Search each query; add new passages to `known` and return them with the rankings."""
    # Removed documents are passed over after the search: enough hits are asked for that ten remain.
    results = corpus.search_many(queries, k=K + 3 * len(removed))
    read = {chunk.chunk_id: chunk for chunk in corpus.read(list({hit.chunk_id for hits in results for hit in hits}))}
    rankings: dict[str, list[str]] = {}
    best: dict[str, Hit] = {}
    for query, hits in zip(queries, results, strict=True):
        left = [hit for hit in hits if hit.chunk_id in read and read[hit.chunk_id].uri not in removed][:K]
        rankings[query] = [hit.chunk_id for hit in left]
        for hit in left:
            if hit.chunk_id not in best or hit.score > best[hit.chunk_id].score:
                best[hit.chunk_id] = hit
    order = sorted(best.values(), key=lambda hit: (-hit.score, hit.chunk_id))
    fresh = [
        Passage(read[hit.chunk_id], corpus.source(read[hit.chunk_id].uri), hit)
        for hit in order
        if hit.chunk_id not in known
    ]
    known.update({passage.chunk.chunk_id: passage for passage in fresh})
    return fresh, rankings


def leads(item: Item, found: Found) -> bool:
    """Whether a gold answer stands in the first two sentences."""
    text = " ".join(claim.text for claim in found.draft.summary[:2]).casefold()
    return any(answer.casefold() in text for answer in item.answers)


async def _bearing(plan: Plan, facts: Sequence[Fact], passages: Sequence[Passage], vectors: TextVectors) -> float:
    spans = spans_of(facts, passages)
    scores = [(await bearing_of(read_question(part.text), passages, vectors, spans)).score for part in plan.subtasks]
    return min(scores, default=0.0)


async def measure(name: str, data: Path, cache: Path, limit: int) -> dict[str, Any]:
    """Return what one set measures."""
    items = load(data / name, limit)
    lead, hops, all_seconds = [], [], []
    scores: dict[str, list[float]] = {"kept": [], "removed": []}
    declined: dict[str, list[bool]] = {"kept": [], "removed": []}
    with open_corpus(cache / name, data / name) as corpus:
        for item in items:
            for kind, removed in (("kept", frozenset[str]()), ("removed", item.gold)):
                found = await ask(item, corpus, removed)
                scores[kind].append(found.bearing)
                declined[kind].append(found.declined)
                all_seconds.append(found.seconds)
                if kind == "kept" and name == TWO_HOPS:
                    lead.append(leads(item, found))
                    ranked = {found.passages[chunk_id].chunk.uri for chunk_id in found.merged}
                    hops.append(item.gold <= ranked)
    result: dict[str, Any] = {
        "questions": len(items),
        "declined_untouched": float(np.mean(declined["kept"])),
        "declined_removed": float(np.mean(declined["removed"])),
        "reasoner_seconds_median": round(float(np.median(all_seconds)), 2),
        "reasoner_seconds_max": round(max(all_seconds), 2),
        "curve": [
            (bar, float(np.mean(np.array(scores["kept"]) < bar)), float(np.mean(np.array(scores["removed"]) < bar)))
            for bar in CURVE
        ],
        "scores": scores,
    }
    if name == TWO_HOPS:
        result |= {"answer_in_first_two": sum(lead), "both_hops_in_ten": float(np.mean(hops))}
    return result


def main() -> None:
    """Read the arguments, run, print a table, write JSON where asked."""
    parser = argparse.ArgumentParser(prog="python -m citewell.evals.answers", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder that holds hotpotqa/, scifact/, cranfield/")
    parser.add_argument("--sets", nargs="+", default=list(SETS), choices=SETS)
    parser.add_argument("--limit", type=int, default=100, help="first questions of each set")
    parser.add_argument("--cache", type=Path, help="folder to keep the embedded corpora in")
    parser.add_argument("--out", type=Path, help="write the figures here as JSON")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        figures = {
            name: asyncio.run(measure(name, args.data, args.cache or Path(scratch), args.limit)) for name in args.sets
        }
    print(table(figures))
    if args.out:
        args.out.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")


def table(figures: dict[str, dict[str, Any]]) -> str:
    """Return the figures as Markdown."""
    lines = ["| set | declined, untouched | declined, gold removed | reasoner s, median / max |", "|---|---|---|---|"]
    for name, found in figures.items():
        lines.append(
            f"| {name} | {found['declined_untouched']:.2f} | {found['declined_removed']:.2f} "
            f"| {found['reasoner_seconds_median']} / {found['reasoner_seconds_max']} |"
        )
    for name, found in figures.items():
        if "answer_in_first_two" in found:
            lines += ["", f"{name}: the answer stands in the first two sentences for {found['answer_in_first_two']}"]
            lines[-1] += f" of {found['questions']}; both hops in ten for {found['both_hops_in_ten']:.3f}."
    lines += ["", f"Share declined at each bar (in use: {BEARS}), untouched / gold removed:", ""]
    lines += ["| bar | " + " | ".join(figures) + " |", "|---" * (len(figures) + 1) + "|"]
    for place, bar in enumerate(CURVE):
        cells = [f"{found['curve'][place][1]:.2f} / {found['curve'][place][2]:.2f}" for found in figures.values()]
        lines.append(f"| {bar} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


if __name__ == "__main__":
    main()
