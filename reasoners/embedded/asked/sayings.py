"""Whose words are asked for: `What does the foreman advise about the roof?`, `Was schlägt Herr Lindner vor?`"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import regex

from ....text.stop_words import STOP_WORDS_BY_LANGUAGE
from ....text.words import analyse

_ADVISING = (
    r"(?:advis\p{L}*|recommend\p{L}*|suggest\p{L}*|propos\p{L}*|want\p{L}*|change|do differently|"
    r"empfiehlt|empfahl|empfohlen|rät|riet|geraten|schlägt|schlug|vorgeschlagen|will|wünscht|fordert|"
    r"conseill\p{L}+|recommand\p{L}+|préconis\p{L}+)"
)
_SAYING = (
    r"(?:say|said|says|think|thinks|thought|tell|told|tells|believe\p{L}*|complain\p{L}*|report|reported|mention\p{L}*|"
    r"explain\p{L}*|sagt|sagte|gesagt|meint|meinte|denkt|findet|hält|berichtet\p{L}*|erzählt\p{L}*|"
    r"dit|pense|explique|raconte)"
)
_TOPIC = (
    r"(?:\s+(?:about|on|regarding|concerning|of|for|to|as to|über|zu|zum|zur|von|für|wegen|sur|de|du|des|à propos|pour|"
    r"that|should|vor|us|them|me)\b.*)?"
)
_ASKED = (
    regex.compile(
        rf"^\W*(?:what|how|which \p{{L}}+) (?:do|does|did|has|have|would) (?P<who>[^?]+?) "
        rf"(?:(?P<advises>{_ADVISING})|{_SAYING})\b{_TOPIC}\W*$",
        regex.IGNORECASE,
    ),
    regex.compile(
        r"^\W*what (?:is|was|are) (?P<who>[^?]+?)['’]s? "
        r"(?:(?P<advises>advice|recommendations?|suggestions?|proposals?)|views?|opinions?)\b.*$",
        regex.IGNORECASE,
    ),
    regex.compile(rf"^\W*was (?:(?P<advises>{_ADVISING})|{_SAYING}) (?P<who>[^?]+?){_TOPIC}\W*$", regex.IGNORECASE),
    regex.compile(rf"^\W*que (?:(?P<advises>{_ADVISING})|{_SAYING}) (?P<who>[^?]+?){_TOPIC}\W*$", regex.IGNORECASE),
)
_PRONOUN = regex.compile(r"^(?:he|she|they|it|we|i|you|er|sie|es|man|il|elle|on)$", regex.IGNORECASE)
_SMALL = frozenset[str]().union(*(STOP_WORDS_BY_LANGUAGE[each] for each in ("en", "de", "fr"))) | {"herr", "frau"}


@dataclass(frozen=True)
class Saying:
    """Somebody whose words are asked for.

    Attributes:
        who: Index terms of the name or the office.
        advises: Whether advice is asked for.
    """

    who: frozenset[str]
    advises: bool


@lru_cache(maxsize=4_096)
def saying_asked(question: str) -> Saying | None:
    """Return whose words a question asks for; None where it asks for nobody's."""
    line = " ".join(question.split())
    for pattern in _ASKED:
        match = pattern.match(line)
        if match is None or _PRONOUN.match(match["who"]):
            continue
        words = regex.findall(r"[\p{L}][\p{L}'’-]*", match["who"])
        who = frozenset(term for word in words if word.casefold() not in _SMALL for term in analyse(word))
        if who:
            return Saying(who, bool(match["advises"]))
    return None
