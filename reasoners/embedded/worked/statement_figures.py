"""Figures of statements for a plan question: where to look, what follows, which inputs are still missing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

import regex

from ....text.periods import find_periods
from ....text.words import analyse
from ...protocol import Passage
from ...statements.absences import absence_of, absences_of
from ...statements.figure_ask import FigureAsk, read_figure_ask
from ...statements.figures import compute_figures, missing_items
from ...statements.inference import Inference
from ...statements.lines import Statements, statements_of
from ...statements.listings import compute_listing, read_list_ask
from ...statements.measures import definitions
from ...statements.ranks import compute_ranks, edges_for, read_rank_ask
from ..asked.question import Question
from ..found.candidates import passage_terms
from ..found.weights import named_sources_of
from ..settled.cover import lacks_debt, registered_securities

_MOST_QUERIES = 5
_DIGIT_NAME = regex.compile(r"(?<![\w.])\d{1,3}\p{Lu}\p{L}*(?![\w.])")
# Capitals of money, of accounting and of people's offices.
_NOBODY_WORDS = """
    USD EUR GBP JPY CHF CAD AUD US USA UK EU AR AP FX EPS GAAP M&A SEC CEO CFO IPO YoY SG&A R&D Real"""
_NOBODY = frozenset(_NOBODY_WORDS.split())


@lru_cache(maxsize=1_024)
def _ask(question: Question) -> FigureAsk:
    return read_figure_ask(question.text, subjects_of(question))


def subjects_of(question: Question) -> tuple[str, ...]:
    """Return whom a question is about: its names without periods, items, measures, currencies and orders to answer.

    A name that begins with a digit (`3M`) is one too; a single word that only opens sentences (`Round your …`) is none.
    """
    known = definitions()
    names = [*_DIGIT_NAME.findall(question.text), *question.names]
    parts = [part for name in names for part in regex.split(r"['’]s?\s+|['’]s?$", _undated(name)) if part]
    return tuple(
        name
        for name in dict.fromkeys(parts)
        if name not in _NOBODY
        and not known.items_in(name)
        and not known.measures_in(name)
        and not known.statements_in(name)
        and not _only_opens(name, question.text)
    )


def _undated(name: str) -> str:
    for period in reversed(find_periods(name)):
        name = f"{name[: period.at]} {name[period.to :]}"
    return " ".join(word for word in name.split() if word not in ("FY", "Q1", "Q2", "Q3", "Q4"))


def _only_opens(name: str, text: str) -> bool:
    """Whether a word stands nowhere but at the beginning of a later sentence."""
    if " " in name or not name[:1].isupper() or name.isupper():
        return False
    places = [match.start() for match in regex.finditer(rf"\b{regex.escape(name)}\b", text)]
    opening = [at for at in places if regex.search(r"[.?!:]\s+$", text[:at])]
    return bool(places) and len(opening) == len(places)


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
    if listing is not None and rank is None and (listed := compute_listing(listing, statements)):
        return listed
    return absences_of(ask, statements)


def confirms(claim: str, cited: Sequence[Passage]) -> bool:
    """Whether what a claim says that statements or a cover page lack follows from the passages it cites."""
    if lacks_debt(claim, cited):
        return True
    named = [measure for measure in definitions().measures.values() if measure.name in claim]
    lines = statements_of(cited).lines if named else ()
    return any((told := absence_of(measure, lines)) is not None and told.text == claim for measure in named)


def missing_queries(question: Question, passages: Sequence[Passage]) -> list[str]:
    """Return searches for the inputs that no passage holds yet, none where the question can be answered without."""
    ask, rank = _ask(question), read_rank_ask(question.text, subjects_of(question))
    if question.language != "en" or (ask.is_empty and rank is None) or figures_for(question, passages):
        return []
    known = definitions()
    lead = " ".join([*subjects_of(question)[:2], *(period.text for period in question.periods[-1:])])
    statements = _statements(question, passages)
    edges = edges_for(rank, statements)[:1] if rank else []
    return [f"{lead} {edge}".strip() for edge in edges] + [
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
