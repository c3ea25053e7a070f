"""Whether a text holds a value of the kind a question asks for, beside what the question itself says."""

from __future__ import annotations

from functools import lru_cache

import regex

from ....text.numbers import Number, find_numbers
from ....text.periods import Period, find_periods, stands_in
from ....text.units import FACTORS
from .names import is_person_like, names_in
from .question import Question

_LIST = regex.compile(r"[^,，、;；]+(?:[,，、;；][^,，、;；]+){1,}(?:\s*(?:,|and|or|und|et|y|e|以及|和|及)\s*)")
_DEFINES = regex.compile(
    r"\b(?:is|are|was|were) (?:an?|the|one|any)\b|\b(?:refers to|means|is defined as|stands for|denotes|known as)\b|"
    r"\bist (?:ein|der|die|das)|\best (?:un|le|la)|\bes (?:un|el|la)\b|\bè (?:un|il|la)\b|是指|是一|とは|である",
    regex.IGNORECASE,
)
_EXPLAINS = regex.compile(
    r"\b(?:because|due to|owing to|as a result|driven by|caused|causes|since|therefore|thus|reflect(?:s|ing|ed)?|"
    r"primarily|resulted|attributable|by means of|weil|wegen|aufgrund|durch|parce que|grâce à|en raison|à cause|car|"
    r"porque|debido|perché|a causa)\b|因为|由于|因此|ため|から",
    regex.IGNORECASE,
)
_PLACE = regex.compile(
    r"\b(?:in|at|near|to|from|of|located|based|headquartered|on)\s+(?:the\s+)?\p{Lu}|\b(?:city|town|county|village|"
    r"island|province|region|state|country|street|avenue|bay|room|locker|port)\b|[\p{Han}]{1,6}(?:港|市|省|县|町|駅|桟橋)",
    regex.IGNORECASE,
)
_CLOCK = regex.compile(
    r"\b\d{1,2}(?::|h)\d{2}\b|\b(?:noon|midnight|o'clock|[ap]\.?m\.?|monday|tuesday|wednesday|thursday|friday|saturday|"
    r"sunday|daily|weekly)\b|[午正]|[零一二三四五六七八九十\d]+[時时点號号月日]",
    regex.IGNORECASE,
)
# A day until which something is to be done may be told by how long one has.
_BY_WHEN = regex.compile(
    r"\b(?:by when|until when|by what date|deadline|bis wann|bis zu welchem|frist|jusqu['’]à quand|dans quel délai|"
    r"when (?:must|should|do|does|has|have|need|shall|am|are|is)\b.*\b(?:to|be|must|have))\b",
    regex.IGNORECASE,
)
_WITHIN = regex.compile(
    r"\b(?:within|innerhalb|binnen|no later than|not later than|not less than|at least|spätestens|"
    r"mindestens|au moins|dans (?:les|un délai)|sous|en (?:un plazo|el plazo)|dentro de|entro)\b",
    regex.IGNORECASE,
)
_RATE = regex.compile(
    r"\b(?:rates?|percent\w*|margins?|ratio|share of|growth|yield|quote|satz|taux|tasa|tasso)\b", regex.IGNORECASE
)
# A sentence that names one member of the list asked for.
_ONE_OF_LIST = 0.6
_OF_TIME, _OF_LENGTH = ("time", "days", "months"), ("length",)
# In what the answer to `how long` or `how heavy` is measured.
_MEASURED = tuple(
    (regex.compile(rf"\bhow (?:{asked})", regex.IGNORECASE), frozenset(dimensions))
    for asked, dimensions in (
        (r"long (?:did|does|do|will|has|have|had|can|could|may|must|should|would|until|before|after)\b", _OF_TIME),
        (r"(?:old|quickly|soon)\b(?! many| much)", _OF_TIME),
        (r"long\b", (*_OF_TIME, *_OF_LENGTH)),
        (r"(?:far|tall|deep|wide|thick|broad)\b", _OF_LENGTH),
        (r"heavy\b", ("mass",)),
        (r"fast\b", ("speed", *_OF_TIME)),
        (r"(?:hot|cold|warm)\b", ("temperature", "fahrenheit", "angle")),
    )
)
_UNTIL = regex.compile(r"\b(?:until|till|from|since|between|to)\b", regex.IGNORECASE)
# A value of another kind than the one asked for.
_OF_ANOTHER_KIND = 0.3
_MONEY = regex.compile(
    r"\b(?:cost|pric|fee|pay|paid|worth|salary|budget|spend|spent|charge|earn|kost|preis|gehalt|gehält|"
    r"lohn|löhn|gebühr|miet|coût|prix|tarif|salaire|loyer|precio|cuest|salari|prezz)",
    regex.IGNORECASE,
)


