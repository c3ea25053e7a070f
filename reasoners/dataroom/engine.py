"""A reasoner that holds any other one to the dataroom policy: what it may say, and what it must show."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from ...state.harness import Harness, render_instructions
from ...state.records import (
    Claim,
    Conflict,
    Draft,
    Fact,
    Gap,
    OpenQuestion,
    Plan,
    PlanQuestion,
    Quote,
    Section,
    Verdict,
)
from ...text.periods import find_periods, overlaps
from ...text.words import analyse
from ..embedded.phrases import phrase
from ..protocol import FactTask, GapTask, Passage, PlanTask, Reasoner, Repair, RepairTask, SynthesisTask
from ..support.formulas import find_formulas, judge_computed
from ..tables.answers import Computed, compute
from ..tables.asking import Ask, read_ask
from ..tables.catalog import Catalog
from ..tables.lookups import Lookup, look_up
from ..tables.wording import Spelling, in_words
from .disagreements import (
    Disagreement,
    currency_disagreements,
    denial_disagreements,
    figure_disagreements,
    share_disagreements,
    status_disagreements,
)
from .lines import Line, line_of, lines_of
from .unknowns import (
    asks_for_missing,
    is_neighbour,
    mentions,
    metric_words,
    missing_reason,
    repeats_of,
    said_missing,
    undelivered_lines,
    unvalidated_lines,
)

_GUIDES = ("folder", "folders", "dataroom", "data room", "file", "files", "controlled", "index")
_ATTRIBUTES = frozenset(analyse("status state stage approval result outcome currency existence largest share"))
"""What an attribute may be called; a question that has the word need not be about this subject's."""
MAX_QUERIES = 24
"""Queries of a plan with many parts; a plan of the base engine has at most sixteen."""


@dataclass(frozen=True)
class Tabled:
    """What the exports answer for one plan question, each with the quotes of the retrieved rows it rests on."""

    question_id: str
    lookup: tuple[Lookup, Quote] | None
    computed: tuple[tuple[Computed, tuple[Quote, ...]], ...]
    for_all: bool = False
    """Whether what was computed answers every part of the question, not only this one."""


