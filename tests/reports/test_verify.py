from __future__ import annotations

from typing import Any

import pytest
from citewell.reports.verify import SourceNow, verify_report, verify_sources, verify_verdicts
from citewell.state.records import Report, Verdict
from report_builder import ANNUAL, EXPORT, FUEL, TEXTS, WIKI, claim, sample_report, source


def changed(path: str, value: Any) -> Report:
    """The sample report with one value of its JSON replaced; the path is dotted."""
    data = sample_report().model_dump(mode="json")
    *parents, last = [int(part) if part.isdecimal() else part for part in path.split(".")]
    at: Any = data
    for part in parents:
        at = at[part]
    at[last] = value
    return Report.model_validate(data)


def kinds(findings):
    return sorted({(finding.kind, finding.where) for finding in findings})


class Judge:
    """Says the same about every claim and remembers what it was handed."""

    def __init__(self, support="supported"):
        self.support, self.seen = support, []

    async def __call__(self, claim, cited):
        self.seen.append((claim.claim_id, [item.chunk_id for item in cited]))
        return Verdict(support=self.support, score=0.5, reasons=("number: absent",))


def test_a_sound_report_has_no_finding():
    assert verify_report(sample_report()) == []


def test_a_quote_that_was_edited_is_found():
    found = verify_report(changed("answer.executive_summary.0.quotes.0.text", "Fuel cost rose to EUR 42.2 million"))
    assert ("quote", "C-001") in kinds(found)
    assert "does not hold it" in found[0].message


def test_an_offset_that_moved_names_where_the_quote_stands():
    found = verify_report(changed("answer.executive_summary.0.quotes.0.start", 3))
    assert "it stands at 34 to " in found[0].message


def test_an_offset_outside_the_passage_is_found():
    assert ("quote", "C-001") in kinds(verify_report(changed("answer.executive_summary.0.quotes.0.end", 10_000)))


@pytest.mark.parametrize(
    ("path", "value", "finding"),
    [
        ("evidence.0.text", "Other words.", "evidence"),
        ("evidence.0.uri", "elsewhere.pdf", "id"),
        ("evidence.1.chunk_id", "abc", "id"),
        ("evidence.1.chunk_id", "0" * 40 + ":" + "9" * 9, "id"),
        ("answer.executive_summary.0.citations", ["0" * 40 + ":7"], "citation"),
        ("answer.executive_summary.0.citations", [], "citation"),
        ("answer.citations", ["0" * 40 + ":7"], "citation"),
        ("answer.summary_text", "Up (cite: nowhere:1).", "citation"),
        ("answer.sources", ["https://example.test/made-up"], "source"),
        ("answer.conflicts.0.values.0.chunk_id", "nowhere:1", "citation"),
        ("answer.executive_summary.0.claim_id", "seven", "id"),
        ("answer.executive_summary.0.support", "unsupported", "status"),
        ("status", "insufficient_evidence", "status"),
        ("sources.0.status", "failed", "source"),
    ],
)
def test_each_kind_of_damage_is_found(path, value, finding):
    assert finding in {found.kind for found in verify_report(changed(path, value))}


def test_a_passage_listed_twice_is_found():
    report = sample_report()
    twice = report.model_copy(update={"evidence": (*report.evidence, report.evidence[0])})
    assert ("id", report.evidence[0].chunk_id) in kinds(verify_report(twice))


def test_answered_without_a_supported_claim_is_found():
    answer = sample_report().answer.model_copy(update={"executive_summary": (), "sections": (), "conflicts": ()})
    assert "status" in {x.kind for x in verify_report(sample_report(answer=answer, status="answered"))}


def test_sources_that_stayed_have_no_finding():
    now = {uri: SourceNow(text=TEXTS[uri], sha256=source(uri).sha256) for uri in TEXTS}
    assert verify_sources(sample_report(), now) == []


def test_a_changed_file_is_told_by_hash_and_by_passage():
    text = TEXTS[ANNUAL].replace("41.2", "42.2")
    found = verify_sources(sample_report(), {ANNUAL: SourceNow(text=text, sha256="0" * 64)})
    assert kinds(found) == [("evidence", FUEL.citations[0]), ("source", ANNUAL)]


def test_a_passage_that_moved_is_told_apart_from_one_that_is_gone():
    moved = verify_sources(sample_report(), {EXPORT: SourceNow(text="Head\n" + TEXTS[EXPORT])})
    gone = verify_sources(sample_report(), {EXPORT: SourceNow(text="nothing")})
    assert "moved from 0 to 5" in moved[0].message
    assert "no longer in" in gone[0].message


def test_a_source_that_cannot_be_read_is_a_finding_and_an_unnamed_one_is_not_checked():
    found = verify_sources(sample_report(), {WIKI: SourceNow(reason="is not among the named files")})
    assert kinds(found) == [("source", WIKI)]


async def test_verdicts_are_judged_again_over_the_cited_passages():
    judge = Judge()
    found = await verify_verdicts(sample_report(), judge)
    assert judge.seen[0] == ("C-001", [FUEL.citations[0]])
    assert [(x.kind, x.where) for x in found] == [("verdict", "C-004")]
    assert "was partial (0.61), is supported (0.50) (number: absent)" in found[0].message


async def test_verdicts_of_a_chat_model_count_only_where_nothing_supports_them_any_more():
    report = sample_report(engine="chat")
    assert await verify_verdicts(report, Judge("partial")) == []
    assert len(await verify_verdicts(report, Judge("unsupported"))) == 4


async def test_a_claim_without_passages_is_judged_over_none():
    told = claim(9, "Nothing.", ANNUAL, "Fuel cost rose", citations=("nowhere:0",), quotes=())
    answer = sample_report().answer.model_copy(update={"executive_summary": (told,), "sections": ()})
    judge = Judge("unsupported")
    assert [x.where for x in await verify_verdicts(sample_report(answer=answer), judge)] == ["C-009"]
    assert judge.seen == [("C-009", [])]
