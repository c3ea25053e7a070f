"""Questions and sources of different languages: words meet by what they mean, where a small lexicon has them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache

from ....state.records import Source
from ....text.concepts import LANGUAGES, Meaning, english_terms, from_english, in_english, meanings_of, phrases_in
from ....text.languages import detect
from ....text.words import analyse, stem, stem_in
from ...protocol import Passage


class ForeignTerm(str):
    """An index term of a question that knows what it means in English; equal to the plain term.

    Attributes:
        meanings: What it means, all of which a text in English, or put into English, must name.
    """

    meanings: tuple[Meaning, ...]

    def __new__(cls, term: str, meanings: tuple[Meaning, ...]) -> ForeignTerm:
        made = super().__new__(cls, term)
        made.meanings = meanings
        return made


def with_meanings(terms: Sequence[str], text: str, language: str) -> tuple[str, ...]:
    """Return the index terms of a question of which those of another language know what they mean."""
    if language not in LANGUAGES:
        return tuple(terms)
    known: dict[str, tuple[Meaning, ...]] = {}
    for word in text.replace("?", " ").replace(",", " ").split():
        if meanings := meanings_of(word, language):
            for key in (stem_in(word, language), stem(word), *analyse(word)):
                known.setdefault(key, meanings)
    for phrase, meaning in phrases_in(text, language):
        known.update(dict.fromkeys(analyse(phrase), (meaning,)))
    return tuple(ForeignTerm(term, known[term]) if term in known else term for term in terms)


def means_one_of(term: str, terms: Collection[str]) -> bool:
    """Whether index terms name in English all that a question term of another language means."""
    meanings = getattr(term, "meanings", ())
    return bool(meanings) and all(any(word in terms for word in meaning.terms) for meaning in meanings)


@lru_cache(maxsize=4_096)
def language_of(text: str) -> str:
    """Return the language of a passage."""
    return detect(text)


def pivot_terms(text: str, passage: Passage) -> frozenset[str]:
    """Return the English index terms of what a text says, where its passage is in another language with a lexicon."""
    return english_terms(text, language_of(passage.chunk.text))


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
        if any(len(word) > 3 and meanings_of(word, other) for word in words) and (told := from_english(phrase, other)):
            yield told
