"""Rules: where an organisation sits, what it is, what it aims at, what it developed and who took it up."""

# ruff: noqa: E501 - one pattern on one line

from __future__ import annotations

from collections.abc import Iterator

import regex

from ...retrievers.kg.records import Mention
from .dating import MASK
from .names import CAP, NAME
from .reading import ADVERB, EDGE, GOODS, NOUNS, OWNER, SELF, SUBJECT, A, Found, Match, T, goods, rule, thing

_VERB = rf"{A}{T}(?:\s{ADVERB})*{T}\s"
PLACE = rf"(?P<o>{CAP}(?:[\s-](?:upon-|sur-|am\s|de\s|of\s|on\s)?{CAP}){{0,2}}(?:,\s{CAP}(?:\s{CAP})?)?)"
_SEAT = r"(?:headquarters|seat|head\soffice|head\soffices|registered\soffice|principal\sexecutive\soffices?|corporate\soffice|main\soffice)"
_AREA = rf"(?:{NOUNS}(?:\sof\s{NOUNS})?)"
_AREAS = rf"(?P<o>{_AREA}(?:,\s{_AREA}){{0,4}}(?:,?\sand\s{_AREA})?)"
_ENDS = rf"(?=[,.;:)]|\s(?:for|to|in|at|by|with|on|since|as|after|which|that|rather|instead|over|during)\b|\s?{MASK}|$)"
_FOCUS = r"(?:focus|priority|priorities|emphasis|attention|efforts|research|research\sfocus|research\spriorities)"
_TRADES = "maker|manufacturer|provider|supplier|company|producer|retailer|bank|insurer|developer|operator|distributor|publisher|firm|brewer|carrier|airline|builder|refiner|utility|processor|wholesaler|designer|grower|corporation|cooperative|business"


@rule(
    rf"{SUBJECT}{A}{T}(?:\s(?:is|are|has\sbeen|was|remains))?(?:\s(?:now|still|currently))?{T}\s(?:headquartered|based|domiciled){T}\s(?:in|at)\s{PLACE}(?!\p{{L}})"
)
def based_in(match: Match) -> Iterator[Found]:
    """`Acme is headquartered in Oslo`."""
    if match.found.group().rstrip().endswith(("'s", "’s")):
        return
    yield from _seat(match, match.subject, match["o"], told_now=True)


@rule(rf"{SUBJECT},\s(?:which\sis\s|now\s)?(?:headquartered|based)\sin\s{PLACE},")
def inserted_seat(match: Match) -> Iterator[Found]:
    """`Acme, based in Oslo, …`."""
    yield from _seat(match, match.subject, match["o"], told_now=True)


@rule(
    rf"{SUBJECT}{_VERB}(?:moved|relocated|transferred|shifted){T}\s(?:its|the|their|our)\s(?:(?:corporate|global|group|world)\s)?{_SEAT}{T}(?:\sfrom\s(?P<q>{CAP}(?:\s{CAP}){{0,2}}))?{T}\sto\s{PLACE}"
)
def moved_seat(match: Match) -> Iterator[Found]:
    """`Acme moved its headquarters from Oslo to Bergen in May 2021`."""
    yield from _moved(match, match.subject)


@rule(
    rf"{EDGE}(?:[Tt]he\s(?:company['’]s\s|group['’]s\s)?|[Oo]ur\s|[Ii]ts\s|(?P<s>{NAME})['’]s?\s)(?:(?:corporate|global|group['’]?s?|world)\s)?{_SEAT}{T}\s(?:was|were|has\sbeen|have\sbeen)\s(?:moved|relocated|transferred|shifted){T}(?:\sfrom\s(?P<q>{CAP}(?:\s{CAP}){{0,2}}))?{T}\sto\s{PLACE}"
)
def seat_was_moved(match: Match) -> Iterator[Found]:
    """`The group's headquarters were transferred to Bergen`."""
    yield from _moved(match, match.subject if match["s"] else match.sentence.org("the company"))


