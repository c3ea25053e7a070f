"""Write the dated corpus: documents of six companies over five years, and what they state with its validity."""

# ruff: noqa: E501 - a company, a statement and a question on one line each

from __future__ import annotations

import calendar
import json
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from datetime import date, timedelta
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

from .wordings import DECOYS, FILLER, WORDINGS, Split, Wording

SEED = 7
YEARS = (2019, 2020, 2021, 2022, 2023)


@dataclass
class Gold:
    """One statement of one document.

    Attributes:
        closed_by: Places of the statements that close it; empty where it stays open or ends by its own words.
        wording: Split of the sentence, or `table` for a row.
    """

    subject: str
    predicate: str
    object: str
    value: str
    unit: str
    temporal: str
    valid_at: date | None
    invalid_at: date | None
    wording: str
    text: str = ""
    uri: str = ""
    closed_by: list[int] = field(default_factory=list)


@dataclass(frozen=True)
class Company:
    """What a company is called and deals with."""

    name: str
    people: tuple[str, ...]
    places: tuple[str, ...]
    products: tuple[str, ...]
    kind: str
    goods: str
    good: str
    suppliers: tuple[str, ...]
    targets: tuple[str, ...]
    partners: tuple[str, ...]
    areas: tuple[str, ...]
    currency: str
    revenue: float


COMPANIES = (
    Company("Harrow Pumps Ltd", ("Ines Calder", "Tomas Vey", "Ruth Amsel", "Colm Dray", "Petra Lund"), ("Leeds", "Hull", "Bergen"), ("Rillstream 4", "Rillstream 5", "Torrent X", "Mistral 2"), "circulation pump", "industrial pumps", "cast housings", ("Corvane Castings", "Dellmark Foundries"), ("Osker Valves", "Pellham Seals"), ("Tidewell Institute", "Nordlake Energy"), ("leak detection", "low-noise drives", "heat recovery"), "£", 41.0),
    Company("Quince Systems Inc", ("Mara Oduya", "Felix Brandt", "Joan Tarrow", "Devin Sorley", "Hana Kirov"), ("Austin", "Denver", "Portland"), ("Lattice One", "Lattice Two", "Harbor Suite", "Beacon 3"), "planning system", "planning software", "server hardware", ("Brightrack", "Osmont Hosting"), ("Fenwick Analytics", "Dataloom"), ("Ashgrove University", "Kestrel Freight"), ("route planning", "forecasting models", "privacy tools"), "$", 118.0),
    Company("Solvang Maritime ASA", ("Knut Eriksby", "Liv Sandnes", "Aslak Moen", "Berit Holm", "Odd Fjeld"), ("Stavanger", "Oslo", "Molde"), ("Skagen Ferry 12", "Skagen Ferry 20", "Fjordlink", "Varde 7"), "hybrid ferry", "coastal ferries", "battery packs", ("Voltera Cells", "Arctic Power"), ("Molde Yards", "Brisk Marine"), ("Havlab", "Fjordbank"), ("shore charging", "hydrogen storage", "hull coatings"), "NOK ", 905.0),
    Company("Aurelio Foods SpA", ("Chiara Bassi", "Dario Fontana", "Elena Rocca", "Marco Treves", "Silvia Conti"), ("Parma", "Verona", "Turin"), ("Grano Vivo", "Dolce Alba", "Pasta Lenta", "Orto Mio"), "pasta line", "dried pasta", "durum wheat", ("Molino Sereni", "Cereali Po"), ("Salumi Neri", "Oleificio Brandi"), ("Istituto Cerere", "Mercato Uno"), ("shelf life", "gluten reduction", "water saving"), "EUR ", 260.0),
    Company("Brackwater Mining Corporation", ("Nolan Pike", "Greta Osborne", "Samuel Achebe", "Yara Linden", "Victor Halloran"), ("Perth", "Adelaide", "Darwin"), ("Deepscan", "Orewatch 2", "Dustfall", "Corelog 9"), "survey tool", "copper concentrate", "drill bits", ("Hardmetal Works", "Tungsten Bay"), ("Redgum Minerals", "Salt Creek Resources"), ("Outback Polytechnic", "Southern Rail"), ("dust control", "tailings reuse", "remote drilling"), "A$", 530.0),
    Company("Lindqvist Textil AB", ("Ebba Norling", "Gustav Ahl", "Sigrid Palm", "Otto Renberg", "Maja Stening"), ("Malmo", "Uppsala", "Lund"), ("Nordfiber", "Silkwool 3", "Rainshell", "Loomnet"), "woven membrane", "technical fabrics", "recycled yarn", ("Garnverket", "Polyloop"), ("Vaveriet Ek", "Tygfabriken"), ("Chalmer Lab", "Sportia"), ("fibre recycling", "dye-free colours", "flame protection"), "SEK ", 318.0),
)  # fmt: skip
ROLES = ("chief executive officer", "chief financial officer")
DAY_FORMS = ("{month} {d}, {y}", "{d} {month} {y}")


