"""The retrieval measurement over a set made here, and its metrics by hand."""

from __future__ import annotations

import json
import math

import pytest
from citewell.evals.beir import RetrievalSet, ndcg, recall
from citewell.evals.kept_vectors import KeptVectors
from citewell.evals.retrieval import measure
from hashed_embedder import HashedEmbedder


def test_ndcg_by_hand():
    gold = {"a": 2.0, "b": 1.0}
    assert ndcg(["x", "a", "b"], gold) == pytest.approx((2 / math.log2(3) + 1 / 2) / (2 + 1 / math.log2(3)))
    assert (ndcg(["a", "b"], gold), ndcg(["x"], gold)) == (1.0, 0.0)


def test_recall_counts_gold_documents_in_the_first_k():
    assert recall(["a", "x", "b"], {"a": 1, "b": 1}, 2) == 0.5


@pytest.fixture
def folder(tmp_path):
    path = tmp_path / "tiny"
    path.mkdir()
    animals = ("zebra", "heron", "otter", "lynx", "badger")
    rows = [
        {"_id": f"d{n}", "title": animal, "text": f"The {animal} lives in bay {n}."} for n, animal in enumerate(animals)
    ]
    (path / "corpus.jsonl").write_text("\n".join(map(json.dumps, rows)))
    asked = [{"_id": f"q{n}", "text": f"where does the {animal} live"} for n, animal in enumerate(animals)]
    (path / "queries.jsonl").write_text("\n".join(map(json.dumps, [*asked, {"_id": "q9", "text": "no gold"}])))
    gold = [f"q{n}\td{n}\t1" for n in range(5)]
    (path / "qrels.tsv").write_text("\n".join(["query-id\tcorpus-id\tscore", *gold]))
    return path


def test_a_set_is_read_with_the_questions_that_have_gold(folder):
    data = RetrievalSet.read(folder)
    assert (len(data.documents), len(data.queries)) == (5, 5)


def test_every_named_animal_is_found_first(folder):
    figures = measure(folder, HashedEmbedder(), peer=True)
    assert figures["hybrid"]["nDCG@10"] == figures["sparse"]["nDCG@10"] == 1.0
    assert figures["ensemble"]["Recall@10"] == 1.0


def test_kept_vectors_are_computed_once(tmp_path):
    embedder = HashedEmbedder()
    kept = KeptVectors(embedder, tmp_path / "v.sqlite")
    first = kept.embed(["a pump", "a dam", "a pump"])
    again = KeptVectors(embedder, tmp_path / "v.sqlite")
    assert (again.embed(["a pump", "a dam", "a pump"]) == first).all()
    assert embedder.asked == 2
    kept.close()
    again.close()
