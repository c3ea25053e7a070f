"""Tavily behind the search port, through its own client."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlsplit

import httpx

from ..errors import ProviderError, ProviderUnavailable
from .politeness import retry_after_s
from .retries import with_retries
from .search_query import fit_query, sites_of
from .web_search import TIMEOUT_S, SearchResult, distinct, hit_of

DEFAULT_URL = "https://api.tavily.com"


class TavilySearch:
    """Advanced search with Tavily; its direct answer is asked for and handed on as a hint."""

    name = "tavily"

    def __init__(
        self,
        api_key: str,
        *,
        base_url: str | None = None,
        timeout_s: float = TIMEOUT_S,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._api_key, self._base_url = api_key, (base_url or DEFAULT_URL).rstrip("/")
        self._timeout_s, self._clock, self._sleep = timeout_s, clock, sleep
        self._hosts: tuple[str, ...] = ()

    @property
    def hosts(self) -> tuple[str, ...]:
        """Its host once it was asked."""
        return self._hosts

    async def search(
        self, query: str, *, max_results: int, allow_domains: Sequence[str] = (), deny_domains: Sequence[str] = ()
    ) -> SearchResult:
        """Search once; see `WebSearch`."""
        sent = fit_query(query)
        if not sent:
            return SearchResult("", ())
        found = await with_retries(
            lambda: self._ask(sent, max_results, allow_domains or sites_of(sent), deny_domains),
            within_s=self._timeout_s,
            sleep=self._sleep,
        )
        hits = (
            hit_of(entry, dated="published_date") for entry in found.get("results") or () if isinstance(entry, dict)
        )
        return SearchResult(
            query=sent,
            hits=distinct(hits, allow_domains, deny_domains, max_results),
            direct_answer=str(found.get("answer") or ""),
            searched_at=self._clock(),
        )

    async def _ask(self, query: str, max_results: int, allow: Sequence[str], deny: Sequence[str]) -> dict[str, Any]:
        from tavily import AsyncTavilyClient
        from tavily.errors import BadRequestError, ForbiddenError, InvalidAPIKeyError, UsageLimitExceededError
        from tavily.errors import TimeoutError as TavilyTimeout

        self._hosts = (urlsplit(self._base_url).hostname or "",)
        # The client hides response headers; a hook sees Retry-After before the client raises.
        async with httpx.AsyncClient(base_url=self._base_url, event_hooks={"response": [_refuse_busy]}) as http:
            http.headers["Authorization"] = f"Bearer {self._api_key}"
            http.headers["Content-Type"] = "application/json"
            client = AsyncTavilyClient(api_key=self._api_key, client=http)
            try:
                found: dict[str, Any] = await client.search(
                    query,
                    search_depth="advanced",
                    max_results=max_results,
                    include_answer=True,
                    include_domains=list(allow) or None,
                    exclude_domains=list(deny) or None,
                    timeout=self._timeout_s,
                )
            except InvalidAPIKeyError as error:
                raise ProviderError(self.name, "the key was refused", setting="TAVILY_API_KEY") from error
            except ForbiddenError as error:
                message = str(error) or "the plan's limit is reached"
                raise ProviderError(self.name, message, setting="TAVILY_API_KEY") from error
            except BadRequestError as error:
                raise ProviderError(self.name, f"refused the query: {error}") from error
            except (UsageLimitExceededError, TavilyTimeout) as error:
                raise ProviderUnavailable(self.name, str(error) or "too many requests") from error
            except (ValueError, AttributeError) as error:
                # The client reads the reply as JSON and as an object without looking first.
                raise ProviderUnavailable(self.name, "sent no JSON object") from error
            except httpx.HTTPStatusError as error:
                status = error.response.status_code
                raise ProviderError(self.name, f"HTTP {status}", setting="TAVILY_BASE_URL") from error
            except httpx.HTTPError as error:
                reason = str(error) or type(error).__name__
                message = f"cannot be reached at {self._base_url}: {reason}"
                raise ProviderUnavailable(self.name, message, setting="TAVILY_BASE_URL") from error
        return found


async def _refuse_busy(response: httpx.Response) -> None:
    if response.status_code == 429 or response.status_code >= 500:
        wait_s = retry_after_s(response.headers.get("retry-after"))
        raise ProviderUnavailable("tavily", f"HTTP {response.status_code}", retry_after_s=wait_s)