@dataclass
class Page:
    """A document before it is written."""

    company: Company
    day: date
    sentences: list[str] = field(default_factory=list)
    gold: list[Gold] = field(default_factory=list)
    rows: list[tuple[str, str]] = field(default_factory=list)
    undated: bool = False


class Writer:
    """Writes the documents of all companies and keeps what they state."""

    def __init__(self, seed: int = SEED) -> None:
        self._random = Random(seed)
        self._turn: dict[str, int] = defaultdict(int)
        self.gold: list[Gold] = []
        self.pages: list[Page] = []

    def write(self, folder: Path) -> list[Gold]:
        """Write all documents and `gold.json` beside them, and return the gold statements."""
        for company in COMPANIES:
            self._company(company)
        self._orchard()
        self._undated()
        documents = folder / "documents"
        documents.mkdir(parents=True, exist_ok=True)
        for number, page in enumerate(self.pages):
            name, text = self._rendered(number, page)
            for gold in page.gold:
                gold.uri = name
            (documents / name).write_text(text, encoding="utf-8")
        self._tables(documents)
        questions = list(self._questions())
        told = {"gold": [asdict(gold) for gold in self.gold], "questions": questions}
        (folder / "gold.json").write_text(json.dumps(told, default=str, indent=1, ensure_ascii=False), encoding="utf-8")
        return self.gold

    # What happens to a company

    def _company(self, co: Company) -> None:
        pick = self._random
        start = date(2019, pick.randint(1, 4), pick.randint(2, 27))
        # Chief executives and finance chiefs.
        first = self._state(
            co, "role_now", start, "HOLDS_ROLE", co.people[0], co.name, ROLES[0], p=co.people[0], role=ROLES[0]
        )
        second = self._dated(
            co,
            "role",
            self._in(2020),
            "HOLDS_ROLE",
            co.people[1],
            co.name,
            ROLES[0],
            p=co.people[1],
            q=co.people[0],
            role=ROLES[0],
        )
        third = self._dated(
            co,
            "role",
            self._in(2022),
            "HOLDS_ROLE",
            co.people[2],
            co.name,
            ROLES[0],
            p=co.people[2],
            q=co.people[1],
            role=ROLES[0],
        )
        self._closes(first, second)
        self._closes(second, third)
        money = self._dated(
            co,
            "role",
            self._in(2019, 6),
            "HOLDS_ROLE",
            co.people[3],
            co.name,
            ROLES[1],
            p=co.people[3],
            q="Ada Wren",
            role=ROLES[1],
        )
        money2 = self._dated(
            co,
            "role",
            self._in(2021),
            "HOLDS_ROLE",
            co.people[4],
            co.name,
            ROLES[1],
            p=co.people[4],
            q=co.people[3],
            role=ROLES[1],
        )
        self._closes(money, money2)
        # Where it sits.
        seat = self._state(
            co,
            "seat",
            start + timedelta(days=40),
            "LOCATED_IN",
            co.name,
            co.places[0],
            "headquarters",
            place=co.places[0],
        )
        moved = self._dated(
            co,
            "seat_moved",
            self._in(2021),
            "LOCATED_IN",
            co.name,
            co.places[1],
            "headquarters",
            place=co.places[1],
            old=co.places[0],
        )
        self._closes(seat, moved)
        if f"from {co.places[0]}" in moved.text:
            self._same_sentence(moved, co.name, "LOCATED_IN", co.places[0], "headquarters", ends=True)
        # Products.
        self._dated(
            co,
            "launch",
            self._in(2019, 5),
            "LAUNCHED",
            co.name,
            co.products[0],
            static=True,
            product=co.products[0],
            sort=co.kind,
        )
        self._dated(
            co,
            "launch",
            self._in(2021),
            "LAUNCHED",
            co.name,
            co.products[1],
            static=True,
            product=co.products[1],
            sort=co.kind,
        )
        self._dated(
            co,
            "launch",
            self._in(2023),
            "LAUNCHED",
            co.name,
            co.products[2],
            static=True,
            product=co.products[2],
            sort=co.kind,
        )
        made = self._state(
            co, "makes", self._in(2020), "PRODUCES", co.name, co.products[0], product=co.products[0], place=co.places[0]
        )
        self._state(
            co, "makes", self._in(2022), "PRODUCES", co.name, co.products[3], product=co.products[3], place=co.places[1]
        )
        stop = self._dated(
            co, "stop", self._in(2022), "DISCONTINUED", co.name, co.products[0], static=True, product=co.products[0]
        )
        self._closes(made, stop)
        # Suppliers.
        supply = self._state(
            co,
            "supply",
            self._in(2019, 7),
            "SUPPLIES",
            co.suppliers[0],
            co.name,
            co.good,
            other=co.suppliers[0],
            good=co.good,
        )
        switch = self._dated(
            co,
            "supply_switch",
            self._in(2022),
            "SUPPLIES",
            co.suppliers[1],
            co.name,
            co.good,
            other=co.suppliers[1],
            old_other=co.suppliers[0],
            good=co.good,
        )
        ended = self._same_sentence(switch, co.suppliers[0], "SUPPLIES", co.name, co.good, ends=True)
        self._closes(supply, ended)
        # Deals.
        bought = self._dated(
            co,
            "acquire",
            self._in(2020),
            "PART_OF",
            co.targets[0],
            co.name,
            target=co.targets[0],
            amount=self._amount(co, 12),
        )
        self._dated(
            co,
            "acquire",
            self._in(2021),
            "PART_OF",
            co.targets[1],
            co.name,
            target=co.targets[1],
            amount=self._amount(co, 20),
        )
        buyer = f"{co.partners[1]} Holding"
        sold = self._dated(
            co, "divest", self._in(2023), "PART_OF", co.targets[0], buyer, target=co.targets[0], buyer=buyer
        )
        self._closes(bought, sold)
        if "to {buyer}" in sold.text or f"to {buyer}" in sold.text:
            self._same_sentence(sold, co.targets[0], "PART_OF", co.name, "", ends=True)
        together = self._dated(
            co, "partner", self._in(2020), "COLLABORATES_WITH", co.name, co.partners[0], other=co.partners[0]
        )
        apart = self._dated(
            co, "part", self._in(2023), "COLLABORATES_WITH", co.name, co.partners[0], other=co.partners[0], ends=True
        )
        self._closes(together, apart)
        # Aims.
        aim = self._state(
            co,
            "aim",
            self._in(2019, 8),
            "TARGETS",
            co.name,
            co.areas[0],
            "research focus",
            area=co.areas[0],
            area2=co.areas[2],
        )
        shift = self._dated(
            co,
            "aim_shift",
            self._in(2022),
            "TARGETS",
            co.name,
            co.areas[1],
            "research focus",
            area=co.areas[0],
            area2=co.areas[1],
        )
        self._closes(aim, shift)
        if f"{co.areas[0]} and {co.areas[2]}" in aim.text:
            other = self._same_sentence(aim, co.name, "TARGETS", co.areas[2], "research focus")
            self._closes(other, shift)
        self._same_sentence(shift, co.name, "TARGETS", co.areas[0], "research focus", ends=True)
        # One-off things, some for each.
        extra = COMPANIES.index(co)
        if extra % 2 == 0:
            amount = self._amount(co, 5)
            self._dated(
                co,
                "secure",
                self._in(2020),
                "SECURED",
                co.name,
                "",
                self._plain(amount),
                static=True,
                amount=amount,
                unit=self._unit(co),
            )
            self._state(co, "is", self._in(2019, 3), "IS_A", co.name, "", always=True, goods=co.goods)
        else:
            self._state(co, "sells", self._in(2019, 9), "SELLS", co.name, co.goods, goods=co.goods)
            self._dated(
                co,
                "adopt",
                self._in(2022),
                "ADOPTED_BY",
                co.products[1],
                co.partners[1],
                other=co.partners[1],
                product=co.products[1],
            )
        # Yearly reports.
        staff: list[Gold] = []
        number, revenue = 180 + 130 * extra, co.revenue
        for year in YEARS[:4]:
            number += self._random.randint(9, 60)
            revenue *= 1 + self._random.randint(-6, 14) / 100
            page = Page(co, date(year + 1, 2, self._random.randint(3, 26)))
            self.pages.append(page)
            amount = self._amount(co, revenue)
            self._figure(page, "revenue", year, "HAS_REVENUE", "", self._plain(amount), self._unit(co), amount=amount)
            if year % 2 == 0:
                staff.append(self._counted(page, year, number))
            way = ("up", "down")[year % 2] if extra % 3 else "up"
            pct = str(self._random.randint(2, 19))
            self._figure(page, way, year, "INCREASED" if way == "up" else "DECREASED", "?", pct, "%", pct=pct)
        for older, newer in pairwise(staff):
            self._closes(older, newer)

    def _orchard(self) -> None:
        """A document in which the name of a company is a fruit."""
        page = Page(COMPANIES[1], date(2021, 9, 3))
        page.sentences = ["Tarn Valley Orchards sells quince and pears.", "The harvest began early this autumn."]
        for fruit in ("quince", "pears"):
            self._keep(
                page,
                Gold(
                    "Tarn Valley Orchards", "SELLS", fruit, "", "", "DYNAMIC", page.day, None, "open", page.sentences[0]
                ),
            )
        self.pages.append(page)

    def _undated(self) -> None:
        """Documents without a date: what they state holds, but nobody knows since when."""
        for co in COMPANIES[:2]:
            page = Page(co, date(2020, 1, 1), undated=True)
            text = f"{co.name} sells {co.goods} in eleven countries."
            page.sentences = [text, "Last month many guests came to the open day."]
            self._keep(page, Gold(co.name, "SELLS", co.goods, "", "", "DYNAMIC", None, None, "open", text))
            self.pages.append(page)

    # Sentences

    def _dated(
        self, co: Company, kind: str, when: date, predicate: str, subject: str, thing: str, value: str = "", *,
        static: bool = False, ends: bool = False, unit: str = "", **fields: Any,
    ) -> Gold:  # fmt: skip
        """State something that happened on a day, in a document of some days or weeks later."""
        wording = self._next(kind)
        begin, after, said = _time_of(wording, when)
        page = self._page(co, said)
        if "stake" in wording.text:
            value = fields.get("pct", "")
        if predicate == "SECURED":
            thing = "loan" if "loan" in wording.text else "contract" if "contract" in wording.text else "funding"
        gold = self._say(page, wording, predicate, subject, thing, value, unit, fields, begin, when)
        gold.temporal = "STATIC" if static else "DYNAMIC"
        if static:
            gold.invalid_at = after
        if ends:
            gold.valid_at, gold.invalid_at = None, begin
        return gold

    def _state(
        self, co: Company, kind: str, day: date, predicate: str, subject: str, thing: str, value: str = "", *,
        always: bool = False, **fields: Any,
    ) -> Gold:  # fmt: skip
        """State something that holds on the document's day."""
        wording = self._next(kind)
        begin, _, said = _time_of(wording, day)
        page = self._page(co, said)
        if predicate == "IS_A":
            thing = wording.text.partition(" is a ")[2].format(**fields).rstrip(".")
        gold = self._say(page, wording, predicate, subject, thing, value, "", fields, begin, day)
        if always:
            gold.temporal, gold.valid_at = "ATEMPORAL", None
        return gold

    def _figure(
        self, page: Page, kind: str, year: int, predicate: str, target: str, value: str, unit: str, **fields: Any
    ) -> Gold:
        wording = self._next(kind)
        gold = self._say(
            page, wording, predicate, page.company.name, target, value, unit, fields, date(year, 1, 1), date(year, 1, 1)
        )
        if target == "?":
            name = wording.text.replace("In {year}", "").strip(" ,").split(" {")[0]
            for word in ("rose", "grew", "fell", "increased", "decreased", "declined", "by"):
                name = name.replace(word, "").strip()
            gold.object = {"sales": "sales"}.get(name.casefold(), name.casefold())
        gold.temporal, gold.invalid_at = "STATIC", date(year + 1, 1, 1)
        return gold

    def _counted(self, page: Page, year: int, number: int) -> Gold:
        day = date(year, 12, 31)
        wording = self._next("staff")
        return self._say(
            page, wording, "HAS_A", page.company.name, "employees", str(number), "", {"n": number}, day, day
        )

    def _same_sentence(
        self, gold: Gold, subject: str, predicate: str, target: str, value: str, *, ends: bool = False
    ) -> Gold:
        """Note another statement of a sentence that was written."""
        page = next(page for page in self.pages if gold in page.gold)
        other = Gold(subject, predicate, target, value, "", "DYNAMIC", gold.valid_at, None, gold.wording, gold.text)
        if ends:
            other.valid_at, other.invalid_at = None, gold.valid_at
        self._keep(page, other)
        return other

    def _say(
        self, page: Page, wording: Wording, predicate: str, subject: str, target: str, value: str, unit: str,
        fields: dict[str, Any], begin: date, when: date,
    ) -> Gold:  # fmt: skip
        form = self._random.choice(DAY_FORMS)
        day = form.format(month=calendar.month_name[when.month], d=when.day, y=when.year)
        text = wording.text.format(
            **(
                {"co": self._called(page)}
                | fields
                | {"day": day, "month": f"{calendar.month_name[when.month]} {when.year}", "year": when.year}
            )
        )
        page.sentences.append(text)
        gold = Gold(subject, predicate, target, value, unit, "DYNAMIC", begin, None, wording.split, text)
        self._keep(page, gold)
        return gold

    def _called(self, page: Page) -> str:
        """Return the company's name, in full the first time and short later."""
        full = page.company.name
        short = " ".join(full.split()[:-1])
        return short if any(full in sentence for sentence in page.sentences) else full

    def _keep(self, page: Page, gold: Gold) -> None:
        self.gold.append(gold)
        page.gold.append(gold)

    def _closes(self, older: Gold, newer: Gold) -> None:
        older.closed_by.append(self._place(newer))
        older.invalid_at = newer.valid_at or newer.invalid_at

    def _place(self, gold: Gold) -> int:
        return next(place for place, each in enumerate(self.gold) if each is gold)

    def _next(self, kind: str) -> Wording:
        """Take the wordings of a kind in turn."""
        several = WORDINGS[kind]
        self._turn[kind] += 1
        return several[(self._turn[kind] - 1) % len(several)]

    def _page(self, co: Company, day: date) -> Page:
        page = Page(co, day)
        self.pages.append(page)
        return page

    def _in(self, year: int, month: int = 0) -> date:
        return date(year, month or self._random.randint(2, 11), self._random.randint(2, 27))

    def _amount(self, co: Company, millions: float) -> str:
        return f"{co.currency}{millions:.1f} million"

    def _plain(self, amount: str) -> str:
        figures = "".join(char for char in amount.split(" million")[0] if char.isdigit() or char == ".")
        return f"{round(float(figures) * 1_000_000)}"

    def _unit(self, co: Company) -> str:
        return {"£": "GBP", "$": "USD", "A$": "AUD"}.get(co.currency, co.currency.strip())

    # Files

    def _rendered(self, number: int, page: Page) -> tuple[str, str]:
        """Return name and text of a document: a press note, a mail, a Markdown report."""
        pick = Random(number)
        co = page.company
        body: list[str] = []
        for sentence in page.sentences:
            body.append(sentence)
            if pick.random() < 0.7:
                body.append(pick.choice(FILLER))
        if pick.random() < 0.35 and not page.undated:
            decoy = pick.choice(DECOYS)
            body.append(
                decoy.format(
                    co=co.name,
                    decoy="Umbra Trading",
                    place="Geneva",
                    p="Ivo Stark",
                    role=pick.choice(ROLES),
                    good=co.good,
                )
            )
        text = " ".join(body)
        stem = f"{number:03d}-{co.name.split()[0].lower()}"
        if page.undated:
            return f"{stem}.txt", f"About {co.name}\n\n{text}\n"
        match pick.randint(0, 3):
            case 0:
                day = page.day.isoformat()
                return f"{stem}.md", f"---\ntitle: {co.name}\ndate: {day}\n---\n\n# {co.name}\n\n{text}\n"
            case 1:
                head = f"From: press@example.com\nTo: desk@example.com\nSubject: News from {co.name}\nDate: {page.day:%a, %d %b %Y} 09:00:00 +0000\nMIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n\n"
                return f"{stem}.eml", f"{head}{text}\n"
            case 2:
                line = (
                    f"{co.places[0].upper()}, {calendar.month_name[page.day.month]} {page.day.day}, {page.day.year} — "
                )
                return f"{stem}.txt", f"{co.name}\n\n{line}{text}\n"
            case _:
                return (
                    f"{stem}.html",
                    f'<html><head><title>{co.name}</title><meta name="date" content="{page.day}"></head><body><h1>{co.name}</h1><p>{text}</p></body></html>',
                )

    def _tables(self, documents: Path) -> None:
        """Write two registers as tables: figures of 2023, and products with their dates."""
        lines = ["Company,Year,Revenue (USD million),Employees"]
        for place, co in enumerate(COMPANIES[:4]):
            revenue, staff = 100 + 17 * place, 900 + 31 * place
            lines.append(f"{co.name},2023,{revenue}.5,{staff}")
            self.gold.append(
                Gold(
                    co.name,
                    "HAS_REVENUE",
                    "",
                    f"{revenue}500000",
                    "USD",
                    "STATIC",
                    date(2023, 1, 1),
                    date(2024, 1, 1),
                    "table",
                    lines[-1],
                    "register.csv",
                )
            )
            counted = Gold(
                co.name,
                "HAS_A",
                "employees",
                str(staff),
                "",
                "DYNAMIC",
                date(2023, 12, 31),
                None,
                "table",
                lines[-1],
                "register.csv",
            )
            self.gold.append(counted)
            last = [
                gold
                for gold in self.gold
                if (gold.subject, gold.object) == (co.name, "employees") and gold is not counted
            ][-1]
            self._closes(last, counted)
        (documents / "register.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
        lines = ["Company,Product,Launched,Discontinued"]
        for co in COMPANIES[4:]:
            lines.append(f"{co.name},{co.products[3]},2018-05-02,2023-03-01")
            self.gold.append(
                Gold(
                    co.name,
                    "LAUNCHED",
                    co.products[3],
                    "",
                    "",
                    "STATIC",
                    date(2018, 5, 2),
                    date(2018, 5, 3),
                    "table",
                    lines[-1],
                    "products.csv",
                )
            )
            stop = Gold(
                co.name,
                "DISCONTINUED",
                co.products[3],
                "",
                "",
                "STATIC",
                date(2023, 3, 1),
                date(2023, 3, 2),
                "table",
                lines[-1],
                "products.csv",
            )
            self.gold.append(stop)
            made = next(
                gold
                for gold in self.gold
                if (gold.subject, gold.predicate, gold.object) == (co.name, "PRODUCES", co.products[3])
            )
            self._closes(made, stop)
        (documents / "products.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")

    # Questions

    def _questions(self) -> Iterator[dict[str, Any]]:
        """Ask, for each company, what held or happened in windows, some in which nothing is known."""
        for co in COMPANIES:
            for predicate, entity, start, end, gives, value in (
                ("HOLDS_ROLE", co.name, date(2020, 12, 1), date(2020, 12, 31), "subject", ROLES[0]),
                ("LOCATED_IN", co.name, date(2020, 1, 1), date(2020, 12, 31), "object", "headquarters"),
                ("LAUNCHED", co.name, date(2021, 1, 1), date(2021, 12, 31), "object", ""),
                ("HAS_REVENUE", co.name, date(2020, 1, 1), date(2020, 12, 31), "value", ""),
                ("SUPPLIES", co.name, date(2023, 6, 1), date(2023, 12, 31), "subject", co.good),
                ("TARGETS", co.name, date(2023, 1, 1), date(2023, 12, 31), "object", "research focus"),
            ):
                yield self._question(predicate, entity, start, end, gives, value)
            yield self._question("PART_OF", co.name, date(2021, 12, 30), date(2021, 12, 31), "subject", "")
        for co in COMPANIES:
            yield self._question("LAUNCHED", co.name, date(2015, 1, 1), date(2016, 12, 31), "object", "")

    def _question(self, predicate: str, entity: str, start: date, end: date, gives: str, value: str) -> dict[str, Any]:
        rests_on = [
            place
            for place, gold in enumerate(self.gold)
            if gold.predicate == predicate and entity in (gold.subject, gold.object) and (not value or gold.value == value)
            and gold.temporal != "ATEMPORAL" and (gold.valid_at or gold.invalid_at)
            and (gold.valid_at or (gold.invalid_at - timedelta(days=1))) <= end  # type: ignore[operator]
            and (gold.invalid_at is None or gold.invalid_at > start)
        ]  # fmt: skip
        return {
            "predicate": predicate, "entity": entity, "start": start, "end": end, "gives": gives, "value": value,
            "expected": sorted({getattr(self.gold[place], gives) for place in rests_on}), "rests_on": rests_on,
        }  # fmt: skip


def _time_of(wording: Wording, when: date) -> tuple[date, date, date]:
    """Return first day, the day after, and the document's day, as the sentence gives the time."""
    month = when.replace(day=1)
    after_month = (month + timedelta(days=32)).replace(day=1)
    match wording.needs:
        case "month":
            return month, after_month, when + timedelta(days=19)
        case "last_month":
            return month, after_month, after_month + timedelta(days=when.day % 20)
        case "today" | "now":
            return when, when + timedelta(days=1), when
        case "yesterday":
            return when, when + timedelta(days=1), when + timedelta(days=1)
        case "year":
            return date(when.year, 1, 1), date(when.year + 1, 1, 1), when + timedelta(days=30)
        case _:
            return when, when + timedelta(days=1), when + timedelta(days=4)


def write_corpus(folder: Path, seed: int = SEED) -> list[Gold]:
    """Write the corpus into a folder: `documents/` and `gold.json`.  The same seed gives the same bytes."""
    return Writer(seed).write(folder)


def split_of(gold: Gold) -> Split | str:
    """Return whether the wording of a statement was open while rules were written."""
    return gold.wording
