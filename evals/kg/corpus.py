"""Write the dated corpus: documents of six companies over five years, and what they state with its validity."""

# ruff: noqa: E501 - a company, a statement and a question on one line each

from __future__ import annotations

import calendar
import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from datetime import date, timedelta
from importlib import resources
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any, Literal

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


def _frozen(data: Mapping[str, Any]) -> dict[str, Any]:
    return {key: tuple(value) if isinstance(value, list) else value for key, value in data.items()}


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

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> Company:
        """Build a company from `story.json`."""
        return cls(**_frozen(data))


How = Literal["begins", "event", "state", "always", "also"]


@dataclass(frozen=True)
class Step:
    """One thing that is stated of each company; texts name its fields in braces.

    Attributes:
        how: `begins` on a day, an `event` of a day, a `state` on the document's day, what is `always` so, or what the
            sentence of another step says too.
        says: Subject, predicate, object, value.
        fields: What the sentence needs.
        of: For `also`, the key of the other step; where: words without which its sentence does not say it.
        year, month: When; month 0 is drawn.  Without a year it is `after_days` of the company's start.
        ends: Whether it ends on that day.
        closes: Keys of what ends with it; closed_by: key of the later step that it ends with.
        millions: The amount in the sentence.
        only: 0 or 1: every other company alone.
    """

    says: tuple[str, str, str, str]
    how: How = "begins"
    key: str = ""
    wording: str = ""
    of: str = ""
    where: str = ""
    fields: Mapping[str, str] = field(default_factory=dict)
    year: int = 0
    month: int = 0
    after_days: int = 0
    ends: bool = False
    closes: tuple[str, ...] = ()
    closed_by: str = ""
    millions: float = 0.0
    only: int | None = None

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> Step:
        """Build a step from `story.json`."""
        return cls(**_frozen(data))


_TOLD = json.loads((resources.files("citewell.evals.kg") / "story.json").read_text(encoding="utf-8"))
COMPANIES = tuple(Company.read(each) for each in _TOLD["companies"])
STEPS = tuple(Step.read(each) for each in _TOLD["steps"])
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
        turn = COMPANIES.index(co)
        start = date(2019, self._random.randint(1, 4), self._random.randint(2, 27))
        told: dict[str, Gold] = {}
        for step in STEPS:
            if step.only is None or step.only == turn % 2:
                self._step(co, step, start, told)
        self._reports(co, turn)

    def _step(self, co: Company, step: Step, start: date, told: dict[str, Gold]) -> None:
        """State one thing of a company, and close what it ends."""
        if step.how == "also":
            if step.where.format(**vars(co)) not in told[step.of].text:
                return
            subject, predicate, target, value = (text.format(**vars(co)) for text in step.says)
            gold = self._same_sentence(told[step.of], subject, predicate, target, value, ends=step.ends)
        else:
            when = self._in(step.year, step.month) if step.year else start + timedelta(days=step.after_days)
            amount = self._amount(co, step.millions)
            known = vars(co) | {"plain": self._plain(amount)}
            subject, predicate, target, value = (text.format(**known) for text in step.says)
            fields = {name: text.format(**known) for name, text in step.fields.items()} | {"amount": amount}
            if step.how in ("state", "always"):
                always = step.how == "always"
                gold = self._state(co, step.wording, when, predicate, subject, target, value, always=always, **fields)
            else:
                unit = self._unit(co) if value and step.millions else ""
                static = step.how == "event"
                gold = self._dated(
                    co, step.wording, when, predicate, subject, target, value,
                    static=static, ends=step.ends, unit=unit, **fields,
                )  # fmt: skip
        told[step.key] = gold
        for key in step.closes:
            self._closes(told[key], gold)
        if step.closed_by:
            self._closes(gold, told[step.closed_by])

    def _reports(self, co: Company, turn: int) -> None:
        """State the figures of each year in a report of the year after."""
        staff: list[Gold] = []
        number, revenue = 180 + 130 * turn, co.revenue
        for year in YEARS[:4]:
            number += self._random.randint(9, 60)
            revenue *= 1 + self._random.randint(-6, 14) / 100
            page = Page(co, date(year + 1, 2, self._random.randint(3, 26)))
            self.pages.append(page)
            amount = self._amount(co, revenue)
            self._figure(page, "revenue", year, "HAS_REVENUE", "", self._plain(amount), self._unit(co), amount=amount)
            if year % 2 == 0:
                staff.append(self._counted(page, year, number))
            way = ("up", "down")[year % 2] if turn % 3 else "up"
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
