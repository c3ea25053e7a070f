"""The pages over the temporal graph hold everything they need, and text of sources stays text."""

from __future__ import annotations

import re
import shutil
from datetime import UTC, date, datetime

import pytest
from citewell.reports.multistep import render_html, render_markdown
from citewell.reports.neighbourhood import drawn, render_neighbourhood
from citewell.reports.series_chart import series_chart, short_number
from citewell.retrievers.kg.store import TemporalGraph
from citewell.state.graph_answers import GraphFact, Series, SeriesPoint
from citewell.state.multistep import GraphClaim, MultistepReport, ToolUse
from kg_statements import put, said

EVIL = "</script><script>alert(1)</script><img src=x onerror=alert(1)> [link](javascript:alert(1))"
CHROMIUM = shutil.which("chromium")


def fact(number: int, quote: str, **more) -> GraphFact:
    day = date(2020, 1, number)
    return GraphFact(
        fact_id=f"e{number}.0", subject="Acme", predicate="TARGETS", object=f"area {number}", statement=quote,
        quote=quote, uri=f"{number}.md", chunk_id="x:0", stated_at=day, valid_at=day, **more,
    )  # fmt: skip


def report(**more) -> MultistepReport:
    facts = (
        fact(1, EVIL, invalid_at=date(2021, 1, 1), superseded_by="Acme targets area 2."),
        fact(2, "Acme targets area 2."),
        fact(3, "Acme targets area 2.").model_copy(update={"uri": "2.md"}),
    )
    claims = tuple(
        GraphClaim(claim_id=f"C-00{n}", text=each.quote, fact_ids=(each.fact_id,), period=period, support="supported",
                   score=0.9)
        for n, (each, period) in enumerate(zip(facts, ("2020", "2021", "2021"), strict=True), start=1)
    )  # fmt: skip
    points = tuple(SeriesPoint(on=date(year, 1, 1), label=str(year), value=value, fact_id="e2.0")
                   for year, value in ((2019, 1e6), (2020, -2.5e6), (2021, 3e6)))  # fmt: skip
    values = {
        "run_id": "r", "created_at": datetime(2026, 1, 5, tzinfo=UTC), "question": f"What about {EVIL}?",
        "engine": "embedded", "status": "partial", "known_from": date(2019, 1, 1), "known_to": date(2021, 1, 1),
        "calls": (ToolUse(call_id="1", tool="factual_qa", arguments={"entity": EVIL}, error=EVIL),),
        "claims": claims, "facts": facts,
        "series": (Series(subject=EVIL, measure="revenue", unit="EUR", points=points),),
        "not_known": (EVIL,), "removed": (claims[0].model_copy(update={"support": "unsupported"}),),
        "fallbacks": (EVIL,),
    } | more  # fmt: skip
    return MultistepReport.model_validate(values)


def test_markdown_quotes_each_source_once_and_makes_no_link_or_tag():
    text = render_markdown(report())
    outside_code = re.sub(r"`[^`]*`", "", text)
    assert "<img" not in outside_code
    assert not re.search(r"(?<!\\)\]\(javascript", outside_code)
    assert re.findall(r"(?m)^(\d+)\. ", text.split("## Quotes")[1].split("## Calls")[0]) == ["1", "2"]
    assert "## 2020" in text
    assert "area 1 (2020-01-01 to 2021-01-01), superseded by: Acme targets area 2." in text
    assert "| 2020 | -2.5 m | [2] |" in text
    assert "The graph knows of 2019-01-01 to 2021-01-01." in text


def test_the_page_has_one_style_no_script_and_a_drawing_for_each_series():
    page = render_html(report())
    assert "<script" not in page
    assert page.count("<style>") == page.count("</style>") == 1
    assert "onerror=alert(1)>" not in page
    assert page.count('<svg class="chart"') == 1
    assert not re.search(r"""(?:src|href)=["'](?!#|data:)""", page)


def test_a_failed_run_says_why():
    failed = report(status="failed", failure="the graph knows nothing yet", claims=(), facts=(), series=())
    assert "**This could not be answered.** (the graph knows nothing yet)" in render_markdown(failed)
    assert "the graph knows nothing yet" in render_html(failed)


