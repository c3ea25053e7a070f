"""Name what a passage says against a claim in other words: the opposite, a denial, a cancellation, a mere expectation.

`wording` follows a claim along a sentence that says nearly the same; here the sentence may be worded freely, so that
each rule asks for more: a word that cannot stand beside the claim, where the rest of the claim is carried.
"""

# ruff: noqa: E501, SIM905 - one entry of a table on one line; word lists read better as running text

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import regex

from ...text.numbers import Number, same_unit, same_value
from ...text.periods import same_period
from .alignment import Alignment
from .exact import is_label
from .lexicon import DIRECTIONS, EXCLUDED, HEDGES
from .polarity import denied_places, is_negation
from .reading import Reading, Word, read
from .replaced import replaced_values
from .tense import PAST, TO_COME
from .wording import Turn

Ground = tuple[Alignment, Reading]

# A sentence bears on the claim where it carries so much of it.
_BEARS = 0.4
_CARRIES = 0.6

_PHRASES = {
    "canceled": regex.compile(r"\bcall(?:s|ed)?\soff\b|\bput\son\sice\b", regex.IGNORECASE),
    "rejected": regex.compile(r"\bturn(?:s|ed)?\sdown\b", regex.IGNORECASE),
    "postponed": regex.compile(r"\b(?:put|puts)\soff\b", regex.IGNORECASE),
}
_CANCELLED = frozenset(
    "abandon abandoned cancel cancelled canceled cancels scrap scrapped shelve shelved dropped suspended postponed "
    "withdrawn collapsed rejected refused denied declined halted aborted abgesagt abgebrochen annule".split()
)
_BEING = frozenset("was were is are be been being got wurde wurden ist sind ete fue".split())
_INSTEAD = regex.compile(
    r"\b(?:instead\sof|rather\sthan|in\splace\sof|statt|anstelle\svon|anstatt|au\slieu\sde|plutôt\sque|en\slugar\sde)\b",
    regex.IGNORECASE,
)
_NONE = regex.compile(
    r"\b(?:no|kein\p{L}{0,2}|aucune?|ningún|ninguna)\s(?:\p{L}+\s){1,3}?(?:was|were|is|are|(?:has|have|had)\sbeen|wurden?|ist|sind|a\sété|fue)\s\p{L}+",
    regex.IGNORECASE,
)
_DENYING = regex.compile(
    r"\b(?:den(?:y|ies|ied|ying)|refut(?:e|es|ed)|dismiss(?:es|ed)|contradict(?:s|ed))\s(?:\p{L}+\s){0,2}?(?:that|having|any|reports?|rumours?|rumors?|claims?|allegations?|suggestions?|it|he|she|they)\b"
    r"|\b(?:dementier(?:t|en|te)|bestreite[tn]|bestritt)\b|\b(?:dément|démenti|niega|negó)\b",
    regex.IGNORECASE,
)
_SUPPOSED = regex.compile(
    r"\b(?:suspects?|(?:suspected|assumed)\sthat|assumes?|rumou?r(?:s|ed)?|guess(?:es|ed)?|vermute[tn]|soupçonn\p{L}+)\b",
    regex.IGNORECASE,
)
_EARLIER = r"[^.;!?]{0,15}?\b(?:after|against|compared\s(?:with|to)|versus|vs\.?|down\sfrom|up\sfrom|from|nach|gegenüber|statt|contre|après|frente\sa)\s(?:\p{L}+\s){0,2}?"
_PERSON = regex.compile(
    r"\b(?!The\b)\p{Lu}\p{Ll}+(?:\s(?:van|von|de|der|\p{Lu}\.|\p{Lu}\p{Ll}+))*\s\p{Lu}\p{Ll}+(?:-\p{Lu}\p{Ll}+)?\b"
)
_REFERS = regex.compile(r"\b(?:he|she|they|his|her|their|who|er|sie|il|elle)\b", regex.IGNORECASE)
_SAYS_IT = 0.65
_SHORT = 10
_REACHED = regex.compile(r"\b(?:to|auf|à|a)\s(?:\p{Sc}|\p{Lu}{3}\s)?$")
_REACH = 8


def contradictions(claim: Reading, grounds: Sequence[Ground]) -> list[Turn]:
    """Return what the sentences say against one sentence of a claim.

    Args:
        claim: One sentence of the claim.
        grounds: Sentences of the passages, each with the claim laid against it.
    """
    if not claim.content:
        return []
    return [
        turn
        for rule in (_opposites, _instead, _denied, _unsettled, _moved, _of_another, replaced_values)
        for turn in rule(claim, grounds)
    ]


