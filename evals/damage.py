"""Change one byte of a stored file, or cut it, call a command, and look whether that is told or has no effect.

`python -m citewell.evals.damage` (`--count 200 --seed 0`).  A command has to end as it did before, or with a line that
names the file; another answer, a traceback or no end is a fault.  Write-ahead logs are left alone: SQLite takes a
damaged one for cut short there, as after a power failure, and the writes behind it for never made.
"""

from __future__ import annotations

import argparse
import random
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from .fault_work import QUESTION, call, warm_processes, written

HUNG_S = 120.0


@dataclass(frozen=True)
class Case:
    """A command, and the files of which one is damaged before it, as a pattern."""

    name: str
    files: str
    command: tuple[str, ...]


@dataclass(frozen=True)
class Ended:
    """How a command ended: exit code, what it printed and what it told."""

    code: int | None
    out: str
    err: str

    @property
    def told(self) -> bool:
        """Whether something about a file was said: by the command, in a note, or in the report of a failed run."""
        noted = ("citewell:", "is made again", "did not answer", "no vector yet", "not remembered")
        return any(word in self.err for word in noted) or "damaged" in self.out or "changed by the disk" in self.out


CASES = (
    Case("search of a kept corpus", "kept/**/*", ("search", QUESTION, "--corpus", "kept", "--json")),
    Case("research over a kept corpus", "kept/**/*", ("research", QUESTION, "--corpus", "kept")),
    Case("report of a finished thread", "home/*.sqlite", ("resume", "t-1")),
    Case(
        "a further question of a thread", "home/*.sqlite", ("research", "And which river drains it?", "--thread", "t-1")
    ),
    Case("search of memories", "home/memory/**/*", ("memory", "search", "How long is the quay?", "--json")),
    Case("list of memories", "home/memory/**/*", ("memory", "list", "--json")),
    Case("research that remembers", "home/**/*", ("research", QUESTION, "--docs", "docs")),
)


class Campaign:
    """Prepares a folder once and damages copies of it.

    Args:
        folder: Where all copies are made.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._processes = warm_processes()
        self.whole = folder / "whole"
        written(self.whole)
        for command in (
            ("index", "docs", "--corpus", "kept", "--quiet"),
            ("research", QUESTION, "--docs", "docs", "--thread", "t-1"),
            ("memory", "add", "The quay is 420 metres long."),
            ("memory", "add", "The ferry Marit carries 32 cars."),
            ("memory", "search", "How long is the quay?"),
        ):
            ended = self._call(self.whole, command)
            if ended.code != 0:
                raise RuntimeError(f"{command} ended with {ended.code}: {ended.err}")

    def walk(self, case: Case, count: int, seed: int) -> Iterator[tuple[str, str]]:
        """Damage a file, run the case, and give what was damaged and how it ended, so many times."""
        chance = random.Random(f"{seed} {case.name}")
        files = sorted(path for path in self.whole.glob(case.files) if path.is_file() and path.stat().st_size)
        files = [path for path in files if not path.name.endswith((".lock", "-wal", "-shm"))]
        copy = self._folder / "copy"
        expected = self._on_copy(copy, case)
        for _ in range(count):
            path = chance.choice(files).relative_to(self.whole)
            shutil.rmtree(copy, ignore_errors=True)
            shutil.copytree(self.whole, copy)
            what = f"{path} {_damage(copy / path, chance)}"
            yield what, _verdict(self._call(copy, case.command), expected)

    def _on_copy(self, copy: Path, case: Case) -> Ended:
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(self.whole, copy)
        return self._call(copy, case.command)

    def _call(self, folder: Path, command: Sequence[str]) -> Ended:
        out, err = folder / "out.txt", folder / "err.txt"
        process = self._processes.Process(target=call, args=(str(folder), tuple(command), str(out), str(err)))
        process.start()
        process.join(HUNG_S)
        if process.is_alive():
            process.kill()
            process.join()
            return Ended(None, "", "")
        return Ended(process.exitcode, out.read_text(errors="replace"), err.read_text(errors="replace"))


def _damage(path: Path, chance: random.Random) -> str:
    data = bytearray(path.read_bytes())
    place = chance.randrange(len(data))
    if chance.random() < 0.15:
        path.write_bytes(data[:place])
        return f"cut to {place} bytes"
    bit = 1 << chance.randrange(8)
    data[place] ^= bit
    path.write_bytes(data)
    return f"byte {place}, bit {bit}"


def _verdict(ended: Ended, expected: Ended) -> str:
    """Return `same`, `told`, or a fault in capitals."""
    if ended.code is None:
        return f"HUNG for {HUNG_S:.0f} s"
    if "Traceback" in ended.err or "unexpected" in ended.err or ended.code < 0:
        return f"CRASHED with {ended.code}: {ended.err.strip().splitlines()[-1][:300] if ended.err.strip() else ''}"
    if (ended.code, ended.out) == (expected.code, expected.out):
        return "same"
    if ended.told:
        return "told"
    return f"ANOTHER END, {ended.code}: {_difference(ended.out, expected.out)} {ended.err[-200:]}"


def _difference(found: str, expected: str) -> str:
    for one, other in zip(found.splitlines(), expected.splitlines(), strict=False):
        if one != other:
            return f"{one.strip()[:150]!r} instead of {other.strip()[:150]!r}"
    return f"{len(found)} characters instead of {len(expected)}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Print each fault and the sums; 1 where there was one."""
    parser = argparse.ArgumentParser(prog="python -m citewell.evals.damage", description=__doc__)
    parser.add_argument("--count", type=int, default=200, help="of each case")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--case", type=int, action="append", choices=range(len(CASES)), help="all where not given")
    given = parser.parse_args(arguments)
    faults = 0
    with tempfile.TemporaryDirectory(prefix="citewell-damage-") as folder:
        campaign = Campaign(Path(folder))
        for case in [CASES[number] for number in given.case or range(len(CASES))]:
            counted: Counter[str] = Counter()
            for what, verdict in campaign.walk(case, given.count, given.seed):
                counted[verdict if verdict in ("same", "told") else "fault"] += 1
                if verdict not in ("same", "told"):
                    faults += 1
                    print(f"FAULT {case.name}, {what}: {verdict}", flush=True)
            print(f"{case.name}: {', '.join(f'{n} {name}' for name, n in sorted(counted.items()))}", flush=True)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
