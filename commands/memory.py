"""`citewell memory`: list, add, search, correct, forget, export and import what is remembered."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..errors import UsageError
from .options import load
from .output import note, print_json, table, visible
from .targets import TargetFile, write

if TYPE_CHECKING:
    from ..retrievers.memory import Memory
    from ..retrievers.memory_items import MemoryItem


def _common(function: Callable[..., Any]) -> Callable[..., Any]:
    for decorate in (
        click.option("--namespace", metavar="NAME", help="Keep to this part of the user's memories."),
        click.option("--user", default="default", show_default=True, metavar="NAME", help="Whose memories."),
    ):
        function = decorate(function)
    return function


_as_json = click.option("--json", "as_json", is_flag=True, help="As JSON.")


@click.group(short_help="Work with long-term memory.")
def memory() -> None:
    """Long-term memory: texts with their origin, searched by words and meaning, kept apart by user."""


@memory.command("list")
@_common
@click.option("--category", metavar="NAME", help="Only this category.")
@click.option("--current", is_flag=True, help="Leave out what a newer memory replaced.")
@_as_json
def list_(user: str, namespace: str | None, category: str | None, current: bool, as_json: bool) -> None:
    """List memories in the order of their ids."""
    with _opened(user, namespace) as opened:
        items = opened.list(category=category, current_only=current)
    if as_json:
        print_json(items)
    elif items:
        click.echo(
            table([item.memory_id, item.category, item.said_at.date().isoformat(), _marked(item)] for item in items)
        )
    else:
        note(f"{user} has no memories yet")


@memory.command("add")
@click.argument("text")
@_common
@click.option("--category", default="general", show_default=True, metavar="NAME", help="A word of your own.")
@click.option("--supersedes", default="", metavar="ID", help="An older memory that this one replaces.")
@_as_json
def add(text: str, user: str, namespace: str | None, category: str, supersedes: str, as_json: bool) -> None:
    """Remember TEXT.  What is known already is merged; a newer statement about the same thing closes the older."""
    with _opened(user, namespace) as opened:
        result = opened.store(text, category, supersedes=supersedes)
        told = opened.degraded
    if told:
        note(told)
    if as_json:
        print_json(result)
        return
    closed = f", in place of {result.item.supersedes}" if result.action == "superseded" else ""
    click.echo(visible(f"{result.memory_id}  {result.action}{closed}: {result.item.text}"))


@memory.command("search")
@click.argument("query")
@_common
@click.option("--k", default=5, show_default=True, type=click.IntRange(1, 1000), metavar="N", help="How many.")
@click.option("--category", metavar="NAME", help="Only this category.")
@click.option("--mode", type=click.Choice(["hybrid", "sparse", "dense"]), default="hybrid", show_default=True,
              help="Words and meaning, words alone, or meaning alone.")  # fmt: skip
@click.option("--superseded", is_flag=True, help="Find replaced memories too.")
@_as_json
def search(
    query: str, user: str, namespace: str | None, k: int, category: str | None, mode: Any, superseded: bool,
    as_json: bool,
) -> None:  # fmt: skip
    """Show the memories closest to QUERY with their fused score, cosine and BM25."""
    with _opened(user, namespace) as opened:
        hits = opened.search(query, k, category=category, mode=mode, include_superseded=superseded)
        told = opened.degraded
    if told:
        note(told)
    if as_json:
        print_json([hit.model_dump(mode="json") | {"memory_id": hit.memory_id, "text": hit.text} for hit in hits])
        return
    for hit in hits:
        click.echo(visible(f"{hit.rank:3}  {hit.memory_id}  [{hit.category}] {_marked(hit.item)}"))
        click.echo(
            f"     fused {_score(hit.score_fused, 4)}  cosine {_score(hit.score_dense, 3)}"
            f"  bm25 {_score(hit.score_sparse, 2)}"
        )
    if not hits:
        note("nothing found")


@memory.command("update")
@click.argument("memory_id", metavar="ID")
@click.argument("text", required=False)
@_common
@click.option("--category", metavar="NAME", help="A new category.")
def update(memory_id: str, text: str | None, user: str, namespace: str | None, category: str | None) -> None:
    """Correct a memory in place."""
    if text is None and category is None:
        raise UsageError("nothing to change: give a text or --category")
    with _opened(user, namespace) as opened:
        item = opened.update(memory_id, text, category=category)
    click.echo(visible(f"{item.memory_id}  [{item.category}] {item.text}"))


@memory.command("forget")
@click.argument("memory_ids", metavar="[ID]...", nargs=-1)
@_common
@click.option("--all", "everything", is_flag=True, help="Everything of this user.")
@click.option("--yes", is_flag=True, help="Do not ask.")
def forget(memory_ids: tuple[str, ...], user: str, namespace: str | None, everything: bool, yes: bool) -> None:
    """Remove memories for good, from the records and from every index."""
    if bool(memory_ids) == everything:
        raise UsageError("name the memories to forget, or use --all")
    with _opened(user, namespace) as opened:
        ids = [item.memory_id for item in opened.list()] if everything else list(memory_ids)
        if everything and not yes and not click.confirm(f"Forget all {len(ids)} memories of {user}?", err=True):
            raise click.Abort
        gone = opened.forget(*ids) if ids else 0
    click.echo(f"forgot {gone}")


@memory.command("export")
@click.argument("file", required=False, type=TargetFile())
@_common
def export(file: Path | None, user: str, namespace: str | None) -> None:
    """Write memories as JSON lines to FILE, or to stdout."""
    with _opened(user, namespace) as opened:
        lines = list(opened.export())
    text = "".join(f"{line}\n" for line in lines)
    if file is None:
        click.echo(text, nl=False)
        return
    write(file, text)
    note(f"wrote {len(lines)} memories to {file}")


@memory.command("import")
@click.argument("file", type=click.Path(path_type=Path, allow_dash=True))
@_common
def import_(file: Path, user: str, namespace: str | None) -> None:
    """Bring in the memories of an export (`-` for stdin): all lines or, where one is wrong, none."""
    try:
        text = sys.stdin.read() if str(file) == "-" else file.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise UsageError(f"{file}: is not UTF-8 text") from error
    with _opened(user, namespace) as opened:
        results = opened.import_lines(text.splitlines())
    merged = sum(result.action == "merged" for result in results)
    click.echo(f"imported {len(results) - merged}, known already {merged}")


@memory.command("rebuild")
@_common
def rebuild(user: str, namespace: str | None) -> None:
    """Throw the index of a user away and make it again from the records."""
    with _opened(user, namespace) as opened:
        opened.rebuild()
        click.echo(f"rebuilt the index of {len(opened.list())} memories")


def _opened(user: str, namespace: str | None) -> Memory:
    settings, environment = load({})
    from ..retrievers.memory import Memory

    return Memory.open(
        environment.home / "memory", user=user, namespace=namespace, settings=settings, environment=environment
    )


def _marked(item: MemoryItem) -> str:
    return f"{item.text}  ({item.superseded})" if item.superseded else item.text


def _score(score: float | None, digits: int) -> str:
    return "–" if score is None else f"{score:.{digits}f}"
