"""The hybrid index: one order whatever the engine, the build or the process."""

from __future__ import annotations

import math
import random
import shutil

import numpy as np
import pytest
from citewell.errors import CorpusError, EmbeddingMismatch, RetrievalUnavailable
from citewell.retrievers.dense import VectorFile, nearest
from citewell.retrievers.hybrid import HybridIndex
from citewell.retrievers.hybrid_dense import DenseSide
from citewell.retrievers.hybrid_store import HybridStore
from citewell.retrievers.sparse import EVERYTHING, K1, B, MemorySparse
from citewell.retrievers.sparse_tantivy import margin
from citewell.text.words import analyse
from hashed_embedder import HashedEmbedder

ENGINES = ("memory", "tantivy")
QUERIES = ["crate in bay 31", "zebra", "shared crate"]


def rows(count: int = 300) -> list[tuple[str, str]]:
    return [(f"s{n % 5}:{n}", f"Shared crate {n % 7} stands in bay {n}, aisle {n % 11}.") for n in range(count)]


@pytest.fixture(params=ENGINES)
def engine(request):
    return request.param


def test_bm25_agrees_with_the_formula_worked_by_hand():
    index = MemorySparse()
    index.add([("a", ["pump", "pump", "valve"]), ("b", ["valve"]), ("c", ["gate", "dam"])])
    mean_length = 6 / 3
    idf = math.log(1 + (3 - 1 + 0.5) / (1 + 0.5))
    expected = idf * 2 * (K1 + 1) / (2 + K1 * (1 - B + B * 3 / mean_length))
    assert index.search(["pump"], k=5) == [("a", pytest.approx(expected))]


def test_a_term_in_half_of_the_rows_scores_above_zero():
    index = MemorySparse()
    index.add([("a", ["tide"]), ("b", ["pier"])])
    assert index.search(["tide"], k=5)[0][1] > 0


def test_an_empty_index_finds_nothing(tmp_path, engine):
    index = HybridIndex(tmp_path / "i", HashedEmbedder(), sparse=engine)
    assert index.search(["anything"]) == [[]]
    assert not (tmp_path / "i").exists()


def test_both_sparse_engines_give_the_same_hits_to_the_last_bit(tmp_path):
    found = []
    for engine in ENGINES:
        index = HybridIndex(tmp_path / engine, HashedEmbedder(), sparse=engine)
        index.upsert(rows())
        index.upsert([("s0:0", "A zebra took its place.")])
        index.delete(["s1:1"])
        found.append([index.search(QUERIES, k=20, mode=mode) for mode in ("hybrid", "sparse", "dense")])
        index.close()
    assert found[0] == found[1]


def test_order_does_not_depend_on_how_the_index_was_built(tmp_path, engine):
    shuffled = rows()
    random.Random(7).shuffle(shuffled)
    one, other = (HybridIndex(tmp_path / name, HashedEmbedder(), sparse=engine) for name in "ab")
    one.upsert(rows())
    for at in range(0, len(shuffled), 37):
        other.upsert(shuffled[at : at + 37])
    other.upsert([("s9:9", "crate to leave")])
    other.delete(["s9:9"])
    assert one.search(QUERIES, k=25) == other.search(QUERIES, k=25)


def test_more_hits_than_rows_may_be_asked_for(tmp_path, engine):
    index = HybridIndex(tmp_path, HashedEmbedder(), sparse=engine)
    index.upsert([("a:0", "One sentence.")])
    assert [hit.chunk_id for hit in index.search(["sentence"], k=50)[0]] == ["a:0"]


def test_every_hit_explains_its_place(tmp_path):
    index = HybridIndex(tmp_path, HashedEmbedder())
    index.upsert(rows())
    hits = index.search(["crate in bay 31"], k=10)[0]
    assert [hit.rank for hit in hits] == list(range(1, 11))
    first = hits[0]
    assert (first.chunk_id, first.rank_sparse) == ("s1:31", 1)
    assert first.rank_dense is not None
    assert first.score_fused == pytest.approx(1 / 61 + 1 / (60 + first.rank_dense))
    assert 0.5 < first.score <= 1


def test_rrf_orders_by_ranks_alone(tmp_path):
    index = HybridIndex(tmp_path, HashedEmbedder())
    index.upsert(rows())
    hits = index.search(["crate in bay 31"], k=30, fusion="rrf")[0]
    assert all(hit.score == hit.score_fused for hit in hits)


