"""`citewell index` and `citewell search` over a real corpus, words alone where that is enough."""

from __future__ import annotations

import json

import citewell
import pytest
from citewell.cli import cli
from citewell.commands.search import snippet
from citewell.retrievers.corpus import Corpus
from click.testing import CliRunner


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "harbour.txt").write_text("The tidal barrier opens at noon. Order #4821 was for rope.")
    (tmp_path / "docs" / "ferry.md").write_text("# Ferry\n\nThe night ferry leaves from pier four.")
    (tmp_path / "docs" / "empty.txt").write_text("")
    return tmp_path


def run(*arguments):
    return CliRunner().invoke(cli, list(arguments))


def test_indexing_tells_what_it_did_and_a_second_time_changes_nothing():
    first, second = (run("index", "docs", "--corpus", "kept") for _ in range(2))
    assert (first.exit_code, second.exit_code) == (0, 0)
    assert first.stdout.splitlines() == [
        "2 added, 1 not indexed; 2 new passages",
        "  skipped: empty.txt: empty: 0 bytes",
    ]
    assert second.stdout.startswith("0 added, 2 unchanged")
    assert "embedding: 2 of 2" in first.stderr


def test_indexing_as_json_is_the_record():
    result = json.loads(run("index", "docs", "--corpus", "kept", "--json", "--quiet").stdout)
    assert (sorted(result["added"]), result["chunks"]) == (["ferry.md", "harbour.txt"], 2)


def test_where_nothing_could_be_read_the_exit_code_is_2(folder):
    (folder / "bad").mkdir()
    (folder / "bad" / "cut.pdf").write_bytes(b"%PDF-1.7\nbroken")
    result = run("index", "bad", "--corpus", "kept", "--quiet")
    assert result.exit_code == 2
    assert "failed: cut.pdf" in result.stdout


def test_a_search_shows_rank_scores_source_and_a_snippet():
    run("index", "docs", "--corpus", "kept", "--quiet")
    lines = run("search", "when does the tidal barrier open", "--corpus", "kept", "--k", "1").stdout.splitlines()
    assert lines[0].split()[0] == "1"
    assert lines[0].endswith("harbour.txt")
    assert "sparse " in lines[1]
    assert "dense " in lines[1]
    assert "fused 0.0" in lines[1]
    assert lines[2].strip().startswith("The tidal barrier opens at noon.")


def test_a_search_as_json_is_a_list_of_hits_with_passages():
    run("index", "docs", "--corpus", "kept", "--quiet")
    hits = json.loads(run("search", "order 4821", "--corpus", "kept", "--mode", "sparse", "--json").stdout)
    assert hits[0]["uri"] == "harbour.txt"
    assert hits[0]["score_dense"] is None
    assert hits[0]["text"][hits[0]["start"] :].startswith("The tidal barrier")


def test_a_search_can_be_kept_to_some_sources():
    run("index", "docs", "--corpus", "kept", "--quiet")
    found = json.loads(run("search", "tidal barrier", "--corpus", "kept", "--path", "*.md", "--json").stdout)
    assert {hit["uri"] for hit in found} == {"ferry.md"}


def test_a_wrong_date_is_one_line_and_exit_code_2():
    run("index", "docs", "--corpus", "kept", "--quiet")
    result = run("search", "x", "--corpus", "kept", "--since", "2020-13-01")
    assert (result.exit_code, len(result.stderr.splitlines())) == (2, 1)


def test_a_corpus_of_another_model_is_one_line_and_can_be_embedded_anew(folder):
    class Other:
        name, dim = "other-model", 2

        def embed(self, texts):
            import numpy as np

            return np.tile(np.array([[1.0, 0.0]], dtype=np.float32), (len(texts), 1))

    with Corpus.open(folder / "kept", embedder=Other()) as corpus:
        corpus.add_path("docs")
    result = run("search", "barrier", "--corpus", "kept")
    assert result.exit_code == 2
    assert "other-model" in result.stderr
    assert len(result.stderr.splitlines()) == 1
    assert run("index", "docs", "--corpus", "kept", "--reembed", "--quiet").exit_code == 0
    assert run("search", "barrier", "--corpus", "kept").exit_code == 0


def test_an_interrupted_index_names_the_command_that_goes_on(monkeypatch):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(citewell.Corpus, "add_path", interrupted)
    result = run("index", "docs", "--corpus", "kept")
    assert result.exit_code == 130
    assert result.stderr == "citewell: interrupted; go on with: citewell index docs --corpus kept\n"


@pytest.mark.parametrize(
    ("text", "query", "shown"),
    [
        ("short text", "text", "short text"),
        ("", "x", ""),
        ("a " * 300 + "the tidal barrier opens " + "b " * 300, "tidal barrier", "tidal barrier opens"),
    ],
)
def test_a_snippet_is_the_piece_that_holds_the_words(text, query, shown):
    piece = snippet(text, query)
    assert shown in piece
    assert len(piece) <= 230


def test_a_corpus_is_compacted_and_checked(folder):
    assert run("index", "docs", "--corpus", "kept", "--quiet").exit_code == 0
    (folder / "docs" / "ferry.md").unlink()
    both = run("index", "docs", "--corpus", "kept", "--compact", "--quiet")
    assert both.exit_code == 0
    assert both.stdout.startswith("0 added, 1 unchanged, 1 removed")
    assert "MB before" in both.stdout
    alone = json.loads(run("index", "--corpus", "kept", "--compact", "--json").stdout)
    assert alone["bytes_after"] <= 1.1 * alone["bytes_before"]
    checked = json.loads(run("doctor", "--corpus", "kept", "--json").stdout)
    assert [check["state"] for check in checked["checks"] if check["name"] == "files"] == ["ok"]
    data = (folder / "kept" / "corpus.sqlite").read_bytes().replace(b"opens at noon", b"opens at dawn")
    (folder / "kept" / "corpus.sqlite").write_bytes(data)
    damaged = run("doctor", "--corpus", "kept")
    assert damaged.exit_code == 1
    assert "harbour.txt: its text was changed by the disk" in damaged.stdout


def test_what_cannot_be_compacted_or_checked_is_told():
    assert "name files or folders to index" in run("index", "--corpus", "kept").stderr
    assert "no such corpus" in run("index", "--corpus", "kept", "--compact").stderr
    assert "no such corpus folder" in run("doctor", "--corpus", "kept").stderr
