"""What a message asks to forget, and which memories that is: what is meant is never guessed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import regex

from ....text.words import content_words, stem
from ...relevance import bearing, question_stems

ASK = "Which of these shall I forget? Nothing is forgotten yet."
HOW_TO_ANSWER = "Say `forget` and the id, or `forget all of these`."
UNNAMED = "Nothing is forgotten: say what, e.g. `forget my office`, or `forget` and the id of a memory."
EVERYTHING = (
    "Nothing is forgotten: name what I shall forget, one thing at a time. `citewell memory forget --all` removes "
    "everything at once."
)
MAX_SHOWN = 8

_ID = regex.compile(r"\bmem_\d{4,}\b")
POLITE = r"(?:(?:please|hey|hi|hello|ok|okay|now|so|and|also|then|aria|could you|can you|would you|bitte|yes)[, ]+)*"
"""What may stand before an order, as a pattern."""
_FORGET = regex.compile(
    rf"^{POLITE}(?:(?:forget|unlearn|unremember|vergiss|oublie|olvida|glöm)|"
    r"(?:delete|remove|erase|drop|clear|discard|lösche?|efface|borra|ta bort)"
    r"(?=.*\b(?:memor(?:y|ies)|remember(?:ed)?|noted?|you know|know about|mem_\d+|erinnerung\w*|mémoire|memoria)\b))"
    r"\b[\s:,]*(?P<what>.*?)[\s.!?]*$",
    regex.IGNORECASE | regex.DOTALL,
)
_ORDER = regex.compile(
    r"\b(?:forget|unlearn|delete|remove|erase|drop|clear|discard|vergiss|vergessen|lösch\w*|oublie\w*|efface\w*|olvida\w*|"
    r"borra\w*|glöm\w*|ta bort)\b|忘れて|忘记|删除|削除",
    regex.IGNORECASE,
)
_CHOICE = regex.compile(
    r"^(?:yes,? ?)?(?:forget |delete |remove )?(?:please )?(?:(?P<all>(?:all|both)(?: (?:of )?(?:them|these|those))?)|"
    r"(?:the )?(?P<place>first|second|third|fourth|last)(?: one)?|(?:mem_\d{4,}(?:,? and |, | )?)+)(?: please)?[.!]*$",
    regex.IGNORECASE,
)
_PLACES = {"first": 0, "second": 1, "third": 2, "fourth": 3, "last": -1}
_SAID_BEFORE = regex.compile(
    r"^(?:about )?(?:it|that|this|them|these|those|the last one|das|es|ça|eso|det)$", regex.IGNORECASE
)
_ALL = regex.compile(
    r"^(?:(?:absolutely )?everything|all)"
    r"(?: (?:of )?(?:(?:my|the|your) )?memor(?:y|ies)| you (?:know|remember)| about me| of it)*$",
    regex.IGNORECASE,
)
_LEAD = regex.compile(
    r"^(?:(?P<all>everything|all(?: (?:of )?(?:the |my |your )?(?:memories|facts|notes))?)\s*|"
    r"(?:the |my |your )?(?:memory|note|fact|entry)\s+|what (?:i|you|we)(?: \w+){1,3}? (?=about|of|on|regarding))?"
    r"(?:(?:you (?:know|remember|noted|stored) )?(?:about|of|on|that|dass|que|regarding)\s+)?",
    regex.IGNORECASE,
)
_TAIL = regex.compile(r"\s*\b(?:from|in|out of) (?:your |my |the )?(?:long-term )?memory$", regex.IGNORECASE)


@dataclass(frozen=True)
class Forgetting:
    """What a message asks to forget.

    Attributes:
        what: A description; empty where `ids` name it or nothing is named.
        every: Whether all that the description fits is meant.
        problem: What to reply where nothing can be forgotten.
    """

    what: str = ""
    ids: tuple[str, ...] = ()
    every: bool = False
    problem: str = ""


def read_forgetting(message: str, history: Sequence[tuple[str, str]] = ()) -> Forgetting | None:
    """Return what a message asks to forget, or None where it asks for something else.

    Args:
        history: Earlier messages as (role, text), oldest first: `forget that` means what the last reply quoted.
    """
    text = message.strip()
    last = next((said for role, said in reversed(history) if role == "assistant"), "")
    shown = tuple(dict.fromkeys(_ID.findall(last)))
    if last.startswith(ASK) and (choice := _CHOICE.match(text)):
        if choice["all"]:
            return Forgetting(ids=shown)
        if choice["place"]:
            at = _PLACES[choice["place"].casefold()]
            return Forgetting(ids=(shown[at],) if at < len(shown) else (), problem="" if at < len(shown) else UNNAMED)
        return Forgetting(ids=tuple(dict.fromkeys(_ID.findall(text))))
    match = _FORGET.match(text)
    if not match:
        return None
    what = _TAIL.sub("", match["what"]).strip(" .!?,:;")
    if ids := tuple(dict.fromkeys(_ID.findall(what))):
        return Forgetting(ids=ids)
    if _ALL.match(what):
        return Forgetting(problem=EVERYTHING)
    if not what or _SAID_BEFORE.match(what):
        return Forgetting(ids=shown) if len(shown) == 1 else Forgetting(problem=UNNAMED)
    lead = _LEAD.match(what)
    described = what[lead.end() :] if lead else what
    if not content_words(described):
        return Forgetting(problem=UNNAMED)
    return Forgetting(what=described, every=bool(lead and lead["all"]))


def asks_to_forget(said: Sequence[str]) -> bool:
    """Whether the user asks to forget something, in the last message or, where that only chooses, in the one before.

    Args:
        said: The user's messages, the last one first.
    """
    return any(_ORDER.search(message) for message in said[:1]) or (
        len(said) > 1 and _CHOICE.match(said[0].strip()) is not None and _ORDER.search(said[1]) is not None
    )


def meant(described: str, found: Sequence[Mapping[str, Any]]) -> tuple[list[str], list[str]]:
    """Return the ids of the memories that a description fits, and of those that it may mean.

    A memory fits where it has every word that says what is described.

    Args:
        found: Memories close to the description, as the search tells them.
    """
    stems = question_stems(described) or {stem(word) for word in content_words(described)}
    fits = [
        str(each["memory_id"]) for each in found if stems <= {stem(word) for word in content_words(str(each["text"]))}
    ]
    near = bearing(described, [(str(each["text"]), each.get("cosine")) for each in found])
    return fits, [str(found[place]["memory_id"]) for place in near if str(found[place]["memory_id"]) not in fits]
