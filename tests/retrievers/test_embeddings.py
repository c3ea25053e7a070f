"""Hosted embeddings: batches within the provider's limits, every row accounted for, refusals that name a setting."""

from __future__ import annotations

import numpy as np
import pytest
from citewell.errors import EmbeddingMismatch, ProviderError, ProviderUnavailable, UsageError
from citewell.retrievers.embeddings import (
    LangChainEmbedder,
    as_embedder,
    bundled,
    load_embedder,
)
from citewell.settings import Environment, Settings
from langchain_core.embeddings import Embeddings


class Scripted(Embeddings):
    def __init__(self, lose: int = 0, error: Exception | None = None) -> None:
        self.batches: list[list[str]] = []
        self._lose, self._error = lose, error

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        self.batches.append(texts)
        if self._error:
            raise self._error
        return [[float(len(text)), 1.0] for text in texts][self._lose :]

    def embed_query(self, text: str) -> list[float]:
        return self.embed_documents([text])[0]


def test_langchain_embeddings_go_in_batches_of_96_cut_to_7000_characters():
    scripted = Scripted()
    rows = LangChainEmbedder(scripted, "scripted").embed(["x" * 9000, *["text"] * 199])
    assert sorted(len(batch) for batch in scripted.batches) == [8, 96, 96]
    assert max(len(text) for batch in scripted.batches for text in batch) == 7000
    assert rows.shape == (200, 2)
    assert np.allclose(np.linalg.norm(rows, axis=1), 1)


def test_a_missing_row_is_an_error():
    with pytest.raises(EmbeddingMismatch, match="2 texts"):
        LangChainEmbedder(Scripted(lose=1), "scripted").embed(["a", "b"])


def test_a_refusal_names_the_setting_and_a_throttle_may_be_tried_again():
    refused, throttled = RuntimeError("bad key"), RuntimeError("slow down")
    refused.status_code, throttled.status_code = 401, 429  # type: ignore[attr-defined]
    with pytest.raises(ProviderError, match="OPENAI_API_KEY"):
        LangChainEmbedder(Scripted(error=refused), "scripted").embed(["a"])
    with pytest.raises(ProviderUnavailable):
        LangChainEmbedder(Scripted(error=throttled), "scripted").embed(["a"])


def test_settings_choose_the_embedder():
    assert load_embedder(Settings(), Environment()) is bundled()
    hosted = Settings(embeddings="openai:text-embedding-3-small")
    with pytest.raises(ProviderError, match="no key"):
        load_embedder(hosted, Environment()).embed(["a"])
    offline = hosted.model_copy(update={"offline": True})
    with pytest.raises(ProviderError, match="offline"):
        load_embedder(offline, Environment(openai_api_key="k")).embed(["a"])
    with pytest.raises(UsageError, match="minilm"):
        load_embedder(Settings(embeddings="unheard-of"), Environment())


def test_langchain_embeddings_may_be_handed_in():
    assert as_embedder(Scripted()).name == "Scripted"
    assert as_embedder(bundled()) is bundled()
