"""Mutated files through every parser: each must end in text with true offsets or in a named reason, soon and small.

`python -m citewell.evals.fuzz --count 10000 --seed 0` (`make fuzz COUNT=10000`)
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import sys
import tempfile
import time
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from ..errors import SourceError
from ..retrievers.chunking import cut
from ..retrievers.parsers import Extraction, extract

ROOT = Path(__file__).parents[1]
HANG_S = 20.0
"""A file of some kilobytes that takes longer hangs."""

MOST_GROWTH_MB = 400
"""More memory than this for one of these files is unbounded."""

TOKENS = (
    b"<", b"</table>", b"<table>", b'"', b"'", b"\0", b"\xff\xfe", b"\xef\xbb\xbf", b"\r", b"\n\n", b"[[", b"]", b"{",
    b"}", b"|---|", b",,,,", b";", b"\t", b"```", b"- " * 40, b"<div>" * 80, b"[" * 200, b'{"a":' * 80,
    b"&#x1F600;", b"&#0;",
    b"]]>", b"<!DOCTYPE x [<!ENTITY a 'aaaa'>]>", b"&a;", b"1e999", b"-0", b"9" * 400, b"\xed\xa0\x80", b"\xe2\x80\xae",
    b"\xf0\x9f\x91\xa9\xe2\x80\x8d", b"PK\x03\x04", b"%PDF-1.7", b"endobj", b"/Length 99999999", b"rowspan='9999999'",
    b"colspan='-1'", b"<w:gridSpan w:val='99999'/>", b"ref=\"A1:XFD1048576\"",
    b"Content-Type: multipart/mixed; boundary=x",
)  # fmt: skip
ENDINGS = (".txt", ".md", ".csv", ".tsv", ".json", ".jsonl", ".html", ".pdf", ".docx", ".xlsx", ".pptx", ".eml", "")


@dataclass(frozen=True)
class Outcome:
    """What became of one file.

    Attributes:
        ended: `text`, `skipped` or `refused`; for a fault `hung`, `crashed`, `raised`, `broken` or `grew`.
        told: The reason, or what is at fault.
        growth_mb: By how much the process's peak of memory rose.
    """

    seed: int
    name: str
    ended: str
    told: str = ""
    seconds: float = 0.0
    growth_mb: float = 0.0

    @property
    def fault(self) -> bool:
        """Whether this must not happen."""
        return self.ended not in ("text", "skipped", "refused")


@cache
def originals() -> dict[str, bytes]:
    """Return whole files of every format: the sample dataroom, and small ones made here."""
    found = {
        path.relative_to(ROOT).as_posix(): path.read_bytes()
        for path in sorted((ROOT / "studio" / "dataroom").rglob("*"))
        if path.is_file() and path.stat().st_size < 200_000
    }
    return found | _made()


def _made() -> dict[str, bytes]:
    import openpyxl
    import pptx

    book: Any = openpyxl.Workbook()
    book.active.append(["Site", "Heads", "Share"])
    book.active.append(["Kelm", 140, 0.25])
    book.active.merge_cells("A4:C5")
    deck: Any = pptx.Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[5])
    slide.shapes.title.text = "Figures"
    slide.shapes.add_table(2, 2, 0, 0, 9_000_000, 900_000).table.cell(1, 1).text = "7.5%"
    page = (
        "<html><head><meta charset='utf-8'><title>Tides</title></head><body><h1>Höhe</h1><ul><li>one<li>two</ul>"
        "<table><tr><th>Year<th>MW<tr><td>2021<td>42</table>"
        "<p style='display:none'>x</p><details>y</details></body></html>"
    )
    mail = (
        "From: a@b.test\r\nTo: c@d.test\r\nSubject: =?utf-8?q?R=C3=A9sum=C3=A9?=\r\n"
        "Date: Mon, 5 Jan 2026 10:00:00 +0000\r\n"
        'Content-Type: multipart/mixed; boundary="x"\r\n\r\n--x\r\nContent-Type: text/html\r\n\r\n<p>Hi</p>\r\n'
        "--x\r\nContent-Type: text/csv\r\nContent-Disposition: attachment; filename=a.csv\r\n\r\na,b\n1,2\n--x--\r\n"
    )
    rows = [{"id": n, "name": f"n{n}", "sub": {"v": [n, n / 3]}} for n in range(6)]
    return {
        "made/a.xlsx": _saved(book),
        "made/a.pptx": _saved(deck),
        "made/a.html": page.encode(),
        "made/latin.html": page.replace("utf-8", "iso-8859-1").encode("latin-1"),
        "made/a.eml": mail.encode(),
        "made/a.json": json.dumps({"rows": rows}).encode(),
        "made/a.jsonl": b"\n".join(json.dumps(row).encode() for row in rows),
        "made/a.tsv": b'a\tb\n1\t2\n"x\ty"\t3\n',
        "made/a.md": b"# T\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n> q\n\n1. x\n   - y\n\n```\ncode\n```\n",
        "made/u16.txt": "Ünïcode 合同 text.\n".encode("utf-16"),
    }


def _saved(document: Any) -> bytes:
    out = BytesIO()
    document.save(out)
    return out.getvalue()


def mutated(seed: int) -> tuple[str, bytes]:
    """Return the name and bytes of the file of a seed."""
    dice = random.Random(seed)
    names = sorted(originals())
    name = dice.choice(names)
    data = originals()[name]
    if zipfile.is_zipfile(BytesIO(data)) and dice.random() < 0.75:
        data = _part_mutated(data, dice)
    else:
        data = _bytes_mutated(data, dice, originals()[dice.choice(names)])
    if dice.random() < 0.1:
        name = name.rpartition(".")[0] + dice.choice(ENDINGS)
    return name, data


def _part_mutated(data: bytes, dice: random.Random) -> bytes:
    """Change one part of an office file and pack it well, so that its parser gets to see it."""
    out = BytesIO()
    with zipfile.ZipFile(BytesIO(data)) as source, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as target:
        parts = source.namelist()
        chosen = dice.choice([part for part in parts if part.endswith((".xml", ".rels"))] or parts)
        dropped = dice.choice(parts) if dice.random() < 0.05 else ""
        for part in parts:
            if part == dropped:
                continue
            content = source.read(part)
            target.writestr(part, _bytes_mutated(content, dice, content) if part == chosen else content)
    return out.getvalue()


def _bytes_mutated(data: bytes, dice: random.Random, other: bytes) -> bytes:
    out = bytearray(data)
    for _ in range(dice.choice((1, 1, 2, 3, 5, 8, 20))):
        place = dice.randrange(len(out) + 1)
        match dice.randrange(9):
            case 0:
                del out[place : place + dice.randint(1, 60)]
            case 1:
                out[place:place] = dice.randbytes(dice.randint(1, 16))
            case 2 | 3:
                out[place:place] = dice.choice(TOKENS)
            case 4 if out:
                out[min(place, len(out) - 1)] ^= 1 << dice.randrange(8)
            case 5:
                out[place:place] = out[place : place + dice.randint(1, 400)] * dice.randint(1, 30)
            case 6 if dice.random() < 0.3:
                del out[place:]
            case 7 if other:
                start = dice.randrange(len(other))
                out[place:place] = other[start : start + dice.randint(1, 2_000)]
            case 8:
                out[place : place + 4] = dice.choice((b"\xff\xff\xff\xff", b"\0\0\0\0", b"\x7f\xff\xff\xff"))
    return bytes(out)


def examined(seed: int) -> Outcome:
    """Read the file of a seed and look for what must not be."""
    name, data = mutated(seed)
    before, began = _peak_mb(), time.monotonic()
    try:
        ended, told = _read(name, data)
    except Exception as error:  # Whatever escapes is what the campaign looks for.
        ended, told = "raised", f"{type(error).__name__}: {error}"
    seconds, growth_mb = time.monotonic() - began, _peak_mb() - before
    if growth_mb > MOST_GROWTH_MB:
        ended, told = "grew", f"{growth_mb:.0f} MB for {len(data):,} bytes; {ended}: {told}"
    return Outcome(seed, name, ended, told, round(seconds, 3), round(growth_mb, 1))


def _read(name: str, data: bytes) -> tuple[str, str]:
    try:
        found = extract(data, name=name)
    except SourceError as error:
        return ("refused", error.reason) if error.reason else ("broken", "refused without a reason")
    problem = next(_problems(name, found), "")
    if problem:
        return "broken", problem
    return ("skipped", found.skipped) if found.skipped else ("text", "")


def _problems(name: str, found: Extraction) -> Iterator[str]:
    text = found.text
    if not text and not found.skipped:
        yield "no text and no reason"
    if any("\ud800" <= char <= "\udfff" for char in text):
        yield "a lone surrogate in the text"
    for block in found.blocks:
        if not 0 <= block.start <= block.end <= len(text):
            yield f"block {block.start}-{block.end} of {len(text)} characters"
    for row in found.rows:
        for cell in row.cells:
            if text[cell.start : cell.end] != cell.text:
                yield f"a cell's offsets hold {text[cell.start : cell.end]!r}, not {cell.text!r}"
    for chunk in cut(found, name, chars=400, overlap=80):
        if chunk.text != text[chunk.start : chunk.end] or not chunk.text.strip():
            yield f"chunk {chunk.start}-{chunk.end} is not its text"


def _peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def campaign(
    seeds: Sequence[int], *, jobs: int = 2, hang_s: float = HANG_S, serve: Callable[[Connection], None] | None = None
) -> Iterator[Outcome]:
    """Examine the files of seeds in processes of their own; one that hangs or takes its process down is a fault."""
    share = [list(seeds[at::jobs]) for at in range(jobs)]
    workers = [_Worker(part, hang_s, serve or _serve) for part in share if part]
    while workers:
        for worker in list(workers):
            outcome = worker.next()
            if outcome is None:
                workers.remove(worker)
            else:
                yield outcome


class _Worker:
    """A process that examines files one by one, replaced when a file ends it."""

    def __init__(self, seeds: Sequence[int], hang_s: float, serve: Callable[[Connection], None]) -> None:
        self._seeds, self._hang_s, self._serve = list(seeds), hang_s, serve
        self._start()

    def _start(self) -> None:
        context = get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=self._serve, args=(theirs,), daemon=True)
        self._process.start()
        theirs.close()
        self._pipe.recv()  # ready
        self._ask()

    def _ask(self) -> None:
        if self._seeds:
            self._pipe.send(self._seeds[0])

    def next(self) -> Outcome | None:
        if not self._seeds:
            self._process.kill()
            self._process.join()
            return None
        seed = self._seeds[0]
        try:
            if self._pipe.poll(self._hang_s):
                outcome: Outcome = self._pipe.recv()
                del self._seeds[0]
                self._ask()
                return outcome
            ended, told = "hung", f"no end within {self._hang_s:.0f} s"
        except EOFError:
            self._process.join()
            ended, told = "crashed", f"exit code {self._process.exitcode}"
        self._process.kill()
        self._process.join()
        del self._seeds[0]
        self._start()
        return Outcome(seed, mutated(seed)[0], ended, told)


def _serve(pipe: Connection) -> None:
    originals()
    pipe.send("ready")
    while True:
        pipe.send(examined(pipe.recv()))


def main(arguments: Sequence[str] | None = None) -> int:
    """Print every fault and the sums; 1 where there was one."""
    parser = argparse.ArgumentParser(prog="python -m citewell.evals.fuzz", description=__doc__)
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0, help="of the first file; the others count on from it")
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args(arguments)
    ends: Counter[str] = Counter()
    slowest, largest = Outcome(-1, "", "text"), Outcome(-1, "", "text")
    faults = []
    began = time.monotonic()
    for outcome in campaign(range(given.seed, given.seed + given.count), jobs=given.jobs):
        ends[outcome.ended] += 1
        slowest = max(slowest, outcome, key=lambda each: each.seconds)
        largest = max(largest, outcome, key=lambda each: each.growth_mb)
        if outcome.fault:
            faults.append(outcome)
            kept = Path(tempfile.gettempdir(), f"fuzz-{outcome.seed}-{Path(outcome.name).name}")
            kept.write_bytes(mutated(outcome.seed)[1])
            print(f"FAULT {outcome.seed} {outcome.name} {outcome.ended}: {outcome.told[:300]} ({kept})", flush=True)
        if ends.total() % 1_000 == 0:
            print(f"{ends.total()} of {given.count}, {time.monotonic() - began:.0f} s", file=sys.stderr, flush=True)
    print(f"{ends.total()} files: {dict(ends)}; {len(faults)} faults")
    print(f"slowest {slowest.seconds:.2f} s ({slowest.seed} {slowest.name})", end="; ")
    print(f"largest rise of memory {largest.growth_mb:.0f} MB ({largest.seed} {largest.name})")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
