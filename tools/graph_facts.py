"""What the two tools over the temporal graph share: days as people write them, and facts with their quotes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from ..errors import ToolError
from ..retrievers.kg.records import KnownFact
from ..retrievers.kg.store import TemporalGraph
from ..state.graph_answers import GraphFact, GraphWindow
from ..text.periods import find_periods

GraphFor = Callable[[], TemporalGraph]
"""Opens the graph of a deployment."""

MAX_FACTS = 80
NO_GRAPH = "the graph knows nothing yet: build it with `citewell kg build PATH`"
NO_FACTS = (
    "the graph was built over {count} and holds no statement that it understands; "
    "`citewell research` reads the texts themselves"
)


def nothing_held(graph: TemporalGraph) -> str:
    """Return why a graph without any fact knows nothing: it was not built, or nothing was found."""
    count = len(graph.documents())
    return NO_FACTS.format(count=f"{count} document{'s' * (count > 1)}") if count else NO_GRAPH


def _blank(value: Any) -> Any:
    """Models fill what they have no word for with blanks."""
    if isinstance(value, date):
        return value.isoformat()
    return None if isinstance(value, str) and value.strip().lower() in ("", "none", "null", "any") else value


Day = Annotated[str | None, BeforeValidator(_blank)]


def window_of(tool: str, graph: TemporalGraph, start: str | None, end: str | None) -> GraphWindow:
    """Return the days of a window, each given as `2021`, `2021-03`, `2021-03-05` or `March 2021`.

    Raises: ToolError where one is no date or the window is reversed.
    """
    first, last = _day(tool, "start_date", start, 0), _day(tool, "end_date", end, 1)
    if first and last and last < first:
        raise ToolError(tool, f"the window is reversed: start_date {first} lies after end_date {last}")
    known = graph.date_range() or (None, None)
    return GraphWindow(start=first, end=last, known_from=known[0], known_to=known[1])


def _day(tool: str, name: str, given: str | None, side: int) -> date | None:
    if given is None:
        return None
    periods = [period for period in find_periods(given) if period.kind != "month_day"]
    if len(periods) != 1 or len(periods[0].text) < len(given.strip()) - 4:
        raise ToolError(tool, f"{name}: expected a date such as 2021, 2021-03 or 2021-03-05, not {given[:40]!r}")
    return (periods[0].start, periods[0].end)[side]


def told(graph: TemporalGraph, facts: Sequence[KnownFact]) -> tuple[GraphFact, ...]:
    """Return facts of the graph as answers carry them."""
    closing: dict[str, str] = {}
    for fact in facts:
        by = fact.event.invalidated_by
        if by and by not in closing:
            event = graph.statement(by)
            closing[by] = event.statement if event else ""
    return tuple(
        GraphFact(
            fact_id=fact.fact_id,
            subject=fact.subject.name,
            predicate=fact.predicate,
            object=fact.object.name if fact.object else "",
            value=fact.value,
            unit=fact.unit,
            statement=fact.event.statement,
            quote=fact.event.quote,
            uri=fact.event.uri,
            chunk_id=fact.event.chunk_id,
            stated_at=fact.event.stated_at,
            statement_type=fact.event.statement_type,
            temporal_type=fact.event.temporal_type,
            valid_at=fact.event.valid_at,
            invalid_at=fact.event.invalid_at,
            superseded_by=closing.get(fact.event.invalidated_by, ""),
        )
        for fact in facts
    )


def asked_window(window: GraphWindow) -> str:
    """Return a window in words: ` between … and …`, or nothing where it is open."""
    if window.start and window.end:
        return f" between {window.start} and {window.end}"
    if window.start:
        return f" since {window.start}"
    return f" until {window.end}" if window.end else ""


StartDate = Annotated[
    Day, Field(description="First day of the window, e.g. 2019 or 2019-03-01; leave out for no bound.")
]
EndDate = Annotated[Day, Field(description="Last day of the window, included; leave out for no bound.")]
