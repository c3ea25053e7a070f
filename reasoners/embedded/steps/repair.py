"""Repair a draft without inventing: cite what supports it, say it in the quote's words, ask once more, or drop it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ....state.records import Claim, Draft, OpenQuestion, Patch, Quote, Section, Verdict
from ....text.matching import find_quote
from ....text.words import analyse
from ...protocol import Passage, Repair, RepairTask, SupportJudge
from ..asked.question import key_phrase
from ..found.candidates import candidates_of, passage_terms
from ..phrases import phrase
from .plan import query_key

_REPAIRABLE = frozenset(
    ["unknown_id", "foreign_source", "uncited", "unsupported", "partial", "not_checked", "quote_mismatch"]
)
_TRIED_PASSAGES = 6
_MIN_SHARED = 0.5


async def repaired(task: RepairTask, judge: SupportJudge) -> Repair:
    """Return the draft with every claim that has an issue mended, softened, waiting for one retrieval, or dropped."""
    passages = {passage.chunk.chunk_id: passage for passage in task.passages}
    broken = {issue.claim_id for issue in task.issues if issue.kind in _REPAIRABLE and issue.claim_id}
    changed: dict[str, Claim | None] = {}
    patches: list[Patch] = []
    open_questions: list[OpenQuestion] = []
    query, waiting = "", ""
    for claim in task.draft.claims:
        if claim.claim_id not in broken:
            continue
        mended, action, reason = await _mended(claim, task.verdicts.get(claim.claim_id), passages, judge)
        if mended is not None:
            changed[claim.claim_id] = mended
            patches.append(_patch(task, claim, action, mended.text, reason))
            continue
        asked = _query_for(claim, task)
        if task.may_retrieve and not query and asked:
            query, waiting = asked, claim.claim_id
            patches.append(_patch(task, claim, "retrieve", claim.text, f"asked for: {asked}"))
            continue
        changed[claim.claim_id] = None
        patches.append(_patch(task, claim, "drop", "", "no passage found supports it"))
        open_questions.append(OpenQuestion(question=claim.text, reason=phrase("open_no_sentence", task.plan.language)))
    draft = _with(task.draft, changed)
    if open_questions:
        draft = draft.model_copy(update={"open_questions": (*draft.open_questions, *open_questions)})
    return Repair(draft, tuple(patches), query, waiting, tuple(open_questions))


async def _mended(
    claim: Claim, verdict: Verdict | None, passages: Mapping[str, Passage], judge: SupportJudge
) -> tuple[Claim | None, str, str]:
    """Return a claim that is supported, what was done and why; None where nothing supports it."""
    for cited in _citing(claim, passages):
        again = await judge.judge(claim.model_copy(update={"citations": tuple(p.chunk.chunk_id for p in cited)}), cited)
        if again.support == "supported" and again.quotes:
            names = tuple(dict.fromkeys(quote.chunk_id for quote in again.quotes))
            mended = claim.model_copy(update={"citations": names, "quotes": again.quotes})
            return mended, "recite", "another passage supports it"
    for text, quote in _own_words(claim, verdict, passages):
        softer = claim.model_copy(update={"text": text, "citations": (quote.chunk_id,), "quotes": (quote,)})
        again = await judge.judge(softer, [passages[quote.chunk_id]])
        if again.support == "supported":
            return softer, "soften", "said in the passage's own words"
    return None, "", ""


def _citing(claim: Claim, passages: Mapping[str, Passage]) -> list[list[Passage]]:
    """Return sets of passages worth trying: the known ones it cites, then each that shares most of its words."""
    terms = set(analyse(claim.text))
    shared = {
        chunk_id: len(terms & passage_terms(passage)) / max(1, len(terms)) for chunk_id, passage in passages.items()
    }
    near = sorted((chunk_id for chunk_id in passages if shared[chunk_id] >= _MIN_SHARED), key=lambda c: (-shared[c], c))
    known = [passages[chunk_id] for chunk_id in claim.citations if chunk_id in passages]
    tries = [known] if known and len(known) < len(claim.citations) else []
    tries.extend([passages[chunk_id]] for chunk_id in near[:_TRIED_PASSAGES] if [passages[chunk_id]] != known)
    if len(near) > 1:
        tries.append([passages[chunk_id] for chunk_id in near[:2]])
    return tries


def _own_words(claim: Claim, verdict: Verdict | None, passages: Mapping[str, Passage]) -> list[tuple[str, Quote]]:
    """Return sentences of cited passages that may stand for the claim, the closest first."""
    found: list[tuple[str, Quote]] = []
    for quote in (*(verdict.quotes if verdict else ()), *claim.quotes):
        passage = passages.get(quote.chunk_id)
        place = find_quote(quote.text, passage.chunk.text) if passage is not None else None
        if passage is None or place is None:
            continue
        text = passage.chunk.text[place[0] : place[1]]
        exact = Quote(chunk_id=quote.chunk_id, start=place[0], end=place[1], text=text)
        if len(analyse(text)) >= 3:
            found.append((" ".join(text.split()), exact))
    terms = set(analyse(claim.text))
    for chunk_id in claim.citations:
        if chunk_id not in passages:
            continue
        spans = [span for span in candidates_of(passages[chunk_id]) if span.row is None]
        spans.sort(key=lambda span: (-len(terms & span.terms) / max(1, len(terms | span.terms)), span.key))
        for span in spans[:1]:
            if len(terms & span.terms) >= _MIN_SHARED * len(terms):
                quote = Quote(chunk_id=chunk_id, start=span.start, end=span.end, text=span.text)
                found.append((" ".join(span.text.split()), quote))
    return [(text, quote) for text, quote in found if text != claim.text]


def _query_for(claim: Claim, task: RepairTask) -> str:
    """Return a query for what the claim says that the plan has not asked already; empty where there is none."""
    query = key_phrase(claim.text, task.plan.language)[:300]
    asked = {query_key(earlier) for earlier in task.plan.queries}
    return query if query and query_key(query) not in asked else ""


def _patch(task: RepairTask, claim: Claim, action: str, after: str, reason: str) -> Patch:
    return Patch.model_validate(
        {
            "repair": task.repair,
            "claim_id": claim.claim_id,
            "action": action,
            "before": claim.text,
            "after": after,
            "reason": reason,
        }
    )


def _with(draft: Draft, changed: Mapping[str, Claim | None]) -> Draft:
    """Return the draft with claims replaced (None: dropped); a section that loses all of them goes too."""
    pick: Callable[[Sequence[Claim]], tuple[Claim, ...]] = lambda claims: tuple(  # noqa: E731
        kept for claim in claims if (kept := changed.get(claim.claim_id, claim)) is not None
    )
    sections = tuple(
        Section(heading=section.heading, claims=kept) for section in draft.sections if (kept := pick(section.claims))
    )
    return draft.model_copy(update={"summary": pick(draft.summary), "sections": sections})
