"""Read a model's reply as the asked shape: thinking, fences and prose around it are passed over, syntax is mended.

Nothing is guessed: a reply that was cut off is refused, however easily its end could be made up.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, TypeVar

import json_repair
from pydantic import ValidationError

from ..prompts.shapes import Reply

R = TypeVar("R", bound=Reply)

_THINKING = re.compile(r"<(think|thinking|thought|reasoning|reflection)\b[^>]*>.*?</\1\s*>", re.S | re.I)
_THINKING_END = re.compile(r"^.*</(?:think|thinking|thought|reasoning|reflection)\s*>", re.S | re.I)
_CUT_OFF = object()
_THINKING_START = re.compile(r"<(?:think|thinking|thought|reasoning|reflection)\b[^>]*>.*$", re.S | re.I)


class Unreadable(ValueError):
    """A reply that is not the asked shape; the message says why, in words a model can act on."""


def spoken_text(reply: str) -> str:
    """Return a reply without its thinking."""
    text = _THINKING.sub("", reply)
    text = _THINKING_END.sub("", text)
    return _THINKING_START.sub("", text).strip()


def read_reply(reply: str | dict[str, Any], schema: type[R]) -> R:
    """Return the first value in a reply that has the asked shape.

    Args:
        reply: The message's text, or the arguments of its tool call.
    Raises: Unreadable naming what is wrong.
    """
    if isinstance(reply, dict):
        return _shaped(reply, schema)
    text = spoken_text(reply)
    if not text:
        raise Unreadable("the reply is empty")
    problem = "the reply holds no JSON object"
    for value in _values(text):
        if value is _CUT_OFF:
            problem = "the JSON is cut off before its end"
            continue
        try:
            return _shaped(value, schema)
        except Unreadable as error:
            problem = problem if "cut off" in problem else str(error)
    raise Unreadable(problem)


def _values(text: str) -> Iterator[Any]:
    """Yield the outermost JSON values of a text in order, and `_CUT_OFF` for one that has no end."""
    position = 0
    while (start := _opening(text, position)) is not None:
        end = _closing(text, start)
        if end is None:
            yield _CUT_OFF
            position = start + 1
            continue
        value = _value(text[start:end])
        if isinstance(value, dict | list) and value:
            yield value
        position = end


def _opening(text: str, position: int) -> int | None:
    found = [at for at in (text.find("{", position), text.find("[", position)) if at >= 0]
    return min(found) if found else None


def _closing(text: str, start: int) -> int | None:
    """Return one past the bracket that closes the one at `start`; brackets inside strings do not count."""
    depth, quote, position = 0, "", start
    while position < len(text):
        char = text[position]
        if quote:
            if char == "\\":
                position += 1
            elif char == quote and (quote == '"' or _ends_single(text, position)):
                quote = ""
        elif char == '"' or (char == "'" and _opens_single(text, position)):
            quote = char
        elif char in "{[":
            depth += 1
        elif char in "}]":
            depth -= 1
            if depth == 0:
                return position + 1
        position += 1
    return None


def _opens_single(text: str, at: int) -> bool:
    return text[:at].rstrip()[-1:] in ("{", "[", ",", ":")


def _ends_single(text: str, at: int) -> bool:
    return text[at + 1 :].lstrip()[:1] in ("}", "]", ",", ":", "")


def _value(span: str) -> Any:
    try:
        return json.loads(span)
    except json.JSONDecodeError:
        return json_repair.loads(span)


def _shaped(value: Any, schema: type[R]) -> R:
    """Validate a value, unwrapping a bare list or a single outer key where only one reading is possible."""
    names = _names(schema)
    lists = [name for name, field in schema.model_fields.items() if "list" in str(field.annotation).lower()]
    if isinstance(value, list) and len(lists) == 1:
        value = {lists[0]: value}
    if isinstance(value, dict) and not names & value.keys() and len(value) == 1:
        (inner,) = value.values()
        if isinstance(inner, dict) and names & inner.keys():
            value = inner
    if not isinstance(value, dict) or not names & value.keys():
        raise Unreadable(f"the JSON has none of the fields {', '.join(schema.model_fields)}")
    try:
        return schema.model_validate(value)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise Unreadable(f"{place}: {first['msg']}") from error


def _names(schema: type[Reply]) -> set[str]:
    names = set(schema.model_fields)
    for field in schema.model_fields.values():
        names |= set(getattr(field.validation_alias, "choices", ()))
    return names
