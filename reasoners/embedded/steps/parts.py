"""What was found for one plan question: its findings, what follows from them, and what of it stays open."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from ....state.records import PlanQuestion, Quote
from ....text.periods import Period
from ...protocol import Passage, SynthesisTask
from ...statements.inference import Inference
from ..asked.amounts import amount_asked
from ..asked.question import Question, read_question
from ..found.attributes import lacking
from ..found.candidates import Candidate
from ..found.findings import Finding, findings_for, spans_of
from ..found.headed import of_named_sections
from ..found.merging import passage_worth
from ..found.named_rows import of_named_rows
from ..found.papers import Papers
from ..found.priced import without_other_prices
from ..found.rolls import asks_of_presence, is_roll
from ..found.scoring import is_close
from ..found.siblings import of_the_thing
from ..found.subject import on_subject
from ..found.telling import amounts_of, is_near, telling, tells
from ..found.told_keys import Key, lacks_key
from ..found.told_periods import is_row_of, periods_asked, tells_of, uncovered
from ..found.vectors import TextVectors
from ..found.weights import of_named_sources, term_weights
from ..settled.bounded import bounded_verdict
from ..settled.continuing import denied_verdict, told_once
from ..settled.drivers import beside_change, drivers_first
from ..settled.goals import goal_verdict
from ..settled.handed_over import handed_over
from ..settled.members import members_of
from ..settled.negated import negated_verdict
from ..settled.own_amounts import is_by_amount
from ..settled.permissions import permission_of
from ..settled.quantified import whole_verdict
from ..settled.standing import ALL_STANDS, Standing, standing_of, upheld
from ..settled.states import state_verdict
from ..settled.verdicts import Verdict, verdict_of
from ..settled.version_values import Version
from ..settled.versions import versions_of
from ..worked.calculations import is_told_with, worked_out
from ..worked.narrative_tables import computed_of_tables
from ..worked.statement_figures import figures_for
from .closest import closest_to
from .declining import Bearing, bearing_of

_RELATIVE_FLOOR = 0.62


@dataclass(frozen=True)
class Part:
    """A plan question with what was found for it."""

    part: PlanQuestion
    question: Question
    bearing: Bearing
    findings: tuple[Finding, ...]
    inferences: tuple[Inference, ...] = ()
    passages: tuple[Passage, ...] = ()
    standing: Standing = ALL_STANDS
    unsaid: str = ""
    """What is asked that nothing found speaks of, where that keeps it open."""
    closest: Candidate | None = None
    """What came nearest, where it is open."""

    @property
    def is_open(self) -> bool:
        return not self.inferences and (not self.bearing.bears or not self.findings)

    @cached_property
    def verdict(self) -> Verdict | None:
        """The answer to a question for yes or no."""
        kept = [each for each in self.findings if not self.standing.is_retracted(each)]
        leading = [each for each in self.leading if not self.standing.is_retracted(each)]
        papers = Papers(self.passages)
        found = (
            permission_of(self.question, kept, papers)
            or handed_over(self.question, leading)
            or state_verdict(self.question, leading)
            or denied_verdict(self.question, leading)
            or whole_verdict(self.question, leading)
            or goal_verdict(self.question, leading)
            or bounded_verdict(read_question(self.part.text), leading)
            or verdict_of(self.question, leading)
            or negated_verdict(self.question, leading)
        )
        if found is None or not is_by_amount(self.question, found.finding):
            return None
        return upheld(self.question, found, self.findings, papers, self.standing)

    @cached_property
    def leading(self) -> list[Finding]:
        """The findings that may lead: not those of a paper that is retracted or replaced, where others tell as much."""
        return self.standing.leading(self.question, self.findings)

    @cached_property
    def members(self) -> list[Finding]:
        """The findings that name the members of a list, one by one."""
        return members_of(self.question, self.leading)

    @cached_property
    def good(self) -> list[Finding]:
        """The findings that come near the best one and share the subject."""
        if not self.findings:
            return []
        floor = self.findings[0].scored.score * _RELATIVE_FLOOR
        near = [each for each in self.findings if each.scored.score >= floor and is_near(self.question, each)]
        if len(self.leading) < len(self.findings):
            near = [each for each in near if not self.standing.is_replaced(each)] or self.leading[:1]
        if not asks_of_presence(self.question):
            near = [each for each in near if not is_roll(each.candidate)] or near
        near = self.standing.with_few_retracted(near)
        near = on_subject(self.question, near or self.findings[:1], self.passages)
        amounts = amounts_of(self.question, self.findings)
        # An amount that something else costs is no answer.
        near = [each for each in near if not amounts or each in amounts or each.scored.kind < 1]
        return [finding for finding in near if tells(self.question, finding)] or near

    @cached_property
    def versions(self) -> tuple[Version, ...]:
        """What holds now and what it has replaced; a reason is no value that another one replaces."""
        if self.question.answer_type == "explanation":
            return ()
        kept = [each for each in self.findings if not self.standing.is_retracted(each)]
        return versions_of(self.question, kept, self.passages)

    @cached_property
    def missing_periods(self) -> tuple[Period, ...]:
        """The periods asked for that nothing found tells of."""
        return () if self.inferences else uncovered(self.question, [each.candidate for each in self.findings])

    @cached_property
    def missing_key(self) -> Key | None:
        """The figure set as a condition, `4,000 cycles`, of which nothing found tells."""
        return None if self.inferences else lacks_key(self.question, [each.candidate for each in self.findings])

    @property
    def missing_words(self) -> str:
        """The periods, or the condition, that nothing found tells of, as the question names them."""
        return self.missing_key.text if self.missing_key else ", ".join(each.text for each in self.missing_periods)

    @property
    def is_of_other_periods(self) -> bool:
        """Whether an amount was asked for at some time or condition and what was found tells of others only."""
        if self.missing_key is not None:
            return True
        asked = periods_asked(self.question)
        return self.question.answer_type == "number" and bool(asked) and len(self.missing_periods) == len(asked)


async def part_of(
    part: PlanQuestion, task: SynthesisTask, passages: Mapping[str, Passage], vectors: TextVectors
) -> Part:
    """Return a plan question with what of a run's facts answers it; open where nothing does."""
    question = amount_asked(read_question(part.text))
    about = of_named_sources(question, task.passages)
    bearing = await bearing_of(question, about, vectors, spans_of(task.facts, about))
    inferences = tuple(figures_for(question, task.passages) or computed_of_tables(question, task.passages))
    if question.is_empty or not (bearing.bears or inferences):
        return await _left_open(part, question, bearing, about, vectors)
    weights = term_weights(question, about)
    facts = [fact for fact in task.facts if all(quote.chunk_id in bearing.by_passage for quote in fact.quotes)]
    worth = passage_worth(question, about, {}, bearing.by_passage)
    by_passage = {chunk_id: (bearing.by_passage[chunk_id] + worth[chunk_id]) / 2 for chunk_id in worth}
    findings = telling(question, await findings_for(question, facts, passages, weights, by_passage, vectors))
    findings = of_named_sections(question, of_named_rows(question, _of_the_time(question, findings)))
    findings = without_other_prices(question, of_the_thing(question, findings))
    standing = standing_of(question, task.passages)
    findings = told_once([standing.with_notice(each) for each in findings])
    if not inferences and (inferences := tuple(worked_out(question, findings, about))):
        findings = [each for each in findings if is_told_with(question, each)]
    if not inferences and (unsaid := lacking(question, findings, task.passages)):
        return await _left_open(part, question, replace(bearing, bears=False), about, vectors, unsaid)
    beside = tuple(_beside(question, findings, inferences))
    return Part(part, question, bearing, beside, inferences, tuple(about), standing)


