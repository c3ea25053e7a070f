"""`citewell kg show`: what the temporal graph knows, of an entity or in all."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..errors import UsageError
from .kg_options import existing_graph, graph_option, window_options
from .output import note, print_json, table, visible

if TYPE_CHECKING:
    from ..retrievers.kg.records import KnownFact
    from ..retrievers.kg.store import TemporalGraph

_SHOWN = 20


@click.command(short_help="Show what the graph knows.")
@click.argument("entity", required=False)
@graph_option
@window_options
@click.option("--expired", is_flag=True, help="Also what documents said before they changed or left.")
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
def show(
    entity: str | None, graph: Path | None, start: date | None, end: date | None, as_of: date | None,
    predicate: str | None, expired: bool, as_json: bool,
) -> None:  # fmt: skip
    """Show the facts of ENTITY in the order of time, each with its words; without ENTITY, what the graph holds."""
    from ..retrievers.kg.store import TemporalGraph

    with TemporalGraph.open(existing_graph(graph)) as opened:
        if entity is None and not (start or end or as_of or predicate):
            _overview(opened, as_json=as_json)
            return
        facts = opened.facts(entity, start, end, predicate, as_of, expired=expired)
        if entity is not None and not facts and not opened.facts(entity, limit=1):
            raise UsageError(_unknown(opened, entity))
    if as_json:
        print_json(facts)
    elif facts:
        click.echo(visible("\n".join(line for fact in facts for line in _lines(fact))))
    else:
        note("nothing known in this window")


def _overview(graph: TemporalGraph, *, as_json: bool) -> None:
    documents, entities, span = graph.documents(), graph.entities(), graph.date_range()
    facts = len(graph.facts())
    if as_json:
        print_json(
            {
                "documents": len(documents),
                "facts": facts,
                "date_range": [day.isoformat() for day in span] if span else None,
                "entities": [entity.model_dump(mode="json") | {"facts": count} for entity, count in entities],
            }
        )
        return
    dates = f", from {span[0]} to {span[1]}" if span else ""
    click.echo(f"{len(documents)} documents, {facts} facts about {len(entities)} entities{dates}")
    shown = entities[:_SHOWN]
    if shown:
        click.echo(table([entity.name, entity.kind, f"{count} facts", entity.entity_id] for entity, count in shown))
    if len(entities) > _SHOWN:
        note(f"{len(entities) - _SHOWN} more: --json lists them all")


def _lines(fact: KnownFact) -> list[str]:
    event = fact.event
    began = event.valid_at.isoformat() if event.valid_at else "?"
    until = event.invalid_at.isoformat() if event.invalid_at else ""
    when = (
        "always"
        if event.temporal_type == "ATEMPORAL"
        else f"{began} – {until}".rstrip(" –")
        if began != "?" or until
        else "undated"
    )
    told = " ".join(
        filter(
            None, (fact.subject.name, fact.predicate, fact.object.name if fact.object else "", fact.value, fact.unit)
        )
    )
    marks = [
        mark
        for mark in (
            event.statement_type.lower() if event.statement_type != "FACT" else "",
            "expired" if event.expired_at else "",
        )
        if mark
    ]
    closed = f"  (closed by {event.invalidated_by})" if event.invalidated_by else ""
    quote = " ".join(event.quote.split())
    return [
        f"{when}  {told}" + (f"  [{', '.join(marks)}]" if marks else "") + closed,
        f"    “{quote}”  {event.uri}, {event.event_id}",
    ]


def _unknown(graph: TemporalGraph, entity: str) -> str:
    near = ", ".join(candidate.entity.name for candidate in graph.resolve(entity))
    return f"nothing is known of {entity!r}" + (f"; did you mean {near}?" if near else "")
