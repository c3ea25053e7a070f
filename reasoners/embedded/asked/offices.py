"""Offices and their short forms: who is `CFO` is the `Chief Financial Officer`, in some languages of business."""

# ruff: noqa: E501 - one entry of a table on one line

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache

import regex

from ....text.words import analyse

# One office a line: its short form, then its names, the English one first.
_OFFICES = """
CEO: chief executive officer, chief executive, managing director, Vorstandsvorsitzende?r?, Geschäftsführer(?:in)?,
 directeur général, directrice générale, PDG, conseje(?:ro|ra) delegad[oa], direct(?:or|ora) general, amministrat(?:ore|rice) delegat[oa]
CFO: chief financial officer, chief finance officer, finance director, Finanzvorstand, Finanzchef(?:in)?, Finanzdirektor(?:in)?,
 directeur financier, directrice financière, direct(?:or financiero|ora financiera), diret(?:tore|trice) finanziari[oa]
COO: chief operating officer, chief operations officer, operations director, Betriebsvorstand, direct(?:eur|rice) des opérations,
 direct(?:or|ora) de operaciones
CTO: chief technology officer, chief technical officer, technical director, Technikvorstand, Technikchef(?:in)?, direct(?:eur|rice) technique,
 direct(?:or técnico|ora técnica)
CIO: chief information officer, IT-Leiter(?:in)?
CISO: chief information security officer
CMO: chief marketing officer, marketing director, Marketingleiter(?:in)?, direct(?:eur|rice) (?:du )?marketing, direct(?:or|ora) de marketing
CCO: chief commercial officer, chief compliance officer
CPO: chief product officer, chief people officer
CRO: chief risk officer, chief revenue officer
CDO: chief data officer, chief digital officer
CSO: chief strategy officer, chief security officer, chief scientific officer
CHRO: chief human resources officer, Personalvorstand, DRH
GC: general counsel, Chefjustiziar(?:in)?, direct(?:eur|rice) juridique
DPO: data protection officer, Datenschutzbeauftragte[rn]?, délégué à la protection des données
HR: human resources, Personalabteilung, Personalwesen, ressources humaines, recursos humanos, risorse umane
IR: investor relations
PR: public relations
VP: vice president
SVP: senior vice president
EVP: executive vice president
AGM: annual general meeting, Hauptversammlung, assemblée générale
"""


@cache
def _forms() -> dict[str, tuple[regex.Pattern[str], regex.Pattern[str], str]]:
    """Return for each short form where it stands, where one of its names does, and its English name."""
    found = {}
    for line in regex.sub(r"\n ", " ", _OFFICES.strip()).split("\n"):
        short, _, names = line.partition(": ")
        each = [name.strip() for name in names.split(",")]
        found[short] = (
            regex.compile(rf"(?<![\w&]){short}s?(?![\w&])"),
            regex.compile(rf"(?<!\w)(?:{'|'.join(each)})(?!\w)", regex.IGNORECASE),
            each[0],
        )
    return found


@lru_cache(maxsize=8_192)
def offices_in(text: str) -> frozenset[str]:
    """Return the short forms of the offices that a text names in one way or another."""
    return frozenset(short for short, (bare, named, _) in _forms().items() if bare.search(text) or named.search(text))


@lru_cache(maxsize=8_192)
def office_terms(text: str) -> frozenset[str]:
    """Return the index terms of the offices that a text names: of the short form, and of the English name."""
    found = [frozenset(analyse(f"{short} {_forms()[short][2]}")) for short in offices_in(text)]
    return frozenset[str]().union(*found)


@lru_cache(maxsize=1_024)
def in_short(question: str) -> str:
    """Return a question with the names of its offices in their short form, which every text that names one implies."""
    told = question
    for short, (_, named, _) in _forms().items():
        told = named.sub(short, told)
    return told


def in_other_names(phrase: str) -> Iterator[str]:
    """Yield a phrase with its offices in their short form and by their English names; nothing where it names none."""
    for short in sorted(offices_in(phrase)):
        bare, named, full = _forms()[short]
        yield named.sub(short, phrase)
        yield bare.sub(full, named.sub(full, phrase))
