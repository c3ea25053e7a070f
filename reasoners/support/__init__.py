"""Does the passage say what the sentence says?"""

from __future__ import annotations

from .answers import CheckedAnswer, check_answer
from .check import check_support
from .conflicts import find_conflicts

__all__ = ["CheckedAnswer", "check_answer", "check_support", "find_conflicts"]
