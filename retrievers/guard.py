"""Which addresses a fetch may reach: every name is resolved and every address checked before anything connects."""

from __future__ import annotations

import asyncio
import socket
import unicodedata
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from urllib.parse import urlsplit

import httpx
import idna

from ..errors import FetchFailed, FetchRefused

Resolver = Callable[[str, int], Awaitable[Sequence[str]]]
IPAddress = IPv4Address | IPv6Address

# Last labels of names that lead into a local network, cloud metadata (`….internal`) among them.
_LOCAL_NAMES = ("localhost", "internal", "local", "arpa", "localdomain", "lan")
_NAT64 = ip_network("64:ff9b::/96")
_V4_COMPATIBLE = ip_network("::/96")


@dataclass(frozen=True)
class Target:
    """Where a URL leads: its host and the checked addresses, in the resolver's order."""

    host: str
    addresses: tuple[str, ...]


async def system_resolver(host: str, port: int) -> Sequence[str]:
    """Ask the system for all addresses of a name.  Raises: OSError where it has none."""
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


@dataclass(frozen=True)
class AddressGuard:
    """Refuses everything but public hosts over http and https, except hosts that the user named.

    Attributes:
        allowed: Hosts (or `host:port`) that may be private; `*` allows all.
        resolve: Returns all addresses of a name.
        offline: Refuse every host.
    """

    allowed: frozenset[str] = frozenset()
    resolve: Resolver = system_resolver
    offline: bool = False

    @classmethod
    def from_setting(cls, setting: str, *, resolve: Resolver = system_resolver, offline: bool = False) -> AddressGuard:
        """Read `CITEWELL_ALLOW_PRIVATE_HOSTS`: hosts, comma-separated, or `1` for all."""
        names = {part.strip().lower().strip("[]").rstrip(".") for part in setting.split(",") if part.strip()}
        if names & {"1", "true", "yes", "*"}:
            names = {"*"}
        return cls(frozenset(names), resolve, offline)

    def permits(self, host: str, port: int) -> bool:
        """Whether the user allowed this host to be private."""
        return bool(self.allowed & {"*", host, f"{host}:{port}"})

    async def check(self, url: str) -> Target:
        """Return the addresses that may be connected to for a URL.

        Raises:
            FetchRefused: The scheme, the form of the host, or one of its addresses is not allowed.
            FetchFailed: The name has no address.
        """
        host, port = self.check_form(url)
        literal = _literal(host)
        if literal is not None:
            addresses: Sequence[str] = (str(literal),)
        else:
            try:
                addresses = await self.resolve(host, port)
            except (OSError, UnicodeError) as error:
                raise FetchFailed(url, f"the name {host} does not resolve") from error
        if not addresses:
            raise FetchFailed(url, f"the name {host} does not resolve")
        if not self.permits(host, port):
            for address in addresses:
                if (kind := forbidden(address)) is not None:
                    shown = host if literal is not None and str(literal) == host else f"{host} ({address})"
                    raise FetchRefused(url, f"refused: {shown} is {kind}")
        return Target(host, tuple(addresses))

    def check_form(self, url: str) -> tuple[str, int]:
        """Return host and port of a URL whose form is allowed, asking nobody.  Raises: FetchRefused."""
        if self.offline:
            raise FetchRefused(url, "refused: offline, no host is contacted")
        try:
            parts = urlsplit(url)
            port = parts.port or {"http": 80, "https": 443}.get(parts.scheme.lower(), 0)
            host = plain_host(parts.hostname or "")
        except ValueError as error:
            raise FetchRefused(url, "refused: malformed URL") from error
        if parts.scheme.lower() not in ("http", "https"):
            raise FetchRefused(url, f"refused: only http and https are fetched, not {parts.scheme or 'a bare name'}")
        if not host:
            raise FetchRefused(url, "refused: no host")
        if "@" in parts.netloc:
            raise FetchRefused(url, "refused: a URL with credentials")
        if not self.permits(host, port) and host.rpartition(".")[2] in _LOCAL_NAMES:
            raise FetchRefused(url, f"refused: {host} is a local name")
        return host, port


def plain_host(host: str) -> str:
    """Return a host in lower-case ASCII without its final dot.  Raises: ValueError for one that has no such form."""
    folded = unicodedata.normalize("NFKC", host).lower().rstrip(".")
    if folded.isascii():
        return folded
    try:
        return idna.encode(folded, uts46=True).decode().rstrip(".")
    except idna.IDNAError as error:
        raise ValueError(str(error)) from error


def forbidden(address: str) -> str | None:
    """Return what kind of address may not be reached, or None where it is public."""
    try:
        ip = _embedded(ip_address(address))
    except ValueError:
        return "no address that can be checked"
    if ip.is_loopback:
        return "a loopback address"
    if ip.is_link_local:
        return "a link-local address"
    if ip.is_unspecified:
        return "the unspecified address"
    if ip.is_multicast:
        return "a multicast address"
    if not ip.is_global or ip.is_reserved:
        return "a private or reserved address"
    return None


def _embedded(ip: IPAddress) -> IPAddress:
    """Return the IPv4 address that an IPv6 one stands for, since that is where a connection ends up."""
    if isinstance(ip, IPv4Address):
        return ip
    if ip.ipv4_mapped is not None:
        return ip.ipv4_mapped
    if ip.sixtofour is not None:
        return ip.sixtofour
    if ip.teredo is not None:
        return ip.teredo[1]
    if ip in _NAT64 or (ip in _V4_COMPATIBLE and int(ip) > 1):
        return IPv4Address(int(ip) & 0xFFFFFFFF)
    return ip


def _literal(host: str) -> IPAddress | None:
    """Return the address that a host spells out, odd IPv4 forms (`2130706433`, `0x7f.1`) as the system reads them."""
    last = host.rpartition(".")[2]
    try:
        if ":" not in host and (last.isdigit() or last.startswith("0x")):
            return IPv4Address(socket.inet_aton(host))
        return ip_address(host)
    except (OSError, ValueError):
        return None


@dataclass
class GuardedTransport(httpx.AsyncBaseTransport):
    """Sends each request to an address that the guard has checked, under the name that was asked for.

    The connection goes to the checked address itself, so a name that resolves differently a moment later (DNS
    rebinding) gains nothing; Host header and TLS server name stay those of the URL.

    Attributes:
        inner: Makes the connections.  It must not keep them alive: kept connections are found by address, and one
            made for another name at the same address would be taken.
        on_contact: Called with the host just before a connection is made.
    """

    guard: AddressGuard
    inner: httpx.AsyncBaseTransport
    on_contact: Callable[[str], None] = field(default=lambda host: None)

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Check, pin, send.  Raises: FetchRefused, FetchFailed, httpx.TransportError."""
        target = await self.guard.check(str(request.url))
        self.on_contact(target.host)
        failure: httpx.TransportError | None = None
        for address in target.addresses:
            pinned = httpx.Request(
                request.method,
                request.url.copy_with(host=address),
                headers=request.headers,
                stream=request.stream,
                extensions={**request.extensions, "sni_hostname": target.host},
            )
            try:
                return await self.inner.handle_async_request(pinned)
            except (httpx.ConnectError, httpx.ConnectTimeout) as error:
                failure = error
        raise failure or httpx.ConnectError("no address", request=request)

    async def aclose(self) -> None:
        """Close the inner transport."""
        await self.inner.aclose()
