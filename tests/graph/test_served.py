"""What the server loads carries no checkpointer and makes no file."""

from __future__ import annotations

import os
import subprocess
import sys


def test_importing_the_served_graphs_makes_no_file(tmp_path):
    code = (
        "from citewell.graph import served\n"
        "for name in ('research', 'chat', 'diligence', 'multistep'):\n"
        "    assert getattr(served, name).checkpointer is None, name\n"
    )
    env = {key: value for key, value in os.environ.items() if not key.startswith(("OPENAI_", "CITEWELL_"))}
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, env=env, check=True, timeout=120)
    assert list(tmp_path.iterdir()) == []
