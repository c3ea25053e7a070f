"""Extract atomic facts with their quotes from the round's new passages.  Reads plan, packs, evidence; writes facts."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from langgraph.runtime import Runtime

from ..errors import CitewellError
from ..reasoners.protocol import FactTask, Passage
from ..state.context import ResearchContext
from ..state.records import Fact
from ..state.research import ResearchState
from ..text.numbers import find_numbers
from ..text.words import analyse
from .services import Run, Services, ranked, stop_of

NEAR, LEAST_SHARED = 0.9, 0.2
"""Statements whose cosine is above `NEAR` share at least such a part of their words, and others need not be embedded.

Of 108 pairs above 0.92 among 5,000 sentences of abstracts, articles and answers, the least was 0.31.
"""


@dataclass(frozen=True)
class FactExtractor:
    """Hands new passages to the reasoner and keeps what is quoted exactly and was not known."""

    services: Services

    async def __call__(self, state: ResearchState, runtime: Runtime[ResearchContext]) -> ResearchState:
        if state.get("repair_request"):
            return {}
        run = await self.services.run_of(state, runtime)
        iteration, known = state["iteration"], state["facts"]
        fresh = [pack for pack in state["packs"].values() if pack.iteration == iteration]
        earlier = {
            chunk_id for pack in state["packs"].values() if pack.iteration < iteration for chunk_id in pack.chunk_ids
        }
        hits = {key: hit for key, hit in ranked(state["evidence"], fresh).items() if key not in earlier}
        passages = await run.passages(hits, state["packs"])
        task = FactTask(
            plan=state["plan"],
            question=state["run"].resolved_question,
            iteration=iteration,
            passages=passages,
            rankings={pack.query: pack.chunk_ids for pack in fresh},
            known=known,
            limit=max(0, run.settings.max_facts - len(known)),
        )
        update: ResearchState = {}
        found: list[Fact] = []
        if passages and task.limit:
            try:
                found = await self.services.reasoner(run, "fact_extractor").extract_facts(task)
            except CitewellError as error:
                run.fall_back("fact_extractor", str(error))
                if stopped := stop_of(error):
                    update["stop_reason"] = stopped
        exact = [fact for fact in found if is_quoted(fact, passages)]
        if len(exact) < len(found):
            run.fall_back(
                "fact_extractor", f"{len(found) - len(exact)} facts refused: their quote is not in the passage"
            )
        threshold = run.settings.dedupe_similarity
        vectors = await _vectors(run, alike_in_words([*known, *exact], threshold) if exact else [])
        facts = deduplicated(known, exact, vectors, threshold)[: run.settings.max_facts]
        for fact in facts[len(known) :]:
            run.tell("fact", fact_id=fact.fact_id, statement=fact.statement, iteration=iteration)
        return update | {"facts": facts, "new_facts": len(facts) - len(known)} | run.so_far()


def is_quoted(fact: Fact, passages: Sequence[Passage]) -> bool:
    """Whether the fact has quotes and each is the stated span of a passage, word for word."""
    texts: Mapping[str, str] = {passage.chunk.chunk_id: passage.chunk.text for passage in passages}
    return bool(fact.quotes) and all(
        quote.text and texts.get(quote.chunk_id, "")[quote.start : quote.end] == quote.text for quote in fact.quotes
    )


def deduplicated(
    known: Sequence[Fact], found: Sequence[Fact], vectors: Mapping[str, np.ndarray], threshold: float
) -> tuple[Fact, ...]:
    """Append those of `found` that say something new, numbered `F-001` and on.

    Two facts are one where their statements are equal, or where their cosine is above `threshold` and they hold the
    same numbers, value and period: last year's figure never passes for this year's.  The first stays and gains the
    other's quotes.

    Args:
        known: Facts of earlier rounds, already distinct.
        found: New facts, best first.
        vectors: Of unit length by statement; one without a vector is compared by its words only.
        threshold: Cosine in [0, 1].
    """
    kept = list(known)
    seen = [(_folded(fact), _figures(fact), fact.statement) for fact in known]
    for fact in found:
        folded, figures = _folded(fact), _figures(fact)
        mine = vectors.get(fact.statement)
        twin = next(
            (
                place
                for place, (words, values, statement) in enumerate(seen)
                if words == folded or (values == figures and _is_near(mine, vectors.get(statement), threshold))
            ),
            None,
        )
        if twin is None:
            seen.append((folded, figures, fact.statement))
            kept.append(fact.model_copy(update={"fact_id": f"F-{len(kept) + 1:03d}"}))
        else:
            quotes = dict.fromkeys((*kept[twin].quotes, *fact.quotes))
            kept[twin] = kept[twin].model_copy(update={"quotes": tuple(quotes)})
    return tuple(kept)


def _is_near(one: np.ndarray | None, other: np.ndarray | None, threshold: float) -> bool:
    return one is not None and other is not None and bool(one @ other > threshold)


def alike_in_words(facts: Sequence[Fact], threshold: float) -> list[str]:
    """Return the statements whose meaning counts: those that may be near one of the same figures."""
    least = LEAST_SHARED if threshold >= NEAR else 0.0
    by_figures: dict[tuple[object, ...], dict[str, frozenset[str]]] = {}
    for fact in facts:
        by_figures.setdefault(_figures(fact), {})[fact.statement] = frozenset(analyse(fact.statement))
    alike: dict[str, None] = {}
    for words in by_figures.values():
        for one, other in combinations(words, 2):
            if len(words[one] & words[other]) >= least * len(words[one] | words[other]):
                alike |= {one: None, other: None}
    return list(alike)


async def _vectors(run: Run, statements: list[str]) -> dict[str, np.ndarray]:
    if not statements or run.corpus is None or run.degraded:
        return {}
    return dict(zip(statements, await asyncio.to_thread(run.corpus.embed, statements), strict=True))


def _folded(fact: Fact) -> tuple[str, str]:
    return (" ".join(fact.statement.casefold().split()), fact.period)


def _figures(fact: Fact) -> tuple[object, ...]:
    numbers = tuple(sorted((number.value, number.unit) for number in find_numbers(fact.statement)))
    return (numbers, fact.value, fact.period)
