"""Tables answer by computation only where asked, over joins that the files state, with formula and cells."""

from __future__ import annotations

from pathlib import Path

import pytest
from citewell.reasoners.support.formulas import judge_computed
from citewell.reasoners.tables.answers import compute
from citewell.reasoners.tables.asking import read_ask
from citewell.reasoners.tables.catalog import Catalog, catalog
from citewell.reasoners.tables.computed import Computed
from citewell.reasoners.tables.joins import stated_joins
from citewell.retrievers.parsers import extract, with_uri

ROOM = Path(__file__).parents[3] / "studio" / "dataroom"


def read(files: dict[str, bytes]) -> tuple[Catalog, dict[str, str]]:
    rows, texts, tiers = [], {}, {}
    for name, data in files.items():
        found = extract(data, name=name)
        rows += with_uri(found.rows, name)
        texts[name], tiers[name] = found.text, found.tier == "structured"
    return catalog(rows, tiers), texts


def room() -> tuple[Catalog, dict[str, str]]:
    return read({path.relative_to(ROOM).as_posix(): path.read_bytes() for path in sorted(ROOM.rglob("*.*"))})


def holds(answer: Computed, texts: dict[str, str]) -> bool:
    verdict = judge_computed(answer.text, [texts[row.uri][row.start : row.end] for row in answer.rows])
    return verdict is not None and verdict.support == "supported"


def test_joins_are_those_that_the_files_state():
    found = {(join.left.uri, join.column, join.right.uri) for join in stated_joins(room()[0])}
    assert found == {
        ("customers/arr_by_entity.csv", "entity_id", "customers/legal_entities.csv"),
        ("customers/contracts.json", "entity_id", "customers/arr_by_entity.csv"),
        ("customers/contracts.json", "entity_id", "customers/legal_entities.csv"),
        ("customers/legal_entities.csv", "entity_id", "customers/arr_by_entity.csv"),
        ("customers/legal_entities.csv", "parent_account_id", "customers/parent_accounts.csv"),
    }


def test_a_parent_account_is_found_behind_its_legal_entities():
    tables, texts = room()
    question = "Which customer group is the largest by ARR, and what share of total ARR does it have at 31 March 2025?"
    parent, single = compute(read_ask(question), tables)
    assert "the largest is Corvane Group" in parent.text
    assert "1,180,000 + 1,060,000 + 940,000 + 720,000 + 480,000 = 4,380,000" in parent.text
    assert "4,380,000 / 17,640,000 = 24.8%" in parent.text
    assert "Stellwerk Kuehltransport GmbH" in parent.text
    assert "By single legal entity" in single.text
    assert "Medway Hospitals Trust" in single.text
    assert holds(parent, texts)
    assert holds(single, texts)
    assert {row.uri for row in parent.rows} == {
        "customers/arr_by_entity.csv",
        "customers/legal_entities.csv",
        "customers/parent_accounts.csv",
        "finance/arr_by_month.csv",
    }


def test_a_named_group_is_answered_by_name():
    tables, texts = room()
    (answer, *_) = compute(read_ask("What share of ARR does Harrow Foods plc have?"), tables)
    assert "950,000 / 17,640,000 = 5.4%" in answer.text
    assert holds(answer, texts)


def test_a_change_between_two_dates_shows_difference_and_rate():
    tables, texts = room()
    (answer,) = compute(read_ask("How did arr_usd change between 31 March 2024 and 31 March 2025?"), tables)
    assert "17,640,000 - 12,480,000 = 5,160,000" in answer.text
    assert "= 41.3%" in answer.text
    assert holds(answer, texts)


def test_amounts_in_several_currencies_are_not_added_up():
    tables, _ = room()
    answers = compute(read_ask("What is the sum of overdue over 90 days receivables?"), tables)
    assert not any("1,900,000" in answer.text for answer in answers)


@pytest.mark.parametrize("question", ["What was ARR at 31 March 2025?", "What is NRR?", "Who is the CTO?", "???"])
def test_nothing_is_computed_unless_asked(question):
    assert compute(read_ask(question), room()[0]) == []


def test_rows_of_a_fiscal_year_are_summed_by_its_label():
    tables, texts = room()
    (answer, *_) = compute(read_ask("What is the sum of total revenue in FY2025?"), tables)
    assert "4,080,000 + 4,470,000 + 4,780,000 + 5,070,000 = 18,400,000" in answer.text
    assert holds(answer, texts)


def test_another_room_with_other_names_works_unseen():
    tables, texts = read(
        {
            "suppliers.csv": b"supplier_no,supplier,owner_no\nS1,Alpha Mill,O9\nS2,Beta Mill,O9\nS3,Gamma,\n",
            "owners.csv": b"owner_no,owner name\nO9,Delta Holding\nO8,Epsilon\n",
            "spend.csv": b"supplier_no,spend_eur\nS1,40.5\nS2,30\nS3,60\n",
        }
    )
    (owner, single) = compute(read_ask("Which supplier is the largest by spend and what share does it have?"), tables)
    assert "Delta Holding" in owner.text
    assert "40.5 + 30 = 70.5" in owner.text
    assert "70.5 / 130.5 = 54.0%" in owner.text
    assert "Gamma" in single.text
    assert holds(owner, texts)


def test_a_column_whose_values_are_no_keys_is_no_join():
    tables, _ = read({"a.csv": b"item_id,x\n1a,1\n2b,2\n", "b.csv": b"item_id,y\n9z,1\n8y,2\n"})
    assert stated_joins(tables) == []


@pytest.mark.parametrize("question", ["What share of revenue comes from Corvane?", "What share of churn is in ARR?"])
def test_no_share_is_computed_over_a_table_that_lacks_a_word_of_the_question(question):
    assert compute(read_ask(question), room()[0]) == []


def test_the_month_of_an_extreme_is_sought_where_there_are_several():
    (answer,) = compute(read_ask("Which month had the highest ARR?"), room()[0])
    assert "highest for 2025-03-31: 17,640,000" in answer.text


def test_of_two_measures_joined_by_or_one_is_enough():
    question = "Which customer group is the largest by ARR or revenue, and what share of the total does it have?"
    assert "24.8%" in compute(read_ask(question), room()[0])[0].text
