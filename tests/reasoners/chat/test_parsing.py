"""Replies as models really send them."""

from __future__ import annotations

import json

import pytest
from citewell.reasoners.chat.parsing import Unreadable, read_reply, spoken_text
from citewell.reasoners.prompts.fact_extractor import FactsReply
from citewell.reasoners.prompts.planner import PlanReply
from citewell.reasoners.prompts.shapes import json_schema
from citewell.reasoners.prompts.synthesizer import DraftReply


def facts(reply: str | dict) -> list[tuple[str, str]]:
    return [(fact.statement, fact.passage) for fact in read_reply(reply, FactsReply).facts]


@pytest.mark.parametrize(
    "reply",
    [
        '{"facts": [{"statement": "Rent is 9,100", "passage": 1}]}',
        '<think>{"facts": []} so</think>\n```json\n{"facts": [{"claim": "Rent is 9,100", "source": 1}]}\n```\nBye!',
        'Of course: {"facts": [{"claim": "Rent is 9,100", "source": "1",},]}',
        "{'facts': [{'claim': 'Rent is 9,100', 'source': 1}]}",
        '[{"statement": "Rent is 9,100", "passage": 1}]',
        '{"result": {"facts": [{"statement": "Rent is 9,100", "passage": 1}]}}',
        '{"facts": {"statement": "Rent is 9,100", "passage": 1}}',
        'reasoning without its start</think>{"facts": [{"statement": "Rent is 9,100", "passage": 1}]}',
        'First {not json} then {"facts": [{"statement": "Rent is 9,100", "passage": 1}]}',
    ],
)
def test_a_fact_is_read_whatever_stands_around_it(reply):
    assert facts(reply) == [("Rent is 9,100", "1")]


def test_braces_and_apostrophes_inside_texts_stay_whole():
    assert facts('{"facts": [{"statement": "Use the {rent} tag, don\'t [guess]", "passage": 1}]}') == [
        ("Use the {rent} tag, don't [guess]", "1")
    ]
    assert facts("{'facts': [{'statement': 'It isn\\'t {x}', 'passage': 1}]}") == [("It isn't {x}", "1")]


@pytest.mark.parametrize(
    ("reply", "problem"),
    [
        ('{"facts": [{"statement": "Rent is 9,1', "cut off"),
        ('{"facts": [{"statement": "Rent is 9,100", "passage": 1}', "cut off"),
        ("<think>never ends", "empty"),
        ("I cannot produce JSON.", "no JSON object"),
        ("", "empty"),
        ("{}", "no JSON object"),
        ('{"answer": 42}', "none of the fields facts"),
        ('{"facts": [{"passage": 1}]}', "statement"),
        ('{"facts": 7}', "facts"),
    ],
)
def test_what_would_have_to_be_guessed_is_refused_with_its_reason(reply, problem):
    with pytest.raises(Unreadable, match=problem):
        read_reply(reply, FactsReply)


def test_tool_arguments_are_read_as_they_are_or_as_text():
    assert facts({"facts": [{"fact": "Rent", "chunk_id": "abc:1"}]}) == [("Rent", "abc:1")]
    assert facts('{"facts": [{"fact": "Rent", "n": 2}]}') == [("Rent", "2")]


def test_plain_sentences_stand_for_sentence_objects():
    reply = read_reply('{"summary": "Rent is 9,100 [1].", "sections": null}'.replace("null", "[]"), DraftReply)
    assert [sentence.text for sentence in reply.summary] == ["Rent is 9,100 [1]."]


def test_thinking_is_no_speech():
    assert spoken_text("<thinking>a</thinking>b<think>c") == "b"


@pytest.mark.parametrize("shape", [FactsReply, PlanReply, DraftReply])
def test_a_schema_as_sent_requires_every_field_and_allows_no_other(shape):
    def check(node):
        if isinstance(node, dict):
            if node.get("type") == "object":
                assert node["required"] == list(node["properties"])
                assert node["additionalProperties"] is False
            for value in node.values():
                check(value)

    schema = json_schema(shape)
    check(schema)
    assert schema["title"] == shape.__name__
    assert "$ref" not in json.dumps(schema)
