"""`citewell kg`: build, ask, show and export the temporal knowledge graph."""

from __future__ import annotations

from importlib import import_module

import click

# Name → where it lives (module of `commands`, attribute) and what it does.  To add a command, add a line.
COMMANDS: dict[str, tuple[str, str]] = {
    "build": ("kg_build:build", "Read files and folders into the graph."),
    "ask": ("kg_ask:ask", "Answer a question about facts and change."),
    "show": ("kg_show:show", "Show what the graph knows, of an entity or in all."),
    "merges": ("kg_merges:merges", "List the names taken to be one, or take a merge back."),
    "export": ("kg_export:export", "Write the whole graph as JSON or GraphML."),
}


class KgGroup(click.Group):
    """Loads a command's module only when that command is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module, _, attribute = COMMANDS[cmd_name][0].partition(":")
        command: click.Command = getattr(import_module(f".{module}", __package__), attribute)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, summary) for name, (_, summary) in COMMANDS.items()])


@click.group(cls=KgGroup)
def kg() -> None:
    """Facts with the time in which they hold: who held which role, what was made, bought, launched and measured when.

    The graph lies in kg.sqlite of the home folder unless --graph names another file.
    """
