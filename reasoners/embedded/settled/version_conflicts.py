"""Versions of one fact told as a conflict that prefers the one that holds."""

from __future__ import annotations

from collections.abc import Sequence

from ....state.records import Conflict, ConflictValue
from ..asked.question import Question, key_phrase
from ..found.dating import dated
from ..found.findings import Finding
from ..phrases import Key, phrase
from .version_values import Version


def conflict_of(question: Question, versions: Sequence[Version], language: str) -> Conflict:
    """Return versions as a conflict that prefers the first, with the days of both."""
    current, older = versions[0], versions[1]
    later, earlier = dated(current.finding.candidate), dated(older.finding.candidate)
    reason = phrase("changes", language, value=older.value)
    if later and earlier and later != earlier:
        key: Key = "later" if current.by_paper else "changes_dated"
        reason = phrase(key, language, value=older.value, later=later, earlier=earlier)
    return Conflict(
        subject=question.focus or key_phrase(question.text, question.language),
        attribute="",
        values=tuple(value_of(version.finding, version.value) for version in versions),
        preferred=current.value,
        reason=reason,
    )


def value_of(finding: Finding, value: str) -> ConflictValue:
    """Return a value as one side of a conflict, with the words that give it and their day."""
    passage = finding.candidate.passage
    return ConflictValue(
        value=value,
        chunk_id=finding.candidate.chunk_id,
        quote=next((quote for quote in finding.quotes if quote.start == finding.candidate.start), finding.quotes[-1]),
        uri=passage.chunk.uri,
        tier=passage.source.tier,
        dated=dated(finding.candidate),
    )
