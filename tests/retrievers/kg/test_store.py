"""The temporal graph over real SQLite: what holds when, what closes what, who is who."""

from __future__ import annotations

import itertools
from datetime import date

import pytest
from citewell.errors import CorpusError, UsageError
from citewell.retrievers.kg.meant import AmbiguousName
from citewell.retrievers.kg.records import Mention
from citewell.retrievers.kg.store import TemporalGraph
from kg_statements import day, put, said


@pytest.fixture
def graph(tmp_path):
    with TemporalGraph.open(tmp_path / "kg.sqlite") as opened:
        yield opened


def ceo(person, start, **more):
    return said(f"person:{person}", "HOLDS_ROLE", "Acme", value="CEO", start=start, exclusive=True, **more)


def told(facts):
    return [(fact.subject.name, fact.event.valid_at, fact.event.invalid_at) for fact in facts]


def test_an_empty_graph_knows_nothing_and_makes_no_file(tmp_path):
    graph = TemporalGraph.open(tmp_path / "kg.sqlite")
    assert (graph.facts(), graph.resolve("Acme"), graph.date_range(), graph.documents()) == ([], [], None, [])
    assert not (tmp_path / "kg.sqlite").exists()


def test_a_newer_holder_closes_the_older_and_is_named_whatever_the_order_of_arrival(tmp_path):
    documents = {
        "a": ceo("Ann Lee", "2018-05-01"),
        "b": ceo("Bob Ray", "2021-02-01"),
        "c": ceo("Cy Oak", "2023-07-01"),
        "d": ceo("Ann Lee", "2019-03-01"),
    }
    seen = []
    for number, order in enumerate(itertools.permutations(documents)):
        with TemporalGraph.open(tmp_path / f"{number}.sqlite") as graph:
            for uri in order:
                put(graph, uri, documents[uri])
            facts = graph.facts("Acme")
            by_id = {fact.event.event_id: fact for fact in facts}
            closers = [
                by_id[fact.event.invalidated_by].subject.name if fact.event.invalidated_by else "" for fact in facts
            ]
            seen.append((tuple(told(facts)), tuple(closers)))
    assert len(set(seen)) == 1
    assert seen[0] == (
        (
            ("Ann Lee", date(2018, 5, 1), date(2021, 2, 1)),
            ("Ann Lee", date(2019, 3, 1), date(2021, 2, 1)),
            ("Bob Ray", date(2021, 2, 1), date(2023, 7, 1)),
            ("Cy Oak", date(2023, 7, 1), None),
        ),
        ("Bob Ray", "Bob Ray", "Cy Oak", ""),
    )


def test_as_of_gives_the_state_of_a_day_and_a_window_what_held_in_it(graph):
    put(graph, "a", ceo("Ann Lee", "2018-05-01"), said("Acme", "LAUNCHED", "product:Rover", start="2019-03-01",
        end="2019-04-01", kind="STATIC"))  # fmt: skip
    put(graph, "b", ceo("Bob Ray", "2021-02-01"), said("Acme", "IS_A", "thing:carmaker", kind="ATEMPORAL"))
    assert [f.subject.name for f in graph.facts("Acme", predicate="HOLDS_ROLE", as_of=day("2021-01-31"))] == ["Ann Lee"]
    assert [f.subject.name for f in graph.facts("Acme", predicate="holds role", as_of=day("2021-02-01"))] == ["Bob Ray"]
    assert [f.predicate for f in graph.facts("Acme", as_of=day("2018-06-01"))] == ["HOLDS_ROLE", "IS_A"]
    assert [f.predicate for f in graph.facts("Acme", as_of=day("2020-01-01"))] == ["HOLDS_ROLE", "LAUNCHED", "IS_A"]
    window = graph.facts("Acme", day("2019-01-01"), day("2019-12-31"), predicate="LAUNCHED")
    assert [f.object.name for f in window] == ["Rover"]
    assert graph.facts("Acme", day("2020-01-01"), day("2020-12-31"), predicate="LAUNCHED") == []
    assert graph.date_range() == (date(2018, 5, 1), date(2021, 2, 1))


