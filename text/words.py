"""The one analyser: what counts as a word when texts are indexed, searched and compared."""

from __future__ import annotations

import threading
import unicodedata
from functools import lru_cache
from hashlib import sha1
from itertools import chain, repeat

import regex
import Stemmer

from .stop_words import STOP_WORDS_BY_LANGUAGE

MAX_TERM_CHARS = 64
_LANGUAGE_SAMPLE_WORDS = 160

# Digit groups joined by separators are one word; so are letters, marks and digits in a row, with apostrophes inside.
_WORD = regex.compile(
    r"\p{N}+(?:[.,'’]\p{N}+)+(?![\p{L}\p{M}\p{N}])"
    r"|[\p{L}\p{N}][\p{L}\p{M}\p{N}]*(?:['’‑-][\p{L}\p{N}][\p{L}\p{M}\p{N}]*)*"
)
_GROUP_SPACE = regex.compile(r"(?<=\d)[\u00a0\u202f\u2009](?=\d{3}(?!\d))")
# Scripts written without spaces between words.
_UNSPACED = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}ー\p{Hangul}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]+")
_ALPHABET_CHANGE = regex.compile(r"\p{N}+|[\p{L}\p{M}]+")
_FOREIGN_DIGIT = regex.compile(r"(?![0-9])\p{Nd}")
_NUMBER = regex.compile(r"[\p{N}.,'’]+")
_APOSTROPHE = regex.compile(r"['’]")
_HYPHEN = regex.compile(r"[‑-]")
_ACCENT = regex.compile(r"[\u0300-\u036f]")
_ELISIONS = frozenset(["l", "d", "j", "m", "n", "s", "t", "c", "qu", "dell", "all", "nell", "sull", "dall", "un"])
_CONTRACTED = frozenset(["s", "t", "re", "ve", "ll", "d", "m"])

_ALGORITHM_BY_LANGUAGE = {
    "en": "english",
    "de": "german",
    "fr": "french",
    "es": "spanish",
    "it": "italian",
    "pt": "portuguese",
    "nl": "dutch",
    "sv": "swedish",
    "ru": "russian",
}
_ALGORITHM_BY_SCRIPT = (
    (regex.compile(r"\p{Cyrillic}"), "russian"),
    (regex.compile(r"\p{Greek}"), "greek"),
    (regex.compile(r"\p{Arabic}"), "arabic"),
    (regex.compile(r"\p{Devanagari}"), "hindi"),
    (regex.compile(r"\p{Armenian}"), "armenian"),
    (regex.compile(r"\p{Tamil}"), "tamil"),
)
_local = threading.local()


def strip_accents(text: str) -> str:
    """Return the text without combining accents of European scripts; marks that carry vowels elsewhere stay."""
    if text.isascii():
        return text
    return unicodedata.normalize("NFC", _ACCENT.sub("", unicodedata.normalize("NFD", text)))


STOP_WORDS: frozenset[str] = frozenset(strip_accents(word) for word in STOP_WORDS_BY_LANGUAGE["en"])
_FOLDED_STOP_WORDS = {
    language: frozenset(strip_accents(word) for word in words) for language, words in STOP_WORDS_BY_LANGUAGE.items()
}
_LANGUAGES_BY_STOP_WORD: dict[str, tuple[str, ...]] = {
    word: tuple(language for language, words in STOP_WORDS_BY_LANGUAGE.items() if word in words)
    for word in frozenset().union(*STOP_WORDS_BY_LANGUAGE.values())
}


def analyse(text: str) -> list[str]:
    """Return the index terms of a text, in order, repeats kept.

    Words are Unicode letter, mark and digit runs, case and accents folded, stop words dropped, stemmed by Snowball in
    the language that the text's function words or its script tell.  A word of another language in Latin script gives
    its English stem too where that differs, so that a query too short to tell its language still meets it.  Scripts
    without spaces give character bigrams.  Numbers are given whole without group separators, dates and versions also
    in their parts, `FY2022` also as `fy` and `2022`, `10-K` also as `10k`.  A term has at most 64 characters: of
    longer ones the head and a digest stay, so that equal words remain equal.
    """
    words = _surface(text)
    return list(chain.from_iterable(map(_terms, words, repeat(_language_of(words)))))


