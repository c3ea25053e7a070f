"""Sums, shares, rankings and changes over tables: each number with its formula, its cells and the joins it took."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from ...text.fixed_sentences import said_in
from ...text.languages import detect
from ...text.words import analyse
from .asking import COUNTERPARTY, Ask, Measure, measures_for
from .catalog import Catalog
from .computed import Computed
from .crosstab_answers import crossed
from .extremes import find_extreme
from .flows import asks_for_total, is_flow
from .groups import owned_first, rank_groups
from .joins import Join, paths_from, stated_joins
from .period_changes import change_across_columns, change_between_rows, fiscal_change
from .ranked import asks_when
from .reckoning import reckon
from .scope import unheld
from .sums import sums_by_dimension, sums_of, total_of_time
from .superlatives import readings
from .wording import Spelling, measure_words

# By how much something fell is no reason for it.
_WHY = re.compile(
    r"^\W*why\b|\bwhat (?:caused|explains|led to|is the reason)\b|\breasons? (?:for|why)\b", re.IGNORECASE
)


def compute(
    ask: Ask, catalog: Catalog, superseded: Sequence[str] = (), spelling: Spelling | None = None
) -> list[Computed]:
    """Return what the tables answer by computation; nothing where the question asks for none.

    Args:
        superseded: Words of a header that say that its figures were replaced, e.g. `first reported`.
        spelling: How words of headers are spelled.
    """
    said = spelling or Spelling.of(ask.question)
    found = next((each for reading in readings(ask) if (each := _found(reading, catalog, superseded, said))), [])
    language = detect(ask.question)
    told = ((answer, _in_words(answer.text, answer.header, said, language)) for answer in found)
    return [replace(answer, text=said_in(text, language)) for answer, text in told]


def _found(ask: Ask, catalog: Catalog, superseded: Sequence[str], said: Spelling) -> list[Computed]:
    if not catalog.tables or _WHY.search(ask.question):
        return []
    if reckoned := reckon(ask, catalog) or (crossed(ask, catalog, said) if detect(ask.question) == "en" else []):
        return [replace(answer, text=said.in_capitals(answer.text)) for answer in reckoned]
    if not (ask.operations or asks_for_total(ask)):
        return []
    if not ask.operations:
        totals = (total_of_time(ask, measure) for measure in measures_for(ask, catalog))
        return next((found for found in totals if found), [])
    joins = stated_joins(catalog)
    measures = measures_for(ask, catalog)
    if detect(ask.question) == "en":
        measures = [measure for measure in measures if _holds_all(ask, measure, catalog, joins)]
    if {"rank", "share", "sum"} & set(ask.operations):
        for measure in measures:
            if is_flow(measure.table, measure.column) and (found := sums_by_dimension(ask, measure)):
                return found
    if {"rank", "share"} & set(ask.operations):
        joined = any(True for measure in measures[:1] for _ in paths_from(measure.table, joins)) and not asks_when(ask)
        if "share" not in ask.operations and not joined and (extreme := find_extreme(ask, catalog, said)):
            return [Computed(extreme.text, extreme.rows, is_whole=True)]
        for measure in owned_first(measures, joins) if joined or "share" in ask.operations else ():
            found = rank_groups(ask, measure, catalog, joins)
            if found:
                return found
    for measure in measures:
        if "change" in ask.operations and len(ask.periods) >= 2 and (found := change_between_rows(ask, measure)):
            return found
        if "change" in ask.operations and len(ask.fiscal) >= 2 and (found := fiscal_change(ask, measure)):
            return found
        if "sum" in ask.operations and (found := sums_of(ask, measure)):
            return found
    if "change" in ask.operations and len(ask.fiscal) >= 2:
        return change_across_columns(ask, catalog, superseded)
    return []


def _holds_all(ask: Ask, measure: Measure, catalog: Catalog, joins: Sequence[Join]) -> bool:
    """Whether each word asked for is held by the table measured or one joined to it: else another thing is meant."""
    reached = [join.right for path in paths_from(measure.table, joins) for join in path]
    left = [unheld(ask, table, catalog.whose) for table in (measure.table, *reached)]
    parties = frozenset(analyse(" ".join(COUNTERPARTY.findall(ask.question))))
    return not frozenset.intersection(*left) - parties


def _in_words(text: str, header: str, spelling: Spelling, language: str) -> str:
    """Return a computed answer with its measure in words: `arr_usd` as `ARR (USD)`."""
    said = measure_words(header, spelling, language)
    said = f"{said[:1].upper()}{said[1:]}" if header and text.startswith(header) else said
    return text.replace(header, said, 1) if header and said != header else text
