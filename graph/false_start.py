"""Questions that could not be begun: told at once where that can be seen, and no thread is left of the others."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ..errors import UsageError
from ..nodes.services import Services
from ..retrievers.corpora import holds_corpus
from ..retrievers.folder import named_path, refuse_empty
from ..state.records import Report


async def refuse_without_files(docs: Sequence[str | Path]) -> None:
    """Refuse sources that are nothing but folders without a file.

    A path that is not there is told by the run itself, beside its other sources.
    Raises: UsageError naming them, or the folder that cannot be read.
    """
    await asyncio.to_thread(_refuse_without_files, docs)


def refuse_without_corpus(corpus: str | Path) -> None:
    """Refuse a folder that holds no corpus as the only place to look.  Raises: UsageError."""
    if not holds_corpus(Path(corpus).expanduser()):
        raise UsageError(f"{corpus}: no such corpus; make it with `citewell index PATH --corpus {corpus}`")


def refuse_without_web(services: Services) -> None:
    """Refuse the web as the only place to look where nobody can be asked to search it.  Raises: UsageError."""
    if services.settings.offline:
        raise UsageError("the web is the only source given, and offline refuses every host")
    if services.web_search_for(services.settings) is None:
        raise UsageError("no web search is configured: set TAVILY_API_KEY or SEARXNG_URL, or name other sources")


def _refuse_without_files(docs: Sequence[str | Path]) -> None:
    paths = [named_path(doc) for doc in docs]
    if paths and all(path.is_dir() for path in paths):
        refuse_empty(paths)


def is_false_start(values: Mapping[str, Any]) -> bool:
    """Whether the first question of a thread failed over its input before anything was spent or anybody asked."""
    report = values.get("report")
    if not isinstance(report, Report) or report.status != "failed" or report.failed_with != UsageError.exit_code:
        return False
    earlier = sum(message.type == "ai" for message in values.get("messages", ())) > 1
    return not earlier and not report.hosts_contacted and not report.ledger.model_calls
