"""What a price comes to: of a year, of so many units, of each person; and what part of a whole a sentence names."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import ROUND_HALF_EVEN, Decimal
from itertools import pairwise

import regex

from ....state.records import Quote
from ....text.numbers import find_numbers
from ....text.numerals import grouped, percent
from ....text.periods import Period, contains, find_periods
from ....text.words import analyse
from ...statements.inference import Inference
from ..asked.question import Question
from ..found.findings import Finding
from .results import inference_of
from .sentence_figures import figures_of, money_in, same_unit

_SHARE = regex.compile(r"\b(?:what|which) (?:percentage|percent|share|proportion|fraction|part) of\b", regex.IGNORECASE)
_YEARLY = regex.compile(r"\b(?:per|a|each|every) year\b|\bper annum\b|\byearly\b|\bannual(?:ly)?\b", regex.IGNORECASE)
_STATED_YEARLY = regex.compile(
    r"\b(?:per|a|each|every|in a|one) year\b|\bper annum\b|\byearly\b|\bannual", regex.IGNORECASE
)
_PRICED = regex.compile(r"\b(?:costs?|pay|price|fees?|rent|charges?|premium|spend|salary|earn)\b", regex.IGNORECASE)
_EACH = regex.compile(
    r"^\W{0,2}(?:(?:per|a|each|every) (?P<time>day|week|month|quarter)|(?P<adverb>daily|weekly|monthly|quarterly))\b",
    regex.IGNORECASE,
)
_PER_UNIT = regex.compile(r"^\s?(?:per|a|each|/)\s?(?P<unit>[\p{L}³²]+)", regex.IGNORECASE)
_A_YEAR = ((365, "day daily"), (52, "week weekly"), (12, "month monthly"), (4, "quarter quarterly"))
_TIMES_A_YEAR = {word: times for times, words in _A_YEAR for word in words.split()}
_PER_HEAD = regex.compile(
    r"\b(?:per|for each|each) (?:person|head|passenger|participant|traveller|guest|ticket)\b", regex.IGNORECASE
)
_HEADS = regex.compile(
    r"\bfor (?:the |all )?(?P<count>\d{1,3}|two|three|four|five|six|seven|eight|nine|ten|twelve)"
    r"(?= (?:of us|of them|of you|people|persons|passengers|participants|travellers|guests|tickets|adults)\b)",
    regex.IGNORECASE,
)
_OF_EACH = regex.compile(r"\b(?:each|apiece|per (?:person|head|ticket|passenger|guest))\b", regex.IGNORECASE)
_SAME_WORDS = 0.7
_OF_WHICH = regex.compile(r"\b(?:of which|of this|thereof|including)\b", regex.IGNORECASE)


def share(question: Question, finding: Finding, about: Sequence[Finding]) -> Inference | None:
    """Return what part of a whole a sentence gives that names both: `911, of which 540`."""
    if not _SHARE.search(question.text):
        return None
    text = finding.candidate.text
    for whole, part in pairwise(figures_of(text)):
        between = text[whole.number.end : part.number.start]
        if not _OF_WHICH.search(between) or not same_unit(whole, part) or not 0 < part.value <= whole.value:
            continue
        rate = percent(part.value, whole.value)
        return inference_of(f"Share: {part.digits} / {whole.digits} = {rate}%.", [finding], "share")
    return None


def share_of_time(question: Question, finding: Finding, about: Sequence[Finding]) -> Inference | None:
    """Return what share of a year's amount came in a part of it, of two sentences that say the same of each time."""
    if not _SHARE.search(question.text):
        return None
    part = finding.candidate
    for other in about:
        whole = other.candidate
        spans = [find_periods(each.text) for each in (part, whole)]
        if other is finding or any(len(each) != 1 for each in spans) or not _within(*spans[0], *spans[1]):
            continue
        words = [_worded(each.text, *span) for each, span in zip((part, whole), spans, strict=True)]
        if len(words[0] & words[1]) < _SAME_WORDS * len(words[0] | words[1]):
            continue
        for one, all_of_it in zip(money_in(part.text), money_in(whole.text), strict=False):
            if same_unit(one, all_of_it) and 0 < one.value <= all_of_it.value:
                rate = percent(one.value, all_of_it.value)
                worked = f"Share: {one.digits} / {all_of_it.digits} = {rate}%."
                return inference_of(worked, [finding, other], "share")
    return None


