"""Tell the first places of a ranking, each with its value, then who comes next and by how much."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from ...state.records import TableRow
from ...text.languages import detect
from ...text.numerals import grouped_short
from .asking import Ask
from .catalog import Column, header_words
from .cells import less, summed
from .members import Entry, is_quarterly
from .units import in_small
from .wording import Spelling, measure_words, verb_of

_MOST_NAMED = 5
_MOST_TERMS = 6
_COUNT_WORDS = {
    word: number
    for number, words in {
        2: "two zwei deux dos due", 3: "three drei trois tres tre", 4: "four vier quatre cuatro quattro",
        5: "five fünf cinq cinco cinque", 6: "six sechs", 7: "seven sieben sept siete sette",
        8: "eight acht huit ocho otto", 9: "nine neun neuf nueve nove", 10: "ten zehn dix diez dieci",
    }.items()
    for word in words.split()
}  # fmt: skip
_COUNT = rf"(\d{{1,2}}|{'|'.join(_COUNT_WORDS)})"
_BY_SIZE = re.compile(
    r"(?<!\w)(?:most|least|largest|biggest|greatest|smallest|größte\w*|kleinste\w*|meisten|wenigsten|plus|moins|"
    r"mayor(?:es)?|menor(?:es)?|más|menos|maggior[ei]?|minor[ei]?|più|meno)(?!\w)",
    re.IGNORECASE,
)
_SUPERLATIVE = (
    r"(?:most|least|largest|biggest|highest|greatest|best|smallest|lowest|fewest|strongest|größten|höchsten|kleinsten|"
    r"niedrigsten|umsatzstärksten|plus (?:grands?|grandes?|élevée?s?)|mayores|menores|maggiori|minori)"
)
_TOP = re.compile(
    rf"\btop[ -]{_COUNT}\b|(?<!\w){_COUNT} (?:\w+ )?{_SUPERLATIVE}(?!\w)|\b(?:which|what|welche) {_COUNT}(?= )|"
    rf"\bthe {_COUNT} (?:[^\W\d_]+ ){{1,3}}(?:the )?{_SUPERLATIVE}(?!\w)",
    re.IGNORECASE,
)
# By language: the whole, the extremes, a sum, what comes next.  The first says what is compared and of what.
_SAID: dict[str, dict[str, str]] = {
    "en": {
        "head": "By {by}{of}, {measure} {verb} {kind} for {names}", "high": "highest", "low": "lowest",
        "most": "largest", "least": "smallest", "sum": "the sum of {measure}", "of": ", for {told}", "and": "and",
        "next": ", before {names} with {value}", "rows": "sum of {count} rows",
    },
    "de": {
        "head": "Nach {by}{of}: {kind} Wert von {measure} bei {names}", "high": "höchster", "low": "niedrigster",
        "most": "größter", "least": "kleinster", "sum": "der Summe von {measure}", "of": " ({told})", "and": "und",
        "next": ", vor {names} mit {value}", "rows": "Summe aus {count} Zeilen",
    },
    "fr": {
        "head": "Par {by}{of} : valeur {kind} de {measure} pour {names}", "high": "la plus haute",
        "low": "la plus basse", "most": "la plus grande", "least": "la plus petite", "sum": "la somme de {measure}",
        "of": " ({told})", "and": "et",
        "next": ", devant {names} avec {value}", "rows": "somme de {count} lignes",
    },
    "es": {
        "head": "Por {by}{of}: valor {kind} de {measure} en {names}", "high": "más alto", "low": "más bajo",
        "most": "mayor", "least": "menor", "sum": "la suma de {measure}", "of": " ({told})", "and": "y",
        "next": ", ante {names} con {value}", "rows": "suma de {count} filas",
    },
    "it": {
        "head": "Per {by}{of}: valore {kind} di {measure} per {names}", "high": "più alto", "low": "più basso",
        "most": "maggiore", "least": "minore", "sum": "la somma di {measure}", "of": " ({told})", "and": "e",
        "next": ", davanti a {names} con {value}", "rows": "somma di {count} righe",
    },
}  # fmt: skip


@dataclass(frozen=True)
class Extreme:
    """The answer in words and the rows that it names."""

    text: str
    rows: tuple[TableRow, ...]


def wanted_places(question: str) -> int:
    """Return how many places of a ranking a question asks for: `top 3`, `the three largest`; else 1."""
    match = _TOP.search(question)
    if match is None:
        return 1
    text = next(group for group in match.groups() if group).casefold()
    return max(1, _COUNT_WORDS.get(text) or int(text))


def told_places(
    ask: Ask,
    column: Column,
    dimension: Column,
    entries: Sequence[Entry],
    added: bool,
    told: Sequence[str],
    unit: str,
    spelling: Spelling,
) -> Extreme | None:
    """Say the first places, each with its value, then who comes next and by how much."""
    language = detect(ask.question)
    said = _SAID.get(language, _SAID["en"])
    # Of losses, written below zero, the most is the farthest from it; the highest is not.
    sized = all(entry.value <= 0 for entry in entries) and bool(_BY_SIZE.search(ask.question))

    def size(entry: Entry) -> Decimal:
        return abs(entry.value) if sized else entry.value

    ordered = sorted(entries, key=size, reverse=not ask.ascending)
    places = min(wanted_places(ask.question), len(ordered))
    last = size(ordered[places - 1])
    first = [entry for entry in ordered if (size(entry) <= last if ask.ascending else size(entry) >= last)]
    if len(first) > max(places, _MOST_NAMED):
        return None
    rest = ordered[len(first) :]
    following = [entry for entry in rest if entry.value == rest[0].value] if rest else []
    measure = measure_words(column.header, spelling, language)
    measure = f"{measure} ({unit})" if unit and f"({unit})" not in measure else measure
    verb = "is" if added else verb_of(" ".join(measure.split("(")[0].split()))
    by = header_words(dimension.header)
    if language == "en":
        by = "quarter" if is_quarterly(ask, dimension) else "date" if by.startswith("as of") else in_small(by)
    head = said["head"].format(
        by=by,
        of=said["of"].format(told=", ".join(told)) if told else "",
        measure=said["sum"].format(measure=measure) if added else measure,
        verb=verb,
        kind=said[("least" if ask.ascending else "most") if sized else "low" if ask.ascending else "high"],
        names=_listed(first, said),
    )
    text = f"{head[:1].upper()}{head[1:]}"
    used = [row for entry in first for row in entry.rows]
    if following and len(following) <= _MOST_NAMED:
        sums = f" {said['and']} ".join(entry.name for entry in following)
        text += said["next"].format(names=sums, value=_amount(following[0], said))
        above, below = (size(first[-1]), size(following[0]))
        above, below = (below, above) if ask.ascending else (above, below)
        text += f": {less(above, below, grouped_short)}"
        used += [row for entry in following for row in entry.rows]
    return Extreme(f"{text}.", tuple(dict.fromkeys(used)))


def _listed(entries: Sequence[Entry], said: dict[str, str]) -> str:
    """Return names with their values; those of one value share it."""
    parts: list[str] = []
    for value in dict.fromkeys(entry.value for entry in entries):
        same = [entry for entry in entries if entry.value == value]
        names = f" {said['and']} ".join(entry.name for entry in same)
        parts.append(f"{names}: {_amount(same[0], said)}")
    return "; ".join(parts)


def _amount(entry: Entry, said: dict[str, str]) -> str:
    """Return a value; a sum with its terms, or of many rows, which are cited, by their number."""
    if len(entry.values) > _MOST_TERMS:
        return f"{grouped_short(entry.value)} ({said['rows'].format(count=len(entry.values))})"
    return summed(entry.values, grouped_short)
