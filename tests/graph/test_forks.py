"""A process that is forked from one that worked already, as servers with preloaded workers do, works like any other."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")

FORKED = """
import os, sys, traceback
import citewell
from citewell.graph.wiring import default_services

{held}
{work}
print("parent", told(), flush=True)
child = os.fork()
if child == 0:
    try:
        print("child", told(), flush=True)
    except BaseException:
        traceback.print_exc()
        os._exit(1)
    os._exit(0)
assert os.waitpid(child, 0)[1] == 0
print("parent", told(), flush=True)
"""
ASKED = "told = lambda: citewell.research('How deep is Lake Baikal?', docs='docs'{more}).status"


@pytest.mark.parametrize(
    ("held", "work"),
    [
        ("", ASKED.format(more="")),
        ("services = default_services()", ASKED.format(more=", services=services")),
        (
            "corpus = citewell.Corpus.open('kept'); corpus.add_path('docs')",
            "three = lambda: [citewell.Document(uri=f'doc:{os.getpid()}:{n}', text=f'Lake {n}.') for n in range(3)]; "
            "told = lambda: corpus.add(three()) and corpus.search('Lake Baikal') and 'answered'",
        ),
        (
            "memory = citewell.Memory.open('memory', user='ann')",
            "told = lambda: memory.store(f'Number {os.getpid()} likes it.') and memory.search('likes') and 'answered'",
        ),
    ],
    ids=["research", "services", "corpus", "memory"],
)
def test_what_worked_before_a_fork_works_in_both_processes(tmp_path: Path, held: str, work: str) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "lakes.txt").write_text("Lake Baikal is 1,642 m deep.")
    env = {"PATH": os.environ["PATH"], "PYTHONPATH": os.pathsep.join(sys.path), "CITEWELL_HOME": str(tmp_path / "home")}
    with subprocess.Popen(
        [sys.executable, "-c", FORKED.format(held=held, work=work)],
        cwd=tmp_path, env=env, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
    ) as process:  # fmt: skip
        try:
            out, err = process.communicate(timeout=90)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, 9)  # the child too, which holds the pipes
            raise
    assert (out.splitlines(), process.returncode) == (["parent answered", "child answered", "parent answered"], 0), err
