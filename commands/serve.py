"""`citewell serve`: the LangGraph server with the page at /app, on loopback unless told otherwise."""

from __future__ import annotations

import importlib.util
import os
import socket
import sys
from pathlib import Path

import click

from ..errors import UsageError

LOOPBACK = ("127.0.0.1", "localhost", "::1")


@click.command(short_help="Serve the graphs and the page at /app.")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--port", default=2024, show_default=True, type=click.IntRange(1, 65535), help="Port to listen on.")
@click.option("--root", "roots", multiple=True, metavar="DIR", help="Folder that may be read; repeatable.")
@click.option("--jobs", default=10, show_default=True, type=click.IntRange(1), help="Runs at a time.")
def serve(host: str, port: int, roots: tuple[str, ...], jobs: int) -> None:
    """Start the LangGraph server (`langgraph dev`) with the graphs of citewell and the page at /app.

    Questions may name files and folders of the working directory (or of each --root, or of CITEWELL_ROOTS) and of the
    sample dataroom, and no others.  Other hosts than this one are served only with a token: set CITEWELL_TOKEN, then
    open /app/ and enter it.  LOG_LEVEL=INFO logs every request and run.
    """
    if importlib.util.find_spec("langgraph_cli") is None:
        raise UsageError("the server is not installed: pip install 'citewell[server]'")
    if host not in LOOPBACK and not os.environ.get("CITEWELL_TOKEN"):
        raise UsageError(f"--host {host} lets others in: set CITEWELL_TOKEN to a secret first")
    for root in roots:
        if not Path(root).expanduser().is_dir():
            raise UsageError(f"--root {root}: no such folder")
    sample = Path(__file__).parents[1] / "studio" / "dataroom"
    if roots or not os.environ.get("CITEWELL_ROOTS"):
        os.environ["CITEWELL_ROOTS"] = os.pathsep.join((*(roots or (os.getcwd(),)), str(sample)))
    os.environ.setdefault("LOG_LEVEL", "WARNING")
    if not _is_free(host, port):
        raise UsageError(f"port {port} is in use, perhaps by another citewell serve: choose one with --port")
    click.echo(f"citewell: http://{host}:{port}/app/ (Ctrl+C ends it)", err=True)
    config = Path(__file__).parents[1] / "langgraph.json"
    command = [sys.executable, "-m", "langgraph_cli", "dev", "--no-browser", "--no-reload", "--config", str(config)]
    command += ["--host", host, "--port", str(port), "--n-jobs-per-worker", str(jobs)]
    # The server takes this process's place, so that signals and its exit code are its own.
    os.execv(sys.executable, command)  # noqa: S606


def _is_free(host: str, port: int) -> bool:
    """Whether the server can listen there; it would otherwise move to a port that nobody was told of."""
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as trial:
        trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            trial.bind((host, port))
        except OSError:
            return False
    return True