@rule(
    rf"{EDGE}(?:[Oo]ur|[Ii]ts|[Tt]he\s[Cc]ompany['’]s|(?P<s>{NAME})['’]s?)\s(?:(?:corporate|global|world)\s)?{_SEAT}{T}\s(?:is|are|has\sbeen|have\sbeen)(?:\slocated|\ssituated)?{T}\s(?:in|at)\s{PLACE}(?!\s(?:Street|Avenue|Road|Park|Drive|Boulevard|Way|Lane))"
)
def seat_is(match: Match) -> Iterator[Found]:
    """`Our principal executive offices are located in Oslo`."""
    yield from _seat(
        match, match.subject if match["s"] else match.sentence.org("the company"), match["o"], told_now=True
    )


@rule(
    rf"{SUBJECT}{A}{T}(?:\s(?:now|still|currently|also))*\s(?:has|runs|keeps|maintains|operates){T}\s(?:its|their|our)\s(?:(?:corporate|global|world|main)\s)?{_SEAT}{T}\s(?:in|at|from|out\sof)\s{PLACE}"
)
def keeps_seat(match: Match) -> Iterator[Found]:
    """`Acme has its headquarters in Oslo`."""
    yield from _seat(match, match.subject, match["o"], told_now=True)


@rule(
    rf"{SUBJECT}{_VERB}(?:(?:\p{{Ll}}+\s)*(?:and\s))?(?:established|set\sup|opened|inaugurated){T}\s(?:its|their|our)\s(?:new\s)?(?:(?:corporate|global|world)\s)?{_SEAT}{T}\s(?:in|at)\s{PLACE}"
)
def set_up_seat(match: Match) -> Iterator[Found]:
    """`Acme set up its new headquarters in Oslo in 2020`."""
    yield from _seat(match, match.subject, match["o"], told_now=False)


@rule(
    rf"{SUBJECT}{_VERB}opened{T}\s(?:a|an|its\s(?:first|second|third|new))\s(?:new\s|second\s|third\s)?(?P<k>(?:\p{{Ll}}+\s)?(?:office|plant|factory|laboratory|warehouse|store|research\scentre|distribution\scentre)){T}\s(?:in|at)\s{PLACE}"
)
def opened(match: Match) -> Iterator[Found]:
    """`Acme opened a plant in Bergen in May 2021`."""
    place = _place(match["o"])
    if place is not None:
        yield from match.state(match.subject, "LOCATED_IN", told_now=False, object=place, value=match["k"] or "")


@rule(
    rf"{SUBJECT}{_VERB}closed{T}\s(?:its|the)\s(?P<k>(?:\p{{Ll}}+\s)?(?:office|plant|factory|laboratory|warehouse|store|research\scentre|distribution\scentre)){T}\s(?:in|at)\s{PLACE}"
)
def closed_site(match: Match) -> Iterator[Found]:
    """`Acme closed its plant in Bergen in May 2023`."""
    place = _place(match["o"])
    if place is not None:
        yield from match.ended(match.subject, "LOCATED_IN", object=place, value=match["k"] or "")


@rule(
    rf"{EDGE}(?:[Tt]he\s)?(?P<s>{NAME}){T}\sis\s(?:a|an)\s(?P<o>(?:[\p{{L}}-]+\s){{0,4}}?(?:{_TRADES})(?:\sof\s{NOUNS}(?:\sand\s{NOUNS})?)?){_ENDS}"
)
def is_a(match: Match) -> Iterator[Found]:
    """`Acme is a maker of industrial pumps`."""
    named = thing(match["o"])
    if named is not None and named.name.casefold() not in ("company", "firm", "business"):
        yield from match.always(match.subject, "IS_A", object=Mention(name=named.name, kind="thing"))


@rule(
    rf"(?:[Tt]he|{EDGE}{OWNER})\s(?:top|main|first|highest|chief|overriding)\s(?P<k>research\s|strategic\s)?priority(?:\s(?:of|for|at)\s(?P<s>{SELF}|{NAME}))?{T}\s(?:is|was|remains){T}\s{_AREAS}{_ENDS}"
)
def top_priority(match: Match) -> Iterator[Found]:
    """`The top priority of Acme for 2021 is battery safety`."""
    yield from _aims(match, match.subject if match["s"] else match.sentence.org("the company"))


