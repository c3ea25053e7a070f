"""Cut a text into sentences, as spans of the original."""

# ruff: noqa: SIM905 - word lists read better as running text

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import regex

_ABBREVIATIONS = frozenset(
    """
    mr mrs ms dr prof rev hon st sr jr messrs mt ft gen col lt sgt capt cmdr adm maj gov sen rep pres inc ltd
    co corp llc plc bros gmbh cie dept univ assn est vs v e.g i.e cf viz approx ca c al etc ed eds vol vols no
    nos nr pp p par para sec art ch fig figs eq eqs tab ref resp incl excl min max avg temp tel ext op cit
    ibid jan feb mar apr jun jul aug sep sept oct nov dec mon tue wed thu fri sat sun u.s u.k u.n e.u a.m p.m
    ph.d m.d b.a m.a d.c bzw z.b d.h u.a usw evtl ggf inkl zzgl abs str mio mrd tsd hr fr jh env env p.ej sra
    sres av bd rd ave blvd
""".split()
)
# After these a capital letter usually does open a new sentence.
_MAY_CLOSE = frozenset(
    """
    etc inc ltd co corp plc u.s u.k a.m p.m u.n e.u al usw jr sr d.c est
""".split()
)
_STARTERS = frozenset(
    """
    the a an this that these those it its he she they we i you in on at by for from with as if when while
    after before however but and or so there here our their his her no not all most some many such both each
    other others according although because since during under over to until within without what who why how
    where which
""".split()
)
_END = regex.compile(
    r"""(?P<cjk>[。！？｡︒．]+[」』”’）\)]*)
      | (?P<mark>[.!?…؟۔।]+)(?P<close>["'”’»)\]]*)
        (?P<cite>(?:\s?\[\d{1,3}(?:\s*[,–-]\s*\d{1,3})*\]|\s?【\d+】)*)(?=\s|$)
      | (?P<glued>(?<=[\p{Ll}\d)][\p{Ll})])[.!?])(?=\p{Lu}\p{Ll}+\s)
    """,
    regex.VERBOSE,
)
_LINE = regex.compile(r"[^\n\r\u2028\u2029\f]+")
_BULLET = regex.compile(r"\s*(?:[•‣◦▪●○■–—*+-]|\(?\d{1,3}[.)]|\(?[a-zA-Z][.)])\s+\S")
# `- 5 million` may be a loss.
_MARK = regex.compile(r"\s*(?:(?:[•‣◦▪●○■*]|[–—+-](?=\s+\D)|#{1,6}|>)\s+)+")
_HEADING = regex.compile(r"\s*#{1,6}\s+\S")
_FENCED_CELLS = regex.compile(r"\t|\s\|\s|^\s*\|")
# A key may be short: `No.: A1; Owner: …`.
_KEY_VALUE = regex.compile(r"(?:[^:;.!?]|\.(?=:)){1,80}:\s[^;]*;\s[^:;]{1,80}:\s")
# A figure with a comma behind it (`on 28 January 2023, $1.1`) stands in prose.
_TRAILING_FIGURES = regex.compile(
    r"(?:[\s|]+(?:[$€£¥]\s?)?\(?-?[$€£¥]?\d(?:[\d,.]*\d)?\)?\s?%?\)?|[\s|]+(?:[$€£¥]\s?)?[—–-](?=\s|$)){2,}\s*$"
)
# A line that breaks after a date ends in figures and is prose all the same.
_DATE_AT_END = regex.compile(
    r"\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\w*\.?\s+\d{1,2},?\s+(?:19|20)\d\d[.,;:]?\s*$",
    regex.IGNORECASE,
)
_WORD_BEFORE = regex.compile(r"(?:[\p{L}\p{M}]+\.)*[\p{L}\p{M}]+$")
# `am 12. Mai`, `im 3. Quartal`: an ordinal, no end.
_ORDINAL_BEFORE = regex.compile(r"(?<!\d)\d{1,2}$")
_MONTH_AFTER = regex.compile(
    r"(?:Januar|Jänner|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember|Quartal|Halbjahr|"
    r"Jahrhundert)\b"
)
# `Bonn, 2. Obergeschoss`, `die 3. Rate`: German writes an ordinal so.
_ORDINAL_LISTED = regex.compile(
    r"(?:\p{L},|\b(?i:im|am|der|die|das|dem|den|des|zum|zur|vom|beim|ab|bis|seit|eine[rmns]?|jede[rmns]?))\s\d{1,2}$"
)
_NO_NOUN = regex.compile(
    r"(?:Der|Die|Das|Den|Dem|Ein\p{L}*|Es|Er|Sie|Wir|Ich|Im|In|Am|Bei|Danach|Dann|Und|Aber|Auch|Für|Mit|Nach)\b"
)
_MAX_SENTENCE = 4_000
# Where lines around are this wide, text is wrapped; a line is short, and another word would have fitted, below these.
_LEAST_WIDTH, _AROUND = 50, 5
_SHORT_LINE, _FITS, _SHORT_WORDS = 0.7, 0.85, 12
_RUNS_ON = regex.compile(
    r"[,;:–—-]$|\b(?:of|the|and|in|for|to|a|an|by|with|at|on|or|as|from|that|which|is|are|was|were|der|die|das|des|dem|den|"
    r"und|oder|von|für|mit|zu|im|am|de|du|la|le|les|et|ou|en|el|los|y|o|il|lo|gli|e|di|per|con)$",
    regex.IGNORECASE,
)


