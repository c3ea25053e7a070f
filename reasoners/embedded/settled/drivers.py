"""Put first what says why a figure moved: a cause beside the very change that was computed."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from ....text.numbers import Number, find_numbers
from ...tables.inference import Inference
from ..found.findings import Finding

_NEAR = Decimal("0.005")
_SCALES = tuple(Decimal(10) ** power for power in (0, 3, 6, 9))
_TELLING = 3


def drivers_first(findings: Sequence[Finding], inferences: Sequence[Inference]) -> list[Finding]:
    """Return findings with those first that give a reason and hold a figure of an inference, whatever its scale.

    `The $104.2 million increase was due to …` is about the change of 104,233 thousand.
    """
    computed = [number for inference in inferences for number in find_numbers(inference.text) if _tells(number)]

    def rank(finding: Finding) -> tuple[int, int]:
        reason = finding.scored.kind >= 1
        numbers = [number for number in find_numbers(finding.statement) if _tells(number)]
        about = any(_same(number, other) for number in numbers for other in computed)
        return (int(not (reason and about)), int(not reason))

    return sorted(findings, key=rank)


def _tells(number: Number) -> bool:
    """Whether a number has so many digits that an equal one is hardly equal by chance."""
    digits = [sign for sign in number.text if sign.isdigit()]
    return len(digits) >= _TELLING and not number.is_year and number.kind == "cardinal"


def _same(one: Number, other: Number) -> bool:
    a, b = abs(one.value), abs(other.value)
    return a > 0 and b > 0 and any(abs(a - b * by) <= _NEAR * a or abs(b - a * by) <= _NEAR * b for by in _SCALES)
