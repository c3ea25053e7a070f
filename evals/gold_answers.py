"""What a written gold answer rests on, and whether an answer says it: polarity, figures, names, telling words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

import regex

from ..reasoners.embedded.asked.names import names_in
from ..text.numbers import Number, find_numbers
from ..text.periods import find_periods
from ..text.sentences import sentences
from ..text.words import analyse, content_words

TOLERANCE = Decimal("0.01")
MOST_WORDS = 0.75
SOME_WORDS = 0.33
_ASIDE = regex.compile(r"\b(?:assum\w+|note that|please note)\b", regex.IGNORECASE)
_COUNTER = regex.compile(r"\((?:\d|[a-z]|[ivx]+)\)")
_OPENS = regex.compile(r"^\W*(?P<word>yes|no)\b", regex.IGNORECASE)
_DENIES = regex.compile(r"\b(?:not|no|none|never|nothing|without|nor|neither)\b", regex.IGNORECASE)
_NUMBERED = regex.compile(r"\bNo\.\s*(?=[\d-])|\bnon-?\w+")
_CHOICE = regex.compile(r"\b(?P<a>\p{Ll}{4,}) or (?P<b>\p{Ll}{4,})\b")
_LEGAL = frozenset(
    analyse("inc incorporated ltd limited llc lp plc corp corporation company co gmbh ag sa nv dba d/b/a")
)


@dataclass(frozen=True)
class Gold:
    """What carries a gold answer.

    Attributes:
        polarity: `yes`, `no`, `none` (the answer is that there is no such thing), or empty.
        figures: Numbers that the question does not hold itself; no years, periods, counts in words or list marks.
        names: Index terms of each proper name that the question does not hold.
        words: Its other index terms, the question's own left out.
        chosen, refused: Of a question such as `did it increase or decrease`, the term that the answer picks.
    """

    polarity: str
    figures: tuple[Number, ...]
    names: tuple[frozenset[str], ...]
    words: frozenset[str]
    chosen: str = ""
    refused: str = ""


def read_gold(question: str, answer: str) -> Gold:
    """Read a gold answer; sentences that only tell an assumption carry nothing."""
    spans = [answer[start:end] for start, end in sentences(answer)]
    kept = [span for span in spans if not _ASIDE.search(span)] or spans
    text = _COUNTER.sub(" ", " ".join(kept))
    opened = _OPENS.match(text)
    asked = frozenset(analyse(question))
    dated = [(period.at, period.to) for period in find_periods(text)]
    known = {number.value for number in find_numbers(question)}
    figures = tuple(
        number
        for number in find_numbers(text)
        if number.kind in ("cardinal", "fraction")
        and not number.is_year
        and number.value not in known
        and not any(start < number.end and number.start < end for start, end in dated)
    )
    body = text[opened.end() :] if opened else text
    names = tuple(
        terms
        for name in names_in(body)
        if (terms := frozenset(analyse(name)) - _LEGAL) and not terms <= asked and not find_periods(name)
    )
    words = frozenset(analyse(" ".join(content_words(body)))) - asked - _LEGAL
    words = frozenset(word for word in words if len(word) > 2 and not any(sign.isdigit() for sign in word))
    polarity = opened["word"].casefold() if opened else "none" if _DENIES.search(text) and not figures else ""
    return Gold(polarity, figures, names, words, *_choice(question, analyse(body)))


def _choice(question: str, said: Sequence[str]) -> tuple[str, str]:
    """Return which of two words that a question offers an answer says, and the other one."""
    match = _CHOICE.search(question)
    if match is None or not analyse(match["a"]) or not analyse(match["b"]):
        return "", ""
    one, other = analyse(match["a"])[0], analyse(match["b"])[0]
    if (one in said) == (other in said):
        return "", ""
    return (one, other) if one in said else (other, one)


def says_gold(gold: Gold, summary: Sequence[str], claims: Sequence[str], *, short: bool) -> tuple[str, ...]:
    """Return what the gold answer rests on and an answer lacks; nothing where the answer says it.

    Polarity is that of the first sentence.  Figures are met within one hundredth, with their scale and whatever their
    sign, by the claims that lead: among many figures one is near by chance.  A name is met by its words.  An answer
    that is no figure and no name, or asks for more than a figure, must have its telling words in one claim: three
    quarters of them where they are all there is, else a third.

    Args:
        summary: Claims that lead, in order.
        claims: All claims.
        short: Whether the question wants a yes or no, a figure or one of several things; then words beside polarity,
            figure and name are prose.
    """
    lacks: list[str] = []
    first = summary[0] if summary else ""
    if gold.polarity in ("yes", "no"):
        said = _OPENS.match(regex.sub(r"^Inference:\s*", "", first))
        if said is None or said["word"].casefold() != gold.polarity:
            lacks.append(f"opens with {gold.polarity}")
    elif gold.polarity == "none" and not _DENIES.search(_NUMBERED.sub(" ", first)):
        lacks.append("denies")
    written = [number for claim in summary for number in find_numbers(claim)]
    lacks += [f"figure {figure.text}" for figure in gold.figures if not any(_near(figure, n) for n in written)]
    terms = [frozenset(analyse(claim)) for claim in claims]
    together: frozenset[str] = frozenset().union(*terms)
    lacks += [f"name {' '.join(sorted(name))}" for name in gold.names if not name <= together]
    if gold.chosen and not (gold.chosen in analyse(first) and gold.refused not in analyse(first)):
        lacks.append(f"opens with {gold.chosen}, not with {gold.refused}")
    if short and (gold.polarity or gold.figures or gold.names or gold.chosen):
        return tuple(lacks)
    bar = SOME_WORDS if gold.figures or gold.names else MOST_WORDS
    if len(gold.words) < 2 and (gold.figures or gold.names):
        return tuple(lacks)
    best = max((len(gold.words & held) / len(gold.words) for held in terms), default=0.0) if gold.words else 1.0
    if best < bar:
        lacks.append(f"words {' '.join(sorted(gold.words))} ({best:.0%} in one claim)")
    return tuple(lacks)


def _near(gold: Number, said: Number) -> bool:
    """Whether two numbers agree within a hundredth; a bare one may leave its scale to a table (`1,824` in millions)."""
    if gold.unit in ("%", "pp") and said.unit not in ("%", "pp", ""):
        return False
    wanted, value = abs(gold.value), abs(said.value)
    half = gold.step / 2
    scales = (1,) if gold.unit in ("%", "pp") else (1, 1_000, 1_000_000, 1_000_000_000)
    return any(
        abs(value * scale - wanted) <= max(TOLERANCE * wanted, half)
        or abs(value - wanted * scale) <= max(TOLERANCE * wanted, half) * scale
        for scale in scales
    )
