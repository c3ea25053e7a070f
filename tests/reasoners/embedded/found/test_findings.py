"""Findings of one question: a table's best row stands alone, twins are one."""

from __future__ import annotations

from dataclasses import replace

from citewell.reasoners.embedded.asked.question import read_question
from citewell.reasoners.embedded.found.findings import findings_for
from citewell.reasoners.embedded.found.vectors import TextVectors
from citewell.reasoners.embedded.found.weights import term_weights
from citewell.reasoners.embedded.steps.declining import bearing_of
from citewell.reasoners.embedded.steps.facts import facts_of_round
from citewell.reasoners.embedded.steps.plan import make_plan
from citewell.reasoners.protocol import FactTask, PlanTask
from citewell.state.records import Cell, TableRow
from passages import passage_of

WORDS = TextVectors(None)


async def findings(question_text, passages):
    plan = make_plan(PlanTask(question=question_text, sources=()))
    facts = await facts_of_round(FactTask(plan, question_text, 1, passages, {}), WORDS)
    question = read_question(question_text)
    bearing = await bearing_of(question, passages, WORDS)
    by_id = {passage.chunk.chunk_id: passage for passage in passages}
    weights = term_weights(question, passages)
    return await findings_for(question, facts, by_id, weights, bearing.by_passage, WORDS)


def table():
    lines = ["Firma: Nordwind AG; Jahr: 2023; Umsatz: 2.345,67", "Firma: Nordwind AG; Jahr: 2022; Umsatz: 1.234,56"]
    text = "\n".join(lines)
    rows = []
    for line in lines:
        at = text.index(line)
        pairs = [part.split(": ") for part in line.split("; ")]
        cells = tuple(Cell(header=head, text=value, start=at, end=at + 1) for head, value in pairs)
        rows.append(TableRow(uri="B.csv", label="Nordwind AG", cells=cells, start=at, end=at + len(line)))
    return replace(passage_of("B.csv", text), rows=tuple(rows))


async def test_the_row_of_the_year_asked_for_stands_alone():
    found = await findings("What was the Umsatz of Nordwind AG in 2023?", [table()])
    assert len(found) == 1
    assert "2.345,67" in found[0].statement


async def test_twins_become_one_finding_with_both_citations():
    one = passage_of("a.txt", "The tidal barrier opens at noon on weekdays.")
    two = passage_of("b.txt", "On weekdays the tidal barrier opens at noon.")
    found = await findings("When does the tidal barrier open?", [one, two])
    assert len(found) == 1
    assert set(found[0].citations) == {one.chunk.chunk_id, two.chunk.chunk_id}


async def test_other_figures_are_never_merged():
    one = passage_of("a.txt", "The tidal barrier opens at 12 on weekdays.")
    two = passage_of("b.txt", "The tidal barrier opens at 13 on weekdays.")
    assert len(await findings("When does the tidal barrier open on weekdays?", [one, two])) == 2
