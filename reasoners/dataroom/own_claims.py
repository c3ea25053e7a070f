"""What the policy adds to a draft: figures of exports, estimates that nobody validated, what was not delivered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...state.harness import Harness
from ...state.records import Claim, Plan, Quote
from ..embedded.asked.question import read_question
from ..embedded.settled.bounded import answer_by
from ..support.formulas import find_formulas
from ..tables.computed import Computed
from ..tables.wording import in_words
from .lines import Line
from .tabled import Tabled
from .unknowns import said_missing


def own_claims(
    plan: Plan,
    tabled: Sequence[Tabled],
    unvalidated: Sequence[Sequence[Line]],
    missing: Mapping[str, Sequence[Line]],
    harness: Harness,
) -> list[Claim]:
    """Return the claims in the order in which they lead the answer.

    Args:
        unvalidated: Groups of lines that say one estimate each.
        missing: Lines of records of what was asked for and not delivered, by plan question.
    """
    claims: list[Claim | None] = []
    asked = {part.question_id: read_question(part.text) for part in plan.subtasks}
    for each in tabled:
        if each.lookup:
            lookup, quote = each.lookup
            word = answer_by(asked[each.question_id], lookup.text)
            claims.append(claim_of(f"{word}. {lookup.text}" if word else lookup.text, [quote], each.question_id))
        claims += [_computed(answer, quotes, each, tabled) for answer, quotes in each.computed]
    first = plan.subtasks[0].question_id if plan.subtasks else ""
    claims += [claim_of(line.text, [line.quote], first) for group in unvalidated for line in group]
    claims += [
        claim_of(said_missing(line, harness), [line.quote], key) for key, lines in missing.items() for line in lines
    ]
    return [claim for claim in claims if claim is not None]


def _computed(answer: Computed, quotes: Sequence[Quote], own: Tabled, tabled: Sequence[Tabled]) -> Claim | None:
    """Return a computed answer as a claim; None where a fuller one of another part says the same."""
    fuller = (other.text for each in tabled for other, _ in each.computed if other is not answer)
    if any(text.startswith(answer.text.rstrip(".")) and text != answer.text for text in fuller):
        return None
    # Where nothing was computed, the row says it in its own words.
    whole = answer.is_whole or find_formulas(answer.text)
    text = answer.text if whole else in_words(answer.rows[0]) or quotes[0].text
    return claim_of(text, quotes, "" if own.for_all else own.question_id)


def claim_of(text: str, quotes: Sequence[Quote], question_id: str) -> Claim:
    """Return a claim of the policy's own that rests on some quotes."""
    plain = " ".join(text.strip().lstrip("-•* ").split())
    citations = tuple(dict.fromkeys(quote.chunk_id for quote in quotes))
    return Claim(
        claim_id="", text=plain, citations=citations, quotes=tuple(dict.fromkeys(quotes)), question_id=question_id
    )
