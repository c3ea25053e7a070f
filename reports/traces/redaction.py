"""Keep secrets, and where wanted all texts, out of a trace."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

MASK = "[secret]"
MARGIN_CHARS = 8_000
# What looks like a secret, after the words of which one must stand in a text: most texts hold none of them, and a
# search for words is a hundred times faster than one for shapes.
_SHAPES = (
    (
        tuple(
            f"{prefix}{mark}"
            for prefix in ("sk", "pk", "rk", "tvly", "lsv2", "ghp", "gho", "xoxb", "hf")
            for mark in "-_"
        ),
        re.compile(r"\b(?:sk|pk|rk|tvly|lsv2|ghp|gho|xoxb|hf)[-_][A-Za-z0-9_\-]{8,}"),
    ),
    (("bearer",), re.compile(r"(?i:\bbearer\s+)[A-Za-z0-9._~+/\-]{8,}=*")),
    (
        ("key", "token", "password", "secret", "authorization"),
        re.compile(
            r"(?i:\b(?:api[-_ ]?key|token|password|secret|authorization)[\"']?\s*[:=]\s*[\"']?(?:bearer\s+|basic\s+)?)"
            r"[^\s\"',;&]{6,}"
        ),
    ),
    (("://",), re.compile(r"(?<=://)[^/\s:@]+:[^/\s@]+(?=@)")),
    (("-----begin",), re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)")),
)
_TEXT_KEYS = re.compile(
    r"^(?:input|output)\.value$|^llm\.(?:input|output)_messages|\.content$|\.arguments$|^mcp\.data$|^sdk\.data\."
)


@dataclass(frozen=True)
class Redaction:
    """What leaves the process in a trace.

    Attributes:
        secrets: Known values to mask wherever they stand, e.g. the keys of the environment.
        texts: Whether inputs, outputs and messages are kept; their length is told where they are not.
        max_chars: Longer texts are cut, with a note of what was left out.
    """

    secrets: tuple[str, ...] = field(default=(), repr=False)
    texts: bool = True
    max_chars: int = 20_000

    @classmethod
    def of(cls, secrets: Iterable[str | None], *, texts: bool = True) -> Redaction:
        """Collect known secrets; empty and very short ones are no secret."""
        return cls(
            secrets=tuple(sorted({each for each in secrets if each and len(each) >= 6}, key=len, reverse=True)),
            texts=texts,
        )

    def attributes(self, attributes: Mapping[str, Any]) -> dict[str, Any]:
        """Return attributes as they may be written."""
        return {key: self._value(key, value) for key, value in attributes.items()}

    def text(self, text: str) -> str:
        """Return a text without secrets and without code points that UTF-8 cannot hold."""
        for secret in self.secrets:
            text = text.replace(secret, MASK)
        folded = text.casefold()
        for words, shape in _SHAPES:
            if any(word in folded for word in words):
                text = shape.sub(MASK, text)
        return text.encode("utf-8", "replace").decode().replace("\0", "")

    def _value(self, key: str, value: Any) -> Any:
        if isinstance(value, str):
            if not self.texts and _TEXT_KEYS.search(key):
                return f"[{len(value)} characters not kept]"
            # Of a long text so much is searched that no secret is cut in two where it ends.
            looked_at = self.max_chars + MARGIN_CHARS
            text = self.text(value[:looked_at])
            left = max(0, len(text) - self.max_chars) + max(0, len(value) - looked_at)
            return f"{text[: self.max_chars]}… [{left} more characters]" if left > 0 else text
        if isinstance(value, list | tuple):
            return [self._value(key, each) for each in value]
        return value
