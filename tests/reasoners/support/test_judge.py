"""The rule judge reads passages with their rows, headings and dates."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

import numpy as np
from citewell.errors import RetrievalUnavailable
from citewell.reasoners.protocol import Passage
from citewell.reasoners.support.judge import RuleJudge, context_of, rows_inside
from citewell.reasoners.verdicts import Verdicts
from citewell.retrievers.remembered import RememberedVectors
from citewell.state.records import Cell, Chunk, Claim, Fact, Hit, Quote, Source, TableRow
from hashed_embedder import HashedEmbedder
from passages import passage_of

TEXT = "Total rate 24.6 21.6\nFederal rate 3.1 2.2\n"


def passage(**source: object) -> Passage:
    rows = []
    for label, line in (("Total rate", 0), ("Federal rate", 21)):
        values = TEXT[line:].split("\n")[0].split()[2:]
        cells = []
        for header, value in zip(("2021", "2022"), values, strict=True):
            at = TEXT.index(value, line)
            cells.append(Cell(header=header, text=value, start=100 + at, end=100 + at + len(value)))
        end = TEXT.index("\n", line)
        rows.append(TableRow(uri="a.pdf", label=label, cells=tuple(cells), start=100 + line, end=100 + end))
    chunk = Chunk(chunk_id="a:0", uri="a.pdf", index=0, text=TEXT, start=100, end=100 + len(TEXT), headings=("Taxes",))
    return Passage(
        chunk=chunk,
        source=Source(uri="reports/harbour_2022.pdf", kind="file", **source),  # type: ignore[arg-type]
        hit=Hit(chunk_id="a:0", score=1.0, rank=1),
        rows=tuple(rows),
    )


def claim(text: str) -> Claim:
    return Claim(claim_id="C-001", text=text, citations=("a:0",))


async def test_a_figure_must_stand_in_its_own_row_and_column() -> None:
    judge = RuleJudge()
    right = await judge.judge(claim("The total rate was 24.6% in 2021 and 21.6% in 2022."), [passage()])
    wrong_year = await judge.judge(claim("The total rate was 24.6% in 2022."), [passage()])
    wrong_row = await judge.judge(claim("The federal rate was 24.6% in 2021."), [passage()])
    assert right.support == "supported", right.reasons
    assert any(reason.startswith("column:") for reason in wrong_year.reasons)
    assert any(reason.startswith("row:") for reason in wrong_row.reasons)
    assert {wrong_year.support, wrong_row.support} == {"unsupported"}
    assert right.quotes[0].chunk_id == "a:0"
    assert right.quotes[0].text == TEXT[right.quotes[0].start : right.quotes[0].end]


def test_rows_are_counted_from_the_passage() -> None:
    rows = rows_inside(passage())
    assert [TEXT[cell.start : cell.end] for row in rows for cell in row.cells] == ["24.6", "21.6", "3.1", "2.2"]


def test_what_a_source_says_of_itself_is_context() -> None:
    lines = context_of(passage(title="Annual report", published_at=datetime(2023, 2, 1, tzinfo=UTC)))
    assert lines[:4] == ["Annual report", "harbour 2022", "Taxes", "2023-02-01"]


async def test_a_folder_that_is_a_year_dates_what_lies_in_it() -> None:
    dated = passage_of("2022/report.txt", "Head count at the Kelm site was 140.")
    assert (
        await RuleJudge().judge(claim("2022: Head count at the Kelm site was 140."), [dated])
    ).support == "supported"


async def test_no_passage_has_a_verdict() -> None:
    assert (await RuleJudge().judge(claim("The rate was 24.6%."), [])).support == "unsupported"


def fact(passage: Passage, words: str) -> Fact:
    start = passage.chunk.text.index(words)
    quote = Quote(chunk_id=passage.chunk.chunk_id, start=start, end=start + len(words), text=words)
    return Fact(fact_id="F-001", statement=words, quotes=(quote,))


async def test_a_check_that_was_foreseen_embeds_the_claim_alone_and_finds_the_same() -> None:
    counted: list[list[str]] = []

    def embed(texts: Sequence[str]) -> np.ndarray:
        counted.append(list(texts))
        return HashedEmbedder().embed(texts)

    cited = passage_of("site.txt", "The Kelm site opened in 1998. Its head count was 140 in 2022. A kiln was added.")
    told = claim("In 2022 the head count was 140.")
    plain = await RuleJudge(RememberedVectors(embed)).judge(told, [cited])
    counted.clear()
    judge = RuleJudge(RememberedVectors(embed))
    await judge.foresee([fact(cited, "Its head count was 140 in 2022.")], [cited])
    assert sum(map(len, counted)) == 3
    counted.clear()
    assert await judge.judge(told, [cited]) == plain
    assert counted == [[told.text]]


async def test_what_is_told_in_the_words_of_a_fact_is_checked_ahead() -> None:
    counted: list[list[str]] = []

    def embed(texts: Sequence[str]) -> np.ndarray:
        counted.append(list(texts))
        return HashedEmbedder().embed(texts)

    cited = passage_of("site.txt", "The Kelm site opened in 1998. Its head count was 140 in 2022. A kiln was added.")
    told = claim("Its head count was 140 in 2022.").model_copy(update={"citations": (cited.chunk.chunk_id,)})
    plain = await RuleJudge(RememberedVectors(embed)).judge(told, [cited])
    judge = RuleJudge(RememberedVectors(embed), known=Verdicts())
    await judge.foresee([fact(cited, told.text)], [cited])
    counted.clear()
    assert await judge.judge(told, [cited]) == plain
    assert counted == []


async def test_nothing_is_asked_of_another_machine_ahead() -> None:
    asked: list[str] = []

    def embed(texts: Sequence[str]) -> np.ndarray:
        asked.extend(texts)
        return HashedEmbedder().embed(texts)

    cited = passage_of("site.txt", "The Kelm site opened in 1998.")
    await RuleJudge(embed, remote=True).foresee([fact(cited, "The Kelm site opened in 1998.")], [cited])
    assert asked == []


async def test_looking_ahead_without_vectors_is_left_to_the_check() -> None:
    asked: list[str] = []

    def embed(texts: Sequence[str]) -> np.ndarray:
        asked.extend(texts)
        raise RetrievalUnavailable("dense search", texts[0])

    cited = passage_of("site.txt", "The Kelm site opened in 1998.")
    await RuleJudge(embed).foresee([fact(cited, "The Kelm site opened in 1998.")], [cited])
    assert asked
