"""The questions of a batch: JSON lines to questions with their sources and settings, each under a thread of its own."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from ..errors import UsageError
from ..retrievers.folder import named_path
from ..settings import Environment, Settings, merge_settings, resolve_engine
from ..state.context import ResearchContext

NOT_PER_QUESTION = {
    "approve_plan": "nobody is there to approve it",
    "fixed_time": "it holds for the whole batch",
    "max_parallel_calls": "all runs share it",
}
_LEAVES_THE_ANSWER = {"max_parallel_calls", "trace", "trace_texts", "recursion_limit"}


class _Line(BaseModel):
    """One line of the file."""

    model_config = ConfigDict(extra="forbid", strict=True)

    id: str | int | None = Field(default=None, union_mode="left_to_right")
    question: str = Field(min_length=1)
    docs: list[str] = []
    urls: list[str] = []
    web: bool = False
    corpus: str = ""
    settings: dict[str, Any] = {}

    @field_validator("docs", "urls", mode="before")
    @classmethod
    def _one_is_a_list(cls, value: Any) -> Any:
        return [value] if isinstance(value, str) else value

    @field_validator("question")
    @classmethod
    def _not_blank(cls, value: str) -> str:
        if not value.strip():
            raise ValueError("is empty")
        return value


@dataclass(frozen=True)
class Asking:
    """Where to look when a line names no source, and what every line is asked under.

    Attributes:
        name: Tells batches apart: the same questions under another name are asked anew.
        here: Whether files and folders are this machine's; a server has its own.
        user: Whose earlier runs are recalled, and who is to recall these; `default` where empty.
    """

    settings: Settings
    environment: Environment
    docs: Sequence[str] = ()
    urls: Sequence[str] = ()
    web: bool = False
    corpus: str = ""
    name: str = ""
    here: bool = True
    user: str = ""

    @property
    def names_sources(self) -> bool:
        """Whether a line without sources has any."""
        return bool(self.docs or self.urls or self.web or self.corpus)


@dataclass(frozen=True)
class Question:
    """One question of a batch.

    Attributes:
        line: Its line in the file, from 1.
        name: Its id, or `line-N` where it has none.
        context: The settings that it names itself, and on whose behalf it is asked.
        identity: Hex digest of what is asked of whom under which settings; the same line has the same one again.
    """

    line: int
    name: str
    question: str
    docs: tuple[str, ...] = ()
    urls: tuple[str, ...] = ()
    web: bool = False
    corpus: str = ""
    context: Settings = field(default_factory=Settings)
    identity: str = ""

    @property
    def given(self) -> dict[str, Any]:
        """The input of the graph."""
        sources = {"docs": list(self.docs), "urls": list(self.urls), "web": self.web, "corpus": self.corpus}
        return {"question": self.question, **sources}


@dataclass(frozen=True)
class BadLine:
    """A line that asks nothing, and why."""

    line: int
    reason: str


def read_questions(lines: Iterable[bytes], asking: Asking) -> tuple[list[Question], list[BadLine]]:
    """Read JSON lines: an object with `question` and, where wanted, `id`, `docs`, `urls`, `web`, `corpus`, `settings`,
    or the question alone as a JSON string.  Blank lines are passed over.

    Args:
        asking: Sources for lines that name none, and the settings under which all are asked.
    Returns: The questions in order, and the lines that cannot be used.
    """
    questions: list[Question] = []
    bad: list[BadLine] = []
    names: dict[str, int] = {}
    seen: Counter[str] = Counter()
    for number, raw in enumerate(lines, start=1):
        if not raw.strip():
            continue
        try:
            question = _question(number, raw, asking)
            if question.name in names:
                raise ValueError(f"the id {question.name!r} stands already in line {names[question.name]}")
        except ValueError as error:
            bad.append(BadLine(number, _told(error)))
            continue
        names[question.name] = number
        seen[question.identity] += 1
        if seen[question.identity] > 1:  # asked twice on purpose: each gets its own run
            again = f"{question.identity} {seen[question.identity]}"
            question = replace(question, identity=sha256(again.encode()).hexdigest())
        questions.append(question)
    return questions, bad


def _question(number: int, raw: bytes, asking: Asking) -> Question:
    value = json.loads(raw.decode("utf-8-sig"))
    line = _Line.model_validate({"question": value} if isinstance(value, str) else value)
    for name, reason in NOT_PER_QUESTION.items():
        if name in line.settings:
            raise ValueError(f"settings.{name} cannot be set for one question: {reason}")
    context = _context(line.settings)
    own = bool(line.docs or line.urls or line.web or line.corpus)
    source: Any = line if own else asking
    if not own and not asking.names_sources:
        raise ValueError("names no source (docs, urls, web or corpus), and no flag does")
    for path in line.docs if asking.here else ():
        try:
            missing = not named_path(path).exists()
        except UsageError as error:
            raise ValueError(str(error)) from error
        if missing:
            raise ValueError(f"{path}: no such file or folder")
    if asking.user:
        context = ResearchContext(**context.model_dump(exclude_unset=True), user=asking.user)
    question = Question(
        line=number,
        name=f"line-{number}" if line.id is None else str(line.id),
        question=line.question,
        docs=tuple(source.docs),
        urls=tuple(source.urls),
        web=source.web,
        corpus=source.corpus,
        context=context,
    )
    return replace(question, identity=_identity(question, asking))


def _context(given: dict[str, Any]) -> Settings:
    try:
        return Settings.model_validate(given)
    except ValidationError as error:
        raise ValueError("; ".join(f"settings.{_place(one)}: {one['msg']}" for one in error.errors())) from error


def _identity(question: Question, asking: Asking) -> str:
    """Name what would change the answer; two lines of other ids that ask the same are told apart by their order."""
    settings = merge_settings(asking.settings, question.context)
    named = [path for path in (*question.docs, question.corpus) if path]
    folders = [str(Path(path).expanduser().resolve()) for path in named] if asking.here else named
    asked = {
        "name": asking.name,
        "question": question.question,
        "sources": [folders, question.urls, question.web],
        "engine": resolve_engine(settings, asking.environment),
        "settings": settings.model_dump(mode="json", exclude=_LEAVES_THE_ANSWER),
    }
    text = json.dumps(asked, sort_keys=True)
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _told(error: ValueError) -> str:
    if isinstance(error, ValidationError):
        return "; ".join(f"{_place(one)}: {one['msg']}" for one in error.errors())
    if isinstance(error, json.JSONDecodeError):
        return f"is not JSON: {error.msg} at column {error.colno}"
    if isinstance(error, UnicodeDecodeError):
        return f"is not UTF-8: {error.reason} at byte {error.start + 1}"
    return str(error)


def _place(problem: Any) -> str:
    return ".".join(str(part) for part in problem["loc"]) or "line"
