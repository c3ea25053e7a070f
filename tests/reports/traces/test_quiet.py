"""Work on a trace is done in order, burst by burst, and never lost; a fault in one piece costs that piece."""

from __future__ import annotations

import threading
from functools import partial

from citewell.reports.traces.quiet import QuietThread


def test_a_burst_is_done_in_order_in_another_thread_with_one_write_behind_it():
    done: list[object] = []
    written = threading.Event()

    def write() -> None:
        done.append("write")
        written.set()

    thread = QuietThread(write)
    for number in range(3):
        thread.do(partial(done.append, number))
    thread.do(lambda: done.append(threading.current_thread().name))
    assert written.wait(30)
    assert done == [0, 1, 2, "trace", "write"]
    thread.close()
    assert done[-1] == "write"
    assert done.count("write") == 1


def test_closing_does_what_is_left_and_what_comes_later_is_done_at_once():
    done: list[str] = []
    thread = QuietThread(lambda: done.append("write"))
    thread.do(lambda: done.append("early"))
    thread.close()
    assert done == ["early", "write"]
    thread.do(lambda: done.append("late"))
    assert done == ["early", "write", "late", "write"]


def test_work_may_make_more_work_also_after_the_end():
    done: list[str] = []
    thread = QuietThread(lambda: done.append("write"))
    thread.close()
    thread.do(lambda: thread.do(lambda: done.append("made")))
    assert done == ["made", "write"]


def test_a_piece_that_fails_costs_nothing_else(caplog):
    done: list[str] = []
    thread = QuietThread()
    thread.do(lambda: 1 / 0)
    thread.do(lambda: done.append("next"))
    thread.close()
    assert done == ["next"]
    assert "a part of the trace is lost" in caplog.text


def test_a_run_that_never_falls_quiet_is_written_all_the_same():
    written = threading.Event()
    thread = QuietThread(written.set)
    ended = threading.Event()

    def keep_on() -> None:
        while not ended.is_set():
            thread.do(lambda: None)
            ended.wait(0.001)

    busy = threading.Thread(target=keep_on)
    busy.start()
    try:
        assert written.wait(30)
    finally:
        ended.set()
        busy.join()
        thread.close()
