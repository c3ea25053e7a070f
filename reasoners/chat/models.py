"""Open the chat model that a setting names, in the form that its provider takes."""

from __future__ import annotations

import asyncio
import re
import threading
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit
from weakref import WeakKeyDictionary

from ...errors import ProviderError, UsageError
from ...settings import Environment, Settings
from ..beside import begin_when_sent
from .failures import Place
from .pricing import Price, price_of

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

_REASONING = re.compile(r"^(?:o\d|gpt-[5-9])(?!.*chat)|reason|think|deepseek-r|qwq|magistral", re.I)


@dataclass(frozen=True)
class ChatModel:
    """A LangChain chat model with what must be known to ask it.

    Attributes:
        name: `provider:name`.
        reasoning: It thinks before it answers: no temperature, and room for its thoughts.
        window_tokens: Prompt tokens it takes as far as its library knows; None where unknown.
        price: None where unknown.
    """

    name: str
    model: BaseChatModel
    place: Place
    reasoning: bool = False
    window_tokens: int | None = None
    price: Price | None = None
    _bounded: dict[tuple[int, bool], BaseChatModel] = field(default_factory=dict, compare=False, repr=False)
    _forms: dict[tuple[str, str], dict[str, Any]] = field(default_factory=dict, compare=False, repr=False)

    @property
    def key(self) -> str:
        """What its capabilities are remembered under."""
        return f"{self.name} {self.place.address}".strip()

    @property
    def host(self) -> str:
        """The host that calls go to; the provider's name where its library alone knows the host."""
        provider = self.name.partition(":")[0]
        return urlsplit(self.place.address).hostname or ("api.openai.com" if provider == "openai" else provider)

    def bounded(self, max_tokens: int, *, temperature: bool) -> BaseChatModel:
        """Return the model with a bound on its reply, and without a temperature where it takes none."""
        if (max_tokens, temperature) not in self._bounded:
            self._bounded[max_tokens, temperature] = self._bound(max_tokens, temperature)
        return self._bounded[max_tokens, temperature]

    def asking_for(self, shape: dict[str, Any], form: str) -> dict[str, Any] | None:
        """Return what asks for a shape beside the messages of a request; None where only the library can tell.

        Args:
            shape: A strict JSON schema with a title.
            form: `json_schema`, `function_calling` or `json_mode`.
        """
        if not self.direct:
            return None
        name = shape["title"]
        if (name, form) not in self._forms:
            self._forms[name, form] = self._asking_for(shape, form)
        return self._forms[name, form]

    @property
    def direct(self) -> bool:
        """Whether requests go out as they are."""
        return getattr(self.model, "use_responses_api", None) is False

    def _asking_for(self, shape: dict[str, Any], form: str) -> dict[str, Any]:
        if form == "json_mode":
            return {"response_format": {"type": "json_object"}}
        if form == "function_calling":
            model: Any = self.model
            bound = model.bind_tools([shape], tool_choice=shape["title"], parallel_tool_calls=False)
            return dict(bound.kwargs)
        schema = {key: value for key, value in shape.items() if key not in ("title", "description")}
        told = {"name": shape["title"], "description": shape.get("description", ""), "strict": True, "schema": schema}
        return {"response_format": {"type": "json_schema", "json_schema": told}}

    def _bound(self, max_tokens: int, temperature: bool) -> BaseChatModel:
        fields = type(self.model).model_fields
        changes: dict[str, Any] = {}
        compatible = self.place.address and "extra_body" in fields and "azure_endpoint" not in fields
        if "max_tokens" in fields:
            changes["max_tokens"] = None if compatible else max_tokens
        if compatible:
            # Compatible servers know the older name only, and some write without end where none is given.
            changes["extra_body"] = {**(getattr(self.model, "extra_body", None) or {}), "max_tokens": max_tokens}
        if not temperature and "temperature" in fields:
            changes["temperature"] = None
        return self.model.model_copy(update=changes) if changes else self.model


def wrapped(model: BaseChatModel, name: str = "") -> ChatModel:
    """Take any LangChain chat model as it is."""
    called = name or f"{model._llm_type}:{getattr(model, 'model_name', None) or getattr(model, 'model', 'model')}"
    profile = getattr(model, "profile", None) or {}
    place = Place(called, key_setting="the model's key", address_setting="the model's address")
    return ChatModel(called, model, place, window_tokens=profile.get("max_input_tokens"))


def handed_in(model: BaseChatModel) -> ChatModel:
    """Take a chat model that the caller made: named, priced and told apart by what it says of itself."""
    told = model._get_ls_params()
    called = f"{told.get('ls_provider') or model._llm_type}:{told.get('ls_model_name') or type(model).__name__}"
    addresses = (getattr(model, field, None) for field in _ADDRESSES)
    address = next((str(address) for address in addresses if address), "")
    place = Place(called, address, "the key of the model handed in", "its address", "the name of the model handed in")
    reasoning = bool(_REASONING.search(called.rpartition(":")[2].rpartition("/")[2]))
    return replace(wrapped(model, called), place=place, reasoning=reasoning, price=price_of(called, address))


