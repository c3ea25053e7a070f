"""Asking for a value of a shape, over HTTP, from servers that fail in every way."""

from __future__ import annotations

import asyncio
import threading

import pytest
from citewell.errors import BudgetExhausted, MalformedReply, ProviderError, ProviderUnavailable, UsageError
from citewell.reasoners.chat.asking import tokens_of
from citewell.reasoners.chat.health import Breaker, Lane
from citewell.reasoners.chat.models import open_model
from citewell.reasoners.chat.pricing import price_of
from citewell.reasoners.prompts.resolver import Resolved
from citewell.settings import Environment
from citewell.state.budget import Budget, Limits
from langchain_core.messages import HumanMessage, SystemMessage
from servers.chat_server import ToolCalls, refusal
from servers.loopback import Reply

GOOD = {"question": "How tall is the mast?"}


def prompt(chars: int):
    return [SystemMessage("Rewrite. Reply with JSON."), HumanMessage("x" * min(chars, 8_000))]


def ask(asker, **options):
    return asker.ask("resolver", prompt, Resolved, **options)


async def test_a_shape_is_asked_for_in_the_strictest_form_and_settled(bench, serve):
    server = serve(lambda prompted: GOOD)
    reply = await ask(bench.asker(server))
    assert reply.question == "How tall is the mast?"
    (prompted,) = server.prompts
    assert (prompted.mode, prompted.step) == ("json_schema", "Resolved")
    assert prompted.body["temperature"] == 0
    spent = bench.budget.spent
    assert (spent.calls, spent.prompt_tokens, spent.cost_usd) == (1, prompted.tokens, None)
    assert spent.completion_tokens > 0
    assert bench.hosts == {"127.0.0.1"}


@pytest.mark.parametrize(
    ("refuses", "modes", "form"),
    [
        ({"json_schema": 400}, ["json_schema", "tool"], "function_calling"),
        ({"json_schema": 500}, ["json_schema", "json_schema", "tool"], "function_calling"),
        ({"json_schema": 400, "tool": 400}, ["json_schema", "tool", "json_object"], "json_mode"),
        (
            {"json_schema": 422, "tool": 404, "json_object": 400},
            ["json_schema", "tool", "json_object", "plain"],
            "plain",
        ),
    ],
)
async def test_what_a_server_supports_is_found_once_and_remembered(bench, serve, refuses, modes, form):
    server = serve(lambda prompted: GOOD, refuses=refuses)
    assert (await ask(bench.asker(server))).question == GOOD["question"]
    assert [prompted.mode for prompted in server.prompts] == modes
    assert bench.budget.spent.calls == len(modes)
    again = bench.asker(server)
    again.run = again.run.__class__(**{**again.run.__dict__, "run_id": "run-2"})
    await ask(again)
    assert again.book.of(again.model.key).form == form
    assert len(server.prompts) == len(modes) + 1


async def test_a_bare_server_error_for_one_form_leads_to_the_next(bench, serve):
    def think(prompted):
        return refusal(500, "Internal Server Error") if prompted.mode == "json_schema" else GOOD

    server = serve(think)
    assert (await ask(bench.asker(server))).question == GOOD["question"]
    assert [prompted.mode for prompted in server.prompts] == ["json_schema", "json_schema", "tool"]


async def test_a_refused_temperature_is_left_out_from_then_on(bench, serve):
    server = serve(lambda prompted: GOOD, refuses={"temperature": 400})
    asker = bench.asker(server)
    await ask(asker)
    assert ["temperature" in prompted.body for prompted in server.prompts] == [True, False]
    assert not asker.book.of(asker.model.key).temperature


async def test_a_reasoning_model_is_sent_no_temperature_and_room_to_think(bench, serve):
    server = serve(lambda prompted: GOOD, models=["o4-mini"])
    await ask(bench.asker(server, model="openai:o4-mini"), max_tokens=100)
    (prompted,) = server.prompts
    assert "temperature" not in prompted.body
    assert prompted.body["max_tokens"] == 400


async def test_an_unreadable_reply_is_asked_for_once_more_with_the_problem(bench, serve):
    replies = iter(["I cannot produce JSON.", GOOD])
    server = serve(lambda prompted: next(replies))
    assert (await ask(bench.asker(server))).question == GOOD["question"]
    assert "the reply holds no JSON object" in server.prompts[1].text
    assert server.prompts[1].text.startswith(server.prompts[0].text)


