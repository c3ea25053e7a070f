"""Rules: revenue and other figures of a time, their changes, and counts that hold until the next one."""

# ruff: noqa: E501 - one pattern on one line

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

import regex

from ...retrievers.kg.records import Mention
from .dating import MASK
from .names import NAME
from .reading import COUNT, EDGE, MONEY, OWNER, PERCENT, SELF, SUBJECT, A, Found, Match, T, rule

_REVENUE = r"(?P<m>(?:total\s|net\s|consolidated\s|annual\s|group\s|full-year\s|overall\s|reported\s)*(?:[Rr]evenues?|[Ss]ales|[Tt]urnover)|(?:Total|Net|Consolidated|Annual|Group|Full-year|Overall|Reported)\s(?:net\s)?(?:revenues?|sales|turnover))"
_METRIC = r"(?P<m>(?:total\s|net\s|operating\s|gross\s|research\s|consolidated\s|annual\s|group\s|adjusted\s|overall\s)*(?:[Rr]evenues?|[Ss]ales|[Tt]urnover|[Pp]rofit|[Ii]ncome|[Cc]osts?|[Ee]xpenses|[Hh]eadcount|[Ww]orkforce|[Oo]utput|[Pp]roduction|[Ss]pending|[Mm]argin|[Ee]arnings|[Oo]rders|[Ii]nventor(?:y|ies)|[Ee]missions|[Dd]ebt)|(?:Total|Net|Operating|Gross|Research|Consolidated|Annual|Adjusted|Overall)\s(?:net\s|operating\s)?(?:revenues?|sales|profit|income|costs?|expenses|spending|margin|debt))"
_ABOUT = r"(?:(?:about|around|some|approximately|nearly|a\stotal\sof|a\srecord|roughly|just\sover|just\sunder|more\sthan)\s)?"
_UP = r"(?P<up>increased|rose|grew|climbed|advanced|gained|jumped|expanded|went\sup|were\sup|was\sup|improved|surged|edged\sup)"
_DOWN = r"(?P<down>decreased|declined|fell|dropped|shrank|slipped|contracted|went\sdown|were\sdown|was\sdown|slid|eased|edged\sdown)"
_STAFF = r"(?:employees|people|staff|workers|full-time\semployees|staff\smembers|full-time\sequivalents|associates|colleagues)"
_PLACES = r"(?P<u>stores|shops|branches|factories|plants|restaurants|hotels|outlets|warehouses|clinics|laboratories|vessels|aircraft)"
_HEAD = r"(?:^|(?<=[.;:,—–]\s)|(?<=\band\s)|(?<=\x01\s)|(?<=\x01,\s))(?:[Tt]he\s)?"


def _span(match: Match) -> tuple[date, date] | None:
    """Return first day and the day after of the time that a figure covers; a day, a year-end or a bound covers none."""
    time = match.time
    if time is None or time.is_day:
        return None
    return time.start, time.after


def _figure(match: Match, subject: Mention | None) -> Iterator[Found]:
    amount, span = match.amount(), _span(match)
    if subject is None or amount is None or span is None or not amount[1]:
        return
    yield from _measured(match, subject, "HAS_REVENUE", None, amount, span)


def _measured(
    match: Match, subject: Mention, predicate: str, target: str | None, amount: tuple[str, str], span: tuple[date, date]
) -> Iterator[Found]:
    named = match.found.span("s") if "s" in match.found.groupdict() and match["s"] else (0, 0)
    yield Found(
        subject,
        predicate,  # type: ignore[arg-type]
        match.start,
        match.end,
        object=Mention(name=target, kind="thing") if target else None,
        value=amount[0],
        unit=amount[1],
        temporal="STATIC",
        valid_at=span[0],
        invalid_at=span[1],
        kind=match.sentence.kind(match.start, match.end),
        named=named if regex.match(SELF, match["s"] or "") else (0, 0),
    )


