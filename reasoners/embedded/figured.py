"""Figures of statements for a plan question: where to look, what follows, which inputs are still missing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

import regex

from ...text.words import analyse
from ..protocol import Passage
from ..tables.figures import FigureAsk, Inference, compute_figures, missing_items, read_figure_ask
from ..tables.measures import definitions
from ..tables.ranks import compute_ranks, read_rank_ask
from ..tables.statements import Statements, statements_of
from .candidates import passage_terms
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
    """Yield searches for the statements that a question needs, led by whom and what years it is about."""
    if question.language != "en":
        return
    ask = _ask(question)
    known = definitions()
    names = [item.statement for item in ask.needed] + [statement.name for statement in ask.statements]
    if not names:
        return
    lead = " ".join([*subjects_of(question)[:2], *(period.text for period in question.periods[-1:])])
    for name in list(dict.fromkeys(names)):
        for query in known.statements[name].queries[:_MOST_QUERIES]:
            yield f"{lead} {query}".strip()


def figures_for(question: Question, passages: Sequence[Passage]) -> list[Inference]:
    """Return what follows from the statements of the sources that a question is about; nothing where it is unclear."""
    if question.language != "en":
        return []
    ask, rank = _ask(question), read_rank_ask(question.text, subjects_of(question))
    if ask.is_empty and rank is None:
        return []
    statements = _statements(question, passages)
    if rank is not None and (ranked := compute_ranks(rank, statements)):
        return ranked
    return compute_figures(ask, statements)


def missing_queries(question: Question, passages: Sequence[Passage]) -> list[str]:
    """Return searches for the inputs that no passage holds yet, none where the question can be answered without."""
    ask = _ask(question)
    if question.language != "en" or ask.is_empty or figures_for(question, passages):
        return []
    known = definitions()
    lead = " ".join([*subjects_of(question)[:2], *(period.text for period in question.periods[-1:])])
    return [
        f"{lead} {known.statements[item.statement].queries[0].rsplit(' ', 12)[0]} {item.name}".strip()
        for item in missing_items(ask, _statements(question, passages))
    ]


def _statements(question: Question, passages: Sequence[Passage]) -> Statements:
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
            return Statements(())
    return statements_of([passage for passage in passages if passage.chunk.uri in named])