REMEMBERED_CHARS = 4_000
"""Texts up to this length are kept with their sentences: a passage is cut up for each thing looked for in it."""


def sentences(text: str) -> list[tuple[int, int]]:
    """Return the sentences of a text as (start, end) spans, in order, without surrounding white space.

    A blank line, a bullet, a heading and a table row stand by themselves, and so does a line of a letterhead: one that
    breaks off where the next word would have fitted.  Other line breaks are soft.  Abbreviations, initials and decimal
    points do not end a sentence, `。！？` do.  Every character that is not white space lies in
    exactly one span.
    """
    return list(_remembered(text) if len(text) <= REMEMBERED_CHARS else _cut_up(text))


@lru_cache(maxsize=2_048)
def _remembered(text: str) -> tuple[tuple[int, int], ...]:
    return tuple(_cut_up(text))


def _cut_up(text: str) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    for start, end in _blocks(text):
        spans.extend(_cut(text, start, end))
    return spans


def after_mark(text: str, start: int, end: int) -> int:
    """Return where the words of a span begin: past the sign of a list item, a heading or a quotation before them."""
    mark = _MARK.match(text, start, end)
    return mark.end() if mark and mark.end() < end else start


def is_table_row(line: str) -> bool:
    """Whether a line reads as one row of a table: cells with separators, `Header: value; …`, or trailing figures."""
    if _FENCED_CELLS.search(line) or _KEY_VALUE.match(line.lstrip()):
        return True
    return bool(_TRAILING_FIGURES.search(_DATE_AT_END.sub("", line)))


def _blocks(text: str) -> list[tuple[int, int]]:
    """Join soft-wrapped lines; return the spans that no sentence crosses."""
    blocks: list[tuple[int, int]] = []
    open_start, open_end = -1, -1
    lines = [match for match in _LINE.finditer(text) if match.group().strip()]
    for place, match in enumerate(lines):
        line = match.group()
        alone = bool(_HEADING.match(line)) or is_table_row(line)
        gap = open_end >= 0 and regex.search(r"\n[^\S\n]*\r?\n|\f|\r[^\n]", text[open_end : match.start()] + " ")
        if open_start >= 0 and (alone or gap or _BULLET.match(line) or _is_set_apart(lines, place)):
            blocks.append((open_start, open_end))
            open_start = -1
        if alone:
            blocks.append((match.start(), match.end()))
            open_start, open_end = -1, match.end()
            continue
        if open_start < 0:
            open_start = match.start()
        open_end = match.end()
    if open_start >= 0:
        blocks.append((open_start, open_end))
    return blocks


