"""A trace holds every finished span with exactly the fields that readers expect, and no secret."""

from __future__ import annotations

import json
import re
import subprocess
from datetime import UTC, datetime
from pathlib import Path

import pytest
from citewell.commands.trace import trace
from citewell.errors import UsageError
from citewell.reports.traces.recording import recording, trace_path
from citewell.reports.traces.redaction import Redaction
from citewell.reports.traces.view import draw, list_traces, read_trace, summaries, trees
from citewell.settings import Environment, Settings
from click.testing import CliRunner
from langchain_core.language_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.runnables import RunnableLambda
from langchain_core.tools import tool
from pydantic import BaseModel

HALO = Path(__file__).parents[3] / ".halo" / "bin" / "python"
FIELDS = {
    "trace_id",
    "span_id",
    "parent_span_id",
    "trace_state",
    "name",
    "kind",
    "start_time",
    "end_time",
    "status",
    "resource",
    "scope",
    "attributes",
}
ALLOWED = re.compile(
    r"openinference\.span\.kind|llm\.(provider|model_name|invocation_parameters|response\.id|token_count\.\w+)"
    r"|llm\.(input|output)_messages(\.\d+\.message\.(role|content|tool_call_id|name"
    r"|tool_calls\.\d+\.(tool_call\.id|function\.(name|arguments))))?"
    r"|tool\.name|(input|output)\.value|agent\.(name|tools|handoffs|output_type|handoff\.(from|to))"
    r"|guardrail\.(name|triggered)|mcp\.(server|tools\.listed|data)|sdk\.span\.(type|name)|sdk\.data\..+"
    r"|inference\.(export\.schema_version|project_id|observation_kind|user_id|session_id|agent_name)"
    r"|inference\.llm\.(provider|model_name|input_tokens|output_tokens|cost\.total)"
    r"|agent\.workflow\.(name|group_id)|agent\.trace_metadata\..+"
)
SECRET = "sk-proj-0123456789abcdef"


@tool
def double(number: int) -> int:
    """Double a number."""
    return 2 * number


def record(home: Path, *, thread: str = "t-1", texts: bool = True) -> list[dict]:
    """Record a run that calls a model and a tool, retrieves, checks and fails once."""
    reply = AIMessage(
        "It is two.",
        tool_calls=[{"name": "double", "args": {"number": 1}, "id": "call_1"}],
        usage_metadata={"input_tokens": 7, "output_tokens": 3, "total_tokens": 10},
    )
    model = GenericFakeChatModel(messages=iter([reply]))
    environment = Environment(home=home, openai_api_key=SECRET)
    settings = Settings(trace_texts=texts)
    with recording(environment, settings, thread_id=thread, question=f"Double 1? My key is {SECRET}") as recorder:
        assert recorder is not None
        config = {"callbacks": recorder.callbacks}
        model.invoke([HumanMessage(f"Double 1 \ud800 with {SECRET}")], config=config)
        double.invoke({"number": 1}, config=config)
        recorder.on_event({"type": "query", "query": "two", "iteration": 1})
        recorder.on_event({"type": "hits", "query": "two", "iteration": 1, "hits": [{"chunk_id": "c:0", "score": 1.0}]})
        recorder.on_event({"type": "query", "query": "lost", "iteration": 1})
        RunnableLambda(lambda state: {"issues": [state]}, name="validator").invoke("x", config=config)
        with recorder.span("SPAN", "custom", "stage", **{"sdk.data.files": 3}):
            pass
        with pytest.raises(ZeroDivisionError):
            RunnableLambda(lambda state: 1 / 0, name="broken").invoke("x", config=config)
    return read_trace(trace_path(home, thread))


@pytest.fixture
def spans(tmp_path) -> list[dict]:
    return record(tmp_path)


def by_name(spans: list[dict]) -> dict[str, dict]:
    return {span["name"]: span for span in spans}


def test_every_line_has_exactly_the_fields_of_the_format(spans):
    time = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z")
    for span in spans:
        assert set(span) == FIELDS
        assert time.fullmatch(span["start_time"])
        assert time.fullmatch(span["end_time"])
        assert span["start_time"] <= span["end_time"]
        assert re.fullmatch(r"[0-9a-f]{32}", span["trace_id"])
        assert re.fullmatch(r"[0-9a-f]{16}", span["span_id"])
        assert [key for key in span["attributes"] if not ALLOWED.fullmatch(key)] == []
        assert None not in span["attributes"].values()
        assert span["attributes"]["inference.export.schema_version"] == 1
        assert span["resource"]["attributes"]["service.name"] == "citewell"


