"""Channels of the diligence graph: those it shares with the research graph, and the dataroom's own."""

from __future__ import annotations

from typing import Annotated, Any

from langchain_core.messages import AnyMessage
from langgraph.graph.message import add_messages
from pydantic import Field
from typing_extensions import TypedDict

from .channels import last
from .records import Report


class DiligenceInput(TypedDict, total=False):
    """What a caller hands in."""

    question: Annotated[str, Field(description="The question, in any language.")]
    dataroom: Annotated[str, Field(description="Folder of exports and narratives; nothing outside it is used.")]
    out: Annotated[str, Field(description="Folder for the artifacts, outside the dataroom; empty writes none.")]


class DiligenceOutput(TypedDict, total=False):
    """What a run hands back: the report and the outcome of the two checks."""

    report: Report
    answer: str
    messages: Annotated[list[AnyMessage], add_messages]
    artifacts: list[str]
    coverage: dict[str, Any]
    validation: dict[str, Any]


class DiligenceState(TypedDict, total=False):
    """Everything a resumed thread needs."""

    question: str
    """The question."""
    messages: Annotated[list[AnyMessage], add_messages]
    """The conversation."""
    dataroom: str
    """Folder as given."""
    out: str
    """Output folder."""
    docs: list[str]
    """The staged copy, which the research graph reads."""
    staged: list[dict[str, Any]]
    """Files of the copy with size, hash and tier."""
    refused: list[list[str]]
    """Paths left out of the copy, with the reason."""
    report: Annotated[Report, last(Report)]
    """The checked report."""
    answer: str
    """The answer as Markdown."""
    artifacts: list[str]
    """Paths of the files written."""
    coverage: dict[str, Any]
    """Outcome of `check_evidence_coverage`."""
    validation: dict[str, Any]
    """Outcome of `validate_output_contract`."""