@rule(
    rf"{EDGE}{OWNER}\s(?P<k>research\s|strategic\s)?(?:priorities|priority|focus){T}\s(?:is|are|was|were|remain|remains){T}\s(?:on\s)?{_AREAS}{_ENDS}"
)
def priorities_are(match: Match) -> Iterator[Found]:
    """`Acme's research priorities for 2021 are battery safety and recycling`."""
    whose = match.sentence.org("the company") if (match["s"] or "").casefold() in ("its", "our") else match.subject
    yield from _aims(match, whose)


@rule(
    rf"(?:(?P<k>[Rr]esearch)\sat\s(?P<s>{SELF}|{NAME})|{EDGE}{OWNER}\s(?P<k>research)){T}(?:\s(?:now|currently|mainly|primarily))*\s(?:focuses|concentrates|is\sfocused|is\sconcentrated|centres|centers){T}\son\s{_AREAS}{_ENDS}"
)
def research_focuses(match: Match) -> Iterator[Found]:
    """`Research at Acme focuses on recycling`."""
    whose = match.sentence.org("the company") if (match["s"] or "").casefold() in ("its", "our") else match.subject
    yield from _aims(match, whose)


@rule(
    rf"{SUBJECT}{A}{T}(?:\s(?:now|currently|mainly|primarily|will))*\s(?:concentrates|concentrated|focuses|focused|is\sfocused|is\sfocusing|is\sconcentrating){T}(?:\sits\s(?P<k>research|efforts|spending|work))?{T}\son\s{_AREAS}{_ENDS}"
)
def focuses_on(match: Match) -> Iterator[Found]:
    """`Acme concentrates its research on recycling`."""
    yield from _aims(match, match.subject)


@rule(
    rf"{SUBJECT}{_VERB}(?:shifted|moved|switched|turned|redirected){T}\s(?:its|the)\s(?P<k>research|strategic)?\s?{_FOCUS}{T}\s(?:away\s)?from\s(?P<q>{_AREA}){T}\sto\s(?P<o>{_AREA}){_ENDS}"
)
def shifted(match: Match) -> Iterator[Found]:
    """`Acme shifted its focus from solar cells to batteries in May 2021`."""
    whose, old = match.subject, thing(match["q"])
    yield from _aims(match, whose, told_now=False)
    if whose is not None and old is not None and match.time is not None:
        yield from match.ended(whose, "TARGETS", object=_area(old), value=_which(match))


@rule(rf"{SUBJECT}{_VERB}developed{T}\s(?:(?:a|an|the|its)\s(?:new\s|first\s|own\s)*)?(?P<o>{NAME}|{GOODS}){_ENDS}")
def developed(match: Match) -> Iterator[Found]:
    """`Acme developed a sodium battery in 2021`."""
    named = thing(match["o"])
    if named is not None and not regex.search(
        r"\b(?:plan|strategy|programme|program|process|approach|policy|framework|business|relationships?|products?|solutions?|capabilit\w+|ways?|methodolog\w+|models?)$",
        named.name,
    ):
        yield from match.event(match.subject, "DEVELOPED", object=named)


@rule(
    rf"{SUBJECT}{_VERB}(?:adopted|deployed|installed|switched\sto|standardised\son|standardized\son){T}\s(?:the\s|its\s)?(?:(?:{NAME})['’]s?\s)?(?P<o>{NAME}){T}(?=[,.;]|\s(?:in|at|for|across|throughout|as|on|to|system|software|platform|technology)\b|$)"
)
def adopted(match: Match) -> Iterator[Found]:
    """`Gamma adopted Falcon 3 in May 2022`: Falcon 3 is adopted by Gamma."""
    by, named = match.subject, thing(match["o"])
    if by is None or named is None or named.name == by.name:
        return
    if named.kind != "product" or regex.search(
        r"(?i)\b(?:asu|asc|ifrs|fasb|gaap|topic|act|standard|plan|policy|code|amendment|section|schedule|agreement|rule|rules|resolution|charter|bylaws|guidelines)\b",
        named.name,
    ):
        return  # a rule of accounting or law
    yield from match.state(
        Mention(name=named.name, kind="product"), "ADOPTED_BY", told_now=False, object=by, named=(0, 0)
    )


