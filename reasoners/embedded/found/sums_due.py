"""The line of an invoice that gives its total, which is the amount of the invoice."""

from __future__ import annotations

import regex

from ..asked.question import Question
from .candidates import Candidate

_PAPER = r"(?:invoices?|bills?|quotes?|quotations?|receipts?|rechnung|angebot|facture|devis|factura|fattura)"
_ASKED = regex.compile(
    rf"\b(?:how much|what) (?:is|was|are|were|did|does|came?)\b.{{0,40}}\b{_PAPER}\b(?! (?:date|number|no\b))|"
    rf"\b(?:total|amount|sum|value)\b[^?]{{0,40}}\b{_PAPER}\b|\b{_PAPER}(?:['’]s)? (?:total|amount)\b|"
    rf"\bwie (?:hoch|viel)\b[^?]{{0,30}}\p{{L}}*{_PAPER}\b|\bmontant\b[^?]{{0,20}}\b{_PAPER}\b",
    regex.IGNORECASE,
)
_TOTAL = regex.compile(
    r"^\W*(?:grand total|total (?:due|payable|amount|ttc)|total|(?:amount|balance|sum) (?:due|payable)|"
    r"gesamtbetrag|rechnungsbetrag|endbetrag|gesamtsumme|summe|montant total|net à payer|importe total|totale)\b"
    r"[\s:.]*[^\d\n]{0,12}\d[\d.,' ]*\W*(?:[A-Z]{3})?\W*$",
    regex.IGNORECASE,
)


def asks_sum_due(question: Question) -> bool:
    """Whether a question asks how much an invoice, a bill or an offer comes to."""
    return bool(_ASKED.search(question.text))


def gives_sum_due(candidate: Candidate) -> bool:
    """Whether a line gives the total of the paper that it stands in."""
    return candidate.row is None and bool(_TOTAL.match(candidate.text))
