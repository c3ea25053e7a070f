"""Fetching: over real HTTP on loopback, and with a scripted transport where a failing guard must make no call."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import httpx
import pytest
from citewell.errors import FetchFailed, FetchRefused
from citewell.retrievers.fetch import Fetcher, Page
from citewell.retrievers.guard import AddressGuard
from citewell.retrievers.politeness import Manners, retry_after_s
from citewell.settings import Environment, Settings
from servers.loopback import Asked, LoopbackServer, Reply

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
QUICK = Manners(pause_s=0.0)
HTML = {"content-type": "text/html; charset=UTF-8"}


def site(pages: dict[str, Reply | Callable[[Asked], Reply]]) -> Callable[[Asked], Reply]:
    def answer(asked: Asked) -> Reply:
        page = pages.get(asked.path, Reply(404))
        return page(asked) if callable(page) else page

    return answer


def local(cache_dir: Path | None = None, **more: object) -> Fetcher:
    options = {"guard": AddressGuard.from_setting("127.0.0.1"), "manners": QUICK, "clock": lambda: NOW}
    return Fetcher(cache_dir=cache_dir, **(options | more))  # type: ignore[arg-type]


async def public(host: str, port: int) -> list[str]:
    return ["93.184.216.34"] if host.endswith(".test") and host != "inner.test" else ["10.0.0.8"]


def scripted(answer: Callable[[httpx.Request], httpx.Response], **more: object) -> Fetcher:
    guard = AddressGuard(resolve=public)
    options = {"guard": guard, "transport": httpx.MockTransport(answer), "manners": QUICK, "clock": lambda: NOW}
    return Fetcher(**(options | more))  # type: ignore[arg-type]


async def test_a_page_comes_with_its_header_charset_and_dates():
    served = Reply(body=b"caf\xe9", headers={"content-type": 'Text/HTML; Charset="ISO-8859-1"'})
    dated = Reply(body=b"x", headers={"content-type": "text/plain", "last-modified": "Tue, 03 Feb 2026 10:00:00 GMT"})
    fresh = Reply(body=b"x", headers={"last-modified": "Sun, 01 Mar 2026 11:59:30 GMT"})
    with LoopbackServer(site({"/": served, "/dated": dated, "/fresh": fresh})) as server:
        async with local() as fetcher:
            page = await fetcher.fetch(server.url)
            old, new = await fetcher.fetch(f"{server.url}/dated"), await fetcher.fetch(f"{server.url}/fresh")
    assert (page.content, page.media_type, page.charset) == (b"caf\xe9", "text/html", "iso-8859-1")
    assert (page.fetched_at, page.from_cache, page.published_at) == (NOW, False, None)
    assert (old.published_at, old.charset) == (datetime(2026, 2, 3, 10, tzinfo=UTC), None)
    assert (new.published_at, new.media_type) == (None, "")
    assert fetcher.hosts_contacted == ("127.0.0.1",)


async def test_redirects_are_followed_and_the_last_address_is_told():
    pages = {
        "/a": Reply(301, headers={"location": "/b?x=1"}),
        "/b": Reply(302, headers={"location": "c#part"}),
        "/c": Reply(body=b"end", headers=HTML),
        "/loop": Reply(302, headers={"location": "/loop"}),
    }
    with LoopbackServer(site(pages)) as server:
        async with local() as fetcher:
            page = await fetcher.fetch(f"{server.url}/a")
            with pytest.raises(FetchFailed, match="redirects") as failure:
                await fetcher.fetch(f"{server.url}/loop")
    assert (page.url, page.final_url, page.content) == (f"{server.url}/a", f"{server.url}/c", b"end")
    assert not failure.value.transient


async def test_a_redirect_to_a_private_address_is_refused_before_the_second_hop():
    asked: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(f"{request.url.host} {request.headers['host']} {request.url.path}")
        if request.url.path == "/robots.txt":
            return httpx.Response(404)
        target = {"/ip": "http://127.0.0.1/", "/name": "https://inner.test/", "/scheme": "file:///etc/hostname"}
        return httpx.Response(302, headers={"location": target[request.url.path]})

    async with scripted(answer) as fetcher:
        for path in ("ip", "name", "scheme"):
            with pytest.raises(FetchRefused, match="redirect to") as refusal:
                await fetcher.fetch(f"http://fixture.test/{path}")
            assert refusal.value.uri == f"http://fixture.test/{path}"
    assert {entry.split()[0] for entry in asked} == {"93.184.216.34"}
    assert {entry.split()[1] for entry in asked} == {"fixture.test"}
    assert fetcher.hosts_contacted == ("fixture.test",)


async def test_offline_contacts_nobody():
    settings = Settings(offline=True)
    environment = Environment(allow_private_hosts="1")
    with LoopbackServer(site({"/": Reply(body=b"x")})) as server:
        async with Fetcher.from_settings(settings, environment) as fetcher:
            with pytest.raises(FetchRefused, match="offline"):
                await fetcher.fetch(server.url)
    assert (server.calls, fetcher.hosts_contacted) == ([], ())


async def test_robots_txt_is_read_once_and_respected():
    robots = Reply(body=b"User-agent: *\nDisallow: /private\nUser-agent: citewell\nDisallow: /no\nCrawl-delay: 0.01\n")
    pages = {"/robots.txt": robots, "/yes": Reply(body=b"y"), "/no": Reply(body=b"n")}
    with LoopbackServer(site(pages)) as server:
        async with local() as fetcher:
            assert (await fetcher.fetch(f"{server.url}/yes")).content == b"y"
            with pytest.raises(FetchRefused, match=r"robots\.txt"):
                await fetcher.fetch(f"{server.url}/no")
    assert [call.asked.path for call in server.calls] == ["/robots.txt", "/yes"]


async def test_a_host_that_cannot_say_what_it_allows_is_left_alone():
    with LoopbackServer(site({"/robots.txt": Reply(500), "/": Reply(body=b"x")})) as server:
        async with local() as fetcher:
            with pytest.raises(FetchRefused, match="HTTP 500"):
                await fetcher.fetch(server.url)
    assert [call.asked.path for call in server.calls] == ["/robots.txt"]


@pytest.mark.parametrize(
    ("reply", "reason", "transient"),
    [
        (Reply(404), "HTTP 404", False),
        (Reply(500), "HTTP 500", True),
        (Reply(503, headers={"retry-after": "3600"}), "asks to wait 3600 s", True),
        (Reply(end="reset"), "connection failed", True),
        (Reply(body=b"x" * 1000, end="truncated"), "connection failed", True),
        (Reply(body=b"x" * 5001), "larger than 5,000 bytes", False),
        (Reply(body=b"no gzip", headers={"content-encoding": "gzip"}), "unreadable answer", False),
        (Reply(end="hang"), "no complete answer within 0.5 s", True),
    ],
)
async def test_each_failure_has_a_reason(reply, reason, transient):
    with LoopbackServer(site({"/x": reply})) as server:
        async with local(max_bytes=5000, timeout_s=0.5) as fetcher:
            with pytest.raises(FetchFailed) as failure:
                await fetcher.fetch(f"{server.url}/x")
    assert reason in failure.value.reason
    assert failure.value.transient is transient


async def test_a_slow_trickle_ends_at_the_time_limit():
    def trickle():
        while True:
            yield b"x"
            time.sleep(0.05)

    with LoopbackServer(site({"/x": lambda asked: Reply(pieces=trickle())})) as server:
        async with local(timeout_s=0.4) as fetcher:
            with pytest.raises(FetchFailed, match="no complete answer"):
                await asyncio.wait_for(fetcher.fetch(f"{server.url}/x"), 3)


async def test_a_busy_host_is_asked_once_more_after_the_time_it_names():
    waits: list[float] = []
    replies = iter([Reply(429, headers={"retry-after": "2"}), Reply(body=b"now")])

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    with LoopbackServer(site({"/x": lambda asked: next(replies)})) as server:
        async with local(sleep=sleep) as fetcher:
            assert (await fetcher.fetch(f"{server.url}/x")).content == b"now"
    assert waits == [2.0]


async def test_one_bad_url_never_stops_the_rest():
    with LoopbackServer(site({"/a": Reply(body=b"a"), "/b": Reply(body=b"b")})) as server:
        async with local() as fetcher:
            urls = [f"{server.url}/a", f"{server.url}/none", "ftp://a.test/", f"{server.url}/b"]
            found = await asyncio.gather(*map(fetcher.fetch, urls), return_exceptions=True)
    shown = [page.content if isinstance(page, Page) else type(page).__name__ for page in found]
    assert shown == [b"a", "FetchFailed", "FetchRefused", b"b"]


async def test_one_host_gets_few_requests_at_a_time():
    with LoopbackServer(lambda asked: Reply(body=b"x", delay_s=0.03)) as server:
        async with local(manners=Manners(parallel=2, pause_s=0.0)) as fetcher:
            await asyncio.gather(*(fetcher.fetch(f"{server.url}/{number}") for number in range(8)))
    assert server.most_in_flight == 2
    assert len(server.calls) == 9


async def test_fetchers_of_one_loop_treat_a_host_politely_together():
    with LoopbackServer(lambda asked: Reply(body=b"", delay_s=0.03)) as server:
        fetchers = [local(manners=Manners(parallel=2, pause_s=0.0)) for _ in range(4)]
        await asyncio.gather(*(fetcher.fetch(f"{server.url}/{number}") for number, fetcher in enumerate(fetchers)))
        await asyncio.gather(*(fetcher.aclose() for fetcher in fetchers))
    assert server.most_in_flight == 2


async def test_requests_to_one_host_are_spaced():
    waits: list[float] = []

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    with LoopbackServer(lambda asked: Reply(404 if asked.path == "/robots.txt" else 200)) as server:
        async with local(manners=Manners(pause_s=5.0), sleep=sleep) as fetcher:
            await asyncio.gather(fetcher.fetch(f"{server.url}/1"), fetcher.fetch(f"{server.url}/2"))
    assert len(waits) == 2
    assert waits[0] == pytest.approx(5, abs=0.5)
    assert waits[1] == pytest.approx(10, abs=0.5)


async def test_a_cached_page_is_revalidated_and_a_changed_one_replaced(tmp_path):
    version = {"etag": '"1"', "body": b"first", "date": "Sun, 01 Mar 2026 11:00:00 GMT"}

    def page(asked: Asked) -> Reply:
        headers = {"etag": version["etag"], "date": version["date"], "cache-control": "max-age=0", **HTML}
        same = asked.headers.get("if-none-match") == version["etag"]
        return Reply(304, headers=headers) if same else Reply(body=version["body"], headers=headers)

    shown = []
    with LoopbackServer(site({"/x": page})) as server:
        for number in range(4):
            if number == 2:
                version |= {"etag": '"2"', "body": b"second", "date": "Sun, 01 Mar 2026 11:30:00 GMT"}
            async with local(tmp_path / "cache") as fetcher:
                got = await fetcher.fetch(f"{server.url}/x")
                shown.append((got.content, got.from_cache))
    assert shown == [(b"first", False), (b"first", True), (b"second", False), (b"second", True)]
    assert [call.status for call in server.calls if call.asked.path == "/x"] == [200, 304, 200, 304]


async def test_a_fresh_page_is_not_asked_for_again_and_keeps_its_age(tmp_path):
    headers = {"cache-control": "max-age=3600", **HTML}
    with LoopbackServer(site({"/x": Reply(body=b"x", headers=headers)})) as server:
        async with local(tmp_path / "cache") as fetcher:
            await fetcher.fetch(f"{server.url}/x")
        later = datetime(2026, 3, 1, 12, 30, tzinfo=UTC)
        async with local(tmp_path / "cache", clock=lambda: later) as fetcher:
            again = await fetcher.fetch(f"{server.url}/x")
    assert (again.from_cache, again.fetched_at, again.charset) == (True, NOW, "utf-8")
    assert [call.asked.path for call in server.calls].count("/x") == 1


async def test_a_broken_cache_file_does_not_stop_a_fetch(tmp_path, capfd):
    (tmp_path / "pages.sqlite").write_bytes(b"no database" * 100)
    with LoopbackServer(site({"/x": Reply(body=b"x", headers={"cache-control": "max-age=60"})})) as server:
        async with local(tmp_path) as fetcher:
            assert (await fetcher.fetch(f"{server.url}/x")).content == b"x"
    assert "Traceback" not in capfd.readouterr().err


async def test_a_cache_folder_that_cannot_be_made_does_not_stop_a_fetch(tmp_path):
    (tmp_path / "file").write_text("")
    with LoopbackServer(site({"/x": Reply(body=b"x")})) as server:
        async with local(tmp_path / "file" / "cache") as fetcher:
            assert (await fetcher.fetch(f"{server.url}/x")).content == b"x"


def test_retry_after_is_read_as_seconds_or_date():
    assert retry_after_s("7") == 7
    assert retry_after_s("Sun, 01 Mar 2026 12:00:30 GMT", NOW) == 30
    assert retry_after_s("Sun, 01 Mar 2026 11:00:00 GMT", NOW) == 0
    assert [retry_after_s(text, NOW) for text in (None, "", "soon")] == [None, None, None]
