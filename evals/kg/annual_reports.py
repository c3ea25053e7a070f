"""Tell the figures of a company's years, each in a report of the year after."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from itertools import pairwise
from typing import Any

from .gold import Gold, Said
from .pages import Page
from .sentences import Sentences
from .story import Company, in_full
from .wordings import Wording

REPORTED_YEARS = (2019, 2020, 2021, 2022)


def tell_annual_reports(sentences: Sentences, co: Company, turn: int) -> None:
    """State revenue and one change of each year, and the staff of every other year."""
    random = sentences.random
    staff: list[Gold] = []
    number, revenue = 180 + 130 * turn, co.revenue
    for year in REPORTED_YEARS:
        number += random.randint(9, 60)
        revenue *= 1 + random.randint(-6, 14) / 100
        page = sentences.pages.begin(Page(co, date(year + 1, 2, random.randint(3, 26))))
        _revenue(sentences, page, year, revenue)
        if year % 2 == 0:
            staff.append(_staff(sentences, page, year, number))
        _change(sentences, page, year, rose=turn % 3 == 0 or year % 2 == 0, percent=random.randint(2, 19))
    for older, newer in pairwise(staff):
        sentences.pages.close(older, newer)


def _revenue(sentences: Sentences, page: Page, year: int, millions: float) -> None:
    co = page.company
    said = Said(co.name, "HAS_REVENUE", "", in_full(millions), co.currency_code)
    _of_year(sentences, page, sentences.next_wording("revenue"), year, said, {"amount": co.amount(millions)})


def _change(sentences: Sentences, page: Page, year: int, *, rose: bool, percent: int) -> None:
    kind, predicate = ("up", "INCREASED") if rose else ("down", "DECREASED")
    wording = sentences.next_wording(kind)
    said = Said(page.company.name, predicate, _changed(wording.text), str(percent), "%")
    _of_year(sentences, page, wording, year, said, {"pct": percent})


def _of_year(
    sentences: Sentences, page: Page, wording: Wording, year: int, said: Said, fields: Mapping[str, Any]
) -> None:
    first = date(year, 1, 1)
    gold = sentences.say(page, wording, said, fields, first, first)
    gold.temporal, gold.invalid_at = "STATIC", date(year + 1, 1, 1)


def _changed(text: str) -> str:
    """Return what rose or fell, from a wording."""
    name = text.replace("In {year}", "").strip(" ,").split(" {")[0]
    for word in ("rose", "grew", "fell", "increased", "decreased", "declined", "by"):
        name = name.replace(word, "").strip()
    return name.casefold()


def _staff(sentences: Sentences, page: Page, year: int, number: int) -> Gold:
    day = date(year, 12, 31)
    said = Said(page.company.name, "HAS_A", "employees", str(number))
    return sentences.say(page, sentences.next_wording("staff"), said, {"n": number}, day, day)
