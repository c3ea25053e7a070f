"""Write the answer from findings: the direct answer first, then a section per plan question, then what stays open."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from textwrap import shorten

from ....state.records import Claim, Conflict, Draft, Fact, OpenQuestion, PlanQuestion, Quote, Section
from ....text.periods import Period
from ...protocol import Passage, SynthesisTask
from ...statements.inference import Inference
from ...support.conflicts import disagreements
from ..asked.amounts import amount_asked
from ..asked.question import Question, as_asked, read_question
from ..found.attributes import lacking
from ..found.candidates import Candidate
from ..found.findings import Finding, findings_for, spans_of
from ..found.headed import of_named_sections
from ..found.merging import passage_worth
from ..found.named_rows import of_named_rows
from ..found.papers import Papers
from ..found.priced import without_other_prices
from ..found.rolls import asks_of_presence, is_roll
from ..found.scoring import Scored, is_close
from ..found.siblings import of_the_thing
from ..found.subject import on_subject
from ..found.telling import amounts_of, is_near, subject_terms, telling, tells
from ..found.told_keys import Key, lacks_key
from ..found.told_periods import distance, is_about, is_row_of, periods_asked, tells_of, told_by, uncovered
from ..found.vectors import TextVectors
from ..found.weights import held_terms, holds, of_named_sources, term_weights
from ..phrases import phrase
from ..settled.bounded import bounded_verdict
from ..settled.comparing import compare_sides
from ..settled.continuing import denied_verdict, told_once
from ..settled.drivers import beside_change, drivers_first, told_causes
from ..settled.goals import goal_verdict
from ..settled.handed_over import handed_over
from ..settled.holders import holder_of
from ..settled.lead import choose_lead, further_names
from ..settled.listed import items_behind
from ..settled.members import members_of
from ..settled.negated import negated_verdict
from ..settled.pairs import pair_verdict
from ..settled.permissions import permission_of
from ..settled.quantified import whole_verdict
from ..settled.roles import role_of
from ..settled.standing import ALL_STANDS, Standing, standing_of, upheld
from ..settled.verdicts import Verdict, verdict_conflict, verdict_of
from ..settled.versions import Version, amendment_of, asks_for_former, conflict_of, versions_of
from ..worked.calculations import is_told_with, worked_out
from ..worked.narrative_tables import computed_of_tables
from ..worked.statement_figures import figures_for
from .closest import closest_to
from .declining import Bearing, bearing_of

_SECTION_CLAIMS = 6
_NEAREST_CLAIMS = 2
_SUMMARY_CLAIMS = 4
_RELATIVE_FLOOR = 0.62
_SOURCES_SHOWN = 5
_KIND_FIRST = 0.5
_CONFLICT_FLOOR = 0.6
_CLOSEST_CHARS = 280


@dataclass
class _Writer:
    """Gives claims their ids and keeps one claim for one statement of one plan question."""

    claims: dict[tuple[str, str], Claim] = field(default_factory=dict)

    def claim(self, text: str, quotes: Sequence[Quote], question_id: str) -> Claim:
        key = (question_id, " ".join(text.casefold().split()))
        if key not in self.claims:
            self.claims[key] = Claim(
                claim_id=f"C-{len(self.claims) + 1:03d}",
                text=text,
                citations=tuple(dict.fromkeys(quote.chunk_id for quote in quotes)),
                quotes=tuple(quotes),
                question_id=question_id,
            )
        return self.claims[key]

    def of(self, finding: Finding, question_id: str) -> Claim:
        return self.claim(finding.statement, finding.quotes, question_id)


@dataclass(frozen=True)
class _Part:
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
            or denied_verdict(self.question, leading)
            or whole_verdict(self.question, leading)
            or goal_verdict(self.question, leading)
            or bounded_verdict(read_question(self.part.text), leading)
            or verdict_of(self.question, leading)
            or negated_verdict(self.question, leading)
        )
        return upheld(self.question, found, self.findings, papers, self.standing) if found else None

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
            near = [each for each in near if not is_roll(each.scored.candidate)] or near
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
        return () if self.inferences else uncovered(self.question, [each.scored.candidate for each in self.findings])

    @cached_property
    def missing_key(self) -> Key | None:
        """The figure set as a condition, `4,000 cycles`, of which nothing found tells."""
        return None if self.inferences else lacks_key(self.question, [each.scored.candidate for each in self.findings])

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


async def write_draft(task: SynthesisTask, vectors: TextVectors) -> Draft:
    """Return the draft of an answer; without evidence that bears on the question it holds no claim."""
    language = task.plan.language
    passages = {passage.chunk.chunk_id: passage for passage in task.passages}
    parts = [await _part(part, task, passages, vectors) for part in task.plan.subtasks]
    writer = _Writer()
    found = [part for part in parts if not part.is_open]
    answered = [part for part in found if not part.is_of_other_periods]
    conflicts = _each_once((*_changes(answered, language), *_conflicts(task.facts, task.passages, answered)))
    summary: dict[str, Claim] = {}
    opening = _each_its_own([_lead_claims(part, writer, task.passages) for part in answered])
    told = {claim.quotes[-1] for claim in opening if claim.quotes}
    sides = (claim for claim in _conflict_claims(conflicts, answered, writer) if claim.quotes[-1] not in told)
    for claim in (*opening, *sides):
        if all(claim.text != other.text for other in summary.values()):
            summary[claim.claim_id] = claim
    _fill_summary(summary, answered, writer, task.min_summary_citations)
    sections = (
        *_sections(answered, summary, writer),
        *(_nearest(part, writer, language) for part in found if part.is_of_other_periods),
    )
    open_questions = tuple(_open(part, task) for part in parts if part.is_open or part.missing_words)
    return Draft(
        title=task.question.strip(),
        summary=tuple(summary.values()),
        sections=sections,
        conflicts=conflicts,
        open_questions=open_questions,
        notes=_notes(found, language),
        bearing=_bearing(answered),
    )


def _each_its_own(leads: Sequence[Sequence[Claim]]) -> list[Claim]:
    """Return the leads of all parts, each part's first; what leads another part is not told for this one too."""
    first = {claims[0].text: place for place, claims in reversed(list(enumerate(leads))) if claims}
    return [
        claim
        for place, claims in enumerate(leads)
        for at, claim in enumerate(claims)
        if at == 0 or first.get(claim.text, place) == place
    ]


