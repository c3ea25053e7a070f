"""An OpenAI-compatible server on loopback whose replies a test scripts, spoken to by the real client over HTTP."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Literal

from servers.loopback import Asked, LoopbackServer, Reply

Mode = Literal["json_schema", "tool", "json_object", "plain"]


@dataclass(frozen=True)
class Prompted:
    """One chat request, read."""

    asked: Asked
    number: int

    @property
    def body(self) -> dict[str, Any]:
        """The request as sent."""
        return self.asked.json  # type: ignore[no-any-return]

    @property
    def text(self) -> str:
        """All that the messages say, joined."""
        return "\n\n".join(str(message.get("content") or "") for message in self.body["messages"])

    @property
    def tokens(self) -> int:
        """Prompt tokens as this server counts them: four characters each."""
        return math.ceil(len(json.dumps(self.body["messages"], ensure_ascii=False)) / 4)

    @property
    def mode(self) -> Mode:
        """How a structured answer is asked for."""
        kind = (self.body.get("response_format") or {}).get("type")
        if kind in ("json_schema", "json_object"):
            return kind  # type: ignore[no-any-return]
        return "tool" if self.body.get("tools") else "plain"

    @property
    def step(self) -> str:
        """The name of the asked schema: in the format, the tool choice, or the instructions of a plain request."""
        if self.mode == "json_schema":
            return str(self.body["response_format"]["json_schema"]["name"])
        if self.mode == "tool":
            return str(self.body["tools"][0]["function"]["name"])
        found = re.search(r'"title": ?"(\w+)"', self.text)
        return found[1] if found else ""


@dataclass(frozen=True)
class ToolCalls:
    """An assistant turn that calls tools: (name, arguments), the arguments an object or raw text."""

    calls: Sequence[tuple[str, Mapping[str, Any] | str]]
    content: str = ""


Thought = str | dict[str, Any] | ToolCalls | Reply
Think = Callable[[Prompted], Thought]


def refusal(status: int, message: str, code: str = "", **headers: str) -> Reply:
    """Return an error in the provider's form."""
    body = {"error": {"message": message, "type": "error", "code": code or None, "param": None}}
    return Reply.of(body, status, headers={name.replace("_", "-"): value for name, value in headers.items()})


