"""What holds now before what it replaced: the claims of a section that rest on an amendment and on what it amends."""

from __future__ import annotations

from collections.abc import Sequence

from ...state.records import Claim
from ...text.numbers import find_numbers
from ...text.words import analyse
from ..embedded.found.effective import effective_from
from ..embedded.found.papers import Papers
from ..protocol import Passage

_SHARED = 2


def current_first(claims: Sequence[Claim], passages: Sequence[Passage]) -> tuple[Claim, ...]:
    """Return claims of which those with an amount of one thing, from papers that amend one another, go latest first.

    They keep the places that they have among the others.
    """
    papers = Papers(passages)
    uris = {passage.chunk.chunk_id: passage.chunk.uri for passage in passages}
    place = {id(claim): uris.get(claim.citations[-1], "") for claim in claims if claim.citations}
    ordered = list(claims)
    for claim in claims:
        family = [each for each in ordered if _of_one_thing(claim, each, place, papers)]
        if len({place[id(each)] for each in family}) < 2:
            continue
        at = [index for index, each in enumerate(ordered) if each in family]
        latest = sorted(family, key=lambda each: _since(each, place[id(each)], papers), reverse=True)
        for index, each in zip(at, latest, strict=True):
            ordered[index] = each
    return tuple(ordered)


def _of_one_thing(one: Claim, other: Claim, place: dict[int, str], papers: Papers) -> bool:
    if one is other:
        return id(one) in place
    here, there = place.get(id(one), ""), place.get(id(other), "")
    units = [{number.unit for number in find_numbers(each.text) if len(number.unit) == 3} for each in (one, other)]
    shared = set(analyse(one.text)) & set(analyse(other.text))
    return bool(here and there and units[0] & units[1]) and len(shared) >= _SHARED and papers.together(here, there)


def _since(claim: Claim, uri: str, papers: Papers) -> str:
    since = effective_from(claim.text) or papers.begins(uri) or papers.dated(uri)
    return since.isoformat() if since else ""
