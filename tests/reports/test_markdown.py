from __future__ import annotations

import os
from pathlib import Path

import pytest
from citewell.reports.markdown import code, escape, quoted, render_markdown, shorten, summary_line
from citewell.reports.references import citation_order
from citewell.reports.wording import words_for
from citewell.state.records import Answer, Fallback, Gap, OpenQuestion, Plan, Report, Section, Step
from report_builder import ANNUAL, FUEL, QUESTION, claim, sample_answer, sample_report, source

GOLDEN = Path(__file__).parents[1] / "golden" / "report.md"


def test_the_sample_report_reads_as_its_golden_file():
    text = render_markdown(sample_report())
    if os.environ.get("UPDATE_GOLDEN"):
        GOLDEN.write_text(text, encoding="utf-8")
    assert text == GOLDEN.read_text(encoding="utf-8")


def test_rendering_twice_gives_the_same_bytes():
    assert render_markdown(sample_report()) == render_markdown(sample_report())


def test_citations_are_numbered_in_order_of_first_use_and_listed_with_file_page_and_quote():
    text = render_markdown(sample_report())
    assert "from EUR 37.9 million in 2023. [1]\n- It ran 15 ships in 2024. [2]" in text
    assert "- [1] `filings/brackwater_2024.pdf` (Brackwater Ferries annual report), page 12: “Fuel cost rose" in text
    assert "- [2] `exports/fleet.csv`, rows 1–2: “Year: 2024; Ships: 15”" in text


def test_the_summary_in_one_line_has_the_numbers_of_the_report():
    answer = sample_answer()
    assert summary_line(answer).endswith("in 2023. [1] It ran 15 ships in 2024. [2]")
    assert (answer.citations[0], answer.citations[1]) == citation_order(answer)[:2]


def test_a_link_keeps_the_brackets_of_its_address():
    assert "<https://wiki.test/Brackwater_(ferries)>" in render_markdown(sample_report())


def test_ids_inside_a_sentence_are_not_shown_to_people():
    told = claim(1, f"Cost rose (cite: {FUEL.citations[0]}).", ANNUAL, "Fuel cost rose")
    text = render_markdown(sample_report(answer=Answer(executive_summary=(told,), citations=FUEL.citations)))
    assert "Cost rose. [1]" in text
    assert FUEL.citations[0] not in text


def test_links_that_a_writer_invented_are_not_live():
    hostile = (
        "See https://evil.test/x, www.evil.test and [the study](https://doi.test/1) ![](https://evil.test/i.png) [7]"
    )
    told = claim(1, hostile, ANNUAL, "Fuel cost rose")
    text = render_markdown(sample_report(answer=Answer(executive_summary=(told,), citations=FUEL.citations)))
    assert r"https\://evil.test/x" in text
    assert r"www\.evil.test" in text
    assert r"\[the study\](https\://doi.test/1)" in text
    assert r"\[7\]" in text
    assert "https://evil.test" not in text.replace("\\", "\\\\")


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("<script>alert(1)</script>", "&lt;script>alert(1)&lt;/script>"),
        ("a < b and 3 > 2", "a < b and 3 > 2"),
        ("# not a heading", "\\# not a heading"),
        ("1. not a list", "1\\. not a list"),
        ("- nor this", "\\- nor this"),
        ("*loud* and _low_ but snake_case", "\\*loud\\* and \\_low\\_ but snake_case"),
        ("5 * 3", "5 * 3"),
        ("AT&amp;T and AT&T", "AT&amp;amp;T and AT&T"),
        ("24.6% of $43.0M (2022)", "24.6% of $43.0M (2022)"),
    ],
)
def test_text_of_sources_is_shown_as_it_is(raw, shown):
    assert escape(raw) == shown


@pytest.mark.parametrize("words", ["- The lease ends in 2026.", "# Notes", "+ 3 points", "1. Fees", "> as before"])
def test_within_quotation_marks_the_sign_of_a_list_reads_as_the_source_has_it(words):
    assert quoted(words) == words


def test_within_quotation_marks_no_emphasis_tag_or_link_comes_alive():
    assert quoted("- *loud* <b> [x](y)") == "- \\*loud\\* &lt;b> \\[x\\](y)"


def test_a_code_span_holds_backticks():
    assert (code("a`b"), code("`x``"), code("plain")) == ("``a`b``", "``` `x`` ```", "`plain`")


