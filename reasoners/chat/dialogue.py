"""A conversation by a chat model: it calls tools by name and sees what they returned."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

import regex
from langchain_core.messages import (
    AIMessage,
    AIMessageChunk,
    BaseMessage,
    HumanMessage,
    SystemMessage,
    ToolMessage,
    messages_to_dict,
)
from langchain_core.messages.tool import tool_call

from ...errors import (
    BudgetExhausted,
    CitewellError,
    MalformedReply,
    ProviderError,
    ProviderUnavailable,
    UsageError,
)
from ...retrievers.retries import with_retries
from ...state.budget import Usage
from ...state.journal import Recorded
from ..dialogue import Move, OnText, ToolCall, ToolResult, Turn
from .asking import ATTEMPTS, REASONING_FACTOR, RETRY_WITHIN_S, tokens_of
from .health import lane_of
from .models import ChatModel

TEMPERATURE = 0.2
TIMEOUT_S = 120.0
MAX_REPLY_TOKENS = 2_000
MAX_ECHO_CHARS = 2_000
_THINKING = regex.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|$)", regex.DOTALL | regex.IGNORECASE)
_UNSAFE = regex.compile(r"[^A-Za-z0-9_-]")


class ModelDialogue:
    """Any LangChain chat model; which tool to call is left to it."""

    name = "chat"

    def __init__(self, open_: Callable[[], Awaitable[ChatModel]], *, max_parallel_calls: int = 16) -> None:
        self._open, self._most = open_, max_parallel_calls

    async def move(self, turn: Turn, on_text: OnText) -> Move:
        """Ask the model once, streaming; a turn that is taken up gets the reply that it had.

        Calls are read from the raw text that the model wrote, never from LangChain's reading of it, which completes
        cut-off JSON by a guess.  A model that could not be reached is asked again as long as it has said nothing.
        """
        opened = await self._open()
        asked = _Asked(opened, turn, on_text, self._most)
        remaining_s = turn.ledger.budget.remaining_s

        async def ask() -> Recorded:
            return await with_retries(asked.once, attempts=ATTEMPTS, within_s=min(RETRY_WITHIN_S, remaining_s))

        made = await turn.ledger.once("model", asked.request, ask)
        text = str(made.result["text"])
        if made.replayed and text:
            on_text(text)
        return Move(text, tuple(ToolCall.model_validate(call) for call in made.result["calls"]))


class _Asked:
    """One question to a model: bounded before it is sent, settled when the reply is there."""

    def __init__(self, opened: ChatModel, turn: Turn, on_text: OnText, most: int) -> None:
        self._opened, self._turn, self._on_text, self._most = opened, turn, on_text, most
        self._messages = messages_of(turn)
        self._reply_tokens = MAX_REPLY_TOKENS * (REASONING_FACTOR if opened.reasoning else 1)
        self._said = False

    @property
    def request(self) -> dict[str, Any]:
        """What identifies the call in the journal."""
        return {
            "step": "agent",
            "model": self._opened.key,
            "messages": messages_to_dict(self._messages),
            "tools": list(self._turn.tools),
        }

    async def once(self) -> Recorded:
        """Make the request.  Raises: what `DialogueEngine.move` raises."""
        opened, budget = self._opened, self._turn.ledger.budget
        price, prompt_tokens = opened.price, tokens_of(self._messages)
        if price is None and budget.limits.cost_usd is not None:
            raise UsageError(f"max_cost_usd is set, but no price of {opened.name} is known")
        lane = lane_of(opened.name, opened.place.address, self._most)
        async with lane.slots:
            lane.breaker.check()
            held = budget.reserve(
                tokens=prompt_tokens + self._reply_tokens,
                cost_usd=price.usd(prompt_tokens, self._reply_tokens) if price else 0.0,
            )
            used = Usage(calls=1, prompt_tokens=prompt_tokens)
            try:
                whole = await self._stream()
                used = self._usage(whole, prompt_tokens)
                lane.breaker.succeeded()
            except ProviderUnavailable as error:
                lane.breaker.failed()
                if self._said:
                    error.transient = False
                raise
            except ProviderError:
                lane.breaker.succeeded()
                raise
            finally:
                budget.settle(held, used)
        calls = raw_calls(whole, len(self._turn.rounds))
        text = _THINKING.sub("", whole.text).strip()
        if not text and not calls:
            raise MalformedReply("agent", "the model's reply is empty")
        return Recorded({"text": text, "calls": [call.model_dump() for call in calls]}, used)

    async def _stream(self) -> BaseMessage:
        opened, budget = self._opened, self._turn.ledger.budget
        model: Any = opened.bounded(self._reply_tokens, temperature=True)
        if not opened.reasoning and "temperature" in type(model).model_fields:
            model = model.model_copy(update={"temperature": TEMPERATURE})
        bound = model.bind_tools(list(self._turn.tools)) if self._turn.tools else model
        whole: BaseMessage | None = None
        thinking = _ThinkingFilter(self._say)
        limit_s = min(TIMEOUT_S, budget.remaining_s)
        try:
            # Untagged, the pieces would also go out as messages of the graph, unchecked.
            async with asyncio.timeout(limit_s):
                async for chunk in bound.astream(self._messages, config={"tags": ["nostream"]}):
                    whole = chunk if whole is None else whole + chunk
                    thinking.write(chunk.text)
        except TimeoutError as error:
            if budget.remaining_s <= 0:
                raise BudgetExhausted("time_budget") from error
            raise ProviderUnavailable(opened.name, f"no complete reply within {limit_s:g} s") from error
        except CitewellError:
            raise
        except Exception as error:  # each provider raises errors of its own
            raise provider_error(opened, error) from error
        thinking.end()
        if whole is None:
            raise MalformedReply("agent", "the model sent nothing")
        return whole

    def _say(self, text: str) -> None:
        self._said = self._said or bool(text)
        self._on_text(text)

    def _usage(self, reply: BaseMessage, prompt_tokens: int) -> Usage:
        """Return what the call used, as the provider counted it, else by our estimate."""
        counted = reply.usage_metadata if isinstance(reply, AIMessage) else None
        prompt = counted["input_tokens"] if counted else prompt_tokens
        completion = counted["output_tokens"] if counted else tokens_of([reply])
        price = self._opened.price
        return Usage(1, prompt, completion, price.usd(prompt, completion) if price else None)


class _ThinkingFilter:
    """Passes a reply on as it streams, without a thinking block at its beginning."""

    def __init__(self, send: OnText) -> None:
        self._send, self._held, self._open = send, "", False

    def write(self, piece: str) -> None:
        if self._open:
            self._send(piece)
            return
        self._held += piece
        beginning = self._held.lstrip().lower()
        if beginning.startswith("<think"):
            if not regex.search(r"</think(?:ing)?>", beginning):
                return
        elif len(beginning) < len("<thinking>") and "<thinking>".startswith(beginning):
            return
        self._open = True
        self._send(_THINKING.sub("", self._held).lstrip())

    def end(self) -> None:
        if not self._open and (text := _THINKING.sub("", self._held).strip()):
            self._send(text)


def messages_of(turn: Turn) -> list[BaseMessage]:
    """Return a turn as messages; what never changes stands first."""
    messages: list[BaseMessage] = [SystemMessage(turn.system)]
    messages += [AIMessage(text) if role == "assistant" else HumanMessage(text) for role, text in turn.history]
    messages.append(HumanMessage(turn.message))
    for done in turn.rounds:
        messages.append(AIMessage(done.text, tool_calls=[_echo(result) for result in done.results]))
        messages += [
            ToolMessage(result.content, tool_call_id=result.call.call_id, status="error" if result.error else "success")
            for result in done.results
        ]
    return messages


def raw_calls(message: BaseMessage, round_: int) -> list[ToolCall]:
    """Return the calls of a reply with their arguments as text, each with an id."""
    chunks = message.tool_call_chunks if isinstance(message, AIMessageChunk) else []
    written = [(chunk.get("id"), chunk.get("name"), chunk.get("args")) for chunk in chunks]
    if not written and isinstance(message, AIMessage):
        # A model that does not stream gives its calls read.
        written = [(call.get("id"), call["name"], json.dumps(call["args"])) for call in message.tool_calls]
        written += [(call.get("id"), call.get("name"), call.get("args")) for call in message.invalid_tool_calls]
    seen: set[str] = set()
    calls = []
    for number, (call_id, name, arguments) in enumerate(written, start=1):
        # Some servers give no id, or every call the same one.
        if not call_id or call_id in seen:
            call_id = f"call_{round_ + 1}_{number}"
        seen.add(call_id)
        calls.append(ToolCall(call_id=call_id, name=name or "", arguments=arguments))
    return calls


def _echo(result: ToolResult) -> Any:
    """Return a call as the model is shown it again: in a form that every server takes, however it was written."""
    call = result.call
    try:
        arguments = json.loads(call.arguments or "")
    except (json.JSONDecodeError, RecursionError):
        arguments = None
    if not isinstance(arguments, dict):
        arguments = {"malformed_arguments": (call.arguments or "")[:MAX_ECHO_CHARS]}
    return tool_call(name=_UNSAFE.sub("_", call.name)[:64] or "unnamed", args=arguments, id=call.call_id)


def provider_error(opened: ChatModel, error: Exception) -> ProviderError:
    """Return a provider's failure as an error of ours."""
    status = getattr(error, "status_code", None)
    told = str(error).splitlines()[0][:300] if str(error) else type(error).__name__
    name = opened.name
    if status in (408, 409, 429) or (isinstance(status, int) and status >= 500):
        return ProviderUnavailable(name, told)
    if status is None and any(word in type(error).__name__ for word in ("Connection", "Timeout", "Protocol")):
        return ProviderUnavailable(name, told)
    setting = "OPENAI_API_KEY" if status in (401, 403) else "CITEWELL_MODEL" if status == 404 else None
    return ProviderError(name, told, setting=setting)