def _bearing(answered: Sequence[_Part]) -> tuple[str, ...]:
    """Return the chunks that a full answer cites: what it is computed from, a list's members, else what is near."""
    quoted = [quote.chunk_id for part in answered for each in part.inferences for quote in each.quotes]
    found = [
        chunk_id
        for part in answered
        if not any(each.is_computed for each in part.inferences)
        for finding in part.members or part.good
        for chunk_id in finding.citations
    ]
    return tuple(dict.fromkeys((*quoted, *found)))


async def _part(
    part: PlanQuestion, task: SynthesisTask, passages: Mapping[str, Passage], vectors: TextVectors
) -> _Part:
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
    return _Part(part, question, bearing, beside, inferences, tuple(about), standing)


async def _left_open(
    part: PlanQuestion,
    question: Question,
    bearing: Bearing,
    passages: Sequence[Passage],
    vectors: TextVectors,
    unsaid: str = "",
) -> _Part:
    """Return a plan question that stays open, with what came closest to it."""
    closest = await closest_to(question, passages, bearing.by_passage, vectors)
    return _Part(part, question, bearing, (), unsaid=unsaid, closest=closest)


def _of_the_time(question: Question, findings: Sequence[Finding]) -> list[Finding]:
    """Leave out what tells of other times than those asked for, where a row of these was found."""
    if not any(is_row_of(question, each.scored.candidate) for each in findings):
        return list(findings)
    return [each for each in findings if tells_of(question, each.scored.candidate) is not False]


def _beside(question: Question, findings: Sequence[Finding], inferences: Sequence[Inference]) -> list[Finding]:
    """Leave out, beside what was computed, rows that it tells already and sentences that only touch the question."""
    if not inferences:
        return list(findings)
    told = [quote for each in inferences for quote in each.quotes]
    wanted = [each for each in findings if not _is_within(each.scored.candidate, told)]
    if question.answer_type == "explanation":
        return drivers_first(question, wanted, inferences)
    return beside_change(question, [each for each in wanted if is_close(each.scored)])


def _is_within(candidate: Candidate, told: Sequence[Quote]) -> bool:
    return any(
        quote.chunk_id == candidate.chunk_id and quote.start <= candidate.start and candidate.end <= quote.end
        for quote in told
    )


