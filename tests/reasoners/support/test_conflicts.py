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


def test_what_was_budgeted_or_forecast_does_not_contradict_what_came():
    minutes = passage("minutes.md", "Turnover came to EUR 8.4 million against a budget of EUR 9.1 million.")
    outlook = passage("outlook.md", "Forecast turnover for the year was cut from EUR 9.9 million to EUR 9.2 million.")
    audit = passage("audit.txt", "Audited turnover amounts to\nEUR 8.1 million.")
    facts = [fact(each, entity="Lorvik", period="2023") for each in (minutes, outlook, audit)]
    (conflict,) = find_conflicts(facts, [minutes, outlook, audit])
    assert [value.value for value in conflict.values] == ["EUR 8.4 million", "EUR 8.1 million"]
    assert conflict.preferred == "EUR 8.1 million"
    assert "audited" in conflict.reason


def test_the_title_of_an_auditor_does_not_part_its_figure_from_that_of_the_company():
    press = passage("press.md", "After turnover of EUR 9 million in 2023, Lorvik grows on.")
    text = "Holm Revision\nAnnual accounts of Lorvik\n\nAudited turnover for 2023 amounts to EUR 8.1 million."
    audit = passage("audit.txt", text)
    told = fact(audit, "Audited turnover for 2023 amounts to EUR 8.1 million.", entity="Holm Revision")
    (conflict,) = find_conflicts([fact(press, entity="Lorvik"), told], [press, audit])
    assert conflict.preferred == "EUR 8.1 million"


def test_doses_and_durations_of_different_things_do_not_conflict():
    one = passage("a.txt", "Zelatine was given at 100 mg once daily.")
    other = passage("b.txt", "Adults on Zelatine were compared with placebo tablets of 75 mg lactose.")
    long = passage("c.txt", "The Zelatine extension lasted 104 weeks.")
    short = passage("d.txt", "Enzymes under Zelatine returned to normal within eight weeks of stopping.")
    found = [one, other, long, short]
    assert find_conflicts([fact(each) for each in found], found) == ()


def test_the_total_of_several_members_does_not_contradict_the_row_of_one():
    line = "trial: NORD-M; participants: 318\ntrial: SUD-M; participants: 612"
    rows = (
        row("t.csv", "trial: NORD-M; participants: 318", "NORD-M", "participants", "318"),
        row("t.csv", "trial: SUD-M; participants: 612", "SUD-M", "participants", "612", start=33),
    )
    table = passage("t.csv", line, tier="structured", rows=rows)
    review = passage("review.md", "Two trials (930 participants) were included: NORD-M and SUD-M.")
    facts = [fact(table, "trial: NORD-M; participants: 318"), fact(review)]
    assert find_conflicts(facts, [table, review]) == ()


def test_a_day_that_a_sentence_names_does_not_date_what_follows():
    old = "Minutes of 3 May 2023\n\nThat of 22 January 2023 was approved.\n\nLorvik holds 41 million cubic metres."
    first = passage("minutes.md", old)
    second = passage("new.md", "9 June 2023. Lorvik holds 37 million cubic metres.")
    facts = [
        fact(each, text)
        for each, text in (
            (first, "Lorvik holds 41 million cubic metres."),
            (second, "Lorvik holds 37 million cubic metres."),
        )
    ]
    (conflict,) = find_conflicts(facts, [first, second])
    assert [value.dated for value in conflict.values] == ["2023-05-03", "2023-06-09"]


def test_the_numbers_of_two_clauses_are_no_figures():
    one = passage("terms.md", "9.4 The Contractor is not liable for a missed collection.")
    two = passage("fees.md", '22.1 "Contractor" means who is liable for a missed collection.')
    assert find_conflicts([fact(one), fact(two)], [one, two]) == ()


def test_what_was_only_considered_does_not_contradict_what_was_settled():
    settled = passage("2025.md", "The annual mooring subscription rises to £54.")
    thought = passage("2024.md", "The Committee considered raising the annual mooring subscription to £56.")
    also = passage("2026.md", "The annual mooring subscription rises to £58.")
    assert find_conflicts([fact(settled), fact(thought)], [settled, thought]) == ()
    assert find_conflicts([fact(settled), fact(also)], [settled, also])
