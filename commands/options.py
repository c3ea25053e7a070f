"""Options that commands share: a flag for every setting, and help in sections."""

from __future__ import annotations

import os
import types
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal, TypeVar, Union, get_args, get_origin

import click

from ..settings import Environment, Settings, load_settings

Decorated = TypeVar("Decorated", bound=Callable[..., Any])
_ENGINE = ("engine", "model", "node_models", "embeddings", "offline", "approve_plan")
_LOCAL = ("chunk_chars", "chunk_overlap", "max_chunks_per_source")


class SectionOption(click.Option):
    """An option that stands under a heading of the help."""

    def __init__(self, *args: Any, section: str = "Options", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.section = section


class SectionCommand(click.Command):
    """A command whose help lists its options under headings, in the order in which headings first appear."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        sections: dict[str, list[tuple[str, str]]] = {}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record:
                sections.setdefault(getattr(parameter, "section", "Options"), []).append(record)
        for name in sorted(sections, key=lambda name: name == "Options"):
            with formatter.section(name):
                formatter.write_dl(sections[name])


def option(*names: str, section: str, **attributes: Any) -> Callable[[Decorated], Decorated]:
    """Declare an option under a heading of the help."""
    return click.option(*names, cls=SectionOption, section=section, **attributes)


def setting_options(*names: str) -> Callable[[Decorated], Decorated]:
    """Add a flag for each of the named settings, or for all; a flag that is not given is None."""
    chosen = names or tuple(Settings.model_fields)

    def decorate(function: Decorated) -> Decorated:
        # The decorator that is applied last stands first in the help.
        order = sorted((_rank(name), place) for place, name in enumerate(Settings.model_fields) if name in chosen)
        for _, place in order[::-1]:
            function = _flag(list(Settings.model_fields)[place])(function)
        return function

    return decorate


def load(flags: Mapping[str, Any]) -> tuple[Settings, Environment]:
    """Return settings and environment as flags, `CITEWELL_…` variables, `citewell.toml` and defaults make them.

    Raises: UsageError in one line that names each wrong setting.
    """
    given = {name: _given(name, value) for name, value in flags.items() if name in Settings.model_fields}
    settings = load_settings({name: value for name, value in given.items() if value is not None})
    if settings.offline:
        # LangSmith would report a run to its host where the user's environment switches it on.
        os.environ["LANGSMITH_TRACING"] = os.environ["LANGCHAIN_TRACING_V2"] = "false"
    return settings, Environment.read()


def split_flags(values: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Split a command's values into settings and the rest."""
    settings = {name: value for name, value in values.items() if name in Settings.model_fields}
    return settings, {name: value for name, value in values.items() if name not in settings}


def _rank(name: str) -> int:
    return 0 if name in _ENGINE else 1 if name.startswith("max_") and name not in _LOCAL else 2


def _flag(name: str) -> Callable[[Decorated], Decorated]:
    field = Settings.model_fields[name]
    flag = "--" + name.replace("_", "-")
    default = field.get_default(call_default_factory=True)
    shown = _shown(default)
    attributes: dict[str, Any] = {
        "default": None,
        "help": (field.description or "") + (f"  [{shown}]" if shown else ""),
        "section": ("Engine", "Budgets", "Tuning")[_rank(name)],
    }
    kind = _plain(field.annotation)
    if kind is bool:
        return option(f"{flag}/--no-{flag[2:]}", name, **attributes)
    if get_origin(kind) is Literal:
        return option(flag, name, type=click.Choice([str(value) for value in get_args(kind)]), **attributes)
    if get_origin(kind) is tuple:
        return option(flag, name, multiple=True, metavar="TEXT", **attributes)
    if get_origin(kind) is dict:
        return option(flag, name, multiple=True, metavar="NAME=TEXT", callback=_pairs, **attributes)
    if kind in (int, float):
        return option(flag, name, type=kind, metavar="N", **attributes)
    return option(flag, name, metavar="TEXT", **attributes)


def _plain(annotation: Any) -> Any:
    """Return the type behind `X | None`."""
    if get_origin(annotation) in (Union, types.UnionType):
        return next(part for part in get_args(annotation) if part is not type(None))
    return annotation


def _shown(default: Any) -> str:
    if default is None or default is False or default == () or default == {}:
        return ""
    return f"{default:g}" if isinstance(default, float) else str(default)


def _given(name: str, value: Any) -> Any:
    """A flag that may stand several times and was not given counts as absent."""
    return None if value in ((), {}) else value


def _pairs(ctx: click.Context, parameter: click.Parameter, values: Iterable[str]) -> dict[str, str]:
    pairs = {}
    for value in values or ():
        name, equals, text = value.partition("=")
        if not (name and equals and text):
            raise click.BadParameter(f"{value!r} is not NAME=TEXT", ctx, parameter)
        pairs[name] = text
    return pairs
