"""Ask a chat model for a value of a shape: bounded, journaled, retried, in the best form its server knows."""

from __future__ import annotations

import asyncio
import json
import math
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import partial
from typing import Any, TypeVar

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage, messages_to_dict

from ...errors import BudgetExhausted, CitewellError, MalformedReply, ProviderError, ProviderUnavailable, UsageError
from ...retrievers.retries import with_retries
from ...settings import Settings
from ...state.budget import Budget, Usage
from ...state.journal import CallJournal, Recorded
from ..prompts.shapes import Reply, json_schema
from .capabilities import FORMS, CapabilityBook, Form
from .failures import FormUnsupported, PromptTooLong, named, status_of
from .health import Lane, lane_of
from .models import ChatModel
from .parsing import Unreadable, read_reply

R = TypeVar("R", bound=Reply)
Render = Callable[[int], list[BaseMessage]]

CALL_TIMEOUT_S = 120.0
RETRY_WITHIN_S = 60.0
ATTEMPTS = 3
THROTTLED_ATTEMPTS = 8
"""How often a call that the provider has no room for is sent, all runs pausing in between."""
REASONING_FACTOR = 4
SMALLEST_STEP = 0.6
"""By how much a prompt shrinks when it was too long for the model's window."""

_SCHEMA = "Reply with one JSON object of this schema and nothing else:\n{schema}"
_AGAIN = "Your reply could not be used: {problem}. Reply again. " + _SCHEMA


@dataclass(frozen=True)
class ChatRun:
    """What the calls of one run share.

    Attributes:
        note: Called with a step and a reason when something was done another way or left out.
        contacted: Called with the hosts that were asked.
    """

    run_id: str
    budget: Budget
    journal: CallJournal
    settings: Settings
    today: date
    note: Callable[[str, str], None] = lambda step, reason: None
    contacted: Callable[[Sequence[str]], None] = lambda hosts: None


