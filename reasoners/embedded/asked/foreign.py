"""Questions and sources of different languages: words meet by what they mean, where a small lexicon has them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache

from ....retrievers.commonness import rarity
from ....state.records import Source
from ....text.concepts import (
    LANGUAGES,
    Meaning,
    english_terms,
    from_english,
    in_english,
    is_known,
    meanings_of,
    phrases_in,
)
from ....text.german import base_key, meets_compound, separated, text_keys
from ....text.languages import detect
from ....text.words import analyse, stem, stem_in
from ...protocol import Passage

_COMPOUND_CHARS = 12
_LEAST_CHARS = 3
_HARDLY_ENGLISH = 0.95


class ForeignTerm(str):
    """An index term of a question in another language than English; equal to the plain term.

    Attributes:
        meanings: What it means, all of which a text in English, or put into English, must name.
        forms: Other index terms that are the same word: its stem in either language, the key of a German verb.
        is_german: Whether it may be part of a compound, or one itself.
    """

    meanings: tuple[Meaning, ...]
    forms: frozenset[str]
    is_german: bool

    def __new__(
        cls,
        term: str,
        meanings: tuple[Meaning, ...] = (),
        forms: frozenset[str] = frozenset(),
        *,
        is_german: bool = False,
    ) -> ForeignTerm:
        made = super().__new__(cls, term)
        made.meanings = meanings
        made.forms = forms
        made.is_german = is_german
        return made

    def as_written(self) -> ForeignTerm:
        """Return the term as a word of its language, without what it means in another."""
        return ForeignTerm(self, (), self.forms, is_german=self.is_german)


def with_meanings(terms: Sequence[str], text: str, language: str) -> tuple[str, ...]:
    """Return the index terms of a question of which those of another language know what they mean.

    A word counts once, by whichever of its stems a text holds it; a German verb that stands in two parts is one word.
    """
    if language not in LANGUAGES:
        return tuple(terms)
    known: dict[str, tuple[Meaning, ...]] = {}
    forms: dict[str, frozenset[str]] = {}
    apart = {verb.casefold(): (particle, key) for verb, particle, key in separated(text)} if language == "de" else {}
    particles = {particle for particle, _ in apart.values()}
    for word in text.replace("?", " ").replace(",", " ").split():
        stems = dict.fromkeys((stem_in(word, language), stem(word), *analyse(word)))
        particle, key = apart.get(word.casefold(), ("", base_key(word) if language == "de" else ""))
        for each in stems:
            forms.setdefault(each, frozenset((*stems, key)) - {""})
        whole = f"{particle}{word}" if particle else word
        if is_known(whole, language):
            for each in stems:
                known.setdefault(each, meanings_of(whole, language))
    for phrase, meaning in phrases_in(text, language):
        known.update(dict.fromkeys(analyse(phrase), (meaning,)))
    made: dict[frozenset[str], str] = {}
    for term in terms:
        if term in particles:
            continue
        of_word = forms.get(term, frozenset((term,)))
        made.setdefault(of_word, ForeignTerm(term, known.get(term, ()), of_word, is_german=language == "de"))
    return tuple(made.values())


def is_same_word(term: str, terms: Collection[str]) -> bool:
    """Whether index terms hold another form of a question term of another language, or a German compound with it."""
    if not isinstance(term, ForeignTerm):
        return False
    if any(form in terms for form in term.forms):
        return True
    return term.is_german and meets_compound(term, terms)


def is_compound(term: str) -> bool:
    """Whether a question term is a German word so long that its beginning alone is another word."""
    return len(term) >= _COMPOUND_CHARS and isinstance(term, ForeignTerm) and term.is_german


def means_one_of(term: str, terms: Collection[str]) -> bool:
    """Whether index terms name in English all that a question term of another language means."""
    meanings = getattr(term, "meanings", ())
    return bool(meanings) and all(any(word in terms for word in meaning.terms) for meaning in meanings)


@lru_cache(maxsize=4_096)
def language_of(text: str) -> str:
    """Return the language of a passage."""
    return detect(text)


def pivot_terms(text: str, passage: Passage) -> frozenset[str]:
    """Return the English index terms of what a text in a language with a lexicon says, and the keys of German words."""
    language = language_of(passage.chunk.text)
    return english_terms(text, language) | keys_of(text, language)


def keys_of(text: str, language: str) -> frozenset[str]:
    """Return the keys by which the forms of a German word meet; none in another language."""
    return text_keys(text) if language == "de" else frozenset()


def is_foreign(language: str, passage: Passage) -> bool:
    """Whether a passage is in another language than a question, and the lexicon leads from one to the other."""
    other = language_of(passage.chunk.text)
    known = ("en", *LANGUAGES)
    return other != language and other in known and language in known


def in_other_languages(phrase: str, language: str, sources: Sequence[Source]) -> Iterator[str]:
    """Yield a search in English for a question that is not, and in the languages that titles of the sources are in."""
    if language in LANGUAGES:
        yield in_english(phrase, language)
        return
    if language != "en":
        return
    titles = " ".join(f"{source.title} {source.uri}" for source in sources).replace("_", " ").replace("/", " ")
    words = titles.replace(".", " ").split()
    for other in LANGUAGES:
        if any(_is_of(word, other) for word in words) and (told := from_english(phrase, other)):
            yield told


def _is_of(word: str, language: str) -> bool:
    """Whether a word of a title is of another language and hardly English: `report` is a French verb too."""
    return len(word) > _LEAST_CHARS and rarity(word) >= _HARDLY_ENGLISH and bool(meanings_of(word, language))
