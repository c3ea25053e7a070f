"""The README shows the graph and the settings as the code has them."""

from __future__ import annotations

from pathlib import Path

from citewell.graph.research import build_research_graph
from citewell.settings import Settings

README = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")


def test_the_drawing_is_that_of_the_code():
    drawn = build_research_graph().compile().get_graph().draw_mermaid().splitlines()
    edges = [line.strip().rstrip(";") for line in drawn if "-->" in line or "-.->" in line]
    assert edges
    assert [edge for edge in edges if f"  {edge}\n" not in README] == []


def test_every_setting_stands_there_with_its_meaning():
    missing = [name for name, field in Settings.model_fields.items() if f"| `{name}` |" not in README]
    assert missing == []
    assert [name for name, field in Settings.model_fields.items() if str(field.description) not in README] == []


def test_both_commands_stand_on_the_first_screen():
    first = README[:1000]
    assert "make demo" in first
    assert "make test" in first
