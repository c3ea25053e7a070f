"""A question as statements can answer it: measures, items, periods, and whether something moved."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from ...text.periods import find_periods
from ...text.words import analyse, content_words
from .measures import Item, Measure, Statement, definitions
from .periods import Target, targets_of
from .ratios import ratio_asked

_CHANGE = re.compile(
    r"\b(?:chang\w*|gr[oe]w\w*|growth|increas\w*|decreas\w*|declin\w*|drop\w*|ris(?:e|en|ing)|rose|fall\w*|fell|improv\w*|"
    r"deteriorat\w*|worsen\w*|fluctuat\w*|consisten\w*|stable|steady|expand\w*|contract(?:ed|ing)|shr[aiu]nk|reduc\w*|"
    r"year[- ]over[- ]year|yoy|differ\w*)\b",
    re.IGNORECASE,
)
UP = re.compile(r"\b(?:gr[oe]w\w*|growth|increas\w*|ris(?:e|en|ing)|rose|improv\w*|expand\w*)\b", re.IGNORECASE)
DOWN = re.compile(
    r"\b(?:decreas\w*|declin\w*|drop\w*|fall\w*|fell|deteriorat\w*|worsen\w*|shr[aiu]nk|reduc\w*)\b", re.IGNORECASE
)
_STEADY = re.compile(r"\b(?:consisten\w*|stable|steady|fluctuat\w*|constant)\b", re.IGNORECASE)
_TOLERANCE = re.compile(r"(\d+(?:\.\d+)?)\s*(?:%|percent|pp)", re.IGNORECASE)
AVERAGE = re.compile(r"\baverage\b", re.IGNORECASE)
_YES_NO = re.compile(r"^(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would)\b", re.IGNORECASE)
_ASIDE = re.compile(r"\bis defined as\b|\bif .+? (?:is|are) not a (?:useful|relevant|meaningful)\b", re.IGNORECASE)
_SHARE_OF = re.compile(
    r"\b(?:as (?:a )?|what |which )(?:%|per ?cent(?:age)?|share|proportion|fraction|portion) of\b", re.IGNORECASE
)
_FORESEEN = re.compile(
    r"\b(?:outlook|guidance|forecast\w*|expect\w*|plan(?:s|ned)?|project(?:s|ed)|estimate[sd]?)\b", re.IGNORECASE
)
_WORD_BEFORE = re.compile(r"([\w'’-]+)\s+$")
_FRAME_WORDS = """
    what which how much many give tell state answer question respond response relying rely details detail shown show
    information primarily using use statement statements balance sheet cash flow income financial amount total value
    year end fiscal company's company assume public equities analyst round places decimal usd million millions billion
    billions thousand dollars based data net drove driven cause caused cost costs there any between date rate report
    reported calculate compute number many unit units percents percent percentage one two three place nearest drawing
    conclusions stated only solely position quantity directly outlined period provide positive negative unadjusted
    current latest recent annual quarterly yearly consolidated overall gross net record recorded incur incurred spend
    spent expense expenses balance worth higher lower strong"""
_FRAME = frozenset(analyse(_FRAME_WORDS))
_OTHER_WORDS = 2
_PHRASE_WORDS = 3
_POSSESSIVE = re.compile(r"['’]s?(?!\w)")


@dataclass(frozen=True)
class FigureAsk:
    """A question as statements can answer it.

    Attributes:
        measures, items: That it names.
        targets: Periods that it names, the earliest first.
        change: Whether it asks how something moved; direction: `up` or `down` where it asks whether it moved so.
        steady: How far a value may move and still count as unchanged, where it asks whether it did; None elsewhere.
        average: Whether it asks for an average over its periods.
        yes_no: Whether it wants a yes or no.
        phrase: Index terms of what moved, where no definition names it and they are few.
        part_of_year: Items of which it asks what share of a year came in a quarter.
        names: Whom it is about.
    """

    question: str
    measures: tuple[Measure, ...] = ()
    items: tuple[Item, ...] = ()
    statements: tuple[Statement, ...] = ()
    targets: tuple[Target, ...] = ()
    change: bool = False
    direction: str = ""
    steady: Decimal | None = None
    average: bool = False
    yes_no: bool = False
    phrase: frozenset[str] = frozenset()
    part_of_year: tuple[Item, ...] = ()
    names: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether it asks for nothing that a statement could tell."""
        return not (self.measures or self.items or self.part_of_year or self.phrase)

    @property
    def needed(self) -> tuple[Item, ...]:
        """The items that an answer is computed from."""
        known = definitions().items
        keys = [key for measure in self.measures for key in measure.items]
        named = (*(known[key] for key in keys if key in known), *self.items, *self.part_of_year)
        return tuple({item.key: item for item in named}.values())


