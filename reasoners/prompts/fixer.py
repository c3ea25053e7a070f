"""Repair the named failures of a draft."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Literal

from langchain_core.messages import BaseMessage, HumanMessage, SystemMessage

from ...state.records import Claim
from ..protocol import Passage
from .evidence import RULE, fenced, quote_passages
from .shapes import Listed, Reply, Text, Texts, also
from .wording import write_in

SYSTEM = f"""\
You repair single claims of a research answer, each with the failure that a check named.
{RULE} The same holds for <claim> tags.
For each claim choose one action:
- `recite`: the claim is right as it stands, and other passages carry it: give their numbers.
- `soften`: rewrite it to what the cited passages say, no more, and give their numbers.
- `drop`: no passage carries any of it.
- `retrieve`: the evidence may exist but was not found: give one search query. At most once, and only where allowed.
Never add a claim, a number or a citation that the passages do not carry.
Reply with JSON: {{"changes": [{{"claim_id": "C-001", "action": "soften", "text": "…", "citations": [1], "query": "",
"reason": "…"}}]}}
"""


class Change(Reply):
    """What to do with one claim."""

    claim_id: str = also("claim_id", "id", "claim", description="The claim, e.g. C-001.")
    action: Literal["recite", "soften", "drop", "retrieve"] = also("action", description="One of the four.")
    text: Text = also("text", "new_text", default="", description="The claim rewritten; empty unless softened.")
    citations: Texts = also("citations", "passages", default=[], description="Passage numbers.")
    query: Text = also("query", default="", description="What to search for; empty unless retrieving.")
    reason: Text = also("reason", default="", description="In one sentence.")


class RepairReply(Reply):
    """The changes."""

    changes: Annotated[list[Change], Listed] = also("changes", "patches", "repairs", description="One per claim.")


def render(
    question: str,
    claims: Sequence[Claim],
    problems: Mapping[str, Sequence[str]],
    passages: Sequence[Passage],
    *,
    language: str,
    may_retrieve: bool,
) -> list[BaseMessage]:
    """Render the evidence, then the claims with their citations and failures."""
    numbers = {passage.chunk.chunk_id: number for number, passage in enumerate(passages, start=1)}
    shown = []
    for claim in claims:
        cited = ",".join(str(numbers[chunk_id]) for chunk_id in claim.citations if chunk_id in numbers)
        failed = "; ".join(problems.get(claim.claim_id, ()))
        shown.append(f'<claim id="{claim.claim_id}" passages="{cited}">{fenced(claim.text)}</claim>\nFailure: {failed}')
    allowed = "`retrieve` is allowed once." if may_retrieve else "`retrieve` is not allowed."
    human = f"{quote_passages(passages)}\n\n{allowed} {write_in(language)}\n\nQuestion: {question}\n\n"
    return [SystemMessage(SYSTEM), HumanMessage(human + "\n".join(shown))]
