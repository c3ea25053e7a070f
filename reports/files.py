"""Reports as files: names that are safe anywhere, written whole or not at all, nothing of another run replaced."""

from __future__ import annotations

import json
import os
import re
import secrets
import unicodedata
from collections.abc import Mapping
from pathlib import Path

from ..errors import UsageError
from ..state.records import Report
from .html import render_html
from .markdown import render_markdown

MAX_NAME_BYTES = 255
_NUMBER_ROOM = 8  # For `-2`, `-3` and on.
_FORBIDDEN = re.compile(r'[\x00-\x1f\x7f-\x9f\\/:*?"<>|\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]+')
_RESERVED = re.compile(r"^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$|clock\$)(\..*)?$", re.IGNORECASE)


def safe_name(title: str, suffix: str = "", *, default: str = "report") -> str:
    """Return a file name made of a title: of one folder, not hidden, not reserved anywhere, at most 255 bytes.

    Args:
        title: Any text.  An ending equal to `suffix` is not doubled.
        suffix: Ending of the name, e.g. `.md`.
        default: Stem of a title that leaves nothing.
    """
    stem = unicodedata.normalize("NFC", _FORBIDDEN.sub(" ", title))
    stem = _trim(stem)
    while suffix and stem.lower().endswith(suffix.lower()):
        stem = _trim(stem[: -len(suffix)])
    stem = stem or default
    if _RESERVED.match(stem):
        stem = f"{default}-{stem}"
    room = MAX_NAME_BYTES - len(suffix.encode()) - _NUMBER_ROOM
    cut = stem.encode()[:room].decode(errors="ignore")
    while cut and len(cut) < len(stem) and unicodedata.combining(stem[len(cut)]):
        cut = cut[:-1]
    return (_trim(cut) or default) + suffix


def write_report(report: Report, out_dir: Path, stem: str = "report") -> list[Path]:
    """Write a report as Markdown, JSON and HTML and return the three paths.

    The same run writes over its own files; beside another run's files, or anything else of these names, it takes the
    first free number (`report-2.md`, …), the same for all three.
    Raises: UsageError where the folder cannot be written.
    """
    texts = {
        ".md": render_markdown(report),
        ".json": report.model_dump_json(indent=2) + "\n",
        ".html": render_html(report),
    }
    return write_set(texts, out_dir, safe_name(stem), owner=report.run_id)


def write_set(texts: Mapping[str, str], out_dir: Path, stem: str, *, owner: str = "") -> list[Path]:
    """Write one text per suffix under one free stem.  With an owner, a set whose JSON has its `run_id` is replaced."""
    try:
        out_dir.mkdir(parents=True, exist_ok=True)
        number = 1
        while True:
            name = stem if number == 1 else f"{stem}-{number}"
            paths = {suffix: out_dir / f"{name}{suffix}" for suffix in texts}
            if owner and _run_id(paths.get(".json")) == owner:
                for suffix, path in paths.items():
                    write_atomically(path, texts[suffix])
                return list(paths.values())
            if not any(os.path.lexists(path) for path in paths.values()) and _claim(paths, texts):
                return list(paths.values())
            number += 1
    except OSError as error:
        raise UsageError(f"{error.filename or out_dir}: cannot be written ({error.strerror or error})") from error


def write_atomically(path: Path, text: str) -> None:
    """Put a text in place of a file in one step: a reader sees the old or the new one, never a part."""
    temporary = _temporary(path, text)
    try:
        os.replace(temporary, path)
    except OSError:
        temporary.unlink(missing_ok=True)
        raise


def _claim(paths: Mapping[str, Path], texts: Mapping[str, str]) -> bool:
    """Write all files under names that nobody has yet; where somebody was faster, leave nothing and say no."""
    placed: list[Path] = []
    for suffix, path in paths.items():
        temporary = _temporary(path, texts[suffix])
        try:
            _place(temporary, path)
            placed.append(path)
        except FileExistsError:
            for other in placed:
                other.unlink(missing_ok=True)
            return False
        finally:
            temporary.unlink(missing_ok=True)
    return True


def _place(temporary: Path, path: Path) -> None:
    """Give a finished file its name, unless the name is taken."""
    try:
        os.link(temporary, path)
    except FileExistsError:
        raise
    except OSError:
        # A file system without hard links: claim the name first, then put the text in its place.
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o644))
        os.replace(temporary, path)


def _temporary(path: Path, text: str) -> Path:
    temporary = path.with_name(f".citewell-{secrets.token_hex(8)}.part")
    # Opened by hand for the permissions that the user's umask gives; tempfile would keep others from reading.
    handle = os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n", errors="backslashreplace") as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
    except OSError:
        temporary.unlink(missing_ok=True)
        raise
    return temporary


def _run_id(path: Path | None) -> str:
    if path is None or not path.is_file():
        return ""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return ""
    return str(content.get("run_id", "")) if isinstance(content, dict) else ""


def _trim(stem: str) -> str:
    """Drop what would hide a name or be lost from it: spaces and dots at the ends, hyphens that look like options."""
    return " ".join(stem.split()).strip(" .").lstrip("-. ~").rstrip(" .")
