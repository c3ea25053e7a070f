"""How often a process that is all ours looks for garbage."""

from __future__ import annotations

import gc


def look_rarely() -> None:
    """Look for garbage after 50,000 new objects instead of 700.

    A run makes some hundred thousand lasting objects in a few seconds, and looking through all of them again and again
    took a sixth of its time.  For commands only: a program that embeds citewell decides for itself.
    """
    gc.set_threshold(50_000, 10, 10)
