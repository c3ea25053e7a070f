"""Rules: who holds a role, since when, and who left it."""

# ruff: noqa: E501 - one pattern on one line

from __future__ import annotations

from collections.abc import Iterator

import regex

from ...retrievers.kg.records import Mention
from .dating import MASK
from .names import CAP, NAME
from .reading import EDGE, SELF, A, Found, Match, T, rule

_TITLE = r"(?:chief\s(?:\p{Ll}+\s){0,2}(?:officer|executive|economist|scientist|engineer)|Chief\s(?:\p{Lu}\p{Ll}+\s){0,2}(?:Officer|Executive|Economist|Scientist|Engineer)|C[EFOTIM]O|(?:chair(?:man|woman|person)?|Chair(?:man|woman|person)?)(?:\sof\sthe\s[Bb]oard)?|[Pp]resident|[Mm]anaging\s[Dd]irector|[Ff]inance\s[Dd]irector|[Gg]eneral\s[Cc]ounsel|[Tt]reasurer|[Gg]eneral\s[Mm]anager|[Hh]ead\sof\s\p{L}+(?:\s(?:and\s)?\p{L}+){0,2}?|[Dd]irector\sof\s\p{L}+(?:\s\p{L}+)?)"
_LEAD = r"(?:(?:new|next|first|global|group|interim|acting|permanent|its|the|our|as|a|an|Group|Interim|Acting|Global)\s){0,3}"
ROLE = rf"{_LEAD}(?P<r>{_TITLE}(?:,?\sand\s{_TITLE})?)"
PERSON = rf"(?P<p>(?:(?:Mr|Mrs|Ms|Dr|Prof)\.?\s)?{CAP}(?:\s(?:\p{{Lu}}\.|van|von|de|der|den|bin|{CAP})){{0,3}})"
OTHER = PERSON.replace("?P<p>", "?P<q>")
ORG = rf"(?P<s>{SELF}|(?:[Tt]he\s)?{NAME})"
_OF = rf"(?:{T}\s(?:of|at|for)\s{ORG})?"
_FILL = r"(?:\s(?:has|have|had|been|was|were|also|today|formally|officially|recently|unanimously|promptly))*"
_APPOINT = (
    r"(?:appointed|named|elected|promoted|hired|installed|chosen|picked|designated|tapped|confirmed|hired|recruited)"
)

_WRITTEN = {
    "ceo": "chief executive officer", "cfo": "chief financial officer", "coo": "chief operating officer",
    "cto": "chief technology officer", "cio": "chief information officer", "cmo": "chief marketing officer",
    "chief executive": "chief executive officer", "finance director": "chief financial officer",
    "chairman": "chair", "chairwoman": "chair", "chairperson": "chair", "chair of the board": "chair",
    "chairman of the board": "chair", "chairwoman of the board": "chair", "chairperson of the board": "chair",
}  # fmt: skip
# Many may hold these at once.
_SHARED = regex.compile(r"^(?:vice president|director of|head of)")


def roles_of(words: str | None) -> list[str]:
    """Return the roles that words name, written out, in small letters."""
    if not words:
        return []
    found = []
    for part in regex.split(rf",?\sand\s(?={_TITLE})", " ".join(words.split())):
        name = part.casefold()
        found.append(_WRITTEN.get(name, name))
    return found


def _employer(match: Match) -> Mention | None:
    return match.sentence.org(match["s2"] or match["s"] or "the company")


def _holds(match: Match, *, told_now: bool = True, in_passing: bool = False) -> Iterator[Found]:
    """Give the role of a person; one that is named in passing is held on the document's day, whatever else is told."""
    person, org = match.sentence.person(match["p"]), _employer(match)
    if person is None or org is None or person.name == org.name:
        return
    for role in roles_of(match["r"]):
        exclusive = not _SHARED.match(role) and not regex.search(r"\bco-", match.sentence.text)
        more = {"valid_at": match.sentence.spoken, "invalid_at": None} if in_passing else {}
        yield from match.state(
            person, "HOLDS_ROLE", told_now=told_now, object=org, value=role, exclusive=exclusive, named=(0, 0), **more
        )


def _left(match: Match) -> Iterator[Found]:
    person, org = match.sentence.person(match["p"]), _employer(match)
    if person is None or org is None:
        return
    for role in roles_of(match["r"]):
        yield from match.ended(person, "HOLDS_ROLE", object=org, value=role, named=(0, 0))


