"""The extractive engine: it thinks without a model, and answers in the sources' own words."""

from __future__ import annotations

from .engine import EmbeddedReasoner

__all__ = ["EmbeddedReasoner"]
