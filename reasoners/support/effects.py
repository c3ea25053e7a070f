"""Compare which way a claim and its passages say that things go, as a product of signs: two minuses make a plus.

`Loss of A raises B` and `A lowers B` agree, `loss of A lowers B` does not.  Where a claim and a part of a sentence are
about the same things, their signs should multiply to the same one.  It is a sign among others, no proof: who acts on
whom is not read.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from .alignment import Alignment, align
from .clauses import clauses
from .lexicon import EFFECTS
from .polarity import is_negation
from .reading import Reading, Word, read

_TOP = 6
# Words to each side of what is in common that still belong to it.
_MARGIN = 4
# A part of a sentence is preferred to the whole where it carries as much of the claim in fewer words.
_A_WORD = 0.002
_FEW = 0.3
_ENDINGS = ("", "s")


@dataclass(frozen=True)
class Effects:
    """A claim's signs beside those of one part of a sentence.

    Attributes:
        coverage: Share of the claim that the part carries, in [0, 1].
        agree: 1 where all signs of both sides multiply to the same, -1 where not, 0 where one side has none.
        rest: The same over the signs that stand on one side only; 0 where there is none.
        both: `rest` where each side has such signs, else 0.
        lost: Signed words of the claim alone; added: of the sentence alone; lowering: of the sentence, below 0.
        same: How well the best signed word of the sentence near the same words agrees; other: how well one turns it.
    """

    coverage: float
    agree: float
    rest: float
    both: float
    lost: float
    added: float
    lowering: float
    same: float
    other: float


def sign_of(word: Word) -> int:
    """Return 1 for a word that raises, affirms or brings about, -1 for one that lowers or denies, else 0."""
    return _sign(word.folded)


@lru_cache(maxsize=8_192)
def _sign(folded: str) -> int:
    if is_negation(folded):
        return -1
    forms = (folded.removesuffix(ending) for ending in _ENDINGS)
    return next((EFFECTS[form] for form in forms if form in EFFECTS), 0)


def effect_signs(claim: Reading, sentences: Sequence[Reading], alignments: Sequence[Alignment]) -> dict[str, float]:
    """Return named signs of how a claim's effects agree with those of sentences, the best one first."""
    mine = [(place, word, sign) for place, word in enumerate(claim.words) if (sign := sign_of(word))]
    found = [_compare(claim, mine, *_part(claim, *pair)) for pair in zip(sentences[:_TOP], alignments, strict=False)]
    best = found[0]
    weights = [effects.coverage**2 for effects in found]
    total = sum(weights) + _FEW

    def mean(values: Iterator[float]) -> float:
        return sum(weight * value for weight, value in zip(weights, values, strict=True)) / total

    agreed = [effects.agree * effects.coverage for effects in found]
    both = [effects.both * effects.coverage for effects in found]
    return {
        "effect_best": agreed[0],
        "effect_mean": mean(effects.agree for effects in found),
        "effect_most": max(agreed),
        "effect_least": min(agreed),
        "effect_rest_best": best.rest * best.coverage,
        "effect_rest_mean": mean(effects.rest for effects in found),
        "effect_both_best": both[0],
        "effect_both_mean": mean(effects.both for effects in found),
        "effect_both_most": max(both),
        "effect_both_least": min(both),
        "effect_lost": min(best.lost, 3.0),
        "effect_added": min(best.added, 4.0),
        "effect_lowering": min(best.lowering, 3.0),
        "effect_same": mean(effects.same for effects in found),
        "effect_other": mean(effects.other for effects in found),
        "effect_same_best": best.same,
        "effect_other_best": best.other,
        "part_coverage": max(effects.coverage for effects in found),
    }


def _part(claim: Reading, sentence: Reading, alignment: Alignment) -> tuple[Reading, Alignment]:
    """Return the clause that says what the claim says, or the whole sentence."""
    parts = [(sentence, alignment)]
    spans = clauses(sentence.text)
    if len(spans) > 1:
        pieces = [read(sentence.text[start:end]) for start, end in spans]
        parts.extend((piece, align(claim, piece)) for piece in pieces)
    return max(parts, key=lambda part: part[1].coverage - _A_WORD * len(part[0].words))


def _compare(claim: Reading, mine: Sequence[tuple[int, Word, int]], part: Reading, alignment: Alignment) -> Effects:
    theirs = list(_near_common(part, alignment))
    stems, others = {word.stem for _, word, _ in mine}, {word.stem for _, word, _ in theirs}
    lost = [sign for _, word, sign in mine if word.stem not in others]
    added = [sign for _, word, sign in theirs if word.stem not in stems]
    whole = _product([*(sign for *_, sign in mine), *(sign for *_, sign in theirs)])
    rest = _product([*lost, *added])
    same, other = _locally(claim, mine, part, theirs)
    return Effects(
        coverage=alignment.coverage,
        agree=float(whole) if mine and theirs else 0.0,
        rest=float(rest) if lost or added else 0.0,
        both=float(rest) if lost and added else 0.0,
        lost=float(len(lost)),
        added=float(len(added)),
        lowering=float(sum(sign < 0 for *_, sign in theirs)),
        same=same,
        other=other,
    )


def _product(signs: Sequence[int]) -> int:
    return -1 if sum(sign < 0 for sign in signs) % 2 else 1


def _near_common(part: Reading, alignment: Alignment) -> Iterator[tuple[int, Word, int]]:
    """Yield the signed words from a few before the first word in common to a few after the last."""
    common = {found.start for _, found, _ in alignment.pairs if found is not None}
    places = [place for place, word in enumerate(part.words) if word.start in common]
    if not places:
        return
    first = max(0, places[0] - _MARGIN)
    for place, word in enumerate(part.words[first : places[-1] + _MARGIN + 1], first):
        if sign := sign_of(word):
            yield place, word, sign


def _locally(
    claim: Reading, mine: Sequence[tuple[int, Word, int]], part: Reading, theirs: Sequence[tuple[int, Word, int]]
) -> tuple[float, float]:
    """Return how well signed words near the same words agree at best, and how clearly one is turned round."""
    same = other = 0.0
    for place, word, sign in mine:
        around = {near.stem for near in _near(claim, place, _MARGIN) if near.weight > 0.3} - {word.stem}
        agreeing = turned = 0.0
        for there, candidate, its_sign in theirs:
            shared = len(around & {near.stem for near in _near(part, there, _MARGIN + 1)})
            strength = shared / (1 + len(around)) + (0.3 if candidate.stem == word.stem else 0.0)
            if its_sign == sign:
                agreeing = max(agreeing, strength)
            else:
                turned = max(turned, strength)
        same, other = max(same, agreeing - turned), max(other, turned - agreeing)
    return same, other


def _near(reading: Reading, place: int, reach: int) -> Sequence[Word]:
    return reading.words[max(0, place - reach) : place + reach + 1]
