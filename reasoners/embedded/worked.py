"""Work out what a question plainly asks of figures in prose: a difference, a share, a year's cost, a duration."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Decimal
from itertools import pairwise

import regex

from ...state.records import Quote
from ...text.numbers import Number, find_numbers
from ...text.words import analyse
from ..protocol import Passage
from ..tables.figures import Inference
from ..tables.scope import DOWN, FRAME, UP
from .candidates import context_terms, passage_terms
from .findings import Finding
from .question import Question
from .telling import subject_terms
from .versions import versions_of
from .weights import holds

_MOST_FINDINGS = 8
_REACH = 40
_MOVES = "|".join(sorted(UP | DOWN))
_CHANGE = regex.compile(
    r"\bby how (?:much|many)\b|\bdifference\b|"
    rf"\bhow (?:much|many)\b.*\b(?:{_MOVES}|chang\w+|more|less|fewer|gained?|lost|lose)\b|"
    r"\bchange\b.*\b(?:percent\w*|points?)\b|\bhow (?:did|has|have)\b.*\bchanged?\b",
    regex.IGNORECASE,
)
_NEW = regex.compile(
    r"\b(?:replac\w+|amended|revised|(?:is|are|was|were) now|the new|from \d{1,2} \w+ (?:19|20)\d\d|"
    r"(?:since|as of|as from|from) (?:\w+ )?(?:19|20)\d\d)\b",
    regex.IGNORECASE,
)
_IN_POINTS = regex.compile(r"\bpercentage points?\b", regex.IGNORECASE)
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
_FROM = regex.compile(r"\bfrom\W+(?:(?:about|some|around)\s)?(?:\p{Sc}|[A-Z]{3}\s)?$", regex.IGNORECASE)
_TO = regex.compile(r"\bto\W+(?:(?:about|some|around)\s)?(?:\p{Sc}|[A-Z]{3}\s)?$", regex.IGNORECASE)
_BACK = regex.compile(
    r"\b(?:up|down) from\b|\b(?:compared (?:with|to)|against|versus|instead of)\b|^[^\d;.]{0,12}\bafter\b|"
    r"\bbefore (?:that|then)\b|\(\s*(?:before|previously|formerly|earlier|last year|(?:19|20)\d\d)\s*[:,]?|"
    r"\b(?:previously|formerly|the year before|the previous year)\b",
    regex.IGNORECASE,
)
_OF_WHICH = regex.compile(r"\b(?:of which|of this|thereof|including)\b", regex.IGNORECASE)
_PLAIN = regex.compile(r"\d[\d,]*(?:\.\d+)?")
_UNIT_BEHIND = regex.compile(r"^\s?([^\s\d,;:.()]+(?:/[^\s\d,;:.()]+)*)")
_NO_UNIT = frozenset({"and", "or", "to", "in", "on", "of", "at", "the", "by", "from", "for", "after", "is", "was", "a"})
_LASTS = regex.compile(r"\bhow long\b", regex.IGNORECASE)
_STATES_LENGTH = regex.compile(r"\b(?:last(?:ed|s)?|took|takes|duration)\b[^.;]{0,30}\d", regex.IGNORECASE)
_CLOCKS = regex.compile(
    r"\b(?:start\w*|beg[aiu]n\w*|from|opened|opens)\b\W{0,3}(?:at )?(?P<h1>[01]?\d|2[0-3]):(?P<m1>[0-5]\d)"
    r"[^\d]{1,60}?\b(?:end\w*|until|to|till|finish\w*|over|closed|closes|restored)\b\W{0,3}(?:at )?"
    r"(?P<h2>[01]?\d|2[0-3]):(?P<m2>[0-5]\d)",
    regex.IGNORECASE,
)
_LOOSE_WORDS = """
    lost lose loses gained gain cost costs pay paid price fee charge year before last long fall rise went go goes
    compared between"""
_LOOSE = FRAME | UP | DOWN | frozenset(analyse(_LOOSE_WORDS)) | frozenset(_LOOSE_WORDS.split())


@dataclass(frozen=True)
class _Figure:
    """A number of a sentence as a formula writes it, and its unit as the sentence does."""

    number: Number
    digits: str
    unit: str

    @property
    def value(self) -> Decimal:
        return Decimal(self.digits.replace(",", ""))


def worked_out(question: Question, findings: Sequence[Finding], passages: Sequence[Passage]) -> list[Inference]:
    """Return what follows by arithmetic from figures that passages lay side by side; nothing where it is unclear."""
    if question.language != "en":
        return []
    about = [each for each in findings if each.scored.candidate.row is None and _is_about(question, each)]
    for step in (_difference, _share, _of_a_year, _of_units):
        for finding in about[:_MOST_FINDINGS]:
            if found := step(question, finding, about):
                return [found]
    if of_versions := _of_versions(question, findings, passages):
        return [of_versions]
    return _duration(question, about, passages)


def _needed(question: Question) -> list[str]:
    return [term for term in subject_terms(question) if term not in _LOOSE]


def is_told_with(question: Question, finding: Finding) -> bool:
    """Whether a finding may stand beside what was worked out: a sentence with all words of the thing asked for."""
    return finding.scored.candidate.row is None and _is_about(question, finding)


def _is_about(question: Question, finding: Finding) -> bool:
    candidate = finding.scored.candidate
    known = candidate.terms | candidate.context
    needed = _needed(question)
    # Its file and title may name the thing; the words themselves must say something of it, or be all there is.
    return all(holds(known, term) for term in needed) and bool(needed)


def _difference(question: Question, finding: Finding, about: Sequence[Finding]) -> Inference | None:
    """Return by how much the later of two figures differs from the earlier."""
    if not _CHANGE.search(question.text):
        return None
    text = finding.scored.candidate.text
    pair = _keyed(question, text) or next(_pairs(question, text), None)
    if pair is None or not _of_the_years(question, finding):
        return None
    return _inference(_less(*pair), [finding], "difference")


def _of_versions(question: Question, findings: Sequence[Finding], passages: Sequence[Passage]) -> Inference | None:
    """Return by how much what holds now differs from what it has replaced, where two sentences give one each."""
    if not _CHANGE.search(question.text):
        return None
    versions = [(each.finding, _figures(each.value)) for each in versions_of(question, findings, passages)[:2]]
    stated = versions or _restated(question, findings)
    if len(stated) < 2:
        return None
    (now_in, now), (before_in, before) = stated
    if len(now) != 1 or len(before) != 1 or not _same_unit(now[0], before[0]):
        return None
    return _inference(_less(before[0], now[0]), [now_in, before_in], "difference")


def _restated(question: Question, findings: Sequence[Finding]) -> list[tuple[Finding, list[_Figure]]]:
    """Return the sentence that gives a new amount and the one that gives the old; nothing where there are others."""
    needed = _needed(question)
    found: dict[Decimal, tuple[Finding, list[_Figure]]] = {}
    for finding in findings:
        candidate = finding.scored.candidate
        amounts = _money(candidate.text)
        if candidate.row is None and len(amounts) == 1 and all(holds(candidate.terms, term) for term in needed):
            found.setdefault(amounts[0].value, (finding, amounts))
    if len(found) != 2 or not needed:
        return []
    both = sorted(found.values(), key=lambda each: not _NEW.search(each[0].scored.candidate.text))
    ends = [each[0].scored.candidate.text[each[1][0].number.end :][:_REACH].split()[:2] for each in both]
    news = [bool(_NEW.search(each[0].scored.candidate.text)) for each in both]
    return both if news == [True, False] and ends[0][:1] == ends[1][:1] else []


def _less(earlier: _Figure, later: _Figure) -> str:
    """Say the difference of two figures, and by how much of the earlier one."""
    before, after = earlier.value, later.value
    unit = later.unit or earlier.unit
    worked = f"Difference: {later.digits} - {earlier.digits} = {_shown(after - before)}"
    if unit == "%":
        return f"{worked} percentage points."
    worked += f" {unit}" if unit else ""
    if before > 0:
        rate = ((after - before) / before * 100).quantize(Decimal("0.1"), ROUND_HALF_EVEN)
        worked += f"; ({later.digits} - {earlier.digits}) / {earlier.digits} = {rate}%"
    return f"{worked}."


def _share(question: Question, finding: Finding, about: Sequence[Finding]) -> Inference | None:
    """Return what part of a whole a sentence gives that names both: `911, of which 540`."""
    if not _SHARE.search(question.text):
        return None
    text = finding.scored.candidate.text
    for whole, part in pairwise(_figures(text)):
        between = text[whole.number.end : part.number.start]
        if not _OF_WHICH.search(between) or not _same_unit(whole, part) or not 0 < part.value <= whole.value:
            continue
        rate = (part.value / whole.value * 100).quantize(Decimal("0.1"), ROUND_HALF_EVEN)
        return _inference(f"Share: {part.digits} / {whole.digits} = {rate}%.", [finding], "share")
    return None


def _of_a_year(question: Question, finding: Finding, about: Sequence[Finding]) -> Inference | None:
    """Return what a price per month or week comes to in a year, where no sentence states that of the year."""
    if not (_YEARLY.search(question.text) and _PRICED.search(question.text)):
        return None
    if any(_STATED_YEARLY.search(each.scored.candidate.text) and _money(each.scored.candidate.text) for each in about):
        return None
    text = finding.scored.candidate.text
    for figure in _money(text):
        match = _EACH.match(text[figure.number.end :])
        if match is None:
            continue
        times = _TIMES_A_YEAR[(match["time"] or match["adverb"]).casefold()]
        worked = f"{times} * {figure.digits} = {_shown(times * figure.value)}"
        return _inference(f"Per year: {worked} {figure.unit}.", [finding], "per year")
    return None


def _of_units(question: Question, finding: Finding, about: Sequence[Finding]) -> Inference | None:
    """Return what a quantity costs where the same line gives the price of its unit: `2,480 kWh`, `0.31 EUR per kWh`."""
    if not _PRICED.search(question.text) or _money(finding.scored.candidate.text):
        return None
    candidate = finding.scored.candidate
    line = candidate.passage.chunk.text[candidate.end :].split("\n")[0]
    for quantity in _figures(candidate.text):
        for price in _money(line):
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
            cost = f"{quantity.digits} * {price.digits} = {_shown(quantity.value * price.value)} {price.number.unit}"
            return Inference(f"Computed: {cost}. {' '.join(text.split())}.", (quote,), "cost")
    return None


def _duration(question: Question, about: Sequence[Finding], passages: Sequence[Passage]) -> list[Inference]:
    """Return how long something lasted of which a passage gives the clock times of start and end."""
    if not _LASTS.search(question.text) or any(_STATES_LENGTH.search(each.scored.candidate.text) for each in about):
        return []
    needed = [term for term in question.terms if term not in _LOOSE]
    for passage in passages:
        known = passage_terms(passage) | context_terms(passage)
        match = _CLOCKS.search(passage.chunk.text)
        if match is None or not needed or not all(holds(known, term) for term in needed):
            continue
        start, end = (int(match["h1"]), int(match["m1"])), (int(match["h2"]), int(match["m2"]))
        if end <= start:
            continue
        borrowed = end[1] < start[1]
        hours, minutes = end[0] - start[0] - borrowed, end[1] - start[1] + 60 * borrowed
        of_hours = f"{end[0]} - {start[0]}{' - 1' if borrowed else ''} = {hours} hours"
        of_minutes = f"{end[1]}{' + 60' if borrowed else ''} - {start[1]} = {minutes} minutes"
        quote = Quote(chunk_id=passage.chunk.chunk_id, start=match.start(), end=match.end(), text=match.group())
        said = " ".join(match.group().split())
        return [Inference(f"Duration: {of_hours}, {of_minutes}. {said}.", (quote,), "duration")]
    return []


def _inference(worked: str, findings: Sequence[Finding], subject: str) -> Inference:
    told = [each.statement.rstrip() for each in findings]
    told = [each if each.endswith((".", "!", "?")) else f"{each}." for each in told]
    quotes = [quote for each in findings for quote in each.quotes]
    return Inference(" ".join([worked, *told]), tuple(dict.fromkeys(quotes)), subject)


def _pairs(question: Question, text: str) -> Iterator[tuple[_Figure, _Figure]]:
    """Yield the pairs of figures that a sentence lays side by side, each the earlier and the later one."""
    figures = _figures(text)
    wanted = [each for each in figures if each.unit == "%"] if _IN_POINTS.search(question.text) else []
    for one, other in pairwise(wanted or figures):
        before, between = (
            text[max(0, one.number.start - _REACH) : one.number.start],
            text[one.number.end : other.number.start],
        )
        if not _same_unit(one, other) or len(between) > 2 * _REACH or regex.search(r"[;.]\s", between):
            continue
        if _FROM.search(before) and _TO.search(between):
            yield one, other
        elif (_TO.search(before) and _FROM.search(between)) or _BACK.search(between):
            yield other, one


def _keyed(question: Question, text: str) -> tuple[_Figure, _Figure] | None:
    """Return the figures that stand by two others which the question names: `between 1,000 and 3,000 cycles`."""
    asked = [number.value for number in find_numbers(question.text) if not number.is_year]
    if len(asked) != 2:
        return None
    found: dict[Decimal, _Figure] = {}
    for clause in regex.split(r"[;.]\s|,\s(?=(?:after|at|in|for|with)\b)|\sand\s(?=(?:after|at|in|for)\b)", text):
        figures = _figures(clause)
        if len(figures) == 2:
            for key, value in (figures, figures[::-1]):
                if key.number.value in asked:
                    found.setdefault(key.number.value, value)
    if len(found) != 2:
        return None
    earlier, later = (found[value] for value in asked)
    return (earlier, later) if _same_unit(earlier, later) else None


def _figures(text: str) -> list[_Figure]:
    found = []
    for number in find_numbers(text):
        match = _PLAIN.search(number.text)
        if number.is_year or number.kind != "cardinal" or match is None:
            continue
        rest = f"{number.text[: match.start()]} {number.text[match.end() :]}".split()
        behind = _UNIT_BEHIND.match(text[number.end :])
        if not rest and behind and behind[1].casefold() not in _NO_UNIT:
            rest = [behind[1]]
        found.append(_Figure(number, match.group(), " ".join(rest)))
    return found


def _money(text: str) -> list[_Figure]:
    return [each for each in _figures(text) if len(each.number.unit) == 3 and each.number.unit.isupper()]


def _same_unit(one: _Figure, other: _Figure) -> bool:
    scales = [each.number.value / each.value if each.value else Decimal(1) for each in (one, other)]
    if scales[0] != scales[1] and "" not in (one.unit, other.unit):
        return False
    return one.unit == other.unit or "" in (one.unit, other.unit)


def _of_the_years(question: Question, finding: Finding) -> bool:
    """Whether the years that a question names stand in the sentence or its title."""
    candidate = finding.scored.candidate
    said = f"{candidate.text} {candidate.title} {' '.join(sorted(candidate.context))}"
    years = {str(year) for period in question.periods for year in (period.start.year, period.end.year)}
    return all(year in said for year in years)


def _shown(value: Decimal) -> str:
    return f"{value:,f}"
