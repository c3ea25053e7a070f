"""Documents that are hard to read: a name that is a fruit, and statements without any date."""

from __future__ import annotations

from datetime import date

from .gold import Gold, Said
from .pages import Page, Pages
from .story import COMPANIES


def add_hard_pages(pages: Pages) -> None:
    """Add these documents after all others."""
    _fruit_of_a_company_name(pages)
    _undated(pages)


def _fruit_of_a_company_name(pages: Pages) -> None:
    """Quince is a company in other documents, and a fruit here."""
    orchards, fruits = "Tarn Valley Orchards", ("quince", "pears")
    text = f"{orchards} sells {' and '.join(fruits)}."
    page = pages.begin(Page(COMPANIES[1], date(2021, 9, 3), [text, "The harvest began early this autumn."]))
    for fruit in fruits:
        pages.keep(page, _sells(orchards, fruit, page.day, text))


def _undated(pages: Pages) -> None:
    """What these documents state holds, but nobody knows since when."""
    for co in COMPANIES[:2]:
        text = f"{co.name} sells {co.goods} in eleven countries."
        sentences = [text, "Last month many guests came to the open day."]
        page = pages.begin(Page(co, date(2020, 1, 1), sentences, undated=True))
        pages.keep(page, _sells(co.name, co.goods, None, text))


def _sells(seller: str, goods: str, since: date | None, text: str) -> Gold:
    return Gold(*Said(seller, "SELLS", goods), "DYNAMIC", since, None, "open", text)