def _opposites(claim: Reading, grounds: Sequence[Ground]) -> Iterator[Turn]:
    """Find a word of the claim whose opposite stands in the sentences that carry the rest, and itself in none."""
    bearing = [(laid, text) for laid, text in grounds if laid.coverage >= _BEARS and _bears_numbers(claim, text)]
    denied = denied_places(claim)
    for word in claim.words:
        others = EXCLUDED.get(word.folded)
        if not others or any(word.stem in text.stems for _, text in bearing):
            continue
        for _, text in bearing:
            rival = next((found for found in _signal_words(text) if found.folded in others), None)
            if rival is not None and (word.start in denied) == (rival.start in denied_places(text)):
                yield Turn("opposite", f"{word.text} where the passage says {rival.text}")
                return


def _bears_numbers(claim: Reading, text: Reading) -> bool:
    """Whether a text holds the claim's numbers, where the claim has any: it must be about the same figure."""
    numbers = [number for number in claim.numbers if not is_label(number, claim.text)]
    return all(any(same_value(number, other, ignore_sign=True) for other in text.numbers) for number in numbers)


def _signal_words(text: Reading) -> Iterator[Word]:
    yield from text.words
    for folded, pattern in _PHRASES.items():
        for match in pattern.finditer(text.text):
            yield Word(match.group(), folded, folded, match.start(), match.end(), 1.0, False)


def _instead(claim: Reading, grounds: Sequence[Ground]) -> Iterator[Turn]:
    """Find a name, number or date that the passages name only as what did not come: `instead of 12 May`."""
    set_aside = [(text, _behind(text, _INSTEAD)) for _, text in grounds]
    if _INSTEAD.search(claim.text) or not any(spans for _, spans in set_aside):
        return
    for word in claim.content:
        held = [(found, spans) for text, spans in set_aside for found in text.words if found.stem == word.stem]
        exact = word.stem.startswith("#") or any(found.is_name for found, _ in held)
        if held and exact and all(_inside(found.start, spans) for found, spans in held):
            yield Turn("negation", f"the passage names {word.text} as what did not come")
            return
    for period in claim.periods:
        dates = [(other.at, spans) for text, spans in set_aside for other in text.periods if same_period(period, other)]
        if dates and all(_inside(at, spans) for at, spans in dates):
            yield Turn("negation", f"the passage names {period.text} as what did not come")
            return


def _denied(claim: Reading, grounds: Sequence[Ground]) -> Iterator[Turn]:
    """Find that all that carries the claim denies it, or tells that it was called off."""
    if claim.folded & _CANCELLED or _hedged(claim) or any(is_negation(word.folded) for word in claim.words):
        return
    if turn := _all_carrying(grounds, lambda text: _first(text, _DENYING), "the passage denies it: “{}”"):
        yield turn
        return
    for told, spans_of, least in (
        ("the passage says that it was called off or refused", _called_off, 1),
        ("the passage says that there was none", _none_of, 2),
    ):
        bearing = [(laid, text, spans_of(text)) for laid, text in grounds if laid.coverage >= _BEARS]
        words = [word for place, word in enumerate(claim.content) if _only_inside(place, word, bearing)]
        if len(words) >= least:
            yield Turn("negation", f"{words[0].text}: {told}")
            return


def _only_inside(place: int, word: Word, bearing: Sequence[tuple[Alignment, Reading, list[tuple[int, int]]]]) -> bool:
    """Whether a word of the claim, no name or number, is carried by such stretches of the sentences alone."""
    if word.is_name or word.stem.startswith("#"):
        return False
    held = [(found.start, spans) for laid, _, spans in bearing if (found := laid.pairs[place][1]) is not None]
    return bool(held) and all(_inside(at, spans) for at, spans in held)


def _unsettled(claim: Reading, grounds: Sequence[Ground]) -> Iterator[Turn]:
    """Find that what the claim tells as a fact is expected, planned or suspected in all that carries it."""
    if _hedged(claim) or TO_COME.search(claim.text) or _SUPPOSED.search(claim.text):
        return
    if turn := _all_carrying(grounds, lambda text: _first(text, _SUPPOSED), "only supposed: “{}”"):
        yield turn
    elif PAST.search(claim.text):
        ahead = _all_carrying(
            grounds, lambda text: "" if PAST.search(text.text) else _first(text, TO_COME), "only to come: “{}”"
        )
        if ahead:
            yield ahead


