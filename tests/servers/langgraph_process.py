"""The real LangGraph server as a child process: the shipped configuration, no key, its files in a folder of its own."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx

ROOT = Path(__file__).parents[2]
LANGGRAPH = Path(sys.executable).with_name("langgraph")


@dataclass(frozen=True)
class Running:
    """A server that answers.

    Attributes:
        ready_s: Seconds from the start of the process to its first answer.
    """

    url: str
    ready_s: float
    log: Path
    process: subprocess.Popen[bytes]


@contextmanager
def langgraph_server(folder: Path, *command: str, **extra: str) -> Iterator[Running]:
    """Run `langgraph dev` (or another command that serves) until the block ends; it must then end by itself.

    Args:
        folder: Working directory and home of the server.
        command: What to run instead; `--host` and `--port` are added.
        extra: More of its environment.
    """
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    shipped = (str(LANGGRAPH), "dev", "--no-browser", "--no-reload", "--config", str(ROOT / "langgraph.json"))
    log = folder / "server.log"
    keep = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    env = {**keep, "CITEWELL_HOME": str(folder / "home"), "LANGSMITH_TRACING": "false", **extra}
    began = time.monotonic()
    with log.open("wb") as out:
        process = subprocess.Popen(
            [*(command or shipped), "--host", "127.0.0.1", "--port", str(port)],
            cwd=folder,
            env=env,
            stdout=out,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    url = f"http://127.0.0.1:{port}"
    try:
        _wait(url, process, log)
        yield Running(url, time.monotonic() - began, log, process)
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=30) in (0, 130, -signal.SIGINT), log.read_text()[-2000:]
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()


def _wait(url: str, process: subprocess.Popen[bytes], log: Path) -> None:
    until = time.monotonic() + 90
    while time.monotonic() < until:
        assert process.poll() is None, log.read_text()[-3000:]
        try:
            if httpx.get(f"{url}/ok", timeout=2, trust_env=False).status_code == 200:
                return
        except httpx.HTTPError:
            time.sleep(0.1)
    raise AssertionError(f"no answer within 90 s: {log.read_text()[-3000:]}")