def _whose(match: Match) -> Mention | None:
    """Return whose figure it is: the named owner, else the document's organisation."""
    return (
        match.sentence.org("the company")
        if not match["s"] or match["s"].casefold() in ("its", "our")
        else match.subject
    )


def _moved(match: Match) -> Iterator[Found]:
    """Give by how many per cent a metric rose or fell over the span that is told."""
    whose, span = _whose(match), _span(match)
    if whose is not None and span is not None:
        predicate = "INCREASED" if match["up"] else "DECREASED"
        yield from _measured(match, whose, predicate, _metric(match["m"]), (match["n"] or "", "%"), span)


@rule(
    rf"(?:{EDGE}{OWNER}\s|{_HEAD}){_REVENUE}{A}{T}\s(?:was|were|came\sto|came\sin\sat|amounted\sto|totall?ed|reached|stood\sat|hit)\s{_ABOUT}{MONEY}"
)
def revenue_was(match: Match) -> Iterator[Found]:
    """`Revenue for 2021 was $5.2 million`."""
    yield from _figure(match, _whose(match))


@rule(
    rf"{SUBJECT}{A}{T}(?:\s(?:has|also|again))*\s(?:reported|generated|recorded|posted|achieved|had|earned|booked|closed{T}\swith|ended{T}\swith|finished{T}\swith|made){T}\s(?:total\s|net\s|consolidated\s|annual\s|full-year\s)*(?:revenues?|sales|turnover){T}\sof\s{_ABOUT}{MONEY}"
)
def reported_revenue(match: Match) -> Iterator[Found]:
    """`Acme reported revenue of $5.2 million for 2021`."""
    yield from _figure(match, match.subject)


@rule(
    rf"{SUBJECT}{A}{T}(?:\s(?:has|also))*\s(?:reported|generated|recorded|posted|achieved|earned|booked|turned\sover){T}\s{_ABOUT}{MONEY}(?:\sin|\sof)\s(?:total\s|net\s|consolidated\s|annual\s|full-year\s)*(?:revenues?|sales|turnover)\b"
)
def generated_sales(match: Match) -> Iterator[Found]:
    """`Acme generated $5.2 million in sales in 2021`."""
    yield from _figure(match, match.subject)


@rule(rf"{SUBJECT}{A}{T}(?:\s(?:has|also))*\sturned\sover{T}\s{_ABOUT}{MONEY}")
def turned_over(match: Match) -> Iterator[Found]:
    """`Acme turned over £5.2 million in 2021`."""
    yield from _figure(match, match.subject)


@rule(rf"(?:{EDGE}{OWNER}\s|{_HEAD}){_REVENUE}\sof\s{_ABOUT}{MONEY}(?=\s?{MASK}|\s(?:was|were)\b)")
def revenue_of(match: Match) -> Iterator[Found]:
    """`Revenues of £5.2 million in 2021 were the best ever`."""
    yield from _figure(match, _whose(match))


@rule(
    rf"(?:{EDGE}{OWNER}\s|{_HEAD}){_METRIC}{T}\s(?:was|were){T}\s{_ABOUT}{PERCENT}\s(?:(?P<up>higher|up|above)|(?P<down>lower|down|below))\b"
)
def higher(match: Match) -> Iterator[Found]:
    """`Spending was 4% lower in 2021`."""
    yield from _moved(match)


@rule(
    rf"(?:{EDGE}{OWNER}\s|{_HEAD}){_REVENUE}{T}\s(?:increased|rose|grew|climbed|decreased|declined|fell|dropped|slipped|jumped){T}(?:\sby)?\s{PERCENT}{T}\sto\s{MONEY}"
)
def revenue_rose_to(match: Match) -> Iterator[Found]:
    """`Revenue increased by 12% to $5.2 million in 2021`: the sum is that year's revenue."""
    yield from _figure(match, _whose(match))


@rule(
    rf"(?:{EDGE}{OWNER}\s|{_HEAD}){_METRIC}{T}(?:\s(?:also|again|further|has|have))*\s(?:{_UP}|{_DOWN}){T}(?:\sby)?\s{_ABOUT}{PERCENT}"
)
def changed(match: Match) -> Iterator[Found]:
    """`Operating costs fell 8% in 2021`."""
    yield from _moved(match)


