"""Which post a question asks the holder of."""

from __future__ import annotations

import pytest
from citewell.reasoners.embedded.asked.posts import post_asked
from citewell.reasoners.embedded.asked.sayings import saying_asked


@pytest.mark.parametrize(
    ("question", "post", "has_body"),
    [
        ("Who is the chair of the audit committee?", "chair", True),
        ("Who is our CFO?", "CFO", False),
        ("Who is the chief revenue officer at Ostrava Glass now?", "CRO", True),
        ("Who chairs the parish council?", "chair", True),
        ("Wer ist Vorsitzende des Beirats?", "Vorsitzende", True),
        ("Wer leitet die Werkstatt?", "Leiter", True),
        ("Qui est la trésorière de l'association ?", "trésorière", True),
    ],
)
def test_a_post_is_read_with_where_it_is_held(question, post, has_body):
    found = post_asked(question)
    assert found is not None
    assert (found.text, bool(found.body)) == (post, has_body)


@pytest.mark.parametrize(
    "question",
    ["Who is Ann Lee?", "Who is responsible for the boiler?", "Who wrote the letter?", "Wer ist zurückgetreten?"],
)
def test_a_name_or_a_deed_is_no_post(question):
    assert post_asked(question) is None


@pytest.mark.parametrize(
    ("question", "who", "advises"),
    [
        ("What does the foreman advise about the roof?", {"foreman"}, True),
        ("What did Ms Tait say about slugs?", {"ms", "tait"}, False),
        ("What is the vet's advice on feeding?", {"vet"}, True),
        ("Was schlägt Herr Brodel vor?", {"brodel"}, True),
        ("Was sagt der Förster zum Wildverbiss?", {"forster"}, False),
    ],
)
def test_whose_words_are_asked_for(question, who, advises):
    found = saying_asked(question)
    assert found is not None
    assert (set(found.who), found.advises) == (who, advises)


@pytest.mark.parametrize("question", ["What does it say?", "What does the roof cost?", "Who said so?"])
def test_nobodys_words_are_asked_for(question):
    assert saying_asked(question) is None
