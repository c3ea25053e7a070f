"""The real Chroma server as a child process on loopback, its files in a folder of its own."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

CHROMA = Path(sys.executable).with_name("chroma")


@contextmanager
def chroma_server(folder: Path, port: int = 0) -> Iterator[str]:
    """Run `chroma run` until the block ends and give its address; a port of 0 is a free one."""
    with chroma_process(folder, port) as (url, _):
        yield url


@contextmanager
def chroma_process(folder: Path, port: int = 0) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """Run `chroma run` until the block ends and give its address and the process."""
    if not port:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
    command = [str(CHROMA), "run", "--path", str(folder), "--host", "127.0.0.1", "--port", str(port)]
    env = {"PATH": os.environ["PATH"], "HOME": str(folder), "ANONYMIZED_TELEMETRY": "false"}
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "server.log").open("ab") as log:
        process = subprocess.Popen(command, env=env, stdout=log, stderr=subprocess.STDOUT)
    try:
        _wait(f"http://127.0.0.1:{port}", process, folder / "server.log")
        yield f"http://127.0.0.1:{port}", process
    finally:
        process.terminate()
        process.wait(timeout=30)


def _wait(url: str, process: subprocess.Popen[bytes], log: Path) -> None:
    until = time.monotonic() + 60
    while time.monotonic() < until:
        assert process.poll() is None, log.read_text()[-2000:]
        try:
            if httpx.get(f"{url}/api/v2/heartbeat", timeout=2, trust_env=False).status_code == 200:
                return
        except httpx.HTTPError:
            time.sleep(0.05)
    raise AssertionError(f"no answer within 60 s: {log.read_text()[-2000:]}")
