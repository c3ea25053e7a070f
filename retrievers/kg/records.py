"""The values of the temporal graph: entities, events with their validity, triplets, and what a document states."""

from __future__ import annotations

from datetime import date, datetime
from typing import Literal, get_args

from pydantic import Field

from ...state.records import Record, Source

EntityKind = Literal["org", "person", "place", "product", "thing"]
StatementType = Literal["FACT", "OPINION", "PREDICTION"]
TemporalType = Literal["ATEMPORAL", "STATIC", "DYNAMIC"]
Predicate = Literal[
    "IS_A",
    "HAS_A",
    "LOCATED_IN",
    "HOLDS_ROLE",
    "PRODUCES",
    "SELLS",
    "LAUNCHED",
    "DEVELOPED",
    "ADOPTED_BY",
    "INVESTS_IN",
    "COLLABORATES_WITH",
    "SUPPLIES",
    "HAS_REVENUE",
    "INCREASED",
    "DECREASED",
    "RESULTED_IN",
    "TARGETS",
    "PART_OF",
    "DISCONTINUED",
    "SECURED",
]
PREDICATES: tuple[Predicate, ...] = get_args(Predicate)


class Entity(Record):
    """Someone or something that statements are about, all its merged names under one id."""

    entity_id: str
    name: str = Field(description="The name it is shown under.")
    kind: EntityKind
    aliases: tuple[str, ...] = Field(default=(), description="Its other names, sorted.")


class Event(Record):
    """One statement of a source and the time in which it holds.

    `STATIC` is what happened in, or was measured over, a time that has an end: it lies in [valid_at, invalid_at) and
    stays true.  `DYNAMIC` is a state: it holds from `valid_at` until `invalid_at`, or until further notice.
    `ATEMPORAL` holds always.
    """

    event_id: str
    statement: str = Field(description="The statement, readable by itself.")
    chunk_id: str
    uri: str
    quote: str = Field(description="The words of the chunk that carry it, exactly as they stand.")
    start: int = Field(ge=0, description="First character of the quote, counted in the chunk's text.")
    end: int = Field(description="One past its last character.")
    statement_type: StatementType = "FACT"
    temporal_type: TemporalType = "DYNAMIC"
    valid_at: date | None = Field(default=None, description="First day on which it holds; None where not known.")
    invalid_at: date | None = Field(
        default=None, description="First day on which it holds no more; None while it does."
    )
    created_at: datetime = Field(description="When the graph took it in.")
    expired_at: datetime | None = Field(
        default=None, description="When its source changed or left; None while it stands."
    )
    invalidated_by: str = Field(default="", description="Id of the event that closed it; empty where none did.")
    stated_at: date | None = Field(default=None, description="The date of the document that states it.")


class Mention(Record):
    """A name as a source writes it, and what it names."""

    name: str = Field(min_length=1)
    kind: EntityKind
    aliases: tuple[str, ...] = Field(default=(), description="Other names that the source says are the same.")


class Triplet(Record):
    """Subject, predicate, and an object or a value, or both.

    A role has the person as subject, the organisation as object and the role as value; an acquired company is PART_OF
    its buyer; a supplier SUPPLIES its customer with the value; a measure has its name as object.
    """

    subject: Mention
    predicate: Predicate
    object: Mention | None = None
    value: str = Field(default="", description="A number without unit, or words: a role, a good, the kind of place.")
    unit: str = Field(default="", description="ISO 4217 code, `%`, or a unit word.")
    exclusive: bool = Field(
        default=False,
        description="Whether one holder excludes others: of a role or supply the subject, else the object or value.",
    )


class Statement(Record):
    """What a document states, before the graph gives it an id and closes what it supersedes."""

    statement: str
    chunk_id: str
    quote: str
    start: int = Field(ge=0)
    end: int
    triplets: tuple[Triplet, ...] = Field(min_length=1)
    statement_type: StatementType = "FACT"
    temporal_type: TemporalType = "DYNAMIC"
    valid_at: date | None = None
    invalid_at: date | None = Field(default=None, description="As the source states it.")


class KnownFact(Record):
    """A triplet with the event that states it and the names of what it is about."""

    fact_id: str = Field(description="The event's id and the triplet's place in it.")
    subject: Entity
    predicate: Predicate
    object: Entity | None = None
    value: str = ""
    unit: str = ""
    event: Event

    @property
    def number(self) -> float | None:
        """The value as a number, None where it is none."""
        try:
            return float(self.value)
        except ValueError:
            return None


class Candidate(Record):
    """An entity that a name may mean."""

    entity: Entity
    score: float = Field(ge=0, le=1, description="1 for a name it bears, less for one that resembles it.")
    how: Literal["name", "alias", "case", "lead", "part", "similar"]
    facts: int = Field(default=0, ge=0, description="How many facts it has a part in.")


class Merge(Record):
    """Two names taken to be one entity, and why."""

    merge_id: int
    name: str = Field(description="The name that was merged.")
    into: str = Field(description="The name it was merged with.")
    kind: EntityKind
    reason: str = Field(description="The rule, or the similarity, that merged them.")
    score: float = Field(ge=0, le=1)
    created_at: datetime
    undone_at: datetime | None = Field(default=None, description="When it was taken back; it is not made again.")


class Neighbourhood(Record):
    """An entity with what is linked to it."""

    centre: Entity
    entities: tuple[Entity, ...] = Field(description="All that the facts name, the centre first.")
    facts: tuple[KnownFact, ...]


class GraphDocument(Record):
    """A document that the graph was told of."""

    source: Source
    content: str = Field(description="Hash of what was read; the same content is not read again.")
    engine: str = Field(description="What read it: `embedded` or `chat`, with the version of its rules.")
    dated: date | None = Field(default=None, description="The day it speaks from.")
    events: int = Field(default=0, ge=0, description="How many events it states.")
