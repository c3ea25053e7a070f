"""The documentation's pictures are small, and each one that is shown is there."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PICTURES = ROOT / "studio" / "pictures"


def test_each_picture_that_is_shown_is_there_and_each_one_is_shown():
    shown = set()
    for readme in (ROOT / "README.md", ROOT / "studio" / "README.md"):
        for link in re.findall(r'(?:\]\(|src=")([^)"]+\.webp)', readme.read_text(encoding="utf-8")):
            shown.add((readme.parent / link).resolve())
    assert shown == set(PICTURES.iterdir())


def test_no_picture_is_large():
    assert {path.name: path.stat().st_size for path in PICTURES.iterdir() if path.stat().st_size > 150_000} == {}
