"""When two names are one: case, legal form, stated short names, spelling."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache
from hashlib import sha1

import regex

from .records import EntityKind

# Written out and short legal forms are one; different ones may be different companies.
_FORMS = {
    "inc": "inc", "incorporated": "inc", "corp": "corp", "corporation": "corp", "co": "co", "company": "co",
    "ltd": "ltd", "limited": "ltd", "llc": "llc", "llp": "llp", "lp": "lp", "plc": "plc", "gmbh": "gmbh", "ag": "ag",
    "sa": "sa", "nv": "nv", "bv": "bv", "se": "se", "oy": "oy", "oyj": "oyj", "ab": "ab", "asa": "asa", "as": "as",
    "spa": "spa", "srl": "srl", "kk": "kk", "pty": "pty", "kg": "kg", "sas": "sas",
}  # fmt: skip
_WORD = regex.compile(r"[\p{L}\p{M}\p{N}]+")
_DOTTED = regex.compile(r"\b(?:\p{L}\.){2,}(?!\w)|(?<=\b\p{Lu})\.(?=\p{Lu}\b)")
ALIKE = 0.82
"""Share of characters two spellings of a name must have in common before their meaning is compared."""
BLOCK = 4


@dataclass(frozen=True)
class Form:
    """A name as far as it is compared.

    Attributes:
        folded: Case and spacing aside.
        key: Words without case, marks, leading article and legal form.
        legal: The legal form at its end, empty where it has none.
    """

    folded: str
    key: str
    legal: str


@lru_cache(maxsize=50_000)
def form_of(name: str, kind: EntityKind) -> Form:
    """Return what of a name is compared."""
    folded = " ".join(name.casefold().split())
    words = _WORD.findall(_DOTTED.sub(lambda match: match.group().replace(".", ""), folded))
    legal = ""
    if kind == "org":
        while len(words) > 1 and words[-1] in _FORMS:
            last = _FORMS[words.pop()]
            legal = legal or last
            if len(words) > 1 and words[-1] == "and":
                words.pop()
    if len(words) > 1 and words[0] in ("the", "a", "an"):
        words = words[1:]
    return Form(folded, " ".join(words) or folded, legal)


def entity_id_of(name: str, kind: EntityKind) -> str:
    """Return the id of a name: `n` and 12 hex digits of the SHA-1 of kind and name."""
    return "n" + sha1(f"{kind}\n{name}".encode()).hexdigest()[:12]


def blocks_of(key: str) -> tuple[str, str]:
    """Return how a key begins and ends, with its figures: spellings of one name agree in one of the two."""
    tight, figures = key.replace(" ", ""), "".join(_figures(key))
    return f"{tight[:BLOCK]}|{figures}", f"{tight[-BLOCK:]}|{figures}"


def shown_first(name: str, kind: EntityKind) -> tuple[bool, bool, int, str]:
    """Return what orders the names of one entity, the one to show first: not all capitals, no legal form, long."""
    letters = [char for char in name if char.isalpha()]
    flat = all(char.isupper() for char in letters) or (kind != "thing" and all(char.islower() for char in letters))
    return flat, bool(form_of(name, kind).legal), -len(name), name


def alike(a: str, b: str) -> float:
    """Return how alike two keys are spelled, 0 where they cannot be one name.

    Names that differ in a figure, in a single short word, or by a word that one has and the other lacks are not
    spellings of each other.
    """
    if _figures(a) != _figures(b):
        return 0.0
    tight_a, tight_b = a.replace(" ", ""), b.replace(" ", "")
    if tight_a == tight_b:
        return 1.0
    words_a, words_b = a.split(), b.split()
    if len(words_a) != len(words_b):
        return 0.0
    ratios = [SequenceMatcher(None, x, y).ratio() for x, y in zip(words_a, words_b, strict=True) if x != y]
    if any(len(x) < 5 for x, y in zip(words_a, words_b, strict=True) if x != y) or len(ratios) > 1:
        return 0.0
    return ratios[0] if ratios[0] >= ALIKE else 0.0


def _figures(key: str) -> list[str]:
    return [str(found) for found in regex.findall(r"\d+|\b(?:i{1,3}|iv|vi{0,3}|ix|x)\b|\b\p{L}\b", key)]