@rule(
    rf"{EDGE}{ORG}{A}{T}{_FILL}{T}\s{_APPOINT}{T}\s{PERSON}{A}{T}\s(?:to\s(?:be|become|serve\sas|the\s(?:post|role|position)\sof)\s|to\s|as\s)?{ROLE}"
)
def appointed_by(match: Match) -> Iterator[Found]:
    """`Acme named Ann Lee as its chief executive`."""
    if _is_board(match["s"]):
        return
    yield from _holds(match, told_now=False)


@rule(
    rf"(?:[Tt]he|[Ii]ts|[Oo]ur)\s(?:[Bb]oard|[Dd]irectors|[Ss]hareholders|supervisory\sboard)(?:\sof\s[Dd]irectors)?(?:\sof\s(?P<s>{NAME}))?{T}{_FILL}\s{_APPOINT}{T}\s{PERSON}{A}{T}\s(?:to\s(?:be|become|serve\sas)\s|to\s|as\s)?{ROLE}"
)
def appointed_by_the_board(match: Match) -> Iterator[Found]:
    """`The board elected Ann Lee chair`."""
    yield from _holds(match, told_now=False)


@rule(
    rf"{EDGE}{PERSON}{A}{T}(?:\s(?:has|have|had|also|formally|today))*\s(?:was|is|been){T}\s{_APPOINT}{T}\s(?:to\s(?:be|become|serve\sas|the\s(?:post|role|position)\sof)\s|as\s|to\s)?{ROLE}{_OF}"
)
def was_appointed(match: Match) -> Iterator[Found]:
    """`Ann Lee was appointed CFO of Acme`."""
    yield from _holds(match, told_now=False)


@rule(
    rf"{EDGE}{PERSON}{A}{T}(?:\s(?:has|have|had|then|later|formally|officially))*\s(?:became|become|joined{T}\s{ORG}\sas|took\sover{T}(?:\sfrom\s{OTHER})?\sas|took\soffice\sas|started\sas|began\sas|stepped\sup\sas|succeeded\s{OTHER}\sas|replaced\s{OTHER}\sas|assumed\sthe\s(?:role|post|position)\sof|took(?=\sthe\schair)|took\sup\sthe\s(?:role|post|position)\sof){T}\s{ROLE}(?:{T}\s(?:of|at)\s(?P<s2>{SELF}|{NAME}))?"
)
def took_office(match: Match) -> Iterator[Found]:
    """`Ann Lee took over from Bob Ray as CEO`."""
    yield from _holds(match, told_now=False)


@rule(
    rf"{EDGE}{PERSON}{T}\s(?:has\s(?:been|served\sas|led\s{ORG}\sas|acted\sas)|serves\sas|is(?!\sa\sformer)|was\sserving\sas|acts\sas){T}\s{ROLE}{_OF}"
)
def serves(match: Match) -> Iterator[Found]:
    """`Ann Lee has served as CEO of Acme since May 2020`."""
    yield from _holds(match)


@rule(
    rf"{EDGE}{PERSON},\s(?:who\sis\s|who\shas\sbeen\s)?{ROLE}(?:\s(?:of|at|for)\s(?P<s>{SELF}|{NAME})){T}(?=[,.;]|\ssaid|\sadded|\scommented|$)"
)
def in_apposition(match: Match) -> Iterator[Found]:
    """`… said Ann Lee, chief executive of Acme`."""
    yield from _holds(match, in_passing=True)


@rule(rf"{EDGE}(?P<s>{NAME})['’]s?\s{ROLE},?\s{PERSON}(?=[,.;]|\s\p{{Ll}})")
def possessive(match: Match) -> Iterator[Found]:
    """`Acme's chief executive, Ann Lee, …`."""
    if regex.search(r"\b(?:former|next|new|incoming|outgoing|ex-)\b", match.found.group()):
        return
    yield from _holds(match, in_passing=True)


@rule(rf"{EDGE}{PERSON},\s(?:the\s(?:company|group|firm)['’]s|our|its)\s{ROLE},")
def own_officer(match: Match) -> Iterator[Found]:
    """`Ann Lee, the company's finance director, …`."""
    yield from _holds(match, in_passing=True)


