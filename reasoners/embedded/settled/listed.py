"""A list is told with what introduces it: the items below a heading that is asked for, or behind a colon."""

from __future__ import annotations

from collections.abc import Sequence

import regex

from ....state.records import Quote
from ..asked.question import Question
from ..asked.requests import asks_account
from ..found.candidates import Candidate
from ..found.headed import is_headed, names_all_asked
from ..found.scoring import Scored

MOST_ITEMS = 8
_MOST_SENTENCES = 3
_ITEM_CHARS = 400
_LABELS = tuple(
    (regex.compile(rf"\b(?:{verb})\b", regex.IGNORECASE), regex.compile(rf"(?:{label})\s*:", regex.IGNORECASE))
    for verb, label in (
        (r"added|introduced|new features?", "added|new|feature"),
        (r"fixed|repaired|bugs?|fixes", "fixed|fix|bug ?fix(?:es)?"),
        (r"removed|dropped", "removed|dropped"),
        (r"deprecated", "deprecated"),
    )
)
_MARK = regex.compile(r"[ \t]*(?:[-*•·▪◦–]|\(?\d{1,2}[.)]|\(?[a-z][.)])[ \t]+(?=\S)")


def below_heading(question: Question, ranked: Sequence[Scored]) -> list[Scored]:
    """Return what stands under the heading that a question asks for, in order: its list's items, else its sentences."""
    found: dict[tuple[str, tuple[int, int]], list[Scored]] = {}
    for scored in ranked:
        candidate = scored.candidate
        place = candidate.heading or candidate.section
        if place is not None and is_headed(question, candidate):
            found.setdefault((candidate.chunk_id, place), []).append(scored)
    if not found or (len(found) > 1 and not asks_account(question.text)):
        return []
    nearest = max(found.values(), key=lambda group: max(each.score for each in group))
    under = sorted(nearest, key=lambda each: each.candidate.start)
    if introduced := [each for each in under if items_behind(each.candidate)]:
        return introduced
    items = _labelled(question, [each for each in under if is_item(each.candidate)])
    if items:
        return items[:MOST_ITEMS]
    return under[:_MOST_SENTENCES] if names_all_asked(question, under[0].candidate) else []


def _labelled(question: Question, items: Sequence[Scored]) -> list[Scored]:
    """Return the items whose label says what is asked, `Fixed: …` of what was fixed; all where none does."""
    asked = next((labels for verb, labels in _LABELS if verb.search(question.text)), None)
    chosen = [each for each in items if asked is not None and asked.match(each.candidate.text)]
    return chosen or list(items)


def items_behind(candidate: Candidate) -> list[Quote]:
    """Return the items of the list that a span ending in a colon introduces; none where no list follows it."""
    text = candidate.passage.chunk.text
    if candidate.row is not None or not candidate.text.rstrip().endswith(":"):
        return []
    items: list[Quote] = []
    at = candidate.end
    while len(items) < MOST_ITEMS:
        rest = text[at:]
        gap = len(rest) - len(rest.lstrip("\n \t\r"))
        mark = _MARK.match(text, at + gap) if "\n" in rest[:gap] else None
        if mark is None:
            break
        end = _end_of_item(text, mark.end())
        items.append(Quote(chunk_id=candidate.chunk_id, start=mark.end(), end=end, text=text[mark.end() : end]))
        at = end
    return items if len(items) > 1 and all(len(each.text) <= _ITEM_CHARS for each in items) else []


def _end_of_item(text: str, start: int) -> int:
    """Return where an item ends: at the next mark, or at a blank line."""
    end = start
    for line in text[start:].split("\n"):
        if end > start and (not line.strip() or _MARK.match(line)):
            break
        end += len(line) + 1
    end = min(end - 1, len(text))
    return start + len(text[start:end].rstrip())


def is_item(candidate: Candidate) -> bool:
    """Whether a span opens an item of a list."""
    text = candidate.passage.chunk.text
    mark = _MARK.match(text, text.rfind("\n", 0, candidate.start) + 1)
    return mark is not None and mark.end() == candidate.start
