"""What the pages that citewell writes have in common: templates, and that they load nothing from anywhere."""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from importlib.resources import files

from jinja2 import Environment, FunctionLoader, StrictUndefined


def policy_of(style: str, script: str) -> str:
    """Return the policy under which a page runs its own script and style, by their hashes, and nothing else."""
    return (
        f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


@cache
def environment() -> Environment:
    """Return the templates; what they are given is escaped, and what they lack is an error."""
    return Environment(
        loader=FunctionLoader(asset), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )


@cache
def asset(name: str) -> str:
    """Return a file of the templates as text."""
    return (files(__package__) / "templates" / name).read_text(encoding="utf-8")
