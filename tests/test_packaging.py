"""What a wheel holds: every package, every data file, and pins for all it needs."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
DATA = (
    "py.typed",
    "langgraph.json",
    "retrievers/data/minilm/vocab.txt",
    "retrievers/data/minilm/LICENSE",
    "reports/templates/",
    "reports/schemas/risk_register.schema.json",
    "state/data/harness.toml",
    "studio/dataroom/finance/arr_by_month.csv",
    "studio/static/index.html",
    "studio/examples/documents/harbour.md",
    "studio/dataroom/compliance/auditor_letter.pdf",
    "evals/dataroom_questions.json",
)


def test_every_folder_of_modules_is_a_listed_package():
    folders = {
        "citewell" + "".join(f".{part}" for part in path.parent.relative_to(ROOT).parts)
        for path in ROOT.rglob("__init__.py")
        if not any(part.startswith(".") or part in {"tests", "build"} for part in path.relative_to(ROOT).parts)
    }
    assert folders == set(PROJECT["tool"]["setuptools"]["packages"])


def test_no_folder_of_modules_lacks_its_init_file():
    folders = {
        path.parent.relative_to(ROOT)
        for path in ROOT.rglob("*.py")
        if not any(part.startswith(".") or part in {"tests", "build"} for part in path.relative_to(ROOT).parts)
    }
    assert [str(folder) for folder in folders if not (ROOT / folder / "__init__.py").is_file()] == []


def test_every_direct_dependency_has_a_tested_lower_bound_and_a_pin():
    groups = [PROJECT["project"]["dependencies"], *PROJECT["project"]["optional-dependencies"].values()]
    needed = [line for group in groups for line in group if not line.startswith("citewell[")]
    assert [line for line in needed if ">=" not in line] == []
    pins = dict(line.split("==") for line in (ROOT / "requirements.lock").read_text(encoding="utf-8").split())
    names = {re.sub(r"[-_.]+", "-", re.split(r"[\[>]", line)[0]).lower() for line in needed}
    assert sorted(names - {re.sub(r"[-_.]+", "-", name) for name in pins}) == []


def test_pins_are_plain_and_name_no_host():
    lines = (ROOT / "requirements.lock").read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if not re.fullmatch(r"[A-Za-z0-9._-]+==[A-Za-z0-9.!+]+", line)] == []


@pytest.mark.slow
def test_a_wheel_holds_the_modules_and_the_data(tmp_path):
    build = subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "-qq", "--no-deps", "--no-build-isolation", "-w", str(tmp_path), "."],
        cwd=_copy(tmp_path / "tree"),
        capture_output=True,
        text=True,
        check=False,
    )
    assert build.returncode == 0, build.stderr
    (wheel,) = tmp_path.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    missing = [entry for entry in DATA if not any(name.startswith(f"citewell/{entry}") for name in names)]
    assert missing == []
    assert "citewell/settings.py" in names
    assert not [name for name in names if name.startswith(("tests/", "citewell/tests/"))]
    assert [name for name in names if name.endswith("licenses/NOTICE")]


def _copy(target: Path) -> Path:
    """Copy what git would hand out, so that leftovers of the working tree do not hide a missing file."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    for name in listed.split("\0"):
        if name and (ROOT / name).is_file():
            path = target / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes((ROOT / name).read_bytes())
    return target
