"""The registry checks before it runs, bounds what runs, and answers every failure with a value."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from pathlib import Path

import pytest
from citewell.errors import ToolError
from citewell.tools.calculator_tool import calculator_tool
from citewell.tools.registry import ToolRegistry
from langchain_core.tools import StructuredTool

CASES = [
    ('{"expression": "2+2"', "not valid JSON"),
    ("null", "no JSON object"),
    ("[1]", "no JSON object"),
    ('{"expr": "2+2"}', "unknown argument 'expr'"),
    ("", "not valid JSON"),
    ("{}", "expression"),
    ('{"expression": 4}', "expression"),
    ('{"expression": "1", "extra": true}', "unknown argument 'extra'"),
    (None, "no JSON object"),
    ("[" * 100_000, "not valid JSON"),
]


def recording(name: str = "calculator") -> tuple[StructuredTool, list[str]]:
    ran: list[str] = []

    def run(expression: str) -> str:
        """Record that the tool ran."""
        ran.append(expression)
        return "ran"

    return StructuredTool.from_function(func=run, name=name), ran


@pytest.mark.parametrize(("arguments", "reason"), CASES)
async def test_bad_arguments_are_named_and_nothing_runs(arguments, reason):
    registry = ToolRegistry()
    tool, ran = recording()
    registry.register(tool)
    outcome = await registry.call("calculator", arguments)
    assert (outcome.error, ran) == ("bad_arguments", [])
    assert reason in outcome.content
    assert "expected {expression: string}" in outcome.content


@pytest.mark.parametrize("name", ["Calculator ", "does_not_exist", "", "calculator\n"])
async def test_an_unknown_tool_is_answered_with_the_names_there_are(name):
    registry = ToolRegistry()
    tool, ran = recording()
    registry.register(tool)
    outcome = await registry.call(name, '{"expression": "2+2"}')
    assert (outcome.error, ran) == ("unknown_tool", [])
    assert "The tools are: calculator." in outcome.content
    assert ("Did you mean 'calculator'?" in outcome.content) == (name.strip().lower() == "calculator")


async def test_registering_a_name_again_replaces_its_tool_at_once():
    registry = ToolRegistry()
    for answer in ("old", "new"):
        registry.register(StructuredTool.from_function(func=lambda answer=answer: answer, name="t", description="t"))
        assert (await registry.call("t", {})).content == answer
    assert registry.names() == ["t"]
    registry.unregister("t")
    assert (await registry.call("t", {})).error == "unknown_tool"


@pytest.mark.parametrize("blocking", [True, False])
async def test_a_tool_that_hangs_is_given_up_after_its_time(blocking):
    released = threading.Event()

    async def wait() -> str:
        await asyncio.sleep(30)
        return "late"

    def block() -> str:
        released.wait(30)
        return "late"

    tool = (
        StructuredTool.from_function(func=block, name="slow", description="s")
        if blocking
        else StructuredTool.from_function(coroutine=wait, name="slow", description="s")
    )
    registry = ToolRegistry()
    registry.register(tool, timeout_s=0.1)
    started = time.perf_counter()
    outcome = await registry.call("slow", {})
    released.set()
    assert outcome.error == "timeout"
    assert time.perf_counter() - started < 5
    assert outcome.content == "slow gave no result within 0.1 s"


async def test_a_huge_result_is_cut_and_says_so():
    registry = ToolRegistry()
    registry.register(
        StructuredTool.from_function(func=lambda: "x" * 5_000_000, name="big", description="b"), max_chars=1_000
    )
    outcome = await registry.call("big", {})
    assert len(outcome.content) <= 1_000
    assert "of 5000000 characters]" in outcome.content
    assert len(outcome.value) == 5_000_000


async def test_a_failing_tool_is_a_value():
    def fail() -> str:
        raise RuntimeError("no luck")

    registry = ToolRegistry()
    registry.register(StructuredTool.from_function(func=fail, name="bad", description="b"))
    outcome = await registry.call("bad", {})
    assert (outcome.error, outcome.content) == ("failed", "bad failed: RuntimeError: no luck")


async def test_a_refusal_of_ours_is_told_as_it_is():
    registry = ToolRegistry()
    registry.register(calculator_tool())
    outcome = await registry.call("calculator", '{"expression": "1/0"}')
    assert (outcome.error, outcome.content) == ("refused", "calculator: division by zero")
    assert (await registry.call("calculator", {"expression": "2+2*3"})).content == "8"


async def test_schemas_are_what_a_chat_model_is_told():
    registry = ToolRegistry()
    registry.register(calculator_tool())
    [schema] = registry.schemas()
    assert schema["function"]["name"] == "calculator"
    assert schema["function"]["parameters"]["required"] == ["expression"]


async def test_a_schema_given_as_json_is_checked_too():
    tool = StructuredTool.from_function(
        func=lambda **given: json.dumps(given),
        name="remote",
        description="r",
        args_schema={"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]},
    )
    registry = ToolRegistry()
    registry.register(tool)
    assert "path" in (await registry.call("remote", "{}")).content
    assert json.loads((await registry.call("remote", {"path": "a"})).content) == {"path": "a"}


def test_limits_are_positive():
    with pytest.raises(ValueError, match="positive"):
        ToolRegistry().register(calculator_tool(), timeout_s=0)


async def test_b36_every_line_is_a_result_or_a_refusal_within_a_second():
    registry = ToolRegistry()
    registry.register(calculator_tool())
    lines = [
        *("2+2*3", "9**9**9", "__import__('os').getcwd()", "().__class__.__mro__", "open('/etc/hostname').read()"),
        *("1/0", "lambda: 1", "[x for x in range(3)]", "'a'*999999999", "12 % 5", "0.1+0.2", "exec('1')"),
    ]
    outcomes = [await registry.call("calculator", {"expression": line}) for line in lines]
    assert all(outcome.seconds < 1 for outcome in outcomes)
    assert [outcome.content for outcome in outcomes if outcome.ok] == ["8", "2", "0.3"]
    assert {outcome.error for outcome in outcomes if not outcome.ok} == {"refused"}
    assert str(Path.cwd()) not in "".join(outcome.content for outcome in outcomes)


def test_tool_error_carries_its_tool():
    assert ToolError("calculator", "no").tool == "calculator"
