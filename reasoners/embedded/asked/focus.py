"""The thing whose value a question wants, in its own words: `the effective tax rate`, `inventories`."""

from __future__ import annotations

import regex

from ....text.words import analyse, line_words
from .cues import AUXILIARIES

_AUX = rf"(?:{AUXILIARIES}|may|might|must|been|be)"
_STOPS_FOCUS = (
    r"(?:of|in|on|at|for|from|by|with|to|that|who|which|whose|as|and|or|between|during|since|until|under|over|"
    rf"{_AUX}|changed?|increased?|decreased?|compared?)"
)
_END = r"|[?,.]|\s*$"
_MOVES = r"(?:chang|increas|decreas|grow|grew|fall|fell|drop|rise|rose|cost|weigh|develop|evolv|compar)"


def _phrase(words: int) -> str:
    """Return the pattern of a noun phrase of at most so many words, as short as what follows allows."""
    return rf"(?P<focus>[\w'&-]+(?: [\w'&-]+){{0,{words - 1}}}?)"


# What a cause is asked of: `what drove the increase in Northwind's inventories`.
_CAUSED = r"(?:drove|drives|caused|causes|led to|leads to|explains|explained|(?:is|was) (?:driving|behind))"
_MOVE = (
    r"(?:increase|decrease|rise|fall|drop|decline|reduction|growth|change|improvement|deterioration|loss|jump|surge|"
    r"shift|swing)s?"
)
_OWNER = r"(?:the |its |their |this |an? )?(?:[\w&.-]+(?: [\w&.-]+){0,3}['’]s? )?"
_FOCUS = {
    "en": (
        rf"\bwhat {_CAUSED} (?:the |an? |its |their )?(?:{_MOVE} (?:in|of|to) )?{_OWNER}{_phrase(6)}"
        rf"(?= {_STOPS_FOCUS}\b|[?,.]|$)",
        rf"\b(?:what|which) (?:percent|percentage|share|proportion|fraction|part) of {_OWNER}{_phrase(6)}"
        rf"(?= (?:{_STOPS_FOCUS}|came|comes|went|goes|fell|falls|relates?|occurred)\b|[?,.]|$)",
        rf"\bhow (?:much|far) {_AUX} (?:the |its |their )?(?P<focus>.+?)"
        rf"(?= (?:of|in|on|for|from|between|{_MOVES})|[?,.]|$)",
        rf"\bhow (?:many|much) {_phrase(4)}(?= (?:{_AUX}|in|on|of|at|for|from|by|that|with|to)\b|[?,.]|$)",
        rf"\b(?:what|which)(?: (?:is|are|was|were))? (?:the |its |their |an? )?(?!happen){_phrase(5)}"
        rf"(?= {_STOPS_FOCUS}\b|['’]s?\b|[?,.]|$)",
        rf"\b(?:list|name|give|state|define|explain|describe) (?:the |all |its )?{_phrase(5)}"
        r"(?= (?:of|in|on|for|from|by|that)\b|[?,.]|$)",
        rf"\bhow (?:did|has|have|does|do|is) (?:the |its )?{_phrase(5)}(?= {_MOVES}| {_STOPS_FOCUS}\b|[?,.]|$)",
    ),
    "de": (
        r"\b(?:wie hoch|was|welche[rsnm]?|wie (?:groß|lang|viele?))(?: (?:ist|sind|war|waren))? (?:der|die|das|den)? ?"
        rf"{_phrase(3)}(?= (?:von|der|des|im|in|bei|für|ist|war|hat)\b{_END})",
    ),
    "fr": (
        r"\b(?:quel(?:le)?s?)(?: (?:est|sont|était|étaient))? (?:le |la |les |l['’])?"
        rf"{_phrase(3)}(?= (?:de|du|des|d['’]|en|à|au|dans)\b{_END})",
    ),
    "es": (
        r"\bcu[aá]l(?:es)?(?: (?:es|son|era|fue))? (?:el |la |los |las )?"
        rf"{_phrase(3)}(?= (?:de|del|en|al)\b{_END})",
    ),
    "it": (
        r"\bqual[ei]?(?: (?:è|sono|era))? (?:il |la |lo |i |gli |le |l['’])?"
        rf"{_phrase(3)}(?= (?:di|del|della|dei|in|nel|a)\b{_END})",
    ),
}  # fmt: skip


def focus_of(line: str, language: str) -> str:
    """Return the thing that a question asks for; empty where it does not say."""
    for pattern in _FOCUS.get(language, ()):
        match = regex.search(pattern, line, regex.IGNORECASE)
        if match:
            focus = " ".join(line_words(match.group("focus")))
            if analyse(focus):
                return focus
    if language == "zh":
        match = regex.search(r"(?:^|的)([^的？?，,]{2,10}?)(?:是|为|有)?(?:多少|多久|多长|什么|几|谁|哪)", line)
        return match.group(1) if match else ""
    if language == "ja":
        match = regex.search(r"(?:^|の)([^の？?、,]{1,12}?)(?:は|が)", line)
        return match.group(1) if match else ""
    return ""
