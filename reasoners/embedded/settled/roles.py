"""Say who somebody is from the words right behind the name, `S. Lindqvist (director)`, or who wrote a message."""

from __future__ import annotations

from collections.abc import Sequence

import regex

from ....state.records import Quote
from ..asked.question import Question
from ..found.findings import Finding
from ..found.senders import sender_told

_WHO = regex.compile(r"^who (?:is|was|are|were) (?P<name>\p{Lu}[^?]{1,60}?)\s*\?*$", regex.IGNORECASE)
_MOST = 90


def role_of(question: Question, findings: Sequence[Finding]) -> tuple[str, Quote] | None:
    """Return a line that says who the person asked for is, and the words it rests on; None where no finding says it.

    The best ranked finding with `Name (role)` or `Name, role, …` tells it; who wrote a message, its sender line.
    """
    match = _WHO.match(question.text)
    if match is None:
        return sender_told(question, findings)
    name = match["name"].strip()
    pattern = regex.compile(
        rf"(?<!\w){regex.escape(name)}(?:\s*\((?P<role>[^()\d]{{3,{_MOST}}})\)|"
        rf",\s+(?P<role>(?:the |our |an? |co-)?(?:\p{{L}}[\p{{L}}&/-]*\s?){{1,7}}?)(?=[,.;]|$))"
    )
    for finding in findings:
        candidate = finding.candidate
        if candidate.row is not None:
            continue
        found = pattern.search(candidate.text)
        if found is None:
            continue
        start = candidate.start + found.start()
        quote = Quote(chunk_id=candidate.chunk_id, start=start, end=start + len(found.group()), text=found.group())
        return f"{name}: {' '.join(found['role'].split())}.", quote
    return None
