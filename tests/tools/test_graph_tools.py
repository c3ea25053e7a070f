"""What is known in a window, what changed, and what is said where nothing is known."""

from __future__ import annotations

import json

import pytest
from citewell.errors import ToolError, UsageError
from citewell.retrievers.kg.store import TemporalGraph
from citewell.tools.factual_qa import factual_qa, factual_qa_tool
from citewell.tools.registry import ToolRegistry
from citewell.tools.trend_analysis import trend_analysis, trend_analysis_tool
from kg_statements import put, said


def aim(area, start):
    return said("Acme", "TARGETS", f"thing:{area}", value="research priority", start=start, exclusive=True)


def revenue(amount, year):
    return said(
        "Acme", "HAS_REVENUE", "thing:revenue", value=amount, unit="EUR", start=year, end=str(int(year) + 1),
        kind="STATIC",
    )  # fmt: skip


@pytest.fixture
def graph(tmp_path):
    with TemporalGraph.open(tmp_path / "kg.sqlite") as opened:
        for uri, statement in {
            "2016.txt": said("Acme", "TARGETS", "thing:tidal power", start="2016-03-01", exclusive=True),
            "2019.txt": said("Acme", "TARGETS", "thing:hydrogen", start="2019-05-01", exclusive=True),
            "ceo.txt": said("person:Ann Lee", "HOLDS_ROLE", "Acme", value="CEO", start="2018", exclusive=True),
            "ceo2.txt": said("person:Bob Ray", "HOLDS_ROLE", "Acme", value="CEO", start="2021-02-01", exclusive=True),
            "r18.txt": revenue("1000000", "2018"),
            "r19.txt": revenue("1200000", "2019"),
            "r20.txt": revenue("900000", "2020"),
            "other.txt": said("Borea", "LAUNCHED", "product:Rover", start="2020-06-01", end="2020-07-01",
                kind="STATIC"),
        }.items():  # fmt: skip
            put(opened, uri, statement, dated="2022-01-01")
        yield opened


def test_a_fact_comes_with_quote_dates_source_and_what_superseded_it(graph):
    answer = factual_qa(graph, "acme", "2019", "2020", "holds role")
    (fact,) = answer.facts
    assert (fact.subject, fact.value, str(fact.valid_at), str(fact.invalid_at)) == (
        *("Ann Lee", "CEO", "2018-01-01", "2021-02-01"),
    )
    assert fact.quote == "person:Ann Lee HOLDS_ROLE Acme CEO"
    assert fact.superseded_by == "person:Bob Ray HOLDS_ROLE Acme CEO"
    assert (fact.uri, str(fact.stated_at), fact.when()) == ("ceo.txt", "2022-01-01", "2018-01-01 to 2021-02-01")
    assert (answer.entity, str(answer.window.known_from)) == ("Acme", "2016-03-01")


@pytest.mark.parametrize("start", ["2021-02", "2021-02-01", "February 2021", "2021-Q1"])
def test_days_may_be_given_as_people_write_them(graph, start):
    names = [fact.subject for fact in factual_qa(graph, "Acme", start, None, "HOLDS_ROLE").facts]
    assert names[-1] == "Bob Ray"


def test_nothing_known_in_a_window_is_said_with_what_is_known_outside(graph):
    answer = factual_qa(graph, "Acme", "2001", "2003", "HOLDS_ROLE")
    assert answer.facts == ()
    assert answer.note.startswith(
        "nothing known of Acme for HOLDS_ROLE in this window between 2001-01-01 and 2003-12-31; outside of it 2 facts"
    )
    assert factual_qa(graph, "Zenith").note == "the graph knows no 'Zenith'"
    assert factual_qa(graph, "Acme Holdings").note.endswith("it knows Acme")


def test_the_first_words_of_one_name_alone_stand_for_it_and_that_is_said(graph):
    put(graph, "k.txt", said("Kelm Harbour AG", "LOCATED_IN", "place:Kelm", start="2019"), dated="2022-01-01")
    put(graph, "b.txt", said("Borea Line", "LOCATED_IN", "place:Oslo", start="2019"), dated="2022-01-01")
    put(graph, "c.txt", said("Borea Ferries", "LOCATED_IN", "place:Oslo", start="2019"), dated="2022-01-01")
    answer = factual_qa(graph, "Kelm Harbour")
    assert (answer.entity, len(answer.facts)) == ("Kelm Harbour AG", 1)
    put(graph, "m.txt", said("Marsh Pottery", "LOCATED_IN", "place:Oslo", start="2019"), dated="2022-01-01")
    answer = factual_qa(graph, "Marsh")
    assert (answer.entity, len(answer.facts)) == ("Marsh Pottery", 1)
    assert "'Marsh' is read as Marsh Pottery" in answer.note
    assert factual_qa(graph, "Bor").facts == ()


