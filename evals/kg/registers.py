"""Write two registers as tables: figures of 2023, and products with their dates."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

from .gold import Gold, Said
from .pages import Pages
from .story import COMPANIES

FIGURES = "register.csv"
PRODUCTS = "products.csv"


def write_registers(documents: Path, pages: Pages) -> None:
    """Write both tables, and add what their rows state."""
    _write(documents / FIGURES, _figures(pages))
    _write(documents / PRODUCTS, _products(pages))


def _figures(pages: Pages) -> list[str]:
    lines = ["Company,Year,Revenue (USD million),Employees"]
    for place, co in enumerate(COMPANIES[:4]):
        revenue, staff = 100 + 17 * place, 900 + 31 * place
        line = f"{co.name},2023,{revenue}.5,{staff}"
        lines.append(line)
        earlier = [each for each in pages.gold if (each.subject, each.object) == (co.name, "employees")]
        earned = Said(co.name, "HAS_REVENUE", "", f"{revenue}500000", "USD")
        counted = Said(co.name, "HAS_A", "employees", str(staff))
        pages.gold.append(_row(earned, "STATIC", date(2023, 1, 1), date(2024, 1, 1), line, FIGURES))
        newest = _row(counted, "DYNAMIC", date(2023, 12, 31), None, line, FIGURES)
        pages.gold.append(newest)
        pages.close(earlier[-1], newest)
    return lines


def _products(pages: Pages) -> list[str]:
    launched, discontinued = date(2018, 5, 2), date(2023, 3, 1)
    lines = ["Company,Product,Launched,Discontinued"]
    for co in COMPANIES[4:]:
        product = co.products[3]
        line = f"{co.name},{product},{launched},{discontinued}"
        lines.append(line)
        launch, stop = (
            _row(Said(co.name, predicate, product), "STATIC", day, day + timedelta(days=1), line, PRODUCTS)
            for predicate, day in (("LAUNCHED", launched), ("DISCONTINUED", discontinued))
        )
        pages.gold += [launch, stop]
        made = (co.name, "PRODUCES", product)
        pages.close(next(each for each in pages.gold if (each.subject, each.predicate, each.object) == made), stop)
    return lines


def _row(said: Said, temporal: str, valid_at: date, invalid_at: date | None, line: str, uri: str) -> Gold:
    return Gold(*said, temporal, valid_at, invalid_at, "table", line, uri)


def _write(path: Path, lines: list[str]) -> None:
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
