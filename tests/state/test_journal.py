"""A completed call is written before it is used, found again by run and request, and counted."""

from __future__ import annotations

import asyncio
import sqlite3

import pytest
from citewell.state.budget import Usage
from citewell.state.journal import CallJournal, Recorded, request_hash


def caller(journal_result="pong", usage=None):
    made = []

    async def call() -> Recorded:
        made.append(1)
        await asyncio.sleep(0)
        return Recorded(journal_result, usage or Usage(calls=1, prompt_tokens=7, completion_tokens=3, cost_usd=0.01))

    return call, made


async def test_a_completed_call_is_not_made_again(tmp_path):
    call, made = caller({"text": "pong \udc63"})
    first = await CallJournal(tmp_path / "j.sqlite").once("r1", "model", {"q": 1}, call)
    again = await CallJournal(tmp_path / "j.sqlite").once("r1", "model", {"q": 1}, call)
    assert (len(made), first.replayed, again.replayed, again.result) == (1, False, True, first.result)


async def test_other_runs_kinds_and_requests_make_their_own_calls(tmp_path):
    journal = CallJournal(tmp_path / "j.sqlite")
    call, made = caller()
    for run, kind, request in (("r1", "model", {"q": 1}), ("r2", "model", {"q": 1}), ("r1", "search", {"q": 1})):
        await journal.once(run, kind, request, call)
    await journal.once("r1", "model", {"q": 2}, call)
    assert len(made) == 4


async def test_the_same_request_at_once_is_one_call(tmp_path):
    journal = CallJournal(tmp_path / "j.sqlite")
    call, made = caller()
    await asyncio.gather(*(journal.once("r1", "fetch", {"url": "u"}, call) for _ in range(20)))
    assert len(made) == 1


async def test_a_failed_call_is_not_recorded(tmp_path):
    journal = CallJournal(tmp_path / "j.sqlite")

    async def fail() -> Recorded:
        raise TimeoutError

    with pytest.raises(TimeoutError):
        await journal.once("r1", "fetch", {"url": "u"}, fail)
    call, made = caller()
    await journal.once("r1", "fetch", {"url": "u"}, call)
    assert len(made) == 1


async def test_what_a_run_spent_survives_and_can_be_forgotten(tmp_path):
    journal = CallJournal(tmp_path / "j.sqlite")
    for number in range(3):
        call, _ = caller()
        await journal.once("r1", "model", {"q": number}, call)
    assert journal.spent("r1") == Usage(3, 21, 9, pytest.approx(0.03))
    call, _ = caller(usage=Usage(calls=1, cost_usd=None))
    await journal.once("r1", "model", {"q": 9}, call)
    assert journal.spent("r1").cost_usd is None
    journal.forget("r1")
    assert journal.spent("r1") == Usage()


def test_looking_up_what_was_spent_makes_no_file(tmp_path):
    assert CallJournal(tmp_path / "home" / "j.sqlite").spent("r1") == Usage()
    assert not (tmp_path / "home").exists()


def test_the_request_hash_does_not_depend_on_the_order_of_keys():
    assert request_hash({"a": 1, "b": [2]}) == request_hash({"b": [2], "a": 1}) != request_hash({"a": 1, "b": [3]})


async def test_finished_runs_leave_the_journal_in_time_and_unfinished_ones_stay(tmp_path, monkeypatch):
    monkeypatch.setattr("citewell.state.journal.FINISHED_KEPT", 3)
    journal = CallJournal(tmp_path / "j.sqlite")
    for number in range(12):
        call, _ = caller()
        await journal.once(f"r{number}", "model", {"q": 1}, call)
        if number != 1:
            journal.finish(f"r{number}")
    assert [number for number in range(12) if journal.spent(f"r{number}").calls] == [1, 9, 10, 11]


async def test_runs_that_nobody_resumes_are_bounded_too(tmp_path, monkeypatch):
    monkeypatch.setattr("citewell.state.journal.UNFINISHED_KEPT", 2)
    journal = CallJournal(tmp_path / "j.sqlite")
    for number in range(5):
        call, _ = caller()
        await journal.once(f"r{number}", "model", {"q": 1}, call)
    journal.finish("r4")
    assert [number for number in range(5) if journal.spent(f"r{number}").calls] == [2, 3, 4]


async def test_finishing_twice_or_without_a_call_changes_nothing(tmp_path):
    journal = CallJournal(tmp_path / "home" / "j.sqlite")
    journal.finish("r0")
    assert not (tmp_path / "home").exists()
    call, made = caller()
    await journal.once("r1", "model", {"q": 1}, call)
    for _ in range(2):
        journal.finish("r1")
    assert (await journal.once("r1", "model", {"q": 1}, call)).replayed
    assert len(made) == 1


async def test_a_journal_of_before_is_read_and_its_runs_are_dropped_in_time(tmp_path, monkeypatch):
    call, _ = caller()
    for run in ("old-1", "old-2"):
        await CallJournal(tmp_path / "j.sqlite").once(run, "model", {"q": 1}, call)
    with sqlite3.connect(tmp_path / "j.sqlite") as before:
        before.execute("DROP TABLE runs")
        before.execute("PRAGMA user_version = 0")
    before.close()
    monkeypatch.setattr("citewell.state.journal.UNFINISHED_KEPT", 1)
    journal = CallJournal(tmp_path / "j.sqlite")
    assert journal.spent("old-1").calls == 1
    await journal.once("new", "model", {"q": 1}, call)
    journal.finish("new")
    assert [run for run in ("old-1", "old-2", "new") if journal.spent(run).calls] == ["old-2", "new"]
