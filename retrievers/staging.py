"""Stage a dataroom: a read-only copy that a run works on, with a manifest of what it may see."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from filelock import FileLock

from ..errors import UsageError
from .folder import FileEntry, walk

_BLOCK = 1 << 20
STRUCTURED = frozenset({".csv", ".tsv", ".json", ".jsonl", ".ndjson", ".xlsx", ".xlsm"})
"""Endings of exports; the parser that reads a file has the last word on its tier."""


@dataclass(frozen=True)
class StagedFile:
    """One visible file."""

    path: str
    size: int
    sha256: str
    tier: str


@dataclass(frozen=True)
class Stage:
    """A staged dataroom.

    Attributes:
        root: The copy; uris are relative to it.
        manifest: `manifest.json` beside the copy, so that a file of that name in the room is not hidden.
        files: What the copy holds, sorted by path.
        refused: (path, reason) of what was left out: links that lead outside, link loops, unreadable files.
    """

    root: Path
    manifest: Path
    files: tuple[StagedFile, ...]
    refused: tuple[tuple[str, str], ...]


def stage(room: Path, home: Path) -> Stage:
    """Copy a dataroom into the home folder and write its manifest.  The room itself is never changed.

    A second call copies what changed and drops what is gone.  Files are copied in blocks, whatever their size.
    Raises: UsageError where the room is no readable folder or the copy cannot be written.
    """
    if not room.is_dir():
        raise UsageError(f"{room}: the dataroom is not a folder")
    real = room.resolve()
    if home.resolve().is_relative_to(real) and not _hidden(home.resolve().relative_to(real)):
        raise UsageError(f"{home}: the home folder lies inside the dataroom; set CITEWELL_HOME to another place")
    folder = home / "staging" / sha256(str(real).encode("utf-8", "surrogatepass")).hexdigest()[:16]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with FileLock(folder.with_suffix(".lock")):
            return _synchronised(real, folder)
    except OSError as error:
        raise UsageError(f"{error.filename or folder}: cannot be staged ({error.strerror or error})") from error


def refuse_output_inside(room: Path, out: Path) -> None:
    """Refuse an output folder inside the dataroom, also through a link.  Raises: UsageError."""
    if out.resolve().is_relative_to(room.resolve()):
        raise UsageError(f"{out}: the output folder lies inside the dataroom, which is never changed")


def _synchronised(room: Path, folder: Path) -> Stage:
    data = folder / "data"
    data.mkdir(exist_ok=True)
    files: list[StagedFile] = []
    refused: list[tuple[str, str]] = []
    for entry in walk([room]):
        if entry.refused:
            refused.append((entry.uri, entry.refused))
            continue
        try:
            digest = _copied(entry, data / entry.uri)
        except OSError as error:
            refused.append((entry.uri, f"cannot be read ({error.strerror or error})"))
            continue
        tier = "structured" if Path(entry.uri).suffix.lower() in STRUCTURED else "narrative"
        files.append(StagedFile(path=entry.uri, size=entry.size, sha256=digest, tier=tier))
    _drop_others(data, {file.path for file in files})
    manifest = folder / "manifest.json"
    content = {"runtime_scope": "dataroom", "files": [file.path for file in files]}
    _write(manifest, json.dumps(content, ensure_ascii=False, indent=2) + "\n")
    return Stage(root=data, manifest=manifest, files=tuple(files), refused=tuple(refused))


def _copied(entry: FileEntry, target: Path) -> str:
    """Copy a file block by block unless the copy is the same already; return the hash of its bytes."""
    target.parent.mkdir(parents=True, exist_ok=True)
    if target.is_dir():
        _remove(target)
    digest = sha256()
    if target.is_file() and not target.is_symlink():
        known = target.stat()
        if (known.st_size, known.st_mtime_ns) == (entry.size, entry.mtime_ns):
            for block in _blocks(target):
                digest.update(block)
            return digest.hexdigest()
        target.unlink()
    part = target.with_name(f".{sha256(target.name.encode()).hexdigest()[:16]}.part")
    part.unlink(missing_ok=True)
    with part.open("xb") as stream:
        for block in _blocks(entry.path):
            digest.update(block)
            stream.write(block)
    part.chmod(0o444)
    os.utime(part, ns=(entry.mtime_ns, entry.mtime_ns))
    part.replace(target)
    return digest.hexdigest()


def _blocks(path: Path) -> Iterator[bytes]:
    with path.open("rb") as stream:
        while block := stream.read(_BLOCK):
            yield block


def _drop_others(data: Path, kept: set[str]) -> None:
    for folder, names, files in os.walk(data, topdown=False):
        for name in files:
            path = Path(folder) / name
            if path.relative_to(data).as_posix() not in kept:
                path.unlink()
        for name in names:
            path = Path(folder) / name
            if path.is_dir() and not any(path.iterdir()):
                path.rmdir()


def _remove(folder: Path) -> None:
    _drop_others(folder, set())
    folder.rmdir()


def _write(path: Path, text: str) -> None:
    part = path.with_name(f".{path.name}.part")
    part.write_text(text, encoding="utf-8")
    part.replace(path)


def _hidden(path: Path) -> bool:
    """Whether a hidden folder is on the way, which `walk` leaves out."""
    return any(part.startswith(".") for part in path.parts)
