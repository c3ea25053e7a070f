"""Tie what a model says to the passages it was shown: references to passages, quotes to characters, facts to both."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from html import unescape

from ...retrievers.urls import find_urls
from ...state.records import Claim, Fact, Quote, Verdict
from ...text.matching import find_elided, find_quote
from ...text.sentences import sentences
from ...text.words import analyse
from ..embedded.found.orders import order_spans
from ..prompts.fact_extractor import FactItem
from ..protocol import FactTask, Passage, SupportJudge

_ID = re.compile(r"[0-9a-f]{40}:\d+")
_NUMBER = re.compile(r"""^[\s\[(<【"'#]*(?:passages?|sources?|chunks?|p|n)?[\s:#.=]*(\d{1,4})[\s\])>】"'.:]*$""", re.I)

# What a check found against a claim beyond doubt; a model's opinion does not weigh against these.
HARD_KINDS = frozenset(
    ["number", "unit", "arithmetic", "period", "name", "row", "column", "direction", "opposite", "negation", "quote"]
)


@dataclass(frozen=True)
class Shown:
    """The passages of one prompt, numbered from 1 by their place."""

    passages: tuple[Passage, ...]

    def find(self, reference: str) -> Passage | None:
        """Return the passage that a model's reference means: its number, its id, or the name of a one-passage source.

        None where the reference means none of them, or more than one.
        """
        if found := _ID.search(reference):
            return next((p for p in self.passages if p.chunk.chunk_id == found.group()), None)
        if numbered := _NUMBER.match(reference):
            number = int(numbered[1])
            return self.passages[number - 1] if 1 <= number <= len(self.passages) else None
        name = reference.strip(" \t\n\"'[]()")
        named = [p for p in self.passages if name and p.chunk.uri == name]
        return named[0] if len(named) == 1 else None


def quotes_in(passage: Passage, words: str) -> tuple[Quote, ...]:
    """Return where a passage holds the words a model quoted, as it has them; empty where it does not.

    A quote with `…` is several quotes, all of which must be there, in order.
    """
    text = passage.chunk.text
    for form in dict.fromkeys((words, unescape(words), words.strip(" \t\n\"'“”„«».,;"))):
        span = find_quote(form, text) or find_quote(form, text, ignore_case=True)
        if span:
            return (_quote(passage, *span),)
        if ("…" in form or "..." in form) and (spans := find_elided(form, text)):
            return tuple(_quote(passage, start, end) for start, end in spans)
    return ()


def without_orders(passage: Passage) -> Passage:
    """Return the passage with lines that give orders to an assistant blanked, offsets unchanged."""
    text = passage.chunk.text
    spans = order_spans(text)
    if not spans:
        return passage
    for start, end in spans:
        text = text[:start] + " " * (end - start) + text[end:]
    return replace(passage, chunk=passage.chunk.model_copy(update={"text": text}))


def hard_reason(verdict: Verdict) -> str:
    """Return the first reason that no second opinion outweighs, "" where there is none."""
    return next((reason for reason in verdict.reasons if reason.partition(":")[0] in HARD_KINDS), "")


async def grounded_facts(
    items: Sequence[FactItem], shown: Shown, task: FactTask, judge: SupportJudge
) -> tuple[list[Fact], int]:
    """Return the facts whose words stand in a passage that was shown, and how many were refused."""
    made = await asyncio.gather(*(_fact(item, shown, task, judge) for item in items))
    kept = [fact for fact in made if fact is not None]
    return kept, len(made) - len(kept)


async def _fact(item: FactItem, shown: Shown, task: FactTask, judge: SupportJudge) -> Fact | None:
    passage, quotes = _located(item, shown)
    if passage is None or not quotes:
        return None
    safe = without_orders(passage)
    if any(not safe.chunk.text[quote.start : quote.end].strip() for quote in quotes):
        return None  # The words are an order to an assistant.
    statement, score = " ".join(item.statement.split()), 1.0
    # Words of the passage need no check of whether the passage says so.
    if not any(find_quote(statement.rstrip(".。"), " ".join(quote.text.split())) for quote in quotes):
        claim = Claim(claim_id="", text=statement, citations=(passage.chunk.chunk_id,), quotes=quotes)
        verdict = await judge.judge(claim, [safe])
        if verdict.support == "unsupported" and hard_reason(verdict):
            return None
        score = verdict.score
        linked = any(url not in safe.chunk.text for url in find_urls(statement))
        if verdict.support != "supported" or linked:
            # Told in the passage's own words rather than in words that go beyond it.
            statement = _sentence_of(safe, quotes[0])
    known = {part.question_id for part in task.plan.subtasks}
    only = next(iter(known)) if len(known) == 1 else ""
    return Fact(
        fact_id="",
        statement=statement,
        quotes=quotes,
        query=next(iter(passage.queries), ""),
        iteration=task.iteration,
        score=score,
        question_id=item.question_id.strip() if item.question_id.strip() in known else only,
    )


def _located(item: FactItem, shown: Shown) -> tuple[Passage | None, tuple[Quote, ...]]:
    """Return the passage of a fact and its quotes; a wrong number is mended where one passage alone has the words."""
    passage = shown.find(item.passage)
    if not item.quote.strip():
        return passage, _carrying(passage, item.statement) if passage else ()
    if passage is not None and (quotes := quotes_in(passage, item.quote)):
        return passage, quotes
    holders = [(other, quotes) for other in shown.passages if (quotes := quotes_in(other, item.quote))]
    # A passage whose id is unknown may not be cited, even when its words are somewhere.
    if passage is not None and len(holders) == 1:
        return holders[0]
    return passage, ()


def _carrying(passage: Passage, statement: str) -> tuple[Quote, ...]:
    """Return the first sentence that holds every content word of a statement: the one place that needs no guess."""
    wanted = set(analyse(statement))
    for start, end in sentences(passage.chunk.text):
        if wanted and wanted <= set(analyse(passage.chunk.text[start:end])):
            return (_quote(passage, start, end),)
    return ()


def _sentence_of(passage: Passage, quote: Quote) -> str:
    text = passage.chunk.text
    for start, end in sentences(text):
        if start <= quote.start < end:
            return " ".join(text[start : max(end, quote.end)].split())
    return " ".join(quote.text.split())


def _quote(passage: Passage, start: int, end: int) -> Quote:
    return Quote(chunk_id=passage.chunk.chunk_id, start=start, end=end, text=passage.chunk.text[start:end])
