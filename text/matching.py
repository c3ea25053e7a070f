"""Find a quote in a text whatever quotes, hyphens, spaces, ligatures or accents either of them is typed with."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

import regex

_CLUSTER = regex.compile(r"\X")
_ASCII_WORD = re.compile(r"\S+")  # `regex` does not count the separators U+001C to U+001F as white space
# With the ASCII character in front, which an accent may belong to, and the one behind, which some signs take in.
_BEYOND_ASCII = regex.compile(r"[\x00-\x7f]?(?:[^\x00-\x7f]+[\x00-\x7f]?)+")
_DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2043\u2212\ufe58\ufe63\uff0d"
_SINGLE_QUOTES = "\u2018\u2019\u201a\u201b\u2032\u2035\u02bc\u2039\u203a\u0060\u00b4\uff07"
_DOUBLE_QUOTES = "\u201c\u201d\u201e\u201f\u2033\u2036\u00ab\u00bb\u301d\u301e\u301f\uff02"
# Zero-width characters, soft hyphens and direction marks change how a text looks or breaks, never what it says.
_INVISIBLE = "\u00ad\u034f\u061c\u180e\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2061\u2062\u2063\u2064\u2066\u2067\u2068\u2069\ufeff\ufffe"  # noqa: E501
_TYPOGRAPHIC = str.maketrans(
    dict.fromkeys(_DASHES, "-")
    | dict.fromkeys(_SINGLE_QUOTES, "'")
    | dict.fromkeys(_DOUBLE_QUOTES, '"')
    | {"\u2026": "...", "\u2044": "/", "\u2215": "/", "\u00d7": "x"}
    | dict.fromkeys(_INVISIBLE, "")
)
_SUPERSCRIPT = frozenset("\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079")
_ELLIPSIS = regex.compile(r"\s*(?:\[\s*(?:\.\.\.|\u2026)\s*\]|\.\.\.|\u2026)\s*")


@dataclass(frozen=True)
class Folded:
    """A text in its comparable form, each character tied to the characters of the original it came from.

    Attributes:
        text: Compatible forms composed, typography plain, runs of white space one space, ends stripped.
        starts: For each character of `text`, the first character of its source in the original.
        ends: Likewise one past the last.
    """

    text: str
    starts: tuple[int, ...]
    ends: tuple[int, ...]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return the span of the original that characters `start` to `end` (exclusive) of `text` came from."""
        if start >= end:
            raise ValueError(f"an empty span has no place in the original: {start} to {end}")
        return self.starts[start], self.ends[end - 1]


def fold(text: str, *, ignore_case: bool = False) -> Folded:
    """Return the comparable form of a text.

    White space of every kind and length is one space; typographic quotes, dashes and ellipses are plain; ligatures,
    full-width forms and combining accents are composed (NFKC); invisible characters are gone.  A raised digit after a
    digit is written `^`, so that 10⁵ is not 105, and a fraction after a digit is set off, so that 1½ is not 11/2.

    Args:
        ignore_case: Also fold case; lower-casing may lengthen a text, the offsets still index the original.
    """
    return _folded(text, ignore_case)


@lru_cache(maxsize=64)  # one passage is looked through for many quotes
def _folded(text: str, ignore_case: bool) -> Folded:
    made = _Folding(ignore_case)
    at = 0
    for odd in _BEYOND_ASCII.finditer(text):
        made.add_ascii(text, at, odd.start())
        made.add_clusters(odd.group(), odd.start())
        at = odd.end()
    made.add_ascii(text, at, len(text))
    return made.folded()


@lru_cache(maxsize=1_024)
def _folded_text(text: str, ignore_case: bool) -> str:
    """Return the comparable form without its offsets."""
    if not text.isascii():
        return _folded(text, ignore_case).text
    plain = " ".join(text.split())
    return plain.lower() if ignore_case else plain