@rule(
    rf"{EDGE}(?:[Tt]he\s)?(?P<o>(?:closure|merger|sale|acquisition|strike|restructuring|fire|recall|launch|reorganisation|reorganization)\s(?:of|at|in)\s(?:the\s|its\s)?{NAME}(?:\s\p{{Ll}}+)?){T}\s(?:has\s)?(?:resulted\sin|led\sto|caused){T}\s(?:a|an|the)?\s?(?P<c>{NOUNS}(?:\sof\s{NOUNS})?){_ENDS}"
)
def resulted(match: Match) -> Iterator[Found]:
    """`The closure of the Hull plant resulted in a charge of $4 million`."""
    cause, effect = thing(match["o"]), thing(match["c"])
    if cause is not None and effect is not None:
        cause = Mention(name=cause.name, kind="thing")
        yield from match.event(cause, "RESULTED_IN", object=Mention(name=effect.name, kind="thing"), named=(0, 0))


def _seat(match: Match, whose: Mention | None, words: str | None, *, told_now: bool) -> Iterator[Found]:
    place = _place(words)
    if place is not None and whose is not None and place.name != whose.name:
        yield from match.state(
            whose, "LOCATED_IN", told_now=told_now, object=place, value="headquarters", exclusive=True
        )


def _moved(match: Match, whose: Mention | None) -> Iterator[Found]:
    place, old = _place(match["o"]), _place(match["q"])
    if place is None or whose is None:
        return
    for made in match.state(whose, "LOCATED_IN", told_now=False, object=place, value="headquarters", exclusive=True):
        yield made
        if old is not None and made.valid_at is not None:
            yield from match.ended(whose, "LOCATED_IN", object=old, value="headquarters")


def _place(words: str | None) -> Mention | None:
    name = " ".join((words or "").split()).strip(" ,.")
    if not name or name.casefold().startswith(("the ", "item ", "part ", "note ")):
        return None
    return Mention(name=name.split(",")[0], kind="place")


def _aims(match: Match, whose: Mention | None, *, told_now: bool = True) -> Iterator[Found]:
    for area in goods(match["o"]):
        yield from match.state(
            whose, "TARGETS", told_now=told_now, object=_area(area), value=_which(match), exclusive=True,
            kind=match.sentence.kind(match.start, match.start),
        )  # fmt: skip


def _area(named: Mention) -> Mention:
    return Mention(name=named.name, kind="thing")


def _which(match: Match) -> str:
    return "research focus" if "research" in match.found.group().casefold() else "focus"


@rule(rf"{EDGE}{PLACE}\sis\s(?:home\sto|the\sseat\sof|where)\s(?:the\s)?(?:{_SEAT}\sof\s)?(?P<s>{NAME})")
def home_to(match: Match) -> Iterator[Found]:
    """`Bristol is home to the headquarters of Acme`."""
    if regex.search(_SEAT, match.found.group()) or "seat of" in match.found.group():
        yield from _seat(match, match.subject, match["o"], told_now=True)


@rule(rf"{SUBJECT}\sis\s(?:a|an|the)\s(?:[\p{{L}}-]+\s)?(?P<o>{CAP}(?:\s{CAP})?)-(?:based|headquartered)\s")
def based(match: Match) -> Iterator[Found]:
    """`Acme is a Bristol-based company`."""
    yield from _seat(match, match.subject, match["o"], told_now=True)


@rule(
    rf"{SUBJECT}{_VERB}(?:moved|relocated){T}\s(?:in)?to\s(?:a\s|its\s|the\s)?(?:new\s)?{_SEAT}{T}\s(?:in|at)\s{PLACE}"
)
def moved_into(match: Match) -> Iterator[Found]:
    """`Acme moved to a new head office in Cardiff`."""
    yield from _seat(match, match.subject, match["o"], told_now=False)


RULES = (
    based_in, home_to, based, moved_into, inserted_seat, moved_seat, seat_was_moved, seat_is, keeps_seat, set_up_seat, opened, closed_site, is_a, top_priority, priorities_are,
    research_focuses, focuses_on, shifted, developed, adopted, resulted,
)  # fmt: skip
