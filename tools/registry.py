"""What an agent may call: tools by name, replaceable while it runs, each call bounded and answered with a value."""

from __future__ import annotations

import asyncio
import contextvars
import difflib
import inspect
import json
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from langchain_core.runnables import RunnableConfig
from langchain_core.tools import BaseTool, StructuredTool, Tool
from langchain_core.utils.function_calling import convert_to_openai_tool
from pydantic import BaseModel, ValidationError

from ..errors import CitewellError, ToolError

DEFAULT_TIMEOUT_S = 30.0
DEFAULT_MAX_CHARS = 16_000
MAX_ARGUMENT_CHARS = 100_000
_NAMED_PROBLEMS = 5

ErrorKind = Literal["unknown_tool", "bad_arguments", "refused", "failed", "timeout"]


@dataclass(frozen=True)
class ToolOutcome:
    """What a call came to.

    Attributes:
        content: The result, or what went wrong, in words for the model; never longer than the tool's limit.
        error: None where the tool ran to its end.
        value: The result as the tool gave it, for programs; None after an error.
    """

    name: str
    content: str
    seconds: float = 0.0
    error: ErrorKind | None = None
    value: Any = None

    @property
    def ok(self) -> bool:
        return self.error is None


@dataclass(frozen=True)
class _Entry:
    tool: BaseTool
    timeout_s: float
    max_chars: int


@dataclass
class ToolRegistry:
    """Tools by name.  Registering a name again replaces its tool at once, for running threads too."""

    _entries: dict[str, _Entry] = field(default_factory=dict)

    def register(
        self, tool: BaseTool, *, timeout_s: float = DEFAULT_TIMEOUT_S, max_chars: int = DEFAULT_MAX_CHARS
    ) -> None:
        """Add a tool, or replace the one of the same name.

        Args:
            tool: A LangChain tool; its args schema is what calls are checked against.
            timeout_s: Seconds after which a call is given up.
            max_chars: Characters of a result that reach the model.
        """
        if timeout_s <= 0 or max_chars <= 0:
            raise ValueError("timeout_s and max_chars are positive")
        self._entries = {**self._entries, tool.name: _Entry(tool, timeout_s, max_chars)}

    def unregister(self, name: str) -> None:
        """Take a tool away; an unknown name changes nothing."""
        self._entries = {key: entry for key, entry in self._entries.items() if key != name}

    def names(self) -> list[str]:
        return sorted(self._entries)

    def tools(self) -> list[BaseTool]:
        return [self._entries[name].tool for name in self.names()]

    def schemas(self) -> list[dict[str, Any]]:
        """Return each tool as the JSON schema a chat model is told, ordered by name."""
        return [convert_to_openai_tool(tool) for tool in self.tools()]

    async def call(
        self, name: str, arguments: str | Mapping[str, Any] | None, *, config: RunnableConfig | None = None
    ) -> ToolOutcome:
        """Run a tool on checked arguments.  Nothing is run where the name or an argument is wrong.

        Args:
            name: Exactly as registered.
            arguments: A JSON object as text, as a model writes it, or as a mapping.
            config: Handed to the tool; its `configurable` says for whom it runs.
        Returns: An outcome; a failure is an outcome too, only cancellation is raised.
        """
        entry = self._entries.get(name)
        if entry is None:
            return ToolOutcome(name, self._unknown(name), error="unknown_tool")
        try:
            checked = check_arguments(entry.tool, arguments)
        except ToolError as error:
            return ToolOutcome(name, f"{name}: {error}", error="bad_arguments")
        started = time.perf_counter()
        try:
            value = await asyncio.wait_for(_run(entry.tool, checked, config), entry.timeout_s)
        except TimeoutError:
            content, kind = f"{name} gave no result within {entry.timeout_s:g} s", "timeout"
        except CitewellError as error:
            content, kind = f"{name}: {error}", "refused"
        except Exception as error:  # a tool of somebody else may raise anything; the conversation goes on
            content, kind = f"{name} failed: {type(error).__name__}: {error}", "failed"
        else:
            return ToolOutcome(name, shown(value, entry.max_chars), time.perf_counter() - started, value=value)
        return ToolOutcome(name, _cut(content, entry.max_chars), time.perf_counter() - started, error=kind)  # type: ignore[arg-type]

    def _unknown(self, name: str) -> str:
        close = difflib.get_close_matches(name.strip().lower(), self.names(), n=1, cutoff=0.6)
        hint = f" Did you mean {close[0]!r}?" if close else ""
        return f"There is no tool {name[:80]!r}.{hint} The tools are: {', '.join(self.names()) or 'none'}."


