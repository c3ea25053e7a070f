"""Two figures conflict where they measure one thing of one subject at one time, and nowhere else."""

from __future__ import annotations

from citewell.reasoners.protocol import Passage
from citewell.reasoners.support.conflicts import find_conflicts
from citewell.state.records import Cell, Chunk, Fact, Hit, Quote, Source, TableRow, chunk_id_of


def passage(uri: str, text: str, *, tier: str = "narrative", rows: tuple[TableRow, ...] = ()) -> Passage:
    chunk_id = chunk_id_of(uri, 0)
    chunk = Chunk(chunk_id=chunk_id, uri=uri, index=0, text=text, start=0, end=len(text))
    return Passage(chunk, Source(uri=uri, kind="file", tier=tier), Hit(chunk_id=chunk_id, score=1, rank=1), rows)


def row(uri: str, text: str, label: str, header: str, value: str, start: int = 0) -> TableRow:
    at = start + text.index(value)
    cell = Cell(header=header, text=value, start=at, end=at + len(value))
    return TableRow(uri=uri, label=label, cells=(cell,), start=start, end=start + len(text))


def fact(found: Passage, text: str = "", **values: object) -> Fact:
    text = text or found.chunk.text
    start = found.chunk.text.index(text)
    quote = Quote(chunk_id=found.chunk.chunk_id, start=start, end=start + len(text), text=text)
    return Fact(fact_id="F", statement=text, quotes=(quote,), **values)


def test_a_later_statement_that_corrects_the_older_is_preferred_and_both_are_shown():
    old = passage("2021-press.txt", "12 March 2021. Varga dam holds 41 million cubic metres.")
    new = passage(
        "2024-survey.txt",
        "9 May 2024. A new survey puts Varga dam at 37 million cubic metres, correcting the older figure.",
    )
    facts = [
        fact(old, "Varga dam holds 41 million cubic metres."),
        fact(new, "A new survey puts Varga dam at 37 million cubic metres, correcting the older figure."),
    ]
    (conflict,) = find_conflicts(facts, [old, new])
    assert [(value.value[:2], value.dated) for value in conflict.values] == [("41", "2021-03-12"), ("37", "2024-05-09")]
    assert conflict.preferred.startswith("37")
    assert "correct" in conflict.reason


def test_a_structured_export_outranks_the_deck():
    deck = passage("deck.md", "ARR reached $18.9 million at 31 March 2025.")
    line = "month: 2025-03; arr_usd: 17640000"
    export = passage("arr.csv", line, tier="structured", rows=(row("arr.csv", line, "2025-03", "arr_usd", "17640000"),))
    (conflict,) = find_conflicts([fact(deck), fact(export, period="2025-03")], [deck, export])
    assert (conflict.preferred, len(conflict.values)) == ("17640000", 2)
    assert "outranks" in conflict.reason


def test_figures_of_one_sentence_do_not_conflict():
    text = "The benefits of $1.0 billion and $0.8 billion for 2022 and 2020 are $750 million and $580 million."
    found = passage("10k.txt", text)
    assert find_conflicts([fact(found, attribute="effective tax rate")], [found]) == ()


def test_rows_of_one_table_do_not_conflict():
    lines = ["entity_id: E-022; arr_usd: 460000", "entity_id: E-015; arr_usd: 670000"]
    text = "\n".join(lines)
    rows = (
        row("arr.csv", lines[0], "E-022", "arr_usd", "460000"),
        row("arr.csv", lines[1], "E-015", "arr_usd", "670000", start=len(lines[0]) + 1),
    )
    table = passage("arr.csv", text, tier="structured", rows=rows)
    facts = [fact(table, line, attribute="ARR", period="2025-03-31") for line in lines]
    assert find_conflicts(facts, [table]) == ()


def test_two_measures_of_one_company_do_not_conflict():
    one = passage("a.txt", "At year end, worldwide network services processed volume of Ostrow was $214.5 billion.")
    two = passage("b.txt", "At year end, billed business on cards issued by Ostrow was $1,338 billion.")
    assert find_conflicts([fact(one), fact(two)], [one, two]) == ()


def test_the_moves_of_two_measures_do_not_conflict():
    sales = "Comparable sales increased 15.6% compared to an increase of 37.9% in fiscal 2021."
    revenue = "Net sales increased 18.2% to $3.2 billion compared to $2.7 billion in the fourth quarter of fiscal 2021."
    profit = "Gross profit increased to 39.6% of net sales compared to 39.0% in fiscal 2021."
    found = [passage(f"{place}.txt", text) for place, text in enumerate((sales, revenue, profit))]
    assert find_conflicts([fact(each, entity="Oskerby Tools") for each in found], found) == ()


def test_two_statements_of_how_one_measure_moved_conflict():
    found = [passage("a.txt", "Revenue rose by 12% in 2024."), passage("b.txt", "Revenue grew by 9% in 2024.")]
    (conflict,) = find_conflicts([fact(each, entity="Oskerby Tools") for each in found], found)
    assert [value.value for value in conflict.values] == ["12%", "9%"]


def test_other_periods_and_rounded_figures_do_not_conflict():
    one = passage("a.txt", "Revenue of Ostrow was $4.51 million in 2021.")
    two = passage("b.txt", "Revenue of Ostrow was $6.2 million in 2022.")
    three = passage("c.txt", "Revenue of Ostrow was $4.5 million in 2021.")
    assert find_conflicts([fact(one), fact(two), fact(three)], [one, two, three]) == ()


def test_figures_that_are_defined_differently_say_so():
    one = passage("a.txt", "Booked revenue of Ostrow was $7 million in 2021.")
    two = passage("b.txt", "Recognised revenue of Ostrow was $5 million in 2021.")
    (conflict,) = find_conflicts([fact(one), fact(two)], [one, two])
    assert conflict.preferred == ""
    assert "defined differently" in conflict.reason


def test_a_title_quoted_before_its_sentence_hides_no_figure():
    found = []
    for year, price in ((2023, 40), (2024, 45)):
        place = passage(f"prices_{year}.md", f"Price list {year}\n\nThe Volta subscription costs EUR {price} a month.")
        title = Quote(chunk_id=place.chunk.chunk_id, start=0, end=15, text=f"Price list {year}")
        told = fact(place, f"The Volta subscription costs EUR {price} a month.")
        found.append((place, told.model_copy(update={"quotes": (title, *told.quotes)})))
    (conflict,) = find_conflicts([told for _, told in found], [place for place, _ in found])
    assert ({value.value for value in conflict.values}, conflict.preferred) == ({"EUR 40", "EUR 45"}, "EUR 45")
