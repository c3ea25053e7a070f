"""The benchmark suite in small: what it makes up is the same everywhere, and every part of it runs."""

from __future__ import annotations

import asyncio

import numpy as np
import pytest
from citewell.evals.bench import kept, parts
from citewell.evals.bench.steps import LINE, measure_steps
from citewell.evals.bench.synthetic import GivenVectors, documents, passages, questions, vectors
from citewell.evals.bench.timing import figure_of, in_turns, machine
from citewell.retrievers.corpus import Corpus


def test_a_passage_is_the_same_whichever_others_are_made_with_it():
    assert passages(990, 20)[12] == passages(1_002, 1)[0]
    assert np.array_equal(vectors([7, 1_003])[1], vectors([1_003])[0])
    assert [len(passage.split()) for passage in passages(0, 3)] == [130, 130, 130]


def test_a_question_holds_words_of_its_passage():
    for query, number in questions(5, corpus=2_000):
        assert set(query.split()) <= set(passages(number, 1)[0].rstrip(".").split())


def test_a_chunk_of_a_document_is_given_the_vector_of_its_passage(tmp_path):
    with Corpus.open(tmp_path, embedder=GivenVectors()) as corpus:
        corpus.add(list(documents(0, 30)))
        assert (len(corpus), corpus.pending) == (30, 0)
        query, number = questions(1, corpus=30)[0]
        corpus._index.embedder = GivenVectors({query: vectors([number])[0]})
        best = corpus.search(query, mode="dense")[0]
        assert f"passage {number} " in corpus.read([best.chunk_id])[0].text


def test_figures_are_medians_in_the_unit_asked_for():
    rows = [(0.2, 0.1), (0.1, 0.1), (0.4, 0.1)]
    assert figure_of("p", "s", rows, unit="ms", each=2).value == pytest.approx(100)
    assert figure_of("p", "s", rows, unit="texts/s", each=2).value == pytest.approx(10)
    assert [figure.side for figure in in_turns("p", {"a": int, "b": str}, turns=1)] == ["a", "b"]
    assert machine()["cores"] >= 1


@pytest.mark.slow
def test_super_steps_are_measured_beside_bare_graphs(tmp_path):
    figures = asyncio.run(measure_steps(tmp_path, turns=1))
    assert [figure.side for figure in figures] == ["citewell", "LangGraph, our state", "LangGraph, bare"]
    assert len(LINE) == 8
    assert all(figure.value > 0 for figure in figures)


@pytest.mark.slow
def test_a_kept_corpus_is_built_further_and_measured(tmp_path, capsys):
    kept.build(tmp_path, 200)
    assert kept.resident_gb() > 0
    figures = {figure.part: figure for figure in kept.measure(tmp_path)}
    assert figures["recall@10"].value == 1.0
    assert figures["add"].value > 0
    assert kept._size(tmp_path) == 200


@pytest.mark.slow
def test_a_killed_index_is_finished_by_the_next_process(tmp_path):
    assert kept.killed_half_way(tmp_path, 1_000).value == 1_000


def test_the_stages_of_indexing_are_told_apart(tmp_path):
    assert [figure.part for figure in parts.index_stages(tmp_path, 20)] == [
        "index: texts, words",
        "index: vectors",
        "index: Chroma",
    ]
