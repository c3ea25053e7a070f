"""Order sentences of evidence by how likely each is the one that settles the claim."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import regex

from .alignment import Alignment
from .body import body_of
from .reading import Reading

SIGNS = ("coverage", "local", "coverage_gap", "local_gap", "length", "finding", "aim", "place", "cosine", "cosine_gap")
_FINDING = regex.compile(
    r"\b(?:conclu|result|found|find|show|demonstrat|suggest|indicat|reveal|thus|therefore|observ|report|associated)",
    regex.IGNORECASE,
)
_AIM = regex.compile(
    r"\b(?:aims?|objectives?|background|purpose|methods?|design|participants|setting|however|unknown|unclear|remains"
    r"|to (?:determine|examine|investigate|evaluate|assess))\b",
    regex.IGNORECASE,
)
# A sentence that carries nearly all of a claim comes first whatever its place.
_WHOLE, _WHOLE_BONUS = 0.92, 3.0


@dataclass(frozen=True)
class Ranker:
    """Weights of the sentence signs, in the order of `SIGNS`; without embeddings the last two are 0."""

    weights: tuple[float, ...]

    def rank(self, signs: Sequence[float]) -> float:
        """Return the rank score of one sentence, higher is better."""
        bonus = _WHOLE_BONUS if signs[0] >= _WHOLE else 0.0
        return bonus + sum(weight * sign for weight, sign in zip(self.weights, signs, strict=True))


def sentence_signs(
    claim: Reading,
    sentences: Sequence[Reading],
    alignments: Sequence[Alignment],
    cosines: Sequence[float] = (),
) -> list[list[float]]:
    """Return the signs of each sentence, in the order of `SIGNS`.

    `local` is the coverage with each word weighed by its rarity among these sentences too: what every sentence of a
    passage says tells them apart no more.
    """
    count = len(sentences)
    frequency = body_of(sentences).frequency
    rarity = {
        word.stem: word.weight * math.log((count + 1) / (frequency.get(word.stem, 0) + 0.5)) for word in claim.content
    }
    total = sum(rarity[word.stem] for word in claim.content) or 1.0
    local = [sum(like * rarity[word.stem] for word, _, like in a.pairs) / total for a in alignments]
    coverage = [alignment.coverage for alignment in alignments]
    best_local, best_coverage = max(local, default=0.0), max(coverage, default=0.0)
    rows: list[list[float]] = []
    for place, sentence in enumerate(sentences):
        length, finding, aim = _own_signs(sentence)
        rows.append(
            [
                coverage[place],
                local[place],
                coverage[place] - best_coverage,
                local[place] - best_local,
                length,
                finding,
                aim,
                place / (count - 1) if count > 1 else 0.0,
                0.0,
                0.0,
            ]
        )
    return with_cosines(rows, cosines) if cosines else rows


def with_cosines(rows: Sequence[Sequence[float]], cosines: Sequence[float]) -> list[list[float]]:
    """Return the signs of sentences with the cosine of each, in the same order."""
    best = max(cosines)
    return [[*row[:-2], cosine, cosine - best] for row, cosine in zip(rows, cosines, strict=True)]


@lru_cache(maxsize=8_192)
def _own_signs(sentence: Reading) -> tuple[float, float, float]:
    """Return what does not depend on the claim: length, finding, aim."""
    finding, aim = _FINDING.search(sentence.text), _AIM.search(sentence.text)
    return math.log1p(len(sentence.content)), float(bool(finding)), float(bool(aim))
