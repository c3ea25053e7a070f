"""What stands under the heading asked for is told, a list with what introduces it, a version by its own section."""

from __future__ import annotations

import citewell
import pytest

NOTES = """# Quill editor: release notes

## 3.2.0 (2025-02-11)

- New: export to EPUB.
- Fixed: the spell checker lost words with hyphens.
- Removed: the old plugin interface.

## 3.1.4 (2024-11-30)

- Fixed: a crash when a file was opened over a slow network.
- New: a dark theme for printing previews.

## 3.1.0 (2024-09-01)

- New: support for Arabic.
- Changed: the lowest memory needed is 2 GB.
"""
HANDBOOK = """# Stable handbook, Hollin Farm

## In case of fire

- Open all stable doors.
- Lead the horses to the lower paddock.
- Call 112 and then the yard manager.

## Injured horse

Keep the animal calm and fetch the first-aid box from the tack room. The vet, Dr Aline Morrow, is on 0155 204.

## Riders

Riders have to bring three things:

1. a helmet with the EN 1384 mark;
2. boots with a heel;
3. the signed consent form.

The arena closes at dusk.
"""


def told(tmp_path, question):
    (tmp_path / "notes.md").write_text(NOTES)
    (tmp_path / "handbook.md").write_text(HANDBOOK)
    summary = citewell.research(question, docs=[tmp_path], engine="embedded").answer.executive_summary
    return [claim for claim in summary if claim.support == "supported"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("What changed in version 3.2.0?", ["EPUB", "hyphens", "plugin"]),
        ("What was fixed in release 3.1.4?", ["crash"]),
        ("What was added in 3.1.0?", ["Arabic"]),
        ("What should be done in case of fire?", ["doors", "paddock", "112"]),
        ("What is to be done with an injured horse?", ["calm", "Aline Morrow"]),
        ("What do riders have to bring?", ["three things", "helmet", "heel", "consent"]),
    ],
)
def test_the_items_below_what_is_asked_for_lead_in_their_order(tmp_path, question, words):
    claims = told(tmp_path, question)
    assert [word for word, claim in zip(words, claims, strict=False) if word in claim.text] == words


@pytest.mark.slow
def test_another_version_is_not_told(tmp_path):
    assert not any("3.1" in claim.text for claim in told(tmp_path, "What is new in 3.2.0?"))


@pytest.mark.slow
def test_each_item_has_a_place_of_its_own(tmp_path):
    items = told(tmp_path, "What do riders have to bring?")[1:4]
    assert all(claim.quotes[0].text.endswith(claim.text) for claim in items)
