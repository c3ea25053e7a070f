"""What the exports answer for a plan question: a figure looked up, or one computed, with the rows it rests on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...state.harness import Harness
from ...state.records import PlanQuestion, Quote
from ...text.periods import Period
from ..embedded.asked.amounts import amount_asked
from ..embedded.asked.question import read_question
from ..embedded.found.measured import has_measure
from ..protocol import Passage
from ..tables.answers import compute
from ..tables.asking import Ask, is_inside, read_ask
from ..tables.catalog import Catalog
from ..tables.computed import Computed
from ..tables.counting import refers_back
from ..tables.extremes import unranked_sources
from ..tables.lookups import Lookup, look_up
from ..tables.wording import Spelling
from .lines import line_of


@dataclass(frozen=True)
class Tabled:
    """What the exports answer for one plan question, each with the quotes of the retrieved rows it rests on."""

    question_id: str
    lookup: tuple[Lookup, Quote] | None
    computed: tuple[tuple[Computed, tuple[Quote, ...]], ...]
    for_all: bool = False
    """Whether what was computed answers every part of the question, not only this one."""
    missing: tuple[Period, ...] = ()
    """Periods that the question names beside the one whose figure was looked up."""
    unranked: tuple[str, ...] = ()
    """Files whose rows would have to be ranked to answer, where that is not clear."""

    @property
    def settles(self) -> bool:
        """Whether nothing stays open of the question."""
        return bool(self.computed or (self.lookup and not self.missing))


def tabled(
    part: PlanQuestion,
    catalog: Catalog,
    passages: Sequence[Passage],
    harness: Harness,
    whole: str = "",
    others: Sequence[PlanQuestion] = (),
) -> Tabled:
    """Return what the exports answer; a computation whose rows were not all retrieved is left out.

    Args:
        whole: The question that the part was cut from, where it is the first part.
        others: The further parts of that question.
    """
    question = amount_asked(read_question(part.text))
    ask = read_ask(question.text)
    computed_for = read_ask(whole) if whole else ask
    for_all = bool(whole) and all(_covers(computed_for, read_ask(other.text)) for other in others)
    computed = []
    spelling = Spelling.of(
        part.text, whole, *(each.chunk.text for each in passages if each.source.tier != "structured")
    )
    answers = compute(computed_for, catalog, harness.words("superseded"), spelling)
    if whole and others and refers_back(whole) and answers:
        for_all = True
    elif whole and others:
        # Of the measures of several parts together the wrong one may fit best, where each part has its own.
        own = compute(ask, catalog, harness.words("superseded"), spelling)
        if not answers or any(each.is_whole for each in (*own, *answers)):
            computed_for, for_all, answers = ask, False, own
    for answer in answers:
        quotes = [line_of(row, passages) for row in answer.rows]
        if all(quotes):
            computed.append((answer, tuple(quote for quote in quotes if quote)))
    lookup = None if ask.operations else look_up(ask, catalog, harness.words("superseded"), spelling)
    # Beside what was worked out the bare figure of a row says less, but for one that has replaced another.
    if lookup and lookup.superseded is None and any(each.is_whole for each, _ in computed):
        lookup = None
    if lookup and not has_measure(question, lookup.row):
        lookup = None
    quote = line_of(lookup.row, passages) if lookup else None
    unranked = () if answers else unranked_sources(ask, catalog)
    missing = tuple(period for period in ask.periods if lookup and lookup.when and not is_inside(lookup.when, period))
    found = (lookup, quote) if lookup and quote else None
    return Tabled(part.question_id, found, tuple(computed), for_all, missing, unranked)


def _covers(whole: Ask, part: Ask) -> bool:
    return bool(part.operations) and set(part.operations) <= set(whole.operations)
