"""Find a claim that says of now what a passage names as the value that was replaced: `moved from May to June`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import regex

from ...text.numbers import same_value
from ...text.periods import find_periods, same_period
from .alignment import Alignment
from .reading import Reading
from .tense import PAST
from .wording import Turn

_BEARS = 0.4
_FROM_TO = regex.compile(
    r"\b(?:moved|postponed|delayed|deferred|rescheduled|brought\sforward|put\s(?:back|off)|pushed(?:\sback)?|changed|"
    r"raised|lowered|cut|increased|reduced|extended|shortened|amended|revised|went\sup|went\sdown|"
    r"verschoben|verlegt|geändert|erhöht|gesenkt|reporté\w*|repoussé\w*|porté\w*|aplazad[oa]|trasladad[oa])\b"
    r"[^.;!?]{0,40}?\b(?:from|von|vom|de|du|del)\s(?P<old>[^.;!?]{1,40}?)\s(?:to|until|auf|au|à|al|a)\s"
    r"(?P<new>[^;!?]{1,40})",
    regex.IGNORECASE,
)
_OF_NOW = regex.compile(
    r"\b(?:is|are|will|remains?|stands?|costs?|begins?|starts?|opens?|ends?|takes?\splace|amounts?|ist|sind|beträgt|"
    r"kostet|est|sont|es|son)\b",
    regex.IGNORECASE,
)
_OF_THEN = regex.compile(
    r"\b(?:originally|initially|formerly|previously|earlier|first|before|until|from|moved|planned|no\slonger|not|used\sto|"
    r"ursprünglich|früher|bisher|zunächst|nicht|auparavant|anciennement|antes)\b",
    regex.IGNORECASE,
)


def replaced_values(claim: Reading, grounds: Sequence[tuple[Alignment, Reading]]) -> Iterator[Turn]:
    """Yield that a sentence which bears on a claim of now names its date or figure as the one before.

    A claim of what was, or of a figure at a time of its own, is left alone, and so is one that names the new value too.
    """
    if not _OF_NOW.search(claim.text) or PAST.search(claim.text) or _OF_THEN.search(claim.text):
        return
    for laid, text in grounds:
        match = _FROM_TO.search(text.text) if laid.coverage >= _BEARS else None
        if match is None:
            continue
        # Together the two read as one stretch of time, so each is read alone.
        before, after = find_periods(match["old"]), find_periods(match["new"])
        for period in claim.periods:
            if any(same_period(period, each) for each in before) and not any(
                same_period(period, each) for each in after
            ):
                yield Turn("negation", f"the passage names {period.text} as what was replaced")
                return
        if claim.periods:
            continue
        for number in claim.numbers:
            held = [each for each in text.numbers if same_value(number, each)]
            if held and all(match.start("old") <= each.start < match.end("old") for each in held):
                yield Turn("negation", f"the passage names {number.text} as what was replaced")
                return
