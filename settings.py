"""What a run may be told: settings with bounds, and the environment that holds keys, addresses and the home folder."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from .errors import UsageError, cause

_ALL = ("intake", "planner", "retriever", "fact_extractor", "gap_detector", "synthesizer", "validator", "fixer")
_NODES = (*_ALL, "publisher")
# Who speaks in a conversation, and who reads documents into the temporal graph.
_ASKS_MODEL = (*_NODES, "agent", "kg")


def for_nodes(*nodes: str) -> dict[str, Any]:
    """Return what tells Studio which nodes a field belongs to."""
    return {"langgraph_nodes": list(nodes)}


class Settings(BaseModel):
    """The settings of a run.  Argument beats flag beats environment beats `citewell.toml` beats default."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    engine: Literal["auto", "embedded", "chat"] = Field(
        default="auto",
        description="`embedded` needs no model; `chat` asks one; `auto` is `chat` where a key or base URL is set.",
        json_schema_extra=for_nodes(*_ALL[1:]),
    )
    model: str = Field(
        default="openai:gpt-4o-mini",
        min_length=1,
        description="Chat model as provider:name.",
        json_schema_extra=for_nodes(*_ALL[1:]),
    )
    node_models: dict[str, str] = Field(
        default_factory=dict,
        description="Another chat model for single nodes, by node name.",
        json_schema_extra=for_nodes(*_ALL[1:]),
    )
    embeddings: str = Field(
        default="minilm",
        min_length=1,
        description="Embedding model: `minilm` (bundled) or provider:name, e.g. openai:text-embedding-3-small.",
        json_schema_extra=for_nodes("intake", "retriever"),
    )
    offline: bool = Field(
        default=False, description="Refuse every host.", json_schema_extra=for_nodes("intake", "retriever")
    )
    approve_plan: bool = Field(
        default=False, description="Wait for a person to approve the plan.", json_schema_extra=for_nodes("planner")
    )
    ask_sources: bool = Field(
        default=False,
        description="Ask a person where to look when a question comes without sources.",
        json_schema_extra=for_nodes("intake"),
    )

    kg: bool = Field(
        default=False,
        description="What the temporal graph holds on whom the question names counts as a source too.",
        json_schema_extra=for_nodes("intake"),
    )

    max_iterations: int = Field(
        default=4,
        ge=1,
        le=50,
        description="Retrieval rounds, the first one counted.",
        json_schema_extra=for_nodes("gap_detector"),
    )
    max_facts: int = Field(
        default=50, ge=1, le=1000, description="Facts after which to stop.", json_schema_extra=for_nodes("gap_detector")
    )
    min_new_facts: int = Field(
        default=3,
        ge=0,
        le=100,
        description="A round with fewer new facts is the last one.",
        json_schema_extra=for_nodes("gap_detector"),
    )
    max_followups: int = Field(
        default=3, ge=0, le=10, description="Follow-up queries per round.", json_schema_extra=for_nodes("gap_detector")
    )
    max_repairs: int = Field(
        default=2,
        ge=0,
        le=10,
        description="Times a draft may go to the fixer.",
        json_schema_extra=for_nodes("validator"),
    )
    min_citations: int = Field(
        default=6, ge=0, le=100, description="Distinct citations asked for.", json_schema_extra=for_nodes("validator")
    )
    min_summary_citations: int = Field(
        default=2,
        ge=0,
        le=50,
        description="Distinct citations asked for in the summary.",
        json_schema_extra=for_nodes("validator"),
    )

    first_results: int = Field(
        default=5, ge=1, le=20, description="Web results per first query.", json_schema_extra=for_nodes("retriever")
    )
    followup_results: int = Field(
        default=3, ge=1, le=20, description="Web results per follow-up query.", json_schema_extra=for_nodes("retriever")
    )
    allow_domains: tuple[str, ...] = Field(
        default=(), description="Only these domains are searched.", json_schema_extra=for_nodes("retriever")
    )
    deny_domains: tuple[str, ...] = Field(
        default=(), description="These domains are never searched.", json_schema_extra=for_nodes("retriever")
    )
    per_query_k: int = Field(
        default=10, ge=1, le=100, description="Hits kept per query.", json_schema_extra=for_nodes("retriever")
    )
    sparse_k: int = Field(
        default=60, ge=1, le=1000, description="Sparse candidates per query.", json_schema_extra=for_nodes("retriever")
    )
    dense_k: int = Field(
        default=60, ge=1, le=1000, description="Dense candidates per query.", json_schema_extra=for_nodes("retriever")
    )
    fusion: Literal["completed", "rrf"] = Field(
        default="completed",
        description="Order of hits: both scores completed and added, or reciprocal rank fusion.",
        json_schema_extra=for_nodes("retriever"),
    )
    rrf_k: int = Field(
        default=60,
        ge=0,
        le=1000,
        description="Rank offset of reciprocal rank fusion.",
        json_schema_extra=for_nodes("retriever"),
    )
    dedupe_similarity: float = Field(
        default=0.92,
        ge=0,
        le=1,
        description="Cosine above which two facts are one.",
        json_schema_extra=for_nodes("fact_extractor"),
    )
    chunk_chars: int = Field(
        default=1600, ge=40, le=20_000, description="Characters per chunk.", json_schema_extra=for_nodes("intake")
    )
    chunk_overlap: int = Field(
        default=320,
        ge=0,
        le=10_000,
        description="Characters shared by neighbouring chunks.",
        json_schema_extra=for_nodes("intake"),
    )
    max_chunks_per_source: int = Field(
        default=60, ge=1, le=10_000, description="Chunks kept of one web page.", json_schema_extra=for_nodes("intake")
    )

    evidence_chars: int = Field(
        default=16_000,
        ge=500,
        description="Characters of evidence in a prompt.",
        json_schema_extra=for_nodes("synthesizer"),
    )
    prompt_ids: int = Field(
        default=200, ge=1, description="Chunk ids listed in a prompt.", json_schema_extra=for_nodes("synthesizer")
    )
    draft_chars: int = Field(
        default=12_000, ge=500, description="Characters of the draft in a prompt.", json_schema_extra=for_nodes("fixer")
    )
    recall_chars: int = Field(
        default=2_000,
        ge=0,
        description="Characters of recalled episodes in a prompt.",
        json_schema_extra=for_nodes("planner"),
    )
    window_tokens: int | None = Field(
        default=None,
        ge=500,
        description="Tokens of prompt and reply that the model takes; found out where unset.",
        json_schema_extra=for_nodes(*_ALL[1:]),
    )
    sections: tuple[str, ...] = Field(
        default=(),
        description="Fixed section headings; empty for one per plan question.",
        json_schema_extra=for_nodes("planner", "synthesizer"),
    )

    max_model_calls: int = Field(
        default=60, ge=0, le=100_000, description="Model calls per run.", json_schema_extra=for_nodes(*_ALL[1:])
    )
    max_tokens: int = Field(
        default=400_000,
        ge=0,
        description="Prompt and completion tokens per run.",
        json_schema_extra=for_nodes(*_ALL[1:]),
    )
    max_cost_usd: float | None = Field(
        default=None, ge=0, description="US dollars per run.", json_schema_extra=for_nodes(*_ALL[1:])
    )
    max_seconds: float = Field(default=900, gt=0, description="Wall time per run.", json_schema_extra=for_nodes(*_ALL))
    max_parallel_calls: int = Field(
        default=16, ge=1, le=256, description="Model calls in flight at once.", json_schema_extra=for_nodes(*_ALL[1:])
    )
    trace: bool = Field(
        default=True,
        description="Write a trace of each run under the home folder.",
        json_schema_extra=for_nodes(*_NODES),
    )
    trace_texts: bool = Field(
        default=True, description="Keep inputs, outputs and messages in traces.", json_schema_extra=for_nodes(*_NODES)
    )
    recursion_limit: int | None = Field(
        default=None,
        ge=10,
        le=10_000,
        description="Super-steps per run; derived from the budgets where unset.",
        json_schema_extra=for_nodes(*_NODES),
    )
    fixed_time: datetime | None = Field(
        default=None,
        description="A time with zone that stands for now; run and thread ids are then derived, for identical bytes.",
        json_schema_extra=for_nodes("intake", "planner", "publisher"),
    )

    @field_validator("node_models")
    @classmethod
    def _are_nodes(cls, models: dict[str, str]) -> dict[str, str]:
        if unknown := sorted(set(models) - set(_ASKS_MODEL)):
            raise ValueError(f"{', '.join(unknown)}: no such node, there are {', '.join(_ASKS_MODEL)}")
        return models


