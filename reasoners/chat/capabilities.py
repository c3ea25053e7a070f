"""What a server turned out to support, remembered by address and model so that it is found out once."""

from __future__ import annotations

import asyncio
import json
import os
import tempfile
import threading
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Literal

Form = Literal["json_schema", "function_calling", "json_mode", "plain"]
FORMS: tuple[Form, ...] = ("json_schema", "function_calling", "json_mode", "plain")


@dataclass(frozen=True)
class Capabilities:
    """What is known of a model at an address.

    Attributes:
        form: The best way to ask for a shape that worked; None before any did.
        temperature: False where it refuses one.
        window_tokens: Its window as it named it, or as refusals narrowed it down; None where unknown.
    """

    form: Form | None = None
    temperature: bool = True
    window_tokens: int | None = None


class CapabilityBook:
    """Capabilities by model and address, in memory and, where a file is given, there too."""

    def __init__(self, path: Path | None = None) -> None:
        self._path, self._lock = path, threading.Lock()
        self._known: dict[str, Capabilities] | None = None

    def of(self, key: str) -> Capabilities:
        """Return what is known under a key; the defaults where nothing is.  The first call reads the file."""
        with self._lock:
            return self._read().get(key, Capabilities())

    async def ready(self) -> None:
        """Read the file, in a thread, where that was not done yet."""
        if self._known is None:
            await asyncio.to_thread(self.of, "")

    async def note(self, key: str, **changes: Any) -> None:
        """Change what is known under a key, and write it down where that is possible."""
        await asyncio.to_thread(self._note, key, changes)

    def _note(self, key: str, changes: Mapping[str, Any]) -> None:
        with self._lock:
            known = self._read()
            updated = replace(known.get(key, Capabilities()), **changes)
            if known.get(key) == updated:
                return
            known[key] = updated
            self._write(known)

    def _read(self) -> dict[str, Capabilities]:
        if self._known is None:
            self._known = {}
            try:
                stored = json.loads(self._path.read_text(encoding="utf-8")) if self._path else {}
                self._known = {str(key): Capabilities(**value) for key, value in stored.items()}
            except (OSError, ValueError, TypeError, AttributeError):
                self._known = {}  # A missing or damaged file costs finding it out again.
        return self._known

    def _write(self, known: dict[str, Capabilities]) -> None:
        if self._path is None:
            return
        text = json.dumps({key: asdict(value) for key, value in known.items()}, indent=1, sort_keys=True)
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=self._path.parent, prefix=self._path.name)
            with os.fdopen(handle, "w", encoding="utf-8") as stream:
                stream.write(text)
            os.replace(name, self._path)
        except OSError:
            return  # Kept in memory all the same.


_BOOKS: dict[Path | None, CapabilityBook] = {}
_BOOKS_LOCK = threading.Lock()


def book_at(path: Path | None) -> CapabilityBook:
    """Return this process's book of a file."""
    with _BOOKS_LOCK:
        return _BOOKS.setdefault(path, CapabilityBook(path))
