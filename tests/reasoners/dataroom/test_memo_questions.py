"""A memo asks what its request names first, then what fits any company; what nobody asked for is no risk."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from citewell.reasoners.dataroom.arrangement import sections_of
from citewell.reasoners.dataroom.corrections import ATTRIBUTE, corrections
from citewell.reasoners.dataroom.engine import DataroomReasoner
from citewell.reasoners.dataroom.lines import lines_of
from citewell.reasoners.dataroom.settled import bears
from citewell.reasoners.dataroom.topics import topics_of
from citewell.reasoners.protocol import Passage, PlanTask
from citewell.reasoners.tables.catalog import catalog
from citewell.reports.artifacts import artifact_texts
from citewell.reports.risks import CORRECTED
from citewell.state.harness import load_harness
from citewell.state.records import Answer, Chunk, Hit, OpenQuestion, Report, Source
from fakes import ScriptedReasoner

HARNESS = load_harness()
REQUEST = "Write a memo on Brandt Mills: revenue, fleet safety and the pension plan, and its risks."


@pytest.mark.parametrize(
    ("request_", "topics"),
    [
        (REQUEST, ("revenue", "fleet safety", "pension plan")),
        ("A memo covering debt; suppliers & staff.", ("debt", "suppliers", "staff")),
        ("Write a memo about the company.", ()),
        ("What was revenue?", ()),
    ],
)
def test_topics_are_what_a_request_lists(request_, topics):
    assert topics_of(request_) == topics


def test_named_topics_lead_and_take_the_policys_questions_with_them():
    sections = sections_of(HARNESS, REQUEST)
    assert list(sections)[:3] == ["Revenue", "Fleet safety", "Pension plan"]
    assert "What was revenue?" in sections["Revenue"]
    assert "What was revenue?" not in sections.get("Financials", ())


async def asked(has: tuple[str, ...], request: str = REQUEST) -> dict[str, bool]:
    def speaks_of(words):
        return bool(set(words) & set(has))

    reasoner = DataroomReasoner(ScriptedReasoner(), HARNESS, lambda: catalog([], {}), speaks_of)
    plan = await reasoner.plan(PlanTask(question=request, sources=[]))
    return {part.text: part.optional for part in plan.subtasks}


async def test_metrics_of_one_kind_of_company_are_asked_only_where_they_are_spoken_of():
    plain = await asked(())
    assert not any("ARR" in text or "retention" in text for text in plain)
    assert "What is net revenue retention?" in await asked(("nrr",))
    assert "What was ARR at the last date?" in await asked((), "Write a memo on the ARR of Brandt Mills.")


async def test_what_the_user_names_must_be_answered_and_what_the_policy_adds_need_not():
    parts = await asked(())
    assert parts["fleet safety"] is False
    assert parts["How much cash is there?"] is True


def passage(text: str) -> Passage:
    chunk = Chunk(chunk_id="c:0", uri="note.md", index=0, text=text, start=0, end=len(text))
    return Passage(
        chunk=chunk,
        source=Source(uri="note.md", kind="file", published_at=datetime(2025, 1, 2, tzinfo=UTC)),
        hit=Hit(chunk_id="c:0", score=1.0, rank=1),
    )


@pytest.mark.parametrize(
    ("text", "holds", "gone"),
    [
        ("Correction: the mill had 412 looms at the end of June, not 421.", "412", "421"),
        ("The output was corrected from 88 tonnes to 79 tonnes.", "79 tonnes", "88 tonnes"),
        ("Visitors: 5,310. The previous version reported 4,900.", "5,310", "4,900"),
    ],
)
def test_a_corrected_figure_is_shown_beside_the_one_it_replaces(text, holds, gone):
    ((_, found),) = corrections(lines_of([passage(text)]), HARNESS)
    assert [value.value for value in found.conflict.values] == [holds, gone]
    assert found.conflict.preferred == holds
    assert found.conflict.attribute == ATTRIBUTE == CORRECTED


@pytest.mark.parametrize(
    "text",
    [
        "Output rose from 88 tonnes to 97 tonnes.",
        "The mill has 412 looms, not counting those in Kelm.",
        "It was 412 in 2023 and 421 in 2024.",
    ],
)
def test_a_change_is_no_correction(text):
    assert list(corrections(lines_of([passage(text)]), HARNESS)) == []


@pytest.mark.parametrize(
    ("question", "shown"),
    [
        ("How many looms did the mill in Kelm have?", True),
        ("Which figures were corrected?", True),
        ("What was the accident rate of the mill?", False),
        ("Was the weaver in Kelm dismissed?", False),
    ],
)
def test_a_corrected_figure_is_shown_to_who_asks_about_it(question, shown):
    text = "Correction: the number of looms of the mill in Kelm was 412, not 421."
    ((_, found),) = corrections(lines_of([passage(text)]), HARNESS)
    assert bears(found, question, HARNESS) is shown


def test_an_own_question_that_stays_open_is_no_risk():
    answer = Answer(
        title="Memo",
        open_questions=(
            OpenQuestion(question="How much cash is there?", sources=("a.md",)),
            OpenQuestion(question="fleet safety", sources=("a.md",)),
        ),
    )
    report = Report(
        run_id="r1", created_at=datetime(2025, 4, 30, tzinfo=UTC), question=REQUEST, status="partial",
        stop_reason="no_gaps", engine="embedded", answer=answer,
    )  # fmt: skip
    register = artifact_texts(report, HARNESS)["risk_register.json"]
    assert "fleet safety" in register
    assert "cash" not in register
