"""Which statement closes which: a function of what is stated, whatever the order in which it arrived."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from .records import Predicate, StatementType, TemporalType

# What is made or sold until it is discontinued.
_OFFERED: frozenset[Predicate] = frozenset(["PRODUCES", "SELLS"])
_BOARD = ("chair", "director", "board")


@dataclass(frozen=True)
class Held:
    """One triplet of a standing event, entities given by their canonical number.

    Attributes:
        stated_end: First day on which it holds no more, as its own source states it.
    """

    event: str
    subject: int
    predicate: Predicate
    object: int | None
    value: str
    unit: str
    exclusive: bool
    statement_type: StatementType
    temporal_type: TemporalType
    valid_at: date | None
    stated_end: date | None


@dataclass(frozen=True, order=True)
class Closing:
    """The day on which a statement ceases to hold, and the event that says so."""

    at: date
    by: str


def keys_of(held: Held) -> list[str]:
    """Return the names of the groups in which a triplet may close others or be closed."""
    if held.statement_type != "FACT":
        return []
    subject, predicate, target, value = held.subject, held.predicate, held.object, held.value.casefold()
    if predicate == "DISCONTINUED":
        return [f"offer|{subject}|{target}"]
    if held.temporal_type != "DYNAMIC":
        return []
    keys = [f"same|{subject}|{predicate}|{target}|{value if not _is_number(value) else ''}"]
    if predicate in _OFFERED:
        keys.append(f"offer|{subject}|{target}")
    if held.exclusive:
        keys.append(f"one|{predicate}|{_slot(held)}")
    if predicate == "HOLDS_ROLE" and not any(word in value for word in _BOARD):
        keys.append(f"roles|{subject}|{target}")
    return keys


def closings(groups: Iterable[tuple[str, Sequence[Held]]]) -> dict[str, Closing]:
    """Return what closes each event, the earliest closing of all groups; events that nothing closes are absent.

    - Of what one alone can hold at a time, statements of a later day close the earlier ones, except those whose
      holder the later day names again.
    - A statement that names its own end closes those of the same content that began before.
    - A discontinued product is no longer produced or sold.
    - Who takes up another role at the same organisation has left the roles not spoken of since.
    """
    found: dict[str, list[Closing]] = defaultdict(list)
    rules = {"one": _exclusive, "same": _ended, "offer": _discontinued, "roles": _promoted}
    for key, members in groups:
        for event, closing in rules[key.partition("|")[0]](members):
            found[event].append(closing)
    return {event: min(several) for event, several in found.items()}


def _slot(held: Held) -> str:
    """Name what one alone can hold: a role or supply of the object, else a place or measure of the subject."""
    if held.predicate in ("HOLDS_ROLE", "SUPPLIES"):
        return f"{held.object}|{held.value.casefold()}"
    if held.predicate == "HAS_A":
        return f"{held.subject}|{held.object}"
    return f"{held.subject}|{held.value.casefold()}"


def _holder(held: Held) -> str:
    """Name who or what holds it."""
    if held.predicate in ("HOLDS_ROLE", "SUPPLIES"):
        return str(held.subject)
    return f"{held.value}|{held.unit}" if held.predicate == "HAS_A" else str(held.object)


def _exclusive(members: Sequence[Held]) -> Iterable[tuple[str, Closing]]:
    by_day: dict[date, list[Held]] = defaultdict(list)
    for held in members:
        if held.valid_at is not None:
            by_day[held.valid_at].append(held)
    days = sorted(by_day)
    holders = {day: {_holder(held) for held in by_day[day]} for day in days}
    for place, day in enumerate(days):
        for held in by_day[day]:
            later = next((other for other in days[place + 1 :] if _holder(held) not in holders[other]), None)
            if later is not None:
                yield held.event, Closing(later, min(other.event for other in by_day[later]))


def _ended(members: Sequence[Held]) -> Iterable[tuple[str, Closing]]:
    for held in members:
        if held.valid_at is None:
            continue
        ends = [
            Closing(other.stated_end, other.event)
            for other in members
            if other.event != held.event and other.stated_end is not None and other.stated_end > held.valid_at
        ]
        if ends:
            yield held.event, min(ends)


def _discontinued(members: Sequence[Held]) -> Iterable[tuple[str, Closing]]:
    stops = [
        Closing(held.valid_at, held.event)
        for held in members
        if held.predicate == "DISCONTINUED" and held.valid_at is not None
    ]
    for held in members:
        after = [stop for stop in stops if held.valid_at is not None and stop.at > held.valid_at]
        if held.predicate in _OFFERED and after:
            yield held.event, min(after)


def _promoted(members: Sequence[Held]) -> Iterable[tuple[str, Closing]]:
    spoken: dict[str, list[tuple[date, str]]] = defaultdict(list)
    for held in members:
        if held.valid_at is not None:
            spoken[held.value.casefold()].append((held.valid_at, held.event))
    for role, told in spoken.items():
        last = max(told)[0]
        begun = [Closing(*min(others)) for other, others in spoken.items() if other != role and min(others)[0] > last]
        if begun:
            yield from ((event, min(begun)) for _, event in told)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
