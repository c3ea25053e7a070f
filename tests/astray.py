"""A worker of the fuzz campaign that hangs on one file and is taken down by another; a module, so that it can start."""

from __future__ import annotations

import os
import time
from multiprocessing.connection import Connection

from citewell.evals.fuzz import Outcome


def lead_astray(pipe: Connection) -> None:
    """Examine nothing: hang at seed 2, die at seed 4."""
    pipe.send("ready")
    while True:
        seed = pipe.recv()
        if seed == 2:
            time.sleep(60)
        if seed == 4:
            os._exit(9)
        pipe.send(Outcome(seed, "x", "text"))
