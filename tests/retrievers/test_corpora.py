"""Corpora of the home follow the embedding model; a kept one of another model is refused."""

from __future__ import annotations

import pytest
from citewell.errors import EmbeddingMismatch
from citewell.retrievers.corpora import CorpusShelf
from citewell.settings import Environment, Settings
from citewell.state.records import Document
from hashed_embedder import HashedEmbedder


def test_only_a_corpus_of_the_home_is_embedded_again_for_another_model(tmp_path, monkeypatch):
    home, kept = tmp_path / "home" / "corpora" / "c", tmp_path / "kept"
    models = iter([HashedEmbedder("first")] * 2 + [HashedEmbedder("second")] * 2)
    monkeypatch.setattr("citewell.retrievers.corpus.load_embedder", lambda *_: next(models))
    for folder in (home, kept):
        corpus = CorpusShelf(Environment(home=tmp_path / "home")).open(folder, Settings())
        corpus.add([Document(uri="a", text="The pump stands in hall 4.")])
        corpus.close()
    shelf = CorpusShelf(Environment(home=tmp_path / "home"))
    again = shelf.open(home, Settings())
    assert again.pending == 1
    assert again.embed_pending() == 1
    assert again.search("pump", mode="dense")
    again.close()
    with pytest.raises(EmbeddingMismatch, match="--reembed"):
        shelf.open(kept, Settings())
