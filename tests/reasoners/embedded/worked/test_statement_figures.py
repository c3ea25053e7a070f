"""Questions about filings are answered from statements, tables and cover pages; nothing is told of another company."""

from __future__ import annotations

from dataclasses import replace

import pytest
from citewell.reasoners.embedded.asked.question import read_question
from citewell.reasoners.embedded.engine import EmbeddedReasoner
from citewell.reasoners.embedded.worked.statement_figures import confirms, figure_queries, figures_for, subjects_of
from citewell.reasoners.protocol import FactTask, PlanTask, SynthesisTask
from citewell.reasoners.support.judge import RuleJudge
from citewell.state.records import Claim
from passages import passage_of
from statement_pages import BALANCE, CASH, EARNINGS, page_of

PAGES = [BALANCE, EARNINGS, CASH]
BANK = page_of(
    "VARGA_2033_10K.pdf",
    "Consolidated Statements of Income (Millions)",
    ("Year Ended December 31 2033", "Year Ended December 31 2032"),
    [
        ("Interest income: Interest on loans", ("12,000", "9,000")),
        ("Interest income: Deposits with banks", ("600", "100")),
        ("Interest expense: Deposits", ("1,500", "500")),
        ("Net interest income", ("11,100", "8,600")),
        ("Total revenues net of interest expense", ("52,000", "42,000")),
        ("Provisions for credit losses", ("2,200", "(1,400)")),
        ("Expenses: Salaries", ("7,300", "6,200")),
        ("Pretax income", ("9,600", "10,700")),
        ("Net income", ("7,500", "8,100")),
    ],
    page=96,
)
REGIONS = page_of(
    "VARGA_2033_10K.pdf",
    "GEOGRAPHIC OPERATIONS",
    ("Home market", "EMEA", "APAC", "Other Unallocated", "Consolidated"),
    [("2033: Revenues", ("41,000", "4,900", "3,800", "(160)", "49,540"))],
    page=155,
)


def text_of(question: str, pages) -> str:
    (found,) = figures_for(read_question(question), pages)
    return found.text


def test_a_company_that_no_source_is_about_gets_no_figure():
    assert figures_for(read_question("What was Zorblatt's gross margin in FY2033?"), PAGES) == []
    assert "21.7%" in text_of("What was Kelm's gross margin in FY2033?", PAGES)


def test_searches_lead_to_the_statements_with_whom_and_when():
    queries = list(figure_queries(read_question("What is the quick ratio of Kelm Holding for FY2033?")))
    assert all(query.startswith("Kelm Holding FY2033 ") for query in queries)
    assert any("total current liabilities" in query for query in queries)


def test_a_measure_that_a_whole_statement_lacks_is_said_not_to_apply():
    text = text_of("What drove gross margin change as of FY2033 for Varga?", [BANK])
    assert "not measured through gross margin" in text
    assert "no gross profit and no cost of sales" in text
    assert "Net interest income" in text
    assert confirms(text, [BANK])
    assert not confirms(text.replace("gross margin", "operating margin"), [BANK])
    # A statement with a gap may hold the line after all.
    torn = replace(BANK, rows=(*BANK.rows[:3], *BANK.rows[4:]))
    assert figures_for(read_question("What drove gross margin change as of FY2033 for Varga?"), [torn]) == []
    assert not confirms(text, [torn])


def test_regions_are_listed_as_the_table_names_them():
    assert text_of("What are the geographies that Varga primarily operates in as of 2033?", [BANK, REGIONS]) == (
        "Geographies: Home market, EMEA, APAC."
    )


COVER = (
    "Securities registered pursuant to Section 12(b) of the Act:\nTitle of each class Trading Symbol\n{listed}\n"
    "Securities registered pursuant to section 12(g) of the Act: None"
)
ASKED = "Which debt securities are registered to trade on a national securities exchange under Kelm's name?"