def _within(part: Period, whole: Period) -> bool:
    return part.is_fiscal == whole.is_fiscal and contains(whole, part) and not contains(part, whole)


def _worded(text: str, period: Period) -> frozenset[str]:
    """Return the index terms of a sentence without its period and figures."""
    bare = f"{text[: period.at]} {text[period.to :]}"
    return frozenset(term for term in analyse(bare) if term.isalpha())


def of_a_year(question: Question, finding: Finding, about: Sequence[Finding]) -> Inference | None:
    """Return what a price per month or week comes to in a year, where no sentence states that of the year."""
    if not (_YEARLY.search(question.text) and _PRICED.search(question.text)):
        return None
    if any(_STATED_YEARLY.search(each.candidate.text) and money_in(each.candidate.text) for each in about):
        return None
    text = finding.candidate.text
    for figure in money_in(text):
        match = _EACH.match(text[figure.number.end :])
        if match is None:
            continue
        times = _TIMES_A_YEAR[(match["time"] or match["adverb"]).casefold()]
        worked = f"{times} * {figure.digits} = {grouped(times * figure.value)}"
        return inference_of(f"Per year: {worked} {figure.unit}.", [finding], "per year")
    return None


def of_each(question: Question, finding: Finding, about: Sequence[Finding]) -> Inference | None:
    """Return what each of so many pays of one amount: `EUR 212 for the four of us`; nothing where it is each one's."""
    if not _PER_HEAD.search(question.text):
        return None
    text = finding.candidate.text
    amounts, heads = money_in(text), list(_HEADS.finditer(text))
    if len(amounts) != 1 or len(heads) != 1 or _OF_EACH.search(text):
        return None
    count = next((number.value for number in find_numbers(heads[0]["count"])), Decimal(0))
    if count < 2 or count != count.to_integral_value():
        return None
    each = (amounts[0].value / count).quantize(Decimal("0.01"), ROUND_HALF_EVEN)
    each = each.to_integral_value() if each == each.to_integral_value() else each
    worked = f"Per person: {amounts[0].digits} / {count.to_integral_value()} = {grouped(each)}"
    return inference_of(f"{worked} {amounts[0].number.unit}.", [finding], "per person")


def of_units(question: Question, finding: Finding, about: Sequence[Finding]) -> Inference | None:
    """Return what a quantity costs where the same line gives the price of its unit: `2,480 kWh`, `0.31 EUR per kWh`."""
    if not _PRICED.search(question.text) or money_in(finding.candidate.text):
        return None
    candidate = finding.candidate
    line = candidate.passage.chunk.text[candidate.end :].split("\n")[0]
    for quantity in figures_of(candidate.text):
        for price in money_in(line):
            match = _PER_UNIT.match(line[price.number.end :])
            if (
                match is None
                or not quantity.unit
                or match["unit"].casefold().rstrip("s") != quantity.unit.casefold().rstrip("s")
            ):
                continue
            end = candidate.end + price.number.end + match.end()
            text = candidate.passage.chunk.text[candidate.start : end]
            quote = Quote(chunk_id=candidate.chunk_id, start=candidate.start, end=end, text=text)
            cost = f"{quantity.digits} * {price.digits} = {grouped(quantity.value * price.value)} {price.number.unit}"
            return Inference(f"Computed: {cost}. {' '.join(text.split())}.", (quote,), "cost")
    return None
