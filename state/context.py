"""What a run may be told from outside: the run context that a caller or Studio sets."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from ..settings import Settings, for_nodes
from .episodes import DEFAULT_USER


class ResearchContext(Settings):
    """The settings of one run, and where its question is looked up when it comes without sources of its own.

    Only the settings that are given count; the others keep the deployment's value.  With the sources set, an assistant
    of the server answers questions that are nothing but text.
    """

    user: str = Field(
        default=DEFAULT_USER,
        min_length=1,
        description="Whose earlier runs are recalled, and who is to recall this one; the exact name.",
        json_schema_extra=for_nodes("intake", "planner", "publisher"),
    )
    docs: tuple[str, ...] = Field(
        default=(),
        description="Files and folders to read where the question comes without sources.",
        json_schema_extra=for_nodes("intake"),
    )
    urls: tuple[str, ...] = Field(
        default=(),
        description="Pages to read where the question comes without sources.",
        json_schema_extra=for_nodes("intake"),
    )
    web: bool = Field(
        default=False,
        description="Search the web where the question comes without sources.",
        json_schema_extra=for_nodes("intake"),
    )
    corpus: str = Field(
        default="",
        description="Folder of a kept corpus to read where the question comes without sources.",
        json_schema_extra=for_nodes("intake"),
    )

    @property
    def sources(self) -> dict[str, Any]:
        """The sources as the input of a run takes them."""
        return {"docs": list(self.docs), "urls": list(self.urls), "web": self.web, "corpus": self.corpus}
