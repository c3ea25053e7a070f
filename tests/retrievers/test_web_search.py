"""Web search with the real clients against a provider on loopback."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from citewell.errors import ProviderError, ProviderUnavailable
from citewell.retrievers.search_cache import CachedSearch
from citewell.retrievers.searxng import SearxngSearch
from citewell.retrievers.tavily import TavilySearch
from citewell.retrievers.web_providers import web_search
from citewell.retrievers.web_search import SearchHit, distinct, published
from citewell.settings import Environment, Settings
from servers.loopback import LoopbackServer, Reply
from servers.search_server import LocalPage, SearchServer

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
PAGES = [
    LocalPage("/kiln", "Kiln 4", "Kiln 4 reaches 1,240 degrees after its rebuild.", "Tue, 03 Feb 2026 10:00:00 GMT"),
    LocalPage("/kiln#rebuild", "Kiln 4 again", "Kiln 4 reaches 1,240 degrees."),
    LocalPage("https://news.example.org/kiln", "Kiln news", "Kiln 4 was rebuilt.", "2026-01-15"),
    LocalPage("https://forum.test/kiln", "Kiln talk", "Somebody says kiln 4 is cold."),
    LocalPage("ftp://files.test/kiln", "Kiln file", "kiln 4"),
]


class Waits:
    """A sleep that only notes how long it was asked to wait."""

    def __init__(self) -> None:
        self.seconds: list[float] = []

    async def __call__(self, seconds: float) -> None:
        self.seconds.append(seconds)


def tavily(server: SearchServer, **more) -> TavilySearch:
    return TavilySearch(server.key, base_url=server.url, clock=lambda: NOW, **more)


async def test_tavily_is_asked_in_depth_and_its_answer_is_a_hint():
    with SearchServer(PAGES, answer="1,240 degrees") as server:
        provider = tavily(server)
        assert provider.hosts == ()
        result = await provider.search("kiln 4 degrees", max_results=5)
    sent = server.searches[0]
    assert (sent["search_depth"], sent["max_results"], sent["include_answer"]) == ("advanced", 5, True)
    assert [hit.url for hit in result.hits] == [
        f"{server.url}/kiln",
        "https://forum.test/kiln",
        "https://news.example.org/kiln",
    ]
    assert result.hits[0].published_at == datetime(2026, 2, 3, 10, tzinfo=UTC)
    assert (result.direct_answer, result.searched_at, provider.hosts) == ("1,240 degrees", NOW, ("127.0.0.1",))


async def test_domain_lists_are_sent_and_checked():
    with SearchServer(PAGES) as server:
        provider = tavily(server)
        only = await provider.search("kiln", max_results=5, allow_domains=("example.org",))
        never = await provider.search("kiln", max_results=5, deny_domains=("forum.test", "127.0.0.1"))
    assert [hit.url for hit in only.hits] == ["https://news.example.org/kiln"]
    assert [hit.url for hit in never.hits] == ["https://news.example.org/kiln"]
    assert [search.get("include_domains") for search in server.searches] == [["example.org"], None]
    assert server.searches[1]["exclude_domains"] == ["forum.test", "127.0.0.1"]


async def test_a_long_query_reaches_the_provider_within_its_limit():
    query = "we run three kilns and want to know about bricks, " * 20 + "how hot is kiln 4 site:example.org -forum"
    with SearchServer(PAGES) as server:
        result = await tavily(server).search(query, max_results=5)
    assert len(server.searches[0]["query"]) <= 400
    assert "site:example.org" in server.searches[0]["query"]
    assert "-forum" in server.searches[0]["query"]
    assert [hit.url for hit in result.hits] == ["https://news.example.org/kiln"]


@pytest.mark.parametrize("query", ["???", "", "—"])
async def test_a_query_without_words_asks_nobody(query):
    with SearchServer(PAGES) as server:
        result = await tavily(server).search(query, max_results=5)
        other = await SearxngSearch(f"{server.url}/searxng").search(query, max_results=5)
    assert (result.hits, other.hits, server.calls) == ((), (), [])


@pytest.mark.parametrize(
    ("reply", "error", "words"),
    [
        (Reply.of({"detail": {"error": "Unauthorized"}}, 401), ProviderError, "TAVILY_API_KEY"),
        (Reply.of({"detail": {"error": "plan limit exceeded"}}, 432), ProviderError, "plan limit exceeded"),
        (Reply.of({"detail": {"error": "pay as you go limit"}}, 433), ProviderError, "pay as you go limit"),
        (Reply.of({"detail": {"error": "bad"}}, 400), ProviderError, "refused the query"),
        (Reply.of({}, 404), ProviderError, "TAVILY_BASE_URL"),
        (Reply.of({"detail": {"error": "slow down"}}, 429), ProviderUnavailable, "429"),
        (Reply(500), ProviderUnavailable, "500"),
        (Reply(body=b"<html>"), ProviderUnavailable, "no JSON object"),
        (Reply(body=b"[]"), ProviderUnavailable, "no JSON object"),
        (Reply(end="reset"), ProviderUnavailable, "cannot be reached"),
        (Reply(end="hang"), ProviderUnavailable, "timed out"),
    ],
)
async def test_each_failure_of_tavily_is_named(reply, error, words):
    with SearchServer(PAGES, fail=lambda asked: reply) as server, pytest.raises(ProviderError, match=words) as raised:
        await tavily(server, sleep=Waits(), timeout_s=0.5).search("kiln", max_results=5)
    assert type(raised.value) is error
    assert error is ProviderUnavailable or len(server.calls) == 1


async def test_a_busy_provider_is_asked_again_after_the_time_it_names():
    replies = iter([Reply(429, headers={"retry-after": "3"}), Reply(503), None])
    waits = Waits()
    with SearchServer(PAGES, fail=lambda asked: next(replies)) as server:
        result = await tavily(server, sleep=waits).search("kiln", max_results=1)
    assert len(result.hits) == 1
    assert waits.seconds[0] == 3
    assert 0 <= waits.seconds[1] <= 1


async def test_a_wait_beyond_the_time_limit_is_not_begun():
    waits = Waits()
    busy = Reply(429, headers={"retry-after": "600"})
    with SearchServer(PAGES, fail=lambda asked: busy) as server, pytest.raises(ProviderUnavailable) as raised:
        await tavily(server, sleep=waits).search("kiln", max_results=1)
    assert (raised.value.retry_after_s, waits.seconds, len(server.calls)) == (600, [], 1)


async def test_searxng_keeps_dates_and_scores():
    with SearchServer(PAGES) as server:
        provider = SearxngSearch(f"{server.url}/searxng", clock=lambda: NOW)
        result = await provider.search("kiln 4", max_results=2)
        only = await provider.search("kiln", max_results=5, allow_domains=("example.org", "forum.test"))
    assert [hit.title for hit in result.hits] == ["Kiln 4", "Kiln talk"]
    assert result.hits[0].published_at == datetime(2026, 2, 3, 10, tzinfo=UTC)
    assert result.hits[0].score == 1.0
    assert [hit.url for hit in only.hits] == ["https://forum.test/kiln", "https://news.example.org/kiln"]
    assert sorted(search["query"] for search in server.searches[1:]) == [
        "kiln site:example.org",
        "kiln site:forum.test",
    ]
    assert provider.hosts == ("127.0.0.1",)


@pytest.mark.parametrize(
    ("reply", "error"),
    [
        (Reply(403), ProviderError),
        (Reply(body=b"<html>", headers={"content-type": "text/html"}), ProviderError),
        (Reply(end="reset"), ProviderUnavailable),
        (Reply(end="hang"), ProviderUnavailable),
    ],
)
async def test_each_failure_of_searxng_is_named(reply, error):
    with SearchServer(PAGES, fail=lambda asked: reply) as server, pytest.raises(ProviderError) as raised:
        await SearxngSearch(f"{server.url}/searxng", timeout_s=0.4, sleep=Waits()).search("kiln", max_results=5)
    assert type(raised.value) is error


async def test_a_kept_search_is_used_until_it_is_too_old(tmp_path):
    now = [NOW]
    with SearchServer(PAGES, answer="hot") as server:
        provider = CachedSearch(tavily(server), tmp_path / "searches.sqlite", timedelta(hours=1), lambda: now[0])
        first = await provider.search("kiln", max_results=2)
        again = await provider.search("kiln", max_results=2)
        await provider.search("kiln", max_results=3)
        now[0] += timedelta(hours=2)
        late = await provider.search("kiln", max_results=2)
    assert (first.from_cache, again.from_cache, late.from_cache) == (False, True, False)
    assert (again.hits, again.searched_at, again.direct_answer) == (first.hits, NOW, "hot")
    assert len(server.searches) == 3
    assert provider.name == "tavily"


async def test_a_cache_that_cannot_be_written_is_passed_by(tmp_path):
    (tmp_path / "searches.sqlite").write_bytes(b"no database at all " * 100)
    with SearchServer(PAGES) as server:
        result = await CachedSearch(tavily(server), tmp_path / "searches.sqlite").search("kiln", max_results=2)
    assert [hit.title for hit in result.hits] == ["Kiln 4"]


def test_the_provider_follows_from_keys_and_addresses(tmp_path):
    both = Environment(home=tmp_path, tavily_api_key="k", searxng_url="http://127.0.0.1:1/")
    assert web_search(Settings(), Environment(home=tmp_path)) is None
    assert web_search(Settings(offline=True), both) is None
    chosen = [web_search(Settings(), env) for env in (both, Environment(home=tmp_path, searxng_url="http://x/"))]
    assert [provider.name for provider in chosen if provider] == ["tavily", "searxng"]
    assert list(tmp_path.iterdir()) == []


def test_hits_of_one_page_are_one_and_other_schemes_none():
    hits = [SearchHit(url) for url in ("https://a.test/x", "http://a.test/x/", "javascript:x", "", "https://b.test/")]
    assert [hit.url for hit in distinct(hits, (), (), 5)] == ["https://a.test/x", "https://b.test/"]
    assert [hit.url for hit in distinct(hits, ("*.b.test",), (), 5)] == ["https://b.test/"]


def test_dates_are_read_in_every_form_a_provider_uses():
    assert published("2026-01-15") == datetime(2026, 1, 15, tzinfo=UTC)
    assert published("Tue, 03 Feb 2026 10:00:00 GMT") == datetime(2026, 2, 3, 10, tzinfo=UTC)
    assert [published(text) for text in ("", None, "soon", "10:30")] == [None, None, None, None]


async def test_an_unreachable_provider_is_named_with_its_address():
    with LoopbackServer(lambda asked: Reply()) as server:
        url = server.url
    with pytest.raises(ProviderUnavailable, match="cannot be reached"):
        await TavilySearch("k", base_url=url, sleep=Waits()).search("kiln", max_results=1)
