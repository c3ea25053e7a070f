"""A reasoner that holds any other one to the dataroom policy: what it may say, and what it must show."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from ...state.harness import Harness, render_instructions
from ...state.records import Claim, Draft, Fact, Gap, Plan, PlanQuestion, Section, Verdict
from ..beside import Beside, beside
from ..embedded.asked.amounts import amount_asked
from ..embedded.asked.question import read_question
from ..embedded.phrases import is_phrase, phrase
from ..protocol import FactTask, GapTask, Passage, PlanTask, Reasoner, Repair, RepairTask, SynthesisTask
from ..support.formulas import find_formulas, judge_computed
from ..tables.asking import read_ask
from ..tables.catalog import Catalog
from ..tables.counting import refers_back
from ..tables.lookups import look_up
from .admission import Admission
from .arrangement import filled, grouped, once, renumbered, sections_of, shortened, topics_named, topped_up, with_claims
from .corrections import asks_for_corrections, corrections
from .counts import counted_in
from .current import current_first
from .disagreements import (
    Disagreement,
    currency_disagreements,
    denial_disagreements,
    figure_disagreements,
    share_disagreements,
    status_disagreements,
)
from .lines import Line, line_of, lines_of
from .overruns import asks_for_overruns, overruns
from .own_claims import claim_of, own_claims
from .settled import bears, distinct, says_again, set_aside, stated, stated_claims, still_open, unranked_questions
from .tabled import Tabled, tabled
from .unknowns import asks_for_missing, mentions, repeats_of, undelivered_lines, unvalidated_lines

MAX_QUERIES = 24
"""Queries of a plan with many parts; a plan of the base engine has at most sixteen."""


@dataclass
class DataroomReasoner:
    """Plans for the sections a policy asks for, computes over exports, and takes out what the exports contradict."""

    base: Reasoner
    harness: Harness
    tables: Callable[[], Catalog]
    speaks_of: Callable[[Sequence[str]], bool] = lambda words: True
    """Whether a file of the dataroom has one of some words."""

    def __post_init__(self) -> None:
        self.name = self.base.name

    async def resolve(self, question: str, history: Sequence[tuple[str, str]]) -> str:
        return await self.base.resolve(question, history)

    async def plan(self, task: PlanTask) -> Plan:
        """Return the base plan; where the policy asks for sections, one that finds out what each of them needs."""
        task = replace(task, guidance=render_instructions(self.harness, task.question))
        sections = sections_of(self.harness, task.question)
        if not sections:
            plan = await self.base.plan(task)
            queries = tuple(dict.fromkeys((task.question, *plan.queries)))
            return plan.model_copy(update={"queries": queries[:MAX_QUERIES]})
        questions = await asyncio.to_thread(self._asked, sections, task.question)
        parts = await asyncio.gather(*(self.base.plan(replace(task, question=question)) for question in questions))
        subtasks: list[PlanQuestion] = []
        queries_of: list[tuple[str, ...]] = []
        for number, (question, part) in enumerate(zip(questions, parts, strict=True), start=1):
            queries_of.append(tuple(dict.fromkeys((question, *part.queries))))
            first = part.subtasks[0] if part.subtasks else PlanQuestion(question_id="", text=question)
            optional = question in self.harness.own_questions
            named = {"question_id": f"Q{number}", "text": question, "optional": optional}
            subtasks.append(first.model_copy(update=named))
        language = parts[-1].language if parts else "en"
        rounds = zip(*(each[:3] + ("",) * (3 - len(each[:3])) for each in queries_of), strict=True)
        queries = tuple(dict.fromkeys(query for layer in rounds for query in layer if query))
        return Plan(goal=task.question, subtasks=tuple(subtasks), queries=queries[:MAX_QUERIES], language=language)

    def _asked(self, sections: Mapping[str, tuple[str, ...]], request: str) -> list[str]:
        """Return the questions of the sections, without those whose words neither the request nor a file has.

        A topic that the request names is asked for itself only where no question of the policy is about it.
        """
        own, topics = self.harness.own_questions, topics_named(self.harness, request)
        asked: dict[str, None] = {}
        for heading, questions in sections.items():
            fit = [
                question
                for question in questions
                if question in own
                and (not own[question] or mentions(request, own[question]) or self.speaks_of(own[question]))
            ]
            others = [question for question in questions if question not in own]
            asked |= dict.fromkeys(fit if fit and others == [topics.get(heading)] else [*fit, *others])
        return list(asked)

    def _looks_for(self, part: PlanQuestion) -> bool:
        """Whether a question asks for what the policy looks for by itself."""
        return (
            asks_for_corrections(part.text, self.harness)
            or asks_for_overruns(part.text)
            or asks_for_missing(part.text, self.harness)
        )

    async def extract_facts(self, task: FactTask) -> list[Fact]:
        return await self.base.extract_facts(task)

    async def find_gaps(self, task: GapTask) -> list[Gap]:
        """Return the base engine's gaps without those that an export settles."""
        gaps = await self.base.find_gaps(task)
        if not gaps:
            return gaps
        settled = {
            each.question_id for each in await self._tabled(task.plan, task.question, task.passages) if each.settles
        }
        # What the policy looks for by itself is not found by asking again in other words.
        settled |= {part.question_id for part in task.plan.subtasks if part.optional and self._looks_for(part)}
        return [gap for gap in gaps if gap.question_id not in settled]

    async def synthesize(self, task: SynthesisTask) -> Draft:
        """Return the base draft under the policy: computed answers first, what is contradicted shown as a conflict."""
        task = replace(task, guidance=render_instructions(self.harness, task.question))
        with (
            beside(lambda: self._policed(task)) as policing,
            beside(lambda: self._foreseen(task, policing), meanwhile=True),
        ):
            draft = await self.base.synthesize(task)
            return await asyncio.to_thread(self._under_policy, draft, task, await policing.outcome())

    async def _foreseen(self, task: SynthesisTask, policing: Beside[_Policed]) -> None:
        await self.base.foresee((await policing.outcome()).added, task.passages)

    async def foresee(self, told: Sequence[Fact | Claim], passages: Sequence[Passage]) -> None:
        await self.base.foresee(told, passages)

    async def judge(self, claim: Claim, cited: Sequence[Passage]) -> Verdict:
        """Judge a computed claim by its formulas, every other one by the base engine."""
        if find_formulas(claim.text):
            texts = [f"{passage.chunk.text}\n{passage.chunk.uri}" for passage in cited]
            verdict = judge_computed(claim.text, texts, [passage.chunk.chunk_id for passage in cited])
            if verdict is not None:
                # Its rows are known: they name what the figures are of, which the formula alone does not.
                rows = claim.quotes if verdict.support == "supported" else ()
                return verdict.model_copy(update={"quotes": rows or verdict.quotes})
        return await self.base.judge(claim, cited)

    async def repair(self, task: RepairTask) -> Repair:
        return await self.base.repair(task)

    async def _tabled(self, plan: Plan, question: str, passages: Sequence[Passage]) -> list[Tabled]:
        # Of a compound question a part may have lost what it is about; its first part computes for the whole.
        whole = "" if sections_of(self.harness, question) else question
        first, others = plan.subtasks[:1], plan.subtasks[1:]

        def look() -> list[Tabled]:
            catalog = self.tables()
            found = [tabled(part, catalog, passages, self.harness, whole, others) for part in first]
            further = [tabled(part, catalog, passages, self.harness) for part in others]
            if refers_back(whole) and any(each.for_all for each in found):
                # Without the part before it, `how many of them` would count all of the register.
                further = [replace(each, computed=()) for each in further]
            return [*found, *further]

        return await asyncio.to_thread(look)

    async def _policed(self, task: SynthesisTask) -> _Policed:
        """Find what the policy says of the evidence, whatever a draft says of it."""
        tabled = await self._tabled(task.plan, task.question, task.passages)
        return await asyncio.to_thread(self._policed_now, task, tabled)

    def _policed_now(self, task: SynthesisTask, tabled: Sequence[Tabled]) -> _Policed:
        lines = lines_of(task.passages)
        computed: list[Disagreement] = []
        for each in tabled:
            if each.lookup:
                computed += figure_disagreements(*each.lookup, lines)
            quotes = [quote for _, some in each.computed for quote in some]
            computed += share_disagreements([answer for answer, _ in each.computed], quotes, lines)
        catalog = self.tables()
        corrected = list(corrections(lines, self.harness))
        exported = [
            *(found for _, found in corrected),
            *currency_disagreements(catalog, lines),
            *status_disagreements(catalog, lines, self.harness),
            *denial_disagreements(catalog, lines),
        ]
        repeats: list[Line] = []
        unvalidated: list[list[Line]] = []
        missing: dict[str, list[Line]] = {}
        for part in task.plan.subtasks:
            amount = part.model_copy(update={"text": amount_asked(read_question(part.text)).text})
            groups = unvalidated_lines(amount.text, lines, self.harness)
            repeats += repeats_of(groups, lines, amount.text)
            unvalidated += groups
            missing[part.question_id] = undelivered_lines(amount, lines, self.harness)
        added = own_claims(task.plan, tabled, unvalidated, missing, self.harness)
        counted: set[str] = set()
        for part in task.plan.subtasks:
            told = [] if part.periods else counted_in(part.text, lines, catalog, self.harness)
            counted |= {part.question_id for _ in told}
            added = [*(claim_of(line.text, [line.quote], part.question_id) for line in told), *added]
            if asks_for_corrections(part.text, self.harness):
                for said, _ in corrected:
                    text = " ".join(line.text for line in said)
                    added.append(claim_of(text, [line.quote for line in said], part.question_id))
            # Where one table answers the question by comparing its columns, it has told them already.
            told_already = any(each.computed for each in tabled if each.question_id == part.question_id)
            if asks_for_overruns(part.text) and not told_already:
                found = overruns(catalog, task.passages)
                added += [claim_of(text, [quote], part.question_id) for text, quote in found]
        return _Policed(lines, tabled, computed, exported, repeats, missing, added, counted)

    def _under_policy(self, draft: Draft, task: SynthesisTask, policed: _Policed) -> Draft:
        tabled, added, missing = policed.tabled, policed.added, policed.missing
        found = self._disagreements(draft, task, policed)
        losers = [*(line for each in found for line in each.losers), *policed.repeats]
        kept = Admission(self.harness, task, losers, tabled, added, missing, policed.counted)
        summary = [*added, *(claim for claim in draft.summary if kept(claim))]
        lookups = [each for each in tabled if each.lookup]
        sections = [
            section.model_copy(update={"claims": tuple(claim for claim in section.claims if kept(claim))})
            for section in draft.sections
        ]
        shown = [each for each in found if bears(each, task.question, self.harness)]
        told = [*summary, *(claim for section in sections for claim in section.claims)]
        statuses = stated_claims(task.plan, shown, told, self.harness)
        summary = [claim for claim in summary if not says_again(claim, statuses)]
        summary = [*summary[: len(lookups)], *statuses, *summary[len(lookups) :]]
        sections = [
            section.model_copy(
                update={"claims": tuple(each for each in section.claims if not says_again(each, statuses))}
            )
            for section in sections
        ]
        conflicts = (*(each.conflict for each in shown), *(each for each in draft.conflicts if distinct(each, found)))
        headings = sections_of(self.harness, task.question)
        # What is only nearest to what was asked for stays under the heading that says so.
        nearest = [each for each in sections if is_phrase(each.heading, "nearest", task.plan.language)]
        sections = [each for each in sections if each not in nearest]
        if not headings:
            aside = set_aside(task.plan, summary, missing, self.harness)
            summary = [claim for claim in summary if claim not in aside]
            sections = with_claims(task.plan, sections, aside)
        summary, sections = topped_up(summary, sections, task.min_summary_citations)
        sections += [] if headings else nearest
        told = [*summary, *(claim for section in sections for claim in section.claims)]
        settled = {each.question_id for each in tabled if each.settles}
        # What the policy itself looks for and finds is no hole.
        found_by_us = {claim.question_id for claim in added}
        settled |= {
            part.question_id for part in task.plan.subtasks if self._looks_for(part) and part.question_id in found_by_us
        }
        holes = still_open(draft, task, settled | stated(task.plan, shown), missing, self.harness)
        listed = {hole.question for hole in holes}
        holes += tuple(hole for hole in unranked_questions(task, tabled, told) if hole.question not in listed)
        return renumbered(
            draft.model_copy(
                update={
                    "summary": shortened(
                        task.plan, current_first(self._results_first(summary, sections), task.passages)
                    )
                    if headings
                    else tuple(once(summary)),
                    "sections": self._arranged(task, headings, summary, sections) if headings else filled(sections),
                    "conflicts": conflicts,
                    "notes": _notes(draft, task, told),
                    "bearing": _bearing(draft, added, told),
                    "open_questions": holes,
                }
            )
        )

    def _arranged(
        self,
        task: SynthesisTask,
        headings: Mapping[str, tuple[str, ...]],
        summary: Sequence[Claim],
        sections: Sequence[Section],
    ) -> tuple[Section, ...]:
        """Return a section per heading; of a memo those alone that the request names or that hold something."""
        found = tuple(
            section.model_copy(
                update={"claims": current_first(sorted(section.claims, key=self._is_forecast), task.passages)}
            )
            for section in grouped(task.plan, headings, summary, sections)
        )
        memo = any(each.memo_inline for each in self.harness.guidance_for(task.question) if each.sections)
        first = next((each for each in self.harness.guidance_for(task.question) if each.sections), None)
        if not memo or (first is not None and not first.memo_inline):
            return found
        named = topics_named(self.harness, task.question)
        return tuple(section for section in found if section.claims or section.heading in named)

    def _results_first(self, summary: Sequence[Claim], sections: Sequence[Section]) -> list[Claim]:
        every = [*summary, *(claim for section in sections for claim in section.claims)]
        return sorted(every, key=self._is_forecast)

    def _is_forecast(self, claim: Claim) -> bool:
        """Whether a claim tells what is expected: it stands behind what has come to be."""
        return mentions(claim.text, self.harness.words("forecast"))

    def _disagreements(self, draft: Draft, task: SynthesisTask, policed: _Policed) -> list[Disagreement]:
        told: list[Disagreement] = []
        catalog = self.tables()
        for line in _told_lines(draft, policed.lines):
            # Every figure that a narrative would be quoted with is looked up in the exports first.
            lookup = look_up(read_ask(line.text), catalog, self.harness.words("superseded"))
            quote = line_of(lookup.row, task.passages) if lookup else None
            if lookup and quote:
                told += [each for each in figure_disagreements(lookup, quote, [line]) if each.losers]
        found = [*policed.computed, *told, *policed.exported]
        return list({each.conflict.model_dump_json(): each for each in reversed(found)}.values())[::-1]