class ChatServer(LoopbackServer):
    """Answers `/v1/chat/completions`, `/v1/embeddings` and `/v1/models`.

    A dict that `think` returns is sent in the form that was asked for, a string as the message, a Reply as it is.
    """

    def __init__(
        self,
        think: Think,
        *,
        delay_s: float = 0.0,
        window_tokens: int | None = None,
        refuses: Mapping[str, int] | None = None,
        key: str = "",
        models: Sequence[str] = ("gpt-4o-mini",),
        embedding_dim: int = 16,
        hang_s: float = 60.0,
    ) -> None:
        """Set up.

        Args:
            delay_s: Seconds before each chat reply.
            window_tokens: Prompts larger than this are refused as OpenAI refuses them.
            refuses: Status by mode (`json_schema`, `tool`, `json_object`, `temperature`) that is not supported.
            key: The only accepted key; every key where empty.
            models: Known model names; `*` knows all.
        """
        super().__init__(self._answer, hang_s=hang_s)
        self.think, self.delay_s, self.window_tokens = think, delay_s, window_tokens
        self.refuses, self.key, self.models = refuses or {}, key, models
        self.embedding_dim = embedding_dim
        self.prompts: list[Prompted] = []
        self.embed: Callable[[list[str]], list[list[float]] | Reply] = self._embed

    @property
    def base_url(self) -> str:
        """What `OPENAI_BASE_URL` is set to."""
        return f"{self.url}/v1"

    def steps(self) -> list[str]:
        """The schema names asked for, in order of arrival."""
        return [prompted.step for prompted in self.prompts]

    def _answer(self, asked: Asked) -> Reply:
        if self.key and asked.headers.get("authorization") != f"Bearer {self.key}":
            return refusal(401, "Incorrect API key provided.", "invalid_api_key")
        if asked.path == "/v1/models":
            return Reply.of({"object": "list", "data": [{"id": name, "object": "model"} for name in self.models]})
        if asked.path == "/v1/embeddings":
            return self._embeddings(asked)
        if asked.path != "/v1/chat/completions":
            return refusal(404, f"Unknown path {asked.path}")
        with self._lock:
            prompted = Prompted(asked, len(self.prompts) + 1)
            self.prompts.append(prompted)
        return self._chat(prompted)

    def _chat(self, prompted: Prompted) -> Reply:
        body = prompted.body
        if "*" not in self.models and body["model"] not in self.models:
            return refusal(404, f"The model `{body['model']}` does not exist", "model_not_found")
        if prompted.mode in self.refuses:
            return refusal(self.refuses[prompted.mode], f"{prompted.mode} is not supported")
        if "temperature" in self.refuses and "temperature" in body:
            return refusal(400, "Unsupported parameter: 'temperature' is not supported with this model.")
        if self.window_tokens is not None and prompted.tokens > self.window_tokens:
            limit = f"This model's maximum context length is {self.window_tokens} tokens."
            return refusal(400, f"{limit} Your messages resulted in {prompted.tokens}.", "context_length_exceeded")
        thought = self.think(prompted)
        if isinstance(thought, Reply):
            return thought
        message = _message(thought, prompted)
        if body.get("stream"):
            return Reply(headers={"content-type": "text/event-stream"}, pieces=_stream(message, prompted))
        return Reply.of(_completion(message, prompted), delay_s=self.delay_s)

    def _embeddings(self, asked: Asked) -> Reply:
        texts = asked.json["input"]
        rows = self.embed([texts] if isinstance(texts, str) else [str(text) for text in texts])
        if isinstance(rows, Reply):
            return rows
        data = [{"object": "embedding", "index": index, "embedding": row} for index, row in enumerate(rows)]
        usage = {"prompt_tokens": sum(len(str(text)) // 4 for text in texts), "total_tokens": 0}
        return Reply.of({"object": "list", "model": asked.json["model"], "data": data, "usage": usage})

    def _embed(self, texts: list[str]) -> list[list[float]]:
        """Return vectors that are near where texts share words."""
        return [_bag_of_words(text, self.embedding_dim) for text in texts]


def _bag_of_words(text: str, dim: int) -> list[float]:
    row = [0.0] * dim
    for word in re.findall(r"\w+", text.lower()):
        row[sha256(word.encode()).digest()[0] % dim] += 1.0
    length = math.sqrt(sum(value * value for value in row)) or 1.0
    return [value / length for value in row]


def _message(thought: str | dict[str, Any] | ToolCalls, prompted: Prompted) -> dict[str, Any]:
    if isinstance(thought, dict):
        if prompted.mode != "tool":
            return {"role": "assistant", "content": json.dumps(thought, ensure_ascii=False)}
        thought = ToolCalls([(prompted.step, thought)])
    if isinstance(thought, str):
        return {"role": "assistant", "content": thought}
    calls = [
        {
            "id": f"call_{prompted.number}_{index}",
            "type": "function",
            "function": {
                "name": name,
                "arguments": given if isinstance(given, str) else json.dumps(given, ensure_ascii=False),
            },
        }
        for index, (name, given) in enumerate(thought.calls)
    ]
    return {"role": "assistant", "content": thought.content or None, "tool_calls": calls}


def _usage(message: Mapping[str, Any], prompted: Prompted) -> dict[str, int]:
    completion = math.ceil(len(json.dumps(message, ensure_ascii=False)) / 4)
    total = prompted.tokens + completion
    return {"prompt_tokens": prompted.tokens, "completion_tokens": completion, "total_tokens": total}


def _completion(message: dict[str, Any], prompted: Prompted) -> dict[str, Any]:
    finish = "tool_calls" if message.get("tool_calls") else "stop"
    return {
        "id": f"chatcmpl-{prompted.number}",
        "object": "chat.completion",
        "created": 0,
        "model": prompted.body["model"],
        "choices": [{"index": 0, "message": message, "finish_reason": finish}],
        "usage": _usage(message, prompted),
    }


def _stream(message: dict[str, Any], prompted: Prompted) -> Iterator[bytes]:
    def event(delta: Mapping[str, Any], finish: str | None = None) -> bytes:
        choice = {"index": 0, "delta": delta, "finish_reason": finish}
        head = {"id": f"chatcmpl-{prompted.number}", "object": "chat.completion.chunk", "created": 0}
        line = json.dumps({**head, "model": prompted.body["model"], "choices": [choice]}, ensure_ascii=False)
        return f"data: {line}\n\n".encode()

    yield event({"role": "assistant", "content": ""})
    for word in re.findall(r"\S+\s*|\s+", message.get("content") or ""):
        yield event({"content": word})
    for index, call in enumerate(message.get("tool_calls") or ()):
        yield event({"tool_calls": [{"index": index, **call}]})
    yield event({}, "tool_calls" if message.get("tool_calls") else "stop")
    if (prompted.body.get("stream_options") or {}).get("include_usage"):
        tail = {"id": f"chatcmpl-{prompted.number}", "object": "chat.completion.chunk", "created": 0, "choices": []}
        tail |= {"model": prompted.body["model"], "usage": _usage(message, prompted)}
        yield f"data: {json.dumps(tail)}\n\n".encode()
    yield b"data: [DONE]\n\n"
