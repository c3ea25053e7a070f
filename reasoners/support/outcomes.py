"""How something came out, by words and their opposites: what was refused was not granted."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache

import regex

from ...text.words import analyse
from .polarity import is_negation

# One matter a line: what went one way, then what went the other.  Words between commas stand for each other; beyond
# them a word of the same side (`lapsed` for `terminated`) settles nothing, while any of the other side does.
_MATTERS = """
grant approve authorise authorize, accept, award, endorse, ratify adopt pass
    / refuse reject deny decline disallow turn-down, veto, withhold withheld, revoke, dismiss, quash
extend prolong, renew, continue / terminate cancel, lapse expire, end, discontinue
win won / lose lost
survive / die, perish, fail, lose lost, break broke broken
pass / fail
happen / cancel, abandon scrap, call-off
complete finish conclude / abandon scrap shelve, cancel, suspend halt stop
launch introduce release / cancel, scrap shelve abandon
open / close shut
suspend, withdraw revoke / maintain, uphold upheld, reinstate restore
uphold upheld / overturn reverse annul quash, dismiss
succeed / fail
meet met achieve reach exceed / miss
increase rise rose risen grow grew grown / decrease fall fell fallen drop decline shrink shrank, reduce cut lower
raise increase / reduce cut lower
include / exclude
ban prohibit forbid forbidden / allow permit, consent, legalise legalize
convict / acquit
confirm / deny dispute
agree / refuse, disagree
sign / unsigned
pay paid settle / unpaid, overdue, default
"""
_WORD = regex.compile(r"\p{L}+")
# What is asked to happen in two words.
_HAPPENS = regex.compile(
    r"\b(?:tak(?:e|es|ing|en)|took)\s+place\b|\bgo(?:es|ing|ne)?\s+ahead\b|\bhappen(?:s|ed|ing)?\b", regex.IGNORECASE
)
_PASSIVE = regex.compile(r"^(?:is|are|was|were|has|have|had)\b", regex.IGNORECASE)
_TURNED_DOWN = regex.compile(r"\bturn(?:s|ed|ing)?\b(?=.{0,90}\bdown\b)", regex.IGNORECASE)
_CALLED_OFF = regex.compile(r"\bcall(?:s|ed|ing)?\b(?=.{0,60}\boff\b)", regex.IGNORECASE)
_DOWN = "turn-down"
_SAID_NO = regex.compile(r"^(?:No|Nein|Non|Não)(?:\.\s+(?=[\"“„«]?\p{Lu}\p{L}*\b)|[,;:–]\s+)")
_WORD = regex.compile(r"[\p{L}’']+")
_EXCEPTS = regex.compile(
    r"\b(?:other than|except(?:ing|ed)?|save(?: for)?|apart from|excluding|with the exception of)\b", regex.IGNORECASE
)
_FIGURE = regex.compile(r"\d")


@dataclass(frozen=True)
class Outcome:
    """What a question asks to have happened.

    Attributes:
        term: Its index term in the question.
        same: Index terms that say that it happened; other: those that say the opposite.
        spelled: Index terms of the question that name it: `take place` has two.
    """

    term: str
    same: frozenset[str]
    other: frozenset[str]
    spelled: frozenset[str] = frozenset()

    def said_in(self, text: str, subject: frozenset[str]) -> tuple[bool, bool]:
        """Return whether a text says that it happened, and whether it says the opposite.

        Args:
            subject: Index terms of what it is asked of; `the grant was refused` is about a grant.
        """
        terms = _terms_of(text) - subject
        return bool(terms & self.same), bool(terms & self.other)


@lru_cache(maxsize=4_096)
def outcome_asked(question: str) -> Outcome | None:
    """Return the outcome that a question for yes or no asks about: the last participle of `was … granted`, else the
    first verb of `did they grant …`; None where it asks about none that has an opposite here."""
    if (happens := _HAPPENS.search(question)) is not None:
        (same, other), *_ = _sides()["happen"]
        return Outcome("happen", same, other, frozenset(analyse(happens.group())))
    words = _WORD.findall(question)
    passive = bool(_PASSIVE.match(question))
    known = _sides()
    found = []
    for word in words[1:]:
        term = _stem(word.casefold())
        if term in known and (not passive or _is_participle(word)):
            found.append(term)
    if not found:
        return None
    term = found[-1] if passive else found[0]
    same = frozenset[str]().union(*(one for one, _ in known[term])) | {term}
    other = frozenset[str]().union(*(two for _, two in known[term]))
    return Outcome(term, same, other - same, frozenset({term}))


def outcome_glosses(question: str) -> tuple[tuple[str, str], ...]:
    """Return the term of the outcome asked about with each word that settles it too: a source needs to hold one."""
    outcome = outcome_asked(question)
    if outcome is None:
        return ()
    each = sorted(outcome.same | outcome.other)
    return tuple((term, other) for term in sorted(outcome.spelled) for other in each if other != term)


def without_no(claim: str) -> str:
    """Return a claim without the `No.` or `No,` before a sentence that denies, or tells a figure or an outcome.

    The word answers a question whose opposite the sentence states; no passage holds it.  The sentence is judged.
    Before a sentence that denies nothing and makes no exception it stays, and is a denial like any other.
    """
    lead = _SAID_NO.match(claim)
    if lead is None:
        return claim
    told = claim[lead.end() :]
    denies = _EXCEPTS.search(told) or any(is_negation(word) for word in _WORD.findall(told.casefold()))
    came_out = lead.group() == "No. " and (_FIGURE.search(told) or _terms_of(told) & _sides().keys())
    return told if denies or came_out else claim


def _is_participle(word: str) -> bool:
    return bool(regex.search(r"(?:ed|en|ld|won|lost|met|cut|shut|paid|rose|grew|fell)$", word.casefold()))


def _terms_of(text: str) -> frozenset[str]:
    terms = frozenset(_stem(word.casefold()) for word in _WORD.findall(text))
    terms |= {"happen"} if _HAPPENS.search(text) else frozenset()
    terms |= {"call-off"} if _CALLED_OFF.search(text) else frozenset()
    return terms | {_DOWN} if _TURNED_DOWN.search(text) else terms


@cache
def _sides() -> dict[str, list[tuple[frozenset[str], frozenset[str]]]]:
    """Return for each index term the sides that it may stand on, each with its opposite."""
    found: dict[str, list[tuple[frozenset[str], frozenset[str]]]] = {}
    for matter in regex.sub(r"\n\s+", " ", _MATTERS.strip()).split("\n"):
        sides = [[frozenset(map(_stem, words.split())) for words in side.split(",")] for side in matter.split("/")]
        for one, two in (sides, sides[::-1]):
            for words in one:
                for term in words:
                    found.setdefault(term, []).append((words, frozenset[str]().union(*two)))
    return found


def _stem(word: str) -> str:
    terms = analyse(word)  # `won` is no index term
    return word if word in (_DOWN, "call-off") or len(terms) != 1 else terms[0]
