"""A SQLite file that several processes make at once is made for all of them."""

from __future__ import annotations

import subprocess
import sys
from contextlib import ExitStack

PROCESSES = 6
FILES = 60
WORK = """
import sys
from pathlib import Path
from citewell.state.sqlite import connect

print("ready", flush=True)
for number, _ in enumerate(sys.stdin):
    database = connect(Path(sys.argv[1]) / f"{number}.sqlite", "CREATE TABLE IF NOT EXISTS rows (word TEXT)")
    with database:
        database.execute("INSERT INTO rows VALUES ('one')")
    print(*database.execute("PRAGMA journal_mode").fetchone(), flush=True)
    database.close()
"""


def test_processes_that_make_the_same_files_at_once_all_get_them(tmp_path):
    with ExitStack() as stack:
        running = [
            stack.enter_context(
                subprocess.Popen(
                    [sys.executable, "-c", WORK, str(tmp_path)],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    text=True,
                    bufsize=1,
                )
            )
            for _ in range(PROCESSES)
        ]
        assert [process.stdout.readline() for process in running] == ["ready\n"] * PROCESSES
        for number in range(FILES):
            for process in running:
                process.stdin.write("next\n")
            assert [process.stdout.readline() for process in running] == ["wal\n"] * PROCESSES, number
        for process in running:
            process.stdin.close()
