"""Say who somebody is from the words right behind the name, `S. Lindqvist (director)`, or who wrote a message."""

from __future__ import annotations

from collections.abc import Sequence

import regex

from ....state.records import Quote
from ..asked.names import is_person_like, names_post
from ..asked.posts import post_asked
from ..asked.question import Question
from ..found.findings import Finding
from ..found.senders import sender_told

_WHO = regex.compile(r"^who (?:is|was|are|were) (?P<name>\p{Lu}[^?]{1,60}?)\s*\?*$", regex.IGNORECASE)
_MOST = 90
_CLAUSE = regex.compile(
    r"^(?:who|whom|whose|which|where|when|while|and|or|but|as|if|to|then|with|by|for|on|at|in|from)\b", regex.IGNORECASE
)


def role_of(question: Question, findings: Sequence[Finding]) -> tuple[str, Quote] | None:
    """Return a line that says who the person asked for is, and the words it rests on; None where no finding says it.

    The best ranked finding with `Name (role)` or `Name, role, …` tells it; who wrote a message, its sender line.
    """
    match = _WHO.match(question.text)
    if match is None:
        return sender_told(question, findings)
    told = is_person_like if post_asked(question.text) is not None else _is_role
    name = match["name"].strip()
    pattern = regex.compile(
        rf"(?<!\w){regex.escape(name)}(?:\s*\((?P<role>[^()\d]{{3,{_MOST}}})\)|"
        rf",\s+(?P<role>(?:the |our |an? |co-)?(?:\p{{L}}[\p{{L}}&/-]*\s?){{1,7}}?)(?=[,.;]|$))"
    )
    for finding in findings:
        candidate = finding.candidate
        if candidate.row is not None:
            continue
        found = next((each for each in pattern.finditer(candidate.text) if told(each["role"].strip())), None)
        if found is None:
            continue
        start = candidate.start + found.start()
        quote = Quote(chunk_id=candidate.chunk_id, start=start, end=start + len(found.group()), text=found.group())
        return f"{name}: {' '.join(found['role'].split())}.", quote
    return None


def _is_role(words: str) -> bool:
    """Whether words behind a name say what somebody is; not a clause, the next one of a list, or a place."""
    if _CLAUSE.match(words):
        return False
    return not words[:1].isupper() or names_post(words) or not (is_person_like(words) or " " not in words.strip())
