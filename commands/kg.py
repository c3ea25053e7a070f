"""`citewell kg`: build, ask, show and export the temporal knowledge graph."""

from __future__ import annotations

import click

from .lazy import Commands, LazyGroup

# To add a command, add a line.
COMMANDS: Commands = {
    "build": ("kg_build:build", "Read files and folders into the graph."),
    "ask": ("kg_ask:ask", "Answer a question about facts and change."),
    "show": ("kg_show:show", "Show what the graph knows, of an entity or in all."),
    "merges": ("kg_merges:merges", "List the names taken to be one, or take a merge back."),
    "export": ("kg_export:export", "Write the whole graph as JSON or GraphML."),
}


@click.group(cls=LazyGroup, table=COMMANDS)
def kg() -> None:
    """Facts with the time in which they hold: who held which role, what was made, bought, launched and measured when.

    The graph lies in kg.sqlite of the home folder unless --graph names another file.
    """
