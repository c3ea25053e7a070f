"""Builds of the temporal graph over real files: incremental, whole documents only, safe side by side."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from datetime import date
from pathlib import Path

import pytest
from citewell.errors import UsageError
from citewell.reasoners.kg.building import Build, EmbeddedReader
from citewell.retrievers.kg.store import TemporalGraph
from citewell.settings import Settings

NOTES = {
    "2019.md": (
        "2019-03-04",
        "Acme Tools Ltd is headquartered in Leeds. Ann Lee is the chief executive of Acme Tools Ltd.",
    ),
    "2021.md": ("2021-05-06", "Acme Tools Ltd moved its headquarters from Leeds to Hull in April 2021."),
    "2022.md": ("2022-07-08", "Bob Ray was appointed CEO of Acme Tools Ltd on 1 July 2022."),
}


def note(folder: Path, name: str, day: str, text: str) -> None:
    head = f"---\ndate: {day}\n---\n\n" if day else ""
    (folder / name).write_text(f"{head}# Acme Tools Ltd\n\n{text}\n", encoding="utf-8")


@pytest.fixture
def folder(tmp_path):
    documents = tmp_path / "documents"
    documents.mkdir()
    for name, (day, text) in NOTES.items():
        note(documents, name, day, text)
    return documents


@pytest.fixture
def graph(tmp_path):
    with TemporalGraph.open(tmp_path / "kg.sqlite") as opened:
        yield opened


def build(graph, *paths):
    return asyncio.run(Build(graph, EmbeddedReader(), Settings()).run(list(paths)))


def told(facts):
    return [
        (f.subject.name, f.predicate, f.object.name if f.object else f.value, f.event.valid_at, f.event.invalid_at)
        for f in facts
    ]


def test_documents_become_facts_that_newer_ones_close(graph, folder):
    report = build(graph, folder)
    assert (report.added, report.statements) == (("2019.md", "2021.md", "2022.md"), 5)
    assert set(told(graph.facts())) == {
        ("Acme Tools Ltd", "LOCATED_IN", "Leeds", date(2019, 3, 4), date(2021, 4, 1)),
        ("Ann Lee", "HOLDS_ROLE", "Acme Tools Ltd", date(2019, 3, 4), date(2022, 7, 1)),
        ("Acme Tools Ltd", "LOCATED_IN", "Leeds", None, date(2021, 4, 1)),
        ("Acme Tools Ltd", "LOCATED_IN", "Hull", date(2021, 4, 1), None),
        ("Bob Ray", "HOLDS_ROLE", "Acme Tools Ltd", date(2022, 7, 1), None),
    }


def test_every_quote_stands_in_its_chunk_where_it_says(graph, folder):
    build(graph, folder)
    for fact in graph.facts():
        chunk = graph.chunk(fact.event)
        assert chunk.text[fact.event.start : fact.event.end] == fact.event.quote


def test_an_unchanged_document_is_not_read_again_and_a_changed_one_replaces_what_it_said(graph, folder):
    build(graph, folder)
    assert build(graph, folder).unchanged == ("2019.md", "2021.md", "2022.md")
    note(folder, "2022.md", "2022-07-08", "Cy Oak was appointed CEO of Acme Tools Ltd on 1 July 2022.")
    report = build(graph, folder)
    assert (report.updated, report.unchanged) == (("2022.md",), ("2019.md", "2021.md"))
    holders = [fact.subject.name for fact in graph.facts(predicate="HOLDS_ROLE")]
    assert holders == ["Ann Lee", "Cy Oak"]
    assert "Bob Ray" in {fact.subject.name for fact in graph.facts(expired=True)}


def test_what_a_removed_document_said_expires_and_what_it_closed_is_open_again(graph, folder):
    build(graph, folder)
    (folder / "2022.md").unlink()
    assert build(graph, folder).removed == ("2022.md",)
    (fact,) = graph.facts(predicate="HOLDS_ROLE")
    assert (fact.subject.name, fact.event.invalid_at, fact.event.invalidated_by) == ("Ann Lee", None, "")


def test_a_second_folder_and_a_single_file_are_named_apart(graph, folder, tmp_path):
    build(graph, folder)
    other = tmp_path / "other"
    other.mkdir()
    note(other, "2019.md", "2019-01-01", "Beta Works Ltd is headquartered in York.")
    assert build(graph, other).added == ("other/2019.md",)
    assert build(graph, folder / "2019.md").unchanged == ("2019.md",)
    assert len(graph.documents()) == 4


def test_a_path_that_does_not_exist_is_refused_before_anything_is_written(graph, tmp_path):
    with pytest.raises(UsageError, match="nowhere"):
        build(graph, tmp_path / "nowhere")
    assert not graph.exists


def test_one_bad_file_stops_nothing_and_is_named(graph, folder):
    (folder / "broken.pdf").write_bytes(b"%PDF-1.4 broken")
    (folder / "empty.txt").write_bytes(b"")
    report = build(graph, folder)
    assert [(source.uri, source.status) for source in report.failed] == [
        ("broken.pdf", "failed"),
        ("empty.txt", "skipped"),
    ]
    assert len(report.added) == 3


def test_an_undated_document_gives_its_states_no_beginning_and_resolves_nothing_relative(graph, tmp_path):
    folder = tmp_path / "undated"
    folder.mkdir()
    text = "Acme Tools Ltd is headquartered in Leeds. Last month Acme Tools Ltd launched Falcon 3."
    note(folder, "note.md", "", f"{text} Acme Tools Ltd launched Falcon 4 on 3 March 2021.")
    report = build(graph, folder)
    assert report.undated == ("note.md",)
    assert set(told(graph.facts())) == {
        ("Acme Tools Ltd", "LAUNCHED", "Falcon 4", date(2021, 3, 3), date(2021, 3, 4)),
        ("Acme Tools Ltd", "LAUNCHED", "Falcon 3", None, None),
        ("Acme Tools Ltd", "LOCATED_IN", "Leeds", None, None),
    }
    assert len(graph.facts(start=date(2020, 1, 1), end=date(2030, 1, 1))) == 1


def test_documents_that_contradict_each_other_about_one_day_are_both_kept_open(graph, tmp_path):
    folder = tmp_path / "two"
    folder.mkdir()
    note(folder, "a.md", "2021-03-01", "Acme Tools Ltd relocated its head office to Hull on 1 March 2021.")
    note(folder, "b.md", "2021-03-02", "Acme Tools Ltd relocated its head office to York on 1 March 2021.")
    build(graph, folder)
    assert sorted((f.object.name, f.event.invalid_at) for f in graph.facts()) == [("Hull", None), ("York", None)]


def test_two_builds_at_once_store_every_document_once(folder, tmp_path):
    for number in range(12):
        note(folder, f"more-{number}.md", "2020-01-02", f"Acme Tools Ltd launched Falcon {number} on 3 March 2019.")
    script = _script(tmp_path / "kg.sqlite", folder)
    running = [subprocess.Popen([sys.executable, "-c", script]) for _ in range(2)]
    assert [process.wait(60) for process in running] == [0, 0]
    with TemporalGraph.open(tmp_path / "kg.sqlite") as graph:
        assert len(graph.documents()) == 15
        assert len(graph.facts()) == len(graph.facts(expired=True)) == 17


def test_a_build_that_is_killed_leaves_whole_documents_and_goes_on(folder, tmp_path):
    for number in range(30):
        text = f"Acme Tools Ltd launched Falcon {number} on 3 March 2019. Acme Tools Ltd makes Falcon {number} in Hull."
        note(folder, f"more-{number:02}.md", "2020-01-02", text)
    path = tmp_path / "kg.sqlite"
    process = subprocess.Popen([sys.executable, "-c", _script(path, folder)])
    with TemporalGraph.open(path) as graph:
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and len(graph.documents()) < 8:
            time.sleep(0.005)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        documents = {document.source.uri: document.events for document in graph.documents()}
        assert 8 <= len(documents) < 33
        assert {events for uri, events in documents.items() if uri.startswith("more")} <= {2}
        report = build(graph, folder)
        assert (len(report.unchanged), len(report.added)) == (len(documents), 33 - len(documents))
        assert len(graph.facts()) == 65


def _script(path: Path, folder: Path) -> str:
    return (
        "import asyncio; from pathlib import Path\n"
        "from citewell.reasoners.kg.building import Build, EmbeddedReader\n"
        "from citewell.retrievers.kg.store import TemporalGraph; from citewell.settings import Settings\n"
        f"graph = TemporalGraph.open({str(path)!r})\n"
        f"asyncio.run(Build(graph, EmbeddedReader(), Settings()).run([Path({str(folder)!r})]))\n"
    )
