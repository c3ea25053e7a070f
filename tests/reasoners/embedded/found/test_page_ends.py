"""A sentence that a page's end cuts in two is told whole."""

from __future__ import annotations

import pytest
from citewell.reasoners.embedded.found.candidates import every_candidate
from citewell.reasoners.embedded.found.page_ends import with_page_ends
from citewell.reasoners.protocol import Passage
from citewell.state.records import Chunk, Hit, Source, chunk_id_of


def _pages(*texts: str) -> list[Passage]:
    source = Source(uri="rules.pdf", kind="file", title="Rules")
    passages: list[Passage] = []
    start = 0
    for index, text in enumerate(texts):
        chunk_id = chunk_id_of("rules.pdf", index)
        end = start + len(text)
        chunk = Chunk(chunk_id=chunk_id, uri="rules.pdf", index=index, text=text, start=start, end=end, page=index + 1)
        passages.append(Passage(chunk=chunk, source=source, hit=Hit(chunk_id=chunk_id, score=1.0, rank=1)))
        start = end + 2
    return passages


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Boats under six metres", "pay a fee of £40 for each night."),
        ("The gate is shut at nine in the evening, and", "at six on days of rest."),
        ("On the northern quay", "12 boats may lie abreast."),
        ("The hall may be let to members of the", "Rowing Club without a deposit."),
    ],
)
def test_a_half_on_the_next_page_is_told_with_the_first(first: str, second: str) -> None:
    pages = _pages(f"The rules hold from May 2031.\n{first}", f"{second} Dogs are kept on a lead.")
    found = with_page_ends(every_candidate(pages), pages)
    joined = [each for each in found if each.begun is not None]
    assert [(each.begun.text, each.text) for each in joined if each.begun] == [(first, second)]
    assert all(each.text != first for each in found)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("The gate is shut at nine.", "boats under six metres pay a fee."),
        ("Opening hours", "The gate is shut at nine in the evening."),
        ("Opening hours", "3.2 The gate is shut at nine."),
        ("The gate is shut at nine in the evening, and", "4 Boats pay a fee of £40."),
    ],
)
def test_what_ends_or_heads_a_page_is_not_joined(first: str, second: str) -> None:
    pages = _pages(f"The rules hold from May 2031.\n{first}", second)
    assert all(each.begun is None for each in with_page_ends(every_candidate(pages), pages))
