"""The server of the small local model is gone after its runs, whatever it is busy with."""

from __future__ import annotations

import signal
import subprocess
import sys

from citewell.evals.local_model import stop

DEAF = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('up', flush=True); time.sleep(600)"


def test_a_server_that_hears_no_signal_is_ended_all_the_same() -> None:
    with subprocess.Popen([sys.executable, "-c", DEAF], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"up\n"
        stop(process, patience_s=0.1)
        assert process.returncode == -signal.SIGKILL
