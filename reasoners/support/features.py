"""Turn a claim and its passages into the measured signs that the score is made of."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ...text.numbers import same_value
from ...text.periods import Period, contains
from .alignment import Alignment, align
from .body import Body, body_of
from .clauses import clauses
from .effects import effect_signs
from .lexicon import HEDGES, SYNONYMS
from .overlap import overlap_signs
from .polarity import Polarity, compare_polarity, is_negation
from .ranking import Ranker, sentence_signs, with_cosines
from .reading import Reading, Word, read, read_sentences
from .scoring import shipped_ranker

Embed = Callable[[list[str]], NDArray[np.float32]]
Vectors = NDArray[np.floating]

_SPEAKER = frozenset(["i", "me", "my", "mine", "myself", "you", "your", "yours", "we", "us", "our"])
_TOP = 6
LAID = 2 * _TOP
"""Sentences of the cited passages whose meaning is compared with that of a claim."""
MAX_SENTENCES = 2_000


@dataclass(frozen=True)
class Ground:
    """One sentence of evidence laid under a claim."""

    passage: int
    reading: Reading
    alignment: Alignment
    rank: float


@dataclass(frozen=True)
class Signs:
    """What was measured, and the sentences it was measured on, best first."""

    values: dict[str, float]
    grounds: tuple[Ground, ...]
    polarity: Polarity


def measure(
    claim_text: str,
    passages: Sequence[str],
    *,
    question: str = "",
    embed: Embed | None = None,
    ranker: Ranker | None = None,
) -> Signs:
    """Measure a claim against its passages; at least one of them holds a sentence."""
    claim = read(claim_text)
    sentences = [(index, reading) for index, passage in enumerate(passages) for reading in read_sentences(passage)]
    ranker = ranker or shipped_ranker("words" if embed is None else "meaning")
    sentences = shortlist(claim, sentences)
    body = body_of([reading for _, reading in sentences])
    grounds, meaning = lay(claim, sentences, ranker, embed)
    values: dict[str, float] = {}
    best = grounds[0]
    top = grounds[:_TOP]
    polarity = compare_polarity(claim, best.reading, best.alignment)
    _coverage(values, claim, grounds, best, body)
    _novelty(values, claim, question, grounds, body)
    _exact(values, claim, grounds, best, body)
    _polarities(values, claim, best, polarity, top)
    _clauses(values, claim, grounds)
    _shape(values, claim, grounds, best)
    asked = read(question) if question else None
    readings = [ground.reading for ground in grounds]
    alignments = [ground.alignment for ground in grounds]
    values |= overlap_signs(claim, readings, alignments, asked, body)
    values |= effect_signs(claim, readings, alignments)
    if meaning is not None:
        _meaning(values, *meaning)
    return Signs(values, tuple(grounds), polarity)


def lay(
    claim: Reading, sentences: Sequence[tuple[int, Reading]], ranker: Ranker, embed: Embed | None
) -> tuple[list[Ground], tuple[Vectors, Vectors] | None]:
    """Lay the sentences under a claim, best first; with `embed` also the claim's vector and those of the first ones."""
    readings = [reading for _, reading in sentences]
    alignments = [align(claim, reading) for reading in readings]
    signs = sentence_signs(claim, readings, alignments)
    ranks = [ranker.rank(row) for row in signs]
    order = sorted(range(len(sentences)), key=lambda place: (-ranks[place], place))
    meaning: tuple[Vectors, Vectors] | None = None
    if embed is not None:
        chosen = sorted(order[:LAID])
        vectors = embed([claim.text, *(readings[place].text for place in chosen)])
        likeness = dict(zip(chosen, (vectors[1:] @ vectors[0]).tolist(), strict=True))
        floor = min(likeness.values())
        spread = [likeness.get(place, floor) for place in range(len(readings))]
        signs = with_cosines(signs, spread)
        ranks = [ranker.rank(row) - (0.0 if place in likeness else 10.0) for place, row in enumerate(signs)]
        order = sorted(range(len(sentences)), key=lambda place: (-ranks[place], place))
        by_place = dict(zip(chosen, vectors[1:], strict=True))
        meaning = vectors[0], np.stack([by_place[place] for place in order if place in likeness])
    grounds = [
        Ground(sentences[place][0], readings[place], alignments[place], _rank(alignments[place])) for place in order
    ]
    return grounds, meaning


def shortlist(claim: Reading, sentences: list[tuple[int, Reading]]) -> list[tuple[int, Reading]]:
    """Keep the sentences that share most with the claim where there are very many, so that time stays bounded."""
    if len(sentences) <= MAX_SENTENCES:
        return sentences
    wanted = {word.stem for word in claim.content}
    ranked = sorted(range(len(sentences)), key=lambda index: (-len(wanted & sentences[index][1].stems), index))
    return [sentences[index] for index in sorted(ranked[:MAX_SENTENCES])]


def _rank(alignment: Alignment) -> float:
    return alignment.coverage * (0.8 + 0.2 * alignment.order)


