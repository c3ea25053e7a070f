"""Join the verdict of the rules with a model's second opinion."""

from __future__ import annotations

from collections.abc import Sequence

from ...state.records import Claim, Quote, Verdict
from ...text.languages import detect
from ..prompts import validator
from ..protocol import Passage
from .drafting import without_links
from .grounding import hard_reason, quotes_in

FIRM_SCORE = 0.6
"""Score from which the rules' support needs no words shown by the model."""


def second_opinion(claim: Claim, first: Verdict, reply: validator.VerdictReply, cited: Sequence[Passage]) -> Verdict:
    """Join the rules' verdict with the model's: it may lower any, and raise what failed on wording alone.

    A raise needs a quote that stands in a passage, and weak support by the rules stays only with one.  `unsupported`
    is raised by one step at most, except where claim and passages are in different languages: shared words say
    nothing there.
    """
    quotes: tuple[Quote, ...] = next((q for p in cited if reply.quote and (q := quotes_in(p, reply.quote))), ())
    said = without_links(f"model: {reply.support}{', ' + reply.reason if reply.reason else ''}")[:300]
    reasons = (*first.reasons, said)
    if reply.support == "supported" and not quotes:
        weak = first.support == "supported" and first.score < FIRM_SCORE
        told = (*first.reasons, "model: its quote is in no cited passage")
        return first.model_copy(update={"support": "partial" if weak else first.support, "reasons": told})
    if first.support == "supported":
        if reply.support == "supported":
            return first.model_copy(update={"reasons": reasons, "quotes": first.quotes or quotes})
        return Verdict(support="partial", score=min(first.score, 0.5), reasons=reasons, quotes=first.quotes)
    if reply.support != "supported" or hard_reason(first):
        return first.model_copy(update={"reasons": reasons})
    foreign = detect(claim.text) not in {detect(passage.chunk.text) for passage in cited}
    raised = first.support == "partial" or foreign
    return Verdict(
        support="supported" if raised else "partial",
        score=max(first.score, 0.6 if raised else 0.4),
        reasons=reasons,
        quotes=quotes,
    )
