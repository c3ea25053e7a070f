"""The sentences of the dated corpus, by what they state.  Those marked `held` were left aside while rules were written.

Fields: co (company), p and q (person, predecessor), role, day, month, year, place and old, n (count), amount, pct,
product, sort, goods, good, other and old_other (organisations), target, buyer, area and area2.  The second word says
what time the sentence needs: `day`, `month`, `year`, `today`, `last_month`, `now` (the document's date).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Split = Literal["open", "held"]
Needs = Literal["day", "month", "year", "today", "last_month", "yesterday", "now"]


@dataclass(frozen=True)
class Wording:
    """One way to state something."""

    split: Split
    needs: Needs
    text: str


def _w(*lines: tuple[Split, Needs, str]) -> tuple[Wording, ...]:
    return tuple(Wording(*line) for line in lines)


WORDINGS: dict[str, tuple[Wording, ...]] = {
    "role": _w(
        ("open", "today", "{co} today named {p} as its {role}."),
        ("open", "day", "{p} was appointed {role} of {co} on {day}."),
        ("open", "day", "Effective {day}, {p} became {role} of {co}, succeeding {q}."),
        ("held", "month", "In {month}, {co} promoted {p} to {role}."),
        ("open", "day", "The board of {co} elected {p} {role} with effect from {day}."),
        ("open", "month", "{p} took over from {q} as {role} of {co} in {month}."),
        ("held", "month", "{p} has been {role} of {co} since {month}."),
        ("open", "last_month", "Last month {co} appointed {p}, a former engineer, as {role}."),
        ("held", "day", "{q} handed the post of {role} at {co} to {p} on {day}."),
    ),
    "role_now": _w(
        ("open", "now", "“Demand held up well,” said {p}, {role} of {co}."),
        ("open", "now", "{p} is the {role} of {co}."),
        ("held", "now", "{co}’s {role}, {p}, opened the meeting."),
    ),
    "seat": _w(
        ("open", "now", "{co} is headquartered in {place}."),
        ("held", "now", "{co}, which is based in {place}, publishes its figures twice a year."),
        ("open", "now", "The company’s head office is located in {place}."),
    ),
    "seat_moved": _w(
        ("open", "month", "{co} moved its headquarters from {old} to {place} in {month}."),
        ("open", "day", "The company relocated its head office to {place} on {day}."),
        ("held", "month", "In {month} the group’s headquarters were transferred from {old} to {place}."),
        ("open", "month", "Since {month}, {co} has been based in {place}."),
        ("held", "day", "On {day} {co} shifted its registered office to {place}."),
        ("open", "last_month", "Last month the company moved its head office from {old} to {place}."),
    ),
    "staff": _w(
        ("open", "day", "At {day}, {co} had {n} employees."),
        ("open", "year", "{co} employed {n} people at the end of {year}."),
        ("open", "day", "The workforce stood at {n} on {day}."),
        ("held", "day", "{n} people worked for {co} as of {day}."),
        ("open", "day", "As of {day} the group employed {n} people."),
        ("held", "year", "Headcount at the end of {year} was {n}."),
    ),
    "revenue": _w(
        ("open", "year", "Revenue for {year} was {amount}."),
        ("open", "year", "{co} reported revenue of {amount} for fiscal {year}."),
        ("open", "year", "In {year}, {co} generated sales of {amount}."),
        ("held", "year", "Net sales came to {amount} in {year}."),
        ("held", "year", "{co} closed {year} with revenue of {amount}."),
        ("open", "year", "Total revenue in {year} amounted to {amount}."),
    ),
    "up": _w(
        ("open", "year", "Operating costs rose {pct}% in {year}."),
        ("open", "year", "In {year}, orders increased by {pct}%."),
        ("held", "year", "Sales grew by {pct} per cent in {year}."),
        ("open", "year", "Headcount grew {pct}% during {year}."),
    ),
    "down": _w(
        ("open", "year", "Operating profit fell {pct}% in {year}."),
        ("held", "year", "In {year} net income declined by {pct} percent."),
        ("open", "year", "Inventories decreased by {pct}% in {year}."),
    ),
    "launch": _w(
        ("open", "day", "{co} launched {product} on {day}."),
        ("open", "day", "On {day}, {co} introduced {product}, a {sort} for small workshops."),
        ("open", "today", "{co} has unveiled {product}, its latest {sort}."),
        ("held", "month", "{co} brought {product} to market in {month}."),
        ("open", "last_month", "Last month {co} released {product}."),
        ("held", "month", "{product} went on sale in {month}."),
        ("open", "yesterday", "Yesterday {co} announced the launch of {product}."),
        ("open", "month", "In {month} the company rolled out {product}."),
        ("held", "day", "{product}, a {sort}, was introduced by {co} on {day}."),
    ),
    "makes": _w(
        ("open", "now", "{co} makes {product} at its {place} plant."),
        ("open", "now", "The company manufactures {product}."),
        ("held", "now", "{product} is built by {co}."),
    ),
    "sells": _w(
        ("open", "now", "{co} sells {goods} in eleven countries."),
        ("held", "now", "{co} markets {goods} under its own name."),
    ),
    "stop": _w(
        ("open", "month", "{co} discontinued {product} in {month}."),
        ("open", "day", "{co} stopped making {product} on {day}."),
        ("held", "month", "{co} ceased production of {product} in {month}."),
        ("open", "month", "Production of {product} ended in {month}."),
        ("held", "day", "{product} was withdrawn from sale on {day}."),
        ("open", "last_month", "Last month the company phased out {product}."),
    ),
    "supply": _w(
        ("open", "now", "{other} supplies {good} to {co}."),
        ("open", "now", "{co} buys its {good} from {other}."),
        ("held", "now", "{co} sources {good} from {other}."),
        ("open", "month", "Since {month}, {other} has been {co}’s sole supplier of {good}."),
    ),
    "supply_switch": _w(
        ("open", "month", "In {month}, {co} replaced {old_other} with {other} as its supplier of {good}."),
        ("held", "month", "{co} switched its supplier of {good} from {old_other} to {other} in {month}."),
        ("open", "day", "{other} took over from {old_other} as {co}’s supplier of {good} on {day}."),
    ),
    "acquire": _w(
        ("open", "day", "{co} acquired {target} for {amount} on {day}."),
        ("open", "month", "{co} completed the acquisition of {target} in {month}."),
        ("open", "day", "On {day}, {co} bought {target}, a family-owned rival."),
        ("held", "month", "{target} became a subsidiary of {co} in {month}."),
        ("held", "day", "{co} closed its purchase of {target} on {day}."),
        ("open", "today", "{co} today acquired the valve maker {target}."),
    ),
    "divest": _w(
        ("open", "month", "{co} sold {target} to {buyer} in {month}."),
        ("open", "day", "On {day}, {co} sold its subsidiary {target} to {buyer}."),
        ("held", "month", "In {month} {target} was bought by {buyer}."),
    ),
    "partner": _w(
        ("open", "day", "{co} and {other} signed a partnership agreement on {day}."),
        ("open", "today", "{co} has entered into a research partnership with {other}."),
        ("open", "month", "{co} partnered with {other} in {month}."),
        ("held", "month", "{co} teamed up with {other} in {month}."),
        ("held", "day", "{co} formed a joint venture with {other} on {day}."),
    ),
    "part": _w(
        ("open", "month", "{co} ended its partnership with {other} in {month}."),
        ("held", "month", "In {month} {co} dissolved its joint venture with {other}."),
    ),
    "secure": _w(
        ("open", "day", "{co} secured a {amount} loan from a group of banks on {day}."),
        ("open", "month", "In {month} the company won a contract worth {amount}."),
        ("held", "month", "{co} obtained {amount} of funding in {month}."),
    ),
    "aim": _w(
        ("open", "now", "The top research priority of {co} is {area}."),
        ("open", "now", "{co}’s research priorities are {area} and {area2}."),
        ("held", "now", "Research at {co} concentrates on {area}."),
        ("open", "now", "{co} focuses its research on {area}."),
    ),
    "aim_shift": _w(
        ("open", "month", "{co} shifted its research focus from {area} to {area2} in {month}."),
        ("held", "month", "In {month}, {co} redirected its research efforts from {area} to {area2}."),
    ),
    "is": _w(
        ("open", "now", "{co} is a maker of {goods}."),
        ("held", "now", "{co} is a family-owned producer of {goods}."),
    ),
    "adopt": _w(
        ("open", "month", "{other} adopted {product} in {month}."),
        ("held", "month", "In {month}, {other} deployed {product} across its sites."),
    ),
}

FILLER = (
    "Weather did little to change demand in the region.",
    "Copies of this note are available from the press desk.",
    "The figures in this document have not been audited.",
    "Management thanked all colleagues for their work.",
    "Freight rates were a topic of many conversations this season.",
    "Nobody at the meeting asked about the dividend.",
    "Trade fairs drew larger crowds than in earlier years.",
    "The next report will follow in due course.",
    "Interest rates in the currency area moved little.",
    "Several schools visited the exhibition hall.",
    "Prices for copper and steel were volatile.",
    "Questions from shareholders were answered in writing.",
)
DECOYS = (
    "{co} denied rumours that it had acquired {decoy}.",
    "{co} may acquire {decoy} if regulators agree.",
    "The company has not launched a product for households.",
    "Analysts believe that {co} acquired too few rivals.",
    "{co} considered moving its headquarters to {place}, but did not.",
    "A report that {p} was named {role} of {co} was false.",
    "Would {co} ever buy {decoy}?",
    "{co} never supplied parts to {decoy}.",
    "If {co} had bought {decoy}, its debt would have doubled.",
    "It is untrue that {co} sold its land to {decoy}.",
    "{decoy} could become a supplier of {good} one day.",
    "Talks between {co} and {decoy} ended without a signature.",
)
