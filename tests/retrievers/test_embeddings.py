"""Embeddings: one vector per text whatever is beside it, no token lost, every row accounted for."""

from __future__ import annotations

import numpy as np
import pytest
from citewell.errors import EmbeddingMismatch, ProviderError, ProviderUnavailable, UsageError
from citewell.retrievers.embeddings import (
    MINILM_WINDOW,
    LangChainEmbedder,
    MiniLM,
    as_embedder,
    bundled,
    load_embedder,
    windows,
)
from citewell.settings import Environment, Settings
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.embeddings import Embeddings

LONG = "The harbour crane lifts steel. " * 120


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


def test_a_vector_does_not_depend_on_its_neighbours():
    texts = ["A pump.", LONG, "The tidal barrier opens at noon."]
    together = bundled().embed(texts)
    assert together.shape == (3, 384)
    assert together.dtype == np.float32
    assert np.array_equal(together, np.vstack([bundled().embed([text]) for text in texts]))
    assert np.allclose(np.linalg.norm(together, axis=1), 1)


def test_near_meanings_are_near():
    barrier, tide, tax = bundled().embed(
        ["The barrier opens at noon.", "The gate is opened at midday.", "Tax rates rose."]
    )
    assert barrier @ tide > barrier @ tax


def test_the_end_of_a_long_text_counts():
    plain, other = bundled().embed([LONG + "A zebra crosses the road.", LONG + "Tax rates rose in spring."])
    assert not np.allclose(plain, other)


@pytest.mark.parametrize("text", ["", " ", "\ud800 lone", "x" * 5000, "[SEP] [CLS] <|endoftext|>"])
def test_any_text_gives_a_unit_vector(text):
    assert np.linalg.norm(bundled().embed([text])[0]) == pytest.approx(1, abs=1e-5)


def test_no_text_gives_no_row():
    assert bundled().embed([]).shape == (0, 384)


def test_a_damaged_model_file_is_named(tmp_path):
    (tmp_path / "model.onnx").write_bytes(b"not a model")
    with pytest.raises(ProviderError, match="damaged"):
        MiniLM(tmp_path / "model.onnx").embed(["text"])


@given(st.lists(st.booleans(), max_size=1200), st.integers(16, 254))
def test_windows_hold_every_word_piece_once_in_order(continues, limit):
    ids = list(range(len(continues)))
    cut = list(windows(ids, continues, limit))
    assert [piece for window in cut for piece in window] == ids
    assert all(len(window) <= limit for window in cut)
    assert len(cut) == max(1, -(-len(ids) // limit))


def test_windows_are_of_nearly_one_length():
    cut = list(windows(list(range(600)), [False] * 600, MINILM_WINDOW))
    assert [len(window) for window in cut] == [200, 200, 200]


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