@rule(
    rf"{EDGE}{PERSON}{A}{T}(?:\s(?:has|have|had|also|formally))*\s(?:stepped\sdown|resigned|retired|departed|stood\sdown|left(?:\s(?:the\scompany|the\sgroup|office|{ORG}))?|was\sdismissed|was\sremoved|was\sousted|gave\sup\s(?:his|her|their)\s(?:post|role|position)|relinquished\s(?:his|her|their)\s(?:post|role|position)){T}\s(?:as|from\s(?:the\s(?:role|post|position)\sof|her\srole\sas|his\srole\sas|their\srole\sas|the\srole\sof))\s{ROLE}(?:{T}\s(?:of|at)\s(?P<s2>{NAME}))?"
)
def stepped_down(match: Match) -> Iterator[Found]:
    """`Bob Ray stepped down as CEO of Acme on 3 March 2021`."""
    yield from _left(match)


@rule(
    rf"{EDGE}{OTHER}{T}\shanded{T}\s(?:over\s)?(?:the\s(?:post|role|position|job|duties)\sof\s){ROLE}{T}\s(?:over\s)?to\s{PERSON}"
)
def handed_over(match: Match) -> Iterator[Found]:
    """`Bob Ray handed the post of CEO to Ann Lee`."""
    yield from _holds(match, told_now=False)


@rule(rf"{EDGE}{PERSON}{T}\s(?:served|was|acted)\s?(?:as\s)?{ROLE}{_OF}\s(?=from\b|between\b|{MASK})")
def served(match: Match) -> Iterator[Found]:
    """`Bob Ray was CEO of Acme from 2015 to 2020`: both ends are told, the last one included."""
    person, org = match.sentence.person(match["p"]), _employer(match)
    after = [time for time in match.sentence.times if time.at >= match.end - 1]
    if person is None or org is None or not after or after[0].at > match.end + 3:
        return
    first = after[0]
    second = after[1] if len(after) > 1 else None
    told = second is not None and (second.part == "end" or _joined(match, first.to, second.at))
    last = second if told else None
    if last is None and first.start.year == first.end.year:
        return
    for role in roles_of(match["r"]):
        yield Found(
            person, "HOLDS_ROLE", match.start, match.end, object=org, value=role, exclusive=not _SHARED.match(role),
            valid_at=first.start, invalid_at=last.start if last else first.after,
        )  # fmt: skip


def _joined(match: Match, start: int, end: int) -> bool:
    return match.sentence.text[start:end].strip() in ("", "to", "until", "-", "–", "and")


def _is_board(words: str | None) -> bool:
    return bool(words) and regex.search(r"\b[Bb]oard\b", words or "") is not None


@rule(
    rf"(?:{EDGE}(?:(?P<s>{NAME})['’]s?|[Tt]he\s(?:company|group|firm)['’]s|[Oo]ur|[Ii]ts)\s|{EDGE}){ROLE}\s{PERSON}(?=\s(?:said|told|added|says|commented|noted|explained|stated|wrote|presented|welcomed)\b)"
)
def titled(match: Match) -> Iterator[Found]:
    """`Chief Technology Officer Ann Lee told reporters …`."""
    yield from _holds(match, in_passing=True)


@rule(
    rf"{EDGE}{PERSON}(?:\s(?:has|had))?\s(?:has\s|had\s)?been\s(?:made|appointed|named|elected){T}\s(?:as\s)?{ROLE}{_OF}"
)
def made(match: Match) -> Iterator[Found]:
    """`Acme said that Ann Lee had been made CEO`."""
    yield from _holds(match, told_now=False)


@rule(rf"{EDGE}{PERSON},\s{ROLE}{T}(?=,)")
def in_office(match: Match) -> Iterator[Found]:
    """`Ann Lee, chief executive officer since 2019, …`: of the document's organisation."""
    if match.time is not None and MASK in match.found.group():
        yield from _holds(match)


@rule(
    rf"(?:{EDGE}(?P<s>{NAME})['’]s?|[Tt]he\s(?:company|group|firm)['’]s|[Oo]ur|[Ii]ts)\s{ROLE}\sis\s{PERSON}(?=[,.;]|\s\p{{Ll}})"
)
def officer_is(match: Match) -> Iterator[Found]:
    """`The company's finance director is Ann Lee`."""
    yield from _holds(match)


RULES = (
    made, in_office, officer_is,
    titled,
    appointed_by, appointed_by_the_board, was_appointed, took_office, serves, in_apposition, possessive, own_officer,
    stepped_down, handed_over, served,
)  # fmt: skip
