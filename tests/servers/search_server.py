"""A search provider on loopback over a few local pages: Tavily's wire format, SearXNG's, and the pages themselves."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any
from urllib.parse import urlsplit

from servers.loopback import Asked, LoopbackServer, Reply

MAX_QUERY = 400


@dataclass(frozen=True)
class LocalPage:
    """A page of the small web.

    Attributes:
        path: Where this server serves it; a full URL stands for a page elsewhere, which is only listed.
        published: Date as a provider writes it, "" where unknown.
    """

    path: str
    title: str
    text: str
    published: str = ""


class SearchServer(LoopbackServer):
    """Answers `POST /search` as Tavily and `GET /searxng` as SearXNG, ranking pages by shared words."""

    def __init__(
        self,
        pages: Sequence[LocalPage],
        *,
        key: str = "tvly-test",
        answer: str = "",
        fail: Callable[[Asked], Reply | None] = lambda asked: None,
    ) -> None:
        """Set up.

        Args:
            key: The only key that is accepted.
            answer: The direct answer that is sent when asked for.
            fail: Returns a reply to send instead, e.g. a 429.
        """
        super().__init__(self._answer)
        self.pages, self.key, self.direct_answer, self.fail = pages, key, answer, fail
        self.searches: list[dict[str, Any]] = []

    def _answer(self, asked: Asked) -> Reply:
        if asked.path == "/search":
            return self.fail(asked) or self._tavily(asked)
        if asked.path == "/searxng":
            return self.fail(asked) or self._searxng(asked)
        for page in self.pages:
            if page.path == asked.path:
                head = f"<head><title>{escape(page.title)}</title></head>"
                html = f"<html>{head}<body><p>{escape(page.text)}</p></body></html>"
                return Reply(body=html.encode(), headers={"content-type": "text/html; charset=utf-8"})
        return Reply(404)

    def _tavily(self, asked: Asked) -> Reply:
        if asked.headers.get("authorization") != f"Bearer {self.key}":
            return Reply.of({"detail": {"error": "Unauthorized: missing or invalid API key."}}, 401)
        body = asked.json
        self.searches.append(body)
        if len(body["query"]) > MAX_QUERY:
            return Reply.of({"detail": {"error": "Query is too long. Max query length is 400 characters."}}, 400)
        found = self._rank(body["query"], body.get("include_domains") or (), body.get("exclude_domains") or ())
        results = [
            {"title": page.title, "url": self._address(page), "content": page.text[:300], "score": score}
            | ({"published_date": page.published} if page.published else {})
            for page, score in found[: body.get("max_results") or 5]
        ]
        answer = self.direct_answer if body.get("include_answer") else None
        return Reply.of(
            {"query": body["query"], "answer": answer, "images": [], "results": results, "response_time": 0.01}
        )

    def _searxng(self, asked: Asked) -> Reply:
        query = asked.query.get("q", [""])[0]
        self.searches.append({"query": query, **asked.query})
        if asked.query.get("format") != ["json"]:
            return Reply(403)
        results = [
            {
                "title": page.title,
                "url": self._address(page),
                "content": page.text[:300],
                "engines": ["local"],
                "category": "general",
                "score": score,
                "publishedDate": page.published or None,
            }
            for page, score in self._rank(query, (), ())
        ]
        return Reply.of({"query": query, "results": results, "answers": [], "suggestions": []})

    def _address(self, page: LocalPage) -> str:
        return page.path if "://" in page.path else self.url + page.path

    def _rank(self, query: str, include: Sequence[str], exclude: Sequence[str]) -> list[tuple[LocalPage, float]]:
        words = set(re.findall(r"\w+", re.sub(r"(?<!\S)(?:\w+:|-)\S+", " ", query.lower())))
        scored = []
        for page in self.pages:
            host = urlsplit(self._address(page)).hostname or ""
            listed = any(host == domain or host.endswith("." + domain) for domain in include)
            if (include and not listed) or host in exclude:
                continue
            shared = words & set(re.findall(r"\w+", f"{page.title} {page.text}".lower()))
            if shared:
                scored.append((page, round(len(shared) / max(1, len(words)), 4)))
        return sorted(scored, key=lambda entry: (-entry[1], entry[0].path))
