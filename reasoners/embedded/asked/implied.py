"""Index terms that a text has without the words: an office by its short form, a `phone number` by its digits."""

from __future__ import annotations

from functools import lru_cache

import regex

from ....text.words import analyse
from .contacts import contact_terms
from .offices import office_terms

# What happens unless somebody acts happens by itself.
_BY_ITSELF = regex.compile(
    r"\b(?:renew|extend|prolong|continue|verlänger|prorog|reconduct|renouvel|renov)\p{L}*\b[^.;\n]{0,90}"
    r"\b(?:unless|sofern|wenn nicht|es sei denn|sauf|salvo|a menos)\b|"
    r"\bunless\b[^.;\n]{0,90}\b(?:renew|extend|prolong|continue)\p{L}*\b",
    regex.IGNORECASE,
)
# Each a kind of what stands before the arrow.
_KINDS = """
contract agreement < lease tenancy subscription membership insurance mortgage loan retainer
pet animal < dog cat rabbit hamster parrot
"""


@lru_cache(maxsize=8_192)
def implied_terms(text: str) -> frozenset[str]:
    """Return the index terms that a text implies beside its own."""
    found = office_terms(text) | contact_terms(text)
    if _BY_ITSELF.search(text):
        found |= _AUTOMATIC
    own = analyse(text)
    return found.union(*(_KIND_OF[term] for term in own if term in _KIND_OF))


def _kinds() -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for line in _KINDS.strip().split("\n"):
        kind, _, members = line.partition(" < ")
        for member in members.split():
            for term in analyse(member):
                found[term] = found.get(term, frozenset()) | frozenset(analyse(kind))
    return found


_AUTOMATIC = frozenset(analyse("automatically automatisch automatiquement automáticamente tacit tacitement"))
_KIND_OF = _kinds()
