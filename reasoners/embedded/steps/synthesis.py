"""Write the answer from findings: the direct answer first, then a section per plan question, then what stays open."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ....state.records import Claim, Draft, Quote, Section
from ...protocol import SynthesisTask
from ..found.findings import Finding
from ..found.telling import subject_terms
from ..found.told_periods import distance, is_about, told_by
from ..found.vectors import TextVectors
from ..found.weights import holds
from ..phrases import phrase
from .claims import Writer
from .disagreeing import changes, conflict_claims, each_once, fact_conflicts
from .leads import lead_claims
from .open_questions import open_question
from .parts import Part, part_of

_SECTION_CLAIMS = 6
_NEAREST_CLAIMS = 2
_SUMMARY_CLAIMS = 4
_KIND_FIRST = 0.5


async def write_draft(task: SynthesisTask, vectors: TextVectors) -> Draft:
    """Return the draft of an answer; without evidence that bears on the question it holds no claim."""
    language = task.plan.language
    passages = {passage.chunk.chunk_id: passage for passage in task.passages}
    parts = [await part_of(part, task, passages, vectors) for part in task.plan.subtasks]
    writer = Writer()
    found = [part for part in parts if not part.is_open]
    answered = [part for part in found if not part.is_of_other_periods]
    conflicts = each_once((*changes(answered, language), *fact_conflicts(task.facts, task.passages, answered)))
    summary: dict[str, Claim] = {}
    opening = _each_its_own([lead_claims(part, writer, task.passages) for part in answered])
    told = {claim.quotes[-1] for claim in opening if claim.quotes}
    sides = (claim for claim in conflict_claims(conflicts, answered, writer) if claim.quotes[-1] not in told)
    for claim in (*opening, *sides):
        if all(claim.text != other.text for other in summary.values()):
            summary[claim.claim_id] = claim
    _fill_summary(summary, answered, writer, task.min_summary_citations)
    sections = (
        *_sections(answered, summary, writer),
        *(_nearest(part, writer, language) for part in found if part.is_of_other_periods),
    )
    open_questions = tuple(open_question(part, task) for part in parts if part.is_open or part.missing_words)
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


def _bearing(answered: Sequence[Part]) -> tuple[str, ...]:
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


def _told_otherwise(summary: Mapping[str, Claim]) -> set[tuple[Quote, ...]]:
    """Return the quotes of claims that say a sentence after a yes or no: the sentence alone would repeat it."""
    return {claim.quotes for claim in summary.values() if claim.text.startswith(("Yes. ", "No. "))}


def _fill_summary(summary: dict[str, Claim], answered: Sequence[Part], writer: Writer, wanted_citations: int) -> None:
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


def _sections(answered: Sequence[Part], summary: Mapping[str, Claim], writer: Writer) -> tuple[Section, ...]:
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


def _nearest(part: Part, writer: Writer, language: str) -> Section:
    """Return what is told of the times next to those asked for, under a heading that says that it is no answer."""
    about = [each for each in part.findings if is_about(part.question, each.candidate)]
    if not part.missing_key and any(told_by(each.candidate) for each in about if each.candidate.row):
        about = [each for each in about if told_by(each.candidate)]
    asked = subject_terms(part.question)

    def apart(finding: Finding) -> tuple[int, int]:
        candidate = finding.candidate
        held = sum(holds(candidate.terms, term) for term in asked)
        return -held, distance(part.missing_periods[0], candidate) if part.missing_periods else 0

    by_time = sorted(about, key=apart)
    claims = tuple(writer.of(finding, part.part.question_id) for finding in by_time[:_NEAREST_CLAIMS])
    return Section(heading=phrase("nearest", language, period=part.missing_words), claims=claims)


def _notes(answered: Sequence[Part], language: str) -> tuple[str, ...]:
    return (phrase("quoted" if answered else "declined", language),)
