"""How much each word of a question tells among the passages at hand."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache

import regex

from ....retrievers.commonness import rarity
from ....text.everyday import everyday_terms
from ....text.words import analyse, line_words
from ...protocol import Passage
from ..asked.answer_types import asks_for_money, money_terms
from ..asked.families import related_terms
from ..asked.foreign import is_compound, is_same_word, means_one_of
from ..asked.initials import spelled_out, with_initials
from ..asked.question import Question
from ..asked.soft import soft_terms
from .candidates import STEM_CHARS, passage_terms, stem_key, written_terms
from .papers import Papers

_SPELLED_CHARS = 4
# `permanently` is told as `for good`; how something was done is seldom told in the words of a question.
_ADVERB = regex.compile(r"\p{L}{4}ly$", regex.IGNORECASE)
# How long something lasts is told without that word.
_LASTS = regex.compile(r"(?<=\bhow long\b.{1,80})\b(?:lasts?|lasted|takes?|taken|stays?|stayed)\b", regex.IGNORECASE)
_LASTING_SHARE = 0.3
_ADVERB_SHARE = 0.5


def term_weights(question: Question, passages: Sequence[Passage], *, as_written: bool = False) -> dict[str, float]:
    """Return the weight of each question term: ln(1 + (N + ½) / (n + ½)) over the N passages found, n of them with it.

    Counting among what was found, rather than in the whole corpus, lowers the words that every hit shares and raises
    those that tell the hits apart.  A word that no passage holds weighs most, the less the commoner it is in English
    (a paper says `agreement` for a contract), and nothing where its gloss is held or its
    place says that it names no subject (`the latest figure`).

    Args:
        as_written: Count the words that stand there, not what those of another language mean.
    """
    pool = [written_terms(passage) if as_written else passage_terms(passage) for passage in passages]
    total = len(pool)
    found = {term: sum(holds(terms, term) for terms in pool) for term in question.terms}
    met = {
        word
        for pair in question.glosses
        for word, other in (pair, pair[::-1])
        if not found.get(word) and (found.get(other) or any(holds(terms, other) for terms in pool))
    }
    if question.language == "en":
        met |= {term for term in soft_terms(question.text) if not found.get(term)}
    rare = _rarities(question)
    lasting = {term for match in _LASTS.finditer(question.text) for term in analyse(match.group())}
    return {
        term: 0.0
        if term in met
        else math.log(1 + (total + 0.5) / (n + 0.5))
        * (1.0 if n else rare.get(term, 1.0))
        * (_LASTING_SHARE if term in lasting else 1.0)
        for term, n in found.items()
    }


@lru_cache(maxsize=256)
def _rarities(question: Question) -> dict[str, float]:
    """Return how rare the plain words of an English question are.

    Names, figures, the thing whose amount or price is asked for and words of other languages count whole.
    """
    if question.language != "en":
        return {}
    whole = question.name_terms
    if question.answer_type == "number":
        whole |= set(analyse(question.focus))
    if asks_for_money(question):
        whole |= set(question.terms) - money_terms(question)
    rare: dict[str, float] = {}
    for word in line_words(question.text):
        for term in analyse(word):
            if word.isalpha() and term not in whole:
                share = _ADVERB_SHARE if _ADVERB.search(word) else 1.0
                rare[term] = min(rare.get(term, 1.0), share * rarity(word))
    return rare


def holds(terms: Collection[str], term: str) -> bool:
    """Whether index terms hold a question term, or another of its family: `retain` is met by `retention`."""
    if term in terms or (len(term) >= STEM_CHARS and stem_key(term) in terms and not is_compound(term)):
        return True
    if spelled_out(term) in terms:
        return True
    others = (*related_terms(term), *everyday_terms(term))
    return any(other in terms for other in others) or is_same_word(term, terms) or means_one_of(term, terms)


def holds_all(terms: Collection[str], asked: Iterable[str]) -> bool:
    """Whether index terms hold each of some question terms."""
    return all(holds(terms, term) for term in asked)


def holds_any(terms: Collection[str], asked: Iterable[str]) -> bool:
    """Whether index terms hold one of some question terms."""
    return any(holds(terms, term) for term in asked)


def share_held(terms: Collection[str], asked: Collection[str]) -> float:
    """Return the share of some question terms that index terms hold, in [0, 1]; 0 where nothing is asked."""
    return sum(holds(terms, term) for term in asked) / len(asked) if asked else 0.0


def coverage(terms: Collection[str], weights: Mapping[str, float]) -> float:
    """Return the weighted share of question terms that a text holds, in [0, 1]; 0 where nothing is asked."""
    total = sum(weights.values())
    return sum(weight for term, weight in weights.items() if holds(terms, term)) / total if total else 0.0


def held_terms(question: Question, passage: Passage, *, as_written: bool = False) -> frozenset[str]:
    """Return the terms of a passage, with those of a name that its file name spells without blanks."""
    own = written_terms(passage) if as_written else passage_terms(passage)
    return own | source_terms(question, passage)


def of_named_sources(question: Question, passages: Sequence[Passage]) -> list[Passage]:
    """Leave out passages of other sources where the question names one.

    Where a file's own name spells a name of the question, that file is meant: another company's `Effective tax rate`
    is no answer, unless its passage mentions the name or its paper amends the one that is meant.
    """
    named = {passage.chunk.uri for passage in passages if _spelled_names(question, passage)}
    if not named:
        return list(passages)
    named |= Papers(passages).amending(named)
    wanted = [with_initials(analyse(name), name) for name in question.names]
    return [
        passage
        for passage in passages
        if passage.chunk.uri in named or any(terms and holds_all(passage_terms(passage), terms) for terms in wanted)
    ]


def named_sources_of(names: Sequence[str], passages: Sequence[Passage]) -> set[str]:
    """Return the sources whose own name spells one of some names."""
    return {passage.chunk.uri for passage in passages if _spelled(names, passage)}


def source_terms(question: Question, passage: Passage) -> frozenset[str]:
    """Return the question terms that the source as a whole stands for, whether or not a sentence repeats them.

    A filing named `ACME_2022_10K.pdf` is about Acme in 2022 on each of its pages.
    """
    if passage.source.kind not in ("file", "web"):
        return frozenset()
    named = {term for name in _spelled_names(question, passage) for term in analyse(name)}
    years = regex.findall(r"(?<!\d)(?:19|20)\d{2}(?!\d)", f"{passage.source.uri} {passage.source.title}")
    return frozenset(named | (set(years) & set(question.terms)))


def _spelled_names(question: Question, passage: Passage) -> list[str]:
    """Return the names of a question that the name of a passage's source spells, blanks or not."""
    return _spelled(question.names, passage)


def _spelled(names: Sequence[str], passage: Passage) -> list[str]:
    if passage.source.kind not in ("file", "web"):
        return []
    words = regex.findall(r"[\p{L}\p{N}]+", f"{passage.source.uri} {passage.source.title}".casefold().replace("_", " "))
    place = regex.sub(r"[^\p{L}\p{N}]", "", f"{passage.source.uri} {passage.source.title}").casefold()
    return [
        name
        for name in names
        if (bare := regex.sub(r"[^\p{L}\p{N}]", "", name).casefold())
        and (bare in place if len(bare) >= _SPELLED_CHARS else bare in words)
    ]
