"""The records of a register whose date lies in the time asked for, or is missing, are listed, counted or added up."""

from __future__ import annotations

import pytest
from exports import told

LEASES = """lease_id,tenant,building,rent_eur,start_date,end_date,deposit_paid
L-1,Bakery Ohm,Quay Hall,1450,2019-04-01,2026-03-31,2019-03-28
L-2,Studio Pelz,Quay Hall,980,2021-01-01,2025-12-31,
L-3,Radhaus,Mill Yard,2100,2022-07-01,2027-06-30,2022-06-15
L-4,Café Nord,Mill Yard,1725,2023-02-01,2025-01-31,
L-5,Print Lab,Tower,1310,2020-10-01,2025-09-30,2020-09-29
"""
LOANS = """[{"item": "Telescope", "lent_on": "2024-02-01", "returned": "2024-02-20", "borrower": "Ivo"},
 {"item": "Projector", "lent_on": "2024-03-05", "returned": null, "borrower": "Mara"},
 {"item": "Tent", "lent_on": "2024-03-11", "returned": null, "borrower": "Ivo"}]"""
FILES = {"leases.csv": LEASES, "loans.json": LOANS}


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Which leases end in 2025?", "end date in 2025: Café Nord (2025-01-31), Print Lab (2025-09-30), Studio Pelz"),
        (
            "Which leases expire before 2026?",
            "Café Nord (2025-01-31), Print Lab (2025-09-30), Studio Pelz (2025-12-31)",
        ),
        ("How many leases end in 2025?", "1 + 1 + 1 = 3"),
        ("Which leases in Mill Yard start after 2021?", "Radhaus (2022-07-01), Café Nord (2023-02-01)."),
        ("Which leases in the Tower end between 2025 and 2026?", "end date between 2025 and 2026: Print Lab"),
        ("Which lease expires first?", "The earliest end date is 2025-01-31: Café Nord."),
        ("What is the total rent of the leases that end in 2025?", "980 + 1,725 + 1,310 = 4,015"),
        (
            "For which leases is no deposit paid?",
            "Without deposit paid: Studio Pelz (end date 2025-12-31), Café Nord (end date 2025-01-31).",
        ),
        ("How many tenants have a lease that ends after 2026?", "0 + 1 = 1: Radhaus (2027-06-30)"),
        (
            "Which items have not yet been returned?",
            "Without returned: Projector (lent on 2024-03-05), Tent (lent on 2024-03-11).",
        ),
    ],
)
def test_records_are_kept_by_their_date_or_its_absence(question, answer):
    assert any(answer in each for each in told(FILES, question)), told(FILES, question)


@pytest.mark.parametrize(
    "question",
    ["Which leases end in 2031?", "Which leases were signed in 2021?", "Which licences end in 2025?"],
)
def test_what_no_record_fits_is_left_unsaid(question):
    assert told(FILES, question) == []