@dataclass
class DataroomReasoner:
    """Plans for the sections a policy asks for, computes over exports, and takes out what the exports contradict."""

    base: Reasoner
    harness: Harness
    tables: Callable[[], Catalog]

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
        subtasks: list[PlanQuestion] = []
        queries_of: list[tuple[str, ...]] = []
        language = "en"
        for questions in sections.values():
            for question in questions:
                part = await self.base.plan(replace(task, question=question))
                language = part.language
                queries_of.append(tuple(dict.fromkeys((question, *part.queries))))
                first = part.subtasks[0] if part.subtasks else PlanQuestion(question_id="", text=question)
                number = f"Q{len(subtasks) + 1}"
                subtasks.append(first.model_copy(update={"question_id": number, "text": question}))
        rounds = zip(*(each[:3] + ("",) * (3 - len(each[:3])) for each in queries_of), strict=True)
        queries = tuple(dict.fromkeys(query for layer in rounds for query in layer if query))
        return Plan(goal=task.question, subtasks=tuple(subtasks), queries=queries[:MAX_QUERIES], language=language)

    async def extract_facts(self, task: FactTask) -> list[Fact]:
        return await self.base.extract_facts(task)

    async def find_gaps(self, task: GapTask) -> list[Gap]:
        """Return the base engine's gaps without those that an export settles."""
        gaps = await self.base.find_gaps(task)
        if not gaps:
            return gaps
        settled = {
            each.question_id
            for each in await self._tabled(task.plan, task.question, task.passages)
            if each.lookup or each.computed
        }
        return [gap for gap in gaps if gap.question_id not in settled]

    async def synthesize(self, task: SynthesisTask) -> Draft:
        """Return the base draft under the policy: computed answers first, what is contradicted shown as a conflict."""
        task = replace(task, guidance=render_instructions(self.harness, task.question))
        draft = await self.base.synthesize(task)
        tabled = await self._tabled(task.plan, task.question, task.passages)
        return await asyncio.to_thread(self._under_policy, draft, task, tabled)

    async def judge(self, claim: Claim, cited: Sequence[Passage]) -> Verdict:
        """Judge a computed claim by its formulas, every other one by the base engine."""
        if find_formulas(claim.text):
            texts = [f"{passage.chunk.text}\n{passage.chunk.uri}" for passage in cited]
            verdict = judge_computed(claim.text, texts, [passage.chunk.chunk_id for passage in cited])
            if verdict is not None:
                return verdict
        return await self.base.judge(claim, cited)

    async def repair(self, task: RepairTask) -> Repair:
        return await self.base.repair(task)

    async def _tabled(self, plan: Plan, question: str, passages: Sequence[Passage]) -> list[Tabled]:
        # Of a compound question a part may have lost what it is about; its first part computes for the whole.
        whole = "" if sections_of(self.harness, question) else question
        first, others = plan.subtasks[:1], plan.subtasks[1:]

        def look() -> list[Tabled]:
            catalog = self.tables()
            return [
                *(tabled(part, catalog, passages, self.harness, whole, others) for part in first),
                *(tabled(part, catalog, passages, self.harness) for part in others),
            ]

        return await asyncio.to_thread(look)

    def _under_policy(self, draft: Draft, task: SynthesisTask, tabled: Sequence[Tabled]) -> Draft:
        lines = lines_of(task.passages)
        found = self._disagreements(draft, task, tabled, lines)
        losers = [line for each in found for line in each.losers]
        unvalidated: list[list[Line]] = []
        missing: dict[str, list[Line]] = {}
        for part in task.plan.subtasks:
            groups = unvalidated_lines(part.text, lines, self.harness)
            losers += repeats_of(groups, lines, part.text)
            unvalidated += groups
            missing[part.question_id] = undelivered_lines(part, lines, self.harness)
        added = _added(task.plan, tabled, unvalidated, missing, self.harness)
        kept = _Filter(self.harness, task, losers, tabled, added, missing)
        summary = [*added, *(claim for claim in draft.summary if kept(claim))]
        lookups = [each for each in tabled if each.lookup]
        sections = [
            section.model_copy(update={"claims": tuple(claim for claim in section.claims if kept(claim))})
            for section in draft.sections
        ]
        shown = [each for each in found if _bears(each, task.question, self.harness)]
        summary = [*summary[: len(lookups)], *_stated_claims(task.plan, shown, sections), *summary[len(lookups) :]]
        conflicts = (*(each.conflict for each in shown), *(each for each in draft.conflicts if _distinct(each, found)))
        headings = sections_of(self.harness, task.question)
        summary, sections = _topped_up(summary, sections, task.min_summary_citations)
        told = [*summary, *(claim for section in sections for claim in section.claims)]
        settled = {each.question_id for each in tabled if each.lookup or each.computed}
        return renumbered(
            draft.model_copy(
                update={
                    "summary": _shortened(task.plan, summary) if headings else tuple(_once(summary)),
                    "sections": _grouped(task.plan, headings, summary, sections) if headings else _filled(sections),
                    "conflicts": conflicts,
                    "notes": _notes(draft, task, told),
                    "bearing": _bearing(draft, added, told),
                    "open_questions": _still_open(
                        draft, task, settled | _stated(task.plan, shown), missing, self.harness
                    ),
                }
            )
        )

    def _disagreements(
        self, draft: Draft, task: SynthesisTask, tabled: Sequence[Tabled], lines: Sequence[Line]
    ) -> list[Disagreement]:
        found: list[Disagreement] = []
        for each in tabled:
            if each.lookup:
                found += figure_disagreements(*each.lookup, lines)
            quotes = [quote for _, some in each.computed for quote in some]
            found += share_disagreements([answer for answer, _ in each.computed], quotes, lines)
        catalog = self.tables()
        for line in _told_lines(draft, lines):
            # Every figure that a narrative would be quoted with is looked up in the exports first.
            lookup = look_up(read_ask(line.text), catalog, self.harness.words("superseded"))
            quote = line_of(lookup.row, task.passages) if lookup else None
            if lookup and quote:
                found += [each for each in figure_disagreements(lookup, quote, [line]) if each.losers]
        found += currency_disagreements(catalog, lines)
        found += status_disagreements(catalog, lines, self.harness)
        found += denial_disagreements(catalog, lines)
        return list({each.conflict.model_dump_json(): each for each in reversed(found)}.values())[::-1]


def _topped_up(summary: list[Claim], sections: list[Section], wanted: int) -> tuple[list[Claim], list[Section]]:
    """Move claims of the sections up while the policy has left the summary fewer citations than are asked for."""
    for section in sections:
        for claim in section.claims:
            cited = {chunk_id for each in summary for chunk_id in each.citations}
            if summary and len(cited) < wanted and not set(claim.citations) <= cited:
                summary = [*summary, claim]
    moved = [(claim.text, claim.question_id) for claim in summary]
    kept = [
        section.model_copy(
            update={"claims": tuple(each for each in section.claims if (each.text, each.question_id) not in moved)}
        )
        for section in sections
    ]
    return summary, kept


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