def test_scope_and_boost_choose_by_source(tmp_path, engine):
    index = HybridIndex(tmp_path, HashedEmbedder(), sparse=engine)
    index.upsert(rows())
    inside = index.search(["shared crate"], k=50, groups=["s3"])[0]
    assert inside
    assert {hit.chunk_id.partition(":")[0] for hit in inside} == {"s3"}
    boosted = index.search(["shared crate"], k=5, boosts=[{"s4": 1.0}])[0]
    assert {hit.chunk_id.partition(":")[0] for hit in boosted} == {"s4"}
    two = index.search(["shared crate"], k=9, allowed=["s0:5", "s1:6"])[0]
    assert {hit.chunk_id for hit in two} == {"s0:5", "s1:6"}


def test_another_process_sees_rows_that_came_after_it_opened(tmp_path, engine):
    one, other = (HybridIndex(tmp_path, HashedEmbedder(), sparse=engine) for _ in range(2))
    one.upsert(rows(20))
    assert other.search(["zebra"], mode="sparse") == [[]]
    one.upsert([("z:0", "A zebra crosses.")])
    assert [hit.chunk_id for hit in other.search(["zebra"], k=1)[0]] == ["z:0"]
    one.delete(["z:0"])
    assert other.search(["zebra"], mode="sparse") == [[]]


def test_a_deleted_sparse_folder_is_built_again_from_the_database(tmp_path):
    index = HybridIndex(tmp_path, HashedEmbedder(), sparse="tantivy")
    index.upsert(rows(50))
    before = index.search(QUERIES)
    index.close()
    shutil.rmtree(tmp_path / "tantivy")
    assert HybridIndex(tmp_path, HashedEmbedder(), sparse="tantivy").search(QUERIES) == before


def test_without_the_model_the_words_answer_and_the_index_says_so(tmp_path):
    embedder = HashedEmbedder()
    index = HybridIndex(tmp_path, embedder)
    embedder.broken = True
    index.upsert(rows(30))
    hits = index.search(["bay 17"], k=1)[0]
    assert (hits[0].chunk_id, hits[0].score_dense) == ("s2:17", None)
    assert "sparse search alone answers" in index.degraded
    assert index.pending == 30
    with pytest.raises(RetrievalUnavailable):
        HybridIndex(tmp_path, None).embed(["text"])


def test_another_embedding_model_is_noticed_and_may_have_vectors_of_its_own(tmp_path):
    index = HybridIndex(tmp_path, HashedEmbedder("first"))
    index.upsert(rows(10))
    index.close()
    with pytest.raises(EmbeddingMismatch, match="reembed"):
        HybridIndex(tmp_path, HashedEmbedder("second", 24))
    second = HybridIndex(tmp_path, HashedEmbedder("second", 24), reembed=True)
    assert second.pending == 10
    ids, _ = second.unembedded(100)
    second.add_vectors(ids, second.embed([dict(rows(10))[row_id] for row_id in ids]))
    assert second.pending == 0
    assert HybridIndex(tmp_path, HashedEmbedder("first")).pending == 0


def test_beyond_the_exact_size_chroma_proposes_and_the_index_says_so(tmp_path):
    embedder = HashedEmbedder()
    index = HybridIndex(tmp_path, embedder)
    index.upsert(rows(200))
    exact = index.search(["crate in bay 31"], k=5, mode="dense")[0]
    index.close()
    side = DenseSide(HybridStore(tmp_path), embedder.name, exact_up_to=100)
    found = side.search(embedder.embed(["crate in bay 31"]), k=5, scope=EVERYTHING)[0]
    assert "approximate over 200 passages" in side.approximate
    assert found[0] == (exact[0].chunk_id, exact[0].score)


def test_what_chroma_lacks_is_ranked_exactly_beside_what_it_proposes(tmp_path):
    embedder = HashedEmbedder()
    index = HybridIndex(tmp_path, embedder)
    index.upsert(rows(400))
    index.flush()
    index.upsert([("late:0", "crate in bay 31, added later")])
    index.delete(["s1:31"])
    index.follow()  # two of four hundred: too few to write them
    side = DenseSide(HybridStore(tmp_path), embedder.name, exact_up_to=100)
    assert side.unflushed == 2
    found = side.search(embedder.embed(["crate in bay 31, added later"]), k=5, scope=EVERYTHING)[0]
    assert found[0][0] == "late:0"
    assert "s1:31" not in dict(found)
    index.upsert([(f"late:{n}", f"one more crate {n}") for n in range(1, 5)])
    index.follow()
    assert side.unflushed == 0


