"""Who wrote a message is told by its letterhead or its signature, where one sender is meant."""

from __future__ import annotations

import citewell
import pytest

MESSAGES = {
    "hedge.eml": "From: Bo Lind <bo@lind.example>\nTo: Ada Ek <ada@ek.example>\nDate: Mon, 06 May 2024 10:00:00 +0200\n"
    "Subject: The hedge\n\nDear Ada,\n\nthe hedge between our gardens will be trimmed on Friday.\n\nBo\n",
    "fence.eml": "From: Cy Holt <cy@holt.example>\nTo: Ada Ek <ada@ek.example>\nDate: Tue, 07 May 2024 10:00:00 +0200\n"
    "Subject: The fence\n\nDear Ada,\n\nthe fence between our gardens is broken.\n\nCy\n",
    "well.txt": "Parish council\n\nDear Ms. Ek,\n\nthe well must be covered by June.\n\nKind regards,\nDot Marr\n",
}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Who wrote the letter about the well?", "Kind regards, Dot Marr"),
        ("Who sent the mail about the hedge?", "From: Bo Lind"),
    ],
)
def test_a_sender_leads_where_one_message_is_meant(tmp_path, question, said):
    for name, text in MESSAGES.items():
        (tmp_path / name).write_text(text)
    first = citewell.research(question, docs=[tmp_path], engine="embedded").answer.executive_summary[0]
    assert first.text.startswith(said)
    assert first.support == "supported"


@pytest.mark.slow
def test_of_messages_of_several_senders_none_is_picked(tmp_path):
    for name, text in MESSAGES.items():
        (tmp_path / name).write_text(text)
    answer = citewell.research("Who wrote about our gardens?", docs=[tmp_path], engine="embedded").answer
    assert not answer.executive_summary or not answer.executive_summary[0].text.startswith("From:")
