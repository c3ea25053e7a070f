"""The graphs that the LangGraph server and Studio load.  Importing this makes no file and contacts nobody."""

from __future__ import annotations

from .research import build_research_graph

research = build_research_graph().compile(name="research")
