"""The sentences and table rows of a passage that may carry a fact, each with its words and its surroundings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from pathlib import PurePosixPath

import regex

from ....state.records import Quote, TableRow
from ....text.german import base_key
from ....text.periods import month_names
from ....text.sentences import sentences
from ....text.words import analyse, stem_in
from ...protocol import Passage
from ...tables.row_periods import row_periods
from ..asked.foreign import keys_of, language_of, pivot_terms
from ..asked.implied import follows_another, implied_terms
from .fragments import (
    has_verb,
    is_courtesy,
    is_heading,
    is_letterhead,
    is_post_signed,
    is_topic_line,
    is_version,
    number_length,
    run_in_heading,
)
from .orders import order_spans
from .quoted import questions_quoted, replied_to
from .turns import described, turn_at, turns_of

STEM_CHARS = 8
_MIN_TERMS = 2
_INTRODUCTION_CHARS = 400
_FEW_WORDS = 12
_FUNCTION_WORDS = 0.12
_MAX_CHARS = 700
_RUNS_ON = regex.compile(r"[,;:–—-]\s*$|\b(?:of|the|and|in|for|to|a|an|by|with|at|on|or)\s*$", regex.IGNORECASE)
_COMPANY_END = regex.compile(r"\b(?:Inc|Ltd|Co|Corp|Bros|plc)\.$", regex.IGNORECASE)
# `Total due: 1,686.30 €` states a figure, however short its line.
_STATES = regex.compile(
    r"^\p{Lu}[^:\n]{1,60}\s?:\s+(?:(?:\p{Sc}|\p{Lu}{3}\s)\s?-?\d|-?\d[\d.,\s]*(?:\p{Sc}|%|\p{Lu}{3}\b))"
)
# What is told of the thing or the person of the sentence before.
_REFERS = regex.compile(r"^(?:It|Its|They|Their|His|Her|Sein|Seine|Ihr|Ihre|Son|Sa|Ses|Leur)\s\p{Ll}")
# What somebody says in a turn is said, and may be advice, whatever its words.
_SAID_WORDS = """
    say said saying tell told think thought advise advice recommend recommendation suggest suggestion opinion view"""
_SAID_ABROAD = """
    sagen meinen denken raten empfehlen vorschlagen fordern berichten erzählen dire dit penser conseiller recommander"""
SAID = frozenset(analyse(_SAID_WORDS)) | frozenset(
    term for word in _SAID_ABROAD.split() for term in (stem_in(word, "de"), stem_in(word, "fr"), base_key(word))
)
# What the head of a change log's section is, beside its number.
VERSION = frozenset(analyse("version release edition update"))
# `There is no antidote.` says something in one word.
_SAYS_NONE = regex.compile(
    r"^there (?:is|are|was|were) no \p{L}|^no \p{L}+ (?:is|are|was|were|has|have)\b", regex.IGNORECASE
)
_SHORT_LINE = 0.6
_CAPITALISED = 0.5
_MIN_SENTENCE_CHARS = 20
_BREAK = regex.compile(r"\n\s*\n|\n\s*(?:[-*•·▪◦–]|\(?\d{1,2}[.)]|\(?[a-z][.)])\s")
_ITEM = regex.compile(r"\(?(?:\d{1,2}|[a-z])[.)]")
_BULLET = regex.compile(r"^(?:[-*•·▪◦–]|\(?\d{1,2}[.)]|\(?[a-z][.)])\s+|^#{1,6}\s+|^>\s+|^\|\s*")


@dataclass(frozen=True)
class Candidate:
    """Words of one chunk that may answer.

    Attributes:
        start: First character in the chunk's text; end: one past the last.
        text: The span word for word.
        title: What the passage is about: the source's title or its heading, empty where there is none.
        terms: Index terms of the span.
        context: Index terms of title, headings and name of the source.
        row: The table row it is, where it is one.
    """

    passage: Passage
    start: int
    end: int
    text: str
    title: str
    terms: frozenset[str]
    context: frozenset[str]
    row: TableRow | None = None
    heading: tuple[int, int] | None = None
    """Where in the chunk's text the label stands that heads its paragraph, where one does."""
    section: tuple[int, int] | None = None
    """Where in the chunk's text the last heading before it stands."""
    clause: frozenset[str] = frozenset()
    """Index terms of the clause that it amends."""
    begun: Quote | None = None
    """The words on the page before with which its sentence begins, where a page ends within it."""

    @property
    def chunk_id(self) -> str:
        return self.passage.chunk.chunk_id

    @property
    def uri(self) -> str:
        return self.passage.chunk.uri

    @property
    def known(self) -> frozenset[str]:
        """Index terms of the span and of what stands over it."""
        return self.terms | self.context

    @property
    def key(self) -> tuple[str, int, int]:
        """A total order that does not depend on how the passages arrived."""
        return self.chunk_id, self.start, self.end


