"""Proper names in a text: runs of capitalised words, quoted titles, katakana and Latin runs in East Asian text."""

from __future__ import annotations

from functools import lru_cache

import regex

from ....text.periods import Period, find_periods
from ....text.words import content_words

_QUOTED = regex.compile(r"[\"“„«「『《〈]([^\"“”„«»「」『』《》〈〉]{2,80})[\"”“»」』》〉]")
_SINGLE_QUOTED = regex.compile(r"(?<![\w])['‘]([^'‘’]{3,60})['’](?!\w)")
_UPPER = r"(?:\p{Lu}[\p{L}\p{M}\p{N}'’.&-]*|\d+(?:st|nd|rd|th)?(?=\s\p{Lu}))"
_LINK = r"(?:of|the|de|del|della|di|da|du|des|la|le|von|van|der|den|&|al|bin|ibn)"
_RUN = regex.compile(
    rf"(?<![\p{{L}}\p{{N}}]){_UPPER}(?:\s+(?:{_LINK}\s+){{0,2}}{_UPPER}|\s+(?:\d+|[IVX]+)(?![\w.,%]))*"
)
_KATAKANA = regex.compile(r"[\p{Katakana}ー・]{3,}")
_LATIN_RUN = regex.compile(r"[A-Za-z][A-Za-z0-9&.-]+(?:\s[A-Z][A-Za-z0-9&.-]+)*")
_EAST_ASIAN = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}]")
_INITIAL = regex.compile(r"\p{Lu}\.")
_ALL_NOUNS = frozenset(["de"])  # every noun is capitalised
_MAX_NAMES = 24
_OPENER_WORDS = """
    what which who whom whose when where why how is are was were do does did has have had can could will would
    should may might must in on at of for from by to with the a an if as since until between among during
    after before according please name list explain describe define tell give state show compare it its this
    that these those he she they his her their there here but and or not no yes however although while because
    also both each every some many most all another other one two three i we you my our your then than so such
    s was der die das ein eine wie wer wann wo warum welche welcher welches im am zum zur bei un une des quel
    quelle quels quelles qui que quand où pourquoi comment combien una qué cuál quién cuándo dónde cómo cuánto
    gli che chi quale quando dove perché quanto hat ist sind war gibt est sont"""
_OPENERS = frozenset(_OPENER_WORDS.split())


@lru_cache(maxsize=20_000)
def names_in(text: str, language: str = "en") -> tuple[str, ...]:
    """Return the proper names of a text in order of first mention, each once, the longest reading of each.

    In German a single capitalised word is a noun like any other, so that only runs of two and quoted titles count.
    """
    found: list[tuple[int, str]] = [(match.start(1), match.group(1).strip(" ,.")) for match in _QUOTED.finditer(text)]
    found.extend((match.start(1), match.group(1)) for match in _SINGLE_QUOTED.finditer(text))
    if _EAST_ASIAN.search(text):
        found.extend((match.start(), match.group()) for match in _KATAKANA.finditer(text))
        found.extend((match.start(), match.group()) for match in _LATIN_RUN.finditer(text))
    else:
        for match in _RUN.finditer(text):
            name, start = _trimmed(match.group(), match.start())
            if name and not _is_common(name, start, language):
                found.append((start, name))
    found.sort(key=lambda item: (item[0], -len(item[1])))
    names: dict[str, str] = {}
    for _, name in found:
        names.setdefault(name.casefold(), name)
    return tuple(names.values())[:_MAX_NAMES]


# `Chief Executive Officer` and `Annual General Meeting` are written like the name of a person and are none.
_NOBODY_WORDS = """
    officer president chair chairman chairwoman director directors board committee council company corporation inc ltd
    llc plc limited group act agreement contract report form section article note item department division university
    institute college school hospital commission authority agency ministry office bank fund meeting policy plan program
    programme statement statements court street road"""
_HOLDER_WORDS = """
    officer president chair chairman chairwoman chairperson director head manager secretary treasurer engineer agent
    adviser advisor inspector controller coordinator administrator superintendent supervisor trustee auditor nurse
    surveyor editor ombudsman minister ambassador consultant accountant architect contractor employer"""
_HOLDERS = frozenset(_HOLDER_WORDS.split())
_NOBODY = frozenset(_NOBODY_WORDS.split()) | _HOLDERS


def is_person_like(name: str) -> bool:
    """Whether a name looks like a person's: two to four capitalised words without digits, none of an office or body."""
    words = name.split()
    if not 2 <= len(words) <= 4 or any(word.casefold().strip(".") in _NOBODY for word in words):
        return False
    return all(word[:1].isupper() and word.replace(".", "").isalpha() for word in words)


def names_post(text: str) -> bool:
    """Whether a text has the word of a post: `Director of Nursing`, `Site Agent`."""
    return any(word.casefold() in _HOLDERS for word in regex.findall(r"\p{L}+", text))


def _trimmed(run: str, start: int) -> tuple[str, int]:
    """Drop sentence openers at the front of a run and marks at its end."""
    words = run.split()
    while words and words[0].casefold().rstrip(".") in _OPENERS and not _INITIAL.fullmatch(words[0]):
        start += len(words[0]) + 1
        words = words[1:]
    while words and (words[0] == "the" or regex.fullmatch(r"\d{4}", words[0])):
        start += len(words[0]) + 1
        words = words[1:]
    name = " ".join(words).rstrip(".,;:'’-") if words else ""
    name = regex.sub(r"['’]s$", "", name)
    return name, start


def _is_common(name: str, start: int, language: str) -> bool:
    """Whether a capitalised run names nothing: a period, a German noun, a plain word that opens the text."""
    if len(name) < 2 or name.isdigit() or not content_words(name):
        return True
    periods = find_periods(name)
    if periods and not regex.search(r"\p{L}{3,}", _without(name, periods)):
        return True
    if " " in name:
        return False
    if regex.search(r"\p{Lu}.*\p{Lu}|\d", name):
        return False
    return language in _ALL_NOUNS or start == 0


def _without(name: str, periods: list[Period]) -> str:
    rest = name
    for period in periods:
        rest = rest.replace(period.text, "")
    return str(regex.sub(r"\b(?:FY|Q[1-4])\d*\b", "", rest))
