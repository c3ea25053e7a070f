"""The extractive engine: it thinks without a model, and answers in the sources' own words.

Read it from below: a question is read (`asked`), sentences and rows are found for it (`found`), one of them is settled
on where they differ (`settled`), figures are worked out of them (`worked`), and the steps of a run (`steps`) put the
answer together for `engine`.  Each room imports those before it only.  `talk` understands messages of a conversation.
"""

from __future__ import annotations

from .engine import EmbeddedReasoner

__all__ = ["EmbeddedReasoner"]