def test_a_product_line_closes_only_the_matching_product(graph):
    put(graph, "a", said("Acme", "PRODUCES", "product:Rover", start="2018"), said("Acme", "PRODUCES",
        "product:Sled", start="2018"))  # fmt: skip
    put(graph, "b", said("Acme", "PRODUCES", "product:Kayak", start="2020"))
    put(graph, "c", said("Acme", "DISCONTINUED", "product:Rover", start="2022-06-01", end="2022-06-02", kind="STATIC"))
    rover, sled, kayak = sorted(graph.facts(predicate="PRODUCES"), key=lambda f: "RSK".index(f.object.name[0]))
    assert (rover.event.invalid_at, sled.event.invalid_at, kayak.event.invalid_at) == (date(2022, 6, 1), None, None)
    assert graph.facts_of(rover.event.invalidated_by)[0].predicate == "DISCONTINUED"


def test_a_statement_of_an_end_closes_what_began_before_it(graph):
    put(graph, "a", said("Beta", "SUPPLIES", "Acme", value="batteries", start="2019"))
    put(graph, "b", said("Beta", "SUPPLIES", "Acme", value="batteries", end="2021-04-01"))
    put(graph, "c", said("Gamma", "SUPPLIES", "Acme", value="batteries", start="2020"))
    by_name = {(f.subject.name, f.event.valid_at): f.event for f in graph.facts(predicate="SUPPLIES")}
    assert by_name["Beta", date(2019, 1, 1)].invalid_at == date(2021, 4, 1)
    assert by_name["Beta", date(2019, 1, 1)].invalidated_by == by_name["Beta", None].event_id
    assert by_name["Gamma", date(2020, 1, 1)].invalid_at is None


def test_one_who_takes_up_another_role_has_left_the_one_not_spoken_of_since(graph):
    def role(name, start):
        return said("person:Ann", "HOLDS_ROLE", "Acme", value=name, start=start, exclusive=True)

    put(graph, "a", role("CFO", "2018"), role("director", "2018"))
    put(graph, "b", role("CEO", "2021"))
    ends = {f.value: f.event.invalid_at for f in graph.facts("Ann")}
    assert ends == {"CFO": date(2021, 1, 1), "director": None, "CEO": None}


def test_opinions_and_predictions_close_nothing(graph):
    put(graph, "a", ceo("Ann Lee", "2018"))
    put(graph, "b", ceo("Bob Ray", "2025", type_="PREDICTION"), ceo("Cy Oak", "2020", type_="OPINION"))
    assert {f.subject.name: f.event.invalid_at for f in graph.facts()} == dict.fromkeys(
        ["Ann Lee", "Bob Ray", "Cy Oak"]
    )


def test_two_statements_of_one_day_contradict_and_neither_closes_the_other(graph):
    put(graph, "a", ceo("Ann Lee", "2018"))
    put(graph, "b", ceo("Bob Ray", "2018"))
    put(graph, "c", ceo("Cy Oak", "2020"))
    assert [end for _, _, end in told(graph.facts())] == [date(2020, 1, 1), date(2020, 1, 1), None]


def test_a_statement_without_a_date_neither_closes_nor_appears_in_a_window(graph):
    put(graph, "a", ceo("Ann Lee", "2018"), ceo("Bob Ray", None))
    assert told(graph.facts()) == [("Ann Lee", date(2018, 1, 1), None), ("Bob Ray", None, None)]
    assert [name for name, *_ in told(graph.facts(start=day("2018"), end=day("2030")))] == ["Ann Lee"]
    assert [name for name, *_ in told(graph.facts(as_of=day("2020")))] == ["Ann Lee"]


def test_an_end_before_the_beginning_is_left_out(graph):
    put(graph, "a", ceo("Ann Lee", "2018", end="2016"))
    assert told(graph.facts()) == [("Ann Lee", date(2018, 1, 1), None)]


def test_a_reversed_window_and_an_unknown_predicate_are_refused_in_words(graph):
    with pytest.raises(UsageError, match="ends before it begins: 2022-01-01 to 2021-01-01"):
        graph.facts(start=day("2022"), end=day("2021"))
    with pytest.raises(UsageError, match=r"no predicate 'OWNS': one of IS_A, HAS_A"):
        graph.facts(predicate="OWNS")
    assert graph.facts("Nobody Knows Ltd") == []


