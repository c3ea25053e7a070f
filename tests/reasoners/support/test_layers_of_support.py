"""Each layer of support checking by itself."""

from __future__ import annotations

import pytest
from citewell.reasoners.support.alignment import align
from citewell.reasoners.support.clauses import clauses
from citewell.reasoners.support.exact import check_numbers, check_periods
from citewell.reasoners.support.lexicon import opposed
from citewell.reasoners.support.polarity import compare_polarity, denied_places
from citewell.reasoners.support.reading import read, word_weight
from citewell.reasoners.support.scoring import shipped
from citewell.reasoners.support.tables import pair_periods, rows_of
from citewell.reasoners.support.wording import closeness, turns


def test_a_number_is_one_word_known_by_its_value() -> None:
    assert {"#43000000"} <= read("$43.0 million").stems & read("43,000,000 dollars").stems


def test_a_numeral_after_a_status_noun_is_a_status() -> None:
    assert "type:1" in read("a Type I audit").stems
    assert "type:2" in read("the Type 2 audit").stems


def test_rarer_words_weigh_more() -> None:
    assert word_weight("the") == 0
    assert 0 < word_weight("people") < word_weight("reservoir") < word_weight("velocitydb")


def test_coverage_counts_stems_and_synonyms() -> None:
    full = align(read("The company bought the reservoir."), read("The reservoir was purchased by the company."))
    assert full.coverage > 0.85
    assert align(read("The company bought it."), read("Rain fell all night.")).coverage == 0


def test_a_formula_parted_from_its_index_is_one_word() -> None:
    for text in ("CO 2 rose.", "CO₂ rose.", "CO2 rose."):
        assert [word.stem for word in read(text).words] == ["co2", "rose"]
        assert read(text).numbers == ()
    assert len(read("The firm sold 3 of its CO 2.5 shares.").numbers) == 2


def test_negation_reaches_to_the_next_mark() -> None:
    reading = read("It did not grow, but profits rose.")
    denied = {word.text for word in reading.words if word.start in denied_places(reading)}
    assert denied == {"grow"}


def test_a_turned_direction_is_measured() -> None:
    claim, text = read("Prices of fuel increased in spring."), read("Prices of fuel decreased in spring.")
    polarity = compare_polarity(claim, text, align(claim, text))
    assert polarity.other_way > 0
    assert polarity.turned == (("increased", "decreased"),)


@pytest.mark.parametrize(("a", "b"), [("public", "private"), ("stable", "unstable"), ("gross", "net")])
def test_opposites_are_known_both_ways(a: str, b: str) -> None:
    assert opposed(a, b)
    assert opposed(b, a)
    assert not opposed(a, a)


@pytest.mark.parametrize(
    ("claim", "count"),
    [
        ("The dam holds water.", 1),
        ("The dam holds water, and the ferry was sold in May.", 2),
        ("Yes, but no.", 1),
        ("", 0),
    ],
)
def test_a_claim_is_cut_into_clauses(claim: str, count: int) -> None:
    assert len(clauses(claim)) == count


@pytest.mark.parametrize(
    ("claim", "text", "kinds"),
    [
        ("more than 50% voted", "53% voted", []),
        ("more than 50% voted", "43% voted", ["number"]),
        ("5 cubic litres", "5 cubic metres", ["unit"]),
        ("Rule 19 applies", "the rule applies", []),
        ("two reasons", "reasons", []),
        ("12 km", "12,000 m", []),
    ],
)
def test_numbers_are_checked_with_bounds_units_and_labels(claim: str, text: str, kinds: list[str]) -> None:
    assert [finding.kind for finding in check_numbers(read(claim), [read(text)]) if finding.hard] == kinds


@pytest.mark.parametrize(
    ("claim", "text", "found"),
    [
        ("in 2022", "in May 2022", True),
        ("in May 2022", "in 2022", True),
        ("in 2021", "in 2022", False),
        ("from 1998 to 2000", "1998-2000", True),
        ("from 1990 to 2000", "1998-2000", False),
        ("from 1998 to 2000", "began in 1998 and ended in 2000", True),
    ],
)
def test_periods_are_checked(claim: str, text: str, found: bool) -> None:
    assert (not check_periods(read(claim), [read(text)])) is found


def test_figures_are_paired_with_their_periods() -> None:
    for text in ("6.1% in 2021 and 7.5% in 2022", "6.1% and 7.5% in 2021 and 2022", "in 2021 and 2022 6.1% and 7.5%"):
        paired = [(number.text, period.text if period else "") for number, period in pair_periods(read(text))]
        assert paired == [("6.1%", "2021"), ("7.5%", "2022")]


def test_a_period_behind_a_comparison_is_not_that_of_the_figure_before_it() -> None:
    text = read("Sales rose 15.6% to 8.1 million compared to 7.0 million in 2021.")
    assert [period.text if period else "" for _, period in pair_periods(text)] == ["", "", "2021"]


def test_rows_are_read_from_lines_and_pipes() -> None:
    (written,) = rows_of(0, "Region: Retail; Margin 2022: 7.5%")
    assert (written.label, written.cells[0].header, written.cells[0].text) == ("Retail", "Margin 2022", "7.5%")
    (piped,) = rows_of(0, "| Region | 2022 |\n| --- | --- |\n| Retail | 7.5% |")
    assert (piped.label, piped.cells[0].header, piped.cells[0].text) == ("Retail", "2022", "7.5%")


def test_the_first_of_several_synonyms_is_taken_whatever_the_order_of_a_set() -> None:
    text = read("A movie and a picture were shown.")
    for word in ("film", "films"):
        ((_, found, likeness),) = align(read(f"The {word}."), text).pairs
        assert found is not None
        assert (found.folded, likeness) == ("movie", 0.75)


def test_a_departure_is_named() -> None:
    claim, text = read("The mill in Marden closed in May."), read("The mill in Kessel closed in May.")
    assert closeness(claim, text) > 0.8
    assert [turn.detail for turn in turns(claim, text)] == ["Marden where the passage says Kessel"]
    assert turns(text, text) == []


@pytest.mark.parametrize("kind", ["words", "meaning"])
def test_the_shipped_models_score_between_0_and_1(kind: str) -> None:
    model = shipped(kind)
    assert 0 < model.threshold < 1
    assert 0 <= model.score({}) <= 1
