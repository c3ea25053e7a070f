"""What a sentence or a row of the corpus states, with its validity."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from typing import NamedTuple


class Said(NamedTuple):
    """What is stated, without its time."""

    subject: str
    predicate: str
    object: str
    value: str = ""
    unit: str = ""


@dataclass
class Gold:
    """One statement of one document.

    Attributes:
        wording: Split of the sentence, or `table` for a row.
        text: The sentence or row.
        uri: Name of the document.
        closed_by: Places of the statements that close it; empty where it stays open or ends by its own words.
    """

    subject: str
    predicate: str
    object: str
    value: str
    unit: str
    temporal: str
    valid_at: date | None
    invalid_at: date | None
    wording: str
    text: str
    uri: str = ""
    closed_by: list[int] = field(default_factory=list)