def type_evidence(question: Question, text: str) -> float:
    """Return how well a text's values fit the kind asked for, in [0, 1]: 1 a value of it, 0 none."""
    kind = question.answer_type
    if kind == "number":
        return _number_evidence(question, text)
    if kind == "date":
        asked = {period.label() for period in question.periods}
        fresh = any(period.label() not in asked for period in _periods(text))
        until = _BY_WHEN.search(question.text) and _WITHIN.search(text)
        return 1.0 if fresh or until or _CLOCK.search(text) else 0.0
    if kind in ("person", "entity", "place", "comparison"):
        known = question.text.casefold()
        fresh_names = [name for name in names_in(text) if name.casefold() not in known]
        if kind == "person":
            return 1.0 if any(is_person_like(name) for name in fresh_names) else 0.4 if fresh_names else 0.0
        if kind == "place":
            return 1.0 if fresh_names and _PLACE.search(text) else 0.4 if _PLACE.search(text) else 0.0
        if kind == "comparison":
            return 1.0 if _numbers(text) or _periods(text) else 0.0
        return 0.6 if fresh_names else 0.2
    if kind == "list":
        if _LIST.search(text):
            return 1.0
        known = question.text.casefold()
        return _ONE_OF_LIST if any(name.casefold() not in known for name in names_in(text)) else 0.0
    if kind == "definition":
        return 1.0 if _DEFINES.search(text) else 0.0
    if kind == "explanation":
        return 1.0 if _EXPLAINS.search(text) else 0.3
    return 0.5


def asks_for_money(question: Question) -> bool:
    """Whether a question wants an amount of money."""
    return question.answer_type == "number" and bool(_MONEY.search(question.text))


def asks_for_measure(question: Question) -> bool:
    """Whether a question wants a length of time, a weight or another measure: `how long`, `how heavy`."""
    return question.answer_type == "number" and _measured(question.text) is not None


@lru_cache(maxsize=4_096)
def _measured(question: str) -> frozenset[str] | None:
    return next((dimensions for pattern, dimensions in _MEASURED if pattern.search(question)), None)


def money_terms(question: Question) -> frozenset[str]:
    """Return the terms of a question that only say that it is about money: `cost`, `price`."""
    return frozenset(term for term in question.terms if _MONEY.match(term) and term not in question.name_terms)


def answering_numbers(question: Question, text: str) -> list[Number]:
    """Return the numbers of a text that may be the answer: not years, not in the question, of its unit."""
    asked = {number.value for number in find_numbers(question.text)}
    found = [
        number
        for number in _numbers(text)
        if not number.is_year and number.kind != "identifier" and number.value not in asked
    ]
    if question.units:
        return [number for number in found if number.unit in question.units or not number.unit]
    return found


def _number_evidence(question: Question, text: str) -> float:
    dated = _periods(text)
    found = [number for number in answering_numbers(question, text) if not stands_in(number.start, dated)]
    measured = _measured(question.text)
    if measured is not None and dated and "time" in measured and _UNTIL.search(text):
        return 1.0
    if not found:
        return 0.0
    if measured is not None and not any(_dimension(number) in measured for number in found):
        return _OF_ANOTHER_KIND
    if _RATE.search(question.focus or question.text):
        return 1.0 if any(number.unit in ("%", "pp", "bp") for number in found) else _OF_ANOTHER_KIND
    if _MONEY.search(question.text) and not any(len(number.unit) == 3 and number.unit.isupper() for number in found):
        return 0.6
    return 1.0


def _dimension(number: Number) -> str:
    """Return what a number's unit measures; empty where it has none or one that measures nothing here."""
    return FACTORS[number.unit][0] if number.unit in FACTORS else ""


@lru_cache(maxsize=8_192)
def _numbers(text: str) -> tuple[Number, ...]:
    return tuple(find_numbers(text))


@lru_cache(maxsize=8_192)
def _periods(text: str) -> tuple[Period, ...]:
    return tuple(find_periods(text))