@rule(
    rf"(?:{EDGE}{OWNER}\s|{_HEAD}){_REVENUE}{T}\s(?:was|were|came\sto|came\sin\sat|amounted\sto|totall?ed|reached|stood\sat|hit|of)\s{_ABOUT}{MONEY}{T},?\s(?:(?P<up>up|an\sincrease\sof|a\srise\sof|growth\sof|\d+\s?%\smore)|(?P<down>down|a\sdecrease\sof|a\sdecline\sof|a\sfall\sof|a\sdrop\sof))\s{PERCENT}"
)
def revenue_up(match: Match) -> Iterator[Found]:
    """`Revenue for 2021 was $5.2 million, up 12%`."""
    yield from _moved(match)


@rule(
    rf"{SUBJECT}{A}{T}(?:\s(?:now|currently|also|and\sits\ssubsidiaries))*\s(?:had|has|employed|employs|counted){T}\s{_ABOUT}{COUNT}\s{_STAFF}\b"
)
def employs(match: Match) -> Iterator[Found]:
    """`Acme had 420 employees at the end of 2021`."""
    yield from _count(match, match.subject, "employees")


@rule(
    rf"{EDGE}(?:[Oo]ur\s|[Ii]ts\s|[Tt]he\s(?:company['’]s\s|group['’]s\s)?)?(?:[Ww]orkforce|[Hh]eadcount|[Nn]umber\sof\semployees|[Ss]taff){T}\s(?:stood\sat|was|were|numbered|reached|totall?ed|came\sto){T}\s{_ABOUT}{COUNT}(?!\s?%|[.,]\d)"
)
def headcount(match: Match) -> Iterator[Found]:
    """`The workforce stood at 420 on 31 December 2021`."""
    yield from _count(match, match.sentence.org("the company"), "employees")


@rule(
    rf"{EDGE}{COUNT}\s(?:people|employees|staff){T}\s(?:worked\s(?:for|at)|were\semployed\s(?:by|at)|were\son\sthe\spayroll\sof)\s(?P<s>{SELF}|{NAME})"
)
def worked_for(match: Match) -> Iterator[Found]:
    """`420 people worked for Acme as of 31 December 2021`."""
    yield from _count(match, match.subject, "employees")


@rule(
    rf"{SUBJECT}{A}{T}(?:\s(?:now|currently|also))*\s(?:operated|operates|ran|runs|had|has){T}\s{_ABOUT}{COUNT}\s{_PLACES}\b"
)
def operates(match: Match) -> Iterator[Found]:
    """`Acme operated 52 stores at the end of 2021`."""
    yield from _count(match, match.subject, match["u"] or "")


def _count(match: Match, subject: Mention | None, what: str) -> Iterator[Found]:
    number = (match["n"] or "").replace(",", "")
    if (
        regex.fullmatch(r"(?:19|20)\d{2}", number)
        and "," not in (match["n"] or "")
        and f"{MASK}" not in match.sentence.shown
    ):
        return  # rather a year
    present = regex.search(r"\b(?:has|employs|operates|runs)\b", match.found.group()) is not None
    yield from match.state(
        subject, "HAS_A", told_now=present, object=Mention(name=what, kind="thing"), value=number, exclusive=True
    )


def _metric(words: str | None) -> str:
    name: str = regex.sub(
        r"^(?:total|consolidated|annual|group|overall|reported|full-year)\s", "", (words or "").casefold()
    )
    return {
        "revenues": "revenue",
        "net revenues": "net revenue",
        "turnover": "revenue",
        "cost": "costs",
        "workforce": "headcount",
    }.get(name, name)


RULES = (
    revenue_was, reported_revenue, generated_sales, turned_over, revenue_of, higher, revenue_rose_to, changed, revenue_up, employs, headcount, worked_for,
    operates,
)  # fmt: skip
