"""What waits for one SQLite file is done in order and committed together, and only what is at fault fails."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from contextlib import closing

import pytest
from citewell.state.sqlite import connect
from citewell.state.sqlite_thread import SqliteThread


@pytest.fixture
def path(tmp_path):
    return tmp_path / "numbers.sqlite"


@pytest.fixture
def thread(path):
    opened = SqliteThread(lambda: connect(path, "CREATE TABLE IF NOT EXISTS numbers (n INTEGER PRIMARY KEY)"))
    yield opened
    opened.close()


def put(number):
    return lambda database: database.execute("INSERT INTO numbers VALUES (?)", (number,)).rowcount


def held(path):
    with closing(sqlite3.connect(path)) as other:
        return [number for (number,) in other.execute("SELECT n FROM numbers ORDER BY n")]


async def test_what_was_told_as_done_is_seen_by_others(thread, path):
    for number in range(3):
        await thread.run(put(number))
        assert held(path) == list(range(number + 1))


async def test_what_waits_meanwhile_is_committed_together_and_in_order(thread, path):
    going_on, seen = threading.Event(), []

    def first(database):
        assert going_on.wait(30)

    def then(number):
        def work(database):
            put(number)(database)
            seen.append((number, held(path)))

        return work

    waiting = asyncio.gather(thread.run(first), *(thread.run(then(number)) for number in range(20)))
    await asyncio.sleep(0)
    going_on.set()
    await waiting
    assert [number for number, _ in seen] == list(range(20))
    assert all(others == [] for _, others in seen)
    assert held(path) == list(range(20))


async def test_one_that_fails_takes_no_other_along(thread, path):
    going_on = threading.Event()
    waiting = asyncio.gather(
        thread.run(lambda database: going_on.wait(30)),
        *(thread.run(put(number)) for number in (1, 2, 1, 3)),
        return_exceptions=True,
    )
    await asyncio.sleep(0)
    going_on.set()
    _, *told = await waiting
    assert [type(one) for one in told] == [int, int, sqlite3.IntegrityError, int]
    assert held(path) == [1, 2, 3]


async def test_threads_and_loops_share_it_and_a_cancelled_waiter_disturbs_nobody(thread, path):
    cancelled = asyncio.create_task(thread.run(put(7)))
    await asyncio.sleep(0)
    cancelled.cancel()
    await asyncio.to_thread(thread.call, put(8))
    await asyncio.to_thread(asyncio.run, thread.run(put(9)))
    assert held(path) == [7, 8, 9]


async def test_a_file_that_cannot_be_opened_fails_those_who_ask_and_is_tried_again(tmp_path):
    (tmp_path / "home").write_text("a file")
    thread = SqliteThread(lambda: sqlite3.connect(tmp_path / "home" / "numbers.sqlite"))
    with pytest.raises(sqlite3.OperationalError):
        await thread.run(lambda database: None)
    (tmp_path / "home").unlink()
    (tmp_path / "home").mkdir()
    assert await thread.run(lambda database: database.execute("SELECT 1").fetchone()) == (1,)
    await asyncio.to_thread(thread.close)


def test_closing_ends_the_thread_after_what_waits_and_asking_again_starts_another(thread, path):
    before = set(threading.enumerate())
    thread.call(put(1))
    (own,) = set(threading.enumerate()) - before
    thread.close()
    assert not own.is_alive()
    thread.call(put(2))
    assert held(path) == [1, 2]


async def test_work_that_waits_for_the_next_is_committed_with_it_and_before_it(thread, path):
    seen = []

    def second(database):
        seen.append((held(path), [number for (number,) in database.execute("SELECT n FROM numbers")]))

    await asyncio.gather(thread.run_with_next(put(1)), thread.run(second))
    assert seen == [([], [1])]
    assert held(path) == [1]


async def test_work_that_waits_for_the_next_is_done_where_nothing_follows(thread, path):
    assert await thread.run_with_next(put(1)) == 1
    assert held(path) == [1]


def test_work_that_waits_is_done_at_the_end_though_nobody_waits_for_it_any_more(thread, path):
    async def broken_off():
        waiting = asyncio.ensure_future(thread.run_with_next(put(1)))
        await asyncio.sleep(0)
        waiting.cancel()

    asyncio.run(broken_off())
    thread.close()
    assert held(path) == [1]
