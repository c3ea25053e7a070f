"""Web pages into a corpus: fetched once per run, read, cut to the size kept, duplicates and failures named."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Callable, Sequence
from dataclasses import asdict
from datetime import datetime
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from ..errors import SourceError
from ..state.journal import CallJournal, Recorded
from ..state.records import Source
from .fetch import Fetcher, Page
from .parsers import extract
from .parsers.extraction import Extraction

if TYPE_CHECKING:
    from ..settings import Settings
    from .corpus import Corpus
    from .web_search import SearchHit, WebSearch

PAGE_CHARS = 60_000

Progress = Callable[[str, int, int], None]


async def add_pages(
    corpus: Corpus,
    urls: Sequence[str],
    fetcher: Fetcher,
    journal: CallJournal,
    run_id: str,
    *,
    progress: Progress | None = None,
    dated: dict[str, datetime] | None = None,
    embed: bool = False,
) -> dict[str, Source]:
    """Fetch pages at once and add them to a corpus.

    Args:
        urls: Distinct, cleaned.
        run_id: A page that this run fetched before is taken from its journal.
        dated: Publication dates known from a search provider, by URL.
        embed: Whether to compute the vectors now.
    Returns: Each URL with its source: ok, skipped (nothing to read, a duplicate) or failed with the reason.
    """
    done = 0

    async def one(url: str) -> tuple[Source, Extraction | None]:
        nonlocal done
        read = await _read(url, fetcher, journal, run_id)
        done += 1
        if progress:
            progress("fetch", done, len(urls))
        return read

    read = await asyncio.gather(*(one(url) for url in urls))
    known = dated or {}
    pages = [
        (source.model_copy(update={"published_at": source.published_at or known.get(source.uri)}), extraction)
        for source, extraction in read
    ]
    added = await asyncio.to_thread(corpus.add_extractions, pages, embed=embed)
    return {source.uri: source for source in added}


async def search_pages(
    corpus: Corpus,
    query: str,
    provider: WebSearch,
    fetcher: Fetcher,
    journal: CallJournal,
    run_id: str,
    settings: Settings,
    *,
    first: bool,
) -> dict[str, Source]:
    """Search the web for a query and add the pages found to the corpus.

    Args:
        provider: Its direct answer is a hint and never evidence.
        first: Whether this is the first round, which asks for more results.
    Returns: The sources tried, by uri.
    Raises: CitewellError where the provider fails.
    """
    wanted = settings.first_results if first else settings.followup_results
    request = {
        "provider": provider.name,
        "query": query,
        "max_results": wanted,
        "allow": settings.allow_domains,
        "deny": settings.deny_domains,
    }

    async def call() -> Recorded:
        result = await provider.search(
            query,
            max_results=wanted,
            allow_domains=settings.allow_domains,
            deny_domains=settings.deny_domains,
        )
        return Recorded([_plain(hit) for hit in result.hits])

    found = (await journal.once(run_id, "search", request, call)).result
    known = {source.uri for source in await asyncio.to_thread(corpus.sources)}
    urls = [hit["url"] for hit in found if hit["url"] not in known]
    dated = {hit["url"]: datetime.fromisoformat(hit["published_at"]) for hit in found if hit["published_at"]}
    return await add_pages(corpus, urls, fetcher, journal, run_id, dated=dated, embed=True)


def _plain(hit: SearchHit) -> dict[str, Any]:
    published = hit.published_at.isoformat() if hit.published_at else None
    return {"url": hit.url, "title": hit.title, "published_at": published}


async def _read(url: str, fetcher: Fetcher, journal: CallJournal, run_id: str) -> tuple[Source, Extraction | None]:
    async def call() -> Recorded:
        return Recorded(_encoded(await fetcher.fetch(url)))

    try:
        page = _decoded((await journal.once(run_id, "fetch", {"url": url}, call)).result)
        extraction = await asyncio.to_thread(_extracted, page)
    except SourceError as error:
        return Source(uri=url, kind="web", status="failed", reason=error.reason), None
    source = Source(
        uri=url,
        kind="web",
        title=extraction.title,
        media_type=extraction.media_type or page.media_type,
        sha256=sha256(page.content).hexdigest(),
        tier=extraction.tier,
        fetched_at=page.fetched_at,
        published_at=extraction.published_at or page.published_at,
        extractor=extraction.extractor,
        status="skipped" if extraction.skipped else "ok",
        reason=extraction.skipped or extraction.note,
    )
    return source, None if extraction.skipped else extraction


def _extracted(page: Page) -> Extraction:
    extraction = extract(page.content, name=page.final_url, media_type=page.media_type, charset=page.charset)
    told = f"only the first {PAGE_CHARS:,} of {len(extraction.text):,} characters are kept"
    return extraction.shortened(PAGE_CHARS, told) if len(extraction.text) > PAGE_CHARS else extraction


def _encoded(page: Page) -> dict[str, Any]:
    values = asdict(page)
    values["content"] = base64.b64encode(page.content).decode()
    for name in ("published_at", "fetched_at"):
        values[name] = values[name].isoformat() if values[name] else None
    return values


def _decoded(values: dict[str, Any]) -> Page:
    published = values["published_at"]
    return Page(
        **values
        | {
            "content": base64.b64decode(values["content"]),
            "published_at": datetime.fromisoformat(published) if published else None,
            "fetched_at": datetime.fromisoformat(values["fetched_at"]),
        }
    )
