"""Steps through the temporal graph by rules: what the question names becomes calls, and a dead end becomes another."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from ....retrievers.kg.records import Entity
from ....state.graph_answers import FactualAnswer
from ....state.multistep import PlannedCall
from ...dialogue import OnText, ToolCall
from ...multistep import GraphMove, GraphPlan, GraphTask, answers_in
from .graph_questions import Window, asks_for_change, names_asked, predicates_asked, window_asked

FACTUAL, TREND = "factual_qa", "trend_analysis"
MAX_PLANNED = 8
# Over these an asker reaches one organisation from another: `the owner of`, `the supplier of`.
_LINKS = ("PART_OF", "SUPPLIES", "COLLABORATES_WITH", "INVESTS_IN", "PRODUCES", "ADOPTED_BY")


class RuleSteps:
    """Rules in place of a model: the same question and graph give the same calls."""

    name = "embedded"

    async def plan(self, task: GraphTask) -> GraphPlan:
        """Return one call for a question about change, else one for each entity and predicate that it names."""
        return GraphPlan(tuple(_planned(task))[:MAX_PLANNED])

    async def move(self, task: GraphTask, on_text: OnText) -> GraphMove:
        """Return the next call of the plan, then what the results suggest beyond it, then an end."""
        made = {_key(use.tool, use.arguments) for use in task.uses}
        for planned, steps in ((True, task.plan), (False, tuple(_beyond(task)))):
            for step in steps:
                if _key(step.tool, step.arguments) not in made and task.has_tool(step.tool):
                    arguments = json.dumps(step.arguments, ensure_ascii=False)
                    call = ToolCall(call_id=f"call_{len(task.uses) + 1}", name=step.tool, arguments=arguments)
                    return GraphMove(call, planned=planned)
        return GraphMove()


def _planned(task: GraphTask) -> Iterator[PlannedCall]:
    question = task.question
    named = list(task.entities_in(question))
    asked = predicates_asked(question)
    days = _days(window_asked(question, task.today))
    strangers = _strangers(question, named)
    for name in strangers:
        yield PlannedCall(tool=FACTUAL, arguments={"entity": name} | days, why=f"the question names {name}")
    if strangers and not named:
        return
    if asks_for_change(question) or not named:
        companies = [each for each in named if each.kind == "org"] or named
        given: dict[str, Any] = {"question": question, "companies": [_called(each, named) for each in companies]}
        why = "the question asks how something changed" if named else "the question names nobody the graph knows"
        yield PlannedCall(tool=TREND, arguments=given | days, why=why)
        return
    for entity in named:
        for predicate in asked or (None,):
            given = {"entity": _called(entity, named)} | days
            if predicate is not None:
                given["predicate"] = predicate
            why = f"what is known of {entity.name}" + (f" by {predicate}" if predicate else "")
            yield PlannedCall(tool=FACTUAL, arguments=given, why=why)


def _strangers(question: str, named: list[Entity]) -> list[str]:
    """Return names in a question that are those of no entity of the graph: of them nothing is known."""
    known = " ".join(form for entity in named for form in (entity.name, *entity.aliases)).casefold()
    return [
        name
        for name in names_asked(question)
        if name.casefold() not in known and not any(each.name.casefold() in name.casefold() for each in named)
    ]


def _called(entity: Entity, named: list[Entity]) -> str:
    """Return how a call names an entity: by id where two that the question names share a name."""
    shared = [each for each in named if each.name.casefold() == entity.name.casefold()]
    return entity.entity_id if len(shared) > 1 else entity.name


def _days(window: Window) -> dict[str, str]:
    days = {"start_date": window.start, "end_date": window.end}
    return {name: day.isoformat() for name, day in days.items() if day is not None}


def _beyond(task: GraphTask) -> Iterator[PlannedCall]:
    """Yield calls on what a named entity is linked to, for a predicate that it has nothing for itself."""
    answers = [answer for answer in answers_in(task.uses) if isinstance(answer, FactualAnswer)]
    named = {answer.entity.casefold() for answer in answers}
    empty = [answer for answer in answers if not answer.facts and answer.predicate]
    for answer in empty:
        for fact in (fact for other in answers for fact in other.facts if fact.predicate in _LINKS):
            if fact.predicate == answer.predicate:
                continue
            for reached in (fact.object, fact.subject):
                if reached and reached.casefold() not in named:
                    given: dict[str, Any] = {"entity": reached, "predicate": answer.predicate}
                    given |= _days(Window(answer.window.start, answer.window.end))
                    yield PlannedCall(tool=FACTUAL, arguments=given, why=f"{reached} is linked to {answer.entity}")


def _key(tool: str, arguments: Mapping[str, Any] | str) -> str:
    if isinstance(arguments, str):
        return f"{tool} {arguments}"
    given = {name: value for name, value in arguments.items() if value not in (None, "", [])}
    return f"{tool} {json.dumps(given, sort_keys=True, ensure_ascii=False)}"
