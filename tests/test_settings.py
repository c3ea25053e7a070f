"""Precedence, bounds and the environment: argument beats environment beats file beats default."""

from __future__ import annotations

import pytest
from citewell.errors import UsageError
from citewell.settings import Environment, Settings, load_settings, merge_settings, resolve_engine
from citewell.state.context import ResearchContext


def test_argument_beats_environment_beats_file_beats_default(tmp_path):
    file = tmp_path / "citewell.toml"
    file.write_text("[citewell]\nmax_facts = 10\nmax_repairs = 1\nper_query_k = 7\n")
    env = {"CITEWELL_MAX_FACTS": "20", "CITEWELL_MAX_REPAIRS": "0"}
    settings = load_settings({"max_facts": 30, "max_iterations": None}, env=env, file=file)
    chosen = (settings.max_facts, settings.max_repairs, settings.per_query_k, settings.max_iterations)
    assert chosen == (30, 0, 7, 4)


def test_only_what_a_run_context_names_beats_the_deployment():
    base = Settings(max_repairs=0, max_facts=9)
    assert merge_settings(base, ResearchContext(max_repairs=2)) == Settings(max_repairs=2, max_facts=9)
    assert merge_settings(base, None) is base


@pytest.mark.parametrize(
    ("overrides", "env", "words"),
    [
        ({"max_iterations": 0}, {}, "max_iterations (argument)"),
        ({}, {"CITEWELL_FUSION": "magic"}, "fusion (environment)"),
        ({"recursion_limit": True}, {}, "recursion_limit"),
        ({"recursion_limit": 3}, {}, "recursion_limit"),
        ({"recursion_limit": 100_000_000}, {}, "recursion_limit"),
        ({"no_such": 1}, {}, "no_such"),
    ],
)
def test_a_wrong_setting_is_one_line_with_its_name_and_origin(overrides, env, words):
    with pytest.raises(UsageError) as caught:
        load_settings(overrides, env=env)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("content", ["[citewell\n", "[other]\nx = 1\n", "citewell = 3\n"])
def test_a_broken_settings_file_is_named(tmp_path, content):
    file = tmp_path / "citewell.toml"
    file.write_text(content)
    with pytest.raises(UsageError, match=r"citewell\.toml"):
        load_settings(env={}, file=file)


def test_lists_and_tables_come_comma_separated_from_the_environment():
    env = {"CITEWELL_ALLOW_DOMAINS": "a.test, b.test", "CITEWELL_NODE_MODELS": "planner=openai:x,fixer=openai:y"}
    settings = load_settings(env=env)
    assert settings.allow_domains == ("a.test", "b.test")
    assert settings.node_models == {"planner": "openai:x", "fixer": "openai:y"}
    env = {"CITEWELL_NODE_MODELS": " planner = openai:x, fixer = openai:y, "}
    assert load_settings(env=env).node_models == {"planner": "openai:x", "fixer": "openai:y"}


@pytest.mark.parametrize("value", ["planner", "planner=", "=openai:x", "planer=openai:x"])
def test_a_model_for_a_node_that_is_none_is_refused(value):
    with pytest.raises(UsageError, match=r"NODE_MODELS: expected name=value|no such node, there are intake, planner"):
        load_settings(env={"CITEWELL_NODE_MODELS": value})


def test_auto_is_chat_where_a_key_or_base_url_is_set():
    assert resolve_engine(Settings(), Environment.read({})) == "embedded"
    assert resolve_engine(Settings(), Environment.read({"OPENAI_BASE_URL": "http://127.0.0.1:1"})) == "chat"
    assert resolve_engine(Settings(engine="embedded"), Environment.read({"OPENAI_API_KEY": "k"})) == "embedded"


def test_keys_do_not_show_in_the_representation():
    shown = repr(Environment.read({"OPENAI_API_KEY": "sk-secret", "CITEWELL_POSTGRES_URL": "postgres://u:p@h/d"}))
    assert "secret" not in shown
    assert "u:p@h" not in shown


def test_every_setting_says_what_it_is_for():
    assert [name for name, field in Settings.model_fields.items() if not field.description] == []
