"""LangChain's OpenAI model, with requests sent as they were rendered and replies read as the JSON that they are.

The client's library holds each request and each reply against its types, and LangChain reads a reply in another
thread: more than half of what a call costs the processor, for a schema and a reply that are checked here anyway.
"""

from __future__ import annotations

from typing import Any

from langchain_core.callbacks import AsyncCallbackManagerForLLMRun
from langchain_core.messages import BaseMessage
from langchain_core.outputs import ChatResult
from langchain_openai import ChatOpenAI


class DirectChatOpenAI(ChatOpenAI):
    """Asks `/chat/completions`; errors are the client's own."""

    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        payload = self._get_request_payload(messages, stop=stop, **kwargs)
        payload |= payload.pop("extra_body", None) or {}
        reply = await self.root_async_client.post("/chat/completions", cast_to=object, body=payload)
        return self._create_chat_result(reply)
