"""Where a command is told to write: looked at before it begins, so that nothing is spent on what cannot be kept."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import click

from ..errors import UsageError


class TargetFolder(click.Path):
    """A folder to write into; it and those above it are made when something is written."""

    name = "folder"

    def __init__(self) -> None:
        super().__init__(path_type=Path, file_okay=False)

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """Return the folder.  Raises: UsageError where nothing can be written there."""
        folder = Path(str(super().convert(value, param, ctx)))  # type: ignore[arg-type]
        refuse_unwritable(folder)
        return folder


class TargetFile(click.Path):
    """A file to write; the folders above it are made when it is written."""

    name = "file"

    def __init__(self) -> None:
        super().__init__(path_type=Path, dir_okay=False)

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """Return the file.  Raises: UsageError where it cannot be written."""
        path = Path(str(super().convert(value, param, ctx)))  # type: ignore[arg-type]
        refuse_unwritable(path.parent, path)
        if path.exists() and not os.access(path, os.W_OK):
            raise UsageError(f"{path}: cannot be written (Permission denied)")
        return path


def write(path: Path, text: str) -> None:
    """Put a text in a file, in one step, and make the folders above it.  Raises: UsageError."""
    from ..reports.files import write_atomically

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, text)
    except OSError as error:
        raise UsageError(f"{path}: cannot be written ({error.strerror})") from error


def refuse_unwritable(folder: Path, target: Path | None = None) -> None:
    """Refuse a folder in which no file can be made; one that is missing is looked at where it would be made.

    Args:
        target: What is to be written there, named in the error; the folder itself by default.
    Raises: UsageError.
    """
    try:
        nearest = next(each for each in (folder.absolute(), *folder.absolute().parents) if os.path.lexists(each))
        with tempfile.TemporaryFile(dir=nearest):
            pass
    except OSError as error:
        raise UsageError(f"{target or folder}: cannot be written ({error.strerror or error})") from error
    except ValueError as error:
        raise UsageError(f"{target or folder}: is no path ({error})") from error
