"""Words of the command line that are no text in the terminal's encoding."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from pathlib import Path

from ..errors import UsageError


def readable(argument: str) -> str:
    """Return an argument as text; bytes that are none come as lone surrogates, which no file or database takes.

    Raises: UsageError where it names a file or folder: no report could name it.
    """
    if argument.isascii() or not any("\udc80" <= char <= "\udcff" for char in argument):
        return argument
    shown = os.fsencode(argument).decode("utf-8", "replace")
    if os.path.lexists(argument):
        encoding = sys.getfilesystemencoding()
        way = "rename it" if encoding == "utf-8" else "use a UTF-8 locale, e.g. LC_ALL=C.UTF-8"
        raise UsageError(f"{shown}: the name cannot be read as {encoding}; {way}")
    return shown


def existing(paths: Iterable[str]) -> list[Path]:
    """Return files and folders that were named, `~` expanded.  Raises: UsageError where one is empty or not there."""
    from ..retrievers.folder import named_path

    found = [named_path(path) for path in paths]
    for path in found:
        if not path.exists():
            raise UsageError(f"{path}: no such file or folder")
    return found