def line_words(text: str) -> list[str]:
    """Return the words of a text as written, without the marks around them."""
    return [word for word in (raw.strip("\"'“”„«»‘’()[]{}?!.,;:¿¡") for raw in text.split()) if word]


def content_words(text: str) -> list[str]:
    """Return the folded words of a text that carry content, in order: no stop words, no stemming."""
    words = _surface(text)
    stops = _stops(_language_of(words))
    return [folded for word in words for folded in _folded(word) if folded not in stops]


def stem(word: str) -> str:
    """Return the stem of a single word, folded; the language is told by its script, English for Latin."""
    folded = unicodedata.normalize("NFKC", word).casefold()
    return _bounded(strip_accents(_stem(folded, "en")))


def stem_in(word: str, language: str) -> str:
    """Return the stem of a single word in a language given by its ISO 639-1 code, folded."""
    return _bounded(strip_accents(_stem(unicodedata.normalize("NFKC", word).casefold(), language)))


def _surface(text: str) -> list[str]:
    if not text.isascii():
        text = unicodedata.normalize("NFKC", _GROUP_SPACE.sub(",", text))
        text = _FOREIGN_DIGIT.sub(lambda digit: str(unicodedata.decimal(digit.group(), digit.group())), text)
    words: list[str] = _WORD.findall(text.casefold())
    return words


def _language_of(words: list[str]) -> str:
    """Tell the language by its function words; English unless another has more of them, and at least two."""
    counts: dict[str, int] = {}
    for word in filter(_LANGUAGES_BY_STOP_WORD.__contains__, words[:_LANGUAGE_SAMPLE_WORDS]):
        for language in _LANGUAGES_BY_STOP_WORD[word]:
            counts[language] = counts.get(language, 0) + 1
    best = max(counts, key=lambda language: (counts[language], language == "en", language), default="en")
    return best if counts.get(best, 0) >= 2 else "en"


def _stops(language: str) -> frozenset[str]:
    return STOP_WORDS if language == "en" else STOP_WORDS | _FOLDED_STOP_WORDS[language]


@lru_cache(maxsize=200_000)
def _terms(word: str, language: str) -> tuple[str, ...]:
    """Return the index terms of one surface word."""
    if word.isascii():  # most words: nothing to part or to fold
        if word.isdigit():
            return (_bounded(word),)
        if language == "en" and word.isalpha():
            return () if word in STOP_WORDS else (_bounded(_stem(word, "en")),)
    stops = _stops(language)
    terms: list[str] = []
    for piece in _pieces(word):
        if piece[0].isnumeric() and not piece.isalnum():
            terms.extend(_number_terms(piece))
        elif _UNSPACED.search(piece):
            terms.extend(_bigrams(piece))
        elif strip_accents(piece) not in stops and piece not in stops:
            terms.extend(_word_terms(piece, language))
    pieces = _HYPHEN.split(word)
    if len(pieces) > 1 and len(word) <= 16 and any(char.isdigit() for char in word):
        terms.append(strip_accents("".join(pieces)))  # 10-K is also 10k, COVID-19 also covid19
    return tuple(_bounded(term) for term in terms if term)


def _pieces(word: str) -> list[str]:
    """Split a surface word at hyphens and apostrophes; contractions and elided articles fall away."""
    if word[0].isnumeric() and _NUMBER.fullmatch(word):
        return [word]
    pieces: list[str] = []
    for part in _HYPHEN.split(word):
        halves = _APOSTROPHE.split(part)
        while len(halves) > 1 and halves[-1] in _CONTRACTED:
            halves.pop()
        while len(halves) > 1 and halves[0] in _ELISIONS:
            halves.pop(0)
        pieces.extend(half for half in halves if half)
    return pieces


