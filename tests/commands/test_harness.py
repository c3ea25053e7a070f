"""`citewell harness`: the policy is shown, checked, compared, and promoted only on results that passed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from citewell.cli import cli
from citewell.commands.exit_codes import code_and_message
from citewell.errors import UsageError
from citewell.state.harness import DEFAULT, check_promoted, load_harness
from click.testing import CliRunner, Result


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(cli, ["harness", *map(str, arguments)], standalone_mode=False)


@pytest.fixture
def policy(tmp_path: Path) -> Path:
    """The shipped policy as a draft, with a comment beside its status."""
    lines = [line for line in DEFAULT.read_text(encoding="utf-8").splitlines() if "promoted_sha256" not in line]
    text = "\n".join('status = "draft"  # not yet' if line.startswith("status =") else line for line in lines)
    path = tmp_path / "harness.toml"
    path.write_text(text + "\n", encoding="utf-8")
    return path


def results(policy: Path, *, passed: bool = True, **changes: str) -> Path:
    path = policy.with_name("results.json")
    path.write_text(json.dumps({"harness_sha256": load_harness(policy).sha256_of_content, "passed": passed} | changes))
    return path


def test_the_policy_is_shown_as_instructions_and_as_json(policy):
    shown = run("show", policy, "--question", "Write an IC-style memo on retention")
    assert f"- Harness version: {load_harness(policy).version}" in shown.output
    assert "## Guidance for this question" in shown.output
    assert json.loads(run("show", "--json").output)["sha256"] == load_harness().sha256


def test_a_valid_file_is_named_with_version_and_hash(policy):
    assert run("validate", policy).output == (f"{policy}: version 1.1.0, draft, sha256 {load_harness(policy).sha256}\n")


def test_a_wrong_field_is_named(policy):
    policy.write_text(policy.read_text().replace("max_turns = 30", 'max_turns = "many"'))
    code, message = code_and_message(run("validate", policy).exception)
    assert (code, "model_settings.max_turns" in message) == (2, True)


def test_policies_are_compared_field_by_field(policy, tmp_path):
    other = tmp_path / "other.toml"
    other.write_text(policy.read_text().replace("max_turns = 30", "max_turns = 12"))
    assert run("diff", policy, policy).return_value == 0
    compared = run("diff", policy, other)
    assert (compared.return_value, compared.output) == (1, "model_settings.max_turns: 30 -> 12\n")
    assert json.loads(run("diff", policy, other, "--json").output) == [
        {"field": "model_settings.max_turns", "before": 30, "after": 12}
    ]


def test_a_policy_that_passed_is_promoted_and_an_edit_after_that_is_refused(policy):
    promoted = run("promote", policy, "--results", results(policy))
    harness = load_harness(policy)
    assert (promoted.return_value, harness.eval_metadata.status) == (0, "promoted")
    assert harness.eval_metadata.promoted_sha256 == harness.sha256
    assert "# not yet" in policy.read_text()
    check_promoted(harness)
    policy.write_text(policy.read_text().replace("max_turns = 30", "max_turns = 31"))
    assert "edited after its promotion" in str(run("validate", policy).exception)


def test_promoting_twice_changes_nothing(policy):
    run("promote", policy, "--results", results(policy))
    before = policy.read_text()
    assert run("promote", policy, "--results", results(policy)).return_value == 0
    assert policy.read_text() == before


def test_a_policy_that_failed_stays_a_draft(policy):
    before = policy.read_text()
    assert run("promote", policy, "--results", results(policy, passed=False)).return_value == 1
    assert policy.read_text() == before


@pytest.mark.parametrize("content", ["{", "[]", '{"passed": true}'])
def test_what_is_no_result_promotes_nothing(policy, content):
    (policy.parent / "none.json").write_text(content)
    with pytest.raises(UsageError, match="no results of"):
        raise run("promote", policy, "--results", policy.parent / "none.json").exception


def test_the_results_of_another_policy_promote_nothing(policy):
    other = results(policy, harness_sha256="0" * 64)
    assert "another policy" in str(run("promote", policy, "--results", other).exception)
