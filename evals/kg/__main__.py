"""Measure the temporal graph: `python -m citewell.evals.kg [corpus|speed|sample] …`."""

from __future__ import annotations

import asyncio
import json
import tempfile
from pathlib import Path
from random import Random

import click

from ...reasoners.kg.building import Build, EmbeddedReader, similar_by
from ...retrievers.embeddings import bundled
from ...retrievers.kg.store import TemporalGraph
from ...settings import Settings
from . import measure
from .corpus import write_corpus
from .fresh import measured, read_sentences


@click.group(invoke_without_command=True)
@click.pass_context
def main(ctx: click.Context) -> None:
    """Measure extraction, validity, closings, questions and speed; without a command all on the dated corpus."""
    if ctx.invoked_subcommand is None:
        ctx.invoke(corpus)
        ctx.invoke(fresh)
        ctx.invoke(speed)


@main.command()
@click.option("--keep", type=click.Path(path_type=Path), help="Folder to keep documents and graph in.")
@click.option("--show", type=click.Choice(["open", "table", "all"]), help="List what was missed, wrong or stray.")
def corpus(keep: Path | None = None, show: str | None = None) -> None:
    """Write the dated corpus, build a graph from it and compare."""
    with tempfile.TemporaryDirectory() as made:
        folder = keep or Path(made)
        write_corpus(folder)
        gold, questions = measure.read_gold(folder)
        (folder / "kg.sqlite").unlink(missing_ok=True)
        with TemporalGraph.open(folder / "kg.sqlite") as graph:
            build = Build(graph, EmbeddedReader(), Settings(), similar_by(bundled()))
            report = asyncio.run(build.run([folder / "documents"]))
            judgement = measure.judged(graph, gold)
            right, every = measure.precision(judgement)
            closed, both, closings = measure.closings(judgement)
            exact, possible, asked = measure.answered(graph, judgement, questions)
        documents = len(report.added)
        click.echo(f"{documents} documents, {len(gold)} statements, {closings} superseded, {asked} questions")
        click.echo(f"precision {right}/{every} = {right / every:.3f}")
        for name, wordings in (
            ("all", ("open", "held", "table")),
            ("open", ("open", "table")),
            ("held out", ("held",)),
        ):
            found = measure.scores(judgement, wordings)
            click.echo(
                f"{name}: recall {found['extracted']}/{found['gold']} = {found['recall']}, validity {found['validity']}"
            )
        click.echo(
            f"superseded closed by the right one: {closed} of {both} with both ends extracted, {closings} in all"
        )
        click.echo(f"questions exact: {exact} of {possible} whose facts were extracted, {asked} in all")
        if show:
            _show(judgement, ("open", "table") if show == "open" else ("held", "open", "table"))


def _show(judgement: measure.Judged, wordings: tuple[str, ...]) -> None:
    for pair in judgement.of(wordings):
        told = " ".join(str(pair.gold[name]) for name in ("subject", "predicate", "object", "value"))
        if pair.fact is None:
            click.echo(f"MISSED {told} | {pair.gold['text']} | {pair.gold['uri']}")
        elif not measure.validity_is_right(pair):
            event = pair.fact.event
            click.echo(
                f"WRONG TIME {told} {pair.gold['valid_at']}..{pair.gold['invalid_at']}, got {event.valid_at}.."
                f"{event.invalid_at} | {pair.gold['text']} | {pair.gold['uri']}"
            )
    for fact in judgement.stray:
        named = fact.object.name if fact.object else ""
        click.echo(
            f"STRAY {fact.subject.name} {fact.predicate} {named} {fact.value} | {fact.event.quote} | {fact.event.uri}"
        )


@main.command()
@click.option("--show", is_flag=True, help="List what was missed, wrong or stray.")
def fresh(show: bool = False) -> None:
    """Read sentences that were written after the rules."""
    for name, sentences in read_sentences().items():
        stated, right, found, stray, lines = measured(sentences)
        click.echo(f"{name}: {found} of {stated} found, {right} with the right first day; {stray} strays")
        if show:
            click.echo("\n".join(lines))


@main.command()
@click.option("--triplets", default=100_000, show_default=True)
def speed(triplets: int = 100_000) -> None:
    """Time as-of questions about one entity in a large graph."""
    with tempfile.TemporaryDirectory() as folder:
        median, slowest, worked = measure.as_of_seconds(Path(folder), triplets)
    click.echo(
        f"as-of over {triplets:,} triplets: median {median * 1000:.1f} ms, slowest {slowest * 1000:.1f} ms, "
        f"{worked * 1000:.1f} ms of processor time each"
    )


@main.command()
@click.argument("graph", type=click.Path(path_type=Path, exists=True))
@click.option("--count", default=50, show_default=True)
@click.option("--seed", default=1, show_default=True)
def sample(graph: Path, count: int, seed: int) -> None:
    """Print facts of a graph drawn by chance, with their quotes, to be judged by a person."""
    with TemporalGraph.open(graph) as opened:
        facts = opened.facts()
    for fact in Random(seed).sample(facts, min(count, len(facts))):
        named = fact.object.name if fact.object else ""
        click.echo(
            json.dumps(
                {
                    "fact": f"{fact.subject.name} {fact.predicate} {named} {fact.value} {fact.unit}".strip(),
                    "type": f"{fact.event.statement_type} {fact.event.temporal_type}",
                    "time": f"{fact.event.valid_at}..{fact.event.invalid_at}",
                    "uri": fact.event.uri,
                    "quote": fact.event.quote,
                },
                ensure_ascii=False,
            )
        )


if __name__ == "__main__":
    main()
