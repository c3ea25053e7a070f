"""Ask the research graph, or take a thread of it up: what the command line and the Python API call."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4
from weakref import WeakKeyDictionary

from langgraph.graph import StateGraph
from langgraph.types import Command

from ..errors import UsageError
from ..nodes.services import Services
from ..settings import Environment, Settings, load_settings
from ..state.records import Report
from ..state.research import as_list
from .false_start import is_false_start, refuse_without_corpus, refuse_without_files, refuse_without_web
from .following import OnEvent, Workflow, follow
from .research import build_research_graph, recursion_limit
from .threads import afind_thread
from .wiring import default_services
from .without_loop import run

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

_GRAPHS: WeakKeyDictionary[Services, StateGraph[Any, Any, Any, Any]] = WeakKeyDictionary()


async def aresearch(
    question: str,
    *,
    docs: str | Path | Sequence[str | Path] = (),
    urls: str | Sequence[str] = (),
    web: bool = False,
    corpus: str | Path | None = None,
    thread_id: str | None = None,
    user: str = "",
    settings: Settings | None = None,
    environment: Environment | None = None,
    chat_model: BaseChatModel | None = None,
    services: Services | None = None,
    on_event: OnEvent | None = None,
    **overrides: Any,
) -> Report:
    """Answer a question from files, pages, a kept corpus or the web.

    Args:
        question: In any language.  On a known thread it may lean on what was asked before.
        docs: Files and folders, or one of them.
        urls: Pages, http or https, or one of them.
        web: Whether to search the web too.
        corpus: Folder of a kept corpus.
        thread_id: Continues or names a thread; a new one is made where it is missing.
        user: Whose earlier runs are recalled, and who is to recall this one; `default` where empty.
        settings: Replaces what environment and `citewell.toml` say.
        environment: Keys, addresses and the home folder.
        chat_model: A LangChain chat model of your own, asked wherever `node_models` names none.
        services: Hands in other parts, e.g. in a test.
        on_event: Gets every event of the run (`citewell.state.events`).
        overrides: Single settings, e.g. `max_repairs=0`.
    Returns: The report; a failed run has one too, with status `failed`.
    Raises: UsageError for a bad setting, an empty question, no source or no file in them, an unknown thread without
        sources, and where another process is working on the thread; PlanPending where `approve_plan` or `ask_sources`
        is set and a person is needed.
    """
    services = services or _services(settings, environment, overrides, chat_model)
    if not question.strip():
        raise UsageError("the question is empty")
    docs, urls = as_list(docs), as_list(urls)
    sources = {"docs": docs, "urls": urls, "web": web, "corpus": str(corpus or "")}
    named = any(sources.values())
    may_ask = services.settings.ask_sources or services.settings.kg
    if not named and thread_id is None and not may_ask:
        raise UsageError("no source given: name files or folders, URLs, a kept corpus, or allow the web")
    if corpus and not (docs or urls or web or may_ask):
        await asyncio.to_thread(refuse_without_corpus, corpus)
    if web and not (docs or urls or corpus or may_ask):
        refuse_without_web(services)
    if docs and not (urls or web or corpus or may_ask):
        await refuse_without_files(docs)
    if thread_id is not None and not named and not may_ask:
        await afind_thread(thread_id, services.environment)
    thread = thread_id or _new_thread(question, sources, services.settings, user)
    given: dict[str, Any] = {"question": question, **(sources if named else {})}
    return await _run(given, thread, services, on_event, user)


async def aresume(
    thread_id: str,
    *,
    decision: dict[str, Any] | None = None,
    settings: Settings | None = None,
    environment: Environment | None = None,
    chat_model: BaseChatModel | None = None,
    services: Services | None = None,
    on_event: OnEvent | None = None,
    **overrides: Any,
) -> Report:
    """Take up a thread that was interrupted or waits for approval; a finished one returns its last report.

    Args:
        decision: The reply to a waiting plan, `{"action": "approve" | "edit" | "reject", "queries": […], "reason": …}`,
            or to the question where to look, `{"docs": […], "urls": […], "corpus": …, "web": …}`.
    Raises: UsageError where there is no such thread; PlanPending where a decision is needed and none is given.
    """
    services = services or _services(settings, environment, overrides, chat_model)
    return await _run(Command(resume=decision) if decision else None, thread_id, services, on_event)


def research(question: str, **options: Any) -> Report:
    """Answer a question; see `aresearch`, whose arguments it takes."""
    return run(aresearch(question, **options), lasting=options.get("chat_model") is not None)


def resume(thread_id: str, **options: Any) -> Report:
    """Take up a thread; see `aresume`, whose arguments it takes."""
    return run(aresume(thread_id, **options), lasting=options.get("chat_model") is not None)


def _services(
    settings: Settings | None,
    environment: Environment | None,
    overrides: dict[str, Any],
    chat_model: BaseChatModel | None,
) -> Services:
    if settings is None:
        settings = load_settings(overrides)
    elif overrides:
        settings = load_settings(settings.model_dump(exclude_unset=True) | overrides, env={})
    return default_services(settings, environment, chat_model=chat_model)


def _new_thread(question: str, sources: dict[str, Any], settings: Settings, user: str = "") -> str:
    if settings.fixed_time is None:
        return uuid4().hex[:12]
    asked = (question, sorted(sources.items()), settings.fixed_time, *([user] if user else []))
    return sha256(repr(asked).encode()).hexdigest()[:12]


async def _run(given: Any, thread_id: str, services: Services, on_event: OnEvent | None, user: str = "") -> Report:
    settings, environment = services.settings, services.environment
    limit = settings.recursion_limit or recursion_limit(settings.max_iterations, settings.max_repairs)
    # Reading the annotations of the graph's state takes longer than a step: once for the services of a process.
    graph = _GRAPHS.get(services) or _GRAPHS.setdefault(services, build_research_graph(services))
    workflow = Workflow("research", graph, limit, forget=is_false_start)
    values = await follow(
        workflow, given, thread_id, settings=settings, environment=environment, on_event=on_event, user=user
    )
    return Report.model_validate(values["report"])