def _word_terms(piece: str, language: str) -> list[str]:
    terms = [strip_accents(_stem(piece, language))]
    if language != "en" and piece[0] < "\u0250":
        english = _stem(strip_accents(piece), "en")
        if english != terms[0]:
            terms.append(english)
    runs = _ALPHABET_CHANGE.findall(piece)
    if len(runs) > 1:
        terms.extend(strip_accents(run) for run in runs if len(run) > 1)
    return terms


def _number_terms(piece: str) -> list[str]:
    """Return a number whole, without group separators and with a decimal point, and what else it may be read as."""
    plain = regex.sub(r"['’]", ",", piece)
    separators = regex.findall(r"[.,]", plain)
    if not separators:  # letters that `regex` knows and Python does not yet
        return [plain]
    groups = regex.split(r"[.,]", plain)
    last_is_group = len(groups[-1]) == 3 and len(groups[0]) <= 3
    if len(set(separators)) == 1 and last_is_group and all(len(group) == 3 for group in groups[1:]):
        whole = "".join(groups)  # 4,120 and 1.234.567
        return [whole, f"{groups[0]}.{groups[1]}"] if separators == ["."] else [whole]
    grouped = groups[:-1]
    if (
        len(set(separators[:-1])) <= 1
        and all(len(group) == 3 for group in grouped[1:])
        and (len(separators) == 1 or separators[-1] != separators[0])
    ):
        whole, decimals = "".join(grouped), groups[-1]
        return [f"{whole}.{decimals}", whole] if len(whole) > 2 else [f"{whole}.{decimals}"]
    return [plain, *groups]  # a date, a version, a list of figures


def _bigrams(piece: str) -> list[str]:
    """Return the character bigrams of runs without spaces, and the words between such runs."""
    terms: list[str] = []
    position = 0
    for run in _UNSPACED.finditer(piece):
        if position < run.start():
            terms.extend(_word_terms(piece[position : run.start()], "en"))
        characters = run.group()
        if len(characters) == 1:
            terms.append(characters)
        terms.extend(characters[at : at + 2] for at in range(len(characters) - 1))
        position = run.end()
    if position < len(piece):
        terms.extend(_word_terms(piece[position:], "en"))
    return terms


def _folded(word: str) -> list[str]:
    folded: list[str] = []
    for piece in _pieces(word):
        if piece[0].isnumeric() and not piece.isalnum():
            folded.append(_number_terms(piece)[0])
        elif _UNSPACED.search(piece):
            folded.extend(_bigrams(piece))
        else:
            folded.append(_bounded(strip_accents(piece)))
    return folded


def _stem(word: str, language: str) -> str:
    if word[-1].isnumeric() or len(word) > MAX_TERM_CHARS:
        return word
    algorithm = _ALGORITHM_BY_LANGUAGE[language]
    if not word.isascii() and ord(word[0]) > 0x24F:
        algorithm = next((name for script, name in _ALGORITHM_BY_SCRIPT if script.match(word)), "")
        if not algorithm:
            return word
    elif language == "ru":
        algorithm = "english"
    return str(_stemmer(algorithm).stemWord(word)) or word


def _stemmer(algorithm: str) -> Stemmer.Stemmer:
    # One per thread: a Snowball stemmer works in a buffer of its own.
    stemmers: dict[str, Stemmer.Stemmer] = _local.__dict__.setdefault("stemmers", {})
    if algorithm not in stemmers:
        stemmers[algorithm] = Stemmer.Stemmer(algorithm, 0)
    return stemmers[algorithm]


def _bounded(term: str) -> str:
    if len(term) <= MAX_TERM_CHARS:
        return term
    return term[: MAX_TERM_CHARS - 16] + sha1(term.encode()).hexdigest()[:16]
