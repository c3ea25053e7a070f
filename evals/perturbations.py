"""Turn true sentences into false ones, a word at a time, and count how many the support check catches."""

# ruff: noqa: SIM905 - word lists read better as running text

from __future__ import annotations

import argparse
import random
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import regex

from ..reasoners.support.check import check_support
from ..reasoners.support.reading import Reading, read, read_sentences
from .claims import load
from .own_text import own_passages

KINDS = ("number", "unit", "year", "entity", "direction", "negation", "row")
_OPPOSITE = {
    "increased": "decreased", "decreased": "increased", "increase": "decrease", "decrease": "increase",
    "increases": "decreases", "decreases": "increases", "rose": "fell", "fell": "rose", "higher": "lower",
    "lower": "higher", "more": "less", "reduced": "increased", "reduces": "increases", "grew": "shrank",
    "gained": "lost", "improved": "worsened", "above": "below", "up": "down", "down": "up", "growth": "decline",
    "decline": "growth", "declined": "grew", "largest": "smallest", "highest": "lowest", "before": "after",
    "after": "before", "positive": "negative", "negative": "positive",
}  # fmt: skip
_AUXILIARY = regex.compile(
    r"\b(?:is|are|was|were|has|have|had|can|could|will|would|may|does|did)\b(?!\s+(?:not|no|never)\b|n't)"
)
_NEGATED = regex.compile(r"\b(is|are|was|were|has|have|had|can|could|will|would|may|does|did) not\b")
_UNITS = (
    ("%", " million"), (" percent", " million"), ("$", "€"), ("€", "$"), ("£", "$"), (" million", " billion"),
    (" billion", " million"), (" km", " kg"), (" kg", " km"), (" mg", " kg"), (" metres", " litres"),
    (" years", " months"), (" months", " years"), (" days", " weeks"), (" weeks", " days"), (" hours", " days"),
    (" miles", " metres"), (" feet", " miles"),
)  # fmt: skip


@dataclass(frozen=True)
class Trial:
    """A claim with its passage.

    Attributes:
        kind: What was changed; "" for a claim left as it is.
    """

    kind: str
    claim: str
    passage: str


