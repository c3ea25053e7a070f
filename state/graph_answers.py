"""What a question to the temporal graph comes to: facts with their quotes and dates, and what changed between them."""

from __future__ import annotations

from datetime import date
from typing import Literal

from pydantic import Field

from .records import Record


class GraphFact(Record):
    """One fact as the graph holds it, with the words that carry it."""

    fact_id: str
    subject: str
    predicate: str
    object: str = ""
    value: str = Field(default="", description="A number without unit, or words.")
    unit: str = ""
    statement: str = Field(description="The statement, readable by itself.")
    quote: str = Field(description="The words of the source, exactly as they stand.")
    uri: str
    chunk_id: str
    stated_at: date | None = Field(default=None, description="The date of the document that states it.")
    statement_type: str = "FACT"
    temporal_type: str = "DYNAMIC"
    valid_at: date | None = Field(default=None, description="First day on which it holds; None where not known.")
    invalid_at: date | None = Field(default=None, description="First day on which it holds no more.")
    superseded_by: str = Field(default="", description="The statement that closed it; empty where none did.")

    def what(self) -> str:
        """Return what is stated of the subject, in a few words; of a role, who holds it."""
        if self.predicate == "HOLDS_ROLE":
            return f"{self.subject}, {self.value}" if self.value else self.subject
        value = f"{self.value} {self.unit}".strip()
        return f"{self.object} ({value})" if self.object and self.value and self.unit else self.object or value

    def when(self) -> str:
        """Return the time in which it holds, in words."""
        if self.temporal_type == "ATEMPORAL":
            return "at any time"
        if self.valid_at is None:
            return f"until {self.invalid_at}" if self.invalid_at else "at a time not stated"
        if self.temporal_type == "STATIC":
            return _span(self.valid_at, self.invalid_at)
        return f"{self.valid_at} to {self.invalid_at}" if self.invalid_at else f"since {self.valid_at}"


class GraphWindow(Record):
    """The days that were asked for, and those that the graph knows of."""

    start: date | None = None
    end: date | None = Field(default=None, description="Included.")
    known_from: date | None = Field(default=None, description="First day on which something known began.")
    known_to: date | None = Field(default=None, description="Last such day.")


STRANGER = "the graph knows no "
"""How the note of an answer begins where the graph has no such entity."""


class FactualAnswer(Record):
    """What is known of an entity."""

    kind: Literal["factual_qa"] = "factual_qa"
    entity: str
    predicate: str = ""
    window: GraphWindow
    facts: tuple[GraphFact, ...] = ()
    note: str = Field(default="", description="Why there is nothing, or what was left out.")

    @property
    def is_of_a_stranger(self) -> bool:
        """Whether the graph has no such entity, rather than no such fact of it."""
        return self.note.startswith(STRANGER)


class TrendPeriod(Record):
    """The facts that began within a stretch of time."""

    label: str = Field(description="`2021`, `2021-Q2` or `2021-05`; `undated` for those without a date.")
    fact_ids: tuple[str, ...]


class SeriesPoint(Record):
    """One value of a series and where it stands."""

    on: date = Field(description="First day of what it measures.")
    label: str
    value: float
    fact_id: str


class Series(Record):
    """The values of one measure of one subject in one unit, by date."""

    subject: str
    measure: str
    unit: str = ""
    points: tuple[SeriesPoint, ...] = Field(min_length=2)


class TrendAnswer(Record):
    """What changed, in order."""

    kind: Literal["trend_analysis"] = "trend_analysis"
    question: str
    companies: tuple[str, ...]
    topics: tuple[str, ...] = Field(default=(), description="What was kept to: predicates, or words.")
    window: GraphWindow
    periods: tuple[TrendPeriod, ...] = ()
    facts: tuple[GraphFact, ...] = ()
    series: tuple[Series, ...] = ()
    note: str = Field(default="", description="Why there is nothing, or what was left out.")

    @property
    def superseded(self) -> tuple[GraphFact, ...]:
        """Facts that a later statement closed."""
        return tuple(fact for fact in self.facts if fact.superseded_by)


def _span(start: date, end: date | None) -> str:
    """Return a closed stretch of time in the shortest exact words; its end is the first day beyond it."""
    if end is None:
        return str(start)
    if (start.day, end.day) == (1, 1):
        months = (end.year - start.year) * 12 + end.month - start.month
        if months == 12 and start.month == 1:
            return str(start.year)
        if months == 3 and start.month % 3 == 1:
            return f"{start.year}-Q{(start.month + 2) // 3}"
        if months == 1:
            return f"{start:%Y-%m}"
    last = date.fromordinal(end.toordinal() - 1)
    return str(start) if last <= start else f"{start} to {last}"
