"""What the temporal graph holds on whom a question names is a source of a research run, beside its files."""

from __future__ import annotations

from pathlib import Path

import citewell
import pytest
from citewell.errors import UsageError
from citewell.retrievers.kg.passages import documents_about
from citewell.retrievers.kg.records import Mention, Statement, Triplet
from citewell.retrievers.kg.store import TemporalGraph
from citewell.settings import Environment
from citewell.state.records import Chunk, Source, chunk_id_of

LEADS = "Jonas Vik became chief executive officer of Halden Energy on 1 May 2021."
PRESS = f"A new chief executive.\n\n{LEADS}"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / "home"
    chunk = Chunk(chunk_id=chunk_id_of("press.md", 0), uri="press.md", index=0, text=PRESS, start=0, end=len(PRESS))
    triplet = Triplet(
        subject=Mention(name="Jonas Vik", kind="person"), predicate="HOLDS_ROLE",
        object=Mention(name="Halden Energy", kind="org"), value="chief executive officer",
    )  # fmt: skip
    at = PRESS.index(LEADS)
    statement = Statement(
        statement=LEADS, chunk_id=chunk.chunk_id, quote=LEADS, start=at, end=at + len(LEADS), triplets=(triplet,)
    )
    with TemporalGraph.open(folder / "kg.sqlite") as graph:
        source = Source(uri="press.md", kind="file", title="Press release")
        graph.put(source, [statement], content="1", engine="test", chunks=[chunk])
    return folder


def ask(home: Path, question: str, **options):
    return citewell.research(question, engine="embedded", environment=Environment(home=home), **options)


@pytest.mark.slow
def test_the_graph_alone_answers_with_the_passage_of_its_source(home):
    report = ask(home, "Who became chief executive officer of Halden Energy?", kg=True)
    claim = report.answer.executive_summary[0]
    assert claim.text == LEADS
    assert claim.citations == (chunk_id_of("press.md", 0),)
    assert [(source.uri, source.kind, source.title) for source in report.sources] == [
        ("press.md", "graph", "Press release"),
    ]


@pytest.mark.slow
def test_files_and_graph_answer_together_and_a_file_of_the_same_name_is_read_anew(home, tmp_path):
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "press.md").write_text("Ida Berg became chief executive officer of Halden Energy on 1 June 2023.")
    (docs / "site.md").write_text("Halden Energy has its head office in Bergen.")
    report = ask(home, "Who became chief executive officer of Halden Energy?", docs=[docs], kg=True)
    assert {(source.uri, source.kind) for source in report.sources} == {("press.md", "file"), ("site.md", "file")}
    assert "Ida Berg" in report.answer.executive_summary[0].text
    (docs / "press.md").rename(docs / "news.md")
    report = ask(home, "Who became chief executive officer of Halden Energy?", docs=[docs], kg=True)
    assert {(source.uri, source.kind) for source in report.sources} == {
        *(("news.md", "file"), ("site.md", "file"), ("press.md", "graph")),
    }
    # Without the setting the graph is not looked at.
    report = ask(home, "Who became chief executive officer of Halden Energy?", docs=[docs])
    assert {source.kind for source in report.sources} == {"file"}


@pytest.mark.slow
def test_a_question_that_names_nobody_known_is_told_so(home, tmp_path):
    (tmp_path / "lake.txt").write_text("Lake Baikal is 1,642 m deep.")
    report = ask(home, "How deep is Lake Baikal?", docs=[tmp_path / "lake.txt"], kg=True)
    assert report.answer.executive_summary[0].text == "Lake Baikal is 1,642 m deep."
    assert "the temporal graph holds nothing on what the question names" in [each.reason for each in report.fallbacks]
    alone = ask(home, "How deep is Lake Baikal?", kg=True)
    assert alone.status == "failed"
    with pytest.raises(UsageError, match="no source given"):
        ask(home, "How deep is Lake Baikal?")


def test_passages_of_one_source_are_joined_without_repeating_what_they_share(tmp_path):
    text = "Acme makes rope. Acme sells rope in Oslo. Acme was founded in 1990."
    chunks = [
        Chunk(chunk_id=chunk_id_of("a.md", n), uri="a.md", index=n, text=text[start:end], start=start, end=end)
        for n, (start, end) in enumerate(((0, 41), (17, 67)))
    ]
    triplet = Triplet(subject=Mention(name="Acme", kind="org"), predicate="PRODUCES", value="rope")
    statements = [
        Statement(statement=chunk.text, chunk_id=chunk.chunk_id, quote=chunk.text, start=0, end=len(chunk.text),
                  triplets=(triplet,))
        for chunk in chunks
    ]  # fmt: skip
    with TemporalGraph.open(tmp_path / "kg.sqlite") as graph:
        graph.put(Source(uri="a.md", kind="file"), statements, content="1", engine="t", chunks=chunks)
        (document,) = documents_about(graph, [graph.entities()[0][0]])
    assert document.text == text
    assert document.metadata["kind"] == "graph"