def _lead_claims(part: _Part, writer: _Writer, passages: Sequence[Passage]) -> list[Claim]:
    """Return the claims that answer first; of a comparison both sides and, where it follows, the conclusion."""
    computed: list[Claim] = [writer.claim(each.text, each.quotes, part.part.question_id) for each in part.inferences]
    if computed and part.question.answer_type == "explanation":
        return [*computed, *(writer.of(finding, part.part.question_id) for finding in part.findings[:1])]
    if computed and not part.findings:
        return computed
    pair = None if computed else pair_verdict(part.question, part.leading)
    if pair is not None:
        both = writer.claim(f"{pair.answer}. {pair.told}", pair.quotes, part.part.question_id)
        return [both, *(writer.of(finding, part.part.question_id) for finding in pair.aside)]
    comparison = compare_sides(part.question, part.findings)
    if comparison is not None:
        sides = [finding for finding in (comparison.left, comparison.right) if finding is not None]
        claims = [writer.of(finding, part.part.question_id) for finding in sides]
        if comparison.conclusion:
            claims.append(writer.claim(comparison.conclusion, comparison.quotes, part.part.question_id))
        return computed or claims
    role = role_of(part.question, part.findings)
    if role is not None:
        return [writer.claim(role[0], [role[1]], part.part.question_id)]
    holder = holder_of(part.question, part.leading)
    if holder is not None and not computed:
        return [writer.of(holder, part.part.question_id)]
    if part.verdict is not None and not computed:
        found, finding = part.verdict, part.verdict.finding
        told = f"{found.answer}. {finding.statement}" if found.answer else finding.statement
        against = [writer.of(each, part.part.question_id) for each in (*found.against, *found.aside)]
        return [writer.claim(told, finding.quotes, part.part.question_id), *against]
    if part.versions and not computed:
        told_first = part.versions[::-1] if asks_for_former(part.question) else part.versions
        return [writer.of(version.finding, part.part.question_id) for version in told_first]
    if not computed and part.members:
        return [writer.of(member, part.part.question_id) for member in part.members]
    weights = term_weights(part.question, passages)
    pool = amounts_of(part.question, part.leading) or told_causes(part.question, part.leading)
    lead = choose_lead(part.question, [finding.scored for finding in pool], weights)
    by_key = {finding.scored.candidate.key: finding for finding in part.findings}
    # Beside a computed answer one sentence is enough.
    chosen = list(lead.chosen[:1] if computed else lead.chosen)
    if chosen and not computed:
        chosen += _same_time(part, chosen[0])
    if part.question.answer_type == "list" and not computed:
        chosen += further_names(part.question, chosen, [finding.scored for finding in part.findings])
    leads = [by_key[scored.candidate.key] for scored in chosen]
    amended = amendment_of(leads[0], part.findings, Papers(part.passages)) if leads and not computed else None
    if amended is not None and amended not in leads and not asks_for_former(part.question):
        first = any(holds(amended.scored.candidate.terms, term) for term in subject_terms(part.question))
        leads = [amended, *leads] if first else [leads[0], amended, *leads[1:]]
    # A list answers before what stands beside it.
    leads.sort(key=lambda finding: not items_behind(finding.scored.candidate))
    return [*computed, *(claim for finding in leads for claim in _with_its_list(finding, part, writer))]


def _with_its_list(finding: Finding, part: _Part, writer: _Writer) -> list[Claim]:
    """Return the claim of a finding, with those of the list that it introduces, each with its own place."""
    items = items_behind(finding.scored.candidate)
    told = [writer.claim(" ".join(item.text.split()), [item], part.part.question_id) for item in items]
    return [writer.of(finding, part.part.question_id), *told]


def _same_time(part: _Part, first: Scored) -> list[Scored]:
    """Return the further rows of the export whose row leads, where an amount of one time has several: its parts."""
    row = first.candidate.row
    if part.question.answer_type != "number" or row is None or not is_row_of(part.question, first.candidate):
        return []
    headers = [cell.header for cell in row.cells]
    return [
        each.scored
        for each in part.findings
        if (other := each.scored.candidate.row) is not None
        and each.scored is not first
        and other.uri == row.uri
        and [cell.header for cell in other.cells] == headers
        and is_row_of(part.question, each.scored.candidate)
    ][: _SECTION_CLAIMS - 1]


def _changes(answered: Sequence[_Part], language: str) -> list[Conflict]:
    """Return what sentences say otherwise than later ones, of parts that nothing was computed for."""
    found: list[Conflict] = []
    for part in (each for each in answered if not each.inferences):
        if part.verdict is not None and part.verdict.against:
            found.append(verdict_conflict(part.question, part.verdict, language))
        if len(part.versions) > 1 and not asks_for_former(part.question):
            found.append(conflict_of(part.question, part.versions, language))
    return found


def _conflicts(facts: Sequence[Fact], passages: Sequence[Passage], answered: Sequence[_Part]) -> tuple[Conflict, ...]:
    """Return disagreements among the facts that the answer may use."""
    used = {
        fact.fact_id
        for part in answered
        for finding in part.findings
        if finding.scored.score >= _CONFLICT_FLOOR * part.findings[0].scored.score
        and not (part.verdict and finding in part.verdict.aside)  # a target does not contradict what came
        for fact in finding.facts
    }
    bearing = [fact for fact in facts if fact.fact_id in used]
    return disagreements(bearing, passages) if bearing else ()


