"""Measure the multi-step agent: questions in words over the dated corpus, answered by rules through the whole graph.

python -m citewell.evals.multistep [--show]      needs no data and no key
"""

from __future__ import annotations

import asyncio
import statistics
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import click

from ..graph.multistep import build_multistep_graph
from ..graph.multistep_wiring import default_multistep_services
from ..reasoners.kg.building import Build, EmbeddedReader, similar_by
from ..retrievers.embeddings import bundled
from ..retrievers.kg.store import TemporalGraph
from ..settings import Environment, Settings
from ..state.multistep import MultistepReport
from .kg import measure
from .kg.corpus import write_corpus

# Two wordings of each kind of question; {when} is a window in words.
WORDINGS: Mapping[str, tuple[str, str]] = {
    "HOLDS_ROLE": ("Who was {value} of {entity} {when}?", "Which person held the post of {value} at {entity} {when}?"),
    "LOCATED_IN": ("Where was {entity} headquartered {when}?", "In which city was the head office of {entity} {when}?"),
    "LAUNCHED": ("What did {entity} launch {when}?", "Which products were introduced by {entity} {when}?"),
    "HAS_REVENUE": ("What was {entity}'s revenue {when}?", "How much turnover did {entity} report {when}?"),
    "SUPPLIES": ("Who supplied {entity} with {value} {when}?", "Which supplier of {value} did {entity} have {when}?"),
    "TARGETS": ("What were {entity}'s research priorities {when}?", "What did {entity}'s research focus on {when}?"),
    "PART_OF": ("Which companies were part of {entity} {when}?", "Which firms did {entity} own {when}?"),
}
# Written after the rules; the rules were widened after they were looked at.
LOOKED_AT: Mapping[str, str] = {
    "HOLDS_ROLE": "Name the {value} that {entity} had {when}.",
    "LOCATED_IN": "Name the city that {entity} was run from {when}.",
    "LAUNCHED": "Which new products came out at {entity} {when}?",
    "HAS_REVENUE": "How much money did {entity} take in {when}?",
    "SUPPLIES": "From whom did {entity} get its {value} {when}?",
    "TARGETS": "On which topics did the laboratories of {entity} concentrate {when}?",
    "PART_OF": "Which businesses belonged to {entity} {when}?",
}
# Written after the rules were widened, and never looked at while they were changed.
FRESH: Mapping[str, str] = {
    "HOLDS_ROLE": "Who filled the job of {value} for {entity} {when}?",
    "LOCATED_IN": "From which place did {entity} operate {when}?",
    "LAUNCHED": "What novelties did {entity} present {when}?",
    "HAS_REVENUE": "What sum did the sales of {entity} come to {when}?",
    "SUPPLIES": "Which company's {value} did {entity} use {when}?",
    "TARGETS": "What were the scientists of {entity} busy with {when}?",
    "PART_OF": "Which firms stood under the control of {entity} {when}?",
}
TREND = "How have {entity}'s research priorities changed over the years?"


@dataclass(frozen=True)
class Asked:
    """A question in words and what answers it.

    Attributes:
        gives: Which part of a fact answers: `subject`, `object` or `value`.
        expected: Those parts, folded; empty where nothing is known.
        ordered: Whether they are to come in this order.
        fresh: Which set of wordings it is of that was written after the rules, empty for the others.
    """

    words: str
    predicate: str
    gives: str
    expected: tuple[str, ...]
    ordered: bool = False
    fresh: str = ""


def asked_of(questions: Sequence[Mapping[str, Any]], judgement: measure.Judged) -> Iterator[Asked]:
    """Yield the questions whose facts the graph holds, each in its wordings, and one about change for each company."""
    for question in questions:
        if any(judgement.pairs[place].fact is None for place in question["rests_on"]):
            continue
        when = in_words(date.fromisoformat(question["start"]), date.fromisoformat(question["end"]))
        expected = tuple(sorted({folded(name) for name in question["expected"]}))
        predicate = question["predicate"]
        wordings = [(wording, "") for wording in WORDINGS[predicate]]
        wordings += [(LOOKED_AT[predicate], "wording looked at since"), (FRESH[predicate], "fresh wording")]
        for wording, fresh in wordings:
            words = wording.format(entity=question["entity"], value=question["value"], when=when)
            yield Asked(words, predicate, question["gives"], expected, fresh=fresh)
    aims: dict[str, list[tuple[str, str]]] = {}
    for pair in judgement.pairs:
        if pair.fact is not None and pair.fact.predicate == "TARGETS" and pair.fact.event.valid_at:
            aims.setdefault(pair.fact.subject.name, []).append((str(pair.fact.event.valid_at), pair.gold["object"]))
    for entity, found in aims.items():
        expected = tuple(dict.fromkeys(folded(name) for _, name in sorted(found)))
        yield Asked(TREND.format(entity=entity), "TARGETS", "object", expected, ordered=True)


