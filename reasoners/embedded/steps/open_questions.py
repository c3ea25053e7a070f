"""What stays open of a plan question, why, and where it was looked for."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import shorten

from ....state.records import OpenQuestion
from ...protocol import SynthesisTask
from ..asked.question import as_asked
from ..found.weights import held_terms, holds
from ..phrases import phrase
from .parts import Part

_SOURCES_SHOWN = 5
_CLOSEST_CHARS = 280


def open_question(part: Part, task: SynthesisTask) -> OpenQuestion:
    """Return a plan question as open: the reason, all queries of the run, and the sources that came nearest."""
    language = task.plan.language
    if part.question.is_empty:
        reason = phrase("open_empty", language)
    elif not task.passages:
        reason = phrase("open_none", language)
    elif part.missing_words:
        reason = phrase("missing_words", language, words=part.missing_words)
    elif not part.bearing.bears:
        reason = " ".join((phrase("open_weak", language), *_why_open(part, task)))
    else:
        reason = phrase("open_no_sentence", language)
    queries = tuple(dict.fromkeys(query for step in task.steps for query in step.queries))
    ordered = sorted(
        task.passages,
        key=lambda passage: (-part.bearing.by_passage.get(passage.chunk.chunk_id, 0.0), passage.chunk.chunk_id),
    )
    sources = tuple(dict.fromkeys(passage.source.uri for passage in ordered))[:_SOURCES_SHOWN]
    return OpenQuestion(question=part.part.text, reason=reason, queries=queries, sources=sources)


def _why_open(part: Part, task: SynthesisTask) -> Iterator[str]:
    """Yield what no passage holds, and what came closest though it settles nothing."""
    language = task.plan.language
    held = [held_terms(part.question, passage) for passage in task.passages]
    nowhere = [term for term in part.bearing.missing if not any(holds(terms, term) for terms in held)]
    if part.unsaid:
        yield phrase("unsaid", language, words=part.unsaid)
    elif nowhere:
        yield phrase("missing_words", language, words=", ".join(as_asked(part.question, nowhere)))
    if part.closest is not None:
        text = " ".join(part.closest.text.split())
        source = part.closest.passage.source.uri
        yield phrase("closest", language, quote=shorten(text, _CLOSEST_CHARS, placeholder=" …"), source=source)
