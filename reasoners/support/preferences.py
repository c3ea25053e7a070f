"""Which of several figures of one thing to prefer, and why."""

from __future__ import annotations

from collections.abc import Sequence

import regex

from .measurements import DEFINITIONS, Measurement

_CORRECTS = regex.compile(
    r"\b(?:correct(?:s|ed|ing|ion)|restat(?:es|ed|ing|ement)|revis(?:es|ed|ing|ion)|supersed(?:es|ed|ing)|"
    r"replac(?:es|ed|ing)|updat(?:es|ed|ing)|amend(?:s|ed|ing|ment)|errat(?:um|a)|instead of|no longer|korrigiert)\b",
    regex.IGNORECASE,
)
_WEAK_DEFINITIONS = frozenset(
    {"unaudited", "unvalidated", "estimated", "estimate", "preliminary", "planned", "budgeted", "forecast", "target"}
)
_AUDITED = regex.compile(r"(?<!\bnot\s)(?<!\bnot yet\s)(?<!\byet to be\s)\baudited\b", regex.IGNORECASE)


def preferred_of(group: Sequence[Measurement]) -> tuple[Measurement | None, str]:
    """Return the measurement to prefer, or None where nothing tells which is right, and the reason."""
    definition = _definition(group)
    if definition is not None:
        return definition
    structured = [m for m in group if m.tier == "structured"]
    if structured and len(structured) < len(group):
        if len(structured) == 1:
            return structured[0], "a structured export outranks a narrative source"
        group = structured
    correcting = [m for m in group if _CORRECTS.search(_nearby(m))]
    if len(correcting) == 1 and not any(other.dated > correcting[0].dated for other in group if correcting[0].dated):
        older = next(m for m in group if m is not correcting[0])
        when = f" of {correcting[0].dated}" if correcting[0].dated else ""
        return correcting[0], f"the statement{when} says it corrects the older figure {older.number.text}".rstrip()
    dated = sorted((m for m in group if m.dated), key=lambda m: m.dated)
    if len(dated) == len(group) and dated[-1].dated > dated[-2].dated:
        return dated[-1], f"stated later ({dated[-1].dated} against {dated[-2].dated}); it does not say why it differs"
    return None, "the sources have equal rank and nothing tells which is right"


def _definition(group: Sequence[Measurement]) -> tuple[Measurement | None, str] | None:
    """Return the verdict where the sources name different definitions of the figure."""
    audited = [m for m in group if _AUDITED.search(m.words)]
    if len(audited) == 1 and len(group) > 1:
        return audited[0], "an audited figure outranks one that is not"
    for line in DEFINITIONS:
        said = [
            next((word for word in line if regex.search(rf"\b{word}\b", m.words, regex.IGNORECASE)), "") for m in group
        ]
        distinct = {_spelling(word) for word in said if word}
        weak = [word in _WEAK_DEFINITIONS for word in said]
        if any(weak) and not all(weak):
            strong = [m for m, is_weak in zip(group, weak, strict=True) if not is_weak]
            name = next(word for word in said if word in _WEAK_DEFINITIONS)
            if len(strong) == 1:
                return strong[0], f"the other figure is {name}, as its source says"
        if len(distinct) > 1:
            names = " against ".join(dict.fromkeys(word for word in said if word))
            return None, f"the figures are defined differently: {names}"
    return None


def _spelling(word: str) -> str:
    return word.replace("recognized", "recognised")


def _nearby(measurement: Measurement) -> str:
    """Return the quote with the rest of its paragraph, where a correction is announced."""
    if measurement.passage is None:
        return measurement.words
    text = measurement.passage.chunk.text
    end = text.find("\n\n", measurement.quote.end)
    return text[measurement.quote.start : min(end if end >= 0 else len(text), measurement.quote.end + 200)]