def candidates_of(passage: Passage) -> list[Candidate]:
    """Return the candidates of a passage in order.  Orders to an assistant, questions and bare headings are none."""
    text = passage.chunk.text
    title = title_of(passage)
    context = context_terms(passage)
    forbidden = [*order_spans(text), *questions_quoted(text)]
    around = context | row_context(passage) if passage.rows else context
    rows = [row for row in (_row(passage, row, title, around) for row in passage.rows) if row is not None]
    taken = [(row.start, row.end) for row in rows]
    found: list[Candidate] = [row for row in rows if not _meets(row.start, row.end, forbidden)]
    heading: tuple[int, int] | None = None
    section: tuple[int, int] | None = None
    before: tuple[int, int] | None = None
    last = 0
    for start, end in _spans(text):
        if heading and (_leaves(text, heading, last, start) or _ITEM.fullmatch(text[start:end])):
            heading = None
        last = end
        if run_in_heading(text, start, end):
            heading = (start, end)
            continue
        if _meets(start, end, forbidden) or _inside(start, end, taken):
            continue
        span = text[start:end]
        terms = index_terms(span) | pivot_terms(span, passage)
        # Beside the rows of an export stand its sheets' titles.
        caption = bool(passage.rows) and passage.source.tier == "structured" and not has_verb(span)
        if caption or _is_title(span, title, start) or is_heading(text, start, end):
            section = (start + number_length(span), end) if start else None
            continue
        if is_topic_line(text, start, end):
            section = (start, end)
            continue
        if _is_set_apart(text, start, end) or is_courtesy(span) or is_post_signed(text, start, end):
            continue
        if (len(terms) < _MIN_TERMS and not _SAYS_NONE.search(span)) or span.rstrip().endswith(("?", "？")):
            continue
        about = context
        for place in (section, heading):
            if place:
                headed = text[slice(*place)]
                about = about | index_terms(headed) | pivot_terms(headed, passage)
                about = about | VERSION if is_version(headed) else about
        about |= _turn_context(passage, start) | index_terms(replied_to(text, start))
        refers = _REFERS.match(span) or follows_another(span)
        if before is not None and refers and text[before[1] : start] in (" ", "\n", "  "):
            about |= index_terms(text[slice(*before)]) | pivot_terms(text[slice(*before)], passage)
        before = (start, end)
        found.append(Candidate(passage, start, end, span, title, terms, about, heading=heading, section=section))
    return sorted(found, key=lambda candidate: candidate.key)


def _leaves(text: str, heading: tuple[int, int], last: int, start: int) -> bool:
    """Whether a span begins another paragraph or item than the one that a label heads.

    A label without a list mark heads the lines that run on from it, up to a sentence that opens a line.
    """
    between = text[last:start]
    marked = text[text.rfind("\n", 0, heading[0]) + 1 : heading[0]].strip()
    return bool(_BREAK.search(between)) or (not marked and "\n" in between)


def title_of(passage: Passage) -> str:
    """Return what a passage is about: its first line where that is a title, else the source's title."""
    first = passage.chunk.text.split("\n", 1)[0].strip().lstrip("# ")
    if is_letterhead(first) and passage.source.title:
        return passage.source.title
    opens = passage.chunk.index == 0 and 0 < len(first) <= 120 and first != passage.chunk.text.strip()
    if opens and (passage.source.title in ("", first) or not regex.search(r"[.!?。！？]$", first)):
        return first
    return passage.source.title or (passage.chunk.headings[0] if passage.chunk.headings else "")


