from __future__ import annotations

import base64
import hashlib
import re
from html.parser import HTMLParser

import pytest
from citewell.reports.html import render_html
from citewell.state.records import Answer, Evidence, Plan
from report_builder import ANNUAL, FUEL, TEXTS, WIKI, hostile_report, sample_report


class Page(HTMLParser):
    """What a browser would find: tags with attributes, ids, and the text of each element kind."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data):
        self.texts.append(data)

    def of(self, tag):
        return [attrs for name, attrs in self.tags if name == tag]

    @property
    def ids(self):
        return [attrs["id"] for _, attrs in self.tags if "id" in attrs]


def words(html: str) -> str:
    """The text of a page on one line."""
    return " ".join("".join(Page(html).texts).split())


def test_the_page_allows_its_own_script_and_style_by_hash_and_nothing_else():
    html = render_html(sample_report())
    policy = next(attrs["content"] for attrs in Page(html).of("meta") if attrs.get("http-equiv"))
    for tag, directive in (("style", "style-src"), ("script", "script-src")):
        bodies = re.findall(rf"<{tag}>(.*?)</{tag}>", html, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(bodies[0].encode()).digest()).decode()
        assert len(bodies) == 1
        assert f"{directive} 'sha256-{digest}'" in policy
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy


def test_the_page_loads_nothing_and_carries_no_inline_handler():
    page = Page(render_html(sample_report()))
    assert page.of("img") == page.of("iframe") == page.of("object") == page.of("form") == []
    assert [attrs["href"] for attrs in page.of("link")] == ["data:,"]
    assert not [name for _, attrs in page.tags for name in attrs if name.startswith("on") or name in {"style", "src"}]


def test_only_addresses_of_pages_that_were_read_can_be_opened():
    page = Page(render_html(sample_report()))
    outside = {attrs["href"] for attrs in page.of("a") if not attrs["href"].startswith("#")}
    assert outside == {WIKI}
    assert all("noopener" in attrs["rel"] for attrs in page.of("a") if attrs["href"] == WIKI)


def test_hostile_text_stays_text_everywhere():
    html = render_html(hostile_report())
    page = Page(html)
    assert len(page.of("script")) == 1
    assert page.of("img") == []
    assert "<script>window" not in html
    assert "49" not in "".join(page.texts).split("{{7*7}}")[0][-4:]
    links = [attrs["href"] for attrs in page.of("a") if not attrs["href"].startswith("#")]
    assert all(link.startswith(("https://x.test/", "https://wiki.test/")) for link in links)


def test_every_citation_leads_to_a_reference_and_shows_its_number():
    html = render_html(sample_report())
    page = Page(html)
    targets = [attrs["href"][1:] for attrs in page.of("a") if attrs.get("class") == "cite"]
    assert targets[:2] == ["ref-1", "ref-2"]
    assert set(targets) <= set(page.ids)
    assert "[1]" in page.texts


def test_ids_are_unique_though_a_claim_is_told_twice():
    ids = Page(render_html(sample_report())).ids
    assert len(ids) == len(set(ids))
    assert "C-001" in ids


def test_the_passage_stands_whole_with_its_quotes_marked():
    html = render_html(sample_report())
    assert '<mark data-claims="C-001">Fuel cost rose to EUR 41.2 million' in html
    passages = re.findall(r'<div class="passage"[^>]*>(.*?)</div>', html, re.DOTALL)
    assert re.sub(r"</?mark[^>]*>", "", passages[0]) == TEXTS[ANNUAL]


def test_scores_places_and_queries_of_a_passage_are_shown():
    text = words(render_html(sample_report()))
    assert "page 12" in text
    assert "score 1.000 words 12.50 rank 1 meaning 0.810 rank 1 fused 0.0328" in text
    assert "Found by Brackwater Ferries fuel cost 2024" in text


def test_the_timeline_tells_rounds_gaps_issues_repairs_and_the_stop():
    text = words(render_html(sample_report()))
    for told in (
        "read 3 skipped 1 failed 1",
        "Round 1 Hits 2 New facts 2 Gaps 1",
        "Brackwater Ferries ships Hits 2 · Facts 1",
        "Q2 one figure only",
        "Round 2 Hits 1 New facts 1 Gaps 0",
        "partial C-004 the passage does not say why",
        "C-004 softened the passage says follows",
        "Stopped because a round brought too few new facts",
        "Hosts contacted wiki.test",
    ):
        assert told in text


def test_conflicts_show_each_value_with_its_quote_and_the_preferred_one():
    text = words(render_html(sample_report()))
    assert "exports/fleet.csv · structured · dated 2024-12-31 Year: 2024; Ships: 15" in text
    assert "Preferred 15. a structured export outranks a narrative" in text


@pytest.mark.parametrize("status", ["answered", "insufficient_evidence", "failed"])
def test_a_report_with_nothing_in_it_renders(status):
    empty = sample_report(
        status=status, answer=Answer(), evidence=(), facts=(), plan=None, sources=(), steps=(), issues=(), repairs=()
    )
    assert "<main" in render_html(empty)


def test_a_citation_without_a_passage_is_marked():
    assert "passage not in this report" in render_html(sample_report(evidence=()))


def test_the_page_speaks_the_language_of_the_question():
    html = render_html(sample_report(plan=Plan(goal="", subtasks=(), queries=(), language="ja")))
    assert '<html lang="ja">' in html
    assert "要約" in html


def test_missing_scores_are_left_out():
    bare = Evidence(chunk_id=FUEL.citations[0], uri=ANNUAL, text=TEXTS[ANNUAL], start=0, end=len(TEXTS[ANNUAL]))
    html = render_html(sample_report(evidence=(bare,)))
    assert "score" in html
    assert "None" not in html


def test_rendering_twice_gives_the_same_bytes():
    assert render_html(sample_report()) == render_html(sample_report())
