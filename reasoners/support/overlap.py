"""Count further what a claim and its passages share: where in the claim, in what order, by letters, how near."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from difflib import SequenceMatcher
from itertools import pairwise

import regex

from .alignment import Alignment
from .body import Body, body_of, letter_runs
from .lexicon import DIRECTIONS, HEDGES
from .reading import Reading, Word

_THIRD = 1 / 3
_MAX_WORDS = 20_000
_VERB = regex.compile(r"(?:ed|ing|i[sz]es?|ates?|ify)$")
_ADJECTIVE = regex.compile(r"(?:al|ive|ous|ic|able|ible|ful|less|ary)$")


def overlap_signs(
    claim: Reading,
    sentences: Sequence[Reading],
    alignments: Sequence[Alignment],
    question: Reading | None = None,
    body: Body | None = None,
) -> dict[str, float]:
    """Return named signs of a claim laid over sentences, the best one first; shares are in [0, 1].

    A claim is often half said: its opening words are those of the passage and its end is not.  So the coverage is told
    by thirds of the claim, by kind of word (guessed from the ending) and by the longest stretch that is not carried,
    for the best sentence and for all of them; word pairs, triples and letters tell wording from mere vocabulary.

    Args:
        body: What the sentences hold together, where that was gathered.
    """
    best, body = sentences[0], body or body_of(sentences)
    here = [share for _, _, share in alignments[0].pairs]
    anywhere = [max(shares) for shares in zip(*([p[2] for p in a.pairs] for a in alignments), strict=True)]
    values = _by_place(claim.content, here, anywhere)
    values |= _by_kind(claim.content, here, anywhere)
    values |= _by_order(claim, best, body)
    values |= _by_letters(claim, best, body)
    values["cov_rare_here"] = _rare(claim, here, body)
    values["spread"] = _spread(claim, sentences)
    covered = sorted((alignment.coverage for alignment in alignments), reverse=True)
    values["half_carried"] = float(min(4, sum(share > 0.5 for share in covered)))
    values["cov_mean"] = sum(covered[:3]) / len(covered[:3])
    values["cov_lead"] = covered[0] - (covered[1] if len(covered) > 1 else 0.0)
    values["asked_share"] = len(question.stems & claim.stems) / max(1, len(claim.stems)) if question else 0.0
    values["longer"] = math.log1p(len(claim.words)) - math.log1p(len(best.words))
    values["evidence_words"] = math.log1p(body.words)
    values["best_hedges"] = float(len(best.folded & HEDGES))
    values["best_directions"] = float(sum(word.folded in DIRECTIONS for word in best.words))
    return values


def _share(words: Sequence[Word], carried: Sequence[float], chosen: Sequence[bool]) -> float:
    """Return how much of the chosen words' weight is carried; 1 where none is chosen."""
    total = sum(word.weight for word, wanted in zip(words, chosen, strict=True) if wanted)
    got = sum(word.weight * share for word, share, wanted in zip(words, carried, chosen, strict=True) if wanted)
    return got / total if total else 1.0


def _by_place(words: Sequence[Word], here: Sequence[float], anywhere: Sequence[float]) -> dict[str, float]:
    last = max(1, len(words) - 1)
    head = [place / last <= _THIRD for place in range(len(words))]
    tail = [place / last >= 1 - _THIRD for place in range(len(words))]
    middle = [not (first or end) for first, end in zip(head, tail, strict=True)]
    return {
        "head_here": _share(words, here, head),
        "middle_here": _share(words, here, middle),
        "tail_here": _share(words, here, tail),
        "head_all": _share(words, anywhere, head),
        "tail_all": _share(words, anywhere, tail),
        "hole_here": _hole(words, here),
        "hole_all": _hole(words, anywhere),
    }


def _hole(words: Sequence[Word], carried: Sequence[float]) -> float:
    """Return the weight of the longest stretch of words that is not carried."""
    longest = run = 0.0
    for word, share in zip(words, carried, strict=True):
        run = run + word.weight if share == 0 else 0.0
        longest = max(longest, run)
    return longest