def test_the_number_of_vectors_is_known_after_every_kind_of_change(tmp_path):
    embedder = HashedEmbedder()
    index = HybridIndex(tmp_path, embedder)
    store = HybridStore(tmp_path)

    def counted():
        with store._db.read() as sql:
            return sql.execute("SELECT count(*) FROM vectors").fetchone()[0]

    index.upsert(rows(30))
    index.upsert(rows(10))
    index.delete(["s0:0", "nowhere:1"])
    index.add_vectors(["s1:1", "s2:2"], embedder.embed(["one", "two"]))
    assert store.vectors_of(embedder.name).count() == counted() == 29
    assert index.pending == 0


def test_a_vector_file_is_written_anew_without_the_places_of_rows_that_left(tmp_path, monkeypatch):
    monkeypatch.setattr("citewell.retrievers.hybrid_dense.COMPACT_FROM", 20)
    embedder = HashedEmbedder()
    index = HybridIndex(tmp_path, embedder)
    index.upsert(rows(60))
    index.delete([row_id for row_id, _ in rows(60)[:40]])
    before = index.search(QUERIES, mode="dense")
    index.flush()
    (file,) = tmp_path.glob("vectors-*.f32")
    assert file.stat().st_size == 20 * embedder.dim * 4
    assert index.search(QUERIES, mode="dense") == before
    assert HybridIndex(tmp_path, embedder).search(QUERIES, mode="dense") == before


def test_single_rows_of_a_vector_file_are_read_in_the_order_asked_for(tmp_path):
    file = VectorFile(tmp_path / "v.f32", 4)
    held = np.arange(40, dtype=np.float32).reshape(10, 4)
    file.append(held, at=0)
    assert np.array_equal(file.take([7, 2, 3, 4, 0]), held[[7, 2, 3, 4, 0]])
    assert file.take([]).shape == (0, 4)
    with pytest.raises(CorpusError, match="cut short"):
        file.take([9, 10])


def test_chroma_holds_ids_and_vectors_and_no_text(tmp_path):
    index = HybridIndex(tmp_path, HashedEmbedder())
    index.upsert([("a:0", "Unmistakable wording")])
    index.flush()
    side = DenseSide(HybridStore(tmp_path), "hashed")
    assert side._chroma.store.count() == 1
    assert np.allclose(side._chroma.store.vectors(["a:0"])["a:0"], HashedEmbedder().embed(["Unmistakable wording"])[0])
    assert not any(b"nmistakable" in file.read_bytes() for file in (tmp_path / "chroma").rglob("*") if file.is_file())


def test_a_purged_row_leaves_every_file(tmp_path):
    index = HybridIndex(tmp_path, HashedEmbedder())
    index.upsert([("a:0", "quixotry"), ("b:0", "something else")])
    index.delete(["a:0"], purge=True)
    stems = [term.encode() for term in analyse("quixotry")]
    files = [file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()]
    assert not any(stem in content for content in files for stem in stems)


def test_exact_ranking_agrees_with_a_plain_sort():
    generator = np.random.default_rng(3)
    vectors = generator.normal(size=(500, 32)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    vectors[100:110] = vectors[0]
    ids = [f"c{n:03d}" for n in range(500)]
    query = vectors[:1]
    found = nearest(vectors, np.arange(500), ids, query, k=20)[0]
    plain = sorted(
        zip(vectors.astype(float) @ query[0].astype(float), ids, strict=True), key=lambda p: (-round(p[0], 9), p[1])
    )
    assert [row for row, _ in found] == [row for _, row in plain[:20]]
    assert [row for row, _ in found[:11]] == ["c000", *(f"c{n}" for n in range(100, 110))]


def test_tantivy_proposes_until_no_row_left_out_can_belong_to_the_best(tmp_path):
    generator = random.Random(4)
    words = [f"w{n}" for n in range(300)]
    weights = [1 / (n + 1) for n in range(300)]
    texts = [
        (f"s:{n}", " ".join(generator.choices(words, weights, k=generator.choice([6, 20, 60, 200]))))
        for n in range(3_000)
    ]
    index = HybridIndex(tmp_path, None, sparse="tantivy")
    memory = MemorySparse()
    index.upsert(texts)
    memory.add((row_id, analyse(text)) for row_id, text in texts)
    for query in ("w0 w7", "w3 w40 w200", "w12 w12 w1", "w0"):
        terms = analyse(query)
        assert index._sparse.search(terms, k=10) == memory.search(terms, k=10)


def test_the_margin_of_a_long_row_is_larger_and_that_of_the_mean_row_is_drift_alone():
    # (1 + 1.2 * (0.25 + 0.75 * 2)) / (1 + 1.2 * (0.5 + 0.5 * 2)) = 3.1 / 2.8
    assert margin(2.0) == pytest.approx(1.02 * 3.1 / 2.8)
    assert margin(0.3) == margin(1.0) == pytest.approx(1.02)
