"""The documents before they are written, and all that they state."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date

from .gold import Gold
from .story import Company


@dataclass
class Page:
    """A document before it is written."""

    company: Company
    day: date
    sentences: list[str] = field(default_factory=list)
    gold: list[Gold] = field(default_factory=list)
    undated: bool = False

    def company_name(self) -> str:
        """Return the company's name for the next sentence: in full the first time and short later."""
        full = self.company.name
        short = " ".join(full.split()[:-1])
        return short if any(full in sentence for sentence in self.sentences) else full


@dataclass
class Pages:
    """All documents in their order, and all gold statements in theirs."""

    pages: list[Page] = field(default_factory=list)
    gold: list[Gold] = field(default_factory=list)

    def begin(self, page: Page) -> Page:
        """Add a document."""
        self.pages.append(page)
        return page

    def keep(self, page: Page, gold: Gold) -> Gold:
        """Note what a document states."""
        self.gold.append(gold)
        page.gold.append(gold)
        return gold

    def page_of(self, gold: Gold) -> Page:
        """Return the document that states something."""
        return next(page for page in self.pages if gold in page.gold)

    def close(self, older: Gold, newer: Gold) -> None:
        """Let a statement end where a newer one begins, or where that ends by its own words."""
        older.closed_by.append(next(place for place, each in enumerate(self.gold) if each is newer))
        older.invalid_at = newer.valid_at or newer.invalid_at
