"""The diligence policy as data: read, validated, hashed, matched to a question and rendered into instructions."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, ValidationError, field_validator

from ..errors import UsageError, cause
from .records import Record

DEFAULT = Path(__file__).parent / "data" / "harness.toml"


class ModelSettings(Record):
    """Which chat model works under the policy, and how hard."""

    agent_model: str = "openai:gpt-4o-mini"
    reasoning_effort: Literal["minimal", "low", "medium", "high"] = "medium"
    max_turns: int = Field(default=30, ge=1, le=200, description="Model calls of one run at most.")


class RuntimeTool(Record):
    """A check that an agent or a person may run."""

    name: str
    path: str
    purpose: str
    command: str = Field(description="The recommended command.")


class ToolPolicy(Record):
    """What may be read and written, what must be left behind, and how unknowns are treated."""

    allowed_data_root: str
    writable_output_root: str
    required_artifacts: tuple[str, ...]
    evidence_preference: tuple[str, ...]
    runtime_tools: tuple[RuntimeTool, ...]
    unknown_handling: tuple[str, ...]
    mutation_policy: tuple[str, ...]

    @field_validator("required_artifacts")
    @classmethod
    def _plain_names(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        for name in names:
            if not name or name in {".", ".."} or "/" in name or "\\" in name or name.startswith("."):
                raise ValueError(f"an artifact is a plain file name, got {name!r}")
        return names


class Guidance(Record):
    """What the policy adds for questions with certain words."""

    name: str
    instruction: str
    words: tuple[str, ...] = Field(default=(), description="Any of them in the question opens the guidance.")
    all_of: tuple[tuple[str, ...], ...] = Field(default=(), description="One word of each group must be there.")
    sections: tuple[str, ...] = Field(default=(), description="Section headings asked for, in order.")
    section_questions: dict[str, tuple[str, ...]] = Field(
        default_factory=dict, description="What to find out for each section, in any dataroom."
    )
    only_with: dict[str, tuple[str, ...]] = Field(
        default_factory=dict,
        description="Questions that are asked only where the request or a file has one of these words.",
    )
    memo_inline: bool = False
    only_where_stated: tuple[str, ...] = Field(default=(), description="Metrics that are never derived.")

    def applies(self, question: str) -> bool:
        """Whether a question opens this guidance; words match whole, whatever their case."""
        text = _plain(question) + _plain(question.replace("-", " "))
        if self.all_of:
            return all(any(_plain(word) in text for word in group) for group in self.all_of)
        return any(_plain(word) in text for word in self.words)


class EvalMetadata(Record):
    """Where a version of the policy stands."""

    version: str
    status: Literal["draft", "candidate", "promoted", "retired"]
    created_by: str
    promotion_gate: str
    description: str
    promoted_sha256: str = Field(default="", description="Hash of the policy that was promoted, without this field.")


class Harness(Record):
    """The whole policy.  Read-only during a run."""

    version: str = Field(min_length=1)
    system_prompt: str = Field(min_length=1)
    model_settings: ModelSettings
    tool_policy: ToolPolicy
    eval_metadata: EvalMetadata
    guidance: tuple[Guidance, ...] = ()
    vocabulary: dict[str, tuple[str, ...]] = Field(default_factory=dict)

    @property
    def sha256(self) -> str:
        """Hash of everything the policy says; the stored hash of a promotion is left out of it."""
        plain = self.model_copy(update={"eval_metadata": self.eval_metadata.model_copy(update={"promoted_sha256": ""})})
        return sha256(plain.model_dump_json().encode()).hexdigest()

    @property
    def sha256_of_content(self) -> str:
        """Hash of what the policy says, whatever its status: the same before and after a promotion."""
        draft = self.eval_metadata.model_copy(update={"promoted_sha256": "", "status": "draft"})
        return sha256(self.model_copy(update={"eval_metadata": draft}).model_dump_json().encode()).hexdigest()

    def guidance_for(self, question: str) -> tuple[Guidance, ...]:
        """Return the guidance that a question opens, in the order of the file."""
        return tuple(guidance for guidance in self.guidance if guidance.applies(question))

    @property
    def own_questions(self) -> dict[str, tuple[str, ...]]:
        """The questions that the policy asks in any dataroom, each with the words that it is asked with, if any."""
        return {
            question: guidance.only_with.get(question, ())
            for guidance in self.guidance
            for questions in guidance.section_questions.values()
            for question in questions
        }

    def words(self, name: str) -> tuple[str, ...]:
        """Return a list of the vocabulary; an unknown one is empty."""
        return self.vocabulary.get(name, ())


def load_harness(path: Path | None = None) -> Harness:
    """Read a policy.

    Args:
        path: The TOML file; the shipped policy where it is missing.
    Raises: UsageError in one line, for a file that cannot be read or a field that is wrong.
    """
    path = path or DEFAULT
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise UsageError(f"{path}: {cause(error)}") from error
    return parse_harness(content, str(path))


def parse_harness(content: Mapping[str, Any], name: str = "harness") -> Harness:
    """Validate a policy given as plain values.  Raises: UsageError naming each wrong field."""
    try:
        harness = Harness.model_validate(content)
    except ValidationError as error:
        problems = "; ".join(f"{'.'.join(str(part) for part in each['loc'])}: {each['msg']}" for each in error.errors())
        raise UsageError(f"{name}: {problems}") from error
    if harness.eval_metadata.version != harness.version:
        raise UsageError(
            f"{name}: eval_metadata.version {harness.eval_metadata.version} is not version {harness.version}"
        )
    return harness


def promote_file(path: Path) -> Harness:
    """Mark a policy file as promoted, with its hash, and return it; comments and order stay as they are.

    Raises: UsageError where the file cannot be read or written.
    """
    import tomlkit

    try:
        content = tomlkit.parse(path.read_text(encoding="utf-8"))
        marks: Any = content["eval_metadata"]
        marks["status"] = "promoted"
        # The hash leaves itself out, so it is known before it is written.
        marks["promoted_sha256"] = parse_harness(content.unwrap(), str(path)).sha256
        part = path.with_name(f".{path.name}.part")
        part.write_text(tomlkit.dumps(content), encoding="utf-8")
        part.replace(path)
    except OSError as error:
        raise UsageError(f"{path}: cannot be promoted ({error.strerror or error})") from error
    return load_harness(path)


def check_promoted(harness: Harness) -> None:
    """Refuse a promoted policy that was edited without a new version.  Raises: UsageError."""
    stored = harness.eval_metadata.promoted_sha256
    if harness.eval_metadata.status == "promoted" and stored and stored != harness.sha256:
        raise UsageError(
            f"harness {harness.version} was edited after its promotion: give it a new version and the status draft"
        )


def render_instructions(harness: Harness, question: str = "") -> str:
    """Return the instructions of an agent: the prompt, the policy as nested lists, notes that name the version."""
    lines = [harness.system_prompt.strip(), ""]
    for title, value in (
        ("Tool policy", harness.tool_policy.model_dump()),
        ("Model settings", harness.model_settings.model_dump()),
    ):
        lines += [f"## {title}", *_nested(value), ""]
    opened = harness.guidance_for(question) if question else ()
    if opened:
        lines += ["## Guidance for this question", *(f"- {each.instruction}" for each in opened), ""]
    lines += [
        "## Runtime notes",
        f"- Harness version: {harness.version}",
        f"- Turns at most: {harness.model_settings.max_turns}",
        "- The configuration is read-only during the run.",
    ]
    return "\n".join(lines) + "\n"


def differences(left: Harness, right: Harness) -> list[tuple[str, Any, Any]]:
    """Return (field path, left value, right value) for each field that differs, in the order of the fields."""
    one, other = dict(_leaves(left.model_dump(mode="json"))), dict(_leaves(right.model_dump(mode="json")))
    return [
        (key, one.get(key), other.get(key)) for key in dict.fromkeys((*one, *other)) if one.get(key) != other.get(key)
    ]


def _nested(value: Any, depth: int = 0) -> list[str]:
    pad = "  " * depth
    if isinstance(value, Mapping):
        lines = []
        for key, item in value.items():
            if isinstance(item, Mapping) or (isinstance(item, Sequence) and not isinstance(item, str)):
                lines += [f"{pad}- {key}:", *_nested(item, depth + 1)]
            else:
                lines.append(f"{pad}- {key}: {item}")
        return lines
    if isinstance(value, Sequence) and not isinstance(value, str):
        lines = []
        for item in value:
            if isinstance(item, Mapping):
                # The first field leads, the others stand below it, so that two items do not run together.
                first, *others = item.items()
                lines += [f"{pad}- {first[0]}: {first[1]}", *_nested(dict(others), depth + 1)]
            else:
                lines.append(f"{pad}- {item}")
        return lines
    return [f"{pad}- {value}"]


def _leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    if isinstance(value, Mapping):
        for key, item in value.items():
            yield from _leaves(item, f"{path}.{key}" if path else str(key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _leaves(item, f"{path}[{index}]")
    else:
        yield path, value


@lru_cache(maxsize=4_096)
def _plain(text: str) -> str:
    """Return words between single spaces, folded, so that a word matches whole."""
    kept = "".join(sign if sign.isalnum() or sign == "-" else " " for sign in text.casefold())
    return f" {' '.join(kept.split())} "
