"""Kill a process at every write that a run, an index or a memory makes, go on in another one, and compare the end.

`python -m citewell.evals.faults` (`make faults`); `--every 5` walks each fifth point.
"""

from __future__ import annotations

import argparse
import json
import signal
import sqlite3
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .fault_work import MEMORIES, PARTS, warm_processes, work, written
from .peers import peer

HUNG_S = 180.0


@dataclass(frozen=True)
class Kill:
    """What became of a part that was killed once.

    Attributes:
        point: The name of the point.
        faults: What must not happen; empty where it ended as if nothing had been.
    """

    part: str
    number: int
    point: str
    seconds: float
    faults: tuple[str, ...]


class Campaign:
    """Kills the parts one point after the other.

    Args:
        folder: Where each part gets a folder of its own.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._processes = warm_processes()
        self._server = peer("chat_server").ChatServer(peer("scripted_model").honest)

    def __enter__(self) -> Campaign:
        self._server.__enter__()
        return self

    def __exit__(self, *error: Any) -> None:
        self._server.__exit__(None, None, None)

    def walk(self, part: str, *, every: int = 1, first: int = 1) -> Iterator[Kill]:
        """Kill a part at each point, or each so manieth, and go on with it.

        Raises: RuntimeError where it does not end well when left alone.
        """
        calm = self._folder / f"{part}-calm"
        code, asked = self._do(part, calm, 0)
        if code != 0:
            raise RuntimeError(f"{part}, left alone, ended with {code}")
        points = (calm / "points.log").read_text().splitlines()
        expected = json.loads((calm / "done.json").read_text())
        for number in range(first, len(points) + 1, every):
            yield self._kill(part, number, expected, len(asked))

    def _kill(self, part: str, number: int, expected: Any, calls: int) -> Kill:
        began = time.monotonic()
        folder = self._folder / f"{part}-{number}"
        faults = []
        code, _ = self._do(part, folder, number)
        passed = (folder / "points.log").read_text().splitlines()
        # Work side by side may pass the points in another order; what counts is where it died.
        point = passed[-1] if passed else "none"
        if code == 0 and len(passed) < number:
            return Kill(part, number, f"{point} (passed fewer points)", time.monotonic() - began, ())
        if code != -signal.SIGKILL:
            faults.append(f"ended with {code} instead of being killed")
        recorded = _recorded(folder / "home" / "journal.sqlite")
        (folder / "points.log").unlink(missing_ok=True)
        code, asked = self._do(part, folder, 0)
        if code != 0:
            faults.append(f"gone on with, it ended with {code}: {_last_words(folder)}")
        else:
            faults += _differences(part, json.loads((folder / "done.json").read_text()), expected)
            if part == "run" and len(asked) != calls - recorded:
                faults.append(f"{recorded} of {calls} calls were recorded, then {len(asked)} were made")
        return Kill(part, number, point, time.monotonic() - began, tuple(faults))

    def _do(self, part: str, folder: Path, deadly: int) -> tuple[int | None, list[str]]:
        """Do a part in a process of its own; return its exit code and what it asked the model."""
        folder.mkdir(parents=True, exist_ok=True)
        if not (folder / "docs").exists():
            written(folder)
        before = len(self._server.prompts)
        process = self._processes.Process(target=work, args=(part, str(folder), deadly, self._server.base_url))
        process.start()
        process.join(HUNG_S)
        if process.is_alive():
            process.kill()
            process.join()
            return None, []
        return process.exitcode, [json.dumps(each.body["messages"]) for each in self._server.prompts[before:]]


def _recorded(journal: Path) -> int:
    """Count the model calls that were recorded before the process died."""
    if not journal.exists():
        return 0
    with closing(sqlite3.connect(journal)) as database:
        known = {name for (name,) in database.execute("SELECT name FROM sqlite_master")}
        if "calls" not in known:
            return 0
        return int(database.execute("SELECT count(*) FROM calls WHERE kind = 'model'").fetchone()[0])


def _differences(part: str, found: Any, expected: Any) -> Iterator[str]:
    if part == "run":
        # How often the model was asked is counted by its server; a call on its way when the process died is lost.
        for report in (found["report"], expected["report"]):
            report["ledger"] = {}
            report["hosts_contacted"] = []
    if found != expected:
        yield f"another end: {_first_difference(found, expected)}"
    if part in ("index", "compact") and len(set(found["rows"].values())) != 1:
        yield f"the stores disagree: {found['rows']}"
    if part == "memory":
        counted = Counter(text for text, _ in found["listed"])
        yield from (f"{text!r} is there {n} times" for text, n in counted.items() if n > 1)
        lost = set(MEMORIES[:3]) - set(counted)
        yield from (f"{text!r} is lost" for text in lost)


def _first_difference(found: Any, expected: Any, where: str = "") -> str:
    if isinstance(found, dict) and isinstance(expected, dict):
        for key in sorted({*found, *expected}):
            if found.get(key) != expected.get(key):
                return _first_difference(found.get(key), expected.get(key), f"{where}.{key}")
    if isinstance(found, list) and isinstance(expected, list) and len(found) == len(expected):
        for place, (one, other) in enumerate(zip(found, expected, strict=True)):
            if one != other:
                return _first_difference(one, other, f"{where}[{place}]")
    return f"{where}: {str(found)[:200]} instead of {str(expected)[:200]}"


def _last_words(folder: Path) -> str:
    log = folder / "points.log"
    return log.read_text().splitlines()[-1] if log.exists() and log.stat().st_size else "no point passed"


def main(arguments: Sequence[str] | None = None) -> int:
    """Print every kill that did harm and the sums; 1 where there was one."""
    parser = argparse.ArgumentParser(prog="python -m citewell.evals.faults", description=__doc__)
    parser.add_argument("--part", action="append", choices=PARTS, help="all where not given; may be given again")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--first", type=int, default=1)
    given = parser.parse_args(arguments)
    harmful = 0
    with tempfile.TemporaryDirectory(prefix="citewell-faults-") as folder, Campaign(Path(folder)) as campaign:
        for part in given.part or PARTS:
            kinds: Counter[str] = Counter()
            bad = 0
            for kill in campaign.walk(part, every=given.every, first=given.first):
                kinds[kill.point] += 1
                bad += bool(kill.faults)
                for fault in kill.faults:
                    print(f"FAULT {part} killed at {kill.number}, {kill.point}: {fault}", flush=True)
                print(f"{part} {kill.number} {kill.point} {kill.seconds:.1f} s", file=sys.stderr, flush=True)
            harmful += bad
            told = ", ".join(f"{count} {name}" for name, count in sorted(kinds.items()))
            print(f"{part}: killed {kinds.total()} times ({told}); {bad} did harm", flush=True)
    return 1 if harmful else 0


if __name__ == "__main__":
    sys.exit(main())
