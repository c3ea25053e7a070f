"""The fixed words of a report in the language of its question; evidence is never translated."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

DEFAULT_LANGUAGE = "en"


def words_for(language: str) -> Mapping[str, str]:
    """Return the fixed words of a language by its ISO 639-1 code; English where we have none."""
    table = _tables()
    return table.get(language.lower().split("-")[0], table[DEFAULT_LANGUAGE])


def language_for(language: str) -> str:
    """Return the code of the language that `words_for` answers in."""
    code = language.lower().split("-")[0]
    return code if code in _tables() else DEFAULT_LANGUAGE


@cache
def _tables() -> dict[str, dict[str, str]]:
    text = (files(__package__) / "templates" / "words.json").read_text(encoding="utf-8")
    tables: dict[str, dict[str, str]] = json.loads(text)
    return tables
