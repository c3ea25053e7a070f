"""An amendment is read with what it amends, and a later edition with the earlier one: the later value leads."""

from __future__ import annotations

import citewell
import pytest
from citewell.reasoners.embedded.found.papers import Papers
from passages import passage_of

LEASE = passage_of(
    "berth.txt",
    "BERTH LEASE\n\nbetween Ada Holm (owner) and Nils Krag (user), signed on 9 May 2021.\n\n"
    "1. Berth 14 at Sund Quay is let from June 2021.\n2. The rent is EUR 210 per month.\n3. Water is EUR 12 a month.",
)
RIDER = passage_of(
    "berth_rider.txt",
    "RIDER TO THE LEASE OF 9 MAY 2021\n\nSigned by Ada Holm and Nils Krag.\n\n"
    "Clause 2 is replaced: from 1 March 2024 the rent is EUR 235 per month.",
)
OTHER = passage_of(
    "shed.txt", "SHED LEASE\n\nbetween Ada Holm and Per Lund, signed on 2 April 2020.\n\nThe rent is EUR 90."
)
FIRST = passage_of("oven_rev_a.md", "# Oven LT-2, revision A (2 May 2022)\n\nThe filter is cleaned every 90 days.")
SECOND = passage_of("oven_rev_b.md", "# Oven LT-2, revision B (7 June 2023)\n\nThe filter is cleaned every 60 days.")


def test_an_amendment_belongs_to_the_agreement_whose_day_it_names():
    papers = Papers([LEASE, RIDER, OTHER])
    assert papers.changes("berth_rider.txt", "berth.txt")
    assert not papers.changes("berth_rider.txt", "shed.txt")
    assert not papers.changes("berth.txt", "berth_rider.txt")
    assert "quay" in papers.around("berth_rider.txt")
    assert papers.amending({"berth.txt"}) == {"berth_rider.txt"}


def test_a_later_revision_follows_an_earlier_one_of_the_same_paper():
    papers = Papers([FIRST, SECOND, passage_of("kiln_rev_c.md", "# Kiln HT-1, revision C\n\nThe filter is new.")])
    assert papers.changes("oven_rev_b.md", "oven_rev_a.md")
    assert not papers.changes("oven_rev_a.md", "oven_rev_b.md")
    assert not papers.changes("kiln_rev_c.md", "oven_rev_a.md")


def test_a_report_of_a_later_year_replaces_nothing_and_a_price_list_does():
    papers = Papers(
        [passage_of(f"{name}_{year}.md", "text") for name in ("report", "price_list") for year in (2022, 2023)]
    )
    assert not papers.changes("report_2023.md", "report_2022.md")
    assert papers.changes("price_list_2023.md", "price_list_2022.md")


@pytest.fixture
def folder(tmp_path):
    for passage in (LEASE, RIDER, OTHER, FIRST, SECOND):
        (tmp_path / passage.chunk.uri).write_text(passage.chunk.text)
    for year, price in ((2022, "7.40"), (2023, "8.10")):
        rows = f"item,price_eur,valid_from\nTar rope,{price},{year}-04-01\nHemp rope,3.20,{year}-04-01\n"
        (tmp_path / f"chandler_{year}.csv").write_text(rows)
    return tmp_path


@pytest.mark.slow
@pytest.mark.parametrize(
    ("question", "now", "before"),
    [
        ("What is the rent of berth 14 at Sund Quay?", "EUR 235", "EUR 210"),
        ("How often is the filter of the LT-2 cleaned?", "60 days", "90 days"),
        ("What is the price of tar rope?", "8.10", "7.40"),
    ],
)
def test_the_later_value_leads_and_the_older_is_shown_in_conflict(folder, question, now, before):
    answer = citewell.research(question, docs=[folder], engine="embedded").answer
    assert now in answer.executive_summary[0].text
    assert [value.value for value in answer.conflicts[0].values] == [now, before]
    assert answer.conflicts[0].preferred == now


@pytest.mark.slow
def test_what_else_a_paper_prices_is_no_older_rent(folder):
    answer = citewell.research("What does water cost at the berth?", docs=[folder], engine="embedded").answer
    assert "EUR 12" in answer.executive_summary[0].text
    assert not answer.conflicts
