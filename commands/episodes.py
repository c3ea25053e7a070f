"""`citewell episodes`: what was asked before and what worked."""

from __future__ import annotations

import click

from ..settings import Environment
from ..state.episodes import DEFAULT_USER, EpisodeStore
from .output import note, print_json, visible


@click.command(short_help="List episodes.")
@click.option("--user", default=DEFAULT_USER, show_default=True, metavar="NAME", help="Whose episodes.")
@click.option("--limit", default=20, show_default=True, type=click.IntRange(1), metavar="N", help="How many.")
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
def episodes(user: str, limit: int, as_json: bool) -> None:
    """List remembered runs, the newest first.  They help to plan and are never evidence."""
    found = EpisodeStore(Environment.read().home / "episodes.sqlite").latest(limit, user=user)
    if as_json:
        print_json(found)
        return
    for episode in found:
        click.echo(visible(f"{episode.created_at:%Y-%m-%d %H:%M}  {episode.question}"))
        click.echo(visible(f"    queries: {'; '.join(episode.queries)}"))
        if episode.useful_sources:
            click.echo(visible(f"    useful:  {', '.join(episode.useful_sources)}"))
    if not found:
        note("no episodes yet")
