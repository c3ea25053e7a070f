"""The configuration for promptfoo holds: its provider's command, asked each question, meets each assertion."""

from __future__ import annotations

import shlex
from pathlib import Path

import citewell
import pytest
import yaml
from citewell.cli import cli
from click.testing import CliRunner

ROOT = Path(citewell.__file__).parent
CONFIG = yaml.safe_load((ROOT / "evals" / "promptfooconfig.yaml").read_text(encoding="utf-8"))
CHECKS = {
    "contains": lambda text, value: value in text,
    "contains-any": lambda text, value: any(each in text for each in value),
}


@pytest.mark.slow
@pytest.mark.parametrize("case", CONFIG["tests"], ids=lambda case: case["description"])
def test_a_case_of_the_configuration_passes(case, monkeypatch):
    monkeypatch.chdir(ROOT)
    (provider,) = CONFIG["providers"]
    program, *command = shlex.split(provider["id"].removeprefix("exec:"))
    asked = CliRunner().invoke(cli, [*command, case["vars"]["question"]])
    assert program == "citewell"
    assert asked.exit_code in (0, 3)
    for check in case["assert"]:
        assert CHECKS[check["type"]](asked.stdout, check["value"])
