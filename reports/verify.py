"""Check a finished report again: ids, quotes and offsets in itself, its passages against the sources, its verdicts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from ..state.records import Answer, Claim, Evidence, Quote, Report, Verdict, chunk_id_of
from ..text.matching import find_quote
from .references import same_page

Kind = Literal["id", "evidence", "quote", "citation", "source", "status", "verdict"]
_CITE = re.compile(r"\(cite:\s*([^()\s]+)\s*\)")


@dataclass(frozen=True)
class Finding:
    """One place where a report does not hold.

    Attributes:
        where: Claim id, chunk id or uri.
        message: What is wrong, in words.
    """

    kind: Kind
    where: str
    message: str


@dataclass(frozen=True)
class SourceNow:
    """A source as it is today: its text and the hash of its bytes, or why it cannot be read."""

    text: str = ""
    sha256: str = ""
    reason: str = ""


class Rejudge(Protocol):
    """Decides again whether passages support a claim."""

    async def __call__(self, claim: Claim, cited: Sequence[Evidence]) -> Verdict: ...


def verify_report(report: Report) -> list[Finding]:
    """Return what does not hold in the report itself: ids, lengths, quotes, citations, sources, status."""
    return [*_evidence(report), *_claims(report), *_quotes(report), *_answer(report), *_status(report)]


def verify_sources(report: Report, now: Mapping[str, SourceNow]) -> list[Finding]:
    """Return where the passages of a report no longer stand in its sources.

    Args:
        now: Sources by uri as they are today; those that are absent are not checked.
    """
    findings = []
    for source in report.sources:
        today = now.get(source.uri)
        if today is None or source.status != "ok":
            continue
        if today.reason:
            findings.append(Finding("source", source.uri, today.reason))
            continue
        changed = bool(source.sha256 and today.sha256 and source.sha256 != today.sha256)
        if changed:
            findings.append(Finding("source", source.uri, "its bytes are not those that were read (sha256 differs)"))
        findings += [
            Finding("evidence", item.chunk_id, _moved(item, today.text))
            for item in report.evidence
            if item.uri == source.uri and today.text[item.start : item.end] != item.text
        ]
    return findings


async def verify_verdicts(report: Report, judge: Rejudge) -> list[Finding]:
    """Return the claims whose verdict comes out otherwise today.

    A chat model's verdicts are held against a judge that has no model: there only a claim that is no longer supported
    at all is a finding.
    """
    evidence = {item.chunk_id: item for item in report.evidence}
    findings = []
    for claim in _every_claim(report.answer):
        cited = [evidence[chunk_id] for chunk_id in claim.citations if chunk_id in evidence]
        verdict = await judge(claim, cited)
        fell = verdict.support == "unsupported" and claim.support != "unsupported"
        if fell or (report.engine == "embedded" and verdict.support != claim.support):
            why = f" ({'; '.join(verdict.reasons)})" if verdict.reasons else ""
            message = f"was {claim.support} ({claim.score:.2f}), is {verdict.support} ({verdict.score:.2f}){why}"
            findings.append(Finding("verdict", claim.claim_id, message))
    return findings


def _evidence(report: Report) -> Iterator[Finding]:
    seen: set[str] = set()
    known = {source.uri for source in report.sources if source.status == "ok"}
    for item in report.evidence:
        if item.chunk_id in seen:
            yield Finding("id", item.chunk_id, "stands twice in the evidence")
        seen.add(item.chunk_id)
        index = item.chunk_id.rpartition(":")[2]
        if not re.fullmatch(r"\d{1,9}", index) or item.chunk_id != chunk_id_of(item.uri, int(index)):
            yield Finding("id", item.chunk_id, f"is not sha1({item.uri!r}):index")
        if item.end - item.start != len(item.text):
            yield Finding(
                "evidence", item.chunk_id, f"has {len(item.text)} characters, its offsets say {item.end - item.start}"
            )
        if item.uri not in known:
            yield Finding("source", item.uri, "is not among the sources that were read")


def _claims(report: Report) -> Iterator[Finding]:
    evidence = {item.chunk_id for item in report.evidence}
    said: dict[str, str] = {}
    for claim in _every_claim(report.answer):
        if said.setdefault(claim.claim_id, claim.text) != claim.text:
            yield Finding("id", claim.claim_id, "stands for two different sentences")
        if not re.fullmatch(r"C-\d{3,}", claim.claim_id):
            yield Finding("id", claim.claim_id, "is no claim id")
        if not claim.citations:
            yield Finding("citation", claim.claim_id, "cites nothing")
        for chunk_id in claim.citations:
            if chunk_id not in evidence:
                yield Finding("citation", claim.claim_id, f"cites {chunk_id}, which is not in the evidence")
        for quote in claim.quotes:
            if quote.chunk_id not in claim.citations:
                yield Finding("citation", claim.claim_id, f"quotes {quote.chunk_id} without citing it")
        if claim.support == "unsupported":
            yield Finding("status", claim.claim_id, "is unsupported and should not be in the answer")


def _quotes(report: Report) -> Iterator[Finding]:
    evidence = {item.chunk_id: item for item in report.evidence}
    for where, quote in _every_quote(report):
        item = evidence.get(quote.chunk_id)
        if item is None:
            yield Finding("quote", where, f"quotes {quote.chunk_id}, which is not in the evidence")
        elif not 0 <= quote.start < quote.end <= len(item.text):
            yield Finding("quote", where, f"characters {quote.start} to {quote.end} are not in {quote.chunk_id}")
        elif item.text[quote.start : quote.end] != quote.text:
            found = find_quote(quote.text, item.text)
            place = f"it stands at {found[0]} to {found[1]}" if found else "the passage does not hold it"
            yield Finding("quote", where, f"{quote.text!r} is not at {quote.start} to {quote.end}: {place}")


def _answer(report: Report) -> Iterator[Finding]:
    answer = report.answer
    used = {chunk_id for claim in _every_claim(answer) for chunk_id in claim.citations}
    evidence = {item.chunk_id: item for item in report.evidence}
    for chunk_id in answer.citations:
        if chunk_id not in evidence:
            yield Finding("citation", chunk_id, "is listed as a citation and not in the evidence")
    for chunk_id in sorted(used - set(answer.citations)):
        yield Finding("citation", chunk_id, "is cited by a claim and missing in the list of citations")
    for chunk_id in _CITE.findall(answer.summary_text):
        if chunk_id not in evidence:
            yield Finding("citation", chunk_id, "is cited by the summary and not in the evidence")
    read = {same_page(source.uri) for source in report.sources if source.status == "ok"}
    for uri in answer.sources:
        if same_page(uri) not in read:
            yield Finding("source", uri, "is listed as a source of the answer and was not read")
    for conflict in answer.conflicts:
        for value in conflict.values:
            if value.chunk_id not in evidence:
                yield Finding("citation", value.chunk_id, f"is cited for {value.value!r} and not in the evidence")


def _status(report: Report) -> Iterator[Finding]:
    claims = report.answer.claims
    if report.status in {"answered", "partial"} and not any(claim.support == "supported" for claim in claims):
        yield Finding("status", report.run_id, f"says {report.status} without a supported claim")
    if report.status in {"insufficient_evidence", "failed"} and claims:
        yield Finding("status", report.run_id, f"says {report.status} and makes claims")


def _every_claim(answer: Answer) -> list[Claim]:
    """Summary plus sections, each copy that differs: a claim may be told twice, and either may have been edited."""
    told = [*answer.executive_summary, *(claim for section in answer.sections for claim in section.claims)]
    return list(dict.fromkeys(told))


def _every_quote(report: Report) -> Iterator[tuple[str, Quote]]:
    for claim in _every_claim(report.answer):
        yield from ((claim.claim_id, quote) for quote in claim.quotes)
    for fact in report.facts:
        yield from ((fact.fact_id, quote) for quote in fact.quotes)
    for conflict in report.answer.conflicts:
        yield from ((f"conflict about {conflict.attribute}", x.quote) for x in conflict.values if x.quote)


def _moved(item: Evidence, text: str) -> str:
    start = text.find(item.text)
    if start >= 0:
        return f"moved from {item.start} to {start} in {item.uri}"
    return f"is no longer in {item.uri} at {item.start} to {item.end}"
