"""Which parts a deployment gets: the stores, engines and providers behind the ports of the steps."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING

from ..nodes.services import Run, Services
from ..reasoners.protocol import Reasoner
from ..retrievers.corpora import CorpusShelf
from ..settings import Environment, Settings, load_settings
from ..state.harness import load_harness
from .dataroom import dataroom_services
from .graph_shelf import GraphShelf, graph_path

if TYPE_CHECKING:
    import numpy as np
    from langchain_core.language_models import BaseChatModel

    from ..reasoners.chat.reasoner import Ahead
    from ..retrievers.fetch import Fetcher
    from ..retrievers.web_search import WebSearch


def default_services(
    settings: Settings | None = None,
    environment: Environment | None = None,
    *,
    chat_model: BaseChatModel | None = None,
) -> Services:
    """Return the services of this process; settings and environment are read where they are not given.

    Where the sources hold exports, the policy of the default harness looks figures up in them and sets them against
    the narratives.

    Args:
        chat_model: A chat model of your own, asked wherever `node_models` names none.
    """
    base = base_services(settings, environment, chat_model=chat_model)
    # A dataroom answers for itself; only research may look beyond it.
    return replace(dataroom_services(base, load_harness()), graph_for=GraphShelf(graph_path(base.environment)).graph)


def base_services(
    settings: Settings | None = None,
    environment: Environment | None = None,
    *,
    chat_model: BaseChatModel | None = None,
) -> Services:
    """Return the services of this process without any policy."""
    environment = (environment or Environment.read()).with_chat_model(chat_model)
    return Services(
        settings=settings or load_settings(),
        environment=environment,
        shelf=CorpusShelf(environment),
        reasoner_for=reasoner_for,
        fetcher_for=lambda chosen: _fetcher(chosen, environment),
        web_search_for=lambda chosen: _web_search(chosen, environment),
    )


def reasoner_for(run: Run, node: str) -> Reasoner:
    """Return the engine of a run: extractive, or a chat model with the extractive one behind it."""
    from ..reasoners.embedded import EmbeddedReasoner
    from ..reasoners.support.judge import RuleJudge

    corpus = run.corpus

    async def embed(texts: list[str]) -> np.ndarray:
        assert corpus is not None
        return await asyncio.to_thread(corpus.embed, texts)

    if corpus is None or run.degraded:
        judge = RuleJudge(None)
        embedded = EmbeddedReasoner(None, judge)
    else:
        judge = RuleJudge(corpus.embed, remote=run.settings.embeddings != "minilm", known=run.verdicts)
        embedded = EmbeddedReasoner(embed, judge)
    if run.info.engine == "embedded":
        return embedded
    return _chat_reasoner(run, node, embedded, judge.foresee)


def _chat_reasoner(run: Run, node: str, embedded: Reasoner, ahead: Ahead) -> Reasoner:
    from ..reasoners.chat import chat_reasoner
    from ..reasoners.chat.asking import ChatRun

    shared = ChatRun(
        run_id=run.info.run_id,
        budget=run.budget,
        journal=run.journal,
        settings=run.settings,
        today=run.info.created_at.date(),
        note=run.fall_back,
        contacted=run.contacted,
    )
    return chat_reasoner(shared, node, embedded, run.environment, ahead)


def _fetcher(settings: Settings, environment: Environment) -> Fetcher:
    from ..retrievers.fetch import Fetcher

    return Fetcher.from_settings(settings, environment)


def _web_search(settings: Settings, environment: Environment) -> WebSearch | None:
    from ..retrievers.web_providers import web_search

    return web_search(settings, environment)
