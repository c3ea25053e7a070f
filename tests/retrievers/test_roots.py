"""A server reads what lies in its roots, however a path is written, and what callers brought to it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from citewell.errors import UsageError
from citewell.retrievers.roots import Roots
from citewell.settings import Environment


@pytest.fixture
def roots(tmp_path: Path) -> Roots:
    for name in ("filings/2024", "more", "secret", "home/uploads", "home/memory"):
        (tmp_path / name).mkdir(parents=True)
    given = os.pathsep.join(str(tmp_path / name) for name in ("filings", "more"))
    return Roots.of(Environment(home=tmp_path / "home", roots=given))


def test_without_roots_nothing_is_refused():
    assert Roots.of(Environment()).refuse_outside("/etc/passwd", "anything") is None


@pytest.mark.parametrize(
    "inside", ["filings", "filings/2024", "more/not-there.txt", "more/../filings", "home/uploads/x"]
)
def test_what_lies_inside_is_let_through(roots, tmp_path, inside):
    assert roots.refuse_outside(str(tmp_path / inside)) is None


@pytest.mark.parametrize(
    "outside", ["secret", "filings/../secret", "filings2", "home/memory", "home", "home/uploads/../memory", ""]
)
def test_what_leads_outside_is_refused_by_name(roots, tmp_path, outside):
    with pytest.raises(UsageError, match="outside the folders that may be read here"):
        roots.refuse_outside(str(tmp_path / outside))


def test_a_link_that_leads_outside_is_refused(roots, tmp_path):
    (tmp_path / "filings/door").symlink_to(tmp_path / "secret")
    with pytest.raises(UsageError, match="door"):
        roots.refuse_outside(str(tmp_path / "filings/door"))


def test_a_path_no_system_takes_is_refused(roots):
    with pytest.raises(UsageError):
        roots.refuse_outside("a\0b")
