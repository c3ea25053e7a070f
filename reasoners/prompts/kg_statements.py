"""Find what passages state, and tell facts from opinions and states from events."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from langchain_core.messages import BaseMessage, HumanMessage, SystemMessage

from ..protocol import Passage
from .evidence import RULE, quote_passages
from .shapes import Listed, Reply, Text, also

SYSTEM = f"""\
You read numbered passages of one document and list what they state about named organisations, people, places and
products: who holds which role, where an organisation sits, what it makes, sells, launched or discontinued, who supplies
whom, what was bought, sold, financed or agreed, revenue and other figures of a period, what it aims at.
{RULE}
One statement each, readable by itself: write the full name where the passage says "the company" or "it". Leave out what
is denied, doubted, asked or merely possible, and anything without a named subject.
Give `passage`, its number, and `quote`, the shortest span that carries the statement, copied character for character.
`statement_type`: FACT for what is told as so, OPINION for what someone thinks, PREDICTION for what lies ahead.
`temporal_type`: STATIC for what happened once or was measured over a period, DYNAMIC for a state that may change,
ATEMPORAL for what holds always.
Reply with JSON: {{"statements": [{{"statement": "…", "passage": 1, "quote": "…", "statement_type": "FACT",
"temporal_type": "STATIC"}}]}}
"""


class StatementItem(Reply):
    """One statement."""

    statement: str = also("statement", "text", description="The statement in one sentence, with full names.")
    passage: Text = also("passage", "source", "id", "n", default="", description="Number of the passage.")
    quote: Text = also("quote", "evidence", default="", description="Its words, copied character for character.")
    statement_type: Text = also("statement_type", "type", default="FACT", description="FACT, OPINION or PREDICTION.")
    temporal_type: Text = also(
        "temporal_type", "temporal", default="DYNAMIC", description="STATIC, DYNAMIC or ATEMPORAL."
    )


class StatementsReply(Reply):
    """The statements."""

    statements: Annotated[list[StatementItem], Listed] = also(
        "statements", "facts", description="Empty where the passages state nothing of the kind."
    )


def render(passages: Sequence[Passage], *, speaker: str, dated: str) -> list[BaseMessage]:
    """Render the passages, then whose document it is and from which day it speaks."""
    told = [f"The document is about {speaker}." if speaker else "", f"It is dated {dated}." if dated else ""]
    human = "\n\n".join(filter(None, [quote_passages(passages), " ".join(filter(None, told))]))
    return [SystemMessage(SYSTEM), HumanMessage(human)]
