"""The words of a question that name no subject by the place they stand in: what has them is the better, none need."""

from __future__ import annotations

from functools import lru_cache

import regex

from ....text.numbers import Number, find_numbers
from ....text.periods import find_periods, stands_in
from ....text.words import analyse

_NOUN = r"\s+(?!(?:than|as|enough)\b)[\p{L}\d]"
_WE = r"(?:i|we|you|they|he|she|one|somebody|someone)"
_VERB = r"(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|may|might|must|am)"
_PLACES = (
    # Which of several, before the noun that is asked about: `the newest figure`, `the old library`, `an extra week`.
    r"\b(?:extra|additional|further|whole|entire|actual|exact|real|proper|own|precise|new(?:er|est)?|old(?:er|est)?|latest|"
    rf"recent|current|present|nice|good|great|big|small|little)(?={_NOUN})",
    # What is said of a thing as a whole: `Is gel enough`, `is it okay`.
    r"(?<=^\W*(?:is|are|was|were|will|would)\b[^?,;]{2,80}\s)"
    r"(?:enough|sufficient|adequate|okay|ok|fine|all right|alright|possible|necessary|true|right|correct)\b",
    # What is wanted, tried or managed is said by the verb behind.
    r"\b(?:try|tries|tried|trying|wants?|wanted|wish|hope|hoping|manage|managed|plan|intend|intends|like|need|needs|have|get)"
    r"(?= to \p{L})",
    # What befell the asker: whether somebody saw it or found it is not the matter.
    rf"(?<=\b{_WE}(?:['’]ve|\s+have|\s+just)?\s+)(?:saw|seen|see|found|find|noticed|notice|spotted|spot|got|get|discovered|discover)"
    r"(?=\s+(?:an?|some|the|\p{L}+)\b)",
    r"(?<=\bdid\s+(?:any(?:one|body)|some(?:one|body))\s+)get\b",
)  # fmt: skip
_SOFT = tuple(regex.compile(pattern, regex.IGNORECASE) for pattern in _PLACES)
# An amount of the asker's own stands before its thing or behind `worth`: `for a £45,000 grant`.
_HIS_OWN = regex.compile(r"\b(?:an?|worth(?: of)?|my|our|costs?|of)\s+(?:about\s+|some\s+)?$", regex.IGNORECASE)
_OF_A_RULE = regex.compile(
    r"^\W*(?:is|are|can|may|must|do|does|will|would|should|could|am)\b|\b(?:if|can|may|must)\s+(?:i|we|you|it)\b|"
    r"\b(?:can|may|must|do|should|will)\s+(?:i|we)\b",
    regex.IGNORECASE,
)


@lru_cache(maxsize=4_096)
def soft_terms(question: str) -> frozenset[str]:
    """Return the index terms of an English question that a text need not have to answer it."""
    words = " ".join(match.group() for pattern in _SOFT for match in pattern.finditer(question))
    amounts = " ".join(question[number.start : number.end] for number in own_amounts_of(question))
    return frozenset(analyse(f"{words} {amounts}"))


@lru_cache(maxsize=4_096)
def own_amounts_of(question: str) -> tuple[Number, ...]:
    """Return the amounts that the asker brings to a rule, which are held against its own."""
    if not _OF_A_RULE.search(question):
        return ()
    dated = find_periods(question)
    return tuple(
        number
        for number in find_numbers(question)
        if number.unit
        and number.unit != "%"
        and number.kind != "identifier"
        and not stands_in(number.start, dated)
        and _HIS_OWN.search(question[: number.start])
    )
