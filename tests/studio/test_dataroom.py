"""The sample dataroom holds the traps that its README lists."""

from __future__ import annotations

import csv
import json
import re
import zipfile
from decimal import Decimal
from pathlib import Path

from citewell.studio import make_dataroom

STUDIO = Path(__file__).parents[2] / "studio"
ROOM = STUDIO / "dataroom"


def table(name: str) -> list[dict[str, str]]:
    with (ROOM / name).open(newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


def test_arr_by_entity_adds_up_to_the_billing_export():
    total = sum(int(row["arr_usd"]) for row in table("customers/arr_by_entity.csv"))
    assert [int(row["arr_usd"]) for row in table("finance/arr_by_month.csv")][-1] == total == 17_640_000


def test_one_parent_account_holds_a_quarter_of_arr_behind_five_legal_entities():
    parents = {row["entity_id"]: row["parent_account_id"] for row in table("customers/legal_entities.csv")}
    arr = {row["entity_id"]: int(row["arr_usd"]) for row in table("customers/arr_by_entity.csv")}
    group = [entity for entity, parent in parents.items() if parent == "P-01"]
    share = Decimal(sum(arr[entity] for entity in group)) / sum(arr.values())
    assert (len(group), round(share * 100, 1), max(arr, key=lambda entity: arr[entity])) == (
        5,
        Decimal("24.8"),
        "E-001",
    )


def test_contracts_signed_but_not_live_explain_the_board_figure_without_reconciling_it():
    contracts = json.loads((ROOM / "customers/contracts.json").read_text(encoding="utf-8"))
    waiting = sum(each["annual_fee_usd"] for each in contracts if each["status"] == "signed, not live")
    assert waiting == 18_900_000 - 17_640_000


def test_quarters_add_up_to_the_restated_and_the_current_year():
    years: dict[str, int] = {}
    for row in table("finance/revenue_by_quarter.csv"):
        parts = [int(row[f"{kind}_revenue_usd"]) for kind in ("subscription", "hardware", "services")]
        assert sum(parts) == int(row["total_revenue_usd"])
        years[row["fiscal_year"]] = years.get(row["fiscal_year"], 0) + sum(parts)
    assert years == {"FY2024": 13_720_000, "FY2025": 18_400_000}


def test_the_income_statement_adds_up_in_every_column():
    for column in ("fy2024_as_first_reported_usd", "fy2024_restated_usd", "fy2025_usd"):
        item = {row["line_item"]: int(row[column]) for row in table("finance/income_statement.csv")}
        assert item["Total revenue"] - item["Cost of revenue"] == item["Gross profit"]
        costs = item["Sales and marketing"] + item["Research and development"] + item["General and administrative"]
        assert item["Gross profit"] - costs == item["Operating loss"]


def test_overdue_receivables_reach_the_board_figure_only_without_conversion():
    overdue = {row["currency"]: int(row["overdue_over_90_days"]) for row in table("finance/receivables_aging.csv")}
    rates = {row["currency"]: Decimal(row["usd_per_unit"]) for row in table("finance/fx_rates.csv")}
    converted = sum(amount * rates.get(currency, Decimal(1)) for currency, amount in overdue.items())
    assert (sum(overdue.values()), converted) == (1_900_000, Decimal("2093200"))


def test_headcount_adds_up_and_the_sales_figure_counts_contractors():
    rows = [row for row in table("people/headcount.csv") if row["as_of_date"] == "2025-03-31"]
    employees = {row["department"]: int(row["employees"]) for row in rows}
    contractors = {row["department"]: int(row["contractors"]) for row in rows}
    assert employees.pop("Total") == sum(employees.values()) == 128
    assert contractors.pop("Total") == sum(contractors.values()) == 140 - 128


def test_the_binary_files_are_those_that_the_script_writes(tmp_path):
    make_dataroom.main(tmp_path)
    for name in (
        "compliance/auditor_letter.pdf",
        "finance/forecast_fy2026.xlsx",
        "legal/corvane_framework_agreement.docx",
    ):
        written, kept = tmp_path / name, ROOM / name
        if name.endswith(".pdf"):
            assert written.read_bytes() == kept.read_bytes()
        else:
            assert members(written).keys() == members(kept).keys()


def members(path: Path) -> dict[str, int]:
    with zipfile.ZipFile(path) as archive:
        return {info.filename: info.CRC for info in archive.infolist()}


def test_the_readme_and_the_questions_name_only_files_that_exist():
    named = set(re.findall(r"`([a-z]+/[\w.-]+\.\w+)`", (STUDIO / "README.md").read_text(encoding="utf-8")))
    asked = json.loads((STUDIO.parent / "evals/dataroom_questions.json").read_text(encoding="utf-8"))["questions"]
    named |= {source for each in asked for item in each["required"] for source in item.get("sources", ())}
    assert [name for name in sorted(named) if not (ROOM / name).is_file()] == []
    assert len(asked) >= 8
    assert len({each["id"] for each in asked}) == len(asked)
