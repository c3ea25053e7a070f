"""Words of business and daily life in English, German, French and Spanish, by what they mean."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files

import regex

from .words import STOP_WORDS, stem, stem_in

LANGUAGES = ("de", "fr", "es")
"""The languages of the columns behind the English one."""

_LEAST = 4
_LINKS = ("", "s", "es", "n", "en", "e", "-")
_WORD = regex.compile(r"\p{L}[\p{L}\p{M}’'-]*")
_ELIDED = regex.compile(r"^(?:l|d|qu|n|s|j|m|t|c)['’](?=\p{L})", regex.IGNORECASE)


@dataclass(frozen=True)
class Meaning:
    """One thing that a word means.

    Attributes:
        english: The first English word for it.
        terms: Index terms of every English word for it; a text that holds one of them names it.
    """

    english: str
    terms: frozenset[str]


@lru_cache(maxsize=65_536)
def meanings_of(word: str, language: str) -> tuple[Meaning, ...]:
    """Return what a word of another language means; a German compound by its parts, all of which count.

    `Bodenproben` gives soil and samples.  Of a compound whose first part is not known here the last part stands, which
    says what kind of thing it is.  Nothing for a word, or a language, that has no entry.
    """
    if language not in LANGUAGES:
        return ()
    known = _by_word()[language]
    bare = _ELIDED.sub("", word)
    folded = bare.casefold()
    if len(folded) < _LEAST and folded not in _written(language):
        return ()  # the stem of `Lager` is no `lag`
    for form in (folded, folded.removesuffix("s")):  # `des Studios`
        if (direct := known.get(stem_in(form, language))) is not None:
            return (direct,)
    if language != "de" or len(folded) < 2 * _LEAST:
        return ()
    kind: tuple[Meaning, ...] = ()
    for cut in range(_LEAST, len(folded) - _LEAST + 1):
        tail = known.get(stem_in(folded[cut:], "de"))
        if tail is None:
            continue
        heads = (known.get(stem_in(folded[: cut - len(link)], "de")) for link in _LINKS if folded[:cut].endswith(link))
        head = next((meaning for meaning in heads if meaning is not None), None)
        if head is not None:
            return (head, tail)
        kind = kind or (tail,)
    return kind


@lru_cache(maxsize=65_536)
def is_known(word: str, language: str) -> bool:
    """Whether what a word means is known whole: not only what kind of thing a compound of an unknown first part is."""
    meanings = meanings_of(word, language)
    if len(meanings) != 1 or language != "de":
        return bool(meanings)
    folded = _ELIDED.sub("", word).casefold()
    return any(stem_in(form, language) in _by_word()[language] for form in (folded, folded.removesuffix("s")))


def phrases_in(text: str, language: str) -> list[tuple[str, Meaning]]:
    """Return the phrases of several words in a text that mean something here, each with its meaning."""
    if language not in LANGUAGES:
        return []
    known = _by_word()[language]
    found = (match.group() for match in _phrases(language).finditer(text.replace("’", "'")))
    return [(phrase, known[phrase.casefold()]) for phrase in found]


@lru_cache(maxsize=16_384)
def english_terms(text: str, language: str) -> frozenset[str]:
    """Return the English index terms of what a text in another language names."""
    if language not in LANGUAGES:
        return frozenset()
    meanings = [meaning for _, meaning in phrases_in(text, language)]
    meanings += [meaning for word in _WORD.findall(text) for meaning in meanings_of(word, language)]
    return frozenset[str]().union(*(meaning.terms for meaning in meanings))


def in_english(text: str, language: str) -> str:
    """Return a text of another language word for word in English, names and figures as they are."""
    for phrase, meaning in phrases_in(text, language):
        text = text.replace("’", "'").replace(phrase, meaning.english)
    return str(
        _WORD.sub(
            lambda word: " ".join(each.english for each in meanings_of(word.group(), language)) or word.group(), text
        )
    )


def from_english(text: str, language: str) -> str:
    """Return an English text word for word in another language; empty where no word has an entry."""
    known = _foreign_words(language)
    words = [(word, known.get(stem(word), word)) for word in _WORD.findall(text)]
    return " ".join(told for _, told in words) if any(told != word for word, told in words) else ""


@cache
def _by_word() -> dict[str, dict[str, Meaning]]:
    """Return for each language the meaning of each of its stems, and of each phrase as written."""
    found: dict[str, dict[str, Meaning]] = {language: {} for language in LANGUAGES}
    for english, others in _entries():
        said = [phrase.replace("_", " ") for phrase in english]
        terms = frozenset(stem(word) for phrase in said for word in phrase.split() if word not in STOP_WORDS)
        for language, words in zip(LANGUAGES, others, strict=True):
            for word in words:
                key = word.replace("_", " ").casefold() if "_" in word else stem_in(word, language)
                before = found[language].get(key)
                # A word of two meanings is met by either.
                meaning = Meaning(said[0], terms) if before is None else Meaning(before.english, before.terms | terms)
                found[language][key] = meaning
    return found


@cache
def _written(language: str) -> frozenset[str]:
    place = LANGUAGES.index(language)
    return frozenset(word.casefold() for _, others in _entries() for word in others[place])


@cache
def _foreign_words(language: str) -> dict[str, str]:
    place = LANGUAGES.index(language)
    found: dict[str, str] = {}
    for english, others in _entries():
        for word in english:
            found.setdefault(stem(word), others[place][0].replace("_", " "))
    return found


@cache
def _entries() -> list[tuple[list[str], list[list[str]]]]:
    """Return the words of each meaning, the English ones and then those of each other language."""
    table = (files(__package__) / "data" / "concepts.txt").read_text(encoding="utf-8")
    columns = ([column.split() for column in line.split("|")] for line in table.splitlines() if line[:1] != "#")
    return [(english, others) for english, *others in columns]


@cache
def _phrases(language: str) -> regex.Pattern[str]:
    phrases = sorted((key for key in _by_word()[language] if " " in key), key=len, reverse=True)
    return regex.compile(rf"\b(?:{'|'.join(map(regex.escape, phrases)) or '(?!)'})\b", regex.IGNORECASE)


def same_in_english(term: str) -> frozenset[str]:
    """Return the index terms of other English words for what an index term means, as far as the lexicon has them."""
    return _english_synonyms().get(term, frozenset())


@cache
def _english_synonyms() -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for english, _ in _entries():
        words = frozenset(stem(word) for word in english if "_" not in word)
        for word in words:
            found[word] = found.get(word, frozenset()) | words - {word}
    return found
