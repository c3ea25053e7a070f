"""Read what is asked of two things at once: that both are something, have something the same, or what they share."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import regex

from ....text.words import analyse

_VERBS = r"(?:is|are|was|were|do|does|did|has|have|had|can|will|would|must|should)"
_SINGULAR = {"are": "is", "were": "was", "do": "does", "have": "has"}
_OPENING = regex.compile(
    rf"^\W*(?P<verb>{_VERBS})\s+(?P<both>both\s+(?:of\s+)?)?(?P<rest>.+?)\s*\?*$", regex.IGNORECASE
)
_SAME = regex.compile(
    r"(?:\s+(?P<deed>have|had|share|use|cost|pay|belong|come|fall|expire|end|start|begin|work|live|sit|report|born|"
    r"built|made|held|set|run|led|\p{Ll}+(?:ed|en)))?(?:\s+(?:in|from|of|by|at|on|to|with|under|for))?\s+"
    r"the (?:very )?same\s+(?P<same>[\w -]+?)(?:\s+(?:in|at|on|for|since|until|during|under)\b.*)?$"
)
_ASKED_OF_BOTH = regex.compile(r"\s+(?:both|each)\s+", regex.IGNORECASE)
_COMMON = regex.compile(
    r"^(?P<sides>.+? and .+?) (?:are|were) both\b.*\b(?:what|which|this)\b|"
    r"\bwhat\b.*?\b(?:do|does|did) (?P<sides>.+? and .+?) (?:both )?(?:have in common|share)\b",
    regex.IGNORECASE,
)
_AND = regex.compile(r"\s*,?\s+and\s+", regex.IGNORECASE)
_NAME_PART = regex.compile(r"^[\"“”']?[\p{Lu}\d]|^(?:of|the|de|la|le|van|von|du|&)$")
_FRAME = regex.compile(
    r"^(?:a |an |the )?(?:types?|kinds?|sorts?|examples?|forms?) of (?:an? )?|"
    r"^(?:described|classified|considered|regarded|known|listed) (?:as|to be) ",
    regex.IGNORECASE,
)
# `Ann Reyes and Tom Holt singers of`: what both are is no part of the second name.
_ENDS_WITH_NAME = regex.compile(r"\p{Lu}[\p{L}.'’-]*$")
_BEHIND_NAME = regex.compile(r"(?<=\p{Lu}[\p{L}.'’-]*)(?:\s+\p{Ll}+s)+$")
_KIND = regex.compile(r"(?:(?!(?:of|for|with|at|in)\b)\p{Ll}+\s+)+(?=\p{Lu})")
_LOWER_TAIL = regex.compile(r"\p{Lu}[\p{L}.'’-]*\s+(?P<word>\p{Ll}+)$")
_MOST_WORDS = 7


@dataclass(frozen=True)
class Pair:
    """Two things of which something is asked.

    Attributes:
        sides: Their names, as asked, without articles.
        questions: What is asked of each, as two questions for yes or no; empty where something is to be the same.
        predicate: What each of them is said to be, do or have; empty where something is to be the same.
        same: What they would have the same, `governing law`; empty where something is asked of each.
        deed: The word of what is told of both at the same time or place: `released` in the same year.
    """

    sides: tuple[str, str]
    questions: tuple[str, ...] = ()
    predicate: str = ""
    same: str = ""
    deed: str = ""


@lru_cache(maxsize=4_096)
def pair_asked(question: str) -> Pair | None:
    """Return what an English question for yes or no asks of two things; None where it asks of one, or of more.

    `Are both A and B leased?`, `Do A and B both …?`, `Did the board approve both A and B?` and `Were A and B of the
    same …?` ask of two.
    """
    opening = _OPENING.match(question)
    if opening is None:
        return None
    verb, rest = opening["verb"].casefold(), opening["rest"]
    verb = _SINGULAR.get(verb, verb).capitalize()
    same = _SAME.search(rest)
    if same is not None:
        sides = _sides(rest[: same.start()])
        return Pair(sides, same=same["same"].strip(), deed=same["deed"] or "") if sides else None
    if opening["both"]:
        sides, predicate = _sides_and_rest(rest)
        return _of_each(sides, verb, "", predicate)
    both = _ASKED_OF_BOTH.search(rest)
    if both is None:
        return None
    before, behind = rest[: both.start()], rest[both.end() :]
    if _AND.search(before):
        return _of_each(_sides(before), verb, "", behind)
    return _of_each(_sides(behind), verb, before, "")


def _of_each(sides: tuple[str, str] | None, verb: str, before: str, behind: str) -> Pair | None:
    predicate = _FRAME.sub("", behind) or before
    if sides is None or not analyse(predicate):
        return None
    asked = (" ".join(f"{verb} {before} {side} {_FRAME.sub('', behind)}".split()) for side in sides)
    return Pair(sides, tuple(f"{each}?" for each in asked), predicate)


def common_asked(question: str) -> tuple[str, str] | None:
    """Return the two things of which it is asked what they share, or what both of them are; None where it is not."""
    found = _COMMON.search(question.strip().rstrip("?？ "))
    return _sides(found["sides"]) if found else None


def _sides(text: str) -> tuple[str, str] | None:
    """Return the two things that a text joins; None where it joins none or more."""
    things = [_bare(each) for each in _AND.split(text)]
    if len(things) == 2 and _ENDS_WITH_NAME.search(things[0]):
        things[1] = _BEHIND_NAME.sub("", things[1])
    if len(things) != 2 or not all(analyse(each) and len(each.split()) <= _MOST_WORDS for each in things):
        return None
    return (things[0], things[1]) if things[0].casefold() != things[1].casefold() else None


def _sides_and_rest(text: str) -> tuple[tuple[str, str] | None, str]:
    """Return two things where nothing but capitals shows where the second ends, and what follows it."""
    joined = _AND.search(text)
    if joined is None:
        return None, ""
    words = text[joined.end() :].split()
    end = next((at for at, word in enumerate(words) if not _NAME_PART.match(word)), len(words))
    kind = _LOWER_TAIL.search(text[: joined.start()])
    if kind is not None and words[end : end + 1] == [kind["word"]]:
        end += 1
    return _sides(f"{text[: joined.start()]} and {' '.join(words[:end])}"), " ".join(words[end:])


def _bare(side: str) -> str:
    """Return a thing without its article, and without what names its kind before a name: `the film Long Water`."""
    side = regex.sub(r"^(?:both|the|our|its|their)\s+", "", side.strip(' "“”,'), flags=regex.IGNORECASE)
    kind = _KIND.match(side)
    return side[kind.end() if kind else 0 :].strip(' "“”')
