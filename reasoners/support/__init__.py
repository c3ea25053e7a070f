"""Does the passage say what the sentence says?"""

from __future__ import annotations

from .check import check_support

__all__ = ["check_support"]
