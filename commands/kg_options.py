"""Options that the commands of the temporal graph share."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any, TypeVar

import click

from ..errors import UsageError

Decorated = TypeVar("Decorated", bound=Callable[..., Any])


class Day(click.ParamType):
    """A date or period in words: `2021-03-04`, `March 2021`, `2021`; its first day, or its last.

    Args:
        last: Whether the last day is meant.
    """

    name = "date"

    def __init__(self, *, last: bool = False) -> None:
        self._last = last

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> date:
        if isinstance(value, date):
            return value
        from ..reasoners.kg.dating import read_day

        found = read_day(str(value), last=self._last)
        if found is None:
            self.fail(f"{value!r} is no date: write 2021, 2021-03 or 2021-03-04", param, ctx)
        return found


def graph_option(function: Decorated) -> Decorated:
    """Add `--graph FILE`."""
    return click.option(
        "--graph",
        type=click.Path(path_type=Path, dir_okay=False),
        metavar="FILE",
        help="Another graph than the home's.",
    )(function)


def window_options(function: Decorated) -> Decorated:
    """Add `--from`, `--to`, `--as-of` and `--predicate`."""
    for decorate in (
        click.option("--predicate", metavar="NAME", help="Only this predicate, e.g. HOLDS_ROLE."),
        click.option("--as-of", "as_of", type=Day(), metavar="DATE", help="What was so on that day."),
        click.option("--to", "end", type=Day(last=True), metavar="DATE", help="What held or happened up to then."),
        click.option("--from", "start", type=Day(), metavar="DATE", help="What held or happened from then on."),
    ):
        function = decorate(function)
    return function


def existing_graph(path: Path | None) -> Path:
    """Return the file of a graph that was built.  Raises: UsageError where there is none."""
    from ..settings import Environment

    found = path or Environment.read().home / "kg.sqlite"
    if not found.is_file():
        raise UsageError(f"{found}: no graph yet; `citewell kg build PATH` makes one")
    return found