async def _left_open(
    part: PlanQuestion,
    question: Question,
    bearing: Bearing,
    passages: Sequence[Passage],
    vectors: TextVectors,
    unsaid: str = "",
) -> Part:
    """Return a plan question that stays open, with what came closest to it."""
    closest = await closest_to(question, passages, bearing.by_passage, vectors)
    return Part(part, question, bearing, (), unsaid=unsaid, closest=closest)


def _of_the_time(question: Question, findings: Sequence[Finding]) -> list[Finding]:
    """Leave out what tells of other times than those asked for, where a row of these was found."""
    if not any(is_row_of(question, each.candidate) for each in findings):
        return list(findings)
    return [each for each in findings if tells_of(question, each.candidate) is not False]


def _beside(question: Question, findings: Sequence[Finding], inferences: Sequence[Inference]) -> list[Finding]:
    """Leave out, beside what was computed, rows that it tells already and sentences that only touch the question."""
    if not inferences:
        return list(findings)
    told = [quote for each in inferences for quote in each.quotes]
    wanted = [each for each in findings if not _is_within(each.candidate, told)]
    if question.answer_type == "explanation":
        return drivers_first(question, wanted, inferences)
    return beside_change(question, [each for each in wanted if is_close(each.scored)])


def _is_within(candidate: Candidate, told: Sequence[Quote]) -> bool:
    return any(
        quote.chunk_id == candidate.chunk_id and quote.start <= candidate.start and candidate.end <= quote.end
        for quote in told
    )
