"""Make pairs of a claim and a passage out of plain text, to train a verifier on: no labelled set is read."""

from __future__ import annotations

import argparse
import html
import json
import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import regex

from ..reasoners.support.clauses import clauses
from ..reasoners.support.lexicon import SYNONYMS
from ..reasoners.support.reading import Reading, read, read_sentences
from .perturbations import changes_of

PASSAGE_SENTENCES = (2, 6)
MIN_WORDS, MAX_WORDS = 7, 45
_TAG = regex.compile(r"<[^>]{1,60}>")
_OPENING = regex.compile(
    r"^(?:\p{Lu}\w+ly|In (?:the|this|that) \w+|However|Moreover|Therefore|Of course|At the same time|For example),\s+"
)
_ASIDE = regex.compile(r"\s*(?:\([^)]{3,80}\)|,\s+(?:which|who)\s[^,]{5,80},)")
_TAIL = regex.compile(r",\s+(?:and|but|while|although|because|so that|in order to)\s[^.]{15,}(?=[.!?]$)")
_MILLIONS = regex.compile(r"(?<=\d)\s(million|billion)\b")


# The commonest word of a text with a stem and an ending.
Forms = Mapping[tuple[str, str], str]


@dataclass(frozen=True)
class MadePair:
    """A claim that a passage supports, or one that it does not.

    Attributes:
        kind: What was done to the claim or to the passage.
    """

    kind: str
    claim: str
    passage: str
    supported: bool


def read_folder(folder: Path) -> list[list[str]]:
    """Return the documents of a folder as paragraphs: every .txt, and the longer strings of every .json."""
    documents: list[list[str]] = []
    for path in sorted(folder.rglob("*")):
        if path.suffix == ".txt":
            texts = path.read_text(encoding="utf-8", errors="replace").split("\n\n")
        elif path.suffix == ".json":
            texts = list(_strings(json.loads(path.read_text(encoding="utf-8"))))
        else:
            continue
        paragraphs = [" ".join(html.unescape(_TAG.sub(" ", text)).split()) for text in texts]
        documents.append([paragraph for paragraph in paragraphs if len(paragraph) >= 120])
    return [document for document in documents if document]


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from _strings(item)
    elif isinstance(value, Sequence):
        for item in value:
            yield from _strings(item)


def made_pairs(documents: Sequence[Sequence[str]], count: int, seed: int = 0) -> list[MadePair]:
    """Return about `count` pairs, half of them supported; the same for the same seed.

    Supported: a sentence of the passage told in other words, a clause of it, or clauses of two sentences joined.
    Not supported: the same changed in one place (number, unit, year, name, direction, negation), joined with a clause
    that the passage does not have, or asked of the passage without its sentence or of a neighbouring passage.
    """
    chance = random.Random(seed)
    windows = [(place, window) for place, document in enumerate(documents) for window in _windows(document, chance)]
    chance.shuffle(windows)
    names = _names(window for _, window in windows[:3000])
    forms = _forms(window for _, window in windows[:3000])
    near: dict[int, list[list[Reading]]] = {}
    for place, window in windows:
        near.setdefault(place, []).append(window)
    pairs: list[MadePair] = []
    counts: Counter[str] = Counter()
    for place, window in windows:
        if len(pairs) >= count:
            break
        pairs.extend(_pairs_of(window, near[place], names, forms, counts, chance))
    return pairs[:count]


def _windows(document: Sequence[str], chance: random.Random) -> Iterator[list[Reading]]:
    for paragraph in document:
        readings = list(read_sentences(paragraph))
        place = 0
        while place < len(readings):
            size = chance.randint(*PASSAGE_SENTENCES)
            window = readings[place : place + size]
            if len(window) >= PASSAGE_SENTENCES[0]:
                yield window
            place += size


def _names(windows: Iterator[list[Reading]]) -> list[str]:
    found = Counter(
        word.text
        for window in windows
        for sentence in window
        for word in sentence.names
        if word.text.isalpha() and len(word.text) > 3
    )
    return sorted(name for name, times in found.items() if times > 1)


def _forms(windows: Iterator[list[Reading]]) -> dict[tuple[str, str], str]:
    counts = Counter(
        (word.stem, word.folded)
        for window in windows
        for sentence in window
        for word in sentence.words
        if word.folded.isalpha() and word.stem in SYNONYMS
    )
    forms: dict[tuple[str, str], str] = {}
    for (stem, folded), _ in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        forms.setdefault((stem, _ending(folded)), folded)
    return forms


def _ending(word: str) -> str:
    return next((ending for ending in ("ing", "ed", "s") if word.endswith(ending) and not word.endswith("ss")), "")


def _pairs_of(
    window: Sequence[Reading],
    near: Sequence[Sequence[Reading]],
    names: Sequence[str],
    forms: Forms,
    counts: Counter[str],
    chance: random.Random,
) -> Iterator[MadePair]:
    usable = [place for place, sentence in enumerate(window) if _usable(sentence)]
    if not usable:
        return
    passage = " ".join(sentence.text for sentence in window)
    place = chance.choice(usable)
    sentence = window[place]
    kind, claim = _told(sentence, window, forms, chance)
    yield MadePair(kind, claim, passage, True)
    for kind, false in _wrong(window, place, claim, near, names, counts, chance):
        counts[kind] += 1
        yield false
        break


