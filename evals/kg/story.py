"""The companies and what is told of each, as `story.json` lists them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import resources
from typing import Any, Literal

CHIEF_EXECUTIVE = "chief executive officer"
CURRENCY_CODES = {"£": "GBP", "$": "USD", "A$": "AUD"}

How = Literal["begins", "event", "state", "always", "also"]


@dataclass(frozen=True)
class Company:
    """What a company is called and deals with.

    Attributes:
        currency: Sign or code that stands before its amounts.
        revenue: Millions in the year before the first report.
    """

    name: str
    people: tuple[str, ...]
    places: tuple[str, ...]
    products: tuple[str, ...]
    kind: str
    goods: str
    good: str
    suppliers: tuple[str, ...]
    targets: tuple[str, ...]
    partners: tuple[str, ...]
    areas: tuple[str, ...]
    currency: str
    revenue: float

    @property
    def currency_code(self) -> str:
        """The currency as statements give it."""
        return CURRENCY_CODES.get(self.currency, self.currency.strip())

    def amount(self, millions: float) -> str:
        """Return an amount as sentences give it."""
        return f"{self.currency}{millions:.1f} million"


@dataclass(frozen=True)
class Step:
    """One thing that is stated of each company; texts name its fields in braces.

    Attributes:
        how: `begins` on a day, an `event` of a day, a `state` on the document's day, what is `always` so, or what the
            sentence of another step says too.
        says: Subject, predicate, object, value.
        fields: What the sentence needs.
        of: For `also`, the key of the other step; where: words without which its sentence does not say it.
        year, month: When; month 0 is drawn.  Without a year it is `after_days` of the company's start.
        ends: Whether it ends on that day.
        closes: Keys of what ends with it; closed_by: key of the later step that it ends with.
        millions: The amount in the sentence.
        only: 0 or 1: every other company alone.
    """

    says: tuple[str, str, str, str]
    how: How = "begins"
    key: str = ""
    wording: str = ""
    of: str = ""
    where: str = ""
    fields: Mapping[str, str] = field(default_factory=dict)
    year: int = 0
    month: int = 0
    after_days: int = 0
    ends: bool = False
    closes: tuple[str, ...] = ()
    closed_by: str = ""
    millions: float = 0.0
    only: int | None = None


def in_full(millions: float) -> str:
    """Return an amount as statements give it: the figure of the sentence in whole units."""
    return f"{round(float(f'{millions:.1f}') * 1_000_000)}"


def _frozen(data: Mapping[str, Any]) -> dict[str, Any]:
    return {key: tuple(value) if isinstance(value, list) else value for key, value in data.items()}


_LISTED = json.loads((resources.files("citewell.evals.kg") / "story.json").read_text(encoding="utf-8"))
COMPANIES = tuple(Company(**_frozen(each)) for each in _LISTED["companies"])
STEPS = tuple(Step(**_frozen(each)) for each in _LISTED["steps"])
