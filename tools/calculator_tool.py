"""The calculator as a tool."""

from __future__ import annotations

from langchain_core.tools import BaseTool, StructuredTool
from pydantic import BaseModel, Field

from .calculator import MAX_CHARS, calculate

TIMEOUT_S = 2.0


class CalculatorArguments(BaseModel):
    """Arguments of `calculator`."""

    expression: str = Field(
        description="E.g. `22 * 6.5` or `round(sqrt(2), 3)`.  No thousands separators.", max_length=MAX_CHARS
    )


def calculator_tool() -> BaseTool:
    """Return the tool `calculator`."""
    return StructuredTool.from_function(
        func=calculate,
        name="calculator",
        description=(
            "Compute an arithmetic expression exactly: + - * / // % **, brackets, pi, e, tau, the functions of math, "
            "abs and round (halves away from zero)."
        ),
        args_schema=CalculatorArguments,
    )