def _bears(found: Disagreement, question: str, harness: Harness) -> bool:
    """Whether a disagreement is about what was asked; a memo asks about all of them."""
    if any(each.memo_inline or each.sections for each in harness.guidance_for(question)):
        return True
    conflict = found.conflict
    values = (
        value.quote.text if value.quote else value.value for value in conflict.values if value.tier == "narrative"
    )
    places = (value.uri for value in conflict.values if value.tier == "structured")
    asked = {word for word in metric_words(question) if not word.isdigit()}
    subject = set(analyse(re.sub(r"[\W_]+", " ", " ".join((conflict.subject, conflict.attribute, *places)))))
    subject -= _ATTRIBUTES
    told = set(analyse(re.sub(r"[\W_]+", " ", " ".join(values))))
    # One word of a narrative's sentence (`complete`) may be said of anything.
    return bool(asked & subject) or len(asked & told) >= min(2, len(asked) or 1)


def tabled(
    part: PlanQuestion,
    catalog: Catalog,
    passages: Sequence[Passage],
    harness: Harness,
    whole: str = "",
    others: Sequence[PlanQuestion] = (),
) -> Tabled:
    """Return what the exports answer; a computation whose rows were not all retrieved is left out.

    Args:
        whole: The question that the part was cut from, where it is the first part.
        others: The further parts of that question.
    """
    ask = read_ask(part.text)
    computed_for = read_ask(whole) if whole else ask
    for_all = bool(whole) and all(_covers(computed_for, read_ask(other.text)) for other in others)
    computed = []
    spelling = Spelling.of(
        part.text, whole, *(each.chunk.text for each in passages if each.source.tier != "structured")
    )
    for answer in compute(computed_for, catalog, harness.words("superseded"), spelling):
        quotes = [line_of(row, passages) for row in answer.rows]
        if all(quotes):
            computed.append((answer, tuple(quote for quote in quotes if quote)))
    lookup = None if ask.operations else look_up(ask, catalog, harness.words("superseded"), spelling)
    quote = line_of(lookup.row, passages) if lookup else None
    return Tabled(part.question_id, (lookup, quote) if lookup and quote else None, tuple(computed), for_all)


def _covers(whole: Ask, part: Ask) -> bool:
    return bool(part.operations) and set(part.operations) <= set(whole.operations)


def sections_of(harness: Harness, question: str) -> dict[str, tuple[str, ...]]:
    """Return the sections that the policy asks for with what to find out for each, in order."""
    for guidance in harness.guidance_for(question):
        if guidance.sections:
            return {heading: guidance.section_questions.get(heading, (heading,)) for heading in guidance.sections}
    return {}