def test_a_chart_marks_every_value_with_its_place_in_time():
    days = ((date(2019, 1, 1), 10.0), (date(2020, 1, 1), 20.0), (date(2029, 1, 1), 0.0))
    points = tuple(SeriesPoint(on=day, label=str(day.year), value=value, fact_id="f") for day, value in days)
    chart = str(series_chart(Series(subject="A & B", measure="sales", points=points)))
    places = [(float(x), float(y)) for x, y in re.findall(r'<circle cx="([\d.]+)" cy="([\d.]+)"', chart)]
    assert places[0][0] < places[1][0] < places[2][0]
    assert places[1][0] - places[0][0] < (places[2][0] - places[1][0]) / 5
    assert places[1][1] < places[0][1] < places[2][1]
    assert "A &amp; B" in chart
    assert [short_number(value) for value in (0.5, 12, 1_234, 12.4e6, 3e9, -2.5e6)] == [
        *("0.5", "12", "1.234 k", "12.4 m", "3 bn", "-2.5 m"),
    ]


@pytest.fixture
def graph(tmp_path):
    with TemporalGraph.open(tmp_path / "kg.sqlite") as opened:
        put(opened, "a.md", said("Acme", "TARGETS", "thing:tidal power", start="2016", exclusive=True),
            said("Acme", "HAS_REVENUE", value="10", unit="EUR", start="2016", end="2017", kind="STATIC"))  # fmt: skip
        put(opened, "b.md", said("Acme", "TARGETS", f"thing:{EVIL}", start="2019", exclusive=True),
            said("Borea", "SUPPLIES", "Acme", value="rope", start="2018"))  # fmt: skip
        yield opened


def test_a_drawing_has_a_place_for_each_entity_and_is_the_same_each_time(graph):
    found = graph.neighbourhood("Acme")
    nodes, edges = drawn(found)
    assert (nodes, edges) == drawn(found)
    assert nodes[0]["name"] == "Acme"
    assert (nodes[0]["x"], nodes[0]["y"]) == (0.0, 0.0)
    assert len({(node["x"], node["y"]) for node in nodes}) == len(nodes) == 5
    assert {edge["target"] for edge in edges} <= {node["id"] for node in nodes}
    assert [node["name"] for node in nodes if node["kind"] == "value"] == ["revenue"]


def test_a_drawing_keeps_text_out_of_its_markup_and_loads_nothing(graph):
    page = render_neighbourhood(graph.neighbourhood("Acme"))
    assert page.count("<script") == page.count("</script>") == 2
    assert "<img" not in page
    assert "default-src &#39;none&#39;" in page
    assert not re.search(r"""(?:src|href)=["'](?!#|data:)""", page)


@pytest.mark.browser
@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None, reason="needs Debian's chromium (apt-get install chromium)")
def test_the_day_can_be_moved_and_a_node_chosen(graph, tmp_path):
    from playwright.sync_api import sync_playwright

    path = tmp_path / "page.html"
    path.write_text(render_neighbourhood(graph.neighbourhood("Acme")), encoding="utf-8")
    complaints: list[str] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page()
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("dialog", lambda dialog: complaints.append(dialog.message))
        page.goto(path.as_uri())
        last = page.locator("#facts li").all_inner_texts()
        page.locator("#past").uncheck()
        page.locator("#day").fill("0")
        first = page.locator("#facts li").all_inner_texts()
        day = page.locator("#shown").inner_text()
        page.goto(path.as_uri() + "#2018-06-01")
        page.reload()
        by_address = page.locator("#shown").inner_text()
        page.get_by_role("button", name="Borea").click()
        chosen = page.locator("#heading").inner_text()
        browser.close()
    assert complaints == []
    assert len(last) == 4
    assert day == "2016-01-01"
    assert len(first) == 2
    assert "tidal power" in " ".join(first)
    assert by_address == "2018-01-01"
    assert chosen.casefold() == "borea"
