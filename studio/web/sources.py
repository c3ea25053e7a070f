"""A source opened at the quote: its extracted text around a cited passage, and the file it came from."""

from __future__ import annotations

from contextlib import closing
from itertools import pairwise
from pathlib import Path
from typing import Any

from ...reports.references import safe_link, telling_title
from ...retrievers.corpora import CorpusShelf
from ...retrievers.corpus_store import CorpusStore
from ...retrievers.roots import Roots
from ...settings import Environment, Settings
from ...state.records import Evidence, Report
from .replies import Refused
from .threads import Turn

AROUND = 20_000
"""Characters shown before and after a passage."""


def source_at(turn: Turn, chunk_id: str, environment: Environment) -> dict[str, Any]:
    """Return the text around a passage of the report, cut at the words that the report quotes from it.

    `changed` says that the source was read anew since, so that the passage stands alone, as the run read it.
    Raises: Refused where the report holds no such passage.
    """
    report = turn.report
    item = next((item for item in report.evidence if item.chunk_id == chunk_id), None)
    if item is None:
        raise Refused("this report holds no such passage", 404)
    text = _text(turn, item.uri, environment)
    changed = text is None or text[item.start : item.end] != item.text
    if text is None or changed:
        text, begin, end, marks = item.text, 0, len(item.text), _quotes(report, item, 0)
    else:
        begin, end = max(0, item.start - AROUND), min(len(text), item.end + AROUND)
        marks = [
            span
            for other in report.evidence
            if other.uri == item.uri and text[other.start : other.end] == other.text
            for span in _quotes(report, other, other.start)
        ]
    passage = (0, len(text)) if changed else (item.start, item.end)
    source = next((source for source in report.sources if source.uri == item.uri), None)
    return {
        "uri": item.uri,
        "title": telling_title(source),
        "link": safe_link(source),
        "file": bool(_path(turn, item.uri, environment)),
        "page": item.page,
        "changed": changed,
        "before": begin,
        "after": len(text) - end,
        "pieces": _pieces(text, begin, end, passage, marks),
    }


def file_of(turn: Turn, uri: str, environment: Environment) -> Path:
    """Return the file that a source of the report was read from.  Raises: Refused where it cannot be opened."""
    if uri not in {source.uri for source in turn.report.sources}:
        raise Refused("this report has no such source", 404)
    path = _path(turn, uri, environment)
    if path is None:
        raise Refused(f"{uri}: its file is not here any more", 404)
    return path


def _pieces(
    text: str, begin: int, end: int, passage: tuple[int, int], marks: list[tuple[int, int]]
) -> list[dict[str, Any]]:
    """Cut the text from `begin` to `end` where the passage or a quote begins or ends."""
    inside = [(max(begin, a), min(end, b)) for a, b in marks if a < end and b > begin]
    cuts = sorted(
        {begin, end, *(min(max(edge, begin), end) for edge in passage), *(x for span in inside for x in span)}
    )
    return [
        {
            "text": text[a:b],
            "passage": passage[0] <= a and b <= passage[1],
            "marked": any(x <= a and b <= y for x, y in inside),
        }
        for a, b in pairwise(cuts)
    ]


def _quotes(report: Report, item: Evidence, offset: int) -> list[tuple[int, int]]:
    """Where the report quotes a passage: in claims and conflicts, in facts where no claim does."""
    claims = [quote for claim in report.answer.claims for quote in claim.quotes]
    claims += [value.quote for conflict in report.answer.conflicts for value in conflict.values if value.quote]
    own = [quote for quote in claims if quote.chunk_id == item.chunk_id]
    own = own or [quote for fact in report.facts for quote in fact.quotes if quote.chunk_id == item.chunk_id]
    return [(offset + quote.start, offset + quote.end) for quote in own if quote.end <= len(item.text)]


def _corpus(turn: Turn, environment: Environment) -> Path | None:
    run = turn.values.get("run")
    if run is not None:
        return Path(run.corpus) if run.corpus else None
    settings = Settings.model_validate(dict(turn.report.settings))
    return CorpusShelf(environment).folder_for(turn.values.get("docs") or [], [], settings)


def _text(turn: Turn, uri: str, environment: Environment) -> str | None:
    folder = _corpus(turn, environment)
    if folder is None or not folder.is_dir():
        return None
    with closing(CorpusStore(folder)) as store:
        return store.text(uri)


def _path(turn: Turn, uri: str, environment: Environment) -> Path | None:
    folder = _corpus(turn, environment)
    if folder is None or not folder.is_dir():
        return None
    with closing(CorpusStore(folder)) as store:
        held = store.held_of([uri]).get(uri)
    path = Path(held.path) if held and held.path else None
    roots = Roots.of(environment)
    if path is None or not path.is_file() or (roots.folders and not roots.holds(path)):
        return None
    return path
