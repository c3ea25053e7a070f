"""What a disk changed in a temporal graph is told and never quoted; a file from before there were seals is read."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from citewell.cli import cli
from citewell.errors import CorpusError
from citewell.retrievers.database import _statements
from citewell.retrievers.kg.exporting import as_json
from citewell.retrievers.kg.schema import _TABLES
from citewell.retrievers.kg.sealing import SEALED
from citewell.retrievers.kg.store import TemporalGraph
from citewell.state.seals import broken
from click.testing import CliRunner
from kg_statements import put, said


def ceo(person, start):
    return said(f"person:{person}", "HOLDS_ROLE", "Acme", value="CEO", start=start, exclusive=True)


def also(name: str, other: str):
    """A statement whose source calls somebody by another name too."""
    statement = said(f"person:{name}", "PART_OF", "Acme")
    triplet = statement.triplets[0]
    subject = triplet.subject.model_copy(update={"aliases": (other,)})
    return statement.model_copy(update={"triplets": (triplet.model_copy(update={"subject": subject}),)})


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A graph whose rows were written, changed, closed, expired and merged."""
    with TemporalGraph.open(tmp_path / "kg.sqlite") as graph:
        put(graph, "a", ceo("Ann Lee", "2018-05-01"), said("Acme", "LAUNCHED", "product:Rover", start="2019-03-01"))
        put(graph, "b", ceo("Bob Ray", "2021-02-01"), said("ACME", "PRODUCES", "product:rover"))
        put(graph, "c", said("Acme Corp.", "PRODUCES", "product:Rover", start="2020-01-01"))
        put(graph, "a", ceo("Ann Lee", "2018-06-01"), content="2")
        put(graph, "a", ceo("Ann Lee", "2018-05-01"), said("Acme", "LAUNCHED", "product:Rover", start="2019-03-01"))
        put(graph, "e", also("Ann Lee", "A. Lee"))
        graph.withdraw(["c"])
        graph.undo_merge(graph.merges()[0].merge_id)
        graph.add_root("/data", "data")
    return tmp_path / "kg.sqlite"


def rows(path: Path, name: str) -> list[tuple]:
    with closing(sqlite3.connect(path)) as database:
        columns = ", ".join(SEALED[name].columns)
        return database.execute(f"SELECT seal, {columns} FROM {name}").fetchall()


def changed(path: Path, statement: str, *values: object) -> None:
    with closing(sqlite3.connect(path)) as database, database:
        # Behind the back of the triggers, as a disk does it.
        names = database.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for (name,) in names:
            database.execute(f"DROP TRIGGER {name}")
        database.execute(statement, values)


@pytest.mark.parametrize("name", SEALED)
def test_every_row_is_sealed_after_every_transaction(path, name):
    found = rows(path, name)
    assert found
    assert all(held is not None and not broken(held, *values) for held, *values in found)


@pytest.mark.parametrize(
    ("statement", "what"),
    [
        ("UPDATE events SET quote = quote || '.'", "statement e"),
        ("UPDATE events SET valid_at = '2017-05-01' WHERE valid_at = '2018-05-01'", "statement e"),
        ("UPDATE triplets SET value = 'CFO' WHERE value = 'CEO'", "triplet"),
        ("UPDATE entities SET name = 'Ann Leo' WHERE name = 'Ann Lee'", "name Ann Leo"),
        ("UPDATE entities SET canonical = 77", "name "),
        ("UPDATE stated_names SET name = name || 'x'", "the name "),
    ],
)
def test_a_fact_that_was_changed_is_told_with_the_way_out_and_never_handed_out(path, statement, what):
    changed(path, statement)
    with TemporalGraph.open(path) as graph:
        with pytest.raises(CorpusError, match=f"{what}.* was changed by the disk; delete it and build the graph again"):
            graph.facts(expired=True)
        with pytest.raises(CorpusError, match="was changed by the disk"):
            as_json(graph)


def test_a_passage_and_a_document_that_were_changed_are_told(path):
    with TemporalGraph.open(path) as graph:
        event = graph.facts()[0].event
    changed(path, "UPDATE chunks SET record = replace(record, 'a', 'b')")
    changed(path, "UPDATE documents SET record = replace(record, 'ok', 'OK')")
    with TemporalGraph.open(path) as graph:
        for ask in (lambda: graph.chunk(event), lambda: graph.source("a"), graph.documents, graph.held):
            with pytest.raises(CorpusError, match="was changed by the disk"):
                ask()


@pytest.mark.parametrize("statement", ["UPDATE events SET quote = 'x'", "UPDATE entities SET name = name || 'x'"])
def test_a_change_is_not_sealed_by_the_next_build(path, statement):
    changed(path, statement)
    with TemporalGraph.open(path) as graph, pytest.raises(CorpusError, match="was changed by the disk"):
        put(graph, "a", ceo("Ann Lee", "2018-07-01"), said("ACME Inc.", "PRODUCES", "product:Rover"), content="3")
    with TemporalGraph.open(path) as graph, pytest.raises(CorpusError, match="was changed by the disk"):
        graph.facts(expired=True)


@pytest.mark.parametrize("name", ["events", "triplets", "entities", "documents", "merges", "closing_keys", "roots"])
def test_the_doctor_reads_the_graph(path, name, monkeypatch):
    monkeypatch.setenv("CITEWELL_HOME", str(path.parent))

    def told() -> list[str]:
        checks = json.loads(CliRunner().invoke(cli, ["doctor", "--deep", "--json"]).stdout)["checks"]
        return [check["detail"] for check in checks if check["name"] == "files" and check["state"] == "problem"]

    assert told() == []
    changed(path, f"UPDATE {name} SET seal = seal + 1")
    (line,) = told()
    assert "kg.sqlite" in line
    assert "was changed by the disk" in line


def test_a_graph_from_before_there_were_seals_is_read_added_to_and_sealed_from_then_on(path, tmp_path):
    with TemporalGraph.open(path) as graph:
        expected = as_json(graph)
    old = tmp_path / "old.sqlite"
    with closing(sqlite3.connect(old)) as database, database:
        for statement in _statements(_TABLES):
            database.execute(statement)
        database.execute("PRAGMA user_version = 1")
        database.execute("ATTACH ? AS new", (str(path),))
        for name, table in SEALED.items():
            columns = ", ".join(table.columns)
            database.execute(f"INSERT INTO main.{name} ({columns}) SELECT {columns} FROM new.{name}")
        database.commit()
    with TemporalGraph.open(old) as graph:
        assert as_json(graph) == expected
        assert {held for name in SEALED for held, *_ in rows(old, name)} == {None}
        put(graph, "d", ceo("Cy Oak", "2023-07-01"))
        assert graph.facts("Acme", predicate="HOLDS_ROLE")[-1].subject.name == "Cy Oak"
    assert None not in {held for name in SEALED for held, *_ in rows(old, name)}
