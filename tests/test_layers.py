"""The rooms of the house import only what lies below them."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.mark.slow
def test_each_room_imports_only_what_lies_below_it(capsys, monkeypatch, tmp_path):
    from importlinter import cli

    monkeypatch.chdir(ROOT)
    outcome = cli.lint_imports(config_filename=str(ROOT / "pyproject.toml"), cache_dir=str(tmp_path))
    assert outcome == cli.EXIT_STATUS_SUCCESS, capsys.readouterr().out


def test_every_import_inside_the_package_is_relative():
    offenders = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in package_files()
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if line.lstrip().startswith(("import citewell", "from citewell"))
    ]
    assert offenders == []


def test_every_module_opens_with_a_docstring_and_annotations_as_text():
    files = [path for path in package_files() if path.read_text(encoding="utf-8").strip()]
    undocumented = [str(path.relative_to(ROOT)) for path in files if not path.read_text("utf-8").startswith('"""')]
    eager = [
        str(path.relative_to(ROOT))
        for path in files
        if path.name != "__init__.py" and "from __future__ import annotations" not in path.read_text("utf-8")
    ]
    assert (undocumented, eager) == ([], [])


def package_files() -> list[Path]:
    outside = {"tests", "build", "dist"}
    return sorted(
        path
        for path in ROOT.rglob("*.py")
        if not any(part.startswith(".") or part in outside for part in path.relative_to(ROOT).parts)
    )