def _is_set_apart(lines: Sequence[regex.Match[str]], place: int) -> bool:
    """Whether the line before one breaks off on purpose, as in a letterhead: wrapped text would have gone on in it.

    The lines around tell how wide the text is; what ends in a comma or a small word goes on all the same.
    """
    before, line = lines[place - 1].group().strip(), lines[place].group().strip()
    near = [match.group().strip() for match in lines[max(0, place - _AROUND) : place + _AROUND]]
    width = max(map(len, near))
    if width < _LEAST_WIDTH or len(before) >= _SHORT_LINE * width or len(before.split()) > _SHORT_WORDS:
        return False
    if _RUNS_ON.search(before) or not (line[0].isupper() or line[0].isdigit()):
        return False
    return len(before) + 1 + len(line.split(maxsplit=1)[0]) < _FITS * width


def _cut(text: str, start: int, end: int) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    begin = start
    block = text[start:end]
    for match in _END.finditer(block):
        stop = start + match.end()
        if match.group("mark") is not None and not _ends_sentence(block, match):
            continue
        _append(spans, text, begin, stop)
        begin = stop
    _append(spans, text, begin, end)
    return spans


def _append(spans: list[tuple[int, int]], text: str, start: int, end: int) -> None:
    piece = text[start:end]
    stripped = piece.strip()
    if not stripped:
        return
    first = start + len(piece) - len(piece.lstrip())
    last = first + len(stripped)
    if not any(char.isalnum() for char in stripped) and spans and "\n" not in text[spans[-1][1] : first]:
        spans[-1] = (spans[-1][0], last)
        return
    while last - first > _MAX_SENTENCE:  # text without any mark: cut at white space so that work stays bounded
        cut = text.rfind(" ", first + _MAX_SENTENCE // 2, first + _MAX_SENTENCE)
        cut = cut if cut > 0 else first + _MAX_SENTENCE
        spans.append((first, cut))
        first = cut + (text[cut] == " ")
    spans.append((first, last))


def _ends_sentence(block: str, match: regex.Match[str]) -> bool:
    mark = match.group("mark")
    following = block[match.end() : match.end() + 60].lstrip()
    if not following:
        return True
    head = following.lstrip("\"'“‘«([")[:1]
    if head.islower():
        word = _WORD_BEFORE.search(block, max(0, match.start() - 24), match.start())
        # Text all in small letters still has sentences; a longer word before the stop is hardly an abbreviation.
        long = word is not None and len(word.group()) >= 4 and word.group().islower()
        return mark == "." and long and word.group().casefold() not in _ABBREVIATIONS and not match.group("close")
    if mark != ".":
        return True
    word = _WORD_BEFORE.search(block, max(0, match.start() - 24), match.start())
    if word is None and _ORDINAL_BEFORE.search(block, max(0, match.start() - 3), match.start()):
        if _MONTH_AFTER.match(following) is not None:
            return False
        listed = _ORDINAL_LISTED.search(block, max(0, match.start() - 12), match.start())
        return listed is None or _opens_sentence(following) or _NO_NOUN.match(following) is not None
    if word is None or match.group("close"):
        return True
    name = word.group().casefold()
    if len(name) == 1 and word.group().isupper():
        # `J. Smith` goes on; `vitamin C. The` ends.
        return _opens_sentence(following) and not regex.search(r"\p{Lu}\.\s*\p{Lu}$", block[: match.start()])
    if name in _ABBREVIATIONS or (("." in name) and len(name) <= 5):
        if head.isdigit():
            return False
        return name in _MAY_CLOSE and (_opens_sentence(following) or name in {"etc", "usw"})
    return True


def _opens_sentence(following: str) -> bool:
    word = regex.match(r"[\"'“‘«(\[]*(\p{L}+)", following)
    return word is not None and word.group(1).casefold() in _STARTERS