class Environment(BaseModel):
    """Keys, addresses and folders: what comes from the environment alone and never enters state or a report."""

    model_config = ConfigDict(frozen=True)

    home: Path = Path(".citewell")
    openai_api_key: str | None = Field(default=None, repr=False)
    openai_base_url: str | None = None
    tavily_api_key: str | None = Field(default=None, repr=False)
    tavily_base_url: str | None = None
    searxng_url: str | None = None
    allow_private_hosts: str = ""
    chroma_url: str | None = Field(default=None, repr=False)
    postgres_url: str | None = Field(default=None, repr=False)
    otlp_endpoint: str | None = Field(default=None, description="Traces are sent there too, OTLP over HTTP.")
    token: str | None = Field(default=None, repr=False)
    roots: str = Field(default="", description="Folders that callers may name, in the manner of PATH; empty for all.")
    chat_model: Any = Field(
        default=None, repr=False, exclude=True, description="A LangChain chat model that the caller made; no variable."
    )

    def with_chat_model(self, model: Any) -> Environment:
        """Return the environment with a chat model that the caller made; None leaves it as it is."""
        return self if model is None else self.model_copy(update={"chat_model": model})

    @classmethod
    def read(cls, env: Mapping[str, str] = os.environ) -> Environment:
        """Read the variables of the contract; an empty one counts as absent.

        Raises: UsageError where one is no text.
        """
        names = {
            "home": "CITEWELL_HOME",
            "openai_api_key": "OPENAI_API_KEY",
            "openai_base_url": "OPENAI_BASE_URL",
            "tavily_api_key": "TAVILY_API_KEY",
            "tavily_base_url": "TAVILY_BASE_URL",
            "searxng_url": "SEARXNG_URL",
            "allow_private_hosts": "CITEWELL_ALLOW_PRIVATE_HOSTS",
            "chroma_url": "CITEWELL_CHROMA_URL",
            "postgres_url": "CITEWELL_POSTGRES_URL",
            "otlp_endpoint": "CITEWELL_OTLP_ENDPOINT",
            "token": "CITEWELL_TOKEN",
            "roots": "CITEWELL_ROOTS",
        }
        given = {field: env[name] for field, name in names.items() if env.get(name)}
        for field, value in given.items():
            if any("\ud800" <= char <= "\udfff" for char in value):
                raise UsageError(f"{names[field]} holds bytes that are no text: give it as UTF-8")
        return cls.model_validate(given)

    @property
    def has_chat_model(self) -> bool:
        """Whether `engine = auto` means `chat`."""
        return bool(self.openai_api_key or self.openai_base_url)