def _usable(sentence: Reading) -> bool:
    return MIN_WORDS <= len(sentence.words) <= MAX_WORDS and sentence.text[-1:] in ".!" and sentence.text[:1].isupper()


def _told(sentence: Reading, window: Sequence[Reading], forms: Forms, chance: random.Random) -> tuple[str, str]:
    """Return a sentence told another way: shortened, joined with another clause, in other words."""
    way = chance.random()
    text = sentence.text
    kind = "reworded"
    if way < 0.3:
        spans = clauses(text)
        if len(spans) > 1:
            start, end = chance.choice(spans)
            clause = text[start:end].strip(" ,;:.")
            if len(clause.split()) >= MIN_WORDS - 2:
                kind, text = "clause", f"{clause[0].upper()}{clause[1:]}."
    elif way < 0.45:
        other = chance.choice(window)
        if other is not sentence and _usable(other):
            kind, text = "joined", f"{_short(text).rstrip('.!')}, and {_lowered(_short(other.text), other)}"
    return kind, reworded(_short(text) if chance.random() < 0.7 else text, forms, chance)


def _lowered(text: str, reading: Reading) -> str:
    named = bool(reading.names) and reading.names[0].start == 0
    return text if named or text.startswith("I ") else text[0].lower() + text[1:]


def _short(text: str) -> str:
    """Return a sentence without its opening adverb, its asides and its last clause where it has them."""
    bare = _ASIDE.sub("", _OPENING.sub("", text))
    bare = _TAIL.sub("", bare)
    return bare[0].upper() + bare[1:] if len(bare.split()) >= MIN_WORDS else text


def reworded(text: str, forms: Forms, chance: random.Random, share: float = 0.5) -> str:
    """Return a sentence with synonyms for some of its words and its numbers written another way."""
    words: list[str] = []
    at = 0
    for word in read(text).words:
        others = sorted(
            form for other in SYNONYMS.get(word.stem, ()) if (form := forms.get((other, _ending(word.folded))))
        )
        if word.weight > 0 and not word.is_name and others and chance.random() < share:
            words.append(text[at : word.start] + chance.choice(others))
            at = word.end
    told = "".join(words) + text[at:]
    if chance.random() < 0.5:
        told = told.replace(" percent", "%") if " percent" in told else told.replace("%", " percent")
        told = _MILLIONS.sub(lambda found: {"million": "M", "billion": "B"}[found[1]], told)
    return told


def _wrong(
    window: Sequence[Reading],
    place: int,
    claim: str,
    near: Sequence[Sequence[Reading]],
    names: Sequence[str],
    counts: Counter[str],
    chance: random.Random,
) -> Iterator[tuple[str, MadePair]]:
    """Yield pairs that do not hold, the kinds made least often so far first."""
    passage = " ".join(sentence.text for sentence in window)
    makers = changes_of(names, chance)
    for kind in sorted([*makers, "left out", "elsewhere", "half"], key=lambda name: (counts[name], chance.random())):
        if kind == "left out":
            rest = " ".join(sentence.text for other, sentence in enumerate(window) if other != place)
            if len(rest) >= 60:
                yield kind, MadePair(kind, claim, rest, False)
        elif kind == "elsewhere":
            other = _nearest(window[place], near, window)
            if other is not None:
                yield kind, MadePair(kind, claim, " ".join(sentence.text for sentence in other), False)
        elif kind == "half":
            other = _nearest(window[place], near, window)
            sentences = [sentence for sentence in other or () if _usable(sentence)]
            if sentences:
                extra = chance.choice(sentences)
                joined = f"{claim.rstrip('.!')}, and {_lowered(_short(extra.text), extra)}"
                yield kind, MadePair(kind, joined, passage, False)
        else:
            false = makers[kind](read(claim))
            if false and false != claim and false not in passage:
                yield kind, MadePair(kind, false, passage, False)


def _nearest(sentence: Reading, near: Sequence[Sequence[Reading]], own: Sequence[Reading]) -> Sequence[Reading] | None:
    """Return the window of the same document that shares most with a sentence, its own left out."""
    wanted = {word.stem for word in sentence.content}
    others = [window for window in near if window is not own]
    if not others:
        return None
    return max(others, key=lambda window: len(wanted & {stem for other in window for stem in other.stems}))


def main() -> None:
    """Write training pairs made of a folder of plain text."""
    parser = argparse.ArgumentParser(prog="python -m citewell.evals.verifier_pairs", description=__doc__)
    parser.add_argument("--text", type=Path, required=True, help="folder of .txt and .json whose licence allows it")
    parser.add_argument("--out", type=Path, required=True, help="JSON lines to write")
    parser.add_argument("--count", type=int, default=16_000)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    pairs = made_pairs(read_folder(args.text), args.count, args.seed)
    args.out.write_text("".join(json.dumps(asdict(pair)) + "\n" for pair in pairs), encoding="utf-8")
    print(f"{len(pairs)} pairs, {sum(pair.supported for pair in pairs)} of them supported")


if __name__ == "__main__":
    main()