@dataclass
class Asker:
    """Asks one model on behalf of one run.

    Attributes:
        open: Opens the model when it is first asked.
        book: What its server is known to support.
    """

    open: Callable[[], Awaitable[ChatModel]]
    run: ChatRun
    book: CapabilityBook
    sleep: Callable[[float], Awaitable[None]] = field(default=asyncio.sleep)
    _opened: ChatModel | None = None

    async def ask(
        self,
        step: str,
        render: Render,
        schema: type[R],
        *,
        chars: int = 16_000,
        max_tokens: int = 2_000,
        prose: Callable[[str], R | None] = lambda text: None,
    ) -> R:
        """Return the model's reply in a shape.

        A reply that cannot be read is asked for once more with the problem named.  A prompt that is too long for the
        model's window is rendered again with less.

        Args:
            step: The step that asks, for journal and errors.
            render: Returns the prompt with at most so many characters of data.
            chars: Characters to begin with.
            max_tokens: The most the reply may use.
            prose: Reads a reply that holds no JSON, where that needs no guess.
        Raises:
            MalformedReply: Neither reply could be read, or no prompt was short enough.
            BudgetExhausted: A budget has no room for the call.
            ProviderUnavailable: The provider is down or throttled beyond the time that can be waited.
            ProviderError: The provider refuses; a setting must change.
        """
        if self._opened is None:
            self._opened = await self.open()
            await self.book.ready()
        messages, chars = self._within_window(render, chars, max_tokens)
        text: str = ""
        given: dict[str, Any] | str | None = None
        while True:
            try:
                text, given = await self._reply(step, messages, schema, max_tokens)
                return _read(text, given, schema, prose)
            except PromptTooLong as error:
                messages, chars = await self._shorter(step, render, messages, chars, error)
            except (Unreadable, MalformedReply) as first:
                problem = first.problem if isinstance(first, MalformedReply) else str(first)
                break
        said = AIMessage((text or json.dumps(given, ensure_ascii=False))[:4_000] or "(nothing)")
        again = HumanMessage(_AGAIN.format(problem=problem, schema=json.dumps(json_schema(schema), ensure_ascii=False)))
        try:
            text, given = await self._reply(step, [*messages, said, again], schema, max_tokens * 2)
            return _read(text, given, schema, prose)
        except (Unreadable, MalformedReply, PromptTooLong) as second:
            then = second.problem if isinstance(second, MalformedReply) else str(second)
            raise MalformedReply(step, f"no usable reply, asked twice: {problem}; then {then}") from second

    @property
    def model(self) -> ChatModel:
        """The model, once it was asked."""
        assert self._opened is not None
        return self._opened

    @property
    def has_worked(self) -> bool:
        """Whether the provider answered any call of this process."""
        return self._opened is not None and self._lane.breaker.worked

    @property
    def _lane(self) -> Lane:
        return lane_of(self.model.name, self.model.place.address, self.run.settings.max_parallel_calls)

    def _within_window(self, render: Render, chars: int, max_tokens: int) -> tuple[list[BaseMessage], int]:
        """Render with as much as the known window allows."""
        known = self.run.settings.window_tokens, self.book.of(self.model.key).window_tokens, self.model.window_tokens
        window = min((tokens for tokens in known if tokens is not None), default=None)
        messages = render(chars)
        while window is not None and tokens_of(messages) + min(max_tokens, window // 4) > window:
            fewer = int(chars * SMALLEST_STEP)
            shorter = render(fewer)
            if tokens_of(shorter) >= tokens_of(messages):
                break
            messages, chars = shorter, fewer
        return messages, chars

    async def _shorter(
        self, step: str, render: Render, messages: list[BaseMessage], chars: int, error: PromptTooLong
    ) -> tuple[list[BaseMessage], int]:
        """Render with less after a refusal, and remember how long a prompt may be by our own count."""
        refused = tokens_of(messages)
        window = min(int(refused * 0.8), error.window_tokens or refused)
        await self.book.note(self.model.key, window_tokens=window)
        best: tuple[list[BaseMessage], int] | None = None
        while chars > 1 and (best is None or tokens_of(best[0]) > window):
            chars = int(chars * SMALLEST_STEP)
            shorter = render(chars)
            if tokens_of(shorter) < tokens_of(best[0] if best else messages):
                best = shorter, chars
        if best is not None:
            return best[0], chars
        raise MalformedReply(step, "no prompt is short enough for the model's window")

    async def _reply(
        self, step: str, messages: list[BaseMessage], schema: type[Reply], max_tokens: int
    ) -> tuple[str, dict[str, Any] | str | None]:
        """Return text and tool arguments of a reply, from the journal where this run asked the same before."""
        request = {
            "step": step,
            "model": self.model.key,
            "schema": schema.__name__,
            "messages": [
                {"type": entry["type"], "content": entry["data"]["content"]} for entry in messages_to_dict(messages)
            ],
        }
        made = await self.run.journal.once(
            self.run.run_id, "model", request, lambda: self._down_the_ladder(step, messages, schema, max_tokens)
        )
        return made.result["text"], made.result["arguments"]

    async def _down_the_ladder(
        self, step: str, messages: list[BaseMessage], schema: type[Reply], max_tokens: int
    ) -> Recorded:
        """Ask in the best form that is known to work, or in each form from the strictest on until one does."""
        known = self.book.of(self.model.key).form
        spent = _Spent()
        problem: CitewellError | None = None
        for form in FORMS[FORMS.index(known) if known else 0 :]:
            call = partial(self._unless_throttled, step, messages, schema, form, max_tokens, spent)
            attempts = ATTEMPTS if known else 2
            doubts = 0
            while doubts < 2:
                try:
                    within_s = min(RETRY_WITHIN_S, self.run.budget.remaining_s)
                    reply = await with_retries(call, attempts=attempts, within_s=within_s, sleep=self.sleep)
                except FormUnsupported as error:
                    problem = error
                    if error.temperature and self.book.of(self.model.key).temperature:
                        await self.book.note(self.model.key, temperature=False)
                        continue
                    # A server error that names the form may have been a passing one: once more, then it counts.
                    doubts += 2 if error.sure else 1
                except ProviderUnavailable as error:
                    problem = error
                    # Some servers answer a form they do not know with a bare 500.
                    bare = (status_of(error.__cause__ or error) or 0) >= 500
                    if known or form == "plain" or not error.transient or not bare:
                        raise
                    doubts = 2
                else:
                    if known != form:
                        await self.book.note(self.model.key, form=form)
                    return Recorded(reply, spent.usage)
        if isinstance(problem, ProviderUnavailable):
            raise problem
        told = f"refused every form of request: {problem}"
        raise ProviderError(self.model.place.provider, told, setting="CITEWELL_MODEL") from problem

    async def _unless_throttled(
        self, step: str, messages: list[BaseMessage], schema: type[Reply], form: Form, max_tokens: int, spent: _Spent
    ) -> dict[str, Any]:
        """Make a request again while the provider has no room for it: many runs share what it gives."""
        until = time.monotonic() + min(RETRY_WITHIN_S, self.run.budget.remaining_s)
        for attempt in range(THROTTLED_ATTEMPTS):
            try:
                return await self._call(step, messages, schema, form, max_tokens, spent)
            except ProviderUnavailable as error:
                if status_of(error.__cause__ or error) != 429:
                    raise
                pause_s = error.retry_after_s if error.retry_after_s is not None else min(0.5 * 2**attempt, 20.0)
                if time.monotonic() + pause_s > until or attempt + 1 == THROTTLED_ATTEMPTS:
                    raise
                self._lane.throttled(pause_s)
                await self.sleep(pause_s)
        raise AssertionError("unreachable: the last error is raised")

    async def _call(
        self, step: str, messages: list[BaseMessage], schema: type[Reply], form: Form, max_tokens: int, spent: _Spent
    ) -> dict[str, Any]:
        """Make one request: wait for a slot, reserve, send, settle."""
        model, budget = self.model, self.run.budget
        max_tokens *= REASONING_FACTOR if model.reasoning else 1
        lane = self._lane
        prompt_tokens = tokens_of(messages)
        if model.price is None and budget.limits.cost_usd is not None:
            raise UsageError(f"max_cost_usd is set, but no price of {model.name} is known")
        async with lane.slots:
            await lane.rest(self.sleep)
            lane.breaker.check()
            most_usd = model.price.usd(prompt_tokens, max_tokens) if model.price else 0.0
            held = budget.reserve(tokens=prompt_tokens + max_tokens, cost_usd=most_usd)
            used = Usage(calls=1, prompt_tokens=prompt_tokens)
            try:
                self.run.contacted([model.host])
                limit_s = min(CALL_TIMEOUT_S, budget.remaining_s)
                async with asyncio.timeout(limit_s):
                    message = await self._send(messages, schema, form, max_tokens)
                lane.breaker.succeeded()
                used = self._usage(message, prompt_tokens)
            except Exception as error:  # each provider raises errors of its own, which `named` tells apart
                if isinstance(error, TimeoutError) and budget.remaining_s <= 0:
                    raise BudgetExhausted("time_budget") from error
                told = named(error, model.place, step, structured=form != "plain")
                # One that says it is busy is not down.
                if isinstance(told, ProviderUnavailable) and status_of(error) != 429:
                    lane.breaker.failed()
                else:
                    lane.breaker.succeeded()
                if not isinstance(error, TimeoutError):
                    used = Usage(calls=1)
                raise told from error
            finally:
                budget.settle(held, used)
                spent.usage += used
        ended = message.response_metadata.get("finish_reason") if form in ("json_schema", "json_mode") else ""
        if message.additional_kwargs.get("refusal") or ended == "content_filter":
            raise MalformedReply(step, "the model refused to answer")
        if ended == "length":
            raise MalformedReply(step, "the reply was cut off at its token limit")
        return {"text": str(message.text), "arguments": _arguments(message)}

    async def _send(self, messages: list[BaseMessage], schema: type[Reply], form: Form, max_tokens: int) -> AIMessage:
        temperature = self.book.of(self.model.key).temperature
        chat: Any = self.model.bounded(max_tokens, temperature=temperature)
        shape = json_schema(schema)
        if form in ("plain", "json_mode"):
            messages = _with_schema(messages, shape)
        asking = {} if form == "plain" else self.model.asking_for(shape, form)
        if asking is not None:
            reply = await chat.ainvoke(messages, **asking)
        else:
            strict = {"strict": True} if form == "json_schema" and self.model.name.startswith("openai:") else {}
            asked = chat.with_structured_output(shape, method=form, include_raw=True, **strict)
            reply = (await asked.ainvoke(messages))["raw"]
        if not isinstance(reply, AIMessage):
            raise ValueError(f"expected a message, got {type(reply).__name__}")
        return reply

    def _usage(self, message: AIMessage, prompt_tokens: int) -> Usage:
        """Return what a call used, as the provider counted it, else by our estimate."""
        counted = message.usage_metadata
        prompt = counted["input_tokens"] if counted else prompt_tokens
        completion = counted["output_tokens"] if counted else tokens_of([message])
        price = self.model.price
        return Usage(1, prompt, completion, price.usd(prompt, completion) if price else None)


@dataclass
class _Spent:
    """What the requests behind one reply used together."""

    usage: Usage = field(default_factory=Usage)


def tokens_of(messages: Sequence[BaseMessage]) -> int:
    """Estimate the tokens of messages: three bytes each, which is above the true count for most texts."""
    return sum(math.ceil(len(str(message.text).encode("utf-8", "replace")) / 3) + 4 for message in messages)


def _with_schema(messages: list[BaseMessage], shape: dict[str, Any]) -> list[BaseMessage]:
    """Append the schema to the system message, so that the prompt's constant part stays in front."""
    told = _SCHEMA.format(schema=json.dumps(shape, ensure_ascii=False))
    first, *rest = messages
    return [SystemMessage(f"{first.text}\n{told}"), *rest]


def _arguments(message: AIMessage) -> dict[str, Any] | str | None:
    if message.tool_calls:
        return dict(message.tool_calls[0]["args"])
    if message.invalid_tool_calls:
        return message.invalid_tool_calls[0]["args"] or ""
    return None


def _read(text: str, given: dict[str, Any] | str | None, schema: type[R], prose: Callable[[str], R | None]) -> R:
    if given is not None:
        return read_reply(given, schema)
    try:
        return read_reply(text, schema)
    except Unreadable:
        plain = prose(text)
        if plain is None:
            raise
        return plain