def trials(passages: Sequence[str], count: int, seed: int = 0) -> list[Trial]:
    """Return `count` changed claims, the kinds in turn as far as the text allows, and their sentences unchanged."""
    chance = random.Random(seed)
    sources = [(passage, reading) for passage in passages for reading in read_sentences(passage) if _usable(reading)]
    chance.shuffle(sources)
    names = sorted(
        {
            word.text
            for _, reading in sources[:2000]
            for word in reading.names
            if word.text.isalpha() and len(word.text) > 3
        }
    )
    makers = changes_of(names, chance)
    made: list[Trial] = list(_rows(chance, count // len(KINDS)))
    wanted = Counter({kind: (count - len(made) // 2) // len(makers) for kind in makers})
    for passage, reading in sources:
        for kind in sorted(makers, key=lambda name: -wanted[name]):
            claim = makers[kind](reading) if wanted[kind] > 0 else None
            if claim and claim != reading.text and claim not in passage:
                wanted[kind] -= 1
                made.extend([Trial(kind, claim, passage), Trial("", reading.text, passage)])
                break
    return made


def changes_of(names: Sequence[str], chance: random.Random) -> dict[str, Callable[[Reading], str | None]]:
    """Return by kind what turns a sentence false in one place; None where a sentence offers no such place.

    Args:
        names: Names to put in the place of others.
    """
    return {
        "number": lambda r: _number(r, chance),
        "unit": _unit,
        "year": lambda r: _year(r, chance),
        "entity": lambda r: _entity(r, names, chance),
        "direction": _direction,
        "negation": _negation,
    }


def measure(made: Sequence[Trial]) -> dict[str, tuple[int, int]]:
    """Return per kind how many of how many were caught (changed) or refused (kind "")."""
    counts: dict[str, list[int]] = {}
    for trial in made:
        refused = check_support(trial.claim, [trial.passage]).support != "supported"
        row = counts.setdefault(trial.kind, [0, 0])
        row[0] += refused
        row[1] += 1
    return {kind: (row[0], row[1]) for kind, row in counts.items()}


def _usable(reading: Reading) -> bool:
    return (
        8 <= len(reading.words) <= 45
        and reading.text[-1:] in ".!?"
        and reading.text[:1].isupper()
        and "\n" not in reading.text
    )


def _number(reading: Reading, chance: random.Random) -> str | None:
    for number in reading.numbers:
        digits = regex.search(r"\d+(?:[.,]\d+)*", number.text)
        beside = reading.text[max(0, number.start - 1) : number.start] + reading.text[number.end : number.end + 1]
        if digits is None or number.kind != "cardinal" or "[" in beside or "]" in beside:
            continue  # a reference mark says nothing
        place = number.start + digits.start()
        wrong = "".join(str((int(c) + chance.randint(1, 8)) % 10) if c.isdigit() else c for c in digits.group())
        if wrong[0] == "0":
            wrong = "4" + wrong[1:]
        if wrong == digits.group():
            continue
        return reading.text[:place] + wrong + reading.text[place + len(wrong) :]
    return None


def _unit(reading: Reading) -> str | None:
    for number in reading.numbers:
        for unit, other in _UNITS:
            end = number.end
            if number.text.startswith(unit):
                return reading.text[: number.start] + other + reading.text[number.start + len(unit) :]
            if number.text.endswith(unit) and unit not in "$€£":
                return reading.text[: end - len(unit)] + other + reading.text[end:]
    return None


def _year(reading: Reading, chance: random.Random) -> str | None:
    found = regex.search(r"\b(?:19|20)\d{2}\b", reading.text)
    if found is None or not any(period.at <= found.start() < period.to for period in reading.periods):
        return None
    year = int(found.group()) + chance.choice((-7, -3, -2, -1, 1, 2, 3, 7))
    return f"{reading.text[: found.start()]}{year}{reading.text[found.end() :]}"


def _entity(reading: Reading, names: Sequence[str], chance: random.Random) -> str | None:
    own = [word for word in reading.names if word.text.isalpha() and len(word.text) > 3]
    if not own or not names:
        return None
    word = chance.choice(own)
    other = chance.choice(names)
    if read(other).words[0].stem in reading.stems:
        return None
    return reading.text[: word.start] + other + reading.text[word.end :]


def _direction(reading: Reading) -> str | None:
    for word in reading.words:
        other = _OPPOSITE.get(word.text)
        if other is not None:
            return reading.text[: word.start] + other + reading.text[word.end :]
    return None


def _negation(reading: Reading) -> str | None:
    denied = _NEGATED.search(reading.text)
    if denied is not None:
        return f"{reading.text[: denied.start()]}{denied.group(1)}{reading.text[denied.end() :]}"
    found = _AUXILIARY.search(reading.text)
    return None if found is None else f"{reading.text[: found.end()]} not{reading.text[found.end() :]}"


_REGIONS = """
    Retail Wholesale Logistics Harbour Mining Dairy Textiles Glass Paper Marine
""".split()
_MEASURES = ["Margin", "Turnover", "Headcount", "Churn", "Backlog", "Yield"]


def _rows(chance: random.Random, count: int) -> Iterator[Trial]:
    """Yield claims about a table of invented figures, right and with another row's or another year's figure."""
    for number in range(count):
        regions = chance.sample(_REGIONS, 4)
        measure_name = chance.choice(_MEASURES)
        figures = {(r, y): round(chance.uniform(1, 90), 1) for r in regions for y in (2021, 2022)}
        if len(set(figures.values())) < len(figures):
            continue
        lines = [
            f"Region: {r}; {measure_name} 2021: {figures[r, 2021]}%; {measure_name} 2022: {figures[r, 2022]}%"
            for r in regions
        ]
        first, second = regions[0], regions[2]
        right = figures[first, 2022]
        wrong = figures[second, 2022] if number % 2 else figures[first, 2021]
        say = "The {m} of {r} was {v}% in 2022." if number % 3 else "In 2022, {r} had a {m} of {v}%."
        text = "\n".join(lines)
        yield Trial("row", say.format(m=measure_name.lower(), r=first, v=wrong), text)
        yield Trial("", say.format(m=measure_name.lower(), r=first, v=right), text)


def main() -> None:
    """Print a table for own text and, with `--data`, for the passages of the labelled set."""
    parser = argparse.ArgumentParser(prog="python -m citewell.evals.perturbations", description=__doc__)
    parser.add_argument("--data", type=Path, help="folder that holds claims/claims.jsonl; own text alone without it")
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--show", type=int, default=0, help="print so many misses of each kind")
    args = parser.parse_args()
    sets = {"own text": own_passages(400)}
    if args.data:
        sets["passages of the set"] = sorted(
            {p for pair in load(args.data / "claims" / "claims.jsonl") for p in pair["evidence"]}
        )
    for name, passages in sets.items():
        made = trials(passages, args.count)
        began = time.perf_counter()
        counts = measure(made)
        seconds = time.perf_counter() - began
        caught, tried = (sum(counts[k][i] for k in KINDS if k in counts) for i in (0, 1))
        refused, untouched = counts.get("", (0, 0))
        each = ", ".join(f"{k} {counts[k][0]}/{counts[k][1]}" for k in KINDS if k in counts)
        print(
            f"{name}: caught {caught}/{tried} = {caught / tried:.1%} ({each}); "
            f"refused untouched {refused}/{untouched} = {refused / untouched:.1%}; {len(made) / seconds:.0f} a second"
        )
        if args.show:
            _show(made, args.show)


def _show(made: Sequence[Trial], limit: int) -> None:
    shown: Counter[str] = Counter()
    for trial in made:
        verdict = check_support(trial.claim, [trial.passage])
        if (verdict.support == "supported") == bool(trial.kind) and shown[trial.kind] < limit:
            shown[trial.kind] += 1
            print(f"[{trial.kind or 'untouched'}] {trial.claim}\n    {verdict.score} {verdict.reasons}")


if __name__ == "__main__":
    main()