@dataclass(frozen=True)
class _Policed:
    """What the policy says of the evidence, before there is a draft.

    Attributes:
        computed: What narratives say otherwise than what was looked up or computed for the question.
        exported: What narratives say otherwise than the exports, whatever was asked.
        repeats: Lines that tell once more what nobody validated.
        missing: By plan question the lines that tell that it was asked for and not delivered.
        added: Claims that the policy adds.
        counted: Plan questions after a count that a narrative states, and no column of an export.
    """

    lines: Sequence[Line]
    tabled: Sequence[Tabled]
    computed: Sequence[Disagreement]
    exported: Sequence[Disagreement]
    repeats: Sequence[Line]
    missing: Mapping[str, Sequence[Line]]
    added: Sequence[Claim]
    counted: Collection[str] = ()


def _told_lines(draft: Draft, lines: Sequence[Line]) -> list[Line]:
    """Return the narrative lines that the draft quotes."""
    quotes = [quote for claim in draft.claims for quote in claim.quotes]
    return [
        line
        for line in lines
        if not line.structured
        and any(
            quote.chunk_id == line.chunk_id and quote.start < line.end and line.start < quote.end for quote in quotes
        )
    ]


def _bearing(draft: Draft, added: Sequence[Claim], told: Sequence[Claim]) -> tuple[str, ...] | None:
    """Return what bears on the question under the policy: of what the base engine found, only what may be told."""
    if draft.bearing is None:
        return None
    kept = {chunk_id for claim in told for chunk_id in claim.citations}
    ours = [chunk_id for claim in added for chunk_id in claim.citations]
    return tuple(dict.fromkeys((*ours, *(chunk_id for chunk_id in draft.bearing if chunk_id in kept))))


def _notes(draft: Draft, task: SynthesisTask, told: Sequence[Claim]) -> tuple[str, ...]:
    """Return the draft's notes; that no evidence was found is no longer said where an export answers."""
    declined, quoted = phrase("declined", task.plan.language), phrase("quoted", task.plan.language)
    return tuple(dict.fromkeys(quoted if note == declined and told else note for note in draft.notes))