def _by_kind(words: Sequence[Word], here: Sequence[float], anywhere: Sequence[float]) -> dict[str, float]:
    verbs = [not word.is_name and bool(_VERB.search(word.folded)) for word in words]
    adjectives = [not word.is_name and bool(_ADJECTIVE.search(word.folded)) for word in words]
    others = [
        not (word.is_name or verb or adjective) for word, verb, adjective in zip(words, verbs, adjectives, strict=True)
    ]
    every = [True] * len(words)
    values: dict[str, float] = {}
    for name, carried in (("here", here), ("all", anywhere)):
        values[f"verbs_{name}"] = _share(words, carried, verbs)
        values[f"adjectives_{name}"] = _share(words, carried, adjectives)
        values[f"nouns_{name}"] = _share(words, carried, others)
        values[f"exact_{name}"] = _share(words, [float(share == 1.0) for share in carried], every)
    return values


def _by_order(claim: Reading, best: Reading, body: Body) -> dict[str, float]:
    mine = [word.stem for word in claim.words]
    blocks = SequenceMatcher(None, mine, [word.stem for word in best.words], autojunk=False).get_matching_blocks()
    return {
        "words_all": _held(mine, body.stems),
        "words_here": _held(mine, best.stems),
        "pairs_all": _held(list(pairwise(mine)), body.pairs),
        "triples_all": _held(list(zip(mine, mine[1:], mine[2:], strict=False)), body.triples),
        "in_order": sum(block.size for block in blocks) / max(1, len(mine)),
    }


def _held(items: Sequence[object], known: Collection[object]) -> float:
    return sum(item in known for item in items) / max(1, len(items))


def _by_letters(claim: Reading, best: Reading, body: Body) -> dict[str, float]:
    mine, theirs = letter_runs(claim.text), letter_runs(best.text)
    return {
        "letters_all": len(mine & body.letters) / max(1, len(mine)),
        "letters_here": len(mine & theirs) / max(1, len(mine)),
        "letters_back": len(mine & theirs) / max(1, len(theirs)),
    }


def _rare(claim: Reading, here: Sequence[float], body: Body) -> float:
    """Return the coverage by the best sentence, each word weighed by its rarity among the sentences too."""
    count = len(body.sentences)
    rarity = [word.weight * math.log((count + 1) / (body.frequency.get(word.stem, 0) + 0.5)) for word in claim.content]
    total = sum(rarity)
    return sum(share * weight for share, weight in zip(here, rarity, strict=True)) / total if total > 0 else 1.0


def _spread(claim: Reading, sentences: Sequence[Reading]) -> float:
    """Return how far apart the claim's words stand in the passages: the log of the shortest stretch holding them all.

    Sentences are read in the order of the passages; the log of the number of words is taken off.
    """
    in_order = sorted(range(len(sentences)), key=lambda place: (sentences[place].at, place))
    stems = [word.stem for place in in_order for word in sentences[place].words][:_MAX_WORDS]
    wanted = {word.stem for word in claim.content} & set(stems)
    if not wanted:
        return math.log1p(len(stems))
    seen: Counter[str] = Counter()
    shortest, start, missing = len(stems), 0, len(wanted)
    for end, stem in enumerate(stems):
        if stem not in wanted:
            continue
        missing -= seen[stem] == 0
        seen[stem] += 1
        while not missing:
            shortest = min(shortest, end - start + 1)
            first = stems[start]
            start += 1
            if first in wanted:
                seen[first] -= 1
                missing += seen[first] == 0
    return math.log1p(shortest) - math.log1p(len(wanted))


def found_signs(kinds: Mapping[str, int], hard: bool, nearness: float) -> dict[str, float]:
    """Return what the exact layers found as signs, so that the score knows of it.

    Args:
        kinds: How many hard findings there are of each kind, and soft ones of kind `name`.
        nearness: How near the claim's wording is to its passage, in [0, 1].
    """
    return {
        "lost_number": float(kinds.get("number", 0) > 0),
        "lost_period": float(kinds.get("period", 0) > 0),
        "lost_names": float(kinds.get("name", 0)),
        "refused": float(hard),
        "nearness": nearness,
        "as_worded": float(nearness >= 0.9 and not hard),
    }