_ADDRESSES = ("openai_api_base", "azure_endpoint", "base_url", "endpoint", "anthropic_api_url")
"""Where chat models of LangChain's packages keep their address."""


async def model_for(node: str, settings: Settings, environment: Environment) -> ChatModel:
    """Return whom a node asks: the model that `node_models` names for it, else the caller's, else that of `model`.

    Raises: UsageError for a name without a model, ProviderError where the provider's library or key is missing.
    """
    named = settings.node_models.get(node)
    if named is None and environment.chat_model is not None:
        return handed_in(environment.chat_model)
    return await open_model(named or settings.model, environment)


_OPEN: WeakKeyDictionary[asyncio.AbstractEventLoop, dict[tuple[Any, ...], ChatModel]] = WeakKeyDictionary()
_OPENING = threading.Lock()


async def open_model(name: str, environment: Environment) -> ChatModel:
    """Return the model of a setting, one per event loop: connections belong to the loop they were made in.

    The provider's library is imported and its certificates are read in a thread.

    Args:
        name: `provider:name`; a bare name is OpenAI's.
    Raises: UsageError for a name without a model, ProviderError where the provider's library or key is missing.
    """
    provider, _, model = name.partition(":") if ":" in name else ("openai", ":", name)
    if not model or not provider:
        raise UsageError(f"model: expected provider:name, e.g. openai:gpt-4o-mini, got {name!r}")
    key = (provider, model, environment.openai_base_url, environment.openai_api_key)
    loop = asyncio.get_running_loop()
    opened = _OPEN.get(loop, {}).get(key)
    if opened is None:
        opened = await asyncio.to_thread(_opened, key, environment, loop)
        await _close_with_loop(loop, opened)
    return opened


_CLOSING: WeakKeyDictionary[asyncio.AbstractEventLoop, dict[int, AsyncGenerator[None, None]]] = WeakKeyDictionary()


async def _close_with_loop(loop: asyncio.AbstractEventLoop, opened: ChatModel) -> None:
    """Have a model's connections, which stay open between calls, closed when its loop ends.

    A loop that ends as `asyncio.run` ends it first finishes the generators that are under way in it.
    """
    client = getattr(opened.model, "http_async_client", None)
    if client is None or id(client) in (closing := _CLOSING.setdefault(loop, {})):
        return

    async def closed() -> AsyncGenerator[None, None]:
        try:
            yield
        finally:
            await client.aclose()

    closing[id(client)] = closed()
    await anext(closing[id(client)])


def _opened(key: tuple[Any, ...], environment: Environment, loop: asyncio.AbstractEventLoop) -> ChatModel:
    provider, model, *_ = key
    with _OPENING:
        models = _OPEN.setdefault(loop, {})
        if key not in models:
            models[key] = _openai(model, environment) if provider == "openai" else _other(provider, model)
        return models[key]


def _openai(model: str, environment: Environment) -> ChatModel:
    name, address = f"openai:{model}", environment.openai_base_url or ""
    if not environment.openai_api_key and not address:
        raise ProviderError(name, "no key is set", setting="OPENAI_API_KEY, or OPENAI_BASE_URL for another server")
    from langchain_openai import ChatOpenAI
    from openai import DefaultAsyncHttpxClient

    from .direct import DirectChatOpenAI

    reasoning = bool(_REASONING.search(model.rpartition("/")[2]))
    kind = DirectChatOpenAI if address else ChatOpenAI
    client: Any = kind(
        model=model,
        api_key=environment.openai_api_key or "none",  # type: ignore[arg-type]
        base_url=address or None,
        temperature=None if reasoning else 0.0,
        max_retries=0,
        timeout=None,
        use_responses_api=False if address else None,
        http_async_client=DefaultAsyncHttpxClient(timeout=None, event_hooks={"request": [begin_when_sent]}),
    )
    profile = {} if address else (client.profile or {})
    if profile.get("temperature") is False:
        client = client.model_copy(update={"temperature": None})
    return ChatModel(
        name,
        client,
        Place(name, address),
        reasoning=reasoning,
        window_tokens=profile.get("max_input_tokens"),
        price=price_of(name, address),
    )


def _other(provider: str, model: str) -> ChatModel:
    try:
        from langchain.chat_models import init_chat_model
    except ImportError as error:
        told = f"models of {provider} need its LangChain package: pip install langchain langchain-{provider}"
        raise ProviderError(f"{provider}:{model}", told, setting="CITEWELL_MODEL") from error
    try:
        opened = init_chat_model(model, model_provider=provider)
    except Exception as error:  # Each provider's constructor raises its own errors for a missing key or package.
        told = " ".join(str(error).split())[:200]
        raise ProviderError(f"{provider}:{model}", told, setting="CITEWELL_MODEL or the provider's key") from error
    place = Place(f"{provider}:{model}", key_setting=f"{provider.upper()}_API_KEY", address_setting="the address")
    known = replace(wrapped(opened, f"{provider}:{model}"), place=place)
    return replace(known, price=price_of(known.name), reasoning=bool(_REASONING.search(model)))
