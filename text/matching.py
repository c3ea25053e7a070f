"""Find a quote in a text whatever quotes, hyphens, spaces, ligatures or accents either of them is typed with."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

import regex

_CLUSTER = regex.compile(r"\X")
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

    @property
    def offsets(self) -> tuple[int, ...]:
        """For each character of `text`, where its source begins in the original."""
        return self.starts

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
    pieces: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    blank = True  # true at the start, so that leading white space vanishes
    for first, last, cluster in _clusters(text):
        if cluster.isspace() or cluster in "\u2028\u2029":
            if not blank:
                pieces.append(" ")
                starts.append(first)
                ends.append(last)
                blank = True
            continue
        plain = cluster if cluster.isascii() else _plain(cluster, pieces[-1] if pieces else "")
        if ignore_case:
            plain = unicodedata.normalize("NFC", plain.casefold())
        for char in plain:
            if char == " " and blank:
                continue
            pieces.append(char)
            starts.append(first)
            ends.append(last)
            blank = char == " "
    if pieces and pieces[-1] == " ":
        del pieces[-1], starts[-1], ends[-1]
    return Folded("".join(pieces), tuple(starts), tuple(ends))


def comparable(text: str) -> str:
    """Return the comparable form alone, case folded."""
    return fold(text, ignore_case=True).text


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
    needle = fold(quote, ignore_case=ignore_case).text
    if not needle:
        return None
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


def _clusters(text: str) -> list[tuple[int, int, str]]:
    """Return grapheme clusters with their places; plain ASCII has one per character."""
    if text.isascii():
        return [(index, index + 1, char) for index, char in enumerate(text)]
    return [(match.start(), match.end(), match.group()) for match in _CLUSTER.finditer(text)]


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
