"""Find what is still open after a round, and the queries that may close it; none was asked before."""

from __future__ import annotations

from collections.abc import Sequence

import regex

from ....state.records import Gap, PlanQuestion
from ....text.words import analyse, line_words
from ...protocol import GapTask, Passage
from ..asked.names import names_in
from ..asked.question import Question, as_asked, key_phrase, read_question
from ..found.candidates import Candidate, every_candidate, title_of
from ..found.findings import spans_of
from ..found.scoring import rank_candidates
from ..found.told_periods import uncovered
from ..found.vectors import TextVectors
from ..found.weights import coverage, held_terms, of_named_sources, term_weights
from ..phrases import phrase
from ..worked.statement_figures import figures_for, missing_queries
from .declining import Bearing, bearing_of
from .plan import query_key

_HOP_PASSAGES = 6
_HOP_SENTENCES = 12
_WHOLE = 0.97
_MOSTLY = 0.6
# A name that more than this share of the passages mentions tells none of them apart.
_COMMON = 0.2
_ENOUGH_TO_COUNT = 10
_NAME_WORDS = 6
_ACRONYM_CHARS = 12


async def open_gaps(task: GapTask, vectors: TextVectors) -> list[Gap]:
    """Return the plan questions that stay open or that a second hop may complete, with new queries.

    After the first round a question whose words no single passage holds gets a second hop: the names found in its
    best sentences, and the words still missing.  Later rounds ask only for what does not bear yet.
    """
    asked = {query_key(query) for query in task.asked}
    first_round = {query_key(query) for query in task.plan.queries} >= asked
    left = task.max_followups
    gaps: list[Gap] = []
    for part in task.plan.subtasks:
        question = read_question(part.text)
        if question.is_empty:
            gaps.append(Gap(question_id=part.question_id, reason="The question names nothing to look for."))
            continue
        if figures_for(question, task.passages):
            continue  # computed from the statements found
        passages = of_named_sources(question, task.passages)
        bearing = await bearing_of(question, passages, vectors, spans_of(task.facts, passages))
        reason = _reason(part, question, bearing, task)
        if not reason and not first_round:
            continue
        queries = missing_queries(question, task.passages) if left else []
        queries += await _follow_ups(question, bearing, passages, vectors) if left else []
        fresh: list[str] = []
        for query in queries:
            if len(fresh) < left and query_key(query) not in asked:
                asked.add(query_key(query))
                fresh.append(query)
        left -= len(fresh)
        if reason or fresh:
            gaps.append(
                Gap(
                    question_id=part.question_id,
                    reason=reason or "A second hop: names found in the first round may complete the answer.",
                    queries=tuple(fresh),
                    optional=not reason,
                )
            )
    return gaps


def _reason(part: PlanQuestion, question: Question, bearing: Bearing, task: GapTask) -> str:
    """Return why a question is open, empty where it is not."""
    if not task.passages:
        return "Nothing was found."
    if not bearing.bears:
        words = ", ".join(as_asked(question, bearing.missing)[:4])
        return "No passage bears on the question" + (f"; missing: {words}." if words else ".")
    same = {
        each.question_id for each in task.plan.subtasks if set(read_question(each.text).terms) == set(question.terms)
    }
    own = [fact for fact in task.facts if fact.question_id in {part.question_id, *same}]
    if missing := uncovered(question, spans_of(own, task.passages)):
        return phrase("gap_period", task.plan.language, period=", ".join(period.text for period in missing))
    told = bool(own)
    if not told and not _told_for_another(question, task):
        return "No sentence that was found answers the question."
    return ""


def _told_for_another(question: Question, task: GapTask) -> bool:
    """Whether a fact that was kept for another part of the question says most of what this part asks."""
    weights = term_weights(question, task.passages)
    spans = spans_of(task.facts, task.passages)
    return any(coverage(span.known, weights) >= _MOSTLY for span in spans)


async def _follow_ups(
    question: Question, bearing: Bearing, passages: Sequence[Passage], vectors: TextVectors
) -> list[str]:
    """Return follow-up queries, the most promising first."""
    weights = term_weights(question, passages)
    top = sorted(passages, key=lambda item: (-bearing.by_passage[item.chunk.chunk_id], item.chunk.chunk_id))
    if top and coverage(held_terms(question, top[0]), weights) >= _WHOLE:
        return []
    candidates = every_candidate(top[:_HOP_PASSAGES])
    ranked = await rank_candidates(question, candidates, weights, bearing.by_passage, vectors)
    hops = hop_names(question, [scored.candidate for scored in ranked[:_HOP_SENTENCES]], top)
    queries: list[str] = []
    for name, found_in in hops:
        held = found_in.known
        rest = _missing_phrase(question, held)
        queries.append(f"{name} {rest}".strip())
    if bearing.missing:
        queries.append(_missing_phrase(question, frozenset(question.terms) - frozenset(bearing.missing)))
    return [query for query in queries if query]


def hop_names(
    question: Question, sentences: Sequence[Candidate], passages: Sequence[Passage]
) -> list[tuple[str, Candidate]]:
    """Return names that good sentences mention beside those of the question, with the sentence, in order.

    A name that is the title of a passage already found leads nowhere new.
    """
    titles = {_bare(title_of(passage)) for passage in passages}
    texts = [passage.chunk.text.casefold() for passage in passages]
    asked = question.text.casefold()
    hops: dict[str, tuple[str, Candidate]] = {}
    for sentence in sentences:
        for name in names_in(" ".join(sentence.text.split()), question.language):
            bare = _bare(name)
            terms = set(analyse(name))
            if len(bare.split()) > _NAME_WORDS or (name.isupper() and len(name) > _ACRONYM_CHARS):
                continue  # a heading rather than a name
            if bare in titles or bare in asked or not terms or terms <= set(question.terms) | sentence.context:
                continue
            if len(texts) >= _ENOUGH_TO_COUNT and sum(bare in text for text in texts) > _COMMON * len(texts):
                continue
            hops.setdefault(bare, (name, sentence))
    # Names of several words lead to one thing; a single one (`American`) often to many.
    return sorted(hops.values(), key=lambda hop: " " not in hop[0])


def _missing_phrase(question: Question, held: frozenset[str]) -> str:
    """Return the question's words that a text lacks, in their order."""
    words = line_words(key_phrase(question.text, question.language))
    return " ".join(word for word in words if not set(analyse(word)) <= held)


def _bare(name: str) -> str:
    return str(regex.sub(r"\s*\(.*?\)", "", name)).casefold().strip()
