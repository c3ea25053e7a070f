"""Ask the embedded engine over papers made on the spot, and hold what it says first to a yes, a no or neither."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import citewell


def assert_first(folder: Path, papers: Mapping[str, str], question: str, begins: str, word: str) -> None:
    """Fail unless what is said first begins so (empty: with no yes or no), holds the word and is supported."""
    for name, text in papers.items():
        (folder / name).write_text(text)
    first = citewell.research(question, docs=[folder], engine="embedded").answer.executive_summary[0]
    assert first.text.startswith(begins)
    assert begins or not first.text.startswith(("Yes. ", "No. "))
    assert word in first.text
    assert first.support == "supported"
