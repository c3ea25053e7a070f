"""Which files and folders of this machine a deployment may be asked to read."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from ..errors import UsageError
from ..settings import Environment

OWN = ("uploads", "staging", "reviews", "corpora")
"""Folders of the home that hold what callers brought and what runs made of it."""


@dataclass(frozen=True)
class Roots:
    """The folders of `CITEWELL_ROOTS`, without which nothing is refused; the home's own ones come on top.

    Attributes:
        folders: Resolved, in the order given; empty where a caller may name any path.
        own: Folders of the home, resolved.
    """

    folders: tuple[Path, ...] = ()
    own: tuple[Path, ...] = ()

    @classmethod
    def of(cls, environment: Environment) -> Roots:
        """Return the roots of a deployment."""
        given = (part for part in environment.roots.split(os.pathsep) if part.strip())
        folders = dict.fromkeys(Path(part.strip()).expanduser().resolve() for part in given)
        home = environment.home.resolve()
        return cls(tuple(folders), tuple(home / name for name in OWN))

    def refuse_outside(self, *paths: str) -> None:
        """Refuse a path that leads out of the roots, also through `..` or a link.

        Raises: UsageError naming the path and the roots, whether or not the path exists.
        """
        if not self.folders:
            return
        for path in paths:
            if not self.holds(Path(path).expanduser()):
                allowed = ", ".join(map(str, self.folders))
                raise UsageError(f"{path}: outside the folders that may be read here ({allowed}; see CITEWELL_ROOTS)")

    def holds(self, path: Path) -> bool:
        """Whether a path lies in one of the folders or is one of them."""
        try:
            real = path.resolve()
        except (OSError, RuntimeError, ValueError):
            return False
        return any(real.is_relative_to(folder) for folder in (*self.folders, *self.own))
