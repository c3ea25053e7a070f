"""The temporal graph of a deployment, opened when it is first asked."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from pathlib import Path

from ..retrievers.kg.store import TemporalGraph
from ..settings import Environment


@dataclass
class GraphShelf:
    """The graph of facts of a deployment, opened when first asked and kept open."""

    path: Path
    _opened: TemporalGraph | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def graph(self) -> TemporalGraph:
        with self._lock:
            if self._opened is None:
                self._opened = TemporalGraph.open(self.path)
            return self._opened


def graph_path(environment: Environment) -> Path:
    """Return where the graph of facts of a deployment lies."""
    return environment.home / "kg.sqlite"
