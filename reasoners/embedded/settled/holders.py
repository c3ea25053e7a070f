"""Who holds a post now: the last one whom a source names with it, before one who only acts until then."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import regex

from ....state.records import Quote
from ..asked.names import is_person_like, names_in
from ..asked.offices import in_short
from ..asked.posts import Post, post_asked, terms_of
from ..asked.question import Question
from ..found.candidates import Candidate
from ..found.dating import dated
from ..found.findings import Finding
from ..found.rolls import is_roll
from .succession import LEAVES, SUCCEEDS

_ACTS = regex.compile(
    r"\b(?:acting|interim|caretaker|act(?:s|ed)? as|stands? in|deput(?:y|is\p{L}+)|until a successor|kommissarisch|"
    r"vorläufig|par intérim)\b",
    regex.IGNORECASE,
)
_LESSER = regex.compile(
    r"\b(?:deputy|vice|assistant|stellv\p{L}*|adjoint\p{L}*|former|ehemalig\p{L}*|past)\b", regex.IGNORECASE
)
_NAME = (
    r"(?:(?:Dr|Prof|Mr|Mrs|Ms|Sir|Cllr|Herr|Frau|Mme|M|Ing|Dipl)\.?(?:-Ing\.)?\s+)*\p{Lu}[\p{L}'’-]*\.?"
    r"(?:\s+(?:(?:van|von|de|der|den|di|da|la|le|zu)\s+)*\p{Lu}[\p{L}'’-]*\.?){0,3}"
)
_BRACKETED = regex.compile(rf"(?P<name>{_NAME})\s*\((?P<role>[^()]{{2,80}})\)")
_APPOSED = regex.compile(
    rf"(?P<name>{_NAME}),\s+(?P<role>(?:the |our |its |an? )?\p{{L}}[^,.;:()\d]{{2,70}}?)(?=[,.;:)]|$)"
)
_LABELLED = regex.compile(rf"(?:^|[\n;.,]\s*)(?P<role>\p{{Lu}}[^,.;:()\d\n]{{2,50}}):\s*(?P<name>{_NAME})(?=[,.;\n]|$)")
_MADE = regex.compile(
    rf"\b(?:confirmed|appointed|elected|named|made|chose|welcomed|promoted) (?P<name>{_NAME}),? (?:as |to (?:be )?)?"
    r"(?P<role>(?:the |its |our )?\p{Lu}[^,.;:()\d]{2,60}?)(?= (?:from|with|until|for|since|on|after)\b|[,.;]|$)"
)
_NEAR = 60
_FULL = regex.compile(r"\p{L}{2,}\.?\s+\p{L}")


@dataclass(frozen=True)
class _Held:
    """A finding that names somebody with the post asked for, and where in it, where the words stand together."""

    finding: Finding
    day: str
    place: tuple[int, int] | None
    name: str
    role: str

    @property
    def passes_by(self) -> bool:
        text = self.finding.candidate.text
        if SUCCEEDS.search(self.finding.statement):
            return False
        if self.place is not None and is_roll(self.finding.candidate):
            return bool(_ACTS.search(self.role))
        return bool(_ACTS.search(text) or LEAVES.search(text))


def holder_of(question: Question, findings: Sequence[Finding]) -> Finding | None:
    """Return the finding that names who holds the post asked for; None where none is asked for, or none names one.

    A person stands by the post in it, and the post is that of the body asked for: of its own words, else of its paper.
    Of several the latest by its day counts; who acts until a successor comes, or leaves, holds it only where nobody
    else is named since.  Out of a list of people the one who holds it is told alone.
    """
    post = post_asked(question.text)
    if post is None or question.periods:
        return None
    named = [held for each in findings if (held := _held(post, each)) is not None]
    if not named:
        return None
    # Where one is named with the post in so many words, another who is near it is none.
    named = [each for each in named if each.place is not None] or named
    last = max(named, key=lambda each: (each.day, not is_roll(each.finding.candidate)))
    staying = [each for each in named if not each.passes_by]
    chosen = last
    if last.passes_by and staying:
        best = max(staying, key=lambda each: each.day)
        chosen = best if best.day >= last.day and best.name != last.name else last
    elif staying:
        chosen = max(staying, key=lambda each: each.day)
    return _told(chosen)


def _told(held: _Held) -> Finding:
    """Return a finding as it is; of a list of people no more than the one and the post."""
    candidate = held.finding.candidate
    if held.place is None or not is_roll(candidate):
        return held.finding
    start, end = (candidate.start + at for at in held.place)
    text = candidate.passage.chunk.text[start:end]
    quote = Quote(chunk_id=candidate.chunk_id, start=start, end=end, text=text)
    return replace(held.finding, statement=f"{held.name}: {' '.join(held.role.split())}.", quotes=(quote,))


def _held(post: Post, finding: Finding) -> _Held | None:
    candidate = finding.candidate
    if candidate.row is not None:
        return None
    day = dated(candidate)
    for match in _stated(candidate.text):
        if _is_the_post(post, match["role"], candidate):
            return _Held(finding, day, match.span(), " ".join(match["name"].split()), match["role"])
    if is_roll(candidate) or not _stands_near(post, candidate):
        return None
    return _Held(finding, day, None, "", "")


def _stated(text: str) -> Iterator[regex.Match[str]]:
    """Yield who is said in so many words to be what: `Ann Lee (clerk)`, `Ann Lee, clerk,`, `Clerk: Ann Lee`."""
    for pattern in (_BRACKETED, _APPOSED, _LABELLED, _MADE):
        yield from (match for match in pattern.finditer(text) if _FULL.search(match["name"]))


def _is_the_post(post: Post, role: str, candidate: Candidate) -> bool:
    """Whether words behind a name are the post: all of it, no lesser one, and of the body asked for."""
    said = terms_of(role)
    if not all(word & said for word in post.words):
        return False
    if _LESSER.search(role) and not _LESSER.search(post.text):
        return False
    elsewhere = [word for word in post.body if not word & said]
    if not elsewhere:
        return True
    of_its_own = terms_of(in_short(role), both=False) - frozenset[str]().union(*post.words, *post.body)
    return not of_its_own and all(word & _around(candidate) for word in elsewhere)


def _around(candidate: Candidate) -> frozenset[str]:
    headings = " ".join([candidate.title, candidate.passage.source.title, *candidate.passage.chunk.headings])
    return candidate.known | terms_of(headings) | terms_of(candidate.text)


def _stands_near(post: Post, candidate: Candidate) -> bool:
    """Whether a person stands a few words from the post, in the same clause."""
    text = candidate.text
    people = [name for name in names_in(text) if is_person_like(name)]
    around = _around(candidate)
    if not all(word & around for word in post.body) or (_LESSER.search(text) and not _LESSER.search(post.text)):
        return False
    for name in people:
        at = text.find(name)
        if at < 0:
            continue
        window = text[max(0, at - _NEAR) : at] + " " + text[at + len(name) : at + len(name) + _NEAR]
        if all(word & terms_of(window) for word in post.words):
            return True
    return False
