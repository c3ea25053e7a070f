"""Work on a trace, done in a thread of its own when the run has fallen quiet: in between it would hold the run up."""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable

logger = logging.getLogger(__name__)

QUIET_S = 0.01
"""A run is quiet, as a rule since it waits for a model, when nothing has ended for so long."""

LONGEST_S = 0.25
"""However busy a run is, what has ended is written after so long."""

Work = Callable[[], None]


class QuietThread:
    """Does pieces of work in the order given, burst by burst.

    Args:
        after: Done after each burst.
    """

    def __init__(self, after: Work = lambda: None) -> None:
        self._after = after
        self._left: deque[Work] = deque()
        self._came = threading.Event()
        self._closing = threading.Event()
        self._last = 0.0
        self._doing = threading.Lock()
        self._doer = 0
        self._thread: threading.Thread | None = None

    def do(self, work: Work) -> None:
        """Take a piece of work; after the end it is done at once, since nobody waits for it any more."""
        self._left.append(work)
        self._last = time.monotonic()
        if self._doer == threading.get_ident():
            return  # a piece of work that makes another: it comes in its turn
        if self._closing.is_set():
            self.catch_up()
        elif self._thread is None:
            self._thread = threading.Thread(target=self._run, name="trace", daemon=True)
            self._thread.start()
        if not self._came.is_set():  # waking a thread that is awake would cost a turn
            self._came.set()

    def catch_up(self) -> None:
        """Do what was taken so far, in the calling thread."""
        with self._doing:
            self._doer = threading.get_ident()
            try:
                while self._left:
                    while self._left:
                        _unharmed(self._left.popleft())
                    _unharmed(self._after)
            finally:
                self._doer = 0

    def close(self) -> None:
        """Do what is left and end the thread."""
        self._closing.set()
        self._came.set()
        if self._thread is not None:
            self._thread.join()
        self.catch_up()

    def _run(self) -> None:
        while not self._closing.is_set():
            self._came.wait()
            self._came.clear()
            self._fall_quiet()
            self.catch_up()

    def _fall_quiet(self) -> None:
        """Wait until nothing has come for a while."""
        until = time.monotonic() + LONGEST_S
        while (left_s := min(self._last + QUIET_S, until) - time.monotonic()) > 0:
            if self._closing.wait(left_s):
                return


def _unharmed(work: Work) -> None:
    try:
        work()
    except Exception:  # whatever a step handed over, it costs a part of the trace and nothing else
        logger.exception("a part of the trace is lost")
