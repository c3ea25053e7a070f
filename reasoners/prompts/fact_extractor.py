"""Extract atomic facts, each with the words that carry it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from langchain_core.messages import BaseMessage, HumanMessage, SystemMessage

from ..protocol import Passage
from .evidence import RULE, quote_passages
from .shapes import Listed, Reply, Text, also

SYSTEM = f"""\
You extract atomic, verifiable facts that bear on a question from numbered passages.
{RULE}
Facts only: no opinions, no summaries, nothing that is not in the passages, no number computed from others.
Each fact is one statement that can be read by itself (name who, what and when), with `passage`, the number of the
passage, and `quote`, the shortest span of it that carries the whole statement, copied character for character.
State a measured value as the passage writes it. Skip what does not bear on the question; an empty list is right then.
Reply with JSON: {{"facts": [{{"statement": "…", "passage": 1, "quote": "…", "question_id": "Q1"}}]}}
"""


class FactItem(Reply):
    """One fact."""

    statement: str = also("statement", "claim", "fact", "text", description="The fact in one sentence.")
    passage: Text = also(
        "passage", "source", "chunk_id", "id", "citation", "n", default="", description="Number of the passage."
    )
    quote: Text = also("quote", "evidence", default="", description="Its words, copied character for character.")
    question_id: Text = also("question_id", "question", default="", description="The part it bears on, e.g. Q1.")


class FactsReply(Reply):
    """The facts."""

    facts: Annotated[list[FactItem], Listed] = also(
        "facts", "claims", description="Empty where no passage bears on the question."
    )


def render(
    question: str, parts: Sequence[tuple[str, str]], passages: Sequence[Passage], limit: int
) -> list[BaseMessage]:
    """Render the evidence, then the question and its parts as (id, text)."""
    asked = "\n".join(f"{question_id}: {text}" for question_id, text in parts)
    human = f"{quote_passages(passages)}\n\nQuestion: {question}\nParts:\n{asked}\n\nAt most {limit} facts."
    return [SystemMessage(SYSTEM), HumanMessage(human)]