def _coverage(values: dict[str, float], claim: Reading, grounds: Sequence[Ground], best: Ground, body: Body) -> None:
    total = claim.weight or 1.0
    everywhere = body.stems
    values["cov_best"] = best.alignment.coverage
    values["cov_second"] = grounds[1].alignment.coverage if len(grounds) > 1 else 0.0
    values["cov_all"] = sum(_anywhere(word, everywhere) * word.weight for word in claim.content) / total
    values["cov_gain"] = values["cov_all"] - values["cov_best"]
    values["cov_window"] = _window(claim, grounds, total)
    values["order"] = best.alignment.order
    missing = best.alignment.missing
    values["missing_max"] = max((word.weight for word in missing), default=0.0)
    values["missing_rare"] = sum(word.weight >= 0.75 for word in missing)
    values["unseen_rare"] = sum(word.weight >= 0.75 and not _anywhere(word, everywhere) for word in missing)
    values["run"] = _longest_run(claim, best.reading)
    values["pairs"] = max(_neighbours(claim, ground.reading) for ground in grounds[:_TOP])
    weight = best.reading.weight or 1.0
    used = {found.start for _, found, _ in best.alignment.pairs if found is not None}
    values["precision"] = sum(word.weight for word in best.reading.content if word.start in used) / weight


def _anywhere(word: Word, stems: frozenset[str]) -> float:
    if word.stem in stems:
        return 1.0
    return 0.75 if any(other in stems for other in SYNONYMS.get(word.stem, ())) else 0.0


def _window(claim: Reading, grounds: Sequence[Ground], total: float) -> float:
    """Return the best coverage by three sentences in a row."""
    in_order = sorted(grounds, key=lambda ground: (ground.passage, ground.reading.at))
    best = 0.0
    for index, ground in enumerate(in_order):
        near = [other for other in in_order[index : index + 3] if other.passage == ground.passage]
        carried = [max(other.alignment.pairs[place][2] for other in near) for place in range(len(claim.content))]
        best = max(best, sum(share * word.weight for share, word in zip(carried, claim.content, strict=True)))
    return best / total


def _longest_run(claim: Reading, text: Reading) -> float:
    """Return the longest run of words in common as a share of the claim's words."""
    mine, theirs = [word.stem for word in claim.words], [word.stem for word in text.words]
    if not mine:
        return 0.0
    best = 0
    row: dict[int, int] = {}
    places: dict[str, list[int]] = {}
    for index, word in enumerate(theirs):
        places.setdefault(word, []).append(index)
    for word in mine:
        fresh = {index: row.get(index - 1, 0) + 1 for index in places.get(word, ())}
        row = fresh
        best = max(best, max(fresh.values(), default=0))
    return best / len(mine)


def _neighbours(claim: Reading, text: Reading) -> float:
    """Return the share of the claim's neighbouring content words that are near each other in the text too."""
    mine = [word.stem for word in claim.content]
    wanted = set(pairwise(mine))
    if not wanted:
        return 0.0
    theirs = [word.stem for word in text.content]
    have = {(a, b) for gap in (1, 2, 3) for a, b in zip(theirs, theirs[gap:], strict=False)}
    return sum((a, b) in have or (b, a) in have for a, b in wanted) / len(wanted)


def _novelty(values: dict[str, float], claim: Reading, question: str, grounds: Sequence[Ground], body: Body) -> None:
    """Coverage of what the claim adds to its question; without a question all of it."""
    asked = read(question).stems if question else frozenset()
    new = [place for place, word in enumerate(claim.content) if word.stem not in asked]
    weight = sum(claim.content[place].weight for place in new) or 1.0
    values["has_question"] = float(bool(question))
    values["new_share"] = sum(claim.content[place].weight for place in new) / (claim.weight or 1.0)
    values["new_best"] = (
        max(
            sum(ground.alignment.pairs[place][2] * claim.content[place].weight for place in new)
            for ground in grounds[:_TOP]
        )
        / weight
    )
    values["new_all"] = (
        sum(max(g.alignment.pairs[place][2] for g in grounds) * claim.content[place].weight for place in new) / weight
    )
    asked_rest = [word for word in read(question).content if word.stem not in claim.stems] if question else []
    total = sum(word.weight for word in asked_rest)
    values["asked_all"] = (
        sum(_anywhere(word, body.stems) * word.weight for word in asked_rest) / total if total else 1.0
    )


