"""Lists of URLs as people write them: trailing punctuation cut, one entry per page, and URLs found in running text."""

from __future__ import annotations

import re
from collections.abc import Iterable
from posixpath import normpath
from urllib.parse import SplitResult, quote, unquote, urlsplit, urlunsplit

import idna

_CLOSERS = {")": "(", "]": "[", "}": "{", "」": "「", "）": "（"}
_TRAILING = ").,]\"';:!?>}»”’」）。，"
_DEFAULT_PORTS = {"http": 80, "https": 443}
# Parameters that say where a reader came from and never which page is shown.
_TRACKING = re.compile(r"^(utm_\w+|gclid|dclid|fbclid|msclkid|yclid|igshid|mc_cid|mc_eid|_hsenc|_hsmi|mkt_tok)$", re.I)
_URL_IN_TEXT = re.compile(r"\b(?:https?|ftp)://[^\s<>\"`\\^{|}]+|\bdoi:10\.\d{4,9}/\S+|\bwww\.[^\s<>\"`\\^{|}]+", re.I)
_SCHEME = re.compile(r"^[a-z][a-z0-9+.-]*://", re.I)
_PATH_SAFE = "!$&'()*+,;=:@-._~/"
_QUERY_SAFE = _PATH_SAFE + "?[]"


def clean_urls(values: Iterable[str]) -> list[str]:
    """Return the distinct sources of a list as they are to be fetched, in order of first mention.

    A URL loses trailing punctuation (a bracket that closes one opened inside the URL stays), its fragment, tracking
    parameters and default port; two spellings of one page count once.  What is no URL, a file name, stays whole.
    """
    kept: dict[str, str] = {}
    for value in values:
        item = value.strip().strip("<>") if _SCHEME.match(value.strip().strip("<>")) else value.strip()
        if not item:
            continue
        url = trim_url(item) if _SCHEME.match(item) else item
        kept.setdefault(normal_form(url), tidy(url))
    return list(kept.values())


def find_urls(text: str) -> list[str]:
    """Return the URLs written in a text, trailing punctuation cut, in order, repeats kept."""
    return [trim_url(match.group()) for match in _URL_IN_TEXT.finditer(text)]


def trim_url(url: str) -> str:
    """Cut trailing punctuation that belongs to the sentence around a URL and not to the URL."""
    while url and url[-1] in _TRAILING:
        opener = _CLOSERS.get(url[-1])
        if opener is not None and url.count(opener) >= url.count(url[-1]):
            break
        url = url[:-1]
    return url


def normal_form(url: str) -> str:
    """Return the form under which two spellings of one page are equal; only for comparing, never for fetching.

    Beyond `tidy`, http and https count as one, and a trailing slash of the path is dropped.  Order and case of path
    and query stay: they may tell pages apart.  A text without a scheme is returned as it is.
    """
    if not _SCHEME.match(url):
        return url
    try:
        parts = urlsplit(tidy(url))
    except ValueError:
        return url
    scheme = "https" if parts.scheme == "http" and ":" not in parts.netloc.rpartition("]")[2] else parts.scheme
    return urlunsplit(parts._replace(scheme=scheme, path=parts.path.rstrip("/") or "/"))


def tidy(url: str) -> str:
    """Return a URL in the form in which it is fetched and shown: same page, one spelling of each part."""
    if not _SCHEME.match(url):
        return url
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return url  # The guard refuses it with a reason; here it is only listed.
    scheme = parts.scheme.lower()
    host = _host(parts)
    credentials, at, _ = parts.netloc.rpartition("@")
    netloc = f"{credentials}{at}{host}" + ("" if port is None or port == _DEFAULT_PORTS.get(scheme) else f":{port}")
    query = "&".join(part for part in parts.query.split("&") if not _TRACKING.match(part.partition("=")[0]))
    # A fragment names a place within a page, except where an old single-page application routes by `#!`.
    fragment = parts.fragment if parts.fragment.startswith("!") else ""
    return urlunsplit((scheme, netloc, _path(parts.path), _recode(query, _QUERY_SAFE), fragment))


def _host(parts: SplitResult) -> str:
    host = (parts.hostname or "").rstrip(".")
    if ":" in host:
        return f"[{host}]"
    try:
        return host if host.isascii() else idna.encode(host, uts46=True).decode()
    except idna.IDNAError:
        return host


def _path(path: str) -> str:
    if not path:
        return "/"
    if "/./" in path or "/../" in path or path.endswith(("/.", "/..")):
        slash = "/" if path.endswith(("/", "/.", "/..")) else ""
        path = normpath(path).rstrip("/") + slash
        path = "/" + path.lstrip("/")
    return _recode(path, _PATH_SAFE)


def _recode(text: str, safe: str) -> str:
    """Percent-encode what must be, decode what need not be, and leave reserved characters as they were written."""
    pieces = re.split(r"(%[0-9a-fA-F]{2})", text)
    return "".join(_escape(piece) if index % 2 else quote(piece, safe=safe + "%") for index, piece in enumerate(pieces))


def _escape(code: str) -> str:
    char = unquote(code)
    return char if re.fullmatch(r"[A-Za-z0-9._~()!-]", char) else code.upper()
