"""Files that a person brings along: kept in sets under the home, size-limited, named safely, refused with a reason."""

from __future__ import annotations

import os
import re
import secrets
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from filelock import FileLock

from ...errors import SourceError
from ...reports.files import safe_name
from ...retrievers.parsers.sniffing import format_of
from ...settings import Environment
from .replies import Refused

MAX_FILE_BYTES = 50_000_000
MAX_SET_BYTES = 200_000_000
MAX_SET_FILES = 200
MAX_HOME_BYTES = 5_000_000_000
_SET = re.compile(r"[0-9a-f]{32}")


@dataclass(frozen=True)
class Uploads:
    """The sets of a home; a set is a folder of its own, and nothing is written outside it."""

    folder: Path

    @classmethod
    def of(cls, environment: Environment) -> Uploads:
        """Return the uploads of a deployment."""
        return cls(environment.home.resolve() / "uploads")

    def new_set(self) -> str:
        """Return the name of a new set; its folder appears with the first file."""
        return secrets.token_hex(16)

    def keep(self, set_id: str, name: str, data: bytes) -> dict[str, Any]:
        """Keep a file and return the set.  A name that is taken gets a number.

        Raises: Refused where set, name, size or content is not taken, naming the file and the bound.
        """
        if len(data) > MAX_FILE_BYTES:
            raise Refused(f"{name}: larger than {MAX_FILE_BYTES // 1_000_000} MB, the most one file may have", 413)
        if not data:
            raise Refused(f"{name}: the file is empty")
        safe = _file_name(name)
        try:
            format_of(data, safe, None)
        except SourceError as error:
            raise Refused(f"{name}: cannot be read as a document ({error.reason})") from error
        folder = self._set(set_id)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with FileLock(folder.with_suffix(".lock")):
                self._refuse_beyond(folder, name, len(data))
                _write(folder / _free(folder, safe), data)
        except OSError as error:
            raise Refused(f"{name}: cannot be kept ({error.strerror or error})", 507) from error
        return self.listed(set_id)

    def drop(self, set_id: str, name: str) -> dict[str, Any]:
        """Delete a file of a set and return the set.  Raises: Refused where there is none of that name."""
        folder = self._set(set_id)
        if name not in {item["name"] for item in self.listed(set_id)["files"]}:
            raise Refused(f"{name}: no such file in this set", 404)
        (folder / name).unlink(missing_ok=True)
        return self.listed(set_id)

    def listed(self, set_id: str) -> dict[str, Any]:
        """Return a set: its folder, which a question names, and its files."""
        folder = self._set(set_id)
        files = sorted(path for path in folder.iterdir() if path.is_file()) if folder.is_dir() else []
        return {
            "set": set_id,
            "path": str(folder),
            "files": [{"name": path.name, "size": path.stat().st_size} for path in files if path.name[0] != "."],
        }

    def _set(self, set_id: str) -> Path:
        if not _SET.fullmatch(set_id):
            raise Refused("no such set of uploads", 404)
        return self.folder / set_id

    def _refuse_beyond(self, folder: Path, name: str, size: int) -> None:
        sizes = [item["size"] for item in self.listed(folder.name)["files"]]
        if len(sizes) >= MAX_SET_FILES:
            raise Refused(f"{name}: a set holds at most {MAX_SET_FILES} files", 413)
        if sum(sizes) + size > MAX_SET_BYTES:
            raise Refused(f"{name}: a set holds at most {MAX_SET_BYTES // 1_000_000} MB", 413)
        kept = sum(path.stat().st_size for path in self.folder.glob("*/*") if path.is_file())
        if kept + size > MAX_HOME_BYTES:
            raise Refused(f"{name}: the uploads of this server are full; delete old sets in {self.folder}", 507)


def _file_name(name: str) -> str:
    """Return the last part of a name as a safe one that keeps its ending."""
    last = re.split(r"[\\/]", name)[-1]
    stem, dot, ending = last.rpartition(".")
    ending = re.sub(r"[^0-9A-Za-z]", "", ending)[:12]
    if not dot or not ending or not stem.strip(". "):
        return safe_name(last, default="upload")
    return safe_name(stem, f".{ending}", default="upload")


def _free(folder: Path, name: str) -> str:
    if not os.path.lexists(folder / name):
        return name
    path = Path(name)
    number = 2
    while os.path.lexists(folder / f"{path.stem}-{number}{path.suffix}"):
        number += 1
    return f"{path.stem}-{number}{path.suffix}"


def _write(path: Path, data: bytes) -> None:
    part = path.with_name(f".{secrets.token_hex(8)}.part")
    try:
        part.write_bytes(data)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