def _exact(values: dict[str, float], claim: Reading, grounds: Sequence[Ground], best: Ground, body: Body) -> None:
    numbers = claim.numbers
    all_numbers = [number for ground in grounds for number in ground.reading.numbers]
    all_periods = [period for ground in grounds for period in ground.reading.periods]
    here = sum(any(same_value(number, other, ignore_sign=True) for other in best.reading.numbers) for number in numbers)
    anywhere = sum(any(same_value(number, other, ignore_sign=True) for other in all_numbers) for number in numbers)
    count = len(numbers)
    values["numbers"] = min(count, 4)
    values["numbers_best"] = here / count if count else 1.0
    values["numbers_all"] = anywhere / count if count else 1.0
    values["numbers_lost"] = float(count - anywhere)
    values["rival_numbers"] = float(
        sum(
            not any(same_value(number, other, ignore_sign=True) for other in best.reading.numbers)
            and any(other.unit == number.unit != "" for other in best.reading.numbers)
            for number in numbers
        )
    )
    values["text_numbers"] = min(len(best.reading.numbers), 5)
    periods = claim.periods
    values["periods"] = min(len(periods), 3)
    values["periods_best"] = _periods_found(periods, best.reading.periods)
    values["periods_all"] = _periods_found(periods, all_periods)
    values["rival_periods"] = float(bool(periods and best.reading.periods) and values["periods_best"] < 1)
    names = claim.names
    weight = sum(word.weight for word in names)
    values["names"] = min(len(names), 6)
    values["names_best"] = (
        sum(word.weight for word in names if word.stem in best.reading.stems) / weight if weight else 1.0
    )
    values["names_all"] = sum(word.weight for word in names if word.stem in body.stems) / weight if weight else 1.0


def _periods_found(periods: Sequence[Period], others: Sequence[Period]) -> float:
    if not periods:
        return 1.0
    return sum(any(contains(one, other) or contains(other, one) for other in others) for one in periods) / len(periods)


def _polarities(
    values: dict[str, float], claim: Reading, best: Ground, polarity: Polarity, top: Sequence[Ground]
) -> None:
    values["negated"] = polarity.negated
    values["same_way"] = polarity.same_way
    values["other_way"] = polarity.other_way
    values["opposites"] = float(len(polarity.opposites))
    values["hedged"] = float(polarity.hedged)
    values["overstated"] = float(polarity.overstated)
    mine = sum(is_negation(word.folded) for word in claim.words)
    theirs = sum(is_negation(word.folded) for word in best.reading.words)
    values["negations"] = float(min(mine, 2))
    values["negation_gap"] = float(min(abs(mine - theirs), 3))
    values["negation_odd"] = float((mine - theirs) % 2)
    others = [compare_polarity(claim, ground.reading, ground.alignment) for ground in top[1:4]]
    weights = [ground.rank for ground in top[1:4]]
    values["other_way_near"] = max(
        [polarity.other_way, *(p.other_way * w for p, w in zip(others, weights, strict=True))]
    )
    values["same_way_near"] = max([polarity.same_way, *(p.same_way * w for p, w in zip(others, weights, strict=True))])
    values["negated_near"] = sum(p.negated * w for p, w in zip(others, weights, strict=True)) / (sum(weights) or 1.0)


def _clauses(values: dict[str, float], claim: Reading, grounds: Sequence[Ground]) -> None:
    spans = clauses(claim.text)
    shares: list[float] = []
    for start, end in spans:
        places = [place for place, word in enumerate(claim.content) if start <= word.start < end]
        weight = sum(claim.content[place].weight for place in places)
        if weight:
            shares.append(
                max(
                    sum(ground.alignment.pairs[place][2] * claim.content[place].weight for place in places)
                    for ground in grounds
                )
                / weight
            )
    values["clauses"] = float(min(len(shares), 5))
    values["clause_min"] = min(shares, default=0.0)
    values["clause_mean"] = sum(shares) / len(shares) if shares else 0.0


def _shape(values: dict[str, float], claim: Reading, grounds: Sequence[Ground], best: Ground) -> None:
    values["claim_words"] = math.log1p(len(claim.content))
    values["claim_weight"] = claim.weight / max(1, len(claim.content))
    values["sentences"] = math.log1p(len(grounds))
    values["best_words"] = math.log1p(len(best.reading.content))
    values["speaker"] = float(min(3, sum(word.folded in _SPEAKER for word in claim.words)))
    values["asks"] = float("?" in claim.text)
    values["claim_hedges"] = float(bool(claim.folded & HEDGES))


def _meaning(values: dict[str, float], claim: Vectors, sentences: Vectors) -> None:
    """Cosines of the claim with the sentences, the best one first, with two together and with all of them."""
    whole, rows = claim.astype(np.float64), sentences.astype(np.float64)
    cosines = rows @ whole
    ordered = np.sort(cosines)[::-1]
    nearest = rows[np.argsort(-cosines, kind="stable")[:3]]
    values["cos_best"] = float(cosines[0])
    values["cos_max"] = float(ordered[0])
    values["cos_second"] = float(ordered[min(1, len(ordered) - 1)])
    values["cos_mean"] = float(ordered[:3].mean())
    values["cos_all"] = float(cosines.mean())
    values["cos_lead"] = float(ordered[0] - cosines.mean())
    values["cos_spread"] = float(cosines.std())
    values["cos_off"] = float(ordered[0] - cosines[0])
    values["cos_whole"] = _cosine(whole, rows.mean(axis=0))
    values["cos_two"] = _cosine(whole, nearest[:2].sum(axis=0))
    # How much of the claim's vector the three nearest make up together.
    weights = np.linalg.lstsq(nearest.T, whole, rcond=1e-3)[0]
    values["cos_made"] = float(np.linalg.norm(nearest.T @ weights))


def _cosine(one: Vectors, other: Vectors) -> float:
    return float(one @ other / max(1e-9, float(np.linalg.norm(one) * np.linalg.norm(other))))
