"""Put a statement into words: choose the wording, date the document, and note what the sentence says."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from random import Random
from typing import Any

from .gold import Gold, Said
from .pages import Page, Pages
from .story import Company
from .times import DAY_FORMS, told_time, written_day, written_month
from .wordings import WORDINGS, Wording


@dataclass
class Sentences:
    """Writes sentences into documents.

    Attributes:
        turns: How often each kind of wording was taken.
    """

    pages: Pages
    random: Random
    turns: dict[str, int] = field(default_factory=lambda: defaultdict(int))

    def happened(
        self, co: Company, kind: str, when: date, said: Said, fields: Mapping[str, Any], *, event: bool, ends: bool
    ) -> Gold:
        """State something that happened on a day, in a document of some days or weeks later.

        Args:
            event: Whether it is over with that day, or with the period that the sentence gives.
            ends: Whether it ended on that day.
        """
        wording = self.next_wording(kind)
        told = told_time(wording, when)
        if said.predicate == "SECURED":
            said = said._replace(object=_secured(wording))
        gold = self.say(self.pages.begin(Page(co, told.document)), wording, said, fields, told.first, when)
        if event:
            gold.temporal, gold.invalid_at = "STATIC", told.after
        if ends:
            gold.valid_at, gold.invalid_at = None, told.first
        return gold

    def holds(self, co: Company, kind: str, day: date, said: Said, fields: Mapping[str, Any], *, always: bool) -> Gold:
        """State something that holds on the document's day, or always."""
        wording = self.next_wording(kind)
        told = told_time(wording, day)
        if said.predicate == "IS_A":
            said = said._replace(object=wording.text.partition(" is a ")[2].format(**fields).rstrip("."))
        gold = self.say(self.pages.begin(Page(co, told.document)), wording, said, fields, told.first, day)
        if always:
            gold.temporal, gold.valid_at = "ATEMPORAL", None
        return gold

    def also(self, first: Gold, said: Said, *, ends: bool) -> Gold:
        """Note another statement of a sentence that was written."""
        other = Gold(*said, "DYNAMIC", first.valid_at, None, first.wording, first.text)
        if ends:
            other.valid_at, other.invalid_at = None, first.valid_at
        return self.pages.keep(self.pages.page_of(first), other)

    def say(self, page: Page, wording: Wording, said: Said, fields: Mapping[str, Any], begin: date, when: date) -> Gold:
        """Write one sentence about a day, and note what it says as valid from `begin`."""
        day = written_day(when, self.random.choice(DAY_FORMS))
        times = {"day": day, "month": written_month(when), "year": when.year}
        text = wording.text.format(**({"co": page.company_name()} | dict(fields) | times))
        page.sentences.append(text)
        return self.pages.keep(page, Gold(*said, "DYNAMIC", begin, None, wording.split, text))

    def next_wording(self, kind: str) -> Wording:
        """Take the wordings of a kind in turn."""
        several = WORDINGS[kind]
        self.turns[kind] += 1
        return several[(self.turns[kind] - 1) % len(several)]


def _secured(wording: Wording) -> str:
    return next(each for each in ("loan", "contract", "funding") if each in wording.text)
