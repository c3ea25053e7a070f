"""Read json and jsonl: lists of records become rows, nested objects are flattened to dotted keys."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any

from ...errors import SourceError
from .extraction import Extraction, TextBuilder, clean, one_line
from .limits import MAX_CELLS, MAX_CHARS, MAX_DEPTH
from .markdown import iso_date
from .plain import decode
from .tables import add_table

# A value longer than this, or of several lines, is prose and gets a block of its own.
_LONGEST_CELL = 400
_TITLE_KEYS = ("title", "name", "headline", "subject")
# The day that the records are of goes before the day on which they were written out.
_DATE_KEYS = (
    *("date", "published", "published_at", "publication_date", "datepublished", "as_of", "as_at", "stand"),
    *("report_date", "reporting_date", "data_date", "snapshot_date", "status_date", "last_updated", "updated"),
    *("updated_at", "last_modified", "modified", "generated_at", "exported_at", "generated", "created_at", "created"),
)
_HEAD_KEYS = ("meta", "metadata", "header", "info", "document", "report")

Pair = tuple[str, str]


def parse_json(data: bytes, name: str, charset: str | None = None, *, max_chars: int = MAX_CHARS) -> Extraction:
    """Read one json value; where it is none, the lines are tried as jsonl, then the file is refused.

    Raises: SourceError where it is no json or nested beyond reason.
    """
    text, encoding = decode(data, charset)
    try:
        value = _loads(text)
    except RecursionError as error:
        raise SourceError(name, "damaged: json nested too deep") from error
    except ValueError as error:
        values, broken = _lines(text)
        if not values or broken > len(values):
            raise SourceError(name, f"damaged: not valid json ({error})") from error
        return _written(values, encoding, max_chars, _broken_note(broken))
    return _written(value, encoding, max_chars, "")


def parse_jsonl(data: bytes, name: str, charset: str | None = None, *, max_chars: int = MAX_CHARS) -> Extraction:
    """Read one json value per line; lines that are none are counted in the note.

    Raises: SourceError where no line is json.
    """
    text, encoding = decode(data, charset)
    values, broken = _lines(text)
    if not values and broken:
        raise SourceError(name, "damaged: no line of it is valid json")
    return _written(values, encoding, max_chars, _broken_note(broken))


def _loads(text: str) -> Any:
    # Numbers stay as they are written: 7.50 is not 7.5, and digits beyond a float's are kept.
    return json.loads(text, parse_float=str, parse_int=str, parse_constant=str, object_pairs_hook=_every_pair)


def _every_pair(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Keep repeated keys, numbered, where `dict` would keep the last."""
    found: dict[str, Any] = {}
    for key, value in pairs:
        name, number = key, 2
        while name in found:
            name, number = f"{key} ({number})", number + 1
        found[name] = value
    return found


def _lines(text: str) -> tuple[list[Any], int]:
    values: list[Any] = []
    broken = 0
    for line in text.split("\n"):
        if not line.strip():
            continue
        try:
            values.append(_loads(line))
        except (ValueError, RecursionError):
            broken += 1
    return values, broken


def _broken_note(broken: int) -> str:
    return f"{broken} lines are not valid json and were left out" if broken else ""


def _written(value: Any, encoding: str, max_chars: int, note: str) -> Extraction:
    builder = TextBuilder()
    _Writer(builder, max_chars).value("", value, 1)
    if builder.length > max_chars:
        note = "; ".join(filter(None, [note, f"cut: the text exceeds {max_chars:,} characters"]))
    top = value if isinstance(value, dict) else {}
    title = next((one_line(top[key]) for key in _TITLE_KEYS if isinstance(top.get(key), str) and top[key].strip()), "")
    return Extraction(
        text=builder.text,
        title=title,
        media_type="application/json",
        extractor=f"json, {encoding}",
        tier="structured",
        published_at=_stated_date(top),
        blocks=tuple(builder.blocks),
        rows=tuple(builder.rows),
        note=note,
        cut=bool(note),
    )


def _stated_date(top: dict[str, Any]) -> datetime | None:
    heads = [top, *(top[key] for key in _HEAD_KEYS if isinstance(top.get(key), dict))]
    named = [{re.sub(r"[\s-]+", "_", key).casefold(): value for key, value in head.items()} for head in heads]
    dates = (iso_date(head[key]) for head in named for key in _DATE_KEYS if isinstance(head.get(key), str))
    return next((found for found in dates if found), None)


def is_date_key(name: str) -> bool:
    """Whether a field or column is named as one that holds the day that all of the records are of."""
    return re.sub(r"[\s-]+", "_", name.strip()).casefold() in _DATE_KEYS[4:]


