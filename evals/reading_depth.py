"""How far down the evidence of a round what a question needs lies, in characters: how much of it must be read.

`python -m citewell.evals.reading_depth --data DIR --cache DIR [--limit N] [--set NAME]…`

DIR holds sets in the layout of BEIR.  Each question is planned by rules and asked as a round asks it; its gold
documents are looked for in the order in which a round reads.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from ..nodes.services import ranked
from ..reasoners.embedded.steps.plan import make_plan
from ..reasoners.protocol import PlanTask
from ..retrievers.corpus import Corpus
from ..state.records import Hit
from ..state.research import Pack, merge_hits
from .answers import open_corpus
from .beir import RetrievalSet

SETS = ("financebench", "cranfield", "hotpotqa")
READ = (16_000, 32_000, 48_000, 64_000, 128_000)


def depths(corpus: Corpus, question: str, gold: Sequence[str], k: int) -> tuple[list[int], int]:
    """Return how many characters are read up to the end of the first passage of each gold document that was found.

    Returns: These, and the characters of all passages found.
    """
    plan = make_plan(PlanTask(question=question, sources=corpus.sources()))
    rankings = corpus.search_many(plan.queries, k=k) if plan.queries else []
    packs = [
        Pack(query=query, iteration=1, chunk_ids=tuple(hit.chunk_id for hit in hits))
        for query, hits in zip(plan.queries, rankings, strict=True)
    ]
    evidence: dict[str, Hit] = {}
    for hits in rankings:
        evidence = merge_hits(evidence, {hit.chunk_id: hit for hit in hits})
    read = 0
    found: dict[str, int] = {}
    for chunk in corpus.read(list(ranked(evidence, packs))):
        read += len(chunk.text)
        if chunk.uri in gold:
            found.setdefault(chunk.uri, read)
    return list(found.values()), read


def main(arguments: Sequence[str] | None = None) -> None:
    """Print a line per set."""
    parser = argparse.ArgumentParser(prog="python -m citewell.evals.reading_depth", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder that holds the sets")
    parser.add_argument("--cache", type=Path, required=True, help="where the embedded sets are kept")
    parser.add_argument("--set", action="append", dest="sets", help=f"{', '.join(SETS)}; may be given again")
    parser.add_argument("--limit", type=int, default=120, help="questions per set")
    parser.add_argument("--k", type=int, default=10, help="hits per query")
    given = parser.parse_args(arguments)
    for name in given.sets or SETS:
        corpus = open_corpus(given.cache / name, given.data / name)
        queries = RetrievalSet.read(given.data / name).queries[: given.limit]
        asked = [depths(corpus, query.text, list(query.gold), given.k) for query in queries]
        found = [depth for some, _ in asked for depth in some]
        total = sorted(read for _, read in asked)
        shares = ", ".join(f"{sum(d <= most for d in found) / max(1, len(found)):.3f} in {most:,}" for most in READ)
        print(
            f"{name}: {len(asked)} questions, {total[len(total) // 2]:,} characters found (median; most {total[-1]:,});"
            f" of {len(found)} gold documents found {shares}"
        )


if __name__ == "__main__":
    main()
