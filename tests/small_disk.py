"""A disk of a chosen size, so that one can be full."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

needs_mount = pytest.mark.skipif(os.getuid() != 0, reason="only root may mount a small disk")


@contextmanager
def disk(folder: Path, size: str) -> Iterator[Path]:
    """Mount a disk of a size."""
    folder.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", folder], check=True)
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", folder], check=True)