@dataclass(frozen=True)
class _Filter:
    """Says which claims of the base draft may stay."""

    harness: Harness
    task: SynthesisTask
    losers: Sequence[Line]
    tabled: Sequence[Tabled]
    added: Sequence[Claim]
    missing: Mapping[str, Sequence[Line]]

    def __call__(self, claim: Claim) -> bool:
        parts = {part.question_id: part for part in self.task.plan.subtasks}
        part = parts.get(claim.question_id)
        question = part.text if part else self.task.question
        opened = [each for each in self.harness.guidance_for(question) if not each.memo_inline and not each.sections]
        return not (
            self._lost(claim)
            or self._told(claim)
            or self._of_index(claim)
            or self._beside_computed(claim, question)
            or self._delivered(claim)
            or self._other_row(claim)
            or self._other_period(claim, question)
            or is_neighbour(claim.text, opened, question, part.entities if part else ())
        )

    def _told(self, claim: Claim) -> bool:
        """Whether what the policy adds rests on the same words already."""
        told = [quote for each in self.added if each.question_id in ("", claim.question_id) for quote in each.quotes]
        return bool(claim.quotes) and all(
            any(
                quote.chunk_id == other.chunk_id and other.start <= quote.start and quote.end <= other.end
                for other in told
            )
            for quote in claim.quotes
        )

    def _of_index(self, claim: Claim) -> bool:
        """Whether the claim is a row of a guide to the folders: it says what lies there, not what it says."""
        folders = {passage.chunk.uri.split("/")[0] for passage in self.task.passages if "/" in passage.chunk.uri}
        if mentions(self.task.question, _GUIDES):
            return False
        rows = {
            (passage.chunk.chunk_id, row.start - passage.chunk.start): row
            for passage in self.task.passages
            for row in passage.rows
        }
        guides = {
            (row.uri, row.caption)
            for passage in self.task.passages
            if sum(row.label.strip() in folders for row in passage.rows) * 2 > len(passage.rows)
            for row in passage.rows
        }
        found = [rows.get((quote.chunk_id, quote.start)) for quote in claim.quotes]
        return bool(found) and all(row is not None and (row.uri, row.caption) in guides for row in found)

    def _beside_computed(self, claim: Claim, question: str) -> bool:
        """Whether the part is computed and the claim has no word of what was measured."""
        whole = any(each.computed and each.for_all for each in self.tabled)
        computed = whole or any(each.computed for each in self.tabled if each.question_id == claim.question_id)
        asked = metric_words(self.task.question if whole else question)
        return computed and bool(asked) and not asked & set(analyse(claim.text.replace("_", " ")))

    def _delivered(self, claim: Claim) -> bool:
        """Whether the question asks what is missing, records say so, and the claim is of something else."""
        lines = self.missing.get(claim.question_id, ())
        part = next((each for each in self.task.plan.subtasks if each.question_id == claim.question_id), None)
        if part is None or not lines or not asks_for_missing(part.text, self.harness):
            return False
        return not mentions(claim.text, self.harness.words("not_delivered"))

    def _lost(self, claim: Claim) -> bool:
        return any(
            line.text.strip().strip("-•* ") in claim.text
            or any(
                quote.chunk_id == line.chunk_id and quote.start < line.end and line.start < quote.end
                for quote in claim.quotes
            )
            for line in self.losers
        )

    def _other_row(self, claim: Claim) -> bool:
        """Whether the claim says another row of figures where the export's one row answers."""
        for each in self.tabled:
            if each.question_id != claim.question_id or not (each.lookup or each.computed):
                continue
            rows = {
                (row.start - passage.chunk.start, passage.chunk.chunk_id)
                for passage in self.task.passages
                for row in passage.rows
            }
            tabular = [quote for quote in claim.quotes if (quote.start, quote.chunk_id) in rows]
            if tabular:
                # The row that answers is told already; the others are parts of it, or other dates.
                return True
        return False

    def _other_period(self, claim: Claim, question: str) -> bool:
        """Whether an export answers for the period asked for and the claim is of another one."""
        answered = any(each.lookup for each in self.tabled if each.question_id == claim.question_id)
        asked, told = find_periods(question), find_periods(claim.text)
        return answered and bool(asked and told) and not any(overlaps(a, b) for a in asked for b in told)


def _added(
    plan: Plan,
    tabled: Sequence[Tabled],
    unvalidated: Sequence[Sequence[Line]],
    missing: dict[str, list[Line]],
    harness: Harness,
) -> list[Claim]:
    claims: list[Claim | None] = []
    for each in tabled:
        if each.lookup:
            lookup, quote = each.lookup
            claims.append(_claim(lookup.text, [quote], each.question_id))
        claims += [_computed(answer, quotes, each, tabled) for answer, quotes in each.computed]
    first = plan.subtasks[0].question_id if plan.subtasks else ""
    claims += [_claim(line.text, [line.quote], first) for group in unvalidated for line in group]
    claims += [
        _claim(said_missing(line, harness), [line.quote], key) for key, lines in missing.items() for line in lines
    ]
    return [claim for claim in claims if claim is not None]


def _computed(answer: Computed, quotes: Sequence[Quote], own: Tabled, tabled: Sequence[Tabled]) -> Claim | None:
    """Return a computed answer as a claim; None where a fuller one of another part says the same."""
    fuller = (other.text for each in tabled for other, _ in each.computed if other is not answer)
    if any(text.startswith(answer.text.rstrip(".")) and text != answer.text for text in fuller):
        return None
    # Where nothing was computed, the row says it in its own words.
    text = answer.text if find_formulas(answer.text) else in_words(answer.rows[0]) or quotes[0].text
    return _claim(text, quotes, "" if own.for_all else own.question_id)


def _claim(text: str, quotes: Sequence[Quote], question_id: str) -> Claim:
    plain = " ".join(text.strip().lstrip("-•* ").split())
    citations = tuple(dict.fromkeys(quote.chunk_id for quote in quotes))
    return Claim(
        claim_id="", text=plain, citations=citations, quotes=tuple(dict.fromkeys(quotes)), question_id=question_id
    )


