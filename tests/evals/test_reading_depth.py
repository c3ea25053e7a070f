"""How far down what is needed lies is counted in the order in which a round reads."""

from __future__ import annotations

from citewell.evals.reading_depth import depths
from citewell.retrievers.corpus import Corpus
from citewell.settings import Environment
from citewell.state.records import Document
from hashed_embedder import HashedEmbedder


def test_the_first_passage_of_a_gold_document_counts_with_all_that_is_read_before_it(tmp_path):
    texts = {
        "kelm": "The head count at the Kelm site was 140 in 2022.",
        "mill": "The head count at the mill was 60.",
        "canteen": "The canteen serves soup.",
    }
    with Corpus.open(tmp_path / "c", environment=Environment(), embedder=HashedEmbedder()) as corpus:
        corpus.add([Document(uri=uri, text=text) for uri, text in texts.items()])
        found, total = depths(corpus, "What was the head count at the Kelm site in 2022?", ["kelm", "gone"], 10)
    assert found == [len(texts["kelm"])]
    assert total == sum(map(len, texts.values()))