def check_arguments(tool: BaseTool, arguments: str | Mapping[str, Any] | None) -> dict[str, Any]:
    """Return the arguments of a call as its schema wants them.

    Raises: ToolError that says what is wrong and what is expected.
    """
    expected = _expected(tool)
    if isinstance(arguments, str):
        if len(arguments) > MAX_ARGUMENT_CHARS:
            raise ToolError(tool.name, f"the arguments have more than {MAX_ARGUMENT_CHARS} characters")
        try:
            arguments = json.loads(arguments)
        except (json.JSONDecodeError, RecursionError) as error:
            raise ToolError(tool.name, f"the arguments are not valid JSON ({error}); expected {expected}") from error
    if not isinstance(arguments, Mapping):
        raise ToolError(tool.name, f"the arguments are no JSON object; expected {expected}")
    unknown = sorted(set(arguments) - set(tool.args))
    if unknown:
        raise ToolError(tool.name, f"unknown argument {', '.join(map(repr, unknown[:5]))}; expected {expected}")
    schema = tool.tool_call_schema
    if inspect.isclass(schema) and issubclass(schema, BaseModel):
        try:
            model = schema.model_validate(dict(arguments))
        except ValidationError as error:
            problems = "; ".join(
                f"{'.'.join(str(part) for part in problem['loc'])}: {problem['msg']}"
                for problem in error.errors()[:_NAMED_PROBLEMS]
            )
            raise ToolError(tool.name, f"{problems}; expected {expected}") from error
        return {name: getattr(model, name) for name in model.model_fields_set}
    missing = sorted(name for name, kind in tool.args.items() if "default" not in kind and name not in arguments)
    if missing:
        raise ToolError(tool.name, f"missing argument {', '.join(missing)}; expected {expected}")
    return dict(arguments)


def shown(value: Any, max_chars: int) -> str:
    """Return a result as text for the model, cut to its limit with a note that says so."""
    if isinstance(value, str):
        text = value
    else:
        try:
            text = json.dumps(value, ensure_ascii=False, default=str)
        except (TypeError, ValueError, RecursionError):
            text = str(value)
    return _cut(text, max_chars)


def _cut(text: str, max_chars: int) -> str:
    if len(text) <= max_chars:
        return text
    note = f"\n[cut: the first {{}} of {len(text)} characters]"
    kept = max(0, max_chars - len(note) - len(str(max_chars)))
    return text[:kept] + note.format(kept)


def _expected(tool: BaseTool) -> str:
    parts = []
    for name, kind in tool.args.items():
        default = f" = {json.dumps(kind['default'])}" if "default" in kind else ""
        parts.append(f"{name}: {kind.get('type', 'any')}{default}")
    return "{" + ", ".join(parts) + "}"


def _is_async(tool: BaseTool) -> bool:
    """Whether a tool has an asynchronous body of its own, not LangChain's detour through a shared thread pool."""
    if isinstance(tool, StructuredTool | Tool):
        return tool.coroutine is not None
    return type(tool)._arun is not BaseTool._arun


async def _run(tool: BaseTool, arguments: dict[str, Any], config: RunnableConfig | None) -> Any:
    """Run a tool: an asynchronous one here, a blocking one in a thread that a time limit can leave behind."""
    if _is_async(tool):
        return await tool.ainvoke(arguments, config)
    loop = asyncio.get_running_loop()
    future: asyncio.Future[Any] = loop.create_future()
    context = contextvars.copy_context()

    def settle(value: Any, error: BaseException | None) -> None:
        if not future.done():
            if error is None:
                future.set_result(value)
            else:
                future.set_exception(error)

    def work() -> None:
        try:
            value, error = context.run(tool.invoke, arguments, config), None
        except BaseException as raised:  # handed to the waiting task, whatever it is
            value, error = None, raised
        if not loop.is_closed():
            loop.call_soon_threadsafe(settle, value, error)

    # A daemon: a tool that hangs for good must not keep the program from ending.
    threading.Thread(target=work, name=f"tool-{tool.name}", daemon=True).start()
    return await future
