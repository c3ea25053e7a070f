"""Two versions of one fact, a date that was moved or a price that was changed: the later one holds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

import regex

from ...protocol import Passage
from ..asked.question import Question
from ..found.dating import stated_on
from ..found.effective import effective_from
from ..found.findings import Finding
from ..found.papers import Papers
from ..found.told_periods import periods_asked
from .nearness import nearness
from .overtaken import overtaken
from .row_versions import same_but_later
from .version_values import Version, amount_in, date_in

_FIRST = 12
_MOST_ROWS = 3
_EDITION_ASKED = regex.compile(r"\b(?:version|revision|edition|rev|draft)\b", regex.IGNORECASE)
_FORMER = regex.compile(
    r"\b(?:old|original|former|previous|earlier|initial)(?:ly)?\b|\bbefore\b|\bused to\b|\b(?:at first|firstly)\b|"
    # The first shop is no former one.
    r"\bfirst (?:price|date|day|figure|estimate|version|edition|draft|amount|value|rent|fee|deadline|plan|term|limit|"
    r"planned|set|stated|given|reported|quoted|announced|named|agreed|offered|published)\b",
    regex.IGNORECASE,
)


def versions_of(
    question: Question, findings: Sequence[Finding], passages: Sequence[Passage] = ()
) -> tuple[Version, ...]:
    """Return the version that holds and then the ones before it; nothing where there are not two.

    Where none of the findings say it, any statement of the passages may call the value of the first one wrong, or give
    it anew.

    Args:
        passages: What was found, which tells which paper changes which.
    """
    told = _told_versions(question, findings, passages)
    if told:
        return told
    return tuple(
        Version(each.finding, each.value, each.key, not at, by_paper=not each.says_so)
        for at, each in enumerate(overtaken(question, findings, passages))
    )


def _told_versions(question: Question, findings: Sequence[Finding], passages: Sequence[Passage]) -> tuple[Version, ...]:
    """Return the version that holds and then the ones before it, of those that findings give.

    One of them must say that it changes something, or stand in a paper that amends or replaces the other's: two dates
    of one thing may be those of two events.

    Args:
        passages: What was found, which tells which paper changes which.
    """
    if question.answer_type not in ("date", "number"):
        return ()
    periods = periods_asked(question) if question.answer_type == "number" else ()
    if not periods and (rows := same_but_later(question, findings)):
        kept = [Version(finding, cell.text, cell.text, True, by_paper=True) for finding, cell in rows]
        return tuple({version.key: version for version in reversed(kept)}.values())[::-1][:_MOST_ROWS]
    read = date_in if question.answer_type == "date" else amount_in
    papers = Papers(passages)
    first = [finding for at, finding in enumerate(findings) if at < _FIRST or finding.candidate.clause]
    near = {id(finding): nearness(question, finding, papers) for finding in first}
    about = [finding for finding in first if near[id(finding)]]
    found = [version for finding in about if (version := read(question, finding)) is not None]
    if not _EDITION_ASKED.search(question.text):
        found = _by_paper(found, papers)
    if periods:
        return _held_at(max(period.end for period in periods), found, papers)
    changes = [version for version in found if version.changes]
    if not changes:
        return ()
    current = max(changes, key=_order)
    older: dict[str, Version] = {}
    for version in found:
        if (
            version.key != current.key
            and version.unit == current.unit
            and (version.changes or _order(version) <= _order(current))
            and all(version.changes or version.place != other.place for other in older.values())
            and (near[id(version.finding)] > 1 or papers.together(version.place, current.place))
        ):
            older.setdefault(version.key, version)
    if not older:
        # `In clause 3 the sum of EUR 60 is replaced by EUR 75` tells both.
        return (current,) if current.finding.candidate.clause and current.by_paper else ()
    return (current, *sorted(older.values(), key=_order, reverse=True))


def _held_at(day: date, found: Sequence[Version], papers: Papers) -> tuple[Version, ...]:
    """Return the version that held on a day and then the ones before it, of papers that change one another.

    Each holds from the day that it gives, else from that of its paper.  Nothing where no paper changes another's.
    """
    chain = [
        version
        for version in found
        if any(
            version.unit == other.unit
            and (papers.changes(version.place, other.place) or papers.changes(other.place, version.place))
            for other in found
        )
    ]
    chain = list({version.place: version for version in reversed(chain)}.values())
    begun = sorted(
        ((begins, version) for version in chain if (begins := _begins(version, papers)) is not None and begins <= day),
        key=lambda each: each[0],
        reverse=True,
    )
    return tuple({version.key: version for _, version in reversed(begun)}.values())[::-1]


def _begins(version: Version, papers: Papers) -> date | None:
    candidate = version.finding.candidate
    own = effective_from(candidate.text) or papers.begins(version.place)
    stated = stated_on(candidate)
    return own or (stated.start if stated else None)


def asks_for_former(question: Question) -> bool:
    """Whether a question wants what held before: both are told, the older first, and nothing is in conflict."""
    return bool(_FORMER.search(question.text))


def _by_paper(found: Sequence[Version], papers: Papers) -> list[Version]:
    """Return versions of which those in a paper that changes the paper of another one are said to change it."""

    def changed_by(version: Version, other: Version) -> bool:
        return other.key != version.key and other.unit == version.unit and papers.changes(other.place, version.place)

    return [
        replace(version, changes=True, by_paper=True)
        if any(changed_by(other, version) for other in found) and not any(changed_by(version, other) for other in found)
        else version
        for version in found
    ]


def _order(version: Version) -> tuple[str, bool]:
    stated = stated_on(version.finding.candidate)
    return stated.start.isoformat() if stated else "", version.changes