def resolve_engine(settings: Settings, environment: Environment) -> Literal["embedded", "chat"]:
    """Return who thinks in a run; `auto` is `chat` where a key or base URL is set, or a model was handed in."""
    if settings.engine != "auto":
        return settings.engine
    return "chat" if environment.has_chat_model or environment.chat_model is not None else "embedded"


def load_settings(
    overrides: Mapping[str, Any] | None = None,
    *,
    env: Mapping[str, str] = os.environ,
    file: Path | None = None,
) -> Settings:
    """Merge defaults, `citewell.toml`, `CITEWELL_…` variables and arguments, the later ones winning.

    Args:
        overrides: Values given by the caller, by setting name; None values count as absent.
        env: The environment; `CITEWELL_<SETTING>` for each setting, lists comma-separated.
        file: The TOML file; `citewell.toml` in the working directory where it exists.
    Raises: UsageError naming the setting, its origin and what is allowed.
    """
    path = file or Path("citewell.toml")
    layers: list[tuple[str, Mapping[str, Any]]] = []
    if path.is_file():
        layers.append((str(path), _toml_table(path)))
    elif file is not None:
        raise UsageError(f"{file}: no such settings file")
    layers.append(("environment", _environment_table(env)))
    layers.append(("argument", {name: value for name, value in (overrides or {}).items() if value is not None}))
    merged: dict[str, Any] = {}
    origin: dict[str, str] = {}
    for name, layer in layers:
        merged |= layer
        origin |= dict.fromkeys(layer, name)
    return validated(merged, origin)


def merge_settings(base: Settings, context: Settings | None) -> Settings:
    """Return `base` with those settings replaced that a run context names."""
    if context is None:
        return base
    given = context.model_dump(exclude_unset=True, include=set(Settings.model_fields))
    return Settings.model_validate(base.model_dump() | given)


def validated(values: Mapping[str, Any], origin: Mapping[str, str] | None = None) -> Settings:
    """Build settings from plain values.  Raises: UsageError in one line that names each wrong setting."""
    try:
        return Settings.model_validate(dict(values))
    except ValidationError as error:
        problems = []
        for problem in error.errors():
            name = ".".join(str(part) for part in problem["loc"])
            source = (origin or {}).get(str(problem["loc"][0])) if problem["loc"] else None
            where = f" ({source})" if source else ""
            problems.append(f"{name}{where}: {problem['msg']}, got {problem['input']!r}")
        raise UsageError("bad settings: " + "; ".join(problems)) from error


def _toml_table(path: Path) -> Mapping[str, Any]:
    try:
        with path.open("rb") as stream:
            content = tomllib.load(stream)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
        raise UsageError(f"{path}: {cause(error)}") from error
    unknown = set(content) - {"citewell"}
    table = content.get("citewell", {})
    if unknown or not isinstance(table, dict):
        raise UsageError(f"{path}: expected one table [citewell], found {', '.join(sorted(content))}")
    return table


def _environment_table(env: Mapping[str, str]) -> dict[str, Any]:
    table: dict[str, Any] = {}
    for name, field in Settings.model_fields.items():
        value = env.get(f"CITEWELL_{name.upper()}")
        if not value:
            continue
        if field.annotation == tuple[str, ...]:
            table[name] = tuple(part.strip() for part in value.split(",") if part.strip())
        elif field.annotation == dict[str, str]:
            table[name] = dict(_pair(f"CITEWELL_{name.upper()}", part) for part in value.split(",") if part.strip())
        else:
            table[name] = value
    return table


def _pair(variable: str, text: str) -> tuple[str, str]:
    name, _, value = (part.strip() for part in text.partition("="))
    if not (name and value):
        raise UsageError(f"{variable}: expected name=value, parted by commas, got {text.strip()!r}")
    return name, value
