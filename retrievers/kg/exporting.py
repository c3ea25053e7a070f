"""The whole graph for other programs: JSON with everything, GraphML for drawing programs."""

from __future__ import annotations

import json
from xml.etree import ElementTree

from .records import Entity, KnownFact
from .store import TemporalGraph

SCHEMA = "citewell.graph/1"
_NAMESPACE = "http://graphml.graphdrawing.org/xmlns"
_NODE = ("name", "kind", "aliases")
_EDGE = (
    "predicate", "value", "unit", "statement", "quote", "uri", "chunk_id", "event_id", "statement_type",
    "temporal_type", "valid_at", "invalid_at", "created_at", "expired_at", "invalidated_by", "stated_at",
)  # fmt: skip


def as_json(graph: TemporalGraph) -> str:
    """Return documents, entities, facts with their events (expired ones too) and merges as one JSON object."""
    facts = graph.facts(expired=True)
    entities = _entities(facts)
    told = {
        "schema": SCHEMA,
        "documents": [document.model_dump(mode="json") for document in graph.documents()],
        "entities": [entity.model_dump(mode="json") for entity in entities],
        "facts": [
            fact.model_dump(mode="json", exclude={"subject", "object"})
            | {"subject": fact.subject.entity_id, "object": fact.object.entity_id if fact.object else None}
            for fact in facts
        ],
        "merges": [merge.model_dump(mode="json") for merge in graph.merges(undone=True)],
    }
    return json.dumps(told, ensure_ascii=False, indent=2) + "\n"


def as_graphml(graph: TemporalGraph) -> str:
    """Return entities as nodes and standing facts as edges; a fact without object points to a node of its value."""
    facts = graph.facts()
    root = ElementTree.Element("graphml", xmlns=_NAMESPACE)
    for kind, names in (("node", _NODE), ("edge", _EDGE)):
        for name in names:
            attributes = {"id": f"{kind}_{name}", "for": kind, "attr.name": name, "attr.type": "string"}
            ElementTree.SubElement(root, "key", attributes)
    drawn = ElementTree.SubElement(root, "graph", id="citewell", edgedefault="directed")
    for entity in _entities(facts):
        node = ElementTree.SubElement(drawn, "node", id=entity.entity_id)
        _data(node, "node", {"name": entity.name, "kind": entity.kind, "aliases": "; ".join(entity.aliases)})
    for fact in facts:
        target = fact.object.entity_id if fact.object else f"value-{fact.fact_id}"
        if fact.object is None:
            node = ElementTree.SubElement(drawn, "node", id=target)
            _data(node, "node", {"name": f"{fact.value} {fact.unit}".strip(), "kind": "value"})
        edge = ElementTree.SubElement(drawn, "edge", id=fact.fact_id, source=fact.subject.entity_id, target=target)
        event = fact.event.model_dump(mode="json")
        _data(edge, "edge", {name: event.get(name, getattr(fact, name, "")) for name in _EDGE})
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def _entities(facts: list[KnownFact]) -> list[Entity]:
    every = {entity.entity_id: entity for fact in facts for entity in (fact.subject, fact.object) if entity}
    return sorted(every.values(), key=lambda entity: (entity.name, entity.entity_id))


def _data(parent: ElementTree.Element, kind: str, values: dict[str, object]) -> None:
    for name, value in values.items():
        if value not in (None, ""):
            ElementTree.SubElement(parent, "data", key=f"{kind}_{name}").text = str(value)
