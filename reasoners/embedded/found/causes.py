"""What gives the cause of something: a sentence that says why, or the first one below a heading that asks for it."""

from __future__ import annotations

from functools import lru_cache

import regex

from ....text.sentences import sentences
from ..asked.question import Question
from .candidates import Candidate

_ASKED = regex.compile(
    r"\b(?:why|how come|how did it come)\b|\broot cause\b|"
    r"\b(?:what|which|who) (?:caused|causes|triggered|led to|drove|(?:is|was) behind|explains|brought about)\b|"
    r"\b(?:cause|causes|reason|reasons|trigger) (?:of|for|behind|why|that)\b|"
    r"\b(?:warum|weshalb|wieso|woran lag|woran liegt|wodurch)\b|\b(?:ursachen?|gründe?|auslöser) (?:für|von|de[rs])\b|"
    r"\bpourquoi\b|\b(?:cause|raison)s? d[eu]\b|\bpor qu[eé]\b|\b(?:causa|motivo|razón)s? del?\b|\bperché\b",
    regex.IGNORECASE,
)
_GIVEN = regex.compile(
    r"\b(?:because|due to|owing to|as a result of|on account of|caused by|for (?:this|that|the) reason|driven by|"
    r"attributable to|attributed to|stem(?:s|med) from|result(?:s|ed) from|triggered by|brought about by|thanks to|"
    r"led to|blamed on|traced (?:back )?to|after (?:a|an|its|he|she|they) \p{L}+|"
    r"the (?:main |root |likely )?(?:cause|reason)s? (?:is|are|was|were|lay|lies))\b|"
    r"\b(?:weil|wegen|aufgrund|auf grund|infolge|deshalb|daher|deswegen)\b|, da\b|"
    r"\bberuh(?:t|en|te|ten) (?:\p{L}+ ){0,3}auf\b|\b(?:geht|gehen|ging|gingen) (?:\p{L}+ ){0,4}auf\b.*\bzurück\b|"
    r"\b(?:grund|gründe|ursache|ursachen)\b (?:ist|war|dafür|hierfür|sind|waren)\b|"
    r"\b(?:liegt|lag) (?:\p{L}+ ){0,3}(?:an|daran)\b|, car\b|"
    r"\b(?:parce que|en raison d|à cause d|grâce à|faute d|dû à|due à)|"
    r"\b(?:porque|debido a|a causa de|por culpa de)\b|\b(?:perché|a causa d|dovuto a)",
    regex.IGNORECASE,
)
# What went wrong, at the head of a sentence, is a cause of what is told before it.
_MISHAP = regex.compile(
    r"^(?:an?|the|its|their) (?:[\w-]+ ){0,3}(?:error|mistake|failure|fault|defect|delay|shortage|loss|lack|strike|"
    r"fire|flood|storm|breakdown|leak|misunderstanding|bug|accident|oversight|dispute)s?\b",
    regex.IGNORECASE,
)
_HEAD = regex.compile(
    r"\b(?:cause|causes|caused|reason|reasons|why|rationale|explanation|ursachen?|gründe?|begründung|warum|raisons?|"
    r"motifs?|pourquoi|causas?|motivos?|por qué|perché)\b",
    regex.IGNORECASE,
)
_CAUSE_OF_CAUSE, _FURTHER_BELOW = 0.75, 0.5


@lru_cache(maxsize=1_024)
def asks_cause(question: Question) -> bool:
    """Whether a question asks why, or for a cause."""
    return bool(_ASKED.search(question.text))


def gives_cause(candidate: Candidate) -> float:
    """Return how surely a sentence gives a cause, in [0, 1]: by its words, or as the first below a heading for it."""
    if candidate.row is not None:
        heads = " ".join(cell.header for cell in candidate.row.cells if cell.text.strip())
        return 1.0 if _HEAD.search(heads.replace("_", " ")) or _GIVEN.search(candidate.text) else 0.0
    why = says_why(candidate.text)
    if (place := _cause_heading(candidate)) is None:
        return 1.0 if why else 0.0
    if not sentences(candidate.passage.chunk.text[place[1] : candidate.start].strip(" .:#\n")):
        return 1.0
    return _CAUSE_OF_CAUSE if why else _FURTHER_BELOW


def is_below_cause(candidate: Candidate) -> bool:
    """Whether a sentence stands below a heading that names or asks for a cause."""
    return _cause_heading(candidate) is not None


def _cause_heading(candidate: Candidate) -> tuple[int, int] | None:
    text = candidate.passage.chunk.text
    places = (place for place in (candidate.heading, candidate.section) if place)
    return next((place for place in places if _HEAD.search(text[slice(*place)])), None)


def tells_mishap(text: str) -> bool:
    """Whether a sentence begins with what went wrong."""
    return bool(_MISHAP.match(text))


def says_why(text: str) -> bool:
    """Whether a sentence has words that give a cause."""
    return bool(_GIVEN.search(text))