def test_each_kind_of_work_has_its_span(spans):
    found = by_name(spans)
    kinds = {name: span["attributes"]["inference.observation_kind"] for name, span in found.items()}
    assert kinds == {
        "agent.research": "AGENT",
        "generation": "LLM",
        "function.double": "TOOL",
        "retriever.corpus": "RETRIEVER",
        "guardrail.validator": "GUARDRAIL",
        "custom.stage": "SPAN",
        "chain.broken": "CHAIN",
    }
    assert found["generation"]["kind"] == "SPAN_KIND_CLIENT"
    assert found["function.double"]["kind"] == "SPAN_KIND_INTERNAL"
    assert found["guardrail.validator"]["attributes"]["guardrail.triggered"] is True
    assert found["chain.broken"]["status"]["code"] == "STATUS_CODE_ERROR"


def test_messages_stand_as_json_and_flattened(spans):
    attributes = by_name(spans)["generation"]["attributes"]
    (asked,) = json.loads(attributes["llm.input_messages"])
    (reply,) = json.loads(attributes["llm.output_messages"])
    assert asked["role"] == attributes["llm.input_messages.0.message.role"] == "user"
    assert reply["tool_calls"][0]["function"]["name"] == "double"
    assert attributes["llm.output_messages.0.message.tool_calls.0.tool_call.id"] == "call_1"
    assert json.loads(attributes["llm.output_messages.0.message.tool_calls.0.function.arguments"]) == {"number": 1}
    assert (attributes["inference.llm.input_tokens"], attributes["inference.llm.output_tokens"]) == (7, 3)


def test_all_spans_hang_below_the_run(spans):
    (root,) = trees(spans)
    assert root.span["name"] == "agent.research"
    assert len(root.children) == len(spans) - 1
    assert root.span["attributes"]["agent.workflow.group_id"] == "t-1"


def test_no_secret_and_no_lone_surrogate_is_written(tmp_path):
    record(tmp_path)
    data = trace_path(tmp_path, "t-1").read_bytes()
    assert SECRET.encode() not in data
    assert "\ud800" not in data.decode("utf-8")


def test_a_secret_at_the_end_of_what_is_kept_of_a_long_text_is_masked_whole():
    redaction = Redaction.of([SECRET])
    long = "x" * (redaction.max_chars - 4) + f" {SECRET} " + "y" * 50_000
    written = redaction.attributes({"input.value": long})["input.value"]
    assert SECRET[:4] not in written
    assert "more characters]" in written
    assert len(written) < redaction.max_chars + 40


def test_texts_can_be_left_out(tmp_path):
    found = by_name(record(tmp_path, texts=False))
    assert "characters not kept" in found["generation"]["attributes"]["llm.input_messages"]
    assert "Double 1" not in trace_path(tmp_path, "t-1").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "text",
    [
        "Authorization: Bearer abcdefgh12345678",
        "tvly-dev-abcdefghijkl",
        "api_key=hunter2hunter2",
        "PASSWORD = hunter2hunter2",
        "{'Authorization': 'Basic hunter2hunter2'}",
        "token=hunter2hunter2 at https://ann:hunter2hunter2@host with Bearer abcdefgh12345678",
        "postgres://ann:hunter2hunter2@db/x",
        "-----BEGIN RSA PRIVATE KEY-----\nhunter2hunter2\n-----END RSA PRIVATE KEY-----",
    ],
)
def test_what_looks_like_a_secret_is_masked(text):
    cleaned = Redaction().text(text)
    assert "[secret]" in cleaned
    assert not re.search("hunter2|12345678|abcdefghijkl", cleaned)


def test_ordinary_text_is_left_alone():
    text = "The token ring was 4 Mbit/s; risk-adjusted, the desk-top task-force met at 10:30."
    assert Redaction().text(text) == text


def test_of_a_long_state_a_step_shows_the_beginning_and_a_guardrail_is_read_as_a_whole(tmp_path):
    unread = {"facts": [str(number) * 50 for number in range(1_000)], "unread": Unreadable()}

    def checked(state: dict) -> dict:
        return {"facts": state["facts"], "issues": [{"kind": "unsupported"}]}

    with recording(Environment(home=tmp_path), Settings(), thread_id="t-1") as recorder:
        config = {"callbacks": recorder.callbacks}
        RunnableLambda(lambda state: {"drafted": "short"}, name="draft").invoke(unread, config=config)
        RunnableLambda(checked, name="validator").invoke(unread, config=config)
    found = by_name(read_trace(trace_path(tmp_path, "t-1")))
    shown = found["chain.draft"]["attributes"]
    assert shown["input.value"].startswith('{"facts": ["0000')
    assert 4_000 < len(shown["input.value"]) < 4_100
    assert shown["output.value"] == "short"
    assert found["guardrail.validator"]["attributes"]["guardrail.triggered"] is True


