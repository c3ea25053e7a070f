"""SearXNG behind the search port, through langchain-community's wrapper."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime
from functools import partial
from itertools import zip_longest
from typing import Any
from urllib.parse import urlsplit

from ..errors import ProviderError, ProviderUnavailable
from .retries import with_retries
from .search_query import fit_query
from .web_search import TIMEOUT_S, SearchResult, distinct, hit_of


class SearxngSearch:
    """Search with a SearXNG instance that allows the JSON format."""

    name = "searxng"

    def __init__(
        self,
        url: str,
        *,
        timeout_s: float = TIMEOUT_S,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._url, self._timeout_s, self._clock, self._sleep = url, timeout_s, clock, sleep
        self._hosts: tuple[str, ...] = ()

    @property
    def hosts(self) -> tuple[str, ...]:
        """Its host once it was asked."""
        return self._hosts

    async def search(
        self, query: str, *, max_results: int, allow_domains: Sequence[str] = (), deny_domains: Sequence[str] = ()
    ) -> SearchResult:
        """Search once per allowed domain; see `WebSearch`.  Hits are checked against the lists all the same."""
        denied = [f"-site:{domain}" for domain in deny_domains]
        scopes = [[f"site:{domain}", *denied] for domain in allow_domains] or [denied]
        asked = [fit_query(" ".join([query, *scope])) for scope in scopes] if fit_query(query) else []
        if not asked:
            return SearchResult("", ())
        replies = await asyncio.gather(
            *(with_retries(partial(self._ask, sent), within_s=self._timeout_s, sleep=self._sleep) for sent in asked)
        )
        lists = [reply.get("results") or () for reply in replies]
        answers = [answer for reply in replies for answer in reply.get("answers") or ()]
        hits = (
            hit_of(entry, dated="publishedDate")
            for place in zip_longest(*lists)
            for entry in place
            if isinstance(entry, dict)
        )
        first = answers[0] if answers else ""
        return SearchResult(
            query=asked[0],
            hits=distinct(hits, allow_domains, deny_domains, max_results),
            direct_answer=str(first.get("answer") or "") if isinstance(first, dict) else str(first),
            searched_at=self._clock(),
        )

    async def _ask(self, query: str) -> dict[str, Any]:
        import aiohttp
        from langchain_community.utilities import SearxSearchWrapper

        class Instance(SearxSearchWrapper):
            """The wrapper with its whole reply: what it returns itself lacks dates and scores."""

            async def reply(self, query: str) -> dict[str, Any]:
                return dict(await self._asearx_api_query({**self.params, "q": query}))

        self._hosts = (urlsplit(self._url).hostname or "",)
        try:
            async with asyncio.timeout(self._timeout_s):
                return await Instance(searx_host=self._url).reply(query)
        except TimeoutError as error:
            raise ProviderUnavailable(self.name, f"no answer within {self._timeout_s:g} s") from error
        except aiohttp.ClientError as error:
            message = f"cannot be reached at {self._url}: {error}"
            raise ProviderUnavailable(self.name, message, setting="SEARXNG_URL") from error
        except ValueError as error:
            # The wrapper reports every status in one way, and a page instead of JSON as a ValueError too.
            message = "gave an error or no JSON: is the address right, and is `json` among its search formats?"
            raise ProviderError(self.name, message, setting="SEARXNG_URL") from error
