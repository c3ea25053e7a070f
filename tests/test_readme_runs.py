"""The commands of the README run as they stand, one after the other, in a folder that holds the sample dataroom."""

from __future__ import annotations

import ast
import re
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import citewell
import pytest
from citewell.cli import cli
from citewell.state.records import Report
from click.testing import CliRunner, Result
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, StateGraph
from servers.chat_server import ChatServer
from servers.scripted_model import honest
from servers.search_server import LocalPage, SearchServer
from typing_extensions import TypedDict

pytestmark = pytest.mark.slow
ROOT = Path(citewell.__file__).parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
TURBINES = LocalPage("/makers", "Makers", "Orbital Marine makes tidal turbines in Orkney.")


class ParentState(TypedDict, total=False):
    question: str
    docs: list[str]
    answer: str
    report: Report


def section(title: str) -> list[str]:
    """Return the commands that a section of the README shows, without their remarks."""
    text = README.split(f"\n## {title}\n", 1)[1].split("\n## ", 1)[0]
    blocks = re.findall(r"```console\n(.*?)```", text, re.S)
    return [re.split(r"\s{2,}#", line[2:])[0] for block in blocks for line in block.splitlines() if line[:2] == "$ "]


def run(line: str) -> Result:
    """Run one command as a shell would, with the variables set before it."""
    words = shlex.split(line)
    given = dict(word.split("=", 1) for word in words if re.match(r"[A-Z_]+=", word))
    program, *arguments = [word for word in words if word.split("=", 1)[0] not in given]
    assert program == "citewell"
    return CliRunner(env=given).invoke(cli, arguments)


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working directory with the sample dataroom where the README has it."""
    shutil.copytree(ROOT / "studio" / "dataroom", tmp_path / "studio" / "dataroom")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CITEWELL_HOME", str(tmp_path / "home"))
    return tmp_path


@pytest.fixture
def model() -> Iterator[ChatServer]:
    with ChatServer(honest, models=("my-model",)) as server:
        yield server


def test_the_demo_prints_what_the_readme_shows_of_it():
    question = re.findall(r"^QUESTION \?= (.*)$", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M)[0]
    printed = run(f'citewell research "{question}" --docs studio/dataroom --engine embedded --offline --quiet').stdout
    at = 0
    for part in README.split("```text\n")[1].split("```")[0].split("…\n"):
        assert part in printed[at:], part
        at = printed.index(part, at) + len(part)


def test_a_model_behind_a_compatible_server_answers_the_dataroom(model, monkeypatch):
    export, ask, _ = section("With a chat model, and the web")
    variables = dict(word.split("=", 1) for word in shlex.split(export)[1:])
    assert set(variables) == {"OPENAI_BASE_URL", "OPENAI_API_KEY"}
    monkeypatch.setenv("OPENAI_BASE_URL", model.base_url)
    monkeypatch.setenv("OPENAI_API_KEY", variables["OPENAI_API_KEY"])
    asked = run(ask)
    assert asked.exit_code in (0, 3)
    assert "17640000" in asked.stdout
    assert {call.asked.json["model"] for call in model.calls} == {"my-model"}


def test_the_web_is_asked_too(monkeypatch):
    line = section("With a chat model, and the web")[2].replace("TAVILY_API_KEY=…", "TAVILY_API_KEY=tvly-test")
    with SearchServer([TURBINES]) as server:
        monkeypatch.setenv("TAVILY_BASE_URL", server.url)
        monkeypatch.setenv("CITEWELL_ALLOW_PRIVATE_HOSTS", "1")
        asked = run(line)
    assert {call.asked.path for call in server.calls} >= {"/search", "/makers"}
    assert asked.exit_code == 0
    assert "Orbital Marine" in asked.stdout


def test_a_thread_goes_on_is_listed_resumed_verified_and_compared():
    first, second, threads, resume, verify, diff = section("Threads, follow-ups, resume")
    assert run(f"{first} --out answer").exit_code in (0, 3)
    shutil.copy("answer/report.json", "before.json")
    followed = run(f"{second} --format json")
    assert followed.exit_code in (0, 3)
    Path("after.json").write_text(followed.stdout, encoding="utf-8")
    assert "cash" in run(threads).stdout
    assert run(f"{resume} --format json").stdout == followed.stdout
    assert run(verify).exit_code == 0
    assert run(diff).exit_code == 1


async def test_a_parent_graph_is_invoked_with_and_without_a_loop(place):
    (place / "filings").mkdir()
    (place / "filings" / "minutes.txt").write_text("The board of Orrin approved the plan on 3 May 2024.", "utf-8")
    block = next(part for part in re.findall(r"```python\n(.*?)```", README, re.S) if "add_node" in part)
    shown = compile(block, "README.md", "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    names: dict[str, Any] = {"citewell": citewell, "InMemorySaver": InMemorySaver, "START": START}
    names |= {"StateGraph": StateGraph, "ParentState": ParentState}
    await eval(shown, names)
    assert "The board of Orrin approved the plan" in names["result"]["answer"]


def test_a_corpus_is_kept_and_searched(place):
    index, search, compact, doctor = section("A kept corpus")
    shutil.copytree(place / "studio" / "dataroom", place / "filings")
    assert run(index).exit_code == 0
    assert run(search).stdout
    assert run(compact).exit_code == 0
    assert "kept" in run(doctor).stdout


def test_a_dataroom_is_reviewed_checked_traced_and_remarked_on():
    answer, coverage, contract, trace, feedback, _ = section("Diligence")
    asked = run(answer)
    assert asked.exit_code == 0
    thread = re.findall(r"citewell trace show (\w+)", asked.stderr)[0]
    assert "agent.diligence" in run(trace).stdout
    for check in (coverage, contract):
        assert run(check).exit_code == 0
    assert run(feedback.replace("RUN", thread)).exit_code == 0
