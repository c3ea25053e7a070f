"""Hold what was extracted from the dated corpus against what it states."""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from random import Random
from typing import Any

from ...retrievers.kg.records import KnownFact, Mention, Statement, Triplet
from ...retrievers.kg.store import TemporalGraph
from ...state.records import Source
from ...tools.factual_qa import factual_qa


@dataclass(frozen=True)
class Pair:
    """A gold statement and the fact that says the same of the same document, if one was extracted."""

    gold: Mapping[str, Any]
    fact: KnownFact | None


@dataclass
class Judged:
    """All that was compared.

    Attributes:
        stray: Facts that no gold statement of their document says.
    """

    pairs: list[Pair]
    stray: list[KnownFact]

    def of(self, wordings: Sequence[str]) -> list[Pair]:
        """Return the pairs whose sentence is one of some splits."""
        return [pair for pair in self.pairs if pair.gold["wording"] in wordings]


def judged(graph: TemporalGraph, gold: Sequence[Mapping[str, Any]]) -> Judged:
    """Pair gold statements with facts: same document, subject, predicate, object, value and unit."""
    facts: dict[tuple[str, ...], list[KnownFact]] = {}
    every = [fact for fact in graph.facts() if fact.event.statement_type == "FACT"]
    for fact in every:
        facts.setdefault(_key_of_fact(fact), []).append(fact)
    pairs = []
    for each in gold:
        found = facts.get(_key_of_gold(each), [])
        ended = each["valid_at"] is None and each["invalid_at"] is not None
        fit = next((fact for fact in found if (fact.event.valid_at is None) == ended), None) or next(iter(found), None)
        if fit is not None:
            found.remove(fit)
        pairs.append(Pair(each, fit))
    taken = {pair.fact.fact_id for pair in pairs if pair.fact}
    return Judged(pairs, [fact for fact in every if fact.fact_id not in taken])


def _key_of_fact(fact: KnownFact) -> tuple[str, ...]:
    named = fact.object.name if fact.object else ""
    return (fact.event.uri, _same(fact.subject.name), fact.predicate, _same(named), fact.value.casefold(), fact.unit)


def _key_of_gold(gold: Mapping[str, Any]) -> tuple[str, ...]:
    return (
        gold["uri"], _same(gold["subject"]), gold["predicate"], _same(gold["object"]), gold["value"].casefold(),
        gold["unit"],
    )  # fmt: skip


def _same(name: str) -> str:
    """Return a name without the legal form that the corpus writes in full names only."""
    words = name.casefold().split()
    return " ".join(word for word in words if word not in {"ltd", "inc", "asa", "spa", "ab", "corporation"})


def scores(judgement: Judged, wordings: Sequence[str]) -> dict[str, float | int]:
    """Return recall, validity and closings over the gold statements of some splits; strays count in all of them."""
    pairs = judgement.of(wordings)
    found = [pair for pair in pairs if pair.fact is not None]
    right = [pair for pair in found if validity_is_right(pair)]
    return {
        "gold": len(pairs),
        "extracted": len(found),
        "recall": _share(len(found), len(pairs)),
        "validity": _share(len(right), len(found)),
    }


def precision(judgement: Judged) -> tuple[int, int]:
    """Return how many extracted facts a gold statement says, and how many there are."""
    found = sum(pair.fact is not None for pair in judgement.pairs)
    return found, found + len(judgement.stray)


def validity_is_right(pair: Pair) -> bool:
    """Whether the fact holds from and until the very days that the gold statement gives."""
    assert pair.fact is not None
    event = pair.fact.event
    return (_day(event.valid_at), _day(event.invalid_at)) == (pair.gold["valid_at"], pair.gold["invalid_at"])


