"""Which sources a search may look at: by path, kind, date or name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from fnmatch import fnmatchcase
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ..errors import UsageError


class Where(BaseModel):
    """A filter over sources; every condition given must hold."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    path: str | tuple[str, ...] = Field(default=(), description="Glob over the uri, e.g. `2023/*.pdf`; any of several.")
    kind: Literal["web", "file", "document", "memory", "graph"] | None = None
    since: date | None = Field(default=None, description="Dated on this day or later; an undated source is left out.")
    until: date | None = Field(default=None, description="Dated on this day or earlier.")
    uris: tuple[str, ...] | None = Field(default=None, description="Only these sources.")
    metadata: dict[str, Any] = Field(default_factory=dict, description="Values that the source's metadata must hold.")

    @classmethod
    def of(cls, where: Where | Mapping[str, Any]) -> Where:
        """Return a filter from plain values.  Raises: UsageError naming what is wrong."""
        if isinstance(where, Where):
            return where
        try:
            return cls.model_validate(dict(where))
        except ValidationError as error:
            wrong = "; ".join(f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in error.errors())
            raise UsageError(f"filter: {wrong}") from error

    def admits(self, uri: str, kind: str, published: str, metadata: Mapping[str, Any]) -> bool:
        """Tell whether a source may be searched.

        Args:
            published: ISO 8601, empty where unknown; then a `date` in the metadata stands for it.
        """
        globs: Sequence[str] = (self.path,) if isinstance(self.path, str) else self.path
        if globs and not any(fnmatchcase(uri, glob) for glob in globs):
            return False
        if self.kind is not None and kind != self.kind:
            return False
        if self.uris is not None and uri not in self.uris:
            return False
        if any(metadata.get(key) != value for key, value in self.metadata.items()):
            return False
        return self._in_time(published or str(metadata.get("date", "")))

    def _in_time(self, stated: str) -> bool:
        if self.since is None and self.until is None:
            return True
        try:
            day = datetime.fromisoformat(stated).date()
        except ValueError:
            return False
        return (self.since is None or day >= self.since) and (self.until is None or day <= self.until)
