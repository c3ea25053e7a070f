"""What changed between two reports: claims that are new, gone, or say another value, and verdicts that moved."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import regex

from ..state.records import Claim, Report
from ..text.numbers import find_numbers, same_value
from ..text.words import content_words
from .markdown import plain_claim

# Two claims are one that changed where they share this much of their words, figures aside.
SAME_WORDS = 0.6
_FIGURE = regex.compile(r"\p{N}")


@dataclass(frozen=True)
class Change:
    """A claim as it was and as it is."""

    before: Claim
    after: Claim


@dataclass(frozen=True)
class ReportDiff:
    """The differences from one report to another; claims in the order of their report.

    Attributes:
        values: Same words, other figures.
        worded: Other words about the same, same figures.
        support: Same text, another verdict.
        cited: Same text and verdict, other passages.
        facets: Other parts that differ, by name: before and after.
    """

    new: tuple[Claim, ...] = ()
    gone: tuple[Claim, ...] = ()
    values: tuple[Change, ...] = ()
    worded: tuple[Change, ...] = ()
    support: tuple[Change, ...] = ()
    cited: tuple[Change, ...] = ()
    facets: dict[str, tuple[str, str]] = field(default_factory=dict)

    def __bool__(self) -> bool:
        """Whether anything differs."""
        return any((self.new, self.gone, self.values, self.worded, self.support, self.cited, self.facets))


def diff_reports(before: Report, after: Report) -> ReportDiff:
    """Compare two reports.  Equal texts are paired first, then the most alike ones, each claim at most once."""
    old, new = list(before.answer.claims), list(after.answer.claims)
    same = _pair_equal(old, new)
    paired_old, paired_new = {id(x.before) for x in same}, {id(x.after) for x in same}
    rest_old = [claim for claim in old if id(claim) not in paired_old]
    rest_new = [claim for claim in new if id(claim) not in paired_new]
    changed = _pair_alike(rest_old, rest_new)
    found_old, found_new = {id(x.before) for x in changed}, {id(x.after) for x in changed}
    moved = [change for change in same if change.before.support != change.after.support]
    return ReportDiff(
        new=tuple(claim for claim in rest_new if id(claim) not in found_new),
        gone=tuple(claim for claim in rest_old if id(claim) not in found_old),
        values=tuple(change for change in changed if not _same_figures(change)),
        worded=tuple(change for change in changed if _same_figures(change)),
        support=(*moved, *(x for x in changed if x.before.support != x.after.support)),
        cited=tuple(
            change
            for change in same
            if change not in moved and set(change.before.citations) != set(change.after.citations)
        ),
        facets=_facets(before, after),
    )


def _pair_equal(old: Sequence[Claim], new: Sequence[Claim]) -> list[Change]:
    waiting: dict[str, list[Claim]] = {}
    for claim in new:
        waiting.setdefault(plain_claim(claim.text), []).append(claim)
    pairs = []
    for claim in old:
        matches = waiting.get(plain_claim(claim.text))
        if matches:
            pairs.append(Change(claim, matches.pop(0)))
    return pairs


def _pair_alike(old: Sequence[Claim], new: Sequence[Claim]) -> list[Change]:
    scored = [
        (-likeness, i, j)
        for i, before in enumerate(old)
        for j, after in enumerate(new)
        if (likeness := _likeness(before, after)) >= SAME_WORDS
    ]
    taken_old: set[int] = set()
    taken_new: set[int] = set()
    pairs = []
    for _, i, j in sorted(scored):
        if i not in taken_old and j not in taken_new:
            taken_old.add(i)
            taken_new.add(j)
            pairs.append((i, Change(old[i], new[j])))
    return [change for _, change in sorted(pairs, key=lambda pair: pair[0])]


def _likeness(before: Claim, after: Claim) -> float:
    """The share of words that two claims have in common, figures aside, in [0, 1] (Jaccard on counts)."""
    left, right = _words(before), _words(after)
    union = (left | right).total()
    return (left & right).total() / union if union else 0.0


def _words(claim: Claim) -> Counter[str]:
    return Counter(word for word in content_words(plain_claim(claim.text)) if not _FIGURE.search(word))


def _same_figures(change: Change) -> bool:
    left, right = find_numbers(plain_claim(change.before.text)), find_numbers(plain_claim(change.after.text))
    if len(left) != len(right):
        return False
    return all(any(same_value(number, other) for other in right) for number in left) and all(
        any(same_value(number, other) for other in left) for number in right
    )


def _facets(before: Report, after: Report) -> dict[str, tuple[str, str]]:
    """Differences outside the claims: question, status, conflicts, open questions, sources."""

    def conflicts(report: Report) -> str:
        return "; ".join(
            f"{x.subject} {x.attribute} {x.period}: {', '.join(v.value for v in x.values)}"
            for x in report.answer.conflicts
        )

    def sources(report: Report) -> str:
        return "; ".join(sorted(f"{x.uri} {x.status} {x.sha256[:12]}".strip() for x in report.sources))

    pairs = {
        "question": (before.question, after.question),
        "status": (before.status, after.status),
        "conflicts": (conflicts(before), conflicts(after)),
        "open_questions": (
            "; ".join(x.question for x in before.answer.open_questions),
            "; ".join(x.question for x in after.answer.open_questions),
        ),
        "sources": (sources(before), sources(after)),
    }
    return {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}