class _Folding:
    """A folded text in the making: plain ASCII word by word, the rest cluster by cluster."""

    def __init__(self, ignore_case: bool) -> None:
        self._ignore_case = ignore_case
        self._pieces: list[str] = []
        self._starts: list[int] = []
        self._ends: list[int] = []
        self._blank = True  # true at the start, so that leading white space vanishes
        self._before = ""

    def add_ascii(self, text: str, first: int, last: int) -> None:
        """Add characters `first` to `last` (exclusive) of a text, all ASCII: each stands for itself."""
        at = first
        for word in _ASCII_WORD.finditer(text, first, last):
            start, end = word.span()
            if start > at:
                self._space(at, at + 1)
            plain = word.group()
            self._pieces.append(plain.lower() if self._ignore_case else plain)
            self._starts.extend(range(start, end))
            self._ends.extend(range(start + 1, end + 1))
            self._blank, self._before, at = False, plain[-1], end
        if at < last:
            self._space(at, at + 1)

    def add_clusters(self, text: str, offset: int) -> None:
        """Add a text that begins at an offset of the original."""
        for match in _CLUSTER.finditer(text):
            cluster, first, last = match.group(), offset + match.start(), offset + match.end()
            if cluster.isspace() or cluster in "\u2028\u2029":
                self._space(first, last)
                continue
            plain = cluster if cluster.isascii() else _plain(cluster, self._before)
            if self._ignore_case:
                plain = unicodedata.normalize("NFC", plain.casefold())
            for char in plain:
                if char == " ":
                    self._space(first, last)
                    continue
                self._pieces.append(char)
                self._starts.append(first)
                self._ends.append(last)
                self._blank, self._before = False, char

    def folded(self) -> Folded:
        """Return what was added, without white space at the end."""
        if self._pieces and self._pieces[-1] == " ":
            del self._pieces[-1], self._starts[-1], self._ends[-1]
        return Folded("".join(self._pieces), tuple(self._starts), tuple(self._ends))

    def _space(self, first: int, last: int) -> None:
        if not self._blank:
            self._pieces.append(" ")
            self._starts.append(first)
            self._ends.append(last)
            self._blank, self._before = True, " "


def comparable(text: str) -> str:
    """Return the comparable form alone, case folded."""
    return _folded_text(text, True)


def find_quote(quote: str, text: str, *, ignore_case: bool = False, start: int = 0) -> tuple[int, int] | None:
    """Return where a text holds a quote, as (start, end) in the original text, end exclusive; None where it does not.

    An exact substring comes first; otherwise both are compared in their folded form.  A quote does not begin or end
    inside a number: `2 %` is not found in `12 %`.

    Args:
        ignore_case: Let `The best year` stand for `the best year`.
        start: Look from this character of the text on.
    """
    if not quote.strip():
        return None
    exact = _find(quote, text, start)
    if exact is not None:
        return exact, exact + len(quote)
    needle = _folded_text(quote, ignore_case)
    if not needle:
        return None
    if needle not in _folded_text(text[start:], ignore_case):
        return None  # most texts do not hold it, and need no offsets
    hay = fold(text[start:], ignore_case=ignore_case)
    at = _find(needle, hay.text, 0)
    if at is None:
        return None
    first, last = hay.span(at, at + len(needle))
    return start + first, start + last


def find_elided(quote: str, text: str) -> tuple[tuple[int, int], ...] | None:
    """Return where the parts of a quote with `…` or `[...]` stand in a text, in order; None where one is missing."""
    spans: list[tuple[int, int]] = []
    position = 0
    for part in _ELLIPSIS.split(quote):
        if not part.strip():
            continue
        found = find_quote(part, text, start=position)
        if found is None:
            return None
        spans.append(found)
        position = found[1]
    return tuple(spans) or None


def _plain(cluster: str, before: str) -> str:
    if before.isdigit() and cluster[0] in _SUPERSCRIPT:
        return "^" + unicodedata.normalize("NFKC", cluster)
    # Typography first: NFKC would turn an acute accent standing alone into a space and a combining mark.
    composed = unicodedata.normalize("NFKC", cluster.translate(_TYPOGRAPHIC)).translate(_TYPOGRAPHIC)
    if before.isdigit() and "/" in composed and composed[:1].isdigit():
        return " " + composed
    return composed


def _find(needle: str, hay: str, start: int) -> int | None:
    """Return the first place of a needle at which no number is cut in two."""
    at = hay.find(needle, start)
    while at >= 0:
        if not (_cuts_number(hay, at) or _cuts_number(hay, at + len(needle))):
            return at
        at = hay.find(needle, at + 1)
    return None


def _cuts_number(text: str, at: int) -> bool:
    """Whether a cut before character `at` falls inside a number such as 12 or 1,250.5."""
    if not 0 < at < len(text):
        return False
    before, after = text[at - 1], text[at]
    if before.isdigit() and after.isdigit():
        return True
    if before in ".," and after.isdigit():
        return at >= 2 and text[at - 2].isdigit()
    return before.isdigit() and after in ".," and at + 1 < len(text) and text[at + 1].isdigit()
