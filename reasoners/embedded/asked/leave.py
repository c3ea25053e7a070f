"""Leave, asked and given: `Am I allowed to keep a cat in the flat?` asks of a cat, in the flat."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import regex

from ....text.words import analyse, stem_in

_WHO = (
    r"(?:i|we|you|one|someone|anyone|people|(?:the |a |an |my |our |any )?(?:tenants?|guests?|residents?|members?|"
    r"employees?|staff|visitors?|students?|customers?|children|participants?|users?|contractors?|suppliers?|drivers?|buyers?|owners?))"
)
_ALLOWED = r"(?:allowed|permitted|entitled|free|authori[sz]ed)"
_ASKED = (
    regex.compile(rf"^\W*(?:am|is|are|was|were) {_WHO} {_ALLOWED} to (?P<what>.+)$", regex.IGNORECASE),
    regex.compile(rf"^\W*is it {_ALLOWED} to (?P<what>.+)$", regex.IGNORECASE),
    regex.compile(rf"^\W*(?:may|can|could) {_WHO} (?P<what>.+)$", regex.IGNORECASE),
    regex.compile(
        r"^\W*(?:is|are) (?P<what>.+?) (?:(?:allowed|permitted)|(?P<denied>forbidden|prohibited|banned|not allowed))\b"
        r"(?P<rest>.*)$",
        regex.IGNORECASE,
    ),
)
# Nobody asks leave for what others do to him.
_SUFFERED = regex.compile(
    rf"^\W*(?:may|can|could) {_WHO} (?:ever |still )?(?:be|get) (?:dismissed|sacked|fired|fined|charged|evicted|"
    r"expelled|suspended|disqualified|penali[sz]ed|punished|prosecuted|sued|excluded|removed|laid off)\b",
    regex.IGNORECASE,
)
# Of keeping a cat the cat is asked about.
_BLAND_WORDS = """
    keep have hold own use get put bring take make do go be allowed permitted entitled free forbidden prohibited banned
    authorised authorized"""
_BLAND = frozenset(analyse(_BLAND_WORDS)) | frozenset(_BLAND_WORDS.split())
_CIRCUMSTANCE = regex.compile(
    r"\s(?=(?:in|at|on|from|with|without|during|into|inside|outside|after|before|between|under|for)\s)",
    regex.IGNORECASE,
)
_WITHOUT = regex.compile(
    r"\bwithout\b.*\b(?:consent|permission|approval|leave|asking|agreement|licen[cs]e)\b", regex.IGNORECASE
)

_FORBIDS = regex.compile(
    r"\b(?:may|must|shall|can|could) not\b|\b(?:mustn['’]t|cannot|can['’]t)\b|"
    r"\bnot (?:be )?(?:allowed|permitted|entitled)\b|"
    r"\b(?:forbids?|forbidden|prohibit(?:s|ed)?|ban(?:s|ned)?|disallow(?:s|ed)?|refuses?|refused|declines?|declined)\b|"
    r"\b(?:does|do|did) not (?:allow|permit|consent|agree)\b|^\W*no\s\p{Ll}|"
    r"\b(?:is|are) not (?:to be )?(?:used|brought|taken|carried|admitted|accepted|worn|eaten|consumed|parked)\b",
    regex.IGNORECASE,
)
_CONSENT = r"(?:consent|permission|approval|authori[sz]ation|licen[cs]e|agreement)"
_NEEDS_CONSENT = regex.compile(
    rf"\b(?:needs?|requires?|only with|subject to|with|without|unless|upon|after)\b[^.;]{{0,60}}\b{_CONSENT}\b",
    regex.IGNORECASE,
)
_GRANTS = regex.compile(
    r"\b(?:consents?|consented|agree(?:s|d)?|permit(?:s|ted)?|allow(?:s|ed)?|"
    r"(?-i:may)(?! (?:lead|result|cause|vary|occur|arise|differ|become|fail)\b)|can|entitled|"
    r"(?:is|are) free to|welcome|authori[sz]e[sd]?|tolerate[sd]?|grants?|granted)\b",
    regex.IGNORECASE,
)
_GERMAN_LEAVE = regex.compile(r"^(?:darf|dürfen|kann|können|ist es (?:erlaubt|gestattet|zulässig))\b", regex.IGNORECASE)
_FRENCH_LEAVE = regex.compile(
    r"^(?:peut-on|puis-je|pouvons-nous|est-il (?:permis|interdit)|a-t-on le droit)\b", regex.IGNORECASE
)
_LEAVE_WORDS = regex.compile(
    r"\b(?:erlaubt|gestattet|zulässig|unzulässig|verboten|untersagt|autorisée?s?|permise?s?|permis|admise?s?|admis|"
    r"interdite?s?|défendue?s?|tolérée?s?)\b",
    regex.IGNORECASE,
)
_CONSENT_ABROAD = regex.compile(
    r"\b(?:darf|dürfen|genehmigt|zustimmung|einwilligung|erlaubnis|peut|peuvent|accord|autorisation)\b",
    regex.IGNORECASE,
)
_GERMAN_BLAND_WORDS = """
    halten haben machen tun benutzen nutzen verwenden nehmen mitnehmen bringen mitbringen besitzen betreiben"""
_GERMAN_BLAND = frozenset(_GERMAN_BLAND_WORDS.split())


@dataclass(frozen=True)
class Leave:
    """What somebody asks leave for.

    Attributes:
        what: Index terms of the thing or the deed.
        where: Index terms of the circumstances: the place, the time.
        denied: Whether the question asks if it is forbidden.
        unasked: Whether it asks if it may be done without anybody's consent.
    """

    what: frozenset[str]
    where: frozenset[str]
    denied: bool = False
    unasked: bool = False


@lru_cache(maxsize=4_096)
def leave_asked(question: str) -> Leave | None:
    """Return what an English question asks leave for; None where it asks for none."""
    asked = question.strip().rstrip("?？ ")
    if _SUFFERED.match(asked):
        return None
    for pattern in _ASKED:
        match = pattern.match(asked)
        if match is None:
            continue
        groups = match.groupdict()
        what, *where = _CIRCUMSTANCE.split(match["what"], maxsplit=1)
        circumstances = " ".join([*where, groups.get("rest") or ""])
        unasked = bool(_WITHOUT.search(circumstances))
        terms = frozenset(analyse(what)) - _BLAND
        if not terms:
            return None
        return Leave(
            what=terms,
            where=frozenset() if unasked else frozenset(analyse(circumstances)) - _BLAND,
            denied=bool(groups.get("denied")),
            unasked=unasked,
        )
    return None


def without_bland(question: str, terms: tuple[str, ...]) -> tuple[str, ...]:
    """Return the terms of a question without those that only ask leave, where it asks for any."""
    leave = leave_asked(question)
    return tuple(term for term in terms if term not in _BLAND) if leave is not None else terms


def without_deed(terms: tuple[str, ...], question: str, language: str) -> tuple[str, ...]:
    """Return the terms of a German or French question for leave without the words that only ask for it.

    These are `allowed` or `forbidden`, and the verb that says to have or to use the thing.
    """
    leave = _LEAVE_WORDS.findall(question)
    words = [word.casefold() for word in leave]
    if _GERMAN_LEAVE.match(question.strip()):
        verb = question.rstrip("?？ .").split()[-1].casefold()
        words += [verb] if verb in _GERMAN_BLAND else []
    bland = {term for word in words for term in (*analyse(word), stem_in(word, language))}
    return tuple(term for term in terms if term not in bland) or terms


def says_leave_abroad(question: str, text: str) -> bool:
    """Whether a question asks leave in German or French and a text says that something is allowed, or is not."""
    asks = (
        _GERMAN_LEAVE.match(question.strip()) or _FRENCH_LEAVE.match(question.strip()) or _LEAVE_WORDS.search(question)
    )
    return bool(asks) and bool(_LEAVE_WORDS.search(text) or _CONSENT_ABROAD.search(text))


def said_on_leave(text: str) -> tuple[str, str]:
    """Return `granted`, `forbidden` or `on consent` where a sentence says one of them, and the words that say it."""
    if (match := _FORBIDS.search(text)) is not None:
        return ("", "") if _GRANTS.search(_FORBIDS.sub(" ", text)) else ("forbidden", match.group().strip())
    if (match := _NEEDS_CONSENT.search(text)) is not None:
        return "on consent", match.group().strip()
    match = _GRANTS.search(text)
    return ("granted", match.group().strip()) if match is not None else ("", "")
