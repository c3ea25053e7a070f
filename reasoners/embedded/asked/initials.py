"""Abbreviations and what they stand for: `MSA` is met by `Master Subscription Agreement`, `R&D` by its two words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache

import regex

from ....text.words import analyse
from .offices import offices_in

# The commonest in business, for searches; which words an abbreviation stands for in the sources, the sources say.
_LONG_FORMS = """
R&D: research and development
P&L: profit and loss
M&A: mergers and acquisitions
T&Cs: terms and conditions
HQ: headquarters
NDA: non-disclosure agreement
SLA: service level agreement
MSA: master services agreement
SOW: statement of work
DPA: data processing agreement
IP: intellectual property
VAT: value added tax
FTE: full-time equivalents
KPI: key performance indicators
NRR: net revenue retention
CAC: customer acquisition cost
SAE: serious adverse event
SOP: standard operating procedure
PTO: paid time off
TCO: total cost of ownership
ROI: return on investment
ARR: annual recurring revenue
GDPR: general data protection regulation
ETA: expected arrival
CSR: clinical study report
capex: capital expenditure
opex: operating expenses
"""
_PAIR = regex.compile(r"(?<![\w&])(\p{Lu})\s?&\s?(\p{Lu})(?![\p{Ll}&])")
_CAPITALS = regex.compile(r"(?<![\w&/.-])\p{Lu}{3,5}(?=s?(?![\w&/-]))")
_TWO_WORDS = regex.compile(r"(?<!\w)(\p{L})\p{L}{2,}\s(?:and|und|et|&)\s(\p{L})\p{L}{2,}")
_LINK = r"(?:of|for|and|the|on|in|to|&|de|des|du|et|la|für|und)"
_NAME = regex.compile(
    rf"(?<![\p{{L}}\p{{N}}])\p{{Lu}}\p{{Ll}}+(?:[\s-]+(?:{_LINK}\s+){{0,2}}\p{{Lu}}\p{{Ll}}+){{2,5}}|"
    rf"\p{{Lu}}\p{{Ll}}+(?:\s+\p{{Ll}}+){{1,4}}(?=\s\(\p{{Lu}}{{3,5}}\))"
)
_LINKS = regex.compile(_LINK)
_WORD = regex.compile(r"\p{L}+")
_LEAST, _MOST = 3, 5


class Initials(str):
    """An index term of a question that is an abbreviation; a text that spells it out holds `mark`."""

    mark: str

    def __new__(cls, term: str, mark: str) -> Initials:
        made = super().__new__(cls, term)
        made.mark = mark
        return made


def with_initials(terms: Sequence[str], text: str) -> tuple[str, ...]:
    """Return the index terms of a question of which the abbreviations know that they are met by what they stand for."""
    offices = {term for office in offices_in(text) for term in analyse(office)}
    short = {each.casefold(): Initials(each.casefold(), _mark(each)) for each in _CAPITALS.findall(text)}
    found = [term if term in offices else short.get(term, term) for term in terms]
    for one, two in _PAIR.findall(text):
        pair = f"{one}&{two}".casefold()
        letters = {one.casefold(), two.casefold()}
        found = [pair, *(term for term in found if term not in letters)]
    return tuple(dict.fromkeys(found))


def spelled_out(term: str) -> str:
    """Return the mark of a text that spells an abbreviation out; empty for any other term."""
    return term.mark if isinstance(term, Initials) else ""


def is_abbreviation(term: str) -> bool:
    """Whether an index term of a question is an abbreviation that a text may spell out."""
    return isinstance(term, Initials) or "&" in term


@lru_cache(maxsize=8_192)
def initial_terms(text: str) -> frozenset[str]:
    """Return the marks of the names of a text by their initials, and of its pairs of words (`profit and loss`)."""
    found = {f"{one}&{two}".casefold() for pattern in (_PAIR, _TWO_WORDS) for one, two in pattern.findall(text)}
    for match in _NAME.finditer(text):
        words = _WORD.findall(match.group())
        for run in (words, [word for word in words if not _LINKS.fullmatch(word)]):
            found.update(_runs("".join(word[0] for word in run)))
    return frozenset(found)


def in_long_form(phrase: str) -> Iterator[str]:
    """Yield a phrase with an abbreviation of business spelled out; nothing where it holds none."""
    for pattern, long in _long_forms():
        if pattern.search(phrase):
            yield pattern.sub(long, phrase)


def long_form_of(short: str) -> str:
    """Return what an abbreviation of business stands for; empty for any other word."""
    return next((long for pattern, long in _long_forms() if pattern.fullmatch(short)), "")


def _runs(letters: str) -> Iterator[str]:
    """Yield the marks of initials: of all words of a name, and of its last and its first ones."""
    for size in range(_LEAST, min(_MOST, len(letters)) + 1):
        yield _mark(letters[:size])
        yield _mark(letters[-size:])


def _mark(letters: str) -> str:
    return f"{letters.casefold()}="


@cache
def _long_forms() -> list[tuple[regex.Pattern[str], str]]:
    lines = (line.partition(": ") for line in _LONG_FORMS.strip().split("\n"))
    return [(regex.compile(rf"(?<![\w&]){regex.escape(short)}(?![\w&])"), long) for short, _, long in lines]
