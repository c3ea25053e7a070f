"""The files and folders of the server that a question may name, one folder at a time."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from ...retrievers.roots import Roots
from ...settings import Environment
from .replies import Refused

MAX_ENTRIES = 500


def roots_of(environment: Environment) -> list[str]:
    """Return the folders to begin at: those that may be read, or the working directory where none are named."""
    folders = Roots.of(environment).folders or (Path.cwd(),)
    inside = {folder for folder in folders for other in folders if folder != other and folder.is_relative_to(other)}
    return [str(folder) for folder in folders if folder not in inside and folder.is_dir()]


def look_into(path: str, environment: Environment) -> dict[str, Any]:
    """List a folder: folders first, hidden entries and links that lead outside left out.

    Raises: UsageError for a folder outside the roots; Refused where it cannot be listed.
    """
    roots = Roots.of(environment)
    roots.refuse_outside(path)
    folder = Path(path).expanduser().resolve()
    entries: list[dict[str, Any]] = []
    try:
        with os.scandir(folder) as listing:
            children = sorted(listing, key=lambda child: (not child.is_dir(), child.name.casefold(), child.name))
        for child in children:
            if child.name.startswith(".") or not _is_text(child.name):
                continue
            if roots.folders and not roots.holds(Path(child.path)):
                continue
            is_folder = child.is_dir()
            if is_folder or child.is_file():
                size = None if is_folder else child.stat().st_size
                entries.append({"name": child.name, "path": child.path, "folder": is_folder, "size": size})
    except OSError as error:
        raise Refused(f"{path}: cannot be listed ({error.strerror or error})", 404) from error
    above = folder.parent
    return {
        "path": str(folder),
        "above": str(above) if above != folder and (not roots.folders or roots.holds(above)) else "",
        "entries": entries[:MAX_ENTRIES],
        "more": max(0, len(entries) - MAX_ENTRIES),
    }


def _is_text(name: str) -> bool:
    """Whether a name is UTF-8, so that it can travel to a page and back."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True
