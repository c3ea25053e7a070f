"""Chunks are exact, complete, bounded, and end where the text pauses."""

from __future__ import annotations

import time
from itertools import pairwise

import pytest
import regex
from citewell.retrievers.chunking import cut
from citewell.retrievers.parsers import Extraction, extract
from citewell.retrievers.parsers.extraction import TextBuilder
from citewell.state.records import chunk_id_of
from hypothesis import example, given, settings
from hypothesis import strategies as st

PIECES = st.sampled_from(
    [
        "word ",
        "Ein Satz. ",
        "\n",
        "\n\n",
        "条款三十天。",
        "e\u0301",
        " \u0301x",
        "👩‍👩‍👧",
        "🇩🇪",
        "🇫🇷🇮🇹",
        "x" * 70,
        "한국어 ",
        "Dr. Ito said no. ",
        "a\u200db",
    ]
)


def plain(text: str) -> Extraction:
    return extract(text.encode(), name="a.txt")


def document(parts: list[tuple[str, int | None]]) -> Extraction:
    builder = TextBuilder()
    for text, page in parts:
        builder.block(text, page=page)
    return Extraction(text=builder.text, blocks=tuple(builder.blocks))


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.tuples(st.lists(PIECES, max_size=40).map("".join), st.sampled_from([None, 1, 2])), max_size=6),
    st.integers(1, 120),
    st.integers(0, 80),
)
@example([("word  \u0301xword ", None)], 6, 2)
def test_chunks_are_exact_complete_and_bounded(parts, chars, overlap):
    extraction = document(sorted(parts, key=lambda part: part[1] or 0))
    chunks = cut(extraction, "u", chars=chars, overlap=overlap)
    text = extraction.text
    edges = {0} | {match.end() for match in regex.finditer(r"\X", text)}
    assert [chunk.chunk_id for chunk in chunks] == [chunk_id_of("u", index) for index in range(len(chunks))]
    for chunk in chunks:
        assert chunk.text == text[chunk.start : chunk.end] != ""
        assert len(chunk.text) <= chars or regex.fullmatch(r"\X", chunk.text)
        assert chunk.start in edges
        assert chunk.end in edges
    covered = 0
    for before, after in pairwise(chunks):
        assert before.start < after.start
        assert before.end < after.end
        assert before.end - after.start <= overlap
    for chunk in chunks:
        assert not text[covered : chunk.start].strip()
        covered = chunk.end
    assert not text[covered:].strip()


def test_a_chunk_never_crosses_a_page_and_names_the_page_it_begins_on():
    chunks = cut(document([("First page. " * 20, 1), ("Second page. " * 20, 2)]), "u", chars=200, overlap=40)
    assert {chunk.page for chunk in chunks} == {1, 2}
    for chunk in chunks:
        assert ("First" in chunk.text) == (chunk.page == 1)
        assert ("Second" in chunk.text) == (chunk.page == 2)


def test_a_chunk_ends_before_a_heading_and_the_next_carries_its_path():
    text = "# Report\n\n## Sales\n\n" + "Sales rose. " * 12 + "\n\n## Costs\n\n" + "Costs fell. " * 12
    chunks = cut(extract(text.encode(), name="a.md"), "a.md", chars=220, overlap=40)
    costs = next(chunk for chunk in chunks if chunk.text.startswith("Costs"))
    assert costs.headings == ("Report", "Costs")
    assert not any("Costs" in chunk.text and "Sales rose" in chunk.text for chunk in chunks)


def test_a_sentence_end_is_preferred_to_a_line_end():
    text = "One two three four.\nFive six\nseven eight nine ten eleven"
    first = cut(document([(text, None)]), "u", chars=34, overlap=0)[0]
    assert first.text == "One two three four."


def test_an_abbreviation_is_no_sentence_end():
    first = cut(
        document([("The case was heard by Dr. Ito in the spring of that year", None)]), "u", chars=30, overlap=0
    )[0]
    assert first.text == "The case was heard by Dr. Ito"


def test_rows_of_a_chunk_are_its_first_and_last_data_row():
    data = "name,value\n" + "".join(f"item {number},{number}.5\n" for number in range(1, 31))
    chunks = cut(extract(data.encode(), name="a.csv"), "a.csv", chars=200, overlap=30)
    assert chunks[0].rows is not None
    assert chunks[0].rows[0] == 1
    assert chunks[-1].rows is not None
    assert chunks[-1].rows[1] == 30
    assert all(line.startswith("name: item") for chunk in chunks for line in chunk.text.splitlines())


def test_the_limit_keeps_the_first_chunks():
    assert [chunk.index for chunk in cut(plain("word " * 2000), "u", limit=3)] == [0, 1, 2]


def test_marker_text_of_models_is_cut_like_any_other():
    [chunk] = cut(plain("The marker <|endoftext|> ends a record."), "u")
    assert chunk.text == "The marker <|endoftext|> ends a record."


@pytest.mark.parametrize(("chars", "overlap"), [(0, 0), (10, -1)])
def test_impossible_sizes_are_refused(chars, overlap):
    with pytest.raises(ValueError):
        cut(plain("text"), "u", chars=chars, overlap=overlap)


def test_cutting_takes_linear_time():
    def seconds(extraction: Extraction) -> float:
        started = time.process_time()
        cut(extraction, "u")
        return time.process_time() - started

    small, large = plain("A sentence of words. " * 2_000), plain("A sentence of words. " * 40_000)
    unbroken = plain("x" * 400_000)
    assert seconds(large) < 60 * max(seconds(small), 0.005)
    assert seconds(unbroken) < 5
