"""What holds for every test: strict checkpoints, a home of its own, no keys, no telemetry, no network."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import pytest

# Read by langgraph when it is imported, so it stands before any import of citewell.
os.environ["LANGGRAPH_STRICT_MSGPACK"] = "true"
os.environ["LANGSMITH_TRACING"] = "false"
os.environ["LANGCHAIN_TRACING_V2"] = "false"
os.environ["ANONYMIZED_TELEMETRY"] = "false"
os.environ["HF_HUB_OFFLINE"] = "1"

KEYS = ("API_KEY", "BASE_URL", "SEARXNG_URL", "LANGSMITH_", "OTEL_")


def loopback(host: object) -> bool:
    """Whether a host as handed to a socket stays on this machine."""
    if isinstance(host, bytes):
        host = host.decode()
    if host in ("", None, "localhost"):
        return True
    try:
        return ip_address(str(host).partition("%")[0]).is_loopback
    except ValueError:
        return False


def refuse_network(event: str, args: tuple[Any, ...]) -> None:
    """Raise when this process is about to resolve a name or connect outside loopback."""
    if event == "socket.getaddrinfo":
        host = args[0]
        try:
            literal = host is None or bool(ip_address(str(host).partition("%")[0]))
        except ValueError:
            literal = False
        # An address needs no name server; whether it may be connected to is asked below.
        if literal or loopback(host):
            return
    elif event == "socket.connect":
        host = args[1][0] if isinstance(args[1], tuple) else None
        if loopback(host):
            return
    else:
        return
    raise RuntimeError(f"a test reached for {host!r}, outside loopback ({event})")


sys.addaudithook(refuse_network)


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give each test a home folder of its own and an environment without keys, addresses and settings."""
    for name in list(os.environ):
        if name.startswith("CITEWELL_") or any(part in name for part in KEYS):
            monkeypatch.delenv(name)
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("CITEWELL_HOME", str(home))
    return home


@pytest.fixture(scope="session")
def postgres_address() -> Iterator[str]:
    """The address of a PostgreSQL that runs as long as the tests do."""
    from servers.postgres_process import postgres_server, programs

    if programs() is None:
        pytest.skip("needs PostgreSQL: apt-get install postgresql")
    with postgres_server() as address:
        yield address


@pytest.fixture
def postgres_url(postgres_address: str) -> Iterator[str]:
    """The address of an empty Postgres database."""
    from servers.postgres_process import new_database

    with new_database(postgres_address) as url:
        yield url