def test_registered_securities_are_told_from_the_cover():
    page = passage_of("KELM_2033_10K.pdf", COVER.format(listed="Common Stock KLM\n1.500% Notes due 2041 KLM41"))
    assert "1.500% Notes due 2041 KLM41" in text_of(ASKED, [page])
    bare = passage_of("KELM_2033_10K.pdf", COVER.format(listed="Common Stock, $0.10 par value KLM"))
    text = text_of(ASKED, [bare])
    assert text.startswith("Inference: there are none; no debt security")
    assert confirms(text, [bare])
    assert not confirms(text, [page])


async def test_the_answer_leads_with_what_was_computed_and_every_claim_is_supported():
    reasoner = EmbeddedReasoner(None, RuleJudge())
    question = "Are Kelm's gross margins historically consistent (not moving more than 2% each year)?"
    plan = await reasoner.plan(PlanTask(question=question, sources=()))
    facts = await reasoner.extract_facts(FactTask(plan, question, 1, PAGES, {}))
    draft = await reasoner.synthesize(SynthesisTask(plan, question, facts, PAGES, (), ()))
    assert draft.summary[0].text.startswith("Yes. Inference: Gross margin")
    assert not draft.open_questions
    by_id = {page.chunk.chunk_id: page for page in PAGES}
    for claim in draft.claims:
        verdict = await reasoner.judge(claim, [by_id[key] for key in claim.citations])
        assert verdict.support == "supported", claim.text


async def test_a_yes_is_told_by_the_sentence_that_says_all_of_it_and_not_by_an_unsure_one():
    reasoner = EmbeddedReasoner(None, RuleJudge())
    question = "Was Kelm able to retain card members during 2033?"
    sure = passage_of("KELM_2033.txt", "In 2033 card member retention at Kelm remained high.")
    unsure = passage_of("KELM_2033_risks.txt", "Kelm may not retain card members in 2033 if fees rise.")
    plan = await reasoner.plan(PlanTask(question=question, sources=()))
    facts = await reasoner.extract_facts(FactTask(plan, question, 1, [sure, unsure], {}))
    draft = await reasoner.synthesize(SynthesisTask(plan, question, facts, [sure, unsure], (), ()))
    assert draft.summary[0].text == "Yes. In 2033 card member retention at Kelm remained high."
    assert all("remained high" not in claim.text for claim in draft.claims[1:])
    verdict = await reasoner.judge(Claim.model_validate(draft.summary[0].model_dump()), [sure])
    assert verdict.support == "supported"


@pytest.mark.parametrize(
    ("question", "subjects"),
    [
        ("What is the FY2018 capital expenditure amount (in USD millions) for 3M? Give a response.", ("3M",)),
        ("What is Kelm's FY2019 net AR? Round your answer. Answer in USD millions.", ("Kelm",)),
        ("Did Kelm Holding grow its PPNE between FY20 and FY21?", ("Kelm Holding",)),
    ],
)
def test_whom_a_question_is_about(question, subjects):
    assert subjects_of(read_question(question)) == subjects


def test_a_definition_in_the_question_asks_for_no_further_period_and_a_short_name_is_met_whole():
    question = (
        "What is Kelm's FY2033 fixed asset turnover ratio? Fixed asset turnover ratio is defined as: FY2033 revenue / "
        "(average PP&E between FY2032 and FY2033). Round your answer to two decimal places."
    )
    assert text_of(question, PAGES).endswith("46,000 / ((2,350 + 2,250) / 2) = 20.00 (January 28, 2033).")
    assert figures_for(read_question("What is 3M's FY2033 gross margin?"), PAGES) == []
    renamed = [
        replace(
            page,
            chunk=page.chunk.model_copy(update={"uri": "3M_2033_10K.pdf"}),
            source=page.source.model_copy(update={"uri": "3M_2033_10K.pdf"}),
        )
        for page in PAGES
    ]
    assert "21.7%" in text_of("What is 3M's FY2033 gross margin?", renamed)
