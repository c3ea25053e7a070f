"""The members of a list told one by one: each sentence names another one of whom it says the deed asked about.

`Which companies did Kelm acquire?` is answered by `we acquired Dorne` and `the acquisition of Veltro`.
"""

from __future__ import annotations

from collections.abc import Sequence

import regex

from ....text.words import analyse
from ..asked.names import names_in
from ..asked.question import Question, focus_terms
from ..found.candidates import Candidate, index_terms
from ..found.findings import Finding
from ..found.fragments import has_verb
from ..found.scoring import Scored
from ..found.weights import holds_all, holds_any

MOST_MEMBERS = 6
_POOL = 160
_REACH = 130
_WORD = regex.compile(r"[\p{L}\p{N}’'-]+")
# What may stand between the deed and whom it was done to.
_GAP_WORDS = """
    all both the of our its their a an remaining outstanding issued and common stock share shares capital equity two
    interest interests assets not already owned by in from company business each further another three"""
_GAP = frozenset(_GAP_WORDS.split())
# Who may do it, right before the deed: in `for acquired rights` nobody does.
_DOER = regex.compile(
    r"(?:\b(?:we|it|they|he|she|who|which|has|have|had|also|then|subsequently|successfully|company|was|were|is|are)|"
    r"\p{Lu}[\p{L}.’'-]*)\W*$"
)
_BY_REFERENCE = regex.compile(
    r"\bincorporated (?:herein )?by reference\b|\bfor (?:additional|further) information\b", regex.IGNORECASE
)
_VAGUE = frozenset(
    analyse(
        "company companies firm firms business businesses organisation organization major main largest biggest key "
        "name important principal recent mention mentioned do done make made report between during complete completed "
        "list"
    )
)


def members_of(question: Question, findings: Sequence[Finding]) -> list[Finding]:
    """Return one finding for each member, best first; nothing where no two are named."""
    found = [findings[place] for place in _firsts(question, [each.candidate for each in findings])]
    return found if len(found) > 1 else []


def naming_members(question: Question, ranked: Sequence[Scored]) -> list[Scored]:
    """Return the best candidate for each member that a question for a list asks for."""
    return [ranked[place] for place in _firsts(question, [each.candidate for each in ranked[:_POOL]])]


def _firsts(question: Question, candidates: Sequence[Candidate]) -> list[int]:
    """Return where each member is named first: by who did it, where two are, else also by `the … of`."""
    told = [member_named(question, each) for each in candidates]
    for wanted in ((True,), (True, False)):
        found: dict[str, int] = {}
        for place, (name, is_done) in enumerate(told):
            folded = name.casefold()
            new = folded and not any(folded.startswith(known) or known.startswith(folded) for known in found)
            if new and is_done in wanted:
                found[folded] = place
        if len(found) > 1:
            return list(found.values())[:MOST_MEMBERS]
    return []


def member_named(question: Question, candidate: Candidate) -> tuple[str, bool]:
    """Return whom a sentence names behind the deed that a list is asked of, and whether it says who did it.

    The name is empty where it names nobody new.
    """
    text = " ".join(candidate.text.split())
    deeds = _deeds(question)
    if candidate.row is not None or not deeds or not has_verb(text) or _BY_REFERENCE.search(text):
        return "", False
    if not holds_all(candidate.terms, deeds):
        return "", False
    for word in _WORD.finditer(text):
        if not holds_any(index_terms(word.group()), deeds):
            continue
        is_done = bool(_DOER.search(text[: word.start()]))
        rest = text[word.end() : word.end() + _REACH]
        if name := _behind(question, rest, needs_of=not is_done):
            return name, is_done
    return "", False


def _behind(question: Question, rest: str, *, needs_of: bool) -> str:
    """Return the first name that is not the asker's own, where only small words lead to it."""
    own = {name.casefold() for name in question.names}
    for name in names_in(f"x {rest}"):
        for mine in own:
            if name.casefold().startswith(f"{mine} of "):
                name = name[len(mine) + 4 :]
        at = rest.find(name)
        gap = [word.casefold() for word in _WORD.findall(rest[: max(at, 0)])]
        if name.casefold() in own:
            continue
        small = all(word in _GAP or word in " ".join(own).split() for word in gap)
        if at < 0 or not small or (needs_of and "of" not in gap) or "&" in name:
            return ""
        return name
    return ""


def _deeds(question: Question) -> tuple[str, ...]:
    """Return the index terms of what was done: those of the question, else of the thing asked for, that name nobody."""
    if question.answer_type != "list" or question.language != "en":
        return ()
    plain = [
        each
        for each in question.terms
        if each not in question.name_terms | question.period_terms | _VAGUE and not each.isdigit()
    ]
    focus = set(focus_terms(question))
    return tuple(each for each in plain if each not in focus) or tuple(plain)
