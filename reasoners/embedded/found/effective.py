"""The day from which something holds: `with effect from 1 September 2024`, `in force from …`, `from …` of a price."""

from __future__ import annotations

from datetime import date

import regex

from ....text.periods import find_periods

# The words right before the day from which something holds.
_FROM = regex.compile(
    r"(?:\b(?:in force|with effect|effective|valid|applicable|appl(?:y|ies)|in effect|as)\s+(?:from|of|since|on|as of)|"
    r"\beffective(?: date)?:?|\b(?:from|since|starting(?: on)?|beginning(?: on)?)|"
    r"\b(?:gültig|in kraft|wirksam)?\s*(?:ab|seit|mit wirkung vom)(?: dem)?|"
    r"\b(?:à partir|à compter) du|\bdepuis(?: le)?|\bdès(?: le)?|\b(?:a partir|desde)(?: del?| el)?|"
    r"\b(?:a partire|a decorrere) dal?|\bdal)\s+(?:the\s+)?$",
    regex.IGNORECASE,
)
_DAYS = frozenset({"day", "month", "quarter", "year"})


def effective_from(text: str) -> date | None:
    """Return the first day from which a text says that something holds; None where it says none."""
    for period in find_periods(text):
        if period.kind in _DAYS and _FROM.search(text[: period.at]):
            return period.start
    return None
