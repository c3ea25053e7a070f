"""What no longer stands: the findings of a retracted paper, and those of one that a later edition replaces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

import regex

from ....state.records import Quote
from ....text.numbers import find_numbers
from ....text.sentences import after_mark, sentences
from ....text.words import analyse
from ...protocol import Passage
from ..asked.question import Question
from ..found.effective import effective_from
from ..found.findings import Finding
from ..found.papers import Paper, Papers
from ..found.telling import subject_terms
from ..found.told_periods import periods_asked
from ..found.weights import holds, share_held
from .verdicts import Verdict

# Beside what a fallen paper says, a standing one leads if it holds this share as much of the question.
_LEADS_BESIDE_RETRACTED, _LEADS_BESIDE_REPLACED = 1.0, 0.5
_MOST_RETRACTED = 2
_TITLE_HELD, _FEWEST_WORDS = 0.8, 4
_TELLS_OF_THE_SAME = 0.5
_FREE = regex.compile(r"\b(?:free|gratis|gratuite?|kostenlos|kostenfrei|no charge|without charge)\b", regex.IGNORECASE)
_PAPER = (
    r"(?:article|paper|study|report|publication|preprint|manuscript|work|abstract|trial|review|chapter|statement|notice|"
    r"guidance|guideline|press release|release|announcement|recommendation)"
)
_FALLEN = r"(?:retracted|withdrawn)"
_HAS_FALLEN = rf"(?:(?:has|have|had)(?: \p{{L}}+)? been|was|were|is|are|been)(?: (?!not\b)\p{{L}}+)? {_FALLEN}\b"
_THIS_FELL = regex.compile(
    rf"\bthis (?:\p{{L}}+ )?{_PAPER} {_HAS_FALLEN}|\bwe (?:hereby )?(?:retract|withdraw) (?:this|our) {_PAPER}|"
    r"\bdiese[rs]? \p{L}+ (?:wurde|ist|wird)\b[^.]{0,60}\b(?:zurückgezogen|widerrufen)\b|"
    r"\bcet(?:te)? \p{L}+ (?:a été|est) (?:rétractée?|retirée?)\b|"
    r"\best[ea] \p{L}+ ha sido (?:retractad[oa]|retirad[oa])\b|"
    r"\bquest[oa] \p{L}+ è stat[oa] (?:ritrattat[oa]|ritirat[oa])\b",
    regex.IGNORECASE,
)
_TITLED_FALLEN = regex.compile(
    r"^\W*(?:retracted|withdrawn|zurückgezogen|rétracté|retractado|ritrattato)\b", regex.IGNORECASE
)
_NOTICE_OF = regex.compile(r"^\W*(?:retraction|withdrawal)(?: notice)?\b", regex.IGNORECASE)
_OTHER_FELL = regex.compile(
    rf"(?P<name>\p{{Lu}}[\p{{L}}'’-]+)(?:\s(?:et al\.?|and \p{{L}}+|& \p{{L}}+))?,?\s"
    rf"\(?(?P<year>(?:19|20)\d\d)[a-z]?\)?"
    rf"[^.]{{0,90}}?\b(?i:{_HAS_FALLEN})"
)
_ACRONYM_FELL = regex.compile(
    rf"^(?:The )?(?P<name>\p{{Lu}}[\p{{Lu}}\d-]{{3,}})(?: {_PAPER})? {_HAS_FALLEN}|"
    rf"\b(?:retraction|withdrawal) of (?:the )?(?P<name>\p{{Lu}}[\p{{Lu}}\d-]{{3,}})\b"
)
_ASKS_OF_RETRACTION = regex.compile(
    r"\b(?:retract|withdr[ae]w|zurückgezogen|rétract|retracta|ritratta)", regex.IGNORECASE
)
_ASKS_OF_CHANGE = regex.compile(
    r"\b(?:first|old|original|former|previous|earlier|initial)(?:ly)?\b|\bbefore\b|\bused to\b|"
    r"\b(?:chang|differ|compar|versus|revis|replac|supersed|amend)|"
    r"\b(?:version|revision|edition|rev|draft)\b",
    regex.IGNORECASE,
)


@dataclass(frozen=True)
class Standing:
    """What no longer stands, as far as a question is concerned.

    Attributes:
        retracted: Source to the words that say that it is retracted.
        replaced: Source to the one that holds in its place.
    """

    retracted: Mapping[str, Quote]
    replaced: Mapping[str, str]

    def is_retracted(self, finding: Finding) -> bool:
        return _place(finding) in self.retracted

    def is_replaced(self, finding: Finding) -> bool:
        return _place(finding) in self.replaced

    def fell(self, finding: Finding) -> bool:
        """Whether a finding rests on what no longer stands."""
        return self.is_retracted(finding) or self.is_replaced(finding)

    def with_notice(self, finding: Finding) -> Finding:
        """Return a finding of a retracted paper behind the words that say so; any other as it is."""
        notice = self.retracted.get(_place(finding))
        if notice is None or _ASKS_OF_RETRACTION.search(finding.statement):
            return finding
        told = " ".join(notice.text.split())
        return replace(
            finding,
            statement=f"{told}{'' if told.endswith('.') else ':'} {finding.statement}",
            quotes=(notice, *finding.quotes),
        )

    def with_few_retracted(self, findings: Sequence[Finding]) -> list[Finding]:
        """Return findings with no more than two of what is retracted."""
        fallen = [each for each in findings if self.is_retracted(each)][_MOST_RETRACTED:]
        return [each for each in findings if each not in fallen]

    def leading(self, question: Question, findings: Sequence[Finding]) -> list[Finding]:
        """Return the findings that may lead: those that stand, where they say about as much as what fell."""
        fallen = [each for each in findings if self.fell(each)]
        standing = [each for each in findings if not self.fell(each)]
        if not fallen or not standing:
            return list(findings)
        replaced = any(_place(each) in self.replaced for each in fallen)
        least = _LEADS_BESIDE_REPLACED if replaced else _LEADS_BESIDE_RETRACTED
        most = max(_share_held(question, each) for each in fallen)
        return standing if max(_share_held(question, each) for each in standing) >= least * most else list(findings)


ALL_STANDS = Standing({}, {})


def standing_of(question: Question, passages: Sequence[Passage]) -> Standing:
    """Return what no longer stands of some passages; of a question for what was before, or changed, all stands."""
    retracted = {} if _ASKS_OF_RETRACTION.search(question.text) else _retracted(passages)
    replaced = {} if _ASKS_OF_CHANGE.search(question.text) else _replaced(question, passages)
    return Standing(retracted, replaced)


def upheld(
    question: Question, verdict: Verdict, findings: Sequence[Finding], papers: Papers, standing: Standing
) -> Verdict:
    """Return a verdict without its yes or no where a later paper tells of the same: its sentence leads.

    What a retracted paper says is no verdict at all.  That something is free is denied by a later amount.
    """
    place = _place(verdict.finding)
    if _ASKS_OF_CHANGE.search(question.text):
        return verdict
    asked = subject_terms(question)
    later = [
        each
        for each in findings
        if (papers.changes(_place(each), place) or standing.replaced.get(place) == _place(each))
        and not standing.fell(each)
        and sum(holds(each.candidate.terms, term) for term in asked) >= _TELLS_OF_THE_SAME * len(asked)
    ]
    if standing.is_replaced(verdict.finding) and not later:
        # It may hold no longer: it is told without a word that settles the matter.
        return Verdict("", verdict.finding, verdict.against, verdict.aside)
    if not later or (place not in standing.replaced and verdict.finding in later):
        return verdict
    charged = _FREE.search(question.text) and any(_costs(each) for each in later[:1])
    return Verdict("No" if charged else "", later[0], (verdict.finding,), is_later=True)


def _costs(finding: Finding) -> bool:
    return any(
        len(number.unit) == 3 and number.unit.isupper() and number.value > 0
        for number in find_numbers(finding.candidate.text)
    ) and not _FREE.search(finding.candidate.text)


def _retracted(passages: Sequence[Passage]) -> dict[str, Quote]:
    papers = {passage.chunk.uri: passage for passage in sorted(passages, key=lambda each: -each.chunk.index)}
    found: dict[str, Quote] = {}
    for passage in sorted(passages, key=lambda each: (each.chunk.uri, each.chunk.index)):
        uri, text = passage.chunk.uri, passage.chunk.text
        spans = sentences(text)
        first = text[slice(*spans[0])] if spans and passage.chunk.index == 0 else ""
        opening = _NOTICE_OF.match(regex.sub(r"^#+ ", "", first))
        for start, end in spans:
            start = after_mark(text, start, end)
            said = text[start:end]
            if opening is None and (_THIS_FELL.search(said) or (said in first and _TITLED_FALLEN.match(said))):
                kept = found.get(uri)
                if kept is None or not _THIS_FELL.search(kept.text):
                    found[uri] = Quote(chunk_id=passage.chunk.chunk_id, start=start, end=end, text=said)
            for other in papers:
                if other != uri and other not in found and _says_fell(said, papers[other]):
                    found[other] = Quote(chunk_id=passage.chunk.chunk_id, start=start, end=end, text=said)
        if opening is not None:
            words = set(analyse(text))
            for other, of in papers.items():
                title = set(analyse(of.chunk.text.split("\n", 1)[0])) if of.chunk.index == 0 else set()
                if other != uri and len(title) >= _FEWEST_WORDS and len(title & words) >= _TITLE_HELD * len(title):
                    found.setdefault(
                        other, Quote(chunk_id=passage.chunk.chunk_id, start=spans[0][0], end=spans[0][1], text=first)
                    )
    return found


def _says_fell(said: str, of: Passage) -> bool:
    """Whether a sentence says of another paper, by its author and year or its short name, that it is retracted."""
    head = of.chunk.text[:500] if of.chunk.index == 0 else of.source.title
    if (match := _OTHER_FELL.search(said)) is not None:
        named = rf"\b{regex.escape(match['name'])}\b"
        return bool(regex.search(named, head)) and match["year"] in f"{head} {of.chunk.uri}"
    match = _ACRONYM_FELL.search(said)
    return match is not None and bool(regex.search(rf"\b{regex.escape(match['name'])}\b", head.split("\n", 1)[0]))


def _replaced(question: Question, passages: Sequence[Passage]) -> dict[str, str]:
    """Return the papers that others replace; of a time before the later one came into force, the later ones."""
    papers = Papers(passages)
    last = max((period.end for period in periods_asked(question)), default=None)
    found: dict[str, str] = {}
    for later, earlier in papers.replacements():
        begins = _begins(later)
        if last is not None and begins is not None and last < begins:
            found[later.uri] = earlier.uri
        else:
            found[earlier.uri] = later.uri
    return found


def _begins(paper: Paper) -> date | None:
    days = [period.start for period in paper.days]
    return effective_from(paper.opening) or (days[0] if days else None)


def _place(finding: Finding) -> str:
    return finding.candidate.uri


def _share_held(question: Question, finding: Finding) -> float:
    candidate = finding.candidate
    asked = [term for term in question.terms if term not in question.period_terms]
    return share_held(candidate.known, asked)
