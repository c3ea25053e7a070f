"""A search provider that cannot be reached is a failure of the provider, and never an empty web."""

from __future__ import annotations

from pathlib import Path

import citewell
import pytest
from citewell.commands.exit_codes import exit_code_of
from citewell.settings import Environment
from servers.loopback import Asked, Reply
from servers.search_server import LocalPage, SearchServer

NOWHERE = "http://127.0.0.1:1"
QUESTION = "How deep is Lake Baikal, and how long is the Angara?"


def environment(home: Path, url: str = NOWHERE) -> Environment:
    return Environment(home=home, tavily_api_key="tvly-test", tavily_base_url=url, allow_private_hosts="1")


async def test_a_run_in_which_no_search_reached_the_web_fails_and_names_provider_and_setting(tmp_path):
    report = await citewell.aresearch(QUESTION, web=True, environment=environment(tmp_path))
    (told,) = report.answer.risks_and_limits
    assert (report.status, report.stop_reason, exit_code_of(report), report.answer.claims) == ("failed", "error", 4, ())
    assert told.startswith("no search reached the web: tavily: cannot be reached at http://127.0.0.1:1")
    assert told.endswith("(check TAVILY_BASE_URL)")


async def test_files_answer_all_the_same_and_the_report_tells_that_the_web_was_not_searched(tmp_path):
    (tmp_path / "lakes.txt").write_text("Lake Baikal is 1,642 m deep.")
    docs = tmp_path / "lakes.txt"
    report = await citewell.aresearch(QUESTION, docs=docs, web=True, environment=environment(tmp_path / "home"))
    assert "1,642 m" in report.answer.summary_text
    assert any("could not be searched" in told and "TAVILY_BASE_URL" in told for told in report.answer.risks_and_limits)


@pytest.mark.parametrize("failing", [1, 10**6])
async def test_a_web_that_was_searched_at_least_once_is_no_failure(tmp_path, failing):
    asked: list[Asked] = []

    def fail(one: Asked) -> Reply | None:
        asked.append(one)
        return Reply(403, b'{"detail": {"error": "no"}}') if len(asked) <= failing else None

    with SearchServer([LocalPage("/a", "Lakes", "Lake Baikal is 1,642 m deep.")], fail=fail) as server:
        settings = {"max_iterations": 2, "min_citations": 1}
        report = await citewell.aresearch(QUESTION, web=True, environment=environment(tmp_path, server.url), **settings)
    assert (report.status == "failed") == (failing > 1)
    assert "check TAVILY_API_KEY" in " ".join(report.answer.risks_and_limits)
