"""One answer that was computed over tables."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from ...state.records import TableRow


@dataclass(frozen=True)
class Computed:
    """One computed answer.

    Attributes:
        text: A sentence that shows the formula of every number in it.
        rows: The table rows that the inputs and names stand in.
        share: Percentage where the answer is one, for the comparison with what narratives promise.
    """

    text: str
    rows: tuple[TableRow, ...]
    share: Decimal | None = None
    header: str = ""
    """The column that was measured, as its file spells it."""
    is_whole: bool = False
    """Whether the text is said as it is, with or without a formula in it."""