def closings(judgement: Judged) -> tuple[int, int, int]:
    """Return closings that name the right event, closings whose both ends were extracted, and all gold closings.

    The sentence that closes may state two things (who came, who went): either is right.
    """
    right = both = every = 0
    for pair in judgement.pairs:
        if not pair.gold["closed_by"]:
            continue
        every += 1
        closers = [judgement.pairs[place] for place in pair.gold["closed_by"]]
        said = {(closer.gold["uri"], closer.gold["text"]) for closer in closers if closer.fact}
        if pair.fact is None or not said:
            continue
        both += 1
        by = pair.fact.event.invalidated_by
        ids = {
            other.fact.event.event_id
            for other in judgement.pairs
            if other.fact and (other.gold["uri"], other.gold["text"]) in said
        }
        right += by in ids
    return right, both, every


def answered(graph: TemporalGraph, judgement: Judged, questions: Sequence[Mapping[str, Any]]) -> tuple[int, int, int]:
    """Return questions answered exactly, questions whose facts were all extracted, and all questions."""
    exact = possible = 0
    for question in questions:
        if any(judgement.pairs[place].fact is None for place in question["rests_on"]):
            continue
        possible += 1
        exact += answer(graph, question) == {_same(name) for name in question["expected"]}
    return exact, possible, len(questions)


def answer(graph: TemporalGraph, question: Mapping[str, Any]) -> set[str]:
    """Return what `factual_qa` gives for a question: subjects, objects or values in a window."""
    found = factual_qa(graph, question["entity"], question["start"], question["end"], question["predicate"])
    names = set()
    for fact in found.facts:
        if fact.statement_type == "FACT" and (not question["value"] or fact.value == question["value"]):
            names.add(_same(getattr(fact, question["gives"])))
    return names


def as_of_seconds(folder: Path, triplets: int = 100_000, asked: int = 200) -> tuple[float, float, float]:
    """Return median, slowest and processor seconds of an as-of question about one entity among so many triplets."""
    pick = Random(1)
    with TemporalGraph.open(folder / "large.sqlite") as graph:
        per_document, companies = 5_000, 1_000
        for number in range(triplets // per_document):
            statements = [_made(pick, companies) for _ in range(per_document)]
            graph.put(Source(uri=f"d{number}", kind="file"), statements, content="1", engine="made")
        times = []
        worked = time.process_time()
        for _ in range(asked):
            entity, day = f"Company {pick.randrange(companies)}", date(2000, 1, 1) + timedelta(pick.randrange(9_000))
            begin = time.perf_counter()
            graph.facts(entity, as_of=day)
            times.append(time.perf_counter() - begin)
        worked = time.process_time() - worked
    return statistics.median(times), max(times), worked / asked


def _made(pick: Random, companies: int) -> Statement:
    company = Mention(name=f"Company {pick.randrange(companies)}", kind="org")
    day = date(2000, 1, 1) + timedelta(pick.randrange(9_000))
    kind = pick.randrange(4)
    if kind == 0:
        person = Mention(name=f"Person {pick.randrange(5_000)}", kind="person")
        triplet = Triplet(
            subject=person, predicate="HOLDS_ROLE", object=company, value="chief executive officer", exclusive=True
        )
    elif kind == 1:
        place = Mention(name=f"Place {pick.randrange(300)}", kind="place")
        triplet = Triplet(subject=company, predicate="LOCATED_IN", object=place, value="headquarters", exclusive=True)
    elif kind == 2:
        product = Mention(name=f"Product {pick.randrange(9_000)}", kind="product")
        triplet = Triplet(subject=company, predicate="PRODUCES", object=product)
    else:
        people = Mention(name="employees", kind="thing")
        triplet = Triplet(
            subject=company, predicate="HAS_A", object=people, value=str(pick.randrange(90_000)), exclusive=True
        )
    return Statement(statement="made", chunk_id="x:0", quote="made", start=0, end=4, triplets=(triplet,), valid_at=day)


def read_gold(folder: Path) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return gold statements and questions of a written corpus."""
    told = json.loads((folder / "gold.json").read_text(encoding="utf-8"))
    return told["gold"], told["questions"]


def _day(day: date | None) -> str | None:
    return day.isoformat() if day else None


def _share(part: int, whole: int) -> float:
    return round(part / whole, 3) if whole else 0.0
