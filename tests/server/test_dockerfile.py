"""What `langgraph build` would make an image of, and that nothing here needs a blocking loop."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from fnmatch import fnmatch
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
IGNORED = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
LANGGRAPH = Path(sys.executable).with_name("langgraph")


@pytest.fixture(scope="module")
def dockerfile(tmp_path_factory) -> str:
    target = tmp_path_factory.mktemp("image") / "Dockerfile"
    made = subprocess.run(
        [LANGGRAPH, "dockerfile", "-c", ROOT / "langgraph.json", target], capture_output=True, text=True, check=False
    )
    assert made.returncode == 0, made.stderr
    return target.read_text(encoding="utf-8")


def variable(dockerfile: str, name: str) -> dict[str, object]:
    """The JSON value of an ENV line."""
    (line,) = [line for line in dockerfile.splitlines() if line.startswith(f"ENV {name}=")]
    return dict(json.loads(line.partition("=")[2].strip("'")))


@pytest.mark.slow
def test_the_image_serves_every_graph_with_our_saver_store_and_app(dockerfile, config):
    served = variable(dockerfile, "LANGSERVE_GRAPHS")
    assert served == config["graphs"]
    assert variable(dockerfile, "LANGGRAPH_CHECKPOINTER") == config["checkpointer"]
    assert variable(dockerfile, "LANGGRAPH_STORE") == config["store"]
    assert variable(dockerfile, "LANGGRAPH_HTTP")["app"] == "citewell.studio.app:app"
    assert f"ADD . /deps/{ROOT.name}" in dockerfile


@pytest.mark.slow
def test_the_image_has_what_the_saver_and_the_tools_need_and_reads_checkpoints_strictly(dockerfile):
    for package in ("mcp>=", "langgraph-checkpoint-postgres>=", "psycopg[binary]>="):
        assert package in dockerfile
    assert "ENV LANGGRAPH_STRICT_MSGPACK=true" in dockerfile


@pytest.mark.slow
def test_what_the_image_takes_from_here_exists(dockerfile):
    taken = re.findall(r"^(?:ADD|COPY) (\S+) (\S+)$", dockerfile, re.M)
    assert taken == [(".", f"/deps/{ROOT.name}")]
    assert f"WORKDIR /deps/{ROOT.name}" in dockerfile
    assert all((ROOT / name).exists() for name in ("pyproject.toml", "langgraph.json", "README.md"))
    served = (graph["path"] for graph in variable(dockerfile, "LANGSERVE_GRAPHS").values())
    others = ("citewell.state.savers.saver", "citewell.state.savers.store", "citewell.studio.app:app")
    for name in (*served, *others):
        module, _, attribute = name.replace(":", ".").rpartition(".")
        assert hasattr(import_module(module), attribute), name


def left_out(path: str) -> bool:
    """Whether `.dockerignore` keeps a path, relative to the repository, out of an image."""
    patterns = [line for line in IGNORED if line and not line.startswith("#")]
    parts = path.split("/")
    heads = ["/".join(parts[: count + 1]) for count in range(len(parts))]
    return any(
        fnmatch(head, pattern) or (pattern.startswith("**/") and fnmatch(head.rpartition("/")[2], pattern[3:]))
        for pattern in patterns
        for head in heads
    )


def test_an_image_holds_no_threads_memories_keys_or_environments():
    made = [line.rstrip("/") for line in (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines() if line]
    kept = [name for name in (*made, ".git", ".env", "citewell.toml") if not left_out(name.replace("*", "x"))]
    assert kept == []
    assert left_out(".citewell/checkpoints.sqlite")


def test_an_image_holds_all_that_the_package_is_made_of():
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False).stdout.split()
    needed = [path for path in listed if not path.startswith(("tests/", "demo-report/", "."))]
    assert [path for path in needed if left_out(path)] == []


def test_the_configuration_names_the_schema_and_needs_no_key(config):
    assert config["$schema"].startswith("https://")
    assert not any("key" in name.lower() for name in config["env"])
    assert config["env"]["LANGGRAPH_STRICT_MSGPACK"] == "true"
    assert {"research", "chat", "diligence", "multistep"} <= set(config["graphs"])
    assert all(graph["path"] and graph["description"] for graph in config["graphs"].values())


def test_nothing_lets_a_server_block():
    files = ["langgraph.json", "Makefile", "pyproject.toml", ".ci/run", "commands/serve.py", "README.md"]
    texts = [(ROOT / name).read_text(encoding="utf-8") for name in files]
    assert not any("allow-blocking" in text or "allow_blocking" in text or "ALLOW_BLOCKING" in text for text in texts)