def test_a_changed_document_replaces_what_it_said_and_a_removed_one_expires(graph):
    assert put(graph, "a", ceo("Ann Lee", "2018"), content="1")
    put(graph, "b", ceo("Bob Ray", "2021"))
    assert not put(graph, "a", ceo("Ann Lee", "2018"), content="1")
    put(graph, "a", ceo("Anna Leigh", "2018"), content="2")
    assert [name for name, *_ in told(graph.facts())] == ["Anna Leigh", "Bob Ray"]
    assert graph.withdraw(["b"]) == 1
    assert told(graph.facts()) == [("Anna Leigh", date(2018, 1, 1), None)]
    every = graph.facts(expired=True)
    assert sorted((f.subject.name, f.event.expired_at is None) for f in every) == [
        ("Ann Lee", False), ("Anna Leigh", True), ("Bob Ray", False),
    ]  # fmt: skip
    put(graph, "b", ceo("Bob Ray", "2021"))
    assert told(graph.facts())[0] == ("Anna Leigh", date(2018, 1, 1), date(2021, 1, 1))
    assert len(graph.facts(expired=True)) == 3


def test_every_event_keeps_its_passage(graph):
    put(graph, "a", ceo("Ann Lee", "2018"))
    (fact,) = graph.facts()
    assert graph.chunk(fact.event).text == "text"
    assert graph.statement(fact.event.event_id) == fact.event
    assert graph.source("a").uri == "a"
    assert graph.statement("e0") is None


def test_a_damaged_file_is_named_with_what_to_do(tmp_path):
    (tmp_path / "kg.sqlite").write_bytes(b"no database at all" * 100)
    with pytest.raises(CorpusError, match=r"kg.sqlite: the file is damaged.*; delete it and build the graph again"):
        TemporalGraph.open(tmp_path / "kg.sqlite").facts()


# Who is who


def test_case_and_legal_form_are_merged_on_record_and_a_merge_can_be_taken_back(graph):
    put(graph, "a", said("Acme Traders, Inc.", "LOCATED_IN", "place:Oslo", start="2018"))
    put(graph, "b", said("ACME TRADERS", "LOCATED_IN", "place:Oslo", start="2019"))
    put(graph, "c", said("Acme Traders", "LOCATED_IN", "place:Oslo", start="2020"))
    (entity,) = {fact.subject for fact in graph.facts()}
    assert (entity.name, entity.aliases) == ("Acme Traders", ("ACME TRADERS", "Acme Traders, Inc."))
    merge = next(each for each in graph.merges() if each.name == "ACME TRADERS")
    assert merge.into == "Acme Traders"
    graph.undo_merge(merge.merge_id)
    assert {fact.subject.name for fact in graph.facts()} == {"Acme Traders", "ACME TRADERS"}
    put(graph, "d", said("Acme Traders Inc", "LOCATED_IN", "place:Oslo", start="2021"))
    assert {fact.subject.name for fact in graph.facts()} == {"Acme Traders", "ACME TRADERS"}
    with pytest.raises(UsageError, match="was undone"):
        graph.undo_merge(merge.merge_id)
    with pytest.raises(UsageError, match="no merge 99"):
        graph.undo_merge(99)


def test_taking_a_merge_back_opens_what_it_had_closed(graph):
    put(graph, "a", said("Acme Inc", "LOCATED_IN", "place:Oslo", value="headquarters", start="2018", exclusive=True))
    put(graph, "b", said("Acme", "LOCATED_IN", "place:Bergen", value="headquarters", start="2020", exclusive=True))
    assert [f.event.invalid_at for f in graph.facts()] == [date(2020, 1, 1), None]
    graph.undo_merge(graph.merges()[0].merge_id)
    assert [f.event.invalid_at for f in graph.facts()] == [None, None]


def test_two_legal_forms_are_two_companies_and_the_bare_name_is_neither(graph):
    put(graph, "a", said("Delta Ltd", "LOCATED_IN", "place:Leeds", start="2018"))
    put(graph, "b", said("Delta", "LOCATED_IN", "place:Leeds", start="2018"))
    assert len({f.subject.entity_id for f in graph.facts()}) == 1
    put(graph, "c", said("Delta AG", "LOCATED_IN", "place:Bern", start="2018"))
    assert {f.subject.name for f in graph.facts()} == {"Delta Ltd", "Delta", "Delta AG"}
    assert graph.merges() == []