class _Writer:
    """Writes json values, each under the path of keys that leads to it."""

    def __init__(self, builder: TextBuilder, max_chars: int) -> None:
        self.builder, self.max_chars = builder, max_chars
        self.cells = 0

    def value(self, path: str, value: Any, level: int) -> None:
        if self.builder.length > self.max_chars:
            return
        if isinstance(value, dict):
            self.mapping(path, value, level)
        elif isinstance(value, list):
            self.sequence(path, value, level)
        elif text := scalar(value):
            self.field(path, text)

    def field(self, path: str, text: str) -> None:
        if is_prose(text):
            self.builder.block(f"{path}: {text}" if path else text)
        else:
            self.builder.row([path], [text], label=path, keep=bool(path))

    def mapping(self, path: str, value: dict[str, Any], level: int) -> None:
        if _is_columnar(value):
            names = [scalar(name) for name in value["columns"]]
            self.heading(path, level)
            add_table(self.builder, [names, *([_brief(cell) for cell in row] for row in value["data"])], headers=1)
            return
        for key, item in value.items():
            inner = f"{path}.{key}" if path else one_line(key)
            if isinstance(item, dict) and not _is_columnar(item) and level < MAX_DEPTH:
                self.mapping(inner, item, level + 1)
            elif isinstance(item, dict | list):
                self.value(inner, item, level + 1)
            elif text := scalar(item):
                self.field(inner, text)

    def sequence(self, path: str, items: list[Any], level: int) -> None:
        if not any(isinstance(item, dict | list) for item in items):
            text = ", ".join(filter(None, map(scalar, items)))
            if text:
                self.field(path, text)
            return
        self.heading(path, level)
        if _is_grid(items):
            add_table(self.builder, [[_brief(cell) for cell in row] for row in items])
            return
        for number, item in enumerate(items, start=1):
            if self.builder.length > self.max_chars:
                return
            self.record(number, item)
        self.builder.part()

    def heading(self, path: str, level: int) -> None:
        if path:
            self.builder.heading(path, min(level, 6))

    def record(self, number: int, item: Any) -> None:
        """Write a record as one row; its long texts follow as blocks."""
        pairs = list(flattened("", item, 0))
        short = [(key, text) for key, text in pairs if not is_prose(text)]
        self.cells += len(short)
        names, values = [key for key, _ in short], [text for _, text in short]
        self.builder.row(names, values, number=number, label=_named(short), keep=self.cells <= MAX_CELLS)
        for key, text in pairs:
            if is_prose(text):
                self.builder.block(f"{key}: {text}" if key else text)


def _named(pairs: Iterable[Pair]) -> str:
    """Return the value of a key that names a record, or "" for the first text of the row."""
    found = {key.lower(): text for key, text in pairs}
    return next((found[key] for key in _TITLE_KEYS if found.get(key)), "")


def flattened(path: str, value: Any, depth: int) -> Iterator[Pair]:
    """Yield (dotted key, text) for each value within; items of lists are numbered, plain lists joined by commas."""
    if isinstance(value, dict) and depth < MAX_DEPTH:
        for key, item in value.items():
            yield from flattened(f"{path}.{key}" if path else key, item, depth + 1)
    elif isinstance(value, list) and any(isinstance(item, dict | list) for item in value) and depth < MAX_DEPTH:
        for number, item in enumerate(value, start=1):
            yield from flattened(f"{path}.{number}" if path else str(number), item, depth + 1)
    elif text := _brief(value):
        yield path, text


def _brief(value: Any) -> str:
    """Return any value as text, an inner structure as json."""
    if isinstance(value, list) and not any(isinstance(item, dict | list) for item in value):
        return ", ".join(filter(None, map(scalar, value)))
    if isinstance(value, dict | list):
        return json.dumps(value, ensure_ascii=False) if value else ""
    return scalar(value)


def scalar(value: Any) -> str:
    """Return a plain value as text; null is no value."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return clean(str(value)).strip()


def is_prose(text: str) -> bool:
    """Whether a value is better read as a paragraph than as a cell."""
    return len(text) > _LONGEST_CELL or "\n" in text


def _is_columnar(value: dict[str, Any]) -> bool:
    names, rows = value.get("columns"), value.get("data")
    return (
        isinstance(names, list)
        and isinstance(rows, list)
        and bool(rows)
        and all(isinstance(row, list) and len(row) == len(names) for row in rows)
    )


def _is_grid(items: list[Any]) -> bool:
    return all(isinstance(item, list) and not any(isinstance(cell, dict | list) for cell in item) for item in items)
