from __future__ import annotations

import io

import pytest
from citewell.commands.progress import Live, Plain, Silent, Story, hit_line, progress_for, time_left
from rich.console import Console


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_the_kind_of_progress_follows_where_stderr_goes():
    assert type(progress_for(quiet=True, stream=Terminal())) is Silent
    assert type(progress_for(quiet=False, stream=io.StringIO())) is Plain
    assert type(progress_for(quiet=False, stream=Terminal())) is Live


def test_counts_come_at_most_every_two_seconds_with_the_time_left(capsys):
    now = [0.0]
    plain = Plain(clock=lambda: now[0])
    for done in range(1, 11):
        now[0] = done * 1.0
        plain.step("embed", done * 10, 100)
    assert capsys.readouterr().err.splitlines() == [
        "embedding: 30 of 100, about 5 s left",
        "embedding: 50 of 100, about 4 s left",
        "embedding: 70 of 100, about 3 s left",
        "embedding: 90 of 100, about 1 s left",
        "embedding: 100 of 100",
    ]


@pytest.mark.parametrize(
    ("done", "total", "seconds", "told"),
    [
        (0, 10, 5, ""),
        (10, 10, 5, ""),
        (1, 10, 0.5, ""),
        (5, 10, 10, ", about 10 s left"),
        (1, 100, 2, ", about 3 min left"),
    ],
)
def test_time_left_is_told_once_it_is_known(done, total, seconds, told):
    assert time_left(done, total, seconds) == told


def test_first_hits_are_told_once():
    story = Story()
    hits = {"type": "hits", "hits": [{"uri": "a", "preview": "x"}] * 9}
    assert len(story.tell(hits)) == 4
    assert story.tell(hits) == []


def test_text_of_sources_cannot_act_on_a_terminal():
    lines = Story().tell({"type": "gap", "reason": "a\x1b]0;title\x07\u202eb\nc"})
    assert lines == ["gap: a]0;titleb c"]


def test_a_long_preview_is_cut():
    assert len(hit_line({"uri": "a", "page": 1, "preview": "word " * 99})) < 110


def test_a_live_display_draws_bars_and_keeps_the_lines():
    out = Terminal()
    live = Live(Console(file=out, force_terminal=True, width=100, highlight=False))
    with live:
        live.on_event({"type": "thread", "thread_id": "t-1"})
        live.on_event({"type": "progress", "stage": "embed", "done": 3, "total": 9})
        live.on_event({"type": "query", "query": "[bold]a[/bold]", "iteration": 1})
        live.on_event({"type": "fact", "fact_id": "F-1"})
        live._bars.refresh()
    assert live.thread_id == "t-1"
    assert "thread t-1" in out.getvalue()
    assert "3/9" in out.getvalue()
    assert "round 1, 1 facts" in out.getvalue()
