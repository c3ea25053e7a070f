"""Where somebody can be reached: who asks for a phone number or an e-mail address is given one or nothing."""

from __future__ import annotations

from functools import lru_cache

import regex

from ....text.words import analyse

_PHONE = regex.compile(
    r"(?<![\w/.+-])\+\d{1,3}[ (./-]*\d[\d ()/.-]{4,16}\d(?![\w-])"
    r"|\b(?:tel|phone|telephone|telefon|t[ée]l[ée]fono?|t[ée]l[ée]phone|mobile|mobil|fax|call)\b[.:]*\s*"
    r"(?:\w+ ){0,2}?\(?\d[\d ()/.-]{4,18}\d"
    r"|(?<![\w/.+-])\(?0\d{2,5}\)?[ /-]\d{2,}[\d /-]{2,10}\d(?![\w-])",
    regex.IGNORECASE,
)
_EMAIL = regex.compile(r"(?<![\w@])[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_ASKED = {
    "phone": regex.compile(
        r"\b(?:tele)?phone(?: number)?\b|\b(?:mobile|cell|fax) (?:phone )?number\b|"
        r"\btelefonnummer\b|\bhandynummer\b|\bnuméro de (?:téléphone|portable)\b|\bnúmero de teléfono\b|"
        r"\bnumero di telefono\b",
        regex.IGNORECASE,
    ),
    "email": regex.compile(
        r"\be-?mail(?:[- ]?address(?:es)?|[- ]?adresse)?\b|\badresse (?:e-?mail|électronique)\b|"
        r"\bcorreo electrónico\b|\bindirizzo e-?mail\b",
        regex.IGNORECASE,
    ),
}
_WANTS = regex.compile(
    r"\b(?:what|which|what['’]s|give|list|find|was|wie|welche[rsn]?|quel(?:le)?s?|cu[aá]l(?:es)?|qual[ei]?)\b",
    regex.IGNORECASE,
)
_STATED = {"phone": _PHONE, "email": _EMAIL}
_IMPLIED = {
    "phone": frozenset(analyse("phone telephone number telefonnummer handynummer téléphone teléfono telefono")),
    "email": frozenset(analyse("email e-mail mail address adresse correo electrónico électronique indirizzo")),
}


@lru_cache(maxsize=4_096)
def contact_asked(question: str) -> str:
    """Return `phone` or `email` where a question wants one, else an empty text."""
    if not _WANTS.search(question):
        return ""
    return next((kind for kind, pattern in _ASKED.items() if pattern.search(question)), "")


def without_kind(question: str) -> str:
    """Return a question without the words for what is wanted, which leaves whose it is."""
    kind = contact_asked(question)
    return str(_ASKED[kind].sub(" ", question)) if kind else question


@lru_cache(maxsize=8_192)
def contact_terms(text: str) -> frozenset[str]:
    """Return the index terms of the kinds of contact data that a text holds: `+46 60 …` is a `phone number`."""
    if "@" not in text and not any(char.isdigit() for char in text):
        return frozenset()
    return frozenset[str]().union(*(_IMPLIED[kind] for kind, pattern in _STATED.items() if pattern.search(text)))


def states_contact(kind: str, text: str) -> bool:
    """Whether a text holds contact data of a kind."""
    return bool(_STATED[kind].search(text))
