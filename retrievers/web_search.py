"""Search the web: the port that every provider implements, its results, and how providers keep to them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Protocol
from urllib.parse import urlsplit

from dateutil import parser as dates

from .urls import normal_form, tidy

TIMEOUT_S = 25.0


@dataclass(frozen=True)
class SearchHit:
    """One page a provider lists.

    Attributes:
        snippet: The provider's words about the page; never evidence, the fetched page is.
        published_at: As the provider states it, None where it does not.
        score: The provider's own, higher is better; None where it gives none.
    """

    url: str
    title: str = ""
    snippet: str = ""
    published_at: datetime | None = None
    score: float | None = None


@dataclass(frozen=True)
class SearchResult:
    """What a provider answered to one query.

    Attributes:
        query: As it was sent, "" where nothing was asked because the query holds no word.
        hits: Distinct pages, best first.
        direct_answer: The provider's own answer: a hint, never evidence.
        searched_at: When the provider was asked.
        from_cache: True where the answer was kept from an earlier search.
    """

    query: str
    hits: tuple[SearchHit, ...]
    direct_answer: str = ""
    searched_at: datetime | None = None
    from_cache: bool = False


class WebSearch(Protocol):
    """A search provider.

    Attributes:
        name: `tavily`, `searxng` …
        hosts: Hosts it has contacted so far.
    """

    @property
    def name(self) -> str: ...

    @property
    def hosts(self) -> tuple[str, ...]: ...

    async def search(
        self, query: str, *, max_results: int, allow_domains: Sequence[str] = (), deny_domains: Sequence[str] = ()
    ) -> SearchResult:
        """Search once.

        Args:
            query: Any text; it is cut to what the provider takes, operators kept.
            allow_domains: Where given, only these and their subdomains.
            deny_domains: Never these or their subdomains.
        Raises: ProviderError naming the setting to change, ProviderUnavailable where asking again may work.
        """


def hit_of(entry: Mapping[str, Any], *, dated: str) -> SearchHit:
    """Return a page as a provider lists it.

    Args:
        dated: Where the provider states the page's date.
    """
    score = entry.get("score")
    return SearchHit(
        url=plain_url(entry.get("url")),
        title=str(entry.get("title") or ""),
        snippet=str(entry.get("content") or ""),
        published_at=published(entry.get(dated)),
        score=float(score) if isinstance(score, int | float) else None,
    )


def distinct(hits: Iterable[SearchHit], allow: Sequence[str], deny: Sequence[str], limit: int) -> tuple[SearchHit, ...]:
    """Keep the first hit of each page, in order, within the domain lists."""
    kept: dict[str, SearchHit] = {}
    for hit in hits:
        host = (urlsplit(hit.url).hostname or "").lower()
        if not hit.url.startswith(("http://", "https://")) or not host:
            continue
        if (allow and not within(host, allow)) or within(host, deny):
            continue
        kept.setdefault(normal_form(hit.url), hit)
    return tuple(kept.values())[:limit]


def within(host: str, domains: Sequence[str]) -> bool:
    """Whether a host is one of the domains or lies below one."""
    plain = [domain.lower().strip().strip(".").removeprefix("*.") for domain in domains]
    return any(host == domain or host.endswith(f".{domain}") for domain in plain if domain)


def published(text: object) -> datetime | None:
    """Read a provider's date (ISO 8601, RFC 2822, plain words) as a time with zone; None where it cannot be read."""
    if not isinstance(text, str) or not text.strip():
        return None
    try:
        when: datetime = dates.parse(text, default=datetime(1, 1, 1))
    except (ValueError, OverflowError):
        return None
    if when.year == 1:
        return None  # Only a time of day or a weekday was given.
    return when.astimezone(UTC) if when.tzinfo else when.replace(tzinfo=UTC)


def plain_url(url: object) -> str:
    """Return a listed URL as it is fetched, "" where the provider gave none."""
    return tidy(url) if isinstance(url, str) else ""
