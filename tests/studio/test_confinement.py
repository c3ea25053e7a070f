"""A graph of a server with roots reads nothing outside them, whichever graph is asked."""

from __future__ import annotations

import pytest
from citewell.errors import UsageError
from citewell.graph.diligence import build_diligence_graph
from citewell.graph.research import build_research_graph
from citewell.graph.wiring import base_services, default_services
from citewell.settings import Environment, Settings


@pytest.fixture
def environment(tmp_path) -> Environment:
    (tmp_path / "open").mkdir()
    (tmp_path / "closed").mkdir()
    (tmp_path / "closed" / "note.md").write_text("The quay is 420 metres long.", encoding="utf-8")
    return Environment(home=tmp_path / "home", roots=str(tmp_path / "open"))


@pytest.mark.parametrize("asked", [{"docs": ["closed"]}, {"docs": ["open/../closed/note.md"]}, {"corpus": "closed"}])
async def test_a_research_run_ends_in_data_that_names_the_refused_path(environment, tmp_path, monkeypatch, asked):
    monkeypatch.chdir(tmp_path)
    graph = build_research_graph(default_services(Settings(engine="embedded"), environment)).compile()
    result = await graph.ainvoke({"question": "How long is the quay?", **asked})
    report = result["report"]
    assert (report.status, report.failed_with, report.evidence) == ("failed", 2, ())
    assert "outside the folders that may be read here" in result["answer"]
    assert not (tmp_path / "home" / "corpora").exists()


@pytest.mark.parametrize("asked", [{"dataroom": "closed"}, {"dataroom": "open", "out": "closed/review"}])
async def test_a_diligence_run_neither_reads_nor_writes_outside(environment, tmp_path, monkeypatch, asked):
    monkeypatch.chdir(tmp_path)
    graph = build_diligence_graph(base_services(Settings(engine="embedded"), environment)).compile()
    with pytest.raises(UsageError, match="outside the folders"):
        await graph.ainvoke({"question": "How long is the quay?", "out": "", **asked})
    assert not (tmp_path / "closed" / "review").exists()
