"""What a run may be told from outside: the run context that a caller or Studio sets."""

from __future__ import annotations

from ..settings import Settings


class ResearchContext(Settings):
    """The settings of one run.  Only the fields that are given count; the others keep the deployment's value."""
