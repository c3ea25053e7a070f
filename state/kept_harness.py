"""Policies kept by their hash, so that a run is taken up under the one that it began with."""

from __future__ import annotations

import json
import os
from pathlib import Path

from ..errors import UsageError, cause
from .harness import Harness, parse_harness


def keep_harness(home: Path, harness: Harness) -> None:
    """Keep a policy; one that is kept already is left as it is."""
    path = _kept_path(home, harness.sha256)
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_suffix(f".{os.getpid()}.part")
        part.write_text(harness.model_dump_json(), encoding="utf-8")
        part.replace(path)


def kept_harness(home: Path, digest: str) -> Harness:
    """Return a policy kept under its hash.  Raises: UsageError where it is gone or damaged."""
    path = _kept_path(home, digest)
    try:
        harness = parse_harness(json.loads(path.read_text(encoding="utf-8")), str(path))
    except (OSError, ValueError) as error:
        raise UsageError(f"{path}: the policy of this run cannot be read, ask anew ({cause(error)})") from error
    if harness.sha256 != digest:
        raise UsageError(f"{path}: the policy of this run was changed, ask anew")
    return harness


def _kept_path(home: Path, digest: str) -> Path:
    return home / "harnesses" / f"{digest}.json"
