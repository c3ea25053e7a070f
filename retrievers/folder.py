"""List the files under given paths, each with the uri that names it in reports."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..errors import UsageError

# By these a home or a kept corpus is known: what it keeps of earlier runs is no source, where it lies below one.
_OWN = frozenset({"checkpoints.sqlite", "corpus.sqlite"})


@dataclass(frozen=True)
class FileEntry:
    """A file that was found, or a path that was refused.

    Attributes:
        uri: POSIX path relative to the given root; see `walk`.
        path: Where it lies on this machine.
        size: Bytes.
        mtime_ns: Time of the last change.
        refused: Why it is not to be read (leaves the root, link loop, unreadable folder); empty where it is.
    """

    uri: str
    path: Path
    size: int = 0
    mtime_ns: int = 0
    refused: str = ""


def walk(paths: Sequence[Path], taken: Sequence[str] = ()) -> list[FileEntry]:
    """List the files under paths, sorted by uri; hidden ones, and what lies in a home or a kept corpus, left out.

    The uri is the POSIX path relative to the root, prefixed by the root's name when several paths are given; a file
    given by itself has its name; equal root names are numbered (`filings`, `filings-2`).  So the same folder
    elsewhere gives the same uris.

    Args:
        paths: Folders and files.  A path given twice counts once.
        taken: Root names that are in use already, so that a later root is numbered past them.
    Returns: One entry per file; a refused path is an entry with its reason.
    Raises: UsageError where a given path does not exist or cannot be read.
    """
    roots = _distinct(paths)
    names = _names(roots, taken) if len(roots) > 1 or taken else [""] * len(roots)
    found: list[FileEntry] = []
    for root, name in zip(roots, names, strict=True):
        if root.is_file():
            found.append(_entry(name or root.name, root))
        else:
            found += _Room(root, f"{name}/" if name else "").entries()
    return sorted(found, key=lambda entry: entry.uri)


def named_path(text: str | os.PathLike[str]) -> Path:
    """Return the path that a caller named, `~` expanded.

    Raises: UsageError where it is empty, as a variable that nobody set is, or can be no path.
    """
    named = os.fspath(text)
    if not named.strip():
        raise UsageError("a path is empty: name a file or folder; `.` is this one")
    if "\0" in named:
        raise UsageError(f"{named!r}: a path holds no zero byte")
    try:
        return Path(named).expanduser()
    except RuntimeError as error:
        raise UsageError(f"{named}: no such file or folder ({error})") from error


def refuse_empty(folders: Sequence[Path]) -> None:
    """Refuse folders that hold no file among them; one that cannot be read is found here too.  Raises: UsageError."""
    for root in _distinct(folders):
        if next(_Room(root, "").entries(), None) is not None:
            return
    named = ", ".join(map(str, folders))
    hidden = any(next(folder.iterdir(), None) for folder in folders)
    beside = " that can be read: hidden files and empty folders do not count" if hidden else ""
    raise UsageError(f"{named}: {'the folder holds' if len(folders) == 1 else 'the folders hold'} no file{beside}")


def _distinct(paths: Sequence[Path]) -> list[Path]:
    """Check the given paths and drop those given twice or lying under another one."""
    roots: dict[Path, Path] = {}
    for path in paths:
        if (shown := printable(str(path))) != str(path):
            raise UsageError(f"{shown}: its name is not UTF-8; rename it, or name the folder that it lies in")
        try:
            real = path.resolve(strict=True)
        except (OSError, RuntimeError) as error:
            raise UsageError(f"{path}: no such file or folder") from error
        if not (real.is_dir() or real.is_file()):
            raise UsageError(f"{path}: neither a file nor a folder")
        roots.setdefault(real, path)
    inside = {real for real in roots for other in roots if real != other and real.is_relative_to(other)}
    return [real for real in roots if real not in inside]


def _names(roots: Sequence[Path], taken: Sequence[str]) -> list[str]:
    """Name each root by its last part; equal names get a number, before the extension where it is a file."""
    used = set(taken)
    names = []
    for root in roots:
        stem, suffix = (root.stem, root.suffix) if root.is_file() else (root.name or "root", "")
        name, number = stem + suffix, 2
        while name in used:
            name, number = f"{stem}-{number}{suffix}", number + 1
        used.add(name)
        names.append(name)
    return names


@dataclass(frozen=True)
class _Room:
    """One root folder; what its links lead out of is refused."""

    root: Path
    prefix: str

    def entries(self) -> Iterator[FileEntry]:
        return self._folder(self.root, "", (self.root,))

    def _folder(self, folder: Path, relative: str, above: tuple[Path, ...]) -> Iterator[FileEntry]:
        try:
            with os.scandir(folder) as listing:
                children = sorted(listing, key=lambda child: child.name)
        except OSError as error:
            if folder == self.root:
                raise UsageError(f"{folder}: the folder cannot be read ({error.strerror})") from error
            yield self._refused(relative, folder, f"the folder cannot be read ({error.strerror})")
            return
        if folder != self.root and _OWN & {child.name for child in children}:
            return
        for child in children:
            if child.name.startswith("."):
                continue
            uri = f"{relative}/{child.name}" if relative else child.name
            yield from self._child(child, uri, above)

    def _child(self, child: os.DirEntry[str], uri: str, above: tuple[Path, ...]) -> Iterator[FileEntry]:
        path = Path(child.path)
        if child.is_symlink():
            try:
                real = path.resolve(strict=True)
            except (OSError, RuntimeError):
                yield self._refused(uri, path, "a link that leads nowhere or in a circle")
                return
            if not real.is_relative_to(self.root):
                yield self._refused(uri, path, "a link that leads out of the folder")
                return
            if real.is_dir() and real in above:
                yield self._refused(uri, path, "a link that leads in a circle")
                return
            path = real
        if path.is_dir():
            yield from self._folder(path, uri, (*above, path))
        elif path.is_file():
            yield _entry(self.prefix + printable(uri), path)
        else:
            yield self._refused(uri, path, "neither a file nor a folder")

    def _refused(self, uri: str, path: Path, reason: str) -> FileEntry:
        return FileEntry(self.prefix + printable(uri), path, refused=reason)


def printable(name: str) -> str:
    """Write bytes of a file name that are not UTF-8 as `%XX`, since a uri is text in every output."""
    return "".join(f"%{ord(char) - 0xDC00:02X}" if "\udc80" <= char <= "\udcff" else char for char in name)


def _entry(uri: str, path: Path) -> FileEntry:
    try:
        status = path.stat()
    except OSError as error:
        return FileEntry(printable(uri), path, refused=f"the file cannot be read ({error.strerror})")
    return FileEntry(printable(uri), path, status.st_size, status.st_mtime_ns)