@lru_cache(maxsize=8_192)
def index_terms(text: str) -> frozenset[str]:
    """Return the index terms of a text and those it implies, and of long ones the key that a family shares."""
    terms = analyse(text)
    return implied_terms(text).union(terms, (stem_key(term) for term in terms if len(term) >= STEM_CHARS))


def stem_key(term: str) -> str:
    """Return the first characters of a long term, marked so that they are no term themselves."""
    return f"{term[:STEM_CHARS]}~"


def is_prose(text: str) -> bool:
    """Whether a text reads as a sentence; a run of headers or figures has hardly a function word.

    Texts of few words and scripts without spaces count as prose.
    """
    words = [word for word in text.split() if any(char.isalnum() for char in word)]
    if len(words) < _FEW_WORDS:
        return True
    content = sum(bool(analyse(word)) for word in words)
    return (len(words) - content) / len(words) >= _FUNCTION_WORDS


def context_terms(passage: Passage) -> frozenset[str]:
    """Return the index terms of what stands around a passage: title, headings, the name of the file."""
    title, headings = title_of(passage), passage.chunk.headings
    meant = pivot_terms(" ".join([title, passage.source.title, *headings]), passage)
    return _written_context(passage) | meant


def _written_context(passage: Passage) -> frozenset[str]:
    stem = PurePosixPath(passage.source.uri).stem if passage.source.kind == "file" else ""
    return _context(title_of(passage), passage.source.title, passage.chunk.headings, stem)


def row_context(passage: Passage) -> frozenset[str]:
    """Return the index terms of the words before a passage's first table row, which say what the table is about."""
    starts = [row.start - passage.chunk.start for row in passage.rows if row.start >= passage.chunk.start]
    first = min(starts, default=0)
    return _terms_of(passage.chunk.text[max(0, first - _INTRODUCTION_CHARS) : first])


def passage_terms(passage: Passage) -> frozenset[str]:
    """Return the index terms of a passage with what they mean in English, where it is in another language."""
    return written_terms(passage) | pivot_terms(passage.chunk.text, passage) | context_terms(passage)


def written_terms(passage: Passage) -> frozenset[str]:
    """Return the index terms of a passage, its context and its tables' headers, which may stand on another page."""
    text = passage.chunk.text
    terms = _terms_of(text) | _written_context(passage) | keys_of(text, language_of(text))
    if turns_of(text):
        terms |= SAID
    if any(map(is_version, text.split("\n"))):
        terms |= VERSION
    if not passage.rows:
        return terms
    heads = (" ".join([row.caption, *(cell.header for cell in row.cells)]) for row in passage.rows)
    return terms.union(*map(_terms_of, heads), *map(months_in, passage.rows))


def _turn_context(passage: Passage, start: int) -> frozenset[str]:
    """Return the index terms of what a turn was asked and of who says it, where a span stands in one."""
    text = passage.chunk.text
    turn = turn_at(text, start)
    if turn is None:
        return frozenset()
    around = described(text, turn.speaker) + (f" {text[slice(*turn.asked)]}" if turn.asked else "")
    return _terms_of(around) | pivot_terms(around, passage) | (SAID if turn.asked else frozenset())


def months_in(row: TableRow) -> frozenset[str]:
    """Return the index terms of the months in which the dates of an export's row lie: `2024-05` is in May."""
    if row.page is not None:
        return frozenset()
    months = {period.start.month for period in row_periods(row) if period.kind in ("day", "month")}
    return frozenset[str]().union(*(_terms_of(month_names(month)) for month in months))


def every_candidate(passages: Iterable[Passage]) -> list[Candidate]:
    """Return the candidates of all passages; the words that two overlapping chunks share count once."""
    seen: set[tuple[str, int, int]] = set()
    found: list[Candidate] = []
    for passage in passages:
        base = passage.chunk.start
        for candidate in candidates_of(passage):
            place = (passage.chunk.uri, base + candidate.start, base + candidate.end)
            if place not in seen:
                seen.add(place)
                found.append(candidate)
    return found


