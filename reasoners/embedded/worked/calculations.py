"""Work out what a question plainly asks of figures in prose: a difference, a share, a year's cost, a duration."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from ....text.periods import find_periods
from ...protocol import Passage
from ...statements.inference import Inference
from ..asked.question import Question
from ..found.findings import Finding
from ..found.needed import is_about
from ..settled.drivers import own_share
from .differences import difference, difference_of_versions, distance_between
from .durations import duration
from .prices import of_a_year, of_each, of_units, share, share_of_time
from .remainders import remainder, the_year_before
from .totals import of_parts, of_so_many

_MOST_FINDINGS = 8
_HALF = 0.5


def worked_out(question: Question, findings: Sequence[Finding], passages: Sequence[Passage]) -> list[Inference]:
    """Return what follows by arithmetic from figures that passages lay side by side; nothing where it is unclear."""
    if question.language != "en":
        return []
    about = [each for each in findings if each.candidate.row is None and is_about(question, each)]
    plain = [each for each in findings if each.candidate.row is None]
    lefts = [(_last_day(each), left) for each in plain[:_MOST_FINDINGS] if (left := remainder(question, each))]
    if lefts:
        return [max(lefts, key=lambda pair: pair[0])[1]]
    for step in (the_year_before, difference, share, of_a_year, of_each, of_units):
        for finding in about[:_MOST_FINDINGS]:
            if found := step(question, finding, about):
                return [found]
    near = [each for each in plain if own_share(question, each) >= _HALF]
    for step in (share_of_time, of_so_many, of_parts):
        for finding in near[:_MOST_FINDINGS]:
            if found := step(question, finding, plain):
                return [found]
    found = difference_of_versions(question, findings, passages) or distance_between(question, findings)
    if found is not None:
        return [found]
    return duration(question, about, passages)


def _last_day(finding: Finding) -> date:
    """Return the last day that a finding tells of."""
    return max((period.end for period in find_periods(finding.candidate.text)), default=date.min)


def is_told_with(question: Question, finding: Finding) -> bool:
    """Whether a finding may stand beside what was worked out: a sentence with all words of the thing asked for."""
    return finding.candidate.row is None and is_about(question, finding)