def in_words(start: date, end: date) -> str:
    """Return a window as people write it."""
    if (start.month, start.day, end.month, end.day) == (1, 1, 12, 31):
        return f"in {start.year}" if start.year == end.year else f"between {start.year} and {end.year}"
    if (start.year, start.month) == (end.year, end.month) and start.day == 1:
        return f"in {start:%B %Y}"
    if (end - start).days == 1:
        return f"on {end.day} {end:%B %Y}"
    return f"between {start:%B %Y} and {end:%B %Y}"


def folded(name: str) -> str:
    return " ".join(name.casefold().split())


def given_by(report: MultistepReport, asked: Asked) -> tuple[str, ...]:
    """Return what the claims of a report give, through the facts that they rest on; of a change by date, then name.

    What was not asked for counts as wrong, but for the growth that is told beside a revenue.
    """
    facts = {fact.fact_id: fact for fact in report.facts}
    cited = [facts[fact_id] for claim in report.claims for fact_id in claim.fact_ids]
    growth = ("INCREASED", "DECREASED") if asked.predicate == "HAS_REVENUE" else ()
    cited = [fact for fact in cited if fact.predicate not in growth]
    if any(fact.predicate != asked.predicate for fact in cited):
        return ("also something else",)
    if not asked.ordered:
        return tuple(sorted({folded(str(getattr(fact, asked.gives))) for fact in cited}))
    dated = [(str(fact.valid_at), folded(fact.object)) for fact in cited if fact.valid_at]
    if [day for day, _ in dated] != sorted(day for day, _ in dated):
        return ("not in the order of time",)
    return tuple(dict.fromkeys(name for _, name in sorted(dated)))


async def answered(folder: Path, asked: Sequence[Asked]) -> list[tuple[MultistepReport, float]]:
    """Ask each question by itself; return its report and the seconds it took."""
    services = default_multistep_services(Settings(engine="embedded"), Environment(home=folder))
    graph = build_multistep_graph(services).compile()
    found = []
    for one in asked:
        started = time.perf_counter()
        result = await graph.ainvoke({"question": one.words})
        found.append((MultistepReport.model_validate(result["report"]), time.perf_counter() - started))
    return found


@click.command()
@click.option("--show", is_flag=True, help="List what was answered otherwise.")
def main(show: bool) -> None:
    """Write the dated corpus, build its graph, ask in words and compare."""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        write_corpus(folder)
        gold, questions = measure.read_gold(folder)
        with TemporalGraph.open(folder / "kg.sqlite") as graph:
            asyncio.run(Build(graph, EmbeddedReader(), Settings(), similar_by(bundled())).run([folder / "documents"]))
            asked = list(asked_of(questions, measure.judged(graph, gold)))
        reports = asyncio.run(answered(folder, asked))
    right: dict[str, list[bool]] = {}
    for one, (report, _) in zip(asked, reports, strict=True):
        given = given_by(report, one)
        exact = given == one.expected
        kind = "change" if one.ordered else "nothing known" if not one.expected else one.predicate
        if one.fresh:
            kind = f"{one.fresh}, nothing known" if not one.expected else one.fresh
        right.setdefault(kind, []).append(exact)
        if show and not exact:
            click.echo(f"{one.words}\n  expected {one.expected}\n  given    {given}")
            click.echo("".join(f"    {use.tool} {use.arguments}\n" for use in report.calls), nl=False)
    for kind, each in right.items():
        click.echo(f"{kind}: {sum(each)} of {len(each)} exact")
    open_ = [exact for kind, each in right.items() for exact in each if "wording" not in kind]
    click.echo(f"all but those wordings: {sum(open_)} of {len(open_)} = {sum(open_) / len(open_):.3f}")
    unsupported = sum(claim.support != "supported" for report, _ in reports for claim in report.claims)
    click.echo(f"claims: {sum(len(report.claims) for report, _ in reports)}, of these not supported: {unsupported}")
    click.echo(f"median {statistics.median(seconds for _, seconds in reports) * 1000:.0f} ms a question")


if __name__ == "__main__":
    main()