def test_a_long_quote_is_cut_at_a_word():
    assert shorten("alpha beta gamma", 12) == "alpha beta…"
    assert len(shorten("x" * 900)) <= 420


def test_a_run_without_evidence_says_so_and_cites_nothing():
    report = sample_report(
        status="insufficient_evidence", stop_reason="no_evidence", answer=Answer(title=QUESTION), evidence=(), facts=()
    )
    text = render_markdown(report)
    assert "Evidence not found" in text
    assert "[1]" not in text


def test_sources_without_any_text_are_told_apart():
    empty = source("empty.txt", status="skipped", reason="empty")
    report = sample_report(
        status="insufficient_evidence", stop_reason="no_evidence", answer=Answer(), evidence=(), sources=(empty,)
    )
    text = render_markdown(report)
    assert "No evidence indexed" in text
    assert "`empty.txt` (skipped) – empty" in text


def test_a_failed_run_names_its_reason():
    report = sample_report(
        status="failed", stop_reason="error", answer=Answer(risks_and_limits=("every source failed: x",)), evidence=()
    )
    text = render_markdown(report)
    assert "**Failed**" in text
    assert "every source failed: x" in text


def test_fixed_words_follow_the_language_of_the_question_and_evidence_stays():
    plan = Plan(goal="", subtasks=(), queries=(), language="de")
    text = render_markdown(sample_report(plan=plan))
    assert "## Zusammenfassung" in text
    assert "Seite 12" in text
    assert "Fuel cost rose to EUR 41.2 million" in text
    assert words_for("xx")["summary"] == "Summary"


def test_fallbacks_repairs_and_an_empty_answer_are_told():
    report = sample_report(fallbacks=(Fallback(step="retriever", reason="dense search is unavailable"),))
    text = render_markdown(report)
    assert "`retriever` – dense search is unavailable" in text
    assert "C-004: softened – the passage says follows" in text


def test_a_citation_without_a_passage_is_marked_and_not_lost():
    text = render_markdown(sample_report(evidence=()))
    assert "passage not in this report" in text


def test_a_table_cell_keeps_its_pipe():
    steps = sample_report().steps
    changed = steps[0].model_copy(update={"queries": ("a | b",)})
    assert "`a \\| b`" in render_markdown(sample_report(steps=(changed,)))


def test_a_claim_that_is_only_partly_supported_says_so():
    text = render_markdown(sample_report())
    assert "may have raised the cost. [1] *(partly supported)*" in text


def test_the_same_claim_in_summary_and_section_is_one_citation():
    answer = sample_answer()
    assert isinstance(answer.sections[0], Section)
    assert render_markdown(Report.model_validate(sample_report().model_dump())).count("\n- [1] ") == 1


def test_what_only_comes_near_is_announced_as_no_answer():
    near = Answer(
        sections=(Section(heading="Not May 2024: the nearest", claims=(FUEL,)),),
        open_questions=(OpenQuestion(question=QUESTION, reason="No passage holds: May 2024."),),
        citations=FUEL.citations,
    )
    text = render_markdown(sample_report(status="partial", answer=near))
    assert words_for("en")["lead_nearest"] in text
    assert text.index(words_for("en")["lead_nearest"]) < text.index("## Not May 2024")


def test_fixed_sentences_follow_the_language_of_the_question_too():
    told = claim(1, "Cost rose.", ANNUAL, "Fuel cost rose")
    gap = Gap(question_id="Q1", reason="No passage bears on the question; missing: Zorblatt.")
    report = sample_report(
        plan=Plan(goal=QUESTION, subtasks=(), queries=(), language="de"),
        answer=Answer(
            executive_summary=(told,),
            open_questions=(
                OpenQuestion(question="Was noch?", reason="No sentence that was found answers the question."),
            ),
            risks_and_limits=("Not read: a.pdf (locked).",),
            citations=FUEL.citations,
        ),
        steps=(Step(iteration=1, queries=("q",), hits=1, new_facts=0, gaps=(gap,)),),
    )
    text = render_markdown(report)
    for sentence in (
        "Keine Stelle betrifft die Frage; es fehlt: Zorblatt.",
        "Kein gefundener Satz",
        "Nicht gelesen: a.pdf",
    ):
        assert sentence in text
    assert "No passage" not in text
