"""Index terms that a text has without the words: an office by its short form, a name by its initials."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import regex

from ....text.everyday import phrase_terms
from ....text.words import analyse
from .contacts import contact_terms
from .initials import initial_terms
from .offices import office_terms

# What happens unless somebody acts happens by itself.
_BY_ITSELF = regex.compile(
    r"\b(?:renew|extend|prolong|continue|verlänger|prorog|reconduct|renouvel|renov)\p{L}*\b[^.;\n]{0,90}"
    r"\b(?:unless|sofern|wenn nicht|es sei denn|sauf|salvo|a menos)\b|"
    r"\bunless\b[^.;\n]{0,90}\b(?:renew|extend|prolong|continue)\p{L}*\b",
    regex.IGNORECASE,
)
# What stands beside `founded` in a question for it; `found` shares its stem.
_FOUNDED = regex.compile(
    r"\bfound(?:ed|ers?|ing|ations?)\b|\b(?:co-?found|establish|incorporat|gegründet|gründ|fond[ée]|fund[óa])\p{L}*|"
    r"\b(?:was|were) (?:created|formed|set up|started)\b|\b(?:formed|set up|started|began|opened) in \d{4}",
    regex.IGNORECASE,
)
_ASKS_FOUNDED = regex.compile(r"\bfound(?:ed|ers?|ing)\b", regex.IGNORECASE)
_FIND, _FOUND = "found", "founded"
# Who was elected in somebody's place succeeded somebody.
_IN_PLACE = regex.compile(
    r"\bin (?:his|her|their) (?:place|stead)\b|\b(?:replac(?:es|ed)|follow(?:s|ed)|succeed(?:s|ed)) (?:him|her|them)\b|"
    r"\b(?:took|takes|taking) over from\b|\ban (?:seine|ihre|deren) Stelle\b|\b(?:folgte?|folgt) (?:ihm|ihr)\b|"
    r"\bà sa place\b|\b(?:le|la|lui) (?:remplace|succède)\b|\b(?:his|her|their) successor\b|\bNachfolge\p{L}*\b",
    regex.IGNORECASE,
)
_APOLOGIES = regex.compile(
    r"(?:^|[.;]\s+)(?:apologies|excused|entschuldigt|excusée?s?|abwesend)\b[^:\n]{0,20}:",
    regex.IGNORECASE | regex.MULTILINE,
)
# `4 for, 1 against, Ms Hale dissenting` tells of votes.
_VOTED = regex.compile(
    r"\b(?:\d+|one|two|three|four|five) (?:votes? )?against\b|\bdissenting\b|\babstain\p{L}*\b|"
    r"\b\d+ (?:votes )?for, \d+",
    regex.IGNORECASE,
)
# `won` is left of `won't`, a stop word.
_WON = regex.compile(r"\bwon\b(?!['’])", regex.IGNORECASE)
# `us` is a stop word, `US` a country.
_US = regex.compile(r"\bU\.?S\.?A?\b|\bUnited States\b")
# `New: support for Arabic` tells what was added.
_NEW_LABEL = regex.compile(r"^(?:[-*•]\s+)?(?:new|added|neu|nouveau|nuevo)\s*:", regex.IGNORECASE | regex.MULTILINE)
# Each a kind of what stands before the arrow.
_KINDS = """
contract agreement < lease tenancy subscription membership insurance mortgage loan retainer
pet animal < dog cat rabbit hamster parrot
vehicle < car van minibus lorry truck motorbike motorcycle
computer < laptop notebook
"""


def follows_another(text: str) -> bool:
    """Whether a text tells who comes in the place of somebody whom it need not name."""
    return bool(_IN_PLACE.search(text))


@lru_cache(maxsize=8_192)
def implied_terms(text: str) -> frozenset[str]:
    """Return the index terms that a text implies beside its own."""
    found = office_terms(text) | contact_terms(text) | initial_terms(text) | phrase_terms(text)
    if _FOUNDED.search(text):
        found |= {_FOUND}
    if _BY_ITSELF.search(text):
        found |= _AUTOMATIC
    if follows_another(text):
        found |= _SUCCESSION
    if _APOLOGIES.search(text):
        found |= _ABSENT
    if _VOTED.search(text):
        found |= _VOTE
    if _WON.search(text):
        found |= _WIN
    if _US.search(text):
        found |= _AMERICAN
    if _NEW_LABEL.search(text):
        found |= _ADDED
    own = analyse(text)
    return found.union(*(_KIND_OF[term] for term in own if term in _KIND_OF))


def as_founded(terms: Sequence[str], question: str) -> list[str]:
    """Return the index terms of a question with `founded` as a word of its own, where it is the verb."""
    if not _ASKS_FOUNDED.search(question):
        return list(terms)
    return [_FOUND if term == _FIND else term for term in terms]


def is_founding(term: str) -> bool:
    """Whether an index term of a question is the verb `founded`."""
    return term == _FOUND


def _kinds() -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for line in _KINDS.strip().split("\n"):
        kind, _, members = line.partition(" < ")
        for member in members.split():
            for term in analyse(member):
                found[term] = found.get(term, frozenset()) | frozenset(analyse(kind))
    return found


_AUTOMATIC = frozenset(analyse("automatically automatisch automatiquement automáticamente tacit tacitement"))
_VOTE = frozenset(analyse("vote voted"))
_WIN = frozenset(analyse("win winner"))
_AMERICAN = frozenset(analyse("usa"))
_SUCCESSION = frozenset(analyse("succeeded successor Nachfolger"))
_ABSENT = frozenset(analyse("absent absence missing abwesend gefehlt fehlte"))
_ADDED = frozenset(analyse("added new"))
_KIND_OF = _kinds()
