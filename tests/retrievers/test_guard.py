"""The address guard: what it refuses, and that a request goes to the very address that was checked."""

from __future__ import annotations

import httpx
import pytest
from citewell.errors import FetchFailed, FetchRefused
from citewell.retrievers.guard import AddressGuard, GuardedTransport, forbidden

NAMES = {
    "good.test": ["93.184.216.34"],
    "two.test": ["93.184.216.34", "93.184.216.35"],
    "mixed.test": ["93.184.216.34", "10.1.2.3"],
    "metadata.google.internal": ["93.184.216.34"],
    "intranet.test": ["192.168.7.7"],
    "v6.test": ["2606:2800:220:1:248:1893:25c8:1946"],
    "mapped.test": ["::ffff:10.0.0.1"],
    "nat64.test": ["64:ff9b::7f00:1"],
    "none.test": [],
}


async def resolve(host: str, port: int) -> list[str]:
    if host not in NAMES:
        raise OSError("unknown name")
    return NAMES[host]


@pytest.mark.parametrize(
    "url",
    [
        "http://169.254.169.254/latest/meta-data/",
        "http://127.0.0.1:8000/",
        "http://localhost./",
        "http://LOCALHOST/",
        "http://sub.localhost/",
        "http://2130706433/",
        "http://0x7f.1/",
        "http://0177.0.0.1/",
        "http://127.1/",
        "http://１２７.０.０.１/",
        "http://127。0。0。1/",
        "http://[::1]/",
        "http://[::ffff:127.0.0.1]/",
        "http://[::]/",
        "http://[fe80::1%25eth0]/",
        "http://[fd00::1]/",
        "http://[2002:7f00:1::]/",
        "http://0.0.0.0/",
        "http://10.0.0.5/",
        "http://100.64.0.1/",
        "http://224.0.0.1/",
        "http://255.255.255.255/",
        "http://user:pw@127.0.0.1/",
        "http://good.test@127.0.0.1/",
        "http://user:pw@good.test/",
        "file:///etc/hostname",
        "ftp://127.0.0.1/",
        "gopher://127.0.0.1/",
        "javascript:alert(1)",
        "http://metadata.google.internal/",
        "http://printer.local/",
        "http://mixed.test/",
        "http://intranet.test/",
        "http://mapped.test/",
        "http://nat64.test/",
        "http:///path",
        "http://[::1/",
        "http://good.test:99999/",
    ],
)
async def test_what_is_not_public_is_refused_before_any_connection(url):
    contacted: list[str] = []
    inner = httpx.MockTransport(lambda request: pytest.fail(f"connected to {request.url}"))
    transport = GuardedTransport(AddressGuard(resolve=resolve), inner, contacted.append)
    with pytest.raises(FetchRefused) as refusal:
        await transport.guard.check(url)
    assert refusal.value.reason.startswith("refused: ")
    assert contacted == []


async def test_a_public_name_passes_with_all_its_addresses():
    guard = AddressGuard(resolve=resolve)
    assert (await guard.check("https://two.test/x")).addresses == ("93.184.216.34", "93.184.216.35")
    assert (await guard.check("https://v6.test/")).host == "v6.test"


async def test_a_name_without_address_fails_with_a_reason():
    for url in ("https://unknown.test/", "https://none.test/"):
        with pytest.raises(FetchFailed, match="does not resolve"):
            await AddressGuard(resolve=resolve).check(url)


async def test_named_private_hosts_are_allowed_and_others_are_not():
    guard = AddressGuard.from_setting("127.0.0.1:8000, intranet.test", resolve=resolve)
    assert (await guard.check("http://127.0.0.1:8000/")).addresses == ("127.0.0.1",)
    assert (await guard.check("http://intranet.test/")).addresses == ("192.168.7.7",)
    for url in ("http://127.0.0.1:8001/", "http://10.0.0.5/", "file:///etc/hostname"):
        with pytest.raises(FetchRefused):
            await guard.check(url)


async def test_one_allows_all_private_hosts_but_no_other_scheme():
    guard = AddressGuard.from_setting("1", resolve=resolve)
    assert (await guard.check("http://[::1]:8080/")).addresses == ("::1",)
    with pytest.raises(FetchRefused):
        await guard.check("ftp://127.0.0.1/")


async def test_offline_refuses_even_allowed_hosts_and_asks_no_resolver():
    async def never(host: str, port: int) -> list[str]:
        raise AssertionError("resolved while offline")

    guard = AddressGuard.from_setting("1", resolve=never, offline=True)
    with pytest.raises(FetchRefused, match="offline"):
        await guard.check("https://good.test/")


async def test_the_request_goes_to_the_checked_address_under_the_asked_name():
    seen: list[httpx.Request] = []
    answers = iter([["93.184.216.34"], ["127.0.0.1"]])

    async def rebinding(host: str, port: int) -> list[str]:
        return next(answers)

    def answer(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        return httpx.Response(200, text="ok")

    contacted: list[str] = []
    transport = GuardedTransport(AddressGuard(resolve=rebinding), httpx.MockTransport(answer), contacted.append)
    async with httpx.AsyncClient(transport=transport) as client:
        response = await client.get("https://good.test/page")
        with pytest.raises(FetchRefused, match="loopback"):
            await client.get("https://good.test/page")
    assert (response.text, str(response.request.url)) == ("ok", "https://good.test/page")
    assert [(r.url.host, r.headers["host"], r.extensions["sni_hostname"]) for r in seen] == [
        ("93.184.216.34", "good.test", "good.test")
    ]
    assert contacted == ["good.test"]


async def test_the_next_checked_address_is_tried_when_one_does_not_answer():
    tried: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        tried.append(request.url.host)
        if len(tried) == 1:
            raise httpx.ConnectError("refused", request=request)
        return httpx.Response(200)

    async with httpx.AsyncClient(
        transport=GuardedTransport(AddressGuard(resolve=resolve), httpx.MockTransport(answer))
    ) as client:
        assert (await client.get("http://two.test/")).status_code == 200
    assert tried == ["93.184.216.34", "93.184.216.35"]


def test_public_addresses_are_not_forbidden():
    assert [forbidden(address) for address in ("8.8.8.8", "2606:4700::1111", "64:ff9b::808:808")] == [None, None, None]