async def test_two_unreadable_replies_are_the_end(bench, serve):
    server = serve(lambda prompted: '{"question": "cut of')
    with pytest.raises(MalformedReply, match="cut off"):
        await ask(bench.asker(server))
    assert len(server.prompts) == 2


async def test_broken_tool_arguments_are_mended_only_where_nothing_is_guessed(bench, serve):
    replies = iter(
        [ToolCalls([("Resolved", '{"question": "How ta')]), ToolCalls([("Resolved", "{'question': 'X?',}")])]
    )
    server = serve(lambda prompted: next(replies), refuses={"json_schema": 400})
    assert (await ask(bench.asker(server))).question == "X?"


async def test_a_busy_provider_is_asked_again_after_the_time_it_names(bench, serve):
    replies = iter([refusal(429, "slow down", retry_after="7"), refusal(503, "down"), GOOD])
    server = serve(lambda prompted: next(replies))
    asker = bench.asker(server)
    await asker.book.note("openai:gpt-4o-mini " + server.base_url, form="json_schema")
    assert (await ask(asker)).question == GOOD["question"]
    assert bench.waits[0] == 7
    assert bench.budget.spent.calls == 3


async def test_a_wait_beyond_the_runs_time_is_not_begun(bench, serve):
    bench.budget = Budget(Limits(model_calls=60, seconds=5))
    server = serve(lambda prompted: refusal(429, "slow down", retry_after="30"))
    with pytest.raises(ProviderUnavailable, match="429"):
        await ask(bench.asker(server))
    assert (bench.waits, len(server.prompts)) == ([], 1)


@pytest.mark.parametrize("end", ["reset", "truncated"])
async def test_a_broken_connection_is_tried_again(bench, serve, end):
    replies = iter([Reply.of({"x": "y" * 500}, end=end), GOOD])
    server = serve(lambda prompted: next(replies))
    assert (await ask(bench.asker(server))).question == GOOD["question"]
    assert len(bench.waits) == 1


async def test_a_call_that_hangs_ends_with_the_runs_time(bench, serve):
    bench.budget = Budget(Limits(model_calls=60, seconds=0.6))
    server = serve(lambda prompted: Reply(end="hang"))
    started = asyncio.get_running_loop().time()
    with pytest.raises(BudgetExhausted, match="time budget"):
        await ask(bench.asker(server))
    assert asyncio.get_running_loop().time() - started < 3


async def test_the_breaker_stops_asking_a_provider_that_is_down(bench, serve):
    server = serve(lambda prompted: Reply(end="reset"))
    for _ in range(4):
        with pytest.raises(ProviderUnavailable):
            await ask(bench.asker(server))
    before = len(server.prompts)
    with pytest.raises(ProviderUnavailable, match="times in a row"):
        await ask(bench.asker(server))
    assert len(server.prompts) == before


@pytest.mark.parametrize(
    ("options", "key", "model", "words"),
    [
        ({"key": "right"}, "wrong", "openai:gpt-4o-mini", "OPENAI_API_KEY"),
        ({}, "k", "openai:no-such-model", "CITEWELL_MODEL"),
        (
            {"refuses": dict.fromkeys(("json_schema", "tool", "json_object", "plain"), 400)},
            "k",
            "openai:gpt-4o-mini",
            "CITEWELL_MODEL",
        ),
    ],
)
async def test_what_only_a_setting_can_mend_is_said_at_once(bench, serve, options, key, model, words):
    server = serve(lambda prompted: GOOD, **options)
    with pytest.raises(ProviderError, match=words) as raised:
        await ask(bench.asker(server, key=key, model=model))
    assert (raised.value.exit_code, raised.value.transient, "\n" in str(raised.value)) == (4, False, False)


async def test_an_unreachable_server_is_named_with_its_address(bench, serve):
    server = serve(lambda prompted: GOOD)
    server.__exit__(None, None, None)
    with pytest.raises(ProviderUnavailable, match=r"cannot be reached at http://127.*OPENAI_BASE_URL"):
        await ask(bench.asker(server))


async def test_a_prompt_over_the_window_is_rendered_shorter_and_the_window_remembered(bench, serve):
    server = serve(lambda prompted: GOOD, window_tokens=700)
    asker = bench.asker(server)
    assert (await ask(asker, chars=8_000)).question == GOOD["question"]
    tried = len(server.prompts)
    window = asker.book.of(asker.model.key).window_tokens
    assert window is not None
    assert window <= 700
    await asker.ask("resolver", lambda chars: [HumanMessage("y" * min(chars, 9_000))], Resolved, chars=9_000)
    assert len(server.prompts) == tried + 1
    assert server.prompts[-1].tokens <= 700


