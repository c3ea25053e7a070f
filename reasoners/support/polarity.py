"""Compare what a claim and a sentence affirm: negation, direction of change, opposites, hedging."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from .alignment import Alignment
from .lexicon import ASSERTIONS, DENIALS, DIRECTIONS, HEDGES, NEGATIONS, opposed
from .reading import Reading, Word

_SCOPE = 5


@dataclass(frozen=True)
class Polarity:
    """What was found when a claim was laid against one sentence.

    Attributes:
        negated: Weight share of the carried words that one side denies and the other affirms.
        same_way: Weight of directions that agree; other_way: of those that are turned round; in [0, 1].
        opposites: (word of the claim, its opposite in the text) where the text does not have the claim's own word.
        turned: (word of the claim, word of the text) of directions that are turned round.
        denied: Words of the claim affirmed by one side alone.
        hedged: The text hedges what the claim states outright.
        overstated: The claim has an absolute word that the text lacks.
    """

    negated: float = 0.0
    same_way: float = 0.0
    other_way: float = 0.0
    opposites: tuple[tuple[str, str], ...] = ()
    turned: tuple[tuple[str, str], ...] = ()
    denied: tuple[str, ...] = ()
    hedged: bool = False
    overstated: bool = False


def compare_polarity(claim: Reading, text: Reading, alignment: Alignment) -> Polarity:
    """Compare the polarity of a claim and a sentence over the words they share."""
    denied_claim, denied_text = denied_places(claim), denied_places(text)
    matched = [(one, other, likeness) for one, other, likeness in alignment.pairs if other is not None]
    total = sum(one.weight for one, _, _ in matched)
    differing = [one for one, other, _ in matched if (one.start in denied_claim) != (other.start in denied_text)]
    same, other_way, turned = _directions(claim, text, denied_claim, denied_text)
    return Polarity(
        negated=sum(word.weight for word in differing) / total if total else 0.0,
        same_way=same,
        other_way=other_way,
        opposites=tuple(_opposites(alignment, text)),
        turned=turned,
        denied=tuple(word.text for word in differing),
        hedged=bool(text.folded & HEDGES) and not claim.folded & HEDGES,
        overstated=bool((claim.folded & ASSERTIONS) - text.folded),
    )


@lru_cache(maxsize=8_192)
def denied_places(reading: Reading) -> frozenset[int]:
    """Return where the words begin that stand in the scope of a negation or denial, the marker itself left out."""
    places: set[int] = set()
    words = reading.words
    for index, word in enumerate(words):
        if not is_negation(word.folded):
            continue
        end = word.end
        for follower in words[index + 1 : index + 1 + _SCOPE]:
            if any(mark in reading.text[end : follower.start] for mark in ".;:,!?()"):
                break
            if is_negation(follower.folded):
                break
            places.add(follower.start)
            end = follower.end
    return frozenset(places)


def is_negation(folded: str) -> bool:
    """Whether a folded word denies what follows."""
    return folded in NEGATIONS or folded in DENIALS or folded.endswith(("n't", "n’t"))


def _directions(
    claim: Reading, text: Reading, denied_claim: frozenset[int], denied_text: frozenset[int]
) -> tuple[float, float, tuple[tuple[str, str], ...]]:
    mine = list(_directed(claim, denied_claim))
    if not mine:
        return 0.0, 0.0, ()
    theirs = list(_directed(text, denied_text))
    same = other_way = 0.0
    turned: list[tuple[str, str]] = []
    for place, word, axis, sign in mine:
        around = {near.stem for near in claim.words[max(0, place - 5) : place + 6] if near.weight > 0} - {word.stem}
        best_same = best_other = 0.0
        culprit = ""
        for there, other, other_axis, other_sign in theirs:
            if other_axis != axis:
                continue
            shared = {near.stem for near in text.words[max(0, there - 8) : there + 9]} & around
            strength = (1 + len(shared)) / (1 + len(around))
            if other_sign == sign:
                best_same = max(best_same, strength + (0.05 if other.stem == word.stem else 0))
            elif strength > best_other:
                best_other, culprit = strength, other.text
        if best_other > best_same:
            other_way = max(other_way, best_other - best_same)
            turned.append((word.text, culprit))
        else:
            same = max(same, best_same)
    return same, other_way, tuple(turned)


def _directed(reading: Reading, denied: frozenset[int]) -> Iterator[tuple[int, Word, str, int]]:
    for index, word in enumerate(reading.words):
        found = DIRECTIONS.get(word.folded)
        if found is not None:
            axis, sign = found
            yield index, word, axis, -sign if word.start in denied else sign


def _opposites(alignment: Alignment, text: Reading) -> Iterator[tuple[str, str]]:
    stems = text.stems
    for word, found, likeness in alignment.pairs:
        if (found is not None and likeness == 1.0) or word.stem in stems:
            continue
        for other in text.words:
            if other.weight > 0 and opposed(word.folded, other.folded):
                yield word.text, other.text
                break
