"""Readings of one text that overlap, of which one can be right."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

Reading = TypeVar("Reading")


def longest_apart(readings: Sequence[Reading], span_of: Callable[[Reading], tuple[int, int]]) -> list[Reading]:
    """Return the readings that do not overlap, in order: of two that do the longer one, else the first.

    Args:
        span_of: Gives the first character of a reading and one past its last.
    """
    if len(readings) < 2:
        return list(readings)
    spans = [(*span_of(each), each) for each in readings]
    spans.sort(key=lambda span: (span[0], -span[1]))
    kept = spans[:1]
    for span in spans[1:]:
        if span[0] >= kept[-1][1]:
            kept.append(span)
        elif span[1] - span[0] > kept[-1][1] - kept[-1][0]:
            kept[-1] = span
    return [reading for _, _, reading in kept]
