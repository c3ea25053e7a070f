"""An entity with what is linked to it, drawn over time: one HTML page that needs nothing from elsewhere."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from datetime import date
from typing import Any

from markupsafe import Markup

from ..retrievers.kg.records import Entity, KnownFact, Neighbourhood
from .page import asset, environment, policy_of

RADIUS = 250.0
"""Distance of the first ring from the centre, in units of the drawing."""
_PLACES_PER_RING = 24


def render_neighbourhood(found: Neighbourhood) -> str:
    """Return the page: a drawing whose day can be moved, and the facts of that day with their quotes."""
    nodes, edges = drawn(found)
    data = {"nodes": nodes, "edges": edges, "days": _days(found.facts)}
    style, script = asset("report.css") + asset("neighbourhood.css"), asset("neighbourhood.js")
    # No character of it can end the element that holds it.
    quoted = json.dumps(data, ensure_ascii=True).replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
    return environment().get_template("neighbourhood.html").render(
        centre=found.centre,
        facts=len(found.facts),
        entities=len(found.entities),
        data=Markup(quoted),  # noqa: S704 (escaped above)
        style=Markup(style),  # noqa: S704 (our own file)
        script=Markup(script),  # noqa: S704 (our own file)
        policy=policy_of(style, script),
    )  # fmt: skip


def drawn(found: Neighbourhood) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return nodes with their places and edges with their times; the same neighbourhood gives the same drawing.

    A fact without an object points to a node of its predicate, which shows the value of the day.
    """
    values = {
        fact.fact_id: f"value:{fact.subject.entity_id}:{fact.predicate}" for fact in found.facts if not fact.object
    }
    steps = _steps(found)
    nodes = [_node(entity, *place) for entity, place in zip(found.entities, _places(found, steps), strict=True)]
    places = {node["id"]: (node["x"], node["y"]) for node in nodes}
    of_value: dict[str, KnownFact] = {}
    for fact in found.facts:
        if fact.fact_id in values:
            of_value.setdefault(values[fact.fact_id], fact)
    for number, (name, fact) in enumerate(of_value.items()):
        x, y = places[fact.subject.entity_id]
        angle = math.pi / 2 + (number - (len(of_value) - 1) / 2) * 0.5
        label = fact.predicate.removeprefix("HAS_").replace("_", " ").lower()
        nodes.append({"id": name, "name": label, "kind": "value", "aliases": [], "x": _round(x + 120 * math.cos(angle)),
                      "y": _round(y + 120 * math.sin(angle))})  # fmt: skip
    edges = [
        {
            "id": fact.fact_id,
            "source": fact.subject.entity_id,
            "target": fact.object.entity_id if fact.object else values[fact.fact_id],
            "predicate": fact.predicate,
            "value": f"{fact.value} {fact.unit}".strip(),
            "from": _iso(fact.event.valid_at),
            "to": _iso(fact.event.invalid_at),
            "temporal": fact.event.temporal_type,
            "type": fact.event.statement_type,
            "quote": fact.event.quote,
            "uri": fact.event.uri,
            "stated": _iso(fact.event.stated_at),
            "closed": bool(fact.event.invalidated_by),
        }
        for fact in found.facts
    ]
    return nodes, edges


def _node(entity: Entity, x: float, y: float) -> dict[str, Any]:
    return {"id": entity.entity_id, "name": entity.name, "kind": entity.kind, "aliases": list(entity.aliases),
            "x": _round(x), "y": _round(y)}  # fmt: skip


def _steps(found: Neighbourhood) -> dict[str, int]:
    """Return how many steps each entity is from the centre."""
    steps = {found.centre.entity_id: 0}
    edge = [found.centre.entity_id]
    while edge:
        reached = []
        for fact in found.facts:
            if fact.object is None:
                continue
            for one, other in ((fact.subject, fact.object), (fact.object, fact.subject)):
                if one.entity_id in edge and other.entity_id not in steps:
                    steps[other.entity_id] = steps[one.entity_id] + 1
                    reached.append(other.entity_id)
        edge = reached
    return steps


def _places(found: Neighbourhood, steps: dict[str, int]) -> list[tuple[float, float]]:
    """Return a place for each entity: the centre in the middle, others on rings, one predicate's side by side."""
    first: dict[str, str] = {}
    for fact in found.facts:
        for entity in filter(None, (fact.subject, fact.object)):
            first.setdefault(entity.entity_id, fact.predicate)
    order = sorted(
        (entity for entity in found.entities if steps.get(entity.entity_id, 1) > 0),
        key=lambda each: (steps.get(each.entity_id, 9), first.get(each.entity_id, ""), each.name, each.entity_id),
    )
    places: dict[str, tuple[float, float]] = {found.centre.entity_id: (0.0, 0.0)}
    ring, at = 1, 0
    while at < len(order):
        here = order[at : at + _PLACES_PER_RING * ring]
        for number, entity in enumerate(here):
            # The lower middle of the first ring is left to values.
            angle = -math.pi * 1.25 + (number + 0.5) * math.pi * 1.5 / len(here)
            reach = RADIUS * ring * (1.0 if number % 2 == 0 or len(here) < 8 else 0.78)
            places[entity.entity_id] = (reach * math.cos(angle) * 1.25, reach * math.sin(angle))
        ring, at = ring + 1, at + len(here)
    return [places[entity.entity_id] for entity in found.entities]


def _days(facts: Sequence[KnownFact]) -> list[str]:
    """Return the days on which something began or ended, in order."""
    days = {day for fact in facts for day in (fact.event.valid_at, fact.event.invalid_at) if day}
    return [day.isoformat() for day in sorted(days)]


def _iso(day: date | None) -> str:
    return day.isoformat() if day else ""


def _round(number: float) -> float:
    return round(number, 1) + 0.0
