"""Tell what happens to one company, step by step."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from random import Random
from typing import Any

from .gold import Gold, Said
from .sentences import Sentences
from .story import STEPS, Company, Step, in_full


def tell_history(sentences: Sentences, co: Company, turn: int) -> None:
    """State all steps of a company; its turn decides which steps of every other company it has."""
    start = date(2019, sentences.random.randint(1, 4), sentences.random.randint(2, 27))
    told: dict[str, Gold] = {}
    for step in STEPS:
        if step.only is not None and step.only != turn % 2:
            continue
        gold = _also_told(sentences, co, step, told) if step.how == "also" else _told(sentences, co, step, start)
        if gold is None:
            continue
        told[step.key] = gold
        for key in step.closes:
            sentences.pages.close(told[key], gold)
        if step.closed_by:
            sentences.pages.close(gold, told[step.closed_by])


def _also_told(sentences: Sentences, co: Company, step: Step, told: Mapping[str, Gold]) -> Gold | None:
    """Note what the sentence of another step says too, or nothing where its wording does not."""
    first = told[step.of]
    if step.where.format(**vars(co)) not in first.text:
        return None
    return sentences.also(first, _said(step, vars(co)), ends=step.ends)


def _told(sentences: Sentences, co: Company, step: Step, start: date) -> Gold:
    """State a step in a sentence of its own."""
    when = _day_in(step, sentences.random) if step.year else start + timedelta(days=step.after_days)
    known = vars(co) | {"plain": in_full(step.millions)}
    said = _said(step, known)
    fields = {name: text.format(**known) for name, text in step.fields.items()} | {"amount": co.amount(step.millions)}
    if step.how in ("state", "always"):
        return sentences.holds(co, step.wording, when, said, fields, always=step.how == "always")
    if said.value and step.millions:
        said = said._replace(unit=co.currency_code)
    return sentences.happened(co, step.wording, when, said, fields, event=step.how == "event", ends=step.ends)


def _said(step: Step, known: Mapping[str, Any]) -> Said:
    return Said(*(text.format(**known) for text in step.says))


def _day_in(step: Step, random: Random) -> date:
    return date(step.year, step.month or random.randint(2, 11), random.randint(2, 27))
