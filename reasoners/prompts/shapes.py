"""What all answer schemas share: lenient reading where no guess is needed, and a strict form to send."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any

from pydantic import AliasChoices, BaseModel, BeforeValidator, ConfigDict, Field


class Reply(BaseModel):
    """Base of all answer schemas."""

    model_config = ConfigDict(frozen=True, extra="ignore", coerce_numbers_to_str=True, populate_by_name=True)


def _listed(value: Any) -> Any:
    """Read a single value as a list of one, and nothing as an empty list."""
    if value is None:
        return []
    return [value] if isinstance(value, str | int | dict) else value


def _said(value: Any) -> Any:
    """Read null as an empty text."""
    return "" if value is None else value


def _spoken(value: Any) -> Any:
    """Read plain sentences as sentences without further fields."""
    listed = _listed(value)
    return (
        [{"text": item} if isinstance(item, str) else item for item in listed] if isinstance(listed, list) else listed
    )


Listed = BeforeValidator(_listed)
Spoken = BeforeValidator(_spoken)
Text = Annotated[str, BeforeValidator(_said)]
Texts = Annotated[list[Text], BeforeValidator(_listed)]


def also(*names: str, **more: Any) -> Any:
    """Return a field that is read under other names too; only the first name is ever sent."""
    return Field(validation_alias=AliasChoices(*names), **more)


@cache
def json_schema(schema: type[Reply]) -> dict[str, Any]:
    """Return the JSON schema of a reply in the form that strict servers ask for: each field required, none unknown.

    Made once for each reply; callers leave it as it is.
    """
    plain = schema.model_json_schema(by_alias=False, mode="serialization")
    strict: dict[str, Any] = _strict(plain, plain.get("$defs", {}))
    return {"title": schema.__name__, **strict}


def _strict(node: Any, definitions: dict[str, Any]) -> Any:
    if isinstance(node, list):
        return [_strict(part, definitions) for part in node]
    if not isinstance(node, dict):
        return node
    if "$ref" in node:
        return _strict(definitions[node["$ref"].rpartition("/")[2]], definitions)
    # Generated titles repeat the names and cost tokens; a property that is called `title` is an object, not a text.
    kept = {
        key: _strict(value, definitions)
        for key, value in node.items()
        if key not in ("$defs", "default") and not (key == "title" and isinstance(value, str))
    }
    if kept.get("type") == "object":
        kept |= {"required": list(kept.get("properties", {})), "additionalProperties": False}
    return kept
