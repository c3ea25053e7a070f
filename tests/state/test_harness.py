"""The diligence policy is data, and a promoted one does not change behind a run's back."""

from __future__ import annotations

import tomllib

import pytest
from citewell.errors import UsageError
from citewell.state.harness import (
    DEFAULT,
    check_promoted,
    differences,
    load_harness,
    parse_harness,
    render_instructions,
)


def content() -> dict:
    return tomllib.loads(DEFAULT.read_text(encoding="utf-8"))


def test_the_shipped_policy_is_valid_and_names_the_six_artifacts():
    harness = load_harness()
    assert harness.tool_policy.required_artifacts == (
        "summary_answer.md",
        "investment_memo.md",
        "risk_register.json",
        "open_questions.md",
        "citations.json",
        "evidence_table.csv",
    )
    assert (harness.model_settings.reasoning_effort, harness.model_settings.max_turns) == ("medium", 30)


def test_instructions_hold_the_prompt_the_policy_and_the_version():
    text = render_instructions(load_harness(), "Write a memo on NRR")
    assert text.startswith("You answer a diligence question")
    assert "- runtime_tools:\n  - name: check_evidence_coverage\n    - path: " in text
    assert "- Harness version: 1.1.0" in text
    assert "Give the memo inline" in text
    assert "never derive it" in text


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Write an IC memo", ["memo"]),
        ("Which financial, legal and customer concentration risks are there?", ["three risk sections"]),
        ("A memo on financial, legal and customer-concentration risks", ["three risk sections", "memo"]),
        ("Which legal risks are there?", []),
        ("What is NRR?", ["retention"]),
        ("What is the memorable colour?", []),
        ("What is the gross margin by product?", ["any metric"]),
    ],
)
def test_guidance_opens_on_whole_words(question, names):
    assert [each.name for each in load_harness().guidance_for(question)] == names


def test_a_wrong_field_is_named():
    broken = content()
    broken["model_settings"]["reasoning_effort"] = "enormous"
    broken["colour"] = "red"
    with pytest.raises(UsageError, match=r"model_settings.reasoning_effort.*colour"):
        parse_harness(broken)


@pytest.mark.parametrize("name", ["../memo.md", "a/b.md", "", ".hidden", "c\\d"])
def test_an_artifact_outside_the_output_folder_is_refused(name):
    broken = content()
    broken["tool_policy"]["required_artifacts"] = [name]
    with pytest.raises(UsageError, match="plain file name"):
        parse_harness(broken)


def test_a_promoted_policy_that_was_edited_is_refused():
    promoted = content()
    promoted["eval_metadata"]["promoted_sha256"] = parse_harness(promoted).sha256
    check_promoted(parse_harness(promoted))
    promoted["tool_policy"]["unknown_handling"].append("guess")
    with pytest.raises(UsageError, match="edited after its promotion"):
        check_promoted(parse_harness(promoted))


def test_a_difference_names_the_field_and_both_values():
    changed = content()
    changed["version"] = changed["eval_metadata"]["version"] = "1.2.0"
    assert differences(load_harness(), parse_harness(changed)) == [
        ("version", "1.1.0", "1.2.0"),
        ("eval_metadata.version", "1.1.0", "1.2.0"),
    ]


def test_a_file_that_is_not_toml_is_a_usage_error(tmp_path):
    path = tmp_path / "harness.toml"
    path.write_text("version = ", encoding="utf-8")
    with pytest.raises(UsageError, match=r"harness\.toml"):
        load_harness(path)