@lru_cache(maxsize=1_024)
def _spans(text: str) -> tuple[tuple[int, int], ...]:
    """Return sentence spans without the list mark in front; very long ones are cut at a comma or blank."""
    spans: list[tuple[int, int]] = []
    widest = max(map(len, text.split("\n")))
    for start, end in sentences(text):
        bullet = _BULLET.match(text[start:end])
        start += bullet.end() if bullet else 0
        start += _heading_length(text[start:end], widest)
        while end - start > _MAX_CHARS:
            cut = max(
                text.rfind(mark, start + _MAX_CHARS // 2, start + _MAX_CHARS) for mark in (", ", "; ", "，", "、")
            )
            cut = max(cut, text.rfind(" ", start + _MAX_CHARS // 2, start + _MAX_CHARS)) if cut < 0 else cut
            cut = cut + 1 if cut > 0 else start + _MAX_CHARS
            spans.append((start, cut))
            start = cut
            while start < end and text[start].isspace():
                start += 1
        if start < end:
            spans.append((start, end))
    return tuple(spans)


def _heading_length(span: str, widest: int) -> int:
    """Return how many characters of a span are heading lines that a page's text glued before a sentence.

    A heading, or a line of a letterhead, is short beside the widest line of the text, half of its words are
    capitalised or none is a verb, it does not run on, and what follows opens a sentence or another such line.
    """
    lines = span.split("\n")
    at = 0
    for line, following in pairwise(lines):
        words = [word for word in line.split() if word[0].isalpha()]
        capitalised = sum(word[0].isupper() for word in words)
        headed = (
            not _RUNS_ON.search(line)
            and not _STATES.match(line)
            and (following[:1].isupper() or following[:1].isdigit())
            and (
                line.isupper()
                or (
                    len(line) < _SHORT_LINE * widest
                    and (capitalised >= _CAPITALISED * len(words) or not has_verb(line))
                )
            )
        )
        rest = span[at + len(line) + 1 :]
        if not headed or (len(rest) < _MIN_SENTENCE_CHARS and not run_in_heading(f"{rest} X", 0, len(rest))):
            break
        at += len(line) + 1
    return at


def _is_set_apart(text: str, start: int, end: int) -> bool:
    """Whether a span is a line of a letterhead or a heading that a page's text has set right above what follows."""
    span = text[start:end]
    below = text[end : end + 1] == "\n" and text[end + 1 : end + 2].strip()
    if _STATES.match(span) or "\n" in span or not below or text[text.rfind("\n", 0, start) + 1 : start].strip():
        return False
    if regex.search(r"[.!?:;,。！？]$", span) and not _COMPANY_END.search(span):
        return False
    words = [word for word in span.split() if word[0].isalpha()]
    capitalised = sum(word[0].isupper() for word in words)
    short = len(span) < _SHORT_LINE * max(map(len, text.split("\n")))
    return short and (span.isupper() or capitalised >= _CAPITALISED * len(words) or not has_verb(span))


def _row(passage: Passage, row: TableRow, title: str, context: frozenset[str]) -> Candidate | None:
    """Return a row as candidate where it lies inside the chunk."""
    base = passage.chunk.start
    start, end = row.start - base, row.end - base
    if start < 0 or end > len(passage.chunk.text) or start >= end or not any(cell.text.strip() for cell in row.cells):
        return None
    words = " ".join([row.label, row.caption, *(f"{cell.header} {cell.text}" for cell in row.cells)])
    terms = index_terms(words) | months_in(row)
    return Candidate(passage, start, end, passage.chunk.text[start:end], title, terms, context, row)


def _is_title(span: str, title: str, start: int) -> bool:
    bare = span.strip().lstrip("# ")
    if start == 0 and bare == title:
        return True
    return span.lstrip().startswith("#") and "\n" not in span.strip()


def _meets(start: int, end: int, spans: Sequence[tuple[int, int]]) -> bool:
    return any(start < last and first < end for first, last in spans)


def _inside(start: int, end: int, spans: Sequence[tuple[int, int]]) -> bool:
    return any(first <= start and end <= last for first, last in spans)


@lru_cache(maxsize=4_096)
def _terms_of(text: str) -> frozenset[str]:
    return index_terms(text)


@lru_cache(maxsize=4_096)
def _context(title: str, source_title: str, headings: tuple[str, ...], stem: str) -> frozenset[str]:
    return index_terms(" ".join([title, source_title, *headings, regex.sub(r"[_\-.]+", " ", stem)]))