def _once(claims: Sequence[Claim]) -> list[Claim]:
    return list({" ".join(claim.text.casefold().split()): claim for claim in reversed(claims)}.values())[::-1]


def _shortened(plan: Plan, claims: Sequence[Claim]) -> tuple[Claim, ...]:
    """Return the first claim of each question, so that a memo's summary stays one."""
    first = {claim.question_id: claim for claim in reversed(_once(claims))}
    return tuple(first[part.question_id] for part in plan.subtasks if part.question_id in first)


def _grouped(
    plan: Plan, headings: dict[str, tuple[str, ...]], summary: Sequence[Claim], sections: Sequence[Section]
) -> tuple[Section, ...]:
    """Return one section per heading with the claims of its questions."""
    heading_of = {question: heading for heading, questions in headings.items() for question in questions}
    by_id = {part.question_id: heading_of.get(part.text, "") for part in plan.subtasks}
    claims = _once([*summary, *(claim for section in sections for claim in section.claims)])
    return tuple(
        Section(heading=heading, claims=tuple(claim for claim in claims if by_id.get(claim.question_id) == heading))
        for heading in headings
    )


def _filled(sections: Sequence[Section]) -> tuple[Section, ...]:
    return tuple(section for section in sections if section.claims)


def _distinct(conflict: Conflict, found: Sequence[Disagreement]) -> bool:
    """Whether a conflict of the base engine is one: not rows of one table, and not told already."""
    if len({value.uri for value in conflict.values}) < 2 and all(
        value.tier == "structured" for value in conflict.values
    ):
        return False
    quotes = [value.quote for value in conflict.values if value.quote]
    together = len(quotes) == len(conflict.values) and len({quote.chunk_id for quote in quotes}) == 1
    if together and max(quote.start for quote in quotes) < min(quote.end for quote in quotes):
        return False  # Figures of one sentence belong together; they do not contradict each other.
    told = {frozenset(value.chunk_id for value in each.conflict.values) for each in found}
    return frozenset(value.chunk_id for value in conflict.values) not in told


def _stated(plan: Plan, shown: Sequence[Disagreement]) -> set[str]:
    """Return the plan questions about a status that an export states, whatever a narrative says."""
    statuses = [each.conflict for each in shown if each.conflict.attribute == "status" and each.conflict.preferred]
    return {
        part.question_id
        for part in plan.subtasks
        for conflict in statuses
        if part.answer_type == "yes_no" and set(analyse(conflict.subject)) <= set(analyse(part.text))
    }


def _stated_claims(plan: Plan, shown: Sequence[Disagreement], sections: Sequence[Section]) -> list[Claim]:
    """Return the claims that tell the status asked for as an export has it."""
    stated = _stated(plan, shown)
    quotes = [each.conflict.values[0].quote for each in shown if each.conflict.attribute == "status"]
    return [
        claim
        for section in sections
        for claim in section.claims
        if claim.question_id in stated and any(quote in quotes for quote in claim.quotes)
    ]


def _still_open(
    draft: Draft,
    task: SynthesisTask,
    settled: Collection[str],
    missing: dict[str, list[Line]],
    harness: Harness,
) -> tuple[OpenQuestion, ...]:
    texts = {part.text: part.question_id for part in task.plan.subtasks}
    holes = [hole for hole in draft.open_questions if texts.get(hole.question) not in settled]
    known = {hole.question for hole in holes}
    for part in task.plan.subtasks:
        lines = missing.get(part.question_id, [])
        if asks_for_missing(part.text, harness):
            continue
        if lines and part.text not in known and part.question_id not in settled:
            holes.append(
                OpenQuestion(
                    question=part.text,
                    reason=f"asked for and not delivered: {missing_reason(lines[0])}",
                    queries=task.plan.queries,
                    sources=tuple(dict.fromkeys(line.uri for line in lines)),
                )
            )
    return tuple(holes)


def renumbered(draft: Draft) -> Draft:
    """Return the draft with claim ids from `C-001` on, one id for one text of one plan question."""
    ids: dict[tuple[str, str], str] = {}

    def numbered(claims: Sequence[Claim]) -> tuple[Claim, ...]:
        for claim in claims:
            ids.setdefault((claim.text, claim.question_id), f"C-{len(ids) + 1:03d}")
        return tuple(claim.model_copy(update={"claim_id": ids[claim.text, claim.question_id]}) for claim in claims)

    summary = numbered(draft.summary)
    sections = tuple(section.model_copy(update={"claims": numbered(section.claims)}) for section in draft.sections)
    return draft.model_copy(update={"summary": summary, "sections": sections})
