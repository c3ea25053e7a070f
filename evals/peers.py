"""The scripted servers of the tests, for measurements that need a model or a search provider over real HTTP."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from types import ModuleType

from ..errors import UsageError

TESTS = Path(__file__).parents[1] / "tests"


def peer(name: str) -> ModuleType:
    """Return a module of `tests/servers`, which a checkout has and an installed package has not.

    Raises: UsageError where there is no checkout.
    """
    if not (TESTS / "servers").is_dir():
        raise UsageError("this measurement needs a checkout of the repository: its servers are in tests/servers")
    if str(TESTS) not in sys.path:
        sys.path.insert(0, str(TESTS))
    return importlib.import_module(f"servers.{name}")


def stand_in(name: str) -> ModuleType:
    """Return a module of `tests`, e.g. `fakes`.  Raises: UsageError where there is no checkout."""
    if not TESTS.is_dir():
        raise UsageError("this measurement needs a checkout of the repository: its stand-ins are in tests")
    if str(TESTS) not in sys.path:
        sys.path.insert(0, str(TESTS))
    return importlib.import_module(name)
