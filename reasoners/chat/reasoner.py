"""The reasoner that asks a chat model, with the embedded engine behind every step."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from langchain_core.messages import BaseMessage

from ...errors import BudgetExhausted, CitewellError, MalformedReply, ProviderUnavailable
from ...retrievers.urls import normal_form
from ...state.records import Claim, Draft, Fact, Gap, Plan, Verdict
from ...text.matching import find_quote
from ..beside import Beside, beside
from ..embedded.asked.question import read_question
from ..embedded.phrases import phrase
from ..prompts import fact_extractor, fixer, gap_detector, planner, resolver, synthesizer, validator
from ..prompts.evidence import Fitted, batches, fit
from ..protocol import FactTask, GapTask, Passage, PlanTask, Reasoner, Repair, RepairTask, SynthesisTask
from ..support.conflicts import disagreements
from .asking import Asker
from .drafting import Drafting, known_words, read_prose, without_links
from .grounding import Shown, grounded_facts, hard_reason, without_orders
from .opinion import second_opinion
from .planning import open_parts, planned
from .repairing import applied

T = TypeVar("T")

Ahead = Callable[[Sequence[Fact | Claim], Sequence[Passage]], Awaitable[None]]

LEAST_BATCHES = 4
"""Prompts of evidence that a round may ask at least, also where fewer calls may be in flight at once."""

LEAST_PARTS = 4
CHARS_PER_PART = 16_000
"""Evidence that a round reads for each part of a question, and for a question of fewer parts as if it had four.

