"""Follow a claim word by word along a sentence that says nearly the same, and name each word that turns its meaning."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import Match, SequenceMatcher
from functools import lru_cache

from ...text.numbers import Number, same_unit, same_value
from ...text.periods import Period, contains, same_period
from ...text.sentences import is_table_row
from .lexicon import DIRECTIONS, SYNONYMS, WANTING, opposed
from .polarity import is_negation
from .reading import Reading, Word

# A longer departure is another wording, in which a small word need not turn the meaning.
_SHORT = 4


@dataclass(frozen=True)
class Turn:
    """A word of the claim that stands where the sentence has another one."""

    kind: str
    detail: str


def closeness(claim: Reading, text: Reading) -> float:
    """Return the share of the claim's words (stop words too) that stand in the text in the same order, in [0, 1]."""
    mine = [word.stem for word in claim.words]
    return sum(block.size for block in _blocks(claim, text)) / len(mine) if mine else 0.0


def turns(claim: Reading, text: Reading) -> list[Turn]:
    """Return where the claim departs from the sentence in a number, period, name, direction or negation."""
    found: list[Turn] = []
    for mine, theirs in _departures(claim, text):
        found.extend(_numbers(claim, text, mine, theirs))
        found.extend(_periods(claim, text, mine, theirs))
        found.extend(_names(text, mine, theirs))
        if len(mine) <= _SHORT and len(theirs) <= _SHORT:
            found.extend(_opposites(mine, theirs))
            if not _is_reordered(mine, text):
                found.extend(_negations(mine, theirs))
    return found


@lru_cache(maxsize=4_096)
def _blocks(claim: Reading, text: Reading) -> list[Match]:
    matcher = SequenceMatcher(None, [w.stem for w in claim.words], [w.stem for w in text.words], autojunk=False)
    return matcher.get_matching_blocks()


def _departures(claim: Reading, text: Reading) -> Iterator[tuple[tuple[Word, ...], tuple[Word, ...]]]:
    """Yield the words of each side between two stretches in common; at the ends only the claim's side counts."""
    at_claim = at_text = 0
    blocks = _blocks(claim, text)
    for block in blocks:
        mine = claim.words[at_claim : block.a]
        theirs = text.words[at_text : block.b]
        last = block.size == 0
        if at_claim == 0 and at_text == 0 and not last:
            theirs = theirs[-max(len(mine) + 1, 2) :] if mine else ()
        if last:
            mine = claim.words[at_claim:]
            theirs = text.words[at_text : at_text + len(mine) + 1] if mine else ()
        if mine or theirs:
            yield mine, theirs
        at_claim, at_text = block.a + block.size, block.b + block.size


def _within(items: tuple[Number, ...] | tuple[Period, ...], words: tuple[Word, ...]) -> list[Number | Period]:
    if not words:
        return []
    start, end = words[0].start, words[-1].end
    out: list[Number | Period] = []
    for item in items:
        first, last = (item.start, item.end) if isinstance(item, Number) else (item.at, item.to)
        if first < end and start < last:
            out.append(item)
    return out


def _numbers(claim: Reading, text: Reading, mine: tuple[Word, ...], theirs: tuple[Word, ...]) -> Iterator[Turn]:
    others = [item for item in _within(text.numbers, theirs) if isinstance(item, Number)]
    for number in _within(claim.numbers, mine):
        if not isinstance(number, Number) or any(same_value(number, other, ignore_sign=True) for other in others):
            continue
        rival = next((other for other in others if same_unit(number, other)), others[0] if others else None)
        if rival is not None:
            yield Turn("number", f"{number.text} where the passage says {rival.text}")


def _periods(claim: Reading, text: Reading, mine: tuple[Word, ...], theirs: tuple[Word, ...]) -> Iterator[Turn]:
    others = [item for item in _within(text.periods, theirs) if isinstance(item, Period)]
    for period in _within(claim.periods, mine):
        if (
            isinstance(period, Period)
            and others
            and not any(isinstance(o, Period) and _meet(period, o) for o in others)
        ):
            yield Turn("period", f"{period.text} where the passage says {others[0].text}")


def _meet(a: Period, b: Period) -> bool:
    if a.kind == b.kind == "range":
        return same_period(a, b)
    return contains(a, b) or contains(b, a)


def _names(text: Reading, mine: tuple[Word, ...], theirs: tuple[Word, ...]) -> Iterator[Turn]:
    for word in mine:
        noun = word.stem.partition(":")[0]
        for other in theirs:
            if ":" in word.stem and ":" in other.stem and other.stem != word.stem and other.stem.startswith(f"{noun}:"):
                yield Turn("status", f"{noun.capitalize()} {word.text} where the passage says {other.text}")
                return
    if len(mine) > _SHORT or len(theirs) > _SHORT:
        return
    rivals = [word for word in theirs if word.is_name]
    for word in mine:
        if rivals and word.is_name and word.stem not in text.stems and not _alias(word, text):
            yield Turn("name", f"{word.text} where the passage says {rivals[0].text}")
            return