def test_a_change_of_something_that_the_graph_does_not_know_is_refused(graph):
    answer = trend_analysis(graph, "How has the number of bicycle racks changed?")
    assert answer.facts == ()
    assert answer.note.startswith("no fact is about what the question names; what is known is HAS_REVENUE")
    assert trend_analysis(graph, "What has changed since 2018?", ["Acme"]).facts


def test_an_empty_graph_says_how_to_build_one(tmp_path):
    with TemporalGraph.open(tmp_path / "none.sqlite") as empty:
        assert "citewell kg build" in factual_qa(empty, "Acme").note
        assert "citewell kg build" in trend_analysis(empty, "What changed?").note


def test_a_graph_that_was_built_and_holds_no_fact_does_not_ask_to_be_built(tmp_path):
    with TemporalGraph.open(tmp_path / "bare.sqlite") as bare:
        put(bare, "verse.txt")
        for note in (factual_qa(bare, "Acme").note, trend_analysis(bare, "What changed?").note):
            assert "was built over 1 document" in note
            assert "citewell kg build" not in note


@pytest.mark.parametrize("start", ["soon", "2021 or 2022 maybe", "99", "31 March"])
def test_what_is_no_date_is_refused(graph, start):
    with pytest.raises(ToolError, match="start_date: expected a date"):
        factual_qa(graph, "Acme", start)


def test_a_reversed_window_and_an_unknown_predicate_are_refused(graph):
    with pytest.raises(ToolError, match="reversed: start_date 2021-01-01 lies after end_date 2019-12-31"):
        factual_qa(graph, "Acme", "2021", "2019")
    with pytest.raises(ToolError, match="reversed"):
        trend_analysis(graph, "What changed?", ["Acme"], "2021", "2019")
    with pytest.raises(UsageError, match="no predicate 'LOVES': one of IS_A"):
        factual_qa(graph, "Acme", predicate="LOVES")


def test_a_trend_is_ordered_grouped_by_period_and_says_what_was_superseded(graph):
    answer = trend_analysis(graph, "How have the priorities of Acme changed?", ["Acme"])
    assert answer.topics == ("TARGETS",)
    assert [period.label for period in answer.periods] == ["2016-Q1", "2019-Q2"]
    assert [fact.object for fact in answer.facts] == ["tidal power", "hydrogen"]
    (old,) = answer.superseded
    assert (old.object, old.superseded_by) == ("tidal power", answer.facts[1].statement)


def test_numeric_values_make_a_series(graph):
    answer = trend_analysis(graph, "How did revenue develop?", ["Acme"], "2018", "2020")
    (series,) = answer.series
    assert (series.subject, series.measure, series.unit) == ("Acme", "revenue", "EUR")
    assert [(point.label, point.value) for point in series.points] == [
        *(("2018", 1_000_000.0), ("2019", 1_200_000.0), ("2020", 900_000.0)),
    ]


def test_a_topic_filter_takes_predicates_and_words(graph):
    def found(topic):
        return [
            fact.object or fact.value for fact in trend_analysis(graph, "What changed?", [], None, None, topic).facts
        ]

    assert found("LAUNCHED") == ["Rover"]
    assert found("hydrogen, tidal power") == ["tidal power", "hydrogen"]
    assert found("aviation") == []
    note = trend_analysis(graph, "What changed?", ["Acme"], topic_filter="aviation").note
    assert note == "nothing known of Acme on aviation in this window; what is known is HAS_REVENUE, HOLDS_ROLE, TARGETS"


def test_without_companies_all_are_traced_and_an_unknown_one_is_named(graph):
    assert {fact.subject for fact in trend_analysis(graph, "What was launched?").facts} == {"Borea"}
    assert trend_analysis(graph, "What changed?", ["Acme", "Zenith"]).note == "the graph knows no 'Zenith'"


async def test_as_tools_they_take_blanks_and_lists_and_answer_errors_as_values(graph):
    registry = ToolRegistry()
    registry.register(factual_qa_tool(lambda: graph))
    registry.register(trend_analysis_tool(lambda: graph))
    blank = '{"entity": "Acme", "start_date": "", "end_date": null, "predicate": "TARGETS"}'
    outcome = await registry.call("factual_qa", blank)
    assert [fact["object"] for fact in outcome.value["facts"]] == ["tidal power", "hydrogen"]
    assert json.loads(outcome.content) == outcome.value
    named = {"question": "What changed at Acme?", "companies": "Acme, Borea", "topic_filter": "LAUNCHED"}
    assert (await registry.call("trend_analysis", named)).value["companies"] == ["Acme", "Borea"]
    for arguments, reason in (
        ({"entity": "Acme", "predicate": "LOVES"}, "no predicate 'LOVES'"),
        ({"entity": "Acme", "start_date": "2021", "end_date": "2019"}, "reversed"),
        ({"entity": "", "start_date": "2021"}, "entity"),
        ({"company": "Acme"}, "unknown argument 'company'"),
    ):
        outcome = await registry.call("factual_qa", arguments)
        assert outcome.error in ("refused", "bad_arguments")
        assert reason in outcome.content