def _moved(claim: Reading, grounds: Sequence[Ground]) -> Iterator[Turn]:
    """Find a rise to a figure that stands beside a higher earlier one, or a fall to one beside a lower one."""
    signs = [found[1] for word in claim.words if (found := DIRECTIONS.get(word.folded)) and found[0] == "amount"]
    if len(set(signs)) != 1 or len(claim.numbers) != 1 or not _REACHED.search(claim.text[: claim.numbers[0].start]):
        return
    for _, text in grounds:
        for now in text.numbers:
            earlier = _earlier_of(now, text) if same_value(now, claim.numbers[0]) else None
            if earlier is not None and (now.value - earlier.value) * signs[0] < 0:
                told = "up" if signs[0] > 0 else "down"
                yield Turn("direction", f"{told} to {now.text} where the passage says {earlier.text} before")
                return


def _of_another(claim: Reading, grounds: Sequence[Ground]) -> Iterator[Turn]:
    """Find that what the claim says of a person is said of another one, and hardly anything of it beside that person."""
    people = list(_PERSON.finditer(claim.text))
    if len(people) != 1 or len(claim.content) > _SHORT:
        return
    called = [word for word in claim.content if people[0].start() <= word.start < people[0].end()]
    rest = [word for word in claim.content if word not in called]
    if not called or not rest:
        return
    here, elsewhere = 0.0, (0.0, claim)
    for laid, text in grounds:
        carried = sum(word.weight * alike for word, _, alike in laid.pairs if word in rest) / sum(
            w.weight for w in rest
        )
        if called[-1].stem in text.stems:
            here = max(here, carried)
        elif carried > elsewhere[0] and not _REFERS.search(text.text):
            elsewhere = carried, text
    other = _PERSON.search(elsewhere[1].text) if elsewhere[0] >= _SAYS_IT > 2 * here else None
    if other is not None and not {word.stem for word in called} & read(other.group()).stems:
        yield Turn("name", f"{people[0].group()} where the passage says it of {other.group()}")


def _earlier_of(now: Number, text: Reading) -> Number | None:
    """Return the figure that a sentence sets before another: `7.4, after 8.1`."""
    before = regex.compile(_EARLIER).match(text.text, now.end)
    if before is None:
        return None
    return next((each for each in text.numbers if each.start == before.end() and same_unit(now, each)), None)


def _all_carrying(grounds: Sequence[Ground], sign: Callable[[Reading], str], told: str) -> Turn | None:
    """Return a turn where every sentence that carries the claim, as well as the best one, shows a sign."""
    best = max((laid.coverage for laid, _ in grounds), default=0.0)
    carrying = [text for laid, text in grounds if laid.coverage >= max(_CARRIES, best - 0.15)]
    signs = [sign(text) for text in carrying]
    return Turn("hedge", told.format(signs[0])) if carrying and all(signs) else None


def _hedged(claim: Reading) -> bool:
    return any(word.folded in HEDGES and word.text != "May" for word in claim.words)


def _first(text: Reading, pattern: regex.Pattern[str]) -> str:
    found = pattern.search(text.text)
    return found.group() if found else ""


def _behind(text: Reading, pattern: regex.Pattern[str]) -> list[tuple[int, int]]:
    """Return what stands behind each match, to the next mark."""
    ends = (
        (match.end(), regex.search(r"[.;:,!?()]|$", text.text, pos=match.end()))
        for match in pattern.finditer(text.text)
    )
    return [(start, end.start()) for start, end in ends if end is not None]


def _none_of(text: Reading) -> list[tuple[int, int]]:
    return [match.span() for match in _NONE.finditer(text.text)]


def _called_off(text: Reading) -> list[tuple[int, int]]:
    """Return the stretches of a sentence that a verb calls off: before it in the passive, else behind it."""
    found = []
    for index, word in enumerate(text.words):
        if word.folded not in _CANCELLED:
            continue
        passive = any(each.folded in _BEING for each in text.words[max(0, index - 3) : index])
        around = text.words[max(0, index - _REACH) : index] if passive else text.words[index + 1 : index + 1 + _REACH]
        if not around:
            continue
        start, end = around[0].start, around[-1].end
        marks = [match.start() for match in regex.finditer(r"[.;:,!?()]", text.text, pos=start, endpos=end)]
        if passive:
            found.append((max([start, *marks]), end))
        else:
            found.append((start, min([end, *marks])))
    return found


def _inside(at: int, spans: Sequence[tuple[int, int]]) -> bool:
    return any(start <= at < end for start, end in spans)