def swapped_roles(claim: Reading, text: Reading) -> list[Turn]:
    """Return the pairs of names that stand on opposite sides of one verb in claim and text, the passive allowed for."""
    found: list[Turn] = []
    called = {word.stem for word in (*claim.names, *text.names)}
    mine, theirs = _first_places(claim, called), _first_places(text, called)
    names = [stem for stem in mine if stem in theirs]
    for place, first in enumerate(names):
        for second in names[place + 1 :]:
            a, b = mine[first], mine[second]
            c, d = theirs[first], theirs[second]
            if (a < b) == (c < d) or abs(a - b) < 2 or abs(c - d) < 2:
                continue
            inside = {word.stem for word in claim.words[min(a, b) + 1 : max(a, b)] if word.weight > 0}
            there = text.words[min(c, d) + 1 : max(c, d)]
            here = claim.words[min(a, b) + 1 : max(a, b)]
            shared = inside & {word.stem for word in there if word.weight > 0}
            near = len(there) <= 8 and len(here) <= 8 and not {"and", "or"} & {w.folded for w in (*here, *there)}
            if shared and near and _is_passive(here) == _is_passive(there):
                found.append(Turn("roles", f"{claim.words[a].text} and {claim.words[b].text} have changed places"))
    return found[:1]


def _first_places(reading: Reading, called: set[str]) -> dict[str, int]:
    places: dict[str, int] = {}
    counts: dict[str, int] = {}
    for index, word in enumerate(reading.words):
        counts[word.stem] = counts.get(word.stem, 0) + 1
        if word.stem in called:
            places.setdefault(word.stem, index)
    return {stem: place for stem, place in places.items() if counts[stem] == 1}


def _is_passive(words: Sequence[Word]) -> bool:
    folded = {word.folded for word in words}
    return bool(folded & {"by", "from"})


def _alias(word: Word, text: Reading) -> bool:
    if SYNONYMS.get(word.stem, frozenset()) & text.stems:
        return True
    return len(word.text) <= 6 and word.text.isupper() and is_acronym_of(word.text, text)


def is_acronym_of(acronym: str, text: Reading) -> bool:
    """Whether the initials of neighbouring words spell an acronym: `WHO` for `World Health Organization`."""
    initials = "".join(word.folded[0] for word in text.words)
    solid = "".join(word.folded[0] for word in text.words if word.weight > 0)
    return acronym.casefold() in initials or acronym.casefold() in solid


def _opposites(mine: tuple[Word, ...], theirs: tuple[Word, ...]) -> Iterator[Turn]:
    pair = _opposite_words(mine, theirs)
    if pair is None or _denies_more(mine, theirs, pair):  # `not allowed` is `forbidden`
        return
    word, other = pair
    yield Turn(
        "direction" if _is_turned(word, other) else "opposite", f"{word.text} where the passage says {other.text}"
    )


def _opposite_words(mine: tuple[Word, ...], theirs: tuple[Word, ...]) -> tuple[Word, Word] | None:
    pairs = ((word, other) for word in mine for other in theirs)
    return next((pair for pair in pairs if _is_turned(*pair) or opposed(pair[0].folded, pair[1].folded)), None)


def _is_turned(word: Word, other: Word) -> bool:
    one, two = DIRECTIONS.get(word.folded), DIRECTIONS.get(other.folded)
    return one is not None and two is not None and one[0] == two[0] and one[1] != two[1]


def _denies_more(mine: tuple[Word, ...], theirs: tuple[Word, ...], beside: tuple[Word, Word]) -> bool:
    """Whether one side alone has an odd number of denials, beside a pair of opposites."""
    claimed, said = (sum(is_negation(word.folded) for word in side if word not in beside) for side in (mine, theirs))
    return claimed % 2 != said % 2


def _negations(mine: tuple[Word, ...], theirs: tuple[Word, ...]) -> Iterator[Turn]:
    claimed = [word for word in mine if is_negation(word.folded)]
    said = [word for word in theirs if is_negation(word.folded)]
    if len(claimed) % 2 == len(said) % 2 or _both_want(mine, theirs) or _set_apart(theirs, said):
        return
    pair = _opposite_words(mine, theirs)
    if pair is not None and _denies_more(mine, theirs, pair):
        return
    if claimed:
        yield Turn("negation", f"“{claimed[0].text}” is not in the passage")
    else:
        yield Turn("negation", f"the passage says “{said[0].text}”")


def _is_reordered(mine: tuple[Word, ...], text: Reading) -> bool:
    """Whether a denial of the claim stands elsewhere in a table row, whose cells may be told in another order."""
    denials = {word.folded for word in mine if is_negation(word.folded)}
    return bool(denials) and denials <= text.folded and is_table_row(text.text)


def _both_want(mine: tuple[Word, ...], theirs: tuple[Word, ...]) -> bool:
    """Whether both sides say that something is wanting: `lack of` and `deficiency in`."""
    return any(word.folded in WANTING for word in mine) and any(word.folded in WANTING for word in theirs)


def _set_apart(theirs: tuple[Word, ...], said: Sequence[Word]) -> bool:
    """Whether the text denies only what the claim leaves out: `memory, but not naive, cells`."""
    if len(said) != 1:
        return False
    place = theirs.index(said[0])
    after = theirs[place + 1 :]
    return place > 0 and theirs[place - 1].folded == "but" and any(word.weight > 0 for word in after)