What was found of gold documents lay within these 64,000 characters for all of 256 questions over filings, abstracts and
articles (`evals/README.md`); what ranks below costs tokens.
"""


@dataclass
class ChatReasoner:
    """Thinks with a chat model; what it says counts only as far as passages carry it.

    A step whose reply cannot be read, whose budget is spent, or whose provider fails after it had worked is done by
    the embedded engine, and the run is told.  A provider that never worked, or refuses, ends the run.

    Attributes:
        asker: Asks the model of this step on behalf of the run.
        embedded: Does the steps that the model cannot, and judges first.
        ahead: Makes ready, while the model is asked, what checking claims that tell some facts will need.
    """

    asker: Asker
    embedded: Reasoner
    ahead: Ahead | None = None
    name: str = "chat"

    async def resolve(self, question: str, history: Sequence[tuple[str, str]]) -> str:
        """Return the question with what earlier turns left unsaid filled in."""
        if not history:
            return question

        async def ask() -> str:
            reply = await self.asker.ask(
                "resolver",
                lambda chars: resolver.render(question, history, chars),
                resolver.Resolved,
                chars=6_000,
                max_tokens=400,
            )
            said = " ".join([question, *(text for _, text in history)])
            resolved = without_links(reply.question, said)
            if not resolved or len(resolved) > 2_000:
                raise MalformedReply("resolver", "the reply holds no question")
            return resolved

        return await self._or_embedded("resolver", ask, lambda: self.embedded.resolve(question, history))

    async def plan(self, task: PlanTask) -> Plan:
        """Return a plan of the model's parts and queries, filled up to ten queries by the embedded engine's."""
        asked = read_question(task.question)
        if asked.is_empty:
            return await self.embedded.plan(task)  # It needs no model to say so.
        with beside(lambda: self.embedded.plan(task)) as planning:

            async def ask() -> Plan:
                run = self.asker.run
                reply = await self.asker.ask(
                    "planner",
                    lambda chars: planner.render(
                        task,
                        language=asked.language,
                        today=run.today,
                        recall_chars=run.settings.recall_chars,
                        chars=chars,
                    ),
                    planner.PlanReply,
                    chars=6_000,
                    max_tokens=1_500,
                )
                return planned(reply, await planning.outcome(), task)

            return await self._or_embedded("planner", ask, planning.outcome)

    async def extract_facts(self, task: FactTask) -> list[Fact]:
        """Return facts whose quotes stand in the passages that were shown, batch by batch, best passages first."""
        if not task.passages:
            return []
        settings = self.asker.run.settings
        worth = max(LEAST_PARTS, len(task.plan.subtasks)) * CHARS_PER_PART
        read = fit(task.passages, max(worth, settings.evidence_chars))
        most = max(LEAST_BATCHES, settings.max_parallel_calls)
        parts, unread = batches(read.passages, settings.evidence_chars, most)
        if left_out := unread + read.left_out:
            told = f"evidence fitted to the prompts: {len(task.passages) - left_out} of {len(task.passages)} passages"
            self.asker.run.note("fact_extractor", told)
        found = await asyncio.gather(*(self._facts_of(part.passages, task) for part in parts))
        return [fact for batch in found for fact in batch][: task.limit]

    async def _facts_of(self, passages: Sequence[Passage], task: FactTask) -> list[Fact]:
        async def ask() -> list[Fact]:
            asked = [(part.question_id, part.text) for part in task.plan.subtasks]
            sight = _Sight(passages)
            reply = await self.asker.ask(
                "fact_extractor",
                lambda chars: fact_extractor.render(task.question, asked, sight.within(chars), task.limit),
                fact_extractor.FactsReply,
                chars=max(self.asker.run.settings.evidence_chars, len(passages[0].chunk.text)),
                max_tokens=2_500,
            )
            self._note_cut("fact_extractor", sight.fitted)
            facts, refused = await grounded_facts(reply.facts, Shown(sight.fitted.passages), task, self.embedded)
            if refused:
                told = f"{refused} of {len(reply.facts)} facts refused: no passage carries them word for word"
                self.asker.run.note("fact_extractor", told)
            return facts

        part = replace(task, passages=passages)
        return await self._or_embedded("fact_extractor", ask, lambda: self.embedded.extract_facts(part))

    async def find_gaps(self, task: GapTask) -> list[Gap]:
        """Return the parts that the model finds open, and those without any fact whatever it finds."""

        async def ask() -> list[Gap]:
            asked = self.asker.ask(
                "gap_detector",
                lambda chars: gap_detector.render(task, chars=chars),
                gap_detector.GapsReply,
                chars=12_000,
                max_tokens=1_000,
            )
            reply, certain = await asyncio.gather(asked, self._without_fact(task))
            return open_parts(reply, task, certain)

        with beside(lambda: self._before_draft(task), meanwhile=True):
            return await self._or_embedded("gap_detector", ask, lambda: self.embedded.find_gaps(task))

    async def _before_draft(self, task: GapTask) -> None:
        """Read what a draft's prompt sets side by side, and make its check ready."""
        await asyncio.to_thread(disagreements, task.facts, task.passages)
        await self.foresee(task.facts, task.passages)

    async def _without_fact(self, task: GapTask) -> list[Gap]:
        if not task.facts:
            return await self.embedded.find_gaps(task)
        held = {fact.question_id for fact in task.facts}
        if "" in held or held >= {part.question_id for part in task.plan.subtasks}:
            return []
        return [gap for gap in await self.embedded.find_gaps(task) if gap.question_id not in held]

    async def synthesize(self, task: SynthesisTask) -> Draft:
        """Return the model's answer with conflicts and open questions as the embedded engine finds them.

        The embedded engine drafts beside the model.  Where no fact was found nothing bears on the question, and no
        model is asked to write about it.
        """
        if not task.facts:
            return await self.embedded.synthesize(task)
        with (
            beside(lambda: self.embedded.synthesize(task)) as drafting,
            beside(lambda: self._before_check(task, drafting), meanwhile=True),
        ):
            return await self._or_embedded("synthesizer", lambda: self._drafted(task, drafting), drafting.outcome)

    async def _before_check(self, task: SynthesisTask, drafting: Beside[Draft]) -> None:
        """Read the words that titles and headings may have, and make the check of the draft ready.

        What the draft waits for comes first: on a busy machine there is not time for all.
        """
        await drafting.outcome()
        await asyncio.to_thread(known_words, task.question, task.passages)
        await self.foresee(task.facts, task.passages)

    async def _drafted(self, task: SynthesisTask, beside_it: Beside[Draft]) -> Draft:
        """Return the model's answer, completed from the embedded engine's."""
        sight = _Sight(_cited_first(task))
        conflicts = disagreements(task.facts, task.passages)
        reply = await self.asker.ask(
            "synthesizer",
            lambda chars: synthesizer.render(
                task, sight.within(chars, task.prompt_ids), conflicts, today=self.asker.run.today
            ),
            synthesizer.DraftReply,
            chars=task.evidence_chars,
            max_tokens=4_000,
            prose=read_prose,
        )
        self._note_cut("synthesizer", sight.fitted)
        drafting = Drafting(Shown(sight.fitted.passages), _uris(task.passages), task.question)
        draft = drafting.draft(reply)
        if drafting.links:
            self.asker.run.note("synthesizer", f"{drafting.links} links to no source of this run were removed")
        if not draft.claims:
            raise MalformedReply("synthesizer", "the reply holds no sentence although facts were found")
        base = await beside_it.outcome()
        gaps = {gap.question_id for gap in task.gaps}
        opened = [question for question in base.open_questions if gaps or not draft.open_questions]
        return draft.model_copy(
            update={
                "title": draft.title or base.title,
                "conflicts": base.conflicts,
                "open_questions": tuple(dict.fromkeys((*draft.open_questions, *opened))),
                "notes": tuple(dict.fromkeys((*_of_the_sources(base, task), *draft.notes))),
            }
        )

    async def judge(self, claim: Claim, cited: Sequence[Passage]) -> Verdict:
        """Return the rules' verdict, with the model's second opinion where the rules left room for one."""
        safe = [without_orders(passage) for passage in cited]
        first = await self.embedded.judge(claim, safe)
        if hard_reason(first) and first.support == "unsupported":
            return first
        if first.support == "supported" and _in_own_words(claim.text, safe):
            return first
        sight = _Sight(safe)
        try:
            reply = await self.asker.ask(
                "validator",
                lambda chars: validator.render(claim.text, sight.within(chars)),
                validator.VerdictReply,
                chars=self.asker.run.settings.evidence_chars,
                max_tokens=400,
            )
        except (MalformedReply, BudgetExhausted, ProviderUnavailable) as error:
            return first.model_copy(update={"reasons": (*first.reasons, f"model: not heard, {error}")})
        return second_opinion(claim, first, reply, safe)

    async def repair(self, task: RepairTask) -> Repair:
        """Return the draft with the model's allowed changes; claims it leaves alone go to the embedded engine."""
        failing = {issue.claim_id for issue in task.issues if issue.claim_id}
        broken: list[Claim] = []
        for claim in task.draft.claims:
            if claim.claim_id in failing and sum(len(c.text) for c in broken) + len(claim.text) <= task.draft_chars:
                broken.append(claim)
        if not broken or not task.passages:
            return await self.embedded.repair(task)
        problems: dict[str, list[str]] = {}
        for issue in task.issues:
            problems.setdefault(issue.claim_id, []).append(f"{issue.kind}: {issue.message}")

        async def ask() -> Repair:
            sight = _Sight(_needed_first(broken, task.passages))

            def render(chars: int) -> list[BaseMessage]:
                return fixer.render(
                    task.question,
                    broken,
                    problems,
                    sight.within(chars),
                    language=task.plan.language,
                    may_retrieve=task.may_retrieve,
                )

            reply = await self.asker.ask(
                "fixer", render, fixer.RepairReply, chars=task.evidence_chars, max_tokens=2_500
            )
            self._note_cut("fixer", sight.fitted)
            drafting = Drafting(Shown(sight.fitted.passages), _uris(task.passages), task.question)
            repair = applied(reply.changes, broken, drafting, task)
            if not repair.patches:
                raise MalformedReply("fixer", "the reply holds no change that a repair may make")
            return await self._finished(repair, task)

        return await self._or_embedded("fixer", ask, lambda: self.embedded.repair(task))

    async def foresee(self, told: Sequence[Fact | Claim], passages: Sequence[Passage]) -> None:
        """Make ready what checking claims that tell so will need."""
        if self.ahead is not None:
            await self.ahead(told, [without_orders(passage) for passage in passages])

    async def _finished(self, repair: Repair, task: RepairTask) -> Repair:
        """Let the embedded engine mend the failing claims that the model left as they were."""
        patched = {patch.claim_id for patch in repair.patches}
        rest = [issue for issue in task.issues if issue.claim_id and issue.claim_id not in patched]
        if not rest:
            return repair
        may_retrieve = task.may_retrieve and not repair.query
        more = await self.embedded.repair(replace(task, draft=repair.draft, issues=rest, may_retrieve=may_retrieve))
        return Repair(
            draft=more.draft,
            patches=(*repair.patches, *more.patches),
            query=repair.query or more.query,
            claim_id=repair.claim_id or more.claim_id,
            open_questions=(*repair.open_questions, *more.open_questions),
        )

    async def _or_embedded(self, step: str, ask: Callable[[], Awaitable[T]], embedded: Callable[[], Awaitable[T]]) -> T:
        """Return what the model gives, or what the embedded engine gives where the run can go on that way."""
        try:
            return await ask()
        except (MalformedReply, BudgetExhausted) as error:
            reason: CitewellError = error
        except ProviderUnavailable as error:
            if not self.asker.has_worked:
                raise
            reason = error
        told = reason.problem if isinstance(reason, MalformedReply) else str(reason)
        self.asker.run.note(step, f"{told}; done by the embedded engine")
        return await embedded()

    def _note_cut(self, step: str, fitted: Fitted) -> None:
        if fitted.cut:
            self.asker.run.note(step, fitted.cut)