async def test_a_prompt_that_cannot_get_shorter_is_given_up(bench, serve):
    server = serve(lambda prompted: GOOD, window_tokens=10)
    with pytest.raises(MalformedReply, match="window"):
        await bench.asker(server).ask("resolver", lambda chars: [HumanMessage("z" * 400)], Resolved)


async def test_budgets_are_reserved_before_the_call(bench, serve):
    server = serve(lambda prompted: GOOD)
    for limits, name in (
        (Limits(model_calls=0), "model_call_budget"),
        (Limits(tokens=100), "token_budget"),
        (Limits(seconds=0), "time_budget"),
    ):
        bench.budget = Budget(limits)
        with pytest.raises(BudgetExhausted) as raised:
            await ask(bench.asker(server))
        assert raised.value.budget == name
    assert server.prompts == []


async def test_parallel_calls_never_pass_the_call_budget_or_the_number_in_flight(bench, serve):
    bench.budget = Budget(Limits(model_calls=5, seconds=30))
    server = serve(lambda prompted: GOOD, delay_s=0.05)
    asker = bench.asker(server, max_parallel_calls=2)

    async def one(number: int):
        return await asker.ask("resolver", lambda chars: [HumanMessage(f"q{number}")], Resolved)

    done = await asyncio.gather(*(one(number) for number in range(12)), return_exceptions=True)
    assert sum(isinstance(result, Resolved) for result in done) == 5
    assert {type(result) for result in done if not isinstance(result, Resolved)} == {BudgetExhausted}
    assert (len(server.prompts), server.most_in_flight) == (5, 2)


async def test_a_cost_limit_without_a_known_price_is_refused(bench, serve):
    bench.budget = Budget(Limits(cost_usd=1.0))
    with pytest.raises(UsageError, match="no price"):
        await ask(bench.asker(serve(lambda prompted: GOOD)))


async def test_a_completed_call_is_not_repeated_when_the_run_resumes(bench, serve):
    server = serve(lambda prompted: GOOD)
    await ask(bench.asker(server))
    resumed = await ask(bench.asker(server))
    assert (resumed.question, len(server.prompts), bench.budget.spent.calls) == (GOOD["question"], 1, 1)


async def test_a_cancelled_call_gives_its_room_back(bench, serve):
    under_way = threading.Event()

    def hang(prompted):
        under_way.set()
        return Reply(end="hang")

    task = asyncio.create_task(ask(bench.asker(serve(hang))))
    assert await asyncio.to_thread(under_way.wait, 30)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert bench.budget.spent.calls == 1
    bench.budget.reserve(tokens=300_000)


async def test_without_key_or_address_the_setting_is_named(tmp_path):
    with pytest.raises(ProviderError, match="OPENAI_API_KEY"):
        await open_model("openai:gpt-4o-mini", Environment(home=tmp_path))
    with pytest.raises(UsageError, match="provider:name"):
        await open_model("openai:", Environment(home=tmp_path))
    with pytest.raises(ProviderError, match="CITEWELL_MODEL"):
        await open_model("nosuch:model", Environment(home=tmp_path))


def test_prices_hold_for_the_providers_own_endpoint_only():
    price = price_of("openai:gpt-4o-mini")
    assert price is not None
    assert price.usd(1_000_000, 1_000_000) == pytest.approx(0.75)
    assert price_of("openai:gpt-4o-mini", "http://127.0.0.1/v1") is None
    assert price_of("openai:unheard-of") is None


def test_tokens_are_counted_by_bytes():
    assert tokens_of([HumanMessage("abc" * 10)]) == 14
    assert tokens_of([HumanMessage("三十天")]) == 7


async def test_a_busy_provider_is_not_taken_for_one_that_is_down(bench, serve):
    replies = iter([*(refusal(429, "slow down", retry_after="0.01") for _ in range(7)), GOOD])
    server = serve(lambda prompted: next(replies))
    assert (await ask(bench.asker(server))).question == GOOD["question"]
    assert len(server.prompts) == 8


async def test_all_calls_pause_when_the_provider_tells_one_to_wait(bench, serve):
    waits: list[float] = []

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    lane = Lane(Breaker("p"), 4, clock=lambda: 100.0)
    await lane.rest(sleep)
    lane.throttled(5)
    lane.throttled(2)
    await asyncio.gather(*(lane.rest(sleep) for _ in range(3)))
    assert len(waits) == 3
    assert all(5 <= wait <= 6 for wait in waits)
