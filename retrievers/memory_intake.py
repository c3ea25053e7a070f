"""What may enter a memory: texts, labels, metadata and exported lines, checked and cleaned."""

from __future__ import annotations

import json
from typing import Any

from pydantic import ValidationError

from ..errors import UsageError
from .memory_items import MemoryItem

MAX_CHARS = 20_000
MAX_LABEL_CHARS = 200
EXPORT_SCHEMA = "citewell.memory/1"


def clean_text(text: str) -> str:
    """Return a text as every file can hold it.  Raises: UsageError where nothing or too much is left."""
    cleaned = text.replace("\x00", "").encode("utf-8", "replace").decode().strip()
    if not cleaned:
        raise UsageError("there is nothing to remember: the text is empty")
    if len(cleaned) > MAX_CHARS:
        raise UsageError(f"a memory has at most {MAX_CHARS} characters, this text has {len(cleaned)}")
    return cleaned


def clean_label(name: str, value: str) -> str:
    """Return a user's or category's name without outer blanks.  Raises: UsageError where it is none."""
    cleaned = value.strip()
    if not cleaned or len(cleaned) > MAX_LABEL_CHARS or not cleaned.isprintable():
        raise UsageError(f"{name} is a printable name of 1 to {MAX_LABEL_CHARS} characters, not {value[:40]!r}")
    return cleaned


def plain_metadata(metadata: dict[str, Any]) -> dict[str, Any]:
    """Return metadata as JSON has it.  Raises: UsageError where it cannot be written."""
    if not metadata:
        return {}
    try:
        plain: dict[str, Any] = json.loads(json.dumps(metadata, default=str))
    except (TypeError, ValueError, RecursionError) as error:
        raise UsageError(f"metadata holds plain JSON values only: {error}") from error
    return plain


def read_exported(line: str, number: int) -> MemoryItem:
    """Return the memory of an exported line.  Raises: UsageError that names the line."""
    try:
        fields = json.loads(line)
        if not isinstance(fields, dict) or fields.pop("schema", EXPORT_SCHEMA) != EXPORT_SCHEMA:
            raise UsageError(f"line {number}: no memory of {EXPORT_SCHEMA}")
        item = MemoryItem.model_validate(fields)
        return item.model_copy(update={"text": clean_text(item.text)})
    except (json.JSONDecodeError, ValidationError) as error:
        told = error.errors()[0]["msg"] if isinstance(error, ValidationError) else str(error)
        raise UsageError(f"line {number}: no memory ({told})") from error
