"""Figures of statements for a plan question: where to look, what follows, which inputs are still missing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

import regex

from ...text.words import analyse
from ..protocol import Passage
from ..tables.absences import absence_of, absences_of
from ..tables.figures import FigureAsk, Inference, compute_figures, missing_items, read_figure_ask
from ..tables.listings import compute_listing, read_list_ask
from ..tables.measures import definitions
from ..tables.ranks import compute_ranks, read_rank_ask, titles_for
from ..tables.statements import Statements, statements_of
from .candidates import passage_terms
from .cover import lacks_debt, registered_securities
from .question import Question
from .weights import named_sources_of

_MOST_QUERIES = 5


@lru_cache(maxsize=1_024)
def _ask(question: Question) -> FigureAsk:
    return read_figure_ask(question.text, subjects_of(question))


def subjects_of(question: Question) -> tuple[str, ...]:
    """Return the names of a question that are no financial item or measure (`PPNE`, `SG&A`)."""
    known = definitions()
    names = [part for name in question.names for part in regex.split(r"['’]s?\s+|['’]s?$", name) if part]
    return tuple(
        name
        for name in dict.fromkeys(names)
        if not known.items_in(name) and not known.measures_in(name) and not known.statements_in(name)
    )


def figure_queries(question: Question) -> Iterator[str]:
    """Yield searches for the statements and places that a question needs, led by whom and what years it is about."""
    if question.language != "en":
        return
    ask = _ask(question)
    known = definitions()
    subjects = subjects_of(question)
    lead = " ".join([*subjects[:2], *(period.text for period in question.periods[-1:])])
    if not lead:
        return  # no report is named: words of statements would only find those of any
    names = [item.statement for item in ask.needed] + [statement.name for statement in ask.statements]
    found = [query for name in dict.fromkeys(names) for query in known.statements[name].queries]
    found += [query for place in known.places_in(question.text) for query in place.queries]
    for query in found[:_MOST_QUERIES]:
        yield f"{lead} {query}"


def figures_for(question: Question, passages: Sequence[Passage]) -> list[Inference]:
    """Return what follows from the statements of the sources that a question is about; nothing where it is unclear."""
    if question.language != "en":
        return []
    ask, rank = _ask(question), read_rank_ask(question.text, subjects_of(question))
    listing = read_list_ask(question.text)
    if registered := registered_securities(question.text, _of_subjects(question, passages)):
        return registered
    if ask.is_empty and rank is None and listing is None:
        return []
    statements = _statements(question, passages)
    if rank is not None and (ranked := compute_ranks(rank, statements)):
        return ranked
    if computed := compute_figures(ask, statements):
        return computed
    if listing is not None and (listed := compute_listing(listing, statements)):
        return listed
    return absences_of(ask, statements)


def confirms(claim: str, cited: Sequence[Passage]) -> bool:
    """Whether what a claim says that statements or a cover page lack follows from the passages it cites."""
    if lacks_debt(claim, cited):
        return True
    lines = statements_of(cited).lines
    return any(
        (told := absence_of(measure, lines)) is not None and told.text == claim
        for measure in definitions().measures.values()
        if measure.name in claim
    )


def missing_queries(question: Question, passages: Sequence[Passage]) -> list[str]:
    """Return searches for the inputs that no passage holds yet, none where the question can be answered without."""
    ask, rank = _ask(question), read_rank_ask(question.text, subjects_of(question))
    if question.language != "en" or (ask.is_empty and rank is None) or figures_for(question, passages):
        return []
    known = definitions()
    lead = " ".join([*subjects_of(question)[:2], *(period.text for period in question.periods[-1:])])
    statements = _statements(question, passages)
    titles = titles_for(rank, statements)[:1] if rank else []
    return [f"{lead} {title} total".strip() for title in titles] + [
        f"{lead} {known.statements[item.statement].queries[0].rsplit(' ', 12)[0]} {item.name}".strip()
        for item in missing_items(ask, statements)
    ]


def _statements(question: Question, passages: Sequence[Passage]) -> Statements:
    return statements_of(_of_subjects(question, passages))


def _of_subjects(question: Question, passages: Sequence[Passage]) -> list[Passage]:
    """Return the passages of the sources that a question is about; none where it names nobody and there are several."""
    subjects = subjects_of(question)
    if subjects:
        named = named_sources_of(subjects, passages)
        if not named:
            wanted = [frozenset(analyse(name)) for name in subjects]
            named = {
                passage.chunk.uri
                for passage in passages
                if any(terms and terms <= passage_terms(passage) for terms in wanted)
            }
    else:
        named = {passage.chunk.uri for passage in passages}
        if len(named) > 1:
            return []
    return [passage for passage in passages if passage.chunk.uri in named]
