"""Read what a document states with a chat model: statements, then dates and triplets, held to the document's words."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import cast, get_args

import regex

from ...errors import BudgetExhausted, MalformedReply, ProviderUnavailable
from ...retrievers.kg.names import form_of
from ...retrievers.kg.records import (
    PREDICATES,
    EntityKind,
    Mention,
    Predicate,
    Statement,
    StatementType,
    TemporalType,
    Triplet,
)
from ...state.records import Hit, Quote
from ...text.numbers import find_numbers
from ...text.numerals import trimmed
from ..chat.asking import Asker
from ..chat.grounding import Shown, quotes_in, without_orders
from ..prompts import kg_statements, kg_triplets
from ..prompts.evidence import batches
from ..protocol import Passage
from . import embedded
from .building import Reading
from .dating import FiscalYears, Time, fiscal_years, read_day, times_in
from .embedded import ReadDocument
from .names import DocumentNames
from .people import roles_of

VERSION = "1"
_MOST_BATCHES = 10_000
_TRIPLETS_AT_ONCE = 20
_ONE_HOLDER: frozenset[Predicate] = frozenset(["HOLDS_ROLE", "PART_OF"])
_TYPES = {"FACT", "OPINION", "PREDICTION"}
_TEMPORAL = {"STATIC", "DYNAMIC", "ATEMPORAL"}


@dataclass
class ChatReader:
    """Asks a chat model in batches; what it says counts only as far as the document's words carry it.

    A quote that stands in no passage, a name, number or date that the document does not have, and a predicate that is
    none are refused.  A document whose replies cannot be read, or for which the budget has no room, is read by rules,
    and read again by the model with the next build.

    Attributes:
        notes: What was refused or done another way, in words.
    """

    asker: Asker
    engine: str
    notes: list[str] = field(default_factory=list)
    _refused: int = 0

    async def read(self, document: ReadDocument) -> Reading:
        """Return the statements of a document.

        Raises: ProviderError where the provider refuses, ProviderUnavailable where it never answered.
        """
        try:
            return Reading(await self._asked(document), self.engine)
        except (MalformedReply, BudgetExhausted) as error:
            reason = error.problem if isinstance(error, MalformedReply) else str(error)
        except ProviderUnavailable as error:
            if not self.asker.has_worked:
                raise
            reason = str(error)
        self.notes.append(f"{document.source.uri}: {reason}; read by rules")
        statements = await asyncio.to_thread(embedded.statements_of, document)
        return Reading(statements, f"embedded-{embedded.VERSION}")

    async def _asked(self, document: ReadDocument) -> list[Statement]:
        held = await asyncio.to_thread(_Document.of, document)
        parts, _ = batches(held.passages, self.asker.run.settings.evidence_chars, _MOST_BATCHES)
        found = await asyncio.gather(*(self._batch(held, part.passages) for part in parts))
        every = [statement for batch in found for statement in batch]
        if held.refused:
            self.notes.append(f"{document.source.uri}: {held.refused} statements refused: its words do not carry them")
        # Neighbouring passages share words: the same quote gives the same statement twice.
        return list({(s.quote, s.triplets[0].model_dump_json()): s for s in every}.values())

    async def _batch(self, held: _Document, passages: Sequence[Passage]) -> list[Statement]:
        reply = await self.asker.ask(
            "kg_statements",
            lambda chars: kg_statements.render(passages, speaker=held.names.main, dated=held.dated),
            kg_statements.StatementsReply,
            chars=sum(len(passage.chunk.text) for passage in passages),
            max_tokens=3_000,
        )
        grounded = held.grounded(reply.statements, Shown(tuple(passages)))
        made: list[Statement] = []
        for at in range(0, len(grounded), _TRIPLETS_AT_ONCE):
            part = grounded[at : at + _TRIPLETS_AT_ONCE]
            told = [(item.statement, quote.text) for item, quote in part]
            answer = await self.asker.ask(
                "kg_triplets",
                lambda chars, told=told: kg_triplets.render(told, speaker=held.names.main, dated=held.dated),  # type: ignore[misc]
                kg_triplets.TripletsReply,
                max_tokens=3_000,
            )
            made += [statement for item in answer.triplets if (statement := held.statement(item, part)) is not None]
        return made


@dataclass
class _Document:
    """A document with what the model's words are held to."""

    passages: list[Passage]
    names: DocumentNames
    spoken: date | None
    fiscal: FiscalYears
    folded: str
    refused: int = 0

    @classmethod
    def of(cls, document: ReadDocument) -> _Document:
        passages = [
            without_orders(Passage(chunk, document.source, Hit(chunk_id=chunk.chunk_id, score=0.0, rank=1)))
            for chunk in document.chunks
        ]
        return cls(
            passages,
            DocumentNames.of(document.text, document.source.title),
            document.date,
            fiscal_years(document.text),
            " ".join(document.text.casefold().split()),
        )

    @property
    def dated(self) -> str:
        return self.spoken.isoformat() if self.spoken else ""

    def grounded(
        self, items: Sequence[kg_statements.StatementItem], shown: Shown
    ) -> list[tuple[kg_statements.StatementItem, Quote]]:
        """Return the statements whose quote stands in a passage that was shown, in one piece."""
        kept = []
        for item in items:
            passage = shown.find(item.passage)
            holders = [passage] if passage else []
            holders += [other for other in shown.passages if other is not passage]
            quotes = next((found for other in holders if (found := quotes_in(other, item.quote))), ())
            if len(quotes) == 1 and item.quote.strip():
                kept.append((item, quotes[0]))
            else:
                self.refused += 1
        return kept

    def statement(
        self, item: kg_triplets.TripletItem, told: Sequence[tuple[kg_statements.StatementItem, Quote]]
    ) -> Statement | None:
        """Return a statement with its triplet; None where the document's words do not carry it."""
        number = regex.search(r"\d+", item.statement)
        if number is None or not 1 <= int(number.group()) <= len(told):
            self.refused += 1
            return None
        said, quote = told[int(number.group()) - 1]
        triplet = self._triplet(item, quote.text)
        if triplet is None:
            self.refused += 1
            return None
        temporal = said.temporal_type.strip().upper()
        kind = said.statement_type.strip().upper()
        sure_kind = cast(StatementType, kind if kind in _TYPES else "OPINION")
        sure_temporal = cast(TemporalType, temporal if temporal in _TEMPORAL else "DYNAMIC")
        begin, finish = self._validity(item, quote, sure_temporal)
        return Statement(
            statement=" ".join(said.statement.split()),
            chunk_id=quote.chunk_id,
            quote=quote.text,
            start=quote.start,
            end=quote.end,
            triplets=(triplet,),
            statement_type=sure_kind,
            temporal_type=sure_temporal,
            valid_at=begin,
            invalid_at=finish,
        )

    def _triplet(self, item: kg_triplets.TripletItem, quote: str) -> Triplet | None:
        name = "_".join(item.predicate.strip().upper().replace("_", " ").split())
        if name not in PREDICATES:
            return None
        predicate: Predicate = name
        subject, target = self._mention(item.subject, item.subject_kind), self._mention(item.object, item.object_kind)
        value = " ".join(item.value.split())
        if subject is None or (item.object.strip() and target is None) or not (target or value):
            return None
        if regex.search(r"\d", value):
            figures = self._figures(value, quote)
            if figures is None:
                return None
            value = figures
        elif predicate == "HOLDS_ROLE":
            roles = roles_of(value)
            value = roles[0] if roles else value
        exclusive = predicate in _ONE_HOLDER or (predicate == "HAS_A" and value.replace(".", "").isdigit())
        exclusive = exclusive or (predicate == "LOCATED_IN" and "headquarter" in value.casefold())
        if predicate == "LOCATED_IN" and regex.search(r"headquarter|head office|registered office", value.casefold()):
            value, exclusive = "headquarters", True
        return Triplet(
            subject=subject,
            predicate=predicate,
            object=target,
            value=value,
            unit=item.unit.strip()[:20],
            exclusive=exclusive,
        )

    def _mention(self, name: str, kind: str) -> Mention | None:
        """Return a name that the document has, or that its own organisation goes by."""
        said = " ".join(name.split()).strip(" .,;")
        if not said:
            return None
        sure = cast(EntityKind, kind.strip().casefold() if kind.strip().casefold() in get_args(EntityKind) else "thing")
        if sure == "org" and (full := self.names.org(said)):
            said = full
        # A name of the document, or its form without what a legal name ends in.
        if said.casefold() not in self.folded and form_of(said, sure).key not in self.folded:
            return None
        return self.names.mention(said, sure)

    def _figures(self, value: str, quote: str) -> str | None:
        """Return a number in plain figures where the quote has it."""
        wanted = find_numbers(value)
        if len(wanted) != 1:
            return value if value.casefold() in quote.casefold() else None
        for number in find_numbers(quote):
            if number.value == wanted[0].value:
                return trimmed(number.value)
        return None

    def _validity(
        self, item: kg_triplets.TripletItem, quote: Quote, temporal: TemporalType
    ) -> tuple[date | None, date | None]:
        """Return the time of a statement as far as the words around its quote name it, else the document's day."""
        if temporal == "ATEMPORAL":
            return None, None
        known = self._times(quote)
        first, last = read_day(item.valid_at), read_day(item.invalid_at, last=True)
        begin = next((time for time in known if first and time.start <= first <= time.end), None)
        ends = [time for time in known if last and time.start <= last <= time.end]
        start = begin.start if begin else first if first and first == self.spoken else None
        finish: date | None = None
        if temporal == "STATIC" and begin is not None:
            finish = (ends[-1] if ends else begin).after
        elif temporal == "STATIC" and start is not None:
            finish = start + timedelta(days=1)
        elif ends and (begin is None or ends[-1] is not begin):
            finish = ends[-1].after
        if start is None and finish is None and temporal == "DYNAMIC" and not known:
            start = self.spoken  # a state told without a time is that of the document's day
        return start, finish

    def _times(self, quote: Quote) -> list[Time]:
        passage = next(passage for passage in self.passages if passage.chunk.chunk_id == quote.chunk_id)
        begin = max(0, passage.chunk.text.rfind("\n", 0, quote.start))
        around = passage.chunk.text[max(begin, quote.start - 300) : quote.end + 100]
        return times_in(" ".join(around.split()), self.spoken, self.fiscal)