def read_figure_ask(question: str, names: Sequence[str] = ()) -> FigureAsk:
    """Read a question; the part that defines a measure (`DPO is defined as: …`) names no further ones.

    Args:
        names: Whom it is about.
    """
    asked = _ASIDE.split(question)[0]
    known = definitions()
    measures = known.measures_in(asked)
    if not measures and (ratio := ratio_asked(asked, lambda text, items: _is_whole(text, items, names))):
        measures = (ratio,)
    rest = asked
    for measure in measures:
        rest = measure.asked.sub(" ", rest)
    up, down = bool(UP.search(asked)), bool(DOWN.search(asked))
    tolerance = _TOLERANCE.search(asked)
    steady = Decimal(tolerance.group(1)) if tolerance else Decimal(2)
    items = known.items_in(rest)
    others = _other_words(rest, (), names)
    targets = tuple(targets_of(asked))
    in_a_quarter = not measures and _SHARE_OF.search(rest) and len(items) == 1 and any(each.quarter for each in targets)
    part_of_year = items if in_a_quarter and not qualifiers(rest, items[0], names) else ()
    if measures or _SHARE_OF.search(rest) or not _is_about(rest, items, names):
        # `X as a percent of net sales` is about X, which then has no definition here.
        items = ()
    if _FORESEEN.search(asked):
        measures, items, others = (), (), frozenset()  # statements tell what was
    return FigureAsk(
        question=question,
        measures=measures,
        items=items,
        statements=known.statements_in(question),
        targets=targets,
        change=bool(_CHANGE.search(asked)),
        direction="" if up == down else "up" if up else "down",
        steady=steady if _STEADY.search(asked) else None,
        average=bool(AVERAGE.search(question)),
        yes_no=bool(_YES_NO.match(question.strip())),
        phrase=others if not measures and not items and 0 < len(others) <= _PHRASE_WORDS else frozenset(),
        part_of_year=part_of_year,
        names=tuple(names),
    )


def _is_about(asked: str, items: Sequence[Item], names: Sequence[str]) -> bool:
    """Whether items are what a question asks for, rather than named beside something else."""
    return bool(items) and len(_other_words(asked, items, names)) <= _OTHER_WORDS


def _is_whole(asked: str, items: Sequence[Item], names: Sequence[str]) -> bool:
    """Whether a part of a question is about an item as such: `International revenue` is a part of the revenue."""
    return _is_about(asked, items, names) and not any(qualifiers(asked, item, names) for item in items)


def qualifiers(asked: str, item: Item, names: Sequence[str]) -> frozenset[str]:
    """Return the index terms of the word right before an item's name that makes another thing of it."""
    match = item.asked.search(asked)
    word = _WORD_BEFORE.search(asked[: match.start()]) if match else None
    if word is None or any(word[1] in name.split() for name in names) or find_periods(word[1]):
        return frozenset()
    bare = _POSSESSIVE.sub("", word[1])
    return frozenset(analyse(" ".join(content_words(bare)))) - _FRAME - frozenset(analyse(" ".join(names)))


def _other_words(asked: str, items: Sequence[Item], names: Sequence[str]) -> frozenset[str]:
    """Return the index terms of a question beside items, names, periods and words that only frame it."""
    rest = asked
    for period in reversed(find_periods(asked)):
        rest = f"{rest[: period.at]} {rest[period.to :]}"
    for item in items:
        rest = item.asked.sub(" ", rest)
    for name in names:
        rest = rest.replace(name, " ")
    rest = _POSSESSIVE.sub(" ", rest)
    rest = _CHANGE.sub(" ", rest)
    return frozenset(analyse(" ".join(content_words(rest)))) - _FRAME