def test_a_name_of_another_kind_is_another_entity(graph):
    put(graph, "a", said("org:Apple", "LAUNCHED", "product:Pad", start="2010"))
    put(graph, "b", said("org:Orchard Co", "SELLS", "product:Apple", start="2011"))
    assert [c.entity.kind for c in graph.resolve("Apple")] == ["org", "product"]
    with pytest.raises(AmbiguousName, match=r"'Apple' may mean Apple \(org"):
        graph.facts("Apple")
    fruit = graph.resolve("Apple", "product")[0].entity
    assert [f.subject.name for f in graph.facts(fruit)] == ["Orchard Co"]
    assert graph.facts(fruit.entity_id) == graph.facts(fruit)


def test_a_stated_short_name_is_followed_until_it_stands_for_two(graph):
    united = Mention(name="United Freight", kind="org", aliases=("UF",))
    first = said("United Freight", "LOCATED_IN", "place:Hull", start="2018")
    first = first.model_copy(update={"triplets": (first.triplets[0].model_copy(update={"subject": united}),)})
    put(graph, "a", said("UF", "LAUNCHED", "product:Barge", start="2019", kind="STATIC"))
    put(graph, "b", first)
    assert {f.subject.name for f in graph.facts()} == {"United Freight"}
    assert [f.predicate for f in graph.facts("UF")] == ["LOCATED_IN", "LAUNCHED"]
    other = first.triplets[0].model_copy(update={"subject": Mention(name="Urban Farms", kind="org", aliases=("UF",))})
    put(graph, "c", first.model_copy(update={"triplets": (other,)}))
    assert {f.subject.name for f in graph.facts()} == {"United Freight", "Urban Farms", "UF"}
    assert [m.undone_at is None for m in graph.merges(undone=True)] == [False]


def test_spellings_are_merged_where_their_meaning_is_close_and_figures_agree(graph):
    put(graph, "a", said("Northwind Traders", "LAUNCHED", "product:Falcon 3", start="2018"))
    close = lambda a, b: 0.9  # noqa: E731
    put(graph, "b", said("Northwynd Traders", "LAUNCHED", "product:Falcon 4", start="2019"), similar=close)
    put(graph, "c", said("North Wind Traders", "LAUNCHED", "product:Falcon-3", start="2020"))
    put(graph, "d", said("Southwind Traders", "LAUNCHED", "product:Falcon 3", start="2020"), similar=lambda a, b: 0.4)
    assert {f.subject.name for f in graph.facts()} == {"North Wind Traders", "Southwind Traders"}
    assert {f.object.name for f in graph.facts()} == {"Falcon 3", "Falcon 4"}


def test_resolve_offers_names_that_hold_or_resemble_what_was_asked(graph):
    put(graph, "a", said("Northwind Traders", "LOCATED_IN", "place:Oslo", start="2018"))
    assert [(c.entity.name, c.how) for c in graph.resolve("northwind traders ltd")] == [("Northwind Traders", "case")]
    assert [(c.entity.name, c.how) for c in graph.resolve("Northwind")] == [("Northwind Traders", "lead")]
    assert [(c.entity.name, c.how) for c in graph.resolve("Traders")] == [("Northwind Traders", "part")]
    assert [(c.entity.name, c.how) for c in graph.resolve("Nortwind Traders")] == [("Northwind Traders", "similar")]
    assert graph.resolve("Zebra") == []


def test_a_neighbourhood_reaches_as_far_as_it_is_asked(graph):
    put(graph, "a", said("Beta", "SUPPLIES", "Acme", value="wheels", start="2018"), said("Gamma", "SUPPLIES", "Beta",
        value="rubber", start="2019"))  # fmt: skip
    assert [e.name for e in graph.neighbourhood("Acme").entities] == ["Acme", "Beta"]
    assert [e.name for e in graph.neighbourhood("Acme", 2).entities] == ["Acme", "Beta", "Gamma"]
    assert len(graph.neighbourhood("Acme", 2).facts) == 2
    assert graph.neighbourhood("Nobody") is None
    assert [(e.name, n) for e, n in graph.entities("org")] == [("Beta", 2), ("Acme", 1), ("Gamma", 1)]
