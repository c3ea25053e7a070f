"""`citewell kg build`, `show`, `merges` and `export` as a user types them."""

from __future__ import annotations

import json
from xml.etree import ElementTree

import pytest
from citewell.cli import cli
from click.testing import CliRunner

NOTES = {
    "a.md": "---\ndate: 2019-03-04\n---\n\n# Acme Tools Ltd\n\nAcme Tools Ltd is headquartered in Leeds.\n",
    "b.md": "---\ndate: 2021-05-06\n---\n\n# Acme Tools\n\nIn May 2021 Acme Tools moved its headquarters to Hull.\n",
}


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Run a command in a home of its own; the folder `notes` lies beside."""
    monkeypatch.setenv("CITEWELL_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("CITEWELL_ENGINE", "embedded")
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "notes"
    folder.mkdir()
    for name, text in NOTES.items():
        (folder / name).write_text(text, encoding="utf-8")

    def invoke(*words: str):
        return CliRunner().invoke(cli, ["kg", *words])

    return invoke


def test_a_graph_is_built_shown_and_built_again_for_nothing(run):
    first = run("build", "notes", "--quiet")
    assert first.output.splitlines()[0] == "documents: 2 added; 2 new statements"
    assert run("build", "notes", "--quiet").output.startswith("documents: 0 added, 2 unchanged; 0 new statements")
    assert run("show").output.splitlines()[0] == "2 documents, 2 facts about 3 entities, from 2019-03-04 to 2021-05-01"
    shown = run("show", "acme tools", "--as-of", "2020").output
    assert "2019-03-04 – 2021-05-01  Acme Tools LOCATED_IN Leeds headquarters" in shown
    assert "“Acme Tools Ltd is headquartered in Leeds.”  a.md" in shown
    assert "Hull" not in shown
    facts = json.loads(run("show", "Acme Tools", "--from", "2022", "--json").output)
    assert [(fact["object"]["name"], fact["event"]["valid_at"]) for fact in facts] == [("Hull", "2021-05-01")]


def test_names_are_listed_as_one_and_parted_again(run):
    run("build", "notes", "--quiet")
    assert "Acme Tools Ltd  =  Acme Tools" in run("merges").output
    assert run("merges", "--undo", "1").output == "Acme Tools Ltd and Acme Tools are two now\n"
    assert json.loads(run("merges", "--json").output) == []


def test_the_graph_is_exported_whole(run, tmp_path):
    run("build", "notes", "--quiet")
    told = json.loads(run("export").output)
    assert (told["schema"], len(told["facts"]), len(told["documents"])) == ("citewell.graph/1", 2, 2)
    assert run("export", "--format", "graphml", "--out", "out/g.graphml").exit_code == 0
    root = ElementTree.parse(tmp_path / "out" / "g.graphml").getroot()
    space = "{http://graphml.graphdrawing.org/xmlns}"
    assert (len(root.findall(f".//{space}node")), len(root.findall(f".//{space}edge"))) == (3, 2)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("show",), "no graph yet; `citewell kg build PATH` makes one"),
        (("build", "nowhere"), "nowhere: no such file or folder"),
        (("merges", "--undo", "1"), "no graph yet"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_line(run, words, told):
    result = run(*words)
    assert result.exit_code == 2
    assert told in result.stderr


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--from", "2022", "--to", "2021"), "the window ends before it begins"),
        (("--predicate", "OWNS"), "no predicate 'OWNS'"),
    ],
)
def test_a_reversed_window_and_an_unknown_predicate_are_refused(run, words, told):
    run("build", "notes", "--quiet")
    assert told in run("show", *words).stderr
    assert "nothing is known of 'Zebra'" in run("show", "Zebra").stderr
    assert "is no date: write 2021" in run("show", "--as-of", "soon").stderr