class Unreadable(BaseModel):
    """A part of a state that stands behind what is shown."""

    def __iter__(self):
        raise AssertionError("read")

    def model_dump(self, **options):
        raise AssertionError("read")


def test_spans_tell_when_a_step_ran_not_when_it_was_written(tmp_path):
    with recording(Environment(home=tmp_path), Settings(), thread_id="t-1") as recorder:
        config = {"callbacks": recorder.callbacks}
        RunnableLambda(lambda state: state, name="first").invoke("x", config=config)
        recorder.on_event({"type": "query", "query": "two", "iteration": 1})
        recorder.on_event({"type": "hits", "query": "two", "iteration": 1, "hits": []})
        between = datetime.now(UTC).isoformat()
        RunnableLambda(lambda state: state, name="second").invoke("x", config=config)
    found = by_name(read_trace(trace_path(tmp_path, "t-1")))
    assert found["chain.first"]["end_time"] <= between[:26] <= found["chain.second"]["start_time"]
    assert found["chain.first"]["end_time"] <= found["retriever.corpus"]["start_time"]
    assert found["retriever.corpus"]["end_time"] <= between[:26] + "999Z"


def test_runs_of_one_thread_share_a_file_and_the_tree_tells_tokens(tmp_path):
    record(tmp_path)
    spans = record(tmp_path)
    assert [each.spans for each in summaries(spans)] == [8, 8]
    assert "7+3 tokens" in draw(spans)
    assert "failed: no result" in draw(spans)


def test_switched_off_nothing_is_written(tmp_path):
    with recording(Environment(home=tmp_path), Settings(trace=False), thread_id="t") as recorder:
        assert recorder is None
    assert list_traces(tmp_path) == []


def test_a_disk_that_refuses_costs_the_trace_and_not_the_run(tmp_path, caplog):
    (tmp_path / "traces").write_text("in the way", encoding="utf-8")
    with recording(Environment(home=tmp_path), Settings(), thread_id="t") as recorder:
        assert recorder is not None
    assert "no trace is written" in caplog.text


def test_an_odd_thread_id_stays_in_the_folder(tmp_path):
    assert trace_path(tmp_path, "../../etc/passwd").parent == tmp_path / "traces"


def test_a_cut_last_line_is_left_out_and_a_damaged_one_is_named(tmp_path, spans):
    path = trace_path(tmp_path, "t-1")
    whole = path.read_text(encoding="utf-8")
    path.write_text(whole + '{"trace_id": "', encoding="utf-8")
    assert len(read_trace(path)) == len(spans)
    path.write_text("{nonsense\n" + whole, encoding="utf-8")
    with pytest.raises(UsageError, match="line 1"):
        read_trace(path)


def test_the_command_draws_lists_and_exports(monkeypatch, tmp_path):
    monkeypatch.setenv("CITEWELL_HOME", str(tmp_path))
    record(tmp_path)
    shown = CliRunner().invoke(trace, ["show"], standalone_mode=False)
    assert "└─" in shown.output
    listed = CliRunner().invoke(trace, ["list", "--json"], standalone_mode=False)
    assert json.loads(listed.output)[0]["thread_id"] == "t-1"
    out = tmp_path / "out" / "trace.jsonl"
    CliRunner().invoke(trace, ["export", "t-1", "--out", str(out)], standalone_mode=False)
    assert out.read_bytes() == trace_path(tmp_path, "t-1").read_bytes()


@pytest.mark.slow
@pytest.mark.skipif(not HALO.exists(), reason="halo-engine has no environment here: make halo")
def test_halo_engine_indexes_the_file(tmp_path, spans):
    script = (
        "import asyncio, sys; from pathlib import Path;"
        "from engine.traces.trace_index_builder import TraceIndexBuilder;"
        "from engine.traces.models.trace_index_config import TraceIndexConfig;"
        "print(asyncio.run(TraceIndexBuilder.ensure_index_exists(Path(sys.argv[1]), TraceIndexConfig())).read_text())"
    )
    path = trace_path(tmp_path, "t-1")
    run = subprocess.run([str(HALO), "-c", script, str(path)], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    row = json.loads(run.stdout)
    assert (row["span_count"], row["total_input_tokens"], row["total_output_tokens"]) == (len(spans), 7, 3)
    assert (row["has_errors"], row["service_names"], row["missing_parent_count"]) == (True, ["citewell"], 0)


def test_a_step_that_ends_after_its_run_was_broken_off_is_written_all_the_same(tmp_path):
    with recording(Environment(home=tmp_path), Settings(), thread_id="t-1") as recorder:
        late = recorder.tracer.start_span("late")
    late.end()
    assert {"custom.late", "agent.research"} <= {span["name"] for span in read_trace(trace_path(tmp_path, "t-1"))}