def _each_once(conflicts: Sequence[Conflict]) -> tuple[Conflict, ...]:
    """Leave out a conflict between values that an earlier one has set against each other."""
    kept: dict[frozenset[tuple[str, str]], Conflict] = {}
    for conflict in conflicts:
        kept.setdefault(frozenset((value.value, value.chunk_id) for value in conflict.values), conflict)
    return tuple(kept.values())


def _conflict_claims(conflicts: Sequence[Conflict], answered: Sequence[_Part], writer: _Writer) -> list[Claim]:
    """Return claims for both sides of each conflict, so that neither is hidden in a section."""
    claims: list[Claim] = []
    for conflict in conflicts:
        for value in conflict.values:
            for part in answered:
                found = next(
                    (
                        finding
                        for finding in part.findings
                        if value.chunk_id in finding.citations
                        and any(value.value in quote.text for quote in finding.quotes)
                    ),
                    None,
                )
                if found is not None:
                    if part.verdict is None or found is not part.verdict.finding:
                        claims.append(writer.of(found, part.part.question_id))
                    break
    return claims


def _told_otherwise(summary: Mapping[str, Claim]) -> set[tuple[Quote, ...]]:
    """Return the quotes of claims that say a sentence after a yes or no: the sentence alone would repeat it."""
    return {claim.quotes for claim in summary.values() if claim.text.startswith(("Yes. ", "No. "))}


def _fill_summary(summary: dict[str, Claim], answered: Sequence[_Part], writer: _Writer, wanted_citations: int) -> None:
    """Add the next best findings while the summary holds fewer distinct citations than asked for."""
    told = _told_otherwise(summary)
    for part in answered:
        for finding in sorted(part.good, key=lambda found: -found.scored.score - _KIND_FIRST * found.scored.kind):
            cited = {chunk_id for claim in summary.values() for chunk_id in claim.citations}
            if len(cited) >= wanted_citations or len(summary) >= max(_SUMMARY_CLAIMS, 2 * len(answered)):
                return
            if (
                finding.quotes in told
                or set(finding.citations) <= cited
                or any(finding.statement == claim.text for claim in summary.values())
            ):
                continue
            claim = writer.of(finding, part.part.question_id)
            summary[claim.claim_id] = claim


def _sections(answered: Sequence[_Part], summary: Mapping[str, Claim], writer: _Writer) -> tuple[Section, ...]:
    """Return a section per plan question with what else comes near the best; none that would only repeat the summary.

    What lies farther off is left out, however few passages are cited: it would only pad the answer.
    """
    sections: list[Section] = []
    used = set(summary)
    told = _told_otherwise(summary)
    said = {claim.text for claim in summary.values()}
    answering = {claim.question_id for claim in summary.values()}
    for part in answered:
        claims: list[Claim] = []
        for finding in part.good:
            claim = writer.of(finding, part.part.question_id)
            if len(claims) >= _SECTION_CLAIMS or finding.quotes in told or claim.text in said:
                continue
            if claim.claim_id not in used:
                used.add(claim.claim_id)
                said.add(claim.text)
                claims.append(claim)
        if not claims and part.part.question_id not in answering and part.findings:
            # What another part says answers this one too.
            claims.append(writer.of(part.findings[0], part.part.question_id))
        if claims:
            sections.append(Section(heading=part.part.text, claims=tuple(claims)))
    return tuple(sections)


def _nearest(part: _Part, writer: _Writer, language: str) -> Section:
    """Return what is told of the times next to those asked for, under a heading that says that it is no answer."""
    about = [each for each in part.findings if is_about(part.question, each.scored.candidate)]
    if not part.missing_key and any(told_by(each.scored.candidate) for each in about if each.scored.candidate.row):
        about = [each for each in about if told_by(each.scored.candidate)]
    asked = subject_terms(part.question)

    def apart(finding: Finding) -> tuple[int, int]:
        candidate = finding.scored.candidate
        held = sum(holds(candidate.terms, term) for term in asked)
        return -held, distance(part.missing_periods[0], candidate) if part.missing_periods else 0

    by_time = sorted(about, key=apart)
    claims = tuple(writer.of(finding, part.part.question_id) for finding in by_time[:_NEAREST_CLAIMS])
    return Section(heading=phrase("nearest", language, period=part.missing_words), claims=claims)


def _open(part: _Part, task: SynthesisTask) -> OpenQuestion:
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


def _why_open(part: _Part, task: SynthesisTask) -> Iterator[str]:
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


def _notes(answered: Sequence[_Part], language: str) -> tuple[str, ...]:
    return (phrase("quoted" if answered else "declined", language),)
