"""Lines become questions with sources, settings and a thread of their own, or a reason with their number."""

from __future__ import annotations

import json

import pytest
from citewell.graph.questions import Asking, read_questions
from citewell.settings import Environment, Settings


@pytest.fixture
def asking(tmp_path) -> Asking:
    return Asking(Settings(), Environment(home=tmp_path / "home"), docs=[str(tmp_path)])


def lines(*values: object) -> list[bytes]:
    return [json.dumps(value, ensure_ascii=False).encode() for value in values]


def test_a_line_is_an_object_or_the_question_alone(asking):
    text = b'\xef\xbb\xbf{"id": 7, "question": "How deep?", "settings": {"max_repairs": 0}}\r\n\n"How wide?"'
    asked, bad = read_questions(text.splitlines(), asking)
    assert [(each.line, each.name, each.question) for each in asked] == [
        (1, "7", "How deep?"),
        (3, "line-3", "How wide?"),
    ]
    assert (asked[0].context.max_repairs, asked[0].docs, bad) == (0, asking.docs and tuple(asking.docs), [])


def test_a_line_with_sources_of_its_own_takes_no_others(asking, tmp_path):
    own = tmp_path / "own.txt"
    own.write_text("x")
    (asked,), _ = read_questions(lines({"question": "q", "docs": str(own)}), asking)
    (web,), _ = read_questions(lines({"question": "q", "web": True}), asking)
    assert (asked.docs, web.docs, web.web) == ((str(own),), (), True)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"{", "is not JSON: Expecting property name enclosed in double quotes at column 2"),
        (b"[1]", "line: Input should be a valid dictionary"),
        (b'{"question": "  "}', "question: Value error, is empty"),
        (b'{"question": 5}', "question: Input should be a valid string"),
        (b'{"question": "q", "doc": "x"}', "doc: Extra inputs are not permitted"),
        (b'{"question": "q", "settings": {"rrf_k": -1}}', "settings.rrf_k: Input should be greater than or equal to 0"),
        (b'{"question": "q", "settings": {"approve_plan": true}}', "settings.approve_plan cannot be set"),
        (b'{"question": "q", "docs": ["/no/where"]}', "/no/where: no such file or folder"),
        (b'{"question": "\xff"}', "is not UTF-8: invalid start byte at byte 15"),
    ],
)
def test_a_line_that_cannot_be_used_says_why_and_stops_no_other(asking, line, reason):
    asked, (bad,) = read_questions([b'"first"', line, b'"last"'], asking)
    assert [each.question for each in asked] == ["first", "last"]
    assert (bad.line, bad.reason[: len(reason)]) == (2, reason)


def test_no_source_anywhere_is_a_bad_line_and_ids_are_told_apart(asking):
    bare = Asking(Settings(), asking.environment)
    assert "names no source" in read_questions([b'"q"'], bare)[1][0].reason
    _, (bad,) = read_questions(lines({"id": "a", "question": "q"}, {"id": "a", "question": "r"}), asking)
    assert bad.reason == "the id 'a' stands already in line 1"


def test_the_same_line_has_the_same_thread_and_what_changes_the_answer_another(asking):
    def identity(line: object, within: Asking = asking) -> str:
        return read_questions(lines(line), within)[0][0].identity

    same = identity({"question": "q", "id": "a"})
    assert same == identity("q") == identity({"question": "q", "docs": list(asking.docs)})
    other = Asking(Settings(max_facts=9), asking.environment, docs=asking.docs)
    louder = Asking(Settings(max_parallel_calls=99, trace=False), asking.environment, docs=asking.docs)
    named = Asking(Settings(), asking.environment, docs=asking.docs, name="again")
    chat = Asking(Settings(), Environment(home=asking.environment.home, openai_api_key="k"), docs=asking.docs)
    assert identity("q", louder) == same
    changed = [identity("r"), identity("q", other), identity("q", named), identity("q", chat)]
    changed.append(identity({"question": "q", "settings": {"max_repairs": 0}}))
    assert len({same, *changed}) == 6


def test_a_question_asked_twice_has_two_runs(asking):
    asked, _ = read_questions(lines("q", "q", "r", "q"), asking)
    assert len({each.identity for each in asked}) == 4
    assert [each.identity for each in read_questions(lines("q", "q", "r", "q"), asking)[0]] == [
        each.identity for each in asked
    ]
