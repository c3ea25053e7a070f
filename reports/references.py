"""The list of references: passages get numbers in order of first use, each page is listed once."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from urllib.parse import quote as percent_encode
from urllib.parse import urlsplit

from ..retrievers.urls import normal_form
from ..state.records import Answer, Evidence, Quote, Report, Source

_SAFE_IN_URL = "/:?#[]@!$&'()*+,;=~%-._"
_CONTROL = re.compile(r"[\x00-\x20\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")


@dataclass(frozen=True)
class Segment:
    """A piece of a passage; `claims` names the claims that quote it, `marked` says that anything does."""

    text: str
    marked: bool
    claims: tuple[str, ...] = ()


@dataclass(frozen=True)
class Reference:
    """A cited passage under its number.

    Attributes:
        number: What `[n]` shows, from 1.
        uri: Its source; the chunk id where the passage is not in the report.
        title: The source's title where it says more than the uri.
        link: Address to open, empty unless the source is a web page that was read.
        quotes: The quoted words, exact, in order of place, none inside another.
        spans: All quotes of the passage, each with the claim it belongs to, if any.
        evidence: None where the report does not hold the passage.
        claims: Ids of the claims that cite it.
    """

    number: int
    chunk_id: str
    uri: str
    title: str
    link: str
    quotes: tuple[str, ...]
    spans: tuple[tuple[Quote, str], ...]
    evidence: Evidence | None
    claims: tuple[str, ...]
    source: Source | None = None

    @cached_property
    def segments(self) -> tuple[Segment, ...]:
        """The whole passage cut at the quotes."""
        return segments(self.evidence.text, self.spans) if self.evidence else ()


def citation_order(answer: Answer) -> tuple[str, ...]:
    """Return the distinct chunk ids that the answer shows, in order of first use."""
    ids = [chunk_id for claim in answer.claims for chunk_id in claim.citations]
    ids += [value.chunk_id for conflict in answer.conflicts for value in conflict.values]
    return tuple(dict.fromkeys(ids))


def references(report: Report) -> tuple[Reference, ...]:
    """Return the cited passages of a report, numbered from 1 in order of first use."""
    evidence = {item.chunk_id: item for item in report.evidence}
    sources = {source.uri: source for source in report.sources}
    quotes = _quotes_by_chunk(report)
    claims: dict[str, list[str]] = {}
    for claim in report.answer.claims:
        for chunk_id in claim.citations:
            claims.setdefault(chunk_id, []).append(claim.claim_id)
    found = []
    for number, chunk_id in enumerate(citation_order(report.answer), start=1):
        item = evidence.get(chunk_id)
        source = sources.get(item.uri) if item else None
        spans = quotes.get(chunk_id, [])
        found.append(
            Reference(
                number=number,
                chunk_id=chunk_id,
                uri=item.uri if item else chunk_id,
                title=telling_title(source),
                link=safe_link(source),
                quotes=_outer_quotes(item, spans) if item else tuple(quote.text for quote, _ in spans),
                spans=tuple(spans),
                evidence=item,
                claims=tuple(dict.fromkeys(claims.get(chunk_id, []))),
                source=source,
            )
        )
    return tuple(found)


def safe_link(source: Source | None) -> str:
    """Return the address of a web page that was read, or nothing: no other address of a report may be opened."""
    if source is None or source.status != "ok":
        return ""
    return web_address(source.uri)


def web_address(uri: str) -> str:
    """Return an http(s) address made safe to stand in a link, or nothing."""
    try:
        parts = urlsplit(uri)
    except ValueError:
        return ""
    if parts.scheme.lower() not in {"http", "https"} or not parts.hostname or _CONTROL.search(parts.netloc):
        return ""
    return percent_encode(uri, safe=_SAFE_IN_URL)


def telling_title(source: Source | None) -> str:
    """Return a source's title, or nothing where it only repeats the uri."""
    if source is None or one_line(source.title).casefold() in source.uri.casefold():
        return ""
    return one_line(source.title)


def distinct_sources(sources: Iterable[Source]) -> tuple[Source, ...]:
    """Return the sources with spellings of one address listed once, the first that was read before others."""
    kept: dict[str, Source] = {}
    for source in sources:
        key = same_page(source.uri)
        if key not in kept or (source.status == "ok" and kept[key].status != "ok"):
            kept[key] = source
    return tuple(kept.values())


def same_page(uri: str) -> str:
    """Return a key that is equal for spellings of one web address; a file's is its uri."""
    if not web_address(uri):
        return uri
    try:
        return normal_form(uri)
    except ValueError:
        return uri


def place(item: Evidence, words: Mapping[str, str]) -> str:
    """Return where in its source a passage stands: page, sheet with rows, or its headings."""
    parts = []
    if item.page is not None:
        parts.append(f"{words['page']} {item.page}")
    if item.sheet:
        parts.append(f"{words['sheet']} {item.sheet}")
    if item.rows:
        first, last = item.rows
        parts.append(f"{words['rows']} {first}" if first == last else f"{words['rows']} {first}–{last}")
    if not parts and item.headings:
        parts.append(" › ".join(one_line(heading) for heading in item.headings))
    return ", ".join(parts)


def segments(text: str, spans: Sequence[tuple[Quote, str]]) -> tuple[Segment, ...]:
    """Cut a passage at its quotes so that overlapping ones can be marked; the pieces joined are the passage."""
    inside = [(quote, owner) for quote, owner in spans if 0 <= quote.start < quote.end <= len(text)]
    cuts = sorted({0, len(text), *(edge for quote, _ in inside for edge in (quote.start, quote.end))})
    pieces = []
    for start, end in pairwise(cuts):
        over = [owner for quote, owner in inside if quote.start <= start and end <= quote.end]
        named = tuple(dict.fromkeys(owner for owner in over if owner))
        pieces.append(Segment(text=text[start:end], marked=bool(over), claims=named))
    return tuple(pieces)


def one_line(text: str) -> str:
    """Return a text with each run of white space as one space."""
    return " ".join(text.split())


def _quotes_by_chunk(report: Report) -> dict[str, list[tuple[Quote, str]]]:
    """Quotes by chunk with the claim they belong to; a fact's words stand in where no claim quotes a passage."""
    found: dict[str, list[tuple[Quote, str]]] = {}
    for claim in report.answer.claims:
        for item in claim.quotes:
            found.setdefault(item.chunk_id, []).append((item, claim.claim_id))
    for conflict in report.answer.conflicts:
        for value in conflict.values:
            if value.quote:
                found.setdefault(value.quote.chunk_id, []).append((value.quote, ""))
    quoted = set(found)
    for fact in report.facts:
        for item in fact.quotes:
            if item.chunk_id not in quoted:
                found.setdefault(item.chunk_id, []).append((item, ""))
    return found


def _outer_quotes(item: Evidence, spans: Sequence[tuple[Quote, str]]) -> tuple[str, ...]:
    """The quotes of a passage by place, touching or overlapping ones united."""
    united: list[list[int]] = []
    for start, end in sorted({(quote.start, quote.end) for quote, _ in spans if quote.end <= len(item.text)}):
        if united and start <= united[-1][1]:
            united[-1][1] = max(united[-1][1], end)
        else:
            united.append([start, end])
    return tuple(item.text[start:end] for start, end in united)
