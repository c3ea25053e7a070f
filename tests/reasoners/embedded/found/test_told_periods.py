"""An amount asked for at a time that no row is of is open, and rows of other times stand there as the nearest only."""

from __future__ import annotations

from dataclasses import replace

import pytest
from citewell.reasoners.embedded.asked.question import read_question
from citewell.reasoners.embedded.found.told_periods import periods_asked
from citewell.reasoners.embedded.found.vectors import TextVectors
from citewell.reasoners.embedded.steps.facts import facts_of_round
from citewell.reasoners.embedded.steps.gaps import open_gaps
from citewell.reasoners.embedded.steps.plan import make_plan
from citewell.reasoners.embedded.steps.synthesis import write_draft
from citewell.reasoners.protocol import FactTask, GapTask, Passage, PlanTask, SynthesisTask
from citewell.reasoners.tables.row_periods import row_periods
from citewell.retrievers.parsers import extract
from citewell.state.records import Cell, Draft, TableRow
from passages import passage_of

WORDS = TextVectors(None)
VISITS = "month,visitors\n2024-01,1200\n2024-02,1340\n2024-04,1810\n2024-06,990\n"
TICKETS = "month,site,tickets\nJanuary,Harbour,410\nJanuary,Museum,220\nMarch,Harbour,510\nMarch,Museum,300\n"
YEARS = "year,month,repairs\n2023,11,40\n2023,12,44\n2024,1,51\n"
MILLS = "# Mill\n\n| Month | Flour (t) |\n| --- | --- |\n| May 2023 | 410 |\n| July 2023 | 395 |\n"
PROSE = "In October 2023 the plant produced 1,150 tonnes of glass. In December 2023 it produced 1,020 tonnes of glass."


def file(name: str, text: str) -> Passage:
    found = extract(text.encode(), name=name)
    rows = tuple(row.model_copy(update={"uri": name}) for row in found.rows)
    return replace(passage_of(name, found.text), rows=rows)


async def draft(question: str, *passages: Passage) -> Draft:
    plan = make_plan(PlanTask(question=question, sources=()))
    facts = await facts_of_round(FactTask(plan, question, 1, list(passages), {}), WORDS)
    numbered = [fact.model_copy(update={"fact_id": f"F-{place}"}) for place, fact in enumerate(facts)]
    task = SynthesisTask(plan=plan, question=question, facts=numbered, gaps=(), steps=(), passages=passages)
    return await write_draft(task, WORDS)


@pytest.mark.parametrize(
    ("question", "name", "text", "missing", "nearest"),
    [
        ("How many visitors were there in May 2024?", "a.csv", VISITS, "May 2024", ("2024-04", "2024-06")),
        ("How many tickets at the Harbour in February?", "a.csv", TICKETS, "February", ("January", "March")),
        ("How many repairs in October 2023?", "a.csv", YEARS, "October 2023", ("2023, month 11",)),
        ("How much flour in June 2023?", "a.md", MILLS, "June 2023", ("May 2023", "July 2023")),
        ("How many tonnes of glass were produced in November 2023?", "a.md", PROSE, "November 2023", ("October 2023",)),
    ],
)
async def test_a_time_that_nothing_tells_of_is_open_and_the_nearest_is_told_as_such(
    question, name, text, missing, nearest
):
    written = await draft(question, file(name, text))
    assert written.summary == ()
    (section,) = written.sections
    assert section.heading == f"Not {missing}: the nearest that the sources tell of"
    told = " ".join(claim.text for claim in section.claims)
    assert all(period in told for period in nearest)
    (hole,) = written.open_questions
    assert (hole.question, hole.reason) == (question, f"No passage holds: {missing}.")


@pytest.mark.parametrize(
    ("question", "name", "text", "values"),
    [
        ("How many visitors were there in April 2024?", "a.csv", VISITS, ["1810"]),
        ("How many visitors were there in January and February 2024?", "a.csv", VISITS, ["1,200 + 1,340 = 2,540"]),
        ("How many tickets were sold in March?", "a.csv", TICKETS, ["510 + 300 = 810"]),
        ("How many repairs in January 2024?", "a.csv", YEARS, ["51"]),
        ("How much flour was made in July 2023?", "a.md", MILLS, ["395"]),
    ],
)
async def test_rows_of_the_time_asked_for_answer_and_no_others(question, name, text, values):
    written = await draft(question, file(name, text))
    assert written.open_questions == ()
    assert sorted(next(v for v in values if v in claim.text) for claim in written.summary) == values
    assert len(written.claims) == len(values)


async def test_of_several_times_the_one_that_is_missing_is_listed():
    written = await draft("How many visitors were there in April and May 2024?", file("a.csv", VISITS))
    assert ["1810" in claim.text for claim in written.claims] == [True]
    assert [hole.reason for hole in written.open_questions] == ["No passage holds: May 2024."]


async def test_what_names_no_time_may_be_of_any():
    prices = file("a.csv", "item,price_eur\nticket,12\nguide,5\n")
    written = await draft("What was the price of a ticket in May 2024?", prices)
    assert written.open_questions == ()
    assert "12" in written.claims[0].text


async def test_a_missing_time_is_a_gap_of_the_round():
    question, passage = "How many visitors were there in May 2024?", file("a.csv", VISITS)
    plan = make_plan(PlanTask(question=question, sources=()))
    facts = await facts_of_round(FactTask(plan, question, 1, [passage], {}), WORDS)
    (gap,) = await open_gaps(GapTask(plan, question, facts, [passage], plan.queries), WORDS)
    assert (gap.optional, gap.reason) == (False, "What was found is of other times than May 2024.")


def row(**cells: str) -> TableRow:
    made = tuple(Cell(header=header.lstrip("_"), text=text, start=0, end=1) for header, text in cells.items())
    return TableRow(uri="a.csv", label="", cells=made, start=0, end=10)


@pytest.mark.parametrize(
    ("cells", "labels"),
    [
        ({"month": "2024-05", "visitors": "3"}, ["2024-05"]),
        ({"year": "2024", "month": "5", "visitors": "3"}, ["2024-05"]),
        ({"Jahr": "2024", "Monat": "Mai", "Besucher": "3"}, ["2024-05"]),
        ({"year": "2024", "quarter": "Q2", "repairs": "3"}, ["2024-Q2"]),
        ({"fiscal_year": "FY2025", "revenue": "3"}, ["FY2025"]),
        ({"item": "Revenue", "_2022": "3", "_2023": "4"}, ["2022", "2023"]),
        ({"item": "Lease", "signed": "2024-05-03", "fee": "3"}, []),
        ({"customer": "May", "orders": "3"}, []),
    ],
)
def test_the_time_of_a_row_is_read_from_its_dates(cells, labels):
    assert [period.label() for period in row_periods(row(**cells))] == labels


@pytest.mark.parametrize(
    ("question", "texts"),
    [
        ("How many visitors came in April and May 2024?", ["April 2024", "May 2024"]),
        ("How many came in May?", ["May"]),
        ("Wie viele kamen im März?", ["März"]),
        ("How many may come?", []),
        ("How many came on 3 May 2024?", ["3 May 2024"]),
    ],
)
def test_months_without_a_year_of_their_own_are_asked_for_too(question, texts):
    assert [period.text for period in periods_asked(read_question(question))] == texts
