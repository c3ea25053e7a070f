"""What is left of a whole when a part is taken off, and what there was before so many more or fewer came."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import regex

from ....state.records import Quote
from ....text.numerals import grouped
from ...statements.inference import Inference
from ..asked.question import Question
from ..found.candidates import index_terms
from ..found.findings import Finding
from ..found.needed import words_needed
from ..found.weights import holds_all, source_terms
from .results import inference_of
from .sentence_figures import ToldFigure, figures_of, money_in, same_unit

_LEFT = regex.compile(
    r"\bhow (?:much|many)\b.*\b(?:not(?: yet)?|n['’]t|still|remain\w*|left|unspent|outstanding|in (?:the )?future)\b",
    regex.IGNORECASE,
)
_OF_WHICH = regex.compile(r"\b(?:of which|of this|thereof|of these|of them)\b", regex.IGNORECASE)
_NEGATED = regex.compile(r"\b(?:not|no|never|still|yet|remain\w*|left|open|unspent|outstanding)\b", regex.IGNORECASE)
_OF_THEM = regex.compile(r"^\s?(?:[\p{L}-]+\s)?of (?:them|these|those|which)\b", regex.IGNORECASE)
_BEFORE = regex.compile(r"\b(?:last year|(?:previous|preceding|prior) year|the year before)\b", regex.IGNORECASE)
_MORE_THAN = regex.compile(
    r"^\s?(?:[\p{L}-]+\s)?(?P<way>more|fewer|less) than (?:last year|(?:in )?the (?:previous|preceding|prior) year|"
    r"(?:in )?the year before)",
    regex.IGNORECASE,
)
_SENTENCE = regex.compile(r"\s+[^\n.]*(?:\.\d[^\n.]*)*\.")
_DONE = regex.compile(
    r"\b(?:incurred|spent|paid|repaid|used|drawn|completed|done|sold|delivered|settled|granted|credited|received|refunded|"
    r"collected|disbursed|transferred)\b",
    regex.IGNORECASE,
)
_REACH = 120


def remainder(question: Question, finding: Finding) -> Inference | None:
    """Return what is left of a whole of which the sentence, or the one right behind it, says what part is done."""
    if not _LEFT.search(question.text):
        return None
    candidate = finding.candidate
    text = candidate.text
    figures = figures_of(text)
    behind = _SENTENCE.match(candidate.passage.chunk.text[candidate.end :])
    known = candidate.known | index_terms(behind.group() if behind else "")
    known |= source_terms(question, candidate.passage)
    needed = words_needed(question)
    if not needed or not holds_all(known, needed):
        return None
    for whole, part in pairwise(figures):
        between = text[whole.number.end : part.number.start]
        if _OF_WHICH.search(between) and len(between) <= _REACH and _is_part(whole, part):
            if _NEGATED.search(text[part.number.end :].split(".")[0]):
                return None  # the sentence itself says what is left
            return inference_of(_left(whole, part), [finding], "remainder")
        if _OF_WHICH.search(between) and len(between) <= _REACH and part.unit == "%" and _DONE.search(text):
            return inference_of(_left_of_share(whole, part), [finding], "remainder")
    if behind is None or len(figures) != 1 or _NEGATED.search(behind.group()):
        return None
    parts = [each for each in figures_of(behind.group()) if _OF_THEM.match(behind.group()[each.number.end :])]
    if not parts and money_in(text) and _DONE.search(behind.group()):
        parts = money_in(behind.group())
    if len(parts) != 1 or not _is_part(figures[0], ToldFigure(parts[0].number, parts[0].digits, figures[0].unit)):
        return None
    end = candidate.end + behind.end()
    told = candidate.passage.chunk.text[candidate.start : end]
    quote = Quote(chunk_id=candidate.chunk_id, start=candidate.start, end=end, text=told)
    return Inference(f"{_left(figures[0], parts[0])} {' '.join(told.split())}", (quote,), "remainder")


def the_year_before(question: Question, finding: Finding, about: Sequence[Finding]) -> Inference | None:
    """Return how many there were a year before, of a sentence with how many there are and how many more."""
    if not _BEFORE.search(question.text) or not regex.search(r"\bhow (?:much|many)\b", question.text, regex.IGNORECASE):
        return None
    text = finding.candidate.text
    figures = figures_of(text)
    for place, step in enumerate(figures):
        match = _MORE_THAN.match(text[step.number.end :])
        if match is None or not place:
            continue
        asked = set(regex.findall(r"\p{L}{4,}", question.text.casefold()))
        now = next((each for each in figures[:place] if _noun_behind(text, each) in asked), None)
        if now is None:
            return None
        more = match["way"].casefold() == "more"
        value = now.value - step.value if more else now.value + step.value
        worked = f"The year before: {now.digits} {'-' if more else '+'} {step.digits} = {grouped(value)}."
        return inference_of(worked, [finding], "the year before")
    return None


def _noun_behind(text: str, figure: ToldFigure) -> str:
    match = regex.match(r"\s?(\p{L}+)", text[figure.number.end :])
    return match[1].casefold() if match else ""


def _is_part(whole: ToldFigure, part: ToldFigure) -> bool:
    return same_unit(whole, part) and 0 < part.value <= whole.value


def _left_of_share(whole: ToldFigure, part: ToldFigure) -> str:
    unit = f" {whole.unit}" if whole.unit else ""
    left = (whole.value - whole.value * part.value / 100).normalize()
    return f"Difference: {whole.digits} - {whole.digits} * {part.digits} / 100 = {grouped(left)}{unit}."


def _left(whole: ToldFigure, part: ToldFigure) -> str:
    unit = f" {whole.unit}" if whole.unit else ""
    return f"Difference: {whole.digits} - {part.digits} = {grouped(whole.value - part.value)}{unit}."
