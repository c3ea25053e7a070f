"""A run of the multi-step graph for people: claims by period, what was superseded, series, quotes and every call."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from markupsafe import Markup

from ..state.graph_answers import GraphFact, Series
from ..state.multistep import GraphClaim, MultistepReport, ToolUse
from .markdown import code, escape, shorten
from .page import asset, environment, policy_of
from .references import one_line
from .series_chart import series_chart, short_number

LEADS = {
    "answered": "",
    "partial": "Only a part of this could be answered.",
    "insufficient_evidence": "The graph holds nothing that answers this.",
    "failed": "This could not be answered.",
}


def render_markdown(report: MultistepReport) -> str:
    """Return the report as CommonMark; text of sources is escaped and makes no link, image or heading."""
    numbers = numbers_of(report)
    blocks = [f"# {escape(one_line(report.question))}", *_head(report)]
    for period, claims in by_period(report.claims):
        if period:
            blocks.append(f"## {escape(period)}")
        blocks.append(
            "\n".join(f"- {escape(one_line(c.text))}{_when(c, report)} {marks_of(c, numbers)}" for c in claims)
        )
    if closed := superseded(report):
        lines = [
            f"- {escape(one_line(each.what))} ({each.when}), superseded by: {escape(one_line(each.by))}"
            for each in closed
        ]
        blocks += ["## Superseded", "\n".join(lines)]
    for series in report.series:
        blocks += [f"## {escape(series.subject)}: {escape(series.measure)}{_in(series)}", _table(series, numbers)]
    if report.not_known:
        blocks += ["## Not known", "\n".join(f"- {escape(one_line(note))}" for note in report.not_known)]
    if report.removed:
        blocks.append("## Left out")
        blocks.append(
            "\n".join(f"- {escape(one_line(c.text))} (not supported by what was found)" for c in report.removed)
        )
    if report.facts:
        lines = [f"{number}. {_quote(fact)}" for number, fact in quotes_of(report)]
        blocks += ["## Quotes", "\n".join(lines)]
    if report.calls:
        blocks += ["## Calls", "\n".join(f"{n}. {_call(use)}" for n, use in enumerate(report.calls, start=1))]
    return "\n\n".join(blocks) + "\n"


def render_html(report: MultistepReport) -> str:
    """Return the report as one self-contained page without any script; every text of it is escaped."""
    numbers = numbers_of(report)
    style = asset("report.css") + asset("multistep.css")
    return environment().get_template("multistep.html").render(
        report=report,
        periods=by_period(report.claims),
        superseded=superseded(report),
        quotes=quotes_of(report),
        marks=lambda claim: sorted({numbers[each] for each in claim.fact_ids if each in numbers}),
        when=lambda claim: when_of(claim, report),
        lead=LEADS[report.status],
        charts=[(series, series_chart(series)) for series in report.series],
        calls=[(use, outcome_of(use)) for use in report.calls],
        told=lambda call: told_call(call.tool, call.arguments),
        one_line=one_line,
        style=Markup(style),  # noqa: S704 (our own file)
        policy=policy_of(style, ""),
    )  # fmt: skip


@dataclass(frozen=True)
class Closed:
    """What held for a time and was superseded; the same thing stated several times is one."""

    what: str
    when: str
    by: str


def quotes_of(report: MultistepReport) -> list[tuple[int, GraphFact]]:
    """Return each quote once, numbered from 1 in the order in which the claims use them, then by date."""
    used = [fact_id for claim in report.claims for fact_id in claim.fact_ids]
    facts = {fact.fact_id: fact for fact in report.facts}
    ordered = [facts[each] for each in dict.fromkeys((*used, *facts)) if each in facts]
    distinct = {(fact.uri, fact.quote): fact for fact in reversed(ordered)}
    return list(enumerate(reversed(list(distinct.values())), start=1))


def numbers_of(report: MultistepReport) -> Mapping[str, int]:
    """Return the number under which the quote of each fact is listed."""
    listed = {(fact.uri, fact.quote): number for number, fact in quotes_of(report)}
    return {fact.fact_id: listed[fact.uri, fact.quote] for fact in report.facts}


def by_period(claims: Sequence[GraphClaim]) -> list[tuple[str, list[GraphClaim]]]:
    """Return claims under their periods, in order; one empty name where there are none."""
    return [(period, list(group)) for period, group in groupby(claims, key=lambda claim: claim.period)]


def superseded(report: MultistepReport) -> list[Closed]:
    """Return what the cited facts say that a later statement closed, by date."""
    spans: dict[tuple[str, str, str, str], list[GraphFact]] = {}
    for fact in report.facts:
        if fact.superseded_by and fact.valid_at:
            spans.setdefault((fact.subject, fact.predicate, fact.what(), fact.superseded_by), []).append(fact)
    return [
        Closed(what, f"{min(str(each.valid_at) for each in facts)} to {facts[0].invalid_at}", by)
        for (_, _, what, by), facts in spans.items()
    ]


def when_of(claim: GraphClaim, report: MultistepReport) -> str:
    """Return when the first fact of a claim holds; nothing where its period tells."""
    facts = {fact.fact_id: fact for fact in report.facts}
    first = next((facts[each] for each in claim.fact_ids if each in facts), None)
    return "" if claim.period or first is None else first.when()


def told_call(tool: str, arguments: Mapping[str, object] | str) -> str:
    """Return a call as one writes it: `factual_qa(entity="Acme")`."""
    if isinstance(arguments, str):
        return f"{tool}({arguments[:200]})"
    given = ", ".join(f"{name}={json.dumps(value, ensure_ascii=False)}" for name, value in arguments.items() if value)
    return f"{tool}({given})"


def outcome_of(use: ToolUse) -> str:
    """Return what came of a call in a few words."""
    if use.error:
        return use.error
    if isinstance(use.result, dict) and isinstance(use.result.get("facts"), list):
        count = len(use.result["facts"])
        return f"{count} fact{'' if count == 1 else 's'}" if count else str(use.result.get("note") or "nothing")
    return shorten(json.dumps(use.result, ensure_ascii=False), 200)


def _head(report: MultistepReport) -> list[str]:
    lines = []
    if report.known_from and report.known_to:
        lines.append(f"The graph knows of {report.known_from} to {report.known_to}.")
    if lead := LEADS[report.status]:
        why = report.failure or report.stop_reason.replace("_", " ")
        lines.append(f"**{lead}**{f' ({escape(why)})' if why else ''}")
    lines += [f"{escape(told)}." for told in report.fallbacks]
    return ["\n".join(lines)] if lines else []


def _when(claim: GraphClaim, report: MultistepReport) -> str:
    told = when_of(claim, report)
    return f" ({told})" if told else ""


def marks_of(claim: GraphClaim, numbers: Mapping[str, int]) -> str:
    """Return the numbers of the quotes that a claim rests on: `[1] [3]`."""
    return " ".join(f"[{number}]" for number in sorted({numbers[each] for each in claim.fact_ids if each in numbers}))


def _in(series: Series) -> str:
    return f" ({escape(series.unit)})" if series.unit else ""


def _table(series: Series, numbers: Mapping[str, int]) -> str:
    cells = [
        (point.label, short_number(point.value), f"[{numbers[point.fact_id]}]" if point.fact_id in numbers else "")
        for point in series.points
    ]
    return "\n".join(["| when | value | |", "| --- | --- | --- |", *(f"| {' | '.join(cell)} |" for cell in cells)])


def _quote(fact: GraphFact) -> str:
    kind = "" if fact.statement_type == "FACT" else f"{fact.statement_type.lower()}, "
    stated = f", {fact.stated_at}" if fact.stated_at else ", undated"
    return f"{kind}“{escape(one_line(fact.quote), opens_line=False)}” ({code(fact.uri)}{stated})"


def _call(use: ToolUse) -> str:
    return f"{code(told_call(use.tool, use.arguments))} → {escape(one_line(outcome_of(use)))}"
