"""One thing is called by several words that no stemmer brings together: `tonnage` is counted in tonnes."""

from __future__ import annotations

from collections.abc import Iterable

_SAME = {
    "spend": "spent", "sell": "sale", "sold": "sale", "cost": "cost", "bought": "purchas", "buy": "purchas",
    "employe": "headcount", "staff": "headcount", "tonnag": "tonn", "mileag": "mile", "acreag": "acr",
}  # fmt: skip
_MEASURED = {"tonnag": "tonn", "tonn": "tonnag", "mileag": "mile", "mile": "mileag", "acreag": "acr", "acr": "acreag"}


def same(terms: Iterable[str]) -> frozenset[str]:
    """Return index terms with those that mean one thing brought to one of them."""
    return frozenset(_SAME.get(term, term) for term in terms)


def with_units(terms: frozenset[str]) -> frozenset[str]:
    """Return index terms with the other word for what they are measured in: a mileage with its miles."""
    return terms | {_MEASURED[term] for term in terms if term in _MEASURED}
