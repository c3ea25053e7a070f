"""What the page needs to know before the first question: sources to choose from, engine, limits."""

from __future__ import annotations

from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from ...settings import Environment, Settings, load_settings, resolve_engine
from . import uploads
from .folders import roots_of

SAMPLE = Path(__file__).parents[1] / "dataroom"
SAMPLE_QUESTION = "What was ARR at 31 March 2025, and is the SOC 2 Type II audit complete?"
FIELDS = (
    "engine",
    "offline",
    "max_iterations",
    "max_facts",
    "min_citations",
    "max_repairs",
    "max_model_calls",
    "max_tokens",
    "max_cost_usd",
    "max_seconds",
)


def start_view(environment: Environment) -> dict[str, Any]:
    """Return where questions may look, who thinks, and the settings that the form offers with their bounds."""
    settings = load_settings()
    return {
        "version": _version(),
        "engine": resolve_engine(settings, environment),
        "model": settings.model if resolve_engine(settings, environment) == "chat" else "",
        "web": bool(environment.tavily_api_key or environment.searxng_url) and not settings.offline,
        "roots": roots_of(environment),
        "sample": {"path": str(SAMPLE), "question": SAMPLE_QUESTION} if SAMPLE.is_dir() else None,
        "reviews": str(environment.home.resolve() / "reviews"),
        "uploads": {"max_file_bytes": uploads.MAX_FILE_BYTES, "max_files": uploads.MAX_SET_FILES},
        "settings": [_field(name, settings) for name in FIELDS],
    }


@cache
def _schema() -> dict[str, Any]:
    """Every setting's schema; drawing it up takes longer than all else that the first view asks for."""
    return dict(Settings.model_json_schema()["properties"])


def _field(name: str, settings: Settings) -> dict[str, Any]:
    schema = _schema()[name]
    options = [schema, *schema.get("anyOf", ())]

    def first(key: str) -> Any:
        return next((option[key] for option in options if key in option), None)

    return {
        "name": name,
        "description": schema["description"],
        "type": first("type"),
        "choices": first("enum"),
        "least": first("minimum"),
        "most": first("maximum"),
        "value": getattr(settings, name),
    }


def _version() -> str:
    try:
        return version("citewell")
    except PackageNotFoundError:
        return ""
