"""The graphs that the LangGraph server and Studio load.  Importing this makes no file and contacts nobody."""

from __future__ import annotations

from .chat import build_chat_graph
from .diligence import build_diligence_graph
from .multistep import build_multistep_graph
from .research import build_research_graph

research = build_research_graph().compile(name="research")
diligence = build_diligence_graph().compile(name="diligence")
chat = build_chat_graph().compile(name="chat")
multistep = build_multistep_graph().compile(name="multistep")
