"""Name what a model provider's library raises: what to change, whether asking again may work, what was too long."""

from __future__ import annotations

import re
from dataclasses import dataclass

from langchain_core.exceptions import (
    ContextOverflowError,
    ModelAuthenticationError,
    ModelConnectionError,
    ModelNotFoundError,
    ModelPermissionDeniedError,
    ModelRateLimitError,
    ModelRefusalError,
    ModelTimeoutError,
)

from ...errors import CitewellError, MalformedReply, ProviderError, ProviderUnavailable, ResearchError
from ...retrievers.politeness import retry_after_s

_OVERFLOW = re.compile(
    r"context[ _](?:length|window|size)|maximum context|max(?:imum)? (?:prompt|input) (?:length|tokens)|"
    r"too many tokens|(?:prompt|input) is too long|exceeds? the (?:available |model'?s )?(?:context|token limit)|"
    r"tokens? limit",
    re.I,
)
_WINDOW = re.compile(
    r"(?:maximum context length is|context window of|context size \(?|limit(?: is| of)?:?|at most|maximum of|> ?|"
    r"max(?:imum)?(?: is)?:?)\s*\(?(\d[\d,]{2,})",
    re.I,
)
_UNSUPPORTED = re.compile(
    r"response_format|json_schema|json_object|json mode|structured output|tool_choice|tools?\b|function|grammar|schema",
    re.I,
)
_OTHER_LOOP = re.compile(r"event loop is closed|different (?:event )?loop", re.I)
_TEMPERATURE = re.compile(r"temperature", re.I)


@dataclass(frozen=True)
class Place:
    """Where a call went: what its errors name.

    Attributes:
        provider: Name and model, e.g. `openai:gpt-4o-mini`.
        address: Its base URL, "" for the provider's own.
        key_setting: The variable that holds its key.
        address_setting: The variable that holds its address.
        name_setting: What names the model.
    """

    provider: str
    address: str = ""
    key_setting: str = "OPENAI_API_KEY"
    address_setting: str = "OPENAI_BASE_URL"
    name_setting: str = "CITEWELL_MODEL (--model)"


class PromptTooLong(ResearchError):
    """A prompt does not fit into a model's window.

    Attributes:
        window_tokens: The window the provider named, or None.
    """

    def __init__(self, provider: str, window_tokens: int | None) -> None:
        super().__init__(f"{provider}: the prompt does not fit into the model's window")
        self.window_tokens = window_tokens


class FormUnsupported(ResearchError):
    """A server does not know a way of asking for a shape.

    Attributes:
        sure: False where the refusal may have been a passing failure.
        temperature: True where it is the temperature that was refused.
    """

    def __init__(self, message: str, *, sure: bool, temperature: bool = False) -> None:
        super().__init__(message)
        self.sure, self.temperature = sure, temperature


def named(error: Exception, place: Place, step: str, *, structured: bool) -> CitewellError:
    """Return the error of our own that stands for what a library raised.

    Args:
        structured: Whether the call asked for a shape in some way, so that a refusal may mean that way.
    """
    status, text = status_of(error), " ".join(str(error).split())
    message = text[:300]
    if isinstance(error, ContextOverflowError) or (status in (400, 413, 422) and _OVERFLOW.search(text)):
        return PromptTooLong(place.provider, window_of(text))
    if isinstance(error, ModelRefusalError) or "content_filter" in text or "ContentFilter" in type(error).__name__:
        return MalformedReply(step, "the model refused to answer")
    if "LengthFinishReason" in type(error).__name__:
        return MalformedReply(step, "the reply was cut off at its token limit")
    if isinstance(error, ModelAuthenticationError | ModelPermissionDeniedError) or status in (401, 403):
        return ProviderError(place.provider, "the key was refused", setting=place.key_setting)
    if isinstance(error, ModelRateLimitError) or status == 429:
        if "insufficient_quota" in text:
            return ProviderError(place.provider, "the account's quota is used up", setting=place.key_setting)
        return ProviderUnavailable(place.provider, "too many requests (429)", retry_after_s=asked_wait_s(error))
    if isinstance(error, NotImplementedError | TypeError) and structured:
        return FormUnsupported(message, sure=True)
    if status in (400, 404, 405, 415, 422):
        return _refused(status, message, error, place, structured=structured)
    if status is not None and status >= 500:
        if structured and (status == 501 or _UNSUPPORTED.search(text)):
            return FormUnsupported(message, sure=status == 501)
        wait_s = asked_wait_s(error)
        return ProviderUnavailable(place.provider, f"failed with HTTP {status}", retry_after_s=wait_s)
    if isinstance(error, ModelTimeoutError | TimeoutError) or "Timeout" in type(error).__name__:
        return ProviderUnavailable(place.provider, "did not answer in time")
    if isinstance(error, ModelConnectionError) or "Connection" in type(error).__name__ or isinstance(error, OSError):
        at = f" at {place.address}" if place.address else ""
        unreachable = ProviderUnavailable(place.provider, f"cannot be reached{at} (check {place.address_setting})")
        unreachable.setting = place.address_setting
        return unreachable
    if _OTHER_LOOP.search(f"{error} {error.__cause__ or ''}"):
        # A connection of an earlier event loop; the next attempt opens one of this loop.
        return ProviderUnavailable(place.provider, "its connection belonged to an event loop that ended")
    if isinstance(error, ValueError):
        return ProviderUnavailable(place.provider, f"sent a broken answer: {message}")
    return ProviderError(place.provider, f"{type(error).__name__}: {message}", setting="CITEWELL_MODEL")


def _refused(status: int, message: str, error: Exception, place: Place, *, structured: bool) -> CitewellError:
    if _TEMPERATURE.search(message):
        return FormUnsupported(message, sure=True, temperature=True)
    unknown = isinstance(error, ModelNotFoundError) or status == 404
    if unknown and not (structured and _UNSUPPORTED.search(message) and "does not exist" not in message):
        told = f"the model or address is unknown: {message}"
        return ProviderError(place.provider, told, setting=f"{place.name_setting} and {place.address_setting}")
    if structured:
        return FormUnsupported(message, sure=True)
    return ProviderError(place.provider, f"refused the request: {message}", setting="CITEWELL_MODEL")


def status_of(error: BaseException) -> int | None:
    """Return the HTTP status of a library's error, None where it has none."""
    for holder in (error, getattr(error, "response", None)):
        status = getattr(holder, "status_code", None)
        if isinstance(status, int):
            return status
    return None


def asked_wait_s(error: Exception) -> float | None:
    """Return the seconds that the provider asked to wait."""
    headers = getattr(getattr(error, "response", None), "headers", None) or {}
    milliseconds = retry_after_s(headers.get("retry-after-ms"))
    return milliseconds / 1000 if milliseconds is not None else retry_after_s(headers.get("retry-after"))


def window_of(text: str) -> int | None:
    """Return the window in tokens that a refusal names, None where it names none."""
    found = [int(number.replace(",", "")) for number in _WINDOW.findall(text)]
    return min(found) if found else None