class _Sight:
    """The passages of a prompt, and which of them it showed when it was rendered last."""

    def __init__(self, passages: Sequence[Passage]) -> None:
        self._passages = passages
        self.fitted = Fitted(tuple(passages))

    def within(self, chars: int, most: int | None = None) -> tuple[Passage, ...]:
        """Fit the passages into so many characters and remember the outcome."""
        self.fitted = fit(self._passages, chars, most=most)
        return self.fitted.passages


def _in_own_words(text: str, passages: Sequence[Passage]) -> bool:
    """Whether a passage says a text word for word, as a sentence or as a heading and the sentence below it."""
    heading, colon, sentence = text.partition(": ")
    forms = [(text,), (heading, sentence)] if colon else [(text,)]
    return any(
        all(find_quote(part.rstrip(".。 "), passage.chunk.text) for part in form)
        for form in forms
        for passage in passages
    )


def _cited_first(task: SynthesisTask) -> list[Passage]:
    """Order passages: those that carry facts, then the rest by rank."""
    carrying = {quote.chunk_id for fact in task.facts for quote in fact.quotes}
    return sorted(task.passages, key=lambda passage: passage.chunk.chunk_id not in carrying)


def _of_the_sources(base: Draft, task: SynthesisTask) -> list[str]:
    """Return the notes of the embedded engine's draft that are not about its own wording."""
    own = {phrase(name, task.plan.language) for name in ("quoted", "declined")}
    return [note for note in base.notes if note not in own]


def _needed_first(broken: Sequence[Claim], passages: Sequence[Passage]) -> list[Passage]:
    """Order passages: those that the broken claims cite, then the rest by rank."""
    cited = {chunk_id for claim in broken for chunk_id in claim.citations}
    return sorted(passages, key=lambda passage: passage.chunk.chunk_id not in cited)


def _uris(passages: Sequence[Passage]) -> frozenset[str]:
    return frozenset(normal_form(passage.chunk.uri) for passage in passages)
