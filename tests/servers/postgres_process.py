"""A real PostgreSQL as a child process: a new data folder, loopback only, no durability."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

USER = "citewell"


def programs() -> Path | None:
    """Return the folder of `initdb` and `postgres`, or None where no PostgreSQL is installed."""
    debian = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name), reverse=True)
    found = shutil.which("postgres")
    candidates = [*debian, *([Path(found).resolve().parent] if found else [])]
    return next((one for one in candidates if (one / "initdb").exists() and (one / "postgres").exists()), None)


@contextmanager
def postgres_server() -> Iterator[str]:
    """Run a PostgreSQL until the block ends and yield its address, without a database name."""
    folder = programs()
    assert folder is not None, "no PostgreSQL is installed"
    # The server refuses to run as root and needs every folder above its data to be open to it.
    root = Path(tempfile.mkdtemp(prefix="citewell-postgres-"))
    as_user = {"user": "postgres", "group": "postgres", "extra_groups": []} if os.getuid() == 0 else {}
    if as_user:
        shutil.chown(root, "postgres", "postgres")
    data = root / "data"
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = None
    try:
        subprocess.run(
            [folder / "initdb", "-D", data, "-U", USER, "--auth=trust", "-E", "UTF8", "--locale=C", "--no-sync"],
            check=True,
            capture_output=True,
            cwd=root,
            **as_user,
        )
        quick = ("fsync=off", "synchronous_commit=off", "full_page_writes=off", "unix_socket_directories=")
        options = [word for setting in quick for word in ("-c", setting)]
        with (root / "server.log").open("wb") as log:
            process = subprocess.Popen(
                [folder / "postgres", "-D", data, "-h", "127.0.0.1", "-p", str(port), *options],
                stdout=log,
                stderr=subprocess.STDOUT,
                cwd=root,
                **as_user,
            )
        address = f"postgresql://{USER}@127.0.0.1:{port}"
        _wait(address, process, root / "server.log")
        yield address
    finally:
        if process is not None:
            process.send_signal(signal.SIGINT)
            process.wait(timeout=30)
        shutil.rmtree(root, ignore_errors=True)


@contextmanager
def new_database(address: str) -> Iterator[str]:
    """Make an empty database, yield its address, drop it afterwards."""
    import psycopg

    name = f"test_{uuid4().hex[:12]}"
    with psycopg.connect(f"{address}/postgres", autocommit=True) as admin:
        admin.execute(f"CREATE DATABASE {name}")
    try:
        yield f"{address}/{name}"
    finally:
        with psycopg.connect(f"{address}/postgres", autocommit=True) as admin:
            admin.execute(f"DROP DATABASE {name} WITH (FORCE)")


def _wait(address: str, process: subprocess.Popen[bytes], log: Path) -> None:
    import psycopg

    until = time.monotonic() + 60
    while time.monotonic() < until:
        assert process.poll() is None, log.read_text()[-2000:]
        try:
            psycopg.connect(f"{address}/postgres", connect_timeout=2).close()
        except psycopg.OperationalError:
            time.sleep(0.05)
        else:
            return
    raise AssertionError(f"no answer within 60 s: {log.read_text()[-2000:]}")
