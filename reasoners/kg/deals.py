"""Rules: what was bought, sold, financed and agreed between organisations."""

# ruff: noqa: E501 - one pattern on one line

from __future__ import annotations

from collections.abc import Iterator

import regex

from ...retrievers.kg.records import Mention
from .dating import MASK
from .names import NAME
from .reading import ADVERB, EDGE, MONEY, SELF, SUBJECT, A, Found, Match, T, rule, thing

_VERB = rf"{A}{T}(?:\s{ADVERB})*{T}\s"
TARGET = rf"(?:the\s)?(?P<c>{NAME})"
_KIND = r"(?:[\p{Ll}-]+\s){0,4}?(?:company|maker|firm|manufacturer|start-up|startup|business|developer|rival|specialist|group|producer|retailer|supplier|operator)\s"
_BOUGHT = r"(?:acquired|bought|purchased|took\sover)"
_CLOSED = r"(?:completed|closed|sealed|wrapped\sup|finalised|finalized|concluded)"
_DEAL = r"(?:its|the)\s(?:previously\sannounced\s|planned\s|proposed\s)?(?:acquisition|purchase|takeover|buyout)"
_AGREED = r"(?:a|an|its|the)\s(?:[\p{L}-]+\s){0,4}?(?:partnership|alliance|collaboration|joint\sventure|cooperation|co-operation|research\sagreement|collaboration\sagreement|cooperation\sagreement|partnership\sagreement|memorandum\sof\sunderstanding)(?:\sagreement)?"


@rule(
    rf"{SUBJECT}{_VERB}{_BOUGHT}{T}\s(?:all\sof\s|(?:100%|all)\s(?:of\s)?(?:the\s)?(?:outstanding\s)?shares\s(?:of|in)\s|(?:the|a)\s(?={_KIND}))?(?:{_KIND})?{TARGET}(?![’'])"
)
def acquired(match: Match) -> Iterator[Found]:
    """`Acme acquired Beta for $12 million in March 2021`."""
    yield from _acquired(match, perfect=regex.search(r"\b(?:has|have|today)\b", match.found.group()) is not None)


@rule(rf"{SUBJECT}{_VERB}{_CLOSED}{T}\s{_DEAL}{T}\sof\s(?:(?:the|a)\s)?(?:{_KIND})?{TARGET}(?![’'])")
def completed_acquisition(match: Match) -> Iterator[Found]:
    """`Acme completed its acquisition of Beta`."""
    yield from _acquired(match, perfect=True)


@rule(
    rf"{EDGE}(?:[Tt]he\s)?(?P<c>{NAME}){A}{T}\s(?:was|has\sbeen){T}\s(?:acquired|bought|purchased|taken\sover)\sby\s(?:(?:the|a)\s)?(?:{_KIND})?(?P<s>[Tt]he\s(?:[Cc]ompany|[Gg]roup)|{NAME})"
)
def acquired_by(match: Match) -> Iterator[Found]:
    """`Beta was acquired by Acme in May 2022`."""
    yield from _acquired(match, perfect=False)


@rule(
    rf"{EDGE}(?:[Tt]he\s)?(?P<c>{NAME}){A}{T}\s(?:has\s)?bec(?:ame|ome){T}\s(?:a\s(?:wholly[\s-]owned\s)?(?:subsidiary|unit|division|part)\s(?:of\s(?P<s>[Tt]he\s(?:[Cc]ompany|[Gg]roup)|{NAME}))|part\sof\s(?P<s>[Tt]he\s(?:[Cc]ompany|[Gg]roup)|{NAME}))"
)
def became_part(match: Match) -> Iterator[Found]:
    """`Beta became a subsidiary of Acme in May 2022`."""
    yield from _acquired(match, perfect=True)


@rule(
    rf"{EDGE}(?:[Tt]he\s)?(?P<c>{NAME}){A}{T}\s(?:belongs\sto|has\sbelonged\sto|is\sowned\sby|has\sbeen\sowned\sby)\s(?P<s>[Tt]he\s(?:[Cc]ompany|[Gg]roup)|{NAME})"
)
def belongs(match: Match) -> Iterator[Found]:
    """`Beta has belonged to Acme since August 2021`."""
    yield from _acquired(match, perfect=True)


@rule(
    rf"\b(?:takeover|acquisition|purchase|buyout)\sof\s(?:the\s)?(?P<c>{NAME}){T}\sby\s(?P<s>[Tt]he\s(?:[Cc]ompany|[Gg]roup)|{NAME}){T}\s(?:was|has\sbeen){T}\s(?:completed|closed|finalised|finalized|concluded)"
)
def takeover_of(match: Match) -> Iterator[Found]:
    """`The takeover of Beta by Acme was completed on 3 August 2021`."""
    yield from _acquired(match, perfect=False)


@rule(
    rf"{EDGE}(?:[Tt]he\s)?(?P<c>{NAME})(?:,\s|\sis\s|\sremains\s)(?:now\s)?(?:a|an)\s(?:wholly[\s-]owned\s|majority[\s-]owned\s)?(?:subsidiary|division|unit)\sof\s(?P<s>[Tt]he\s(?:[Cc]ompany|[Gg]roup)|{NAME})"
)
def is_part(match: Match) -> Iterator[Found]:
    """`Beta, a subsidiary of Acme, …`."""
    part, whole = match.org("c"), match.subject
    if part is not None and whole is not None and part.name != whole.name:
        told = match.sentence.spoken  # said in passing: it is so on the document's day
        yield from match.state(
            part, "PART_OF", object=whole, exclusive=True, named=(0, 0), valid_at=told, invalid_at=None
        )


@rule(
    rf"{SUBJECT}{_VERB}(?:sold(?:\soff)?|offloaded|divested|completed\sthe\s(?:sale|disposal|divestiture)\sof|disposed\sof){T}\s(?:(?:its|the)\s)?(?:(?:subsidiary|unit|division|affiliate),?\s)?{TARGET}(?:,\s[^,]{{2,60}},)?{T}(?:\s(?:business|unit|subsidiary|division))?{T}\sto\s(?:(?:the|a)\s)?(?:{_KIND})?(?P<b>{NAME})"
)
def sold_to(match: Match) -> Iterator[Found]:
    """`Acme sold Beta to Gamma in May 2023`."""
    seller, part, buyer = match.subject, match.org("c"), match.org("b")
    if seller is None or part is None or buyer is None or len({seller.name, part.name, buyer.name}) < 3:
        return
    for made in match.state(part, "PART_OF", told_now=False, object=buyer, exclusive=True, named=(0, 0)):
        yield made
        yield from match.ended(part, "PART_OF", object=seller, named=(0, 0))


@rule(
    rf"{SUBJECT}{_VERB}(?:divested|spun\soff|disposed\sof|completed\sthe\s(?:sale|disposal|divestiture|spin-off)\sof){T}\s(?:(?:its|the)\s)?(?:(?:subsidiary|unit|division|affiliate),?\s)?{TARGET}(?!.*\sto\s\p{{Lu}})"
)
def divested(match: Match) -> Iterator[Found]:
    """`Acme divested Beta in May 2023`."""
    seller, part = match.subject, match.org("c")
    if seller is not None and part is not None and seller.name != part.name:
        yield from match.ended(part, "PART_OF", object=seller, named=(0, 0))


@rule(
    rf"{SUBJECT}\sand\s(?:the\s)?(?P<c>{NAME}){A}{T}(?:\s{ADVERB})*{T}\s(?:signed|entered\sinto|formed|agreed(?:\son)?|announced|concluded|began|begun|started|launched){T}\s{_AGREED}"
)
def agreed_together(match: Match) -> Iterator[Found]:
    """`Acme and Gamma signed a partnership agreement`."""
    yield from _partners(match, match.org("c"))


@rule(
    rf"{SUBJECT}{_VERB}(?:signed|entered\sinto|formed|agreed(?:\son)?|announced|concluded|established|set\sup|created|began|started){T}\s{_AGREED}{T}\swith\s{TARGET}"
)
def agreed_with(match: Match) -> Iterator[Found]:
    """`Acme has entered into a partnership with Gamma`."""
    yield from _partners(match, match.org("c"))


@rule(
    rf"{SUBJECT}{_VERB}(?:partnered|teamed\sup|joined\sforces|allied\sitself|collaborated|collaborates|worked|works|cooperated|cooperates|co-operates|works\stogether){T}\swith\s{TARGET}"
)
def partnered(match: Match) -> Iterator[Found]:
    """`Acme teamed up with Gamma in May 2021`."""
    yield from _partners(match, match.org("c"))


@rule(
    rf"{SUBJECT}{_VERB}(?:ended|terminated|dissolved|wound\sup|left){T}\s(?:its|the)\s(?:[\p{{L}}-]+\s){{0,3}}?(?:partnership|alliance|collaboration|joint\sventure|cooperation|co-operation)(?:\sagreement)?\swith\s{TARGET}"
)
def parted(match: Match) -> Iterator[Found]:
    """`Acme ended its partnership with Gamma in 2022`."""
    other, own = match.org("c"), match.subject
    if other is not None and own is not None and other.name != own.name:
        yield from match.ended(own, "COLLABORATES_WITH", object=other)


@rule(
    rf"{SUBJECT}{_VERB}invested{T}\s(?:(?:about|around|some|another|a\sfurther|approximately|more\sthan)\s)?{MONEY}{T}\sin\s(?:(?:the|a)\s)?(?:{_KIND})?{TARGET}"
)
def invested(match: Match) -> Iterator[Found]:
    """`Acme invested $5 million in Gamma`."""
    amount = match.amount()
    if amount and (target := match.org("c")):
        yield from match.event(match.subject, "INVESTS_IN", object=target, value=amount[0], unit=amount[1])


@rule(rf"{SUBJECT}{_VERB}(?:put|placed){T}\s{MONEY}{T}\sinto\s{TARGET}")
def put_into(match: Match) -> Iterator[Found]:
    """`Acme put $5 million into Gamma`."""
    amount = match.amount()
    if amount and (target := match.org("c")):
        yield from match.event(match.subject, "INVESTS_IN", object=target, value=amount[0], unit=amount[1])


@rule(
    rf"{SUBJECT}{_VERB}(?:took|acquired|bought|purchased){T}\s(?:a|an)\s(?:minority\s|further\s|controlling\s)?(?P<v>\d+(?:\.\d+)?\s?(?:%|percent|per\scent))\s(?:stake|interest|share|shareholding|holding){T}\sin\s{TARGET}"
)
def took_a_stake(match: Match) -> Iterator[Found]:
    """`Acme took a 12% stake in Gamma`."""
    amount = match.amount()
    if amount and (target := match.org("c")):
        yield from match.event(match.subject, "INVESTS_IN", object=target, value=amount[0], unit="%")


@rule(
    rf"{SUBJECT}{_VERB}(?:secured|obtained|won|landed|received|was\sawarded|signed|closed|raised|arranged){T}\s(?:(?:a|an|some|its)\s)?(?:new\s|further\s)?(?:{MONEY}(?:\sin|\sof)?\s(?:[\p{{L}}-]+\s){{0,3}}?(?P<o>loan|contract|grant|order|credit\sfacility|facility|funding|financing|mandate|bond|term\sloan)\b|(?P<o2>loan|contract|grant|order|credit\sfacility|funding|financing)\s(?:of|worth|valued\sat|for){T}\s{MONEY})"
)
def secured(match: Match) -> Iterator[Found]:
    """`Acme secured a $20 million loan from Nordbank`."""
    amount = match.amount()
    named = thing(match["o"] or match["o2"])
    if amount and named is not None:
        yield from match.event(match.subject, "SECURED", object=named, value=amount[0], unit=amount[1])


def _acquired(match: Match, *, perfect: bool) -> Iterator[Found]:
    part, whole = match.org("c"), match.subject
    if part is None or whole is None or part.name == whole.name:
        return
    rest = match.sentence.text[match.found.end("c") :]
    if regex.match(r"['’]s?\s|\s(?:shares|stock|bonds|assets|plant|factory|site|land|building|equipment)\b", rest):
        return  # a part of it, or its securities
    yield from match.state(part, "PART_OF", told_now=perfect, object=whole, exclusive=True, named=(0, 0))


def _partners(match: Match, other: Mention | None) -> Iterator[Found]:
    own = match.subject
    if own is not None and other is not None and own.name != other.name:
        yield from match.state(own, "COLLABORATES_WITH", told_now=True, object=other)


@rule(rf"{EDGE}(?P<c>{NAME}),\swhich\s(?P<s>{SELF}|{NAME}){T}\s(?:had\s|has\s)?(?:bought|acquired|took\sover){T}")
def which_was_bought(match: Match) -> Iterator[Found]:
    """`Beta, which Acme bought in 2019, …`."""
    if MASK in match.found.group():
        yield from _acquired(match, perfect=False)


@rule(
    rf"\b(?:sale|disposal|divestiture)\sof\s(?:the\s|its\s)?(?P<c>{NAME})(?:\sby\s(?P<s>{NAME}))?{T}\sto\s(?P<b>{NAME}){T}\s(?:was|has\sbeen)?\s?(?:completed|closed|finalised|finalized|concluded)"
)
def sale_closed(match: Match) -> Iterator[Found]:
    """`The sale of Beta to Gamma closed on 2 June 2022`."""
    seller = match.subject if match["s"] else match.sentence.org("the company")
    part, buyer = match.org("c"), match.org("b")
    if part is None or buyer is None or part.name == buyer.name:
        return
    yield from match.state(part, "PART_OF", told_now=False, object=buyer, exclusive=True, named=(0, 0))
    if seller is not None and seller.name not in (part.name, buyer.name):
        yield from match.ended(part, "PART_OF", object=seller, named=(0, 0))


@rule(
    rf"\b[Tt]he\s(?:[\p{{L}}-]+\s){{0,2}}?(?:partnership|alliance|collaboration|joint\sventure|cooperation)\s(?:between|of)\s(?P<s>{NAME})\s(?:and|with)\s(?:the\s)?(?P<c>{NAME}){T}\s(?:began|started|was\s(?:signed|formed|agreed|announced))"
)
def partnership_began(match: Match) -> Iterator[Found]:
    """`The partnership between Acme and Gamma began in March 2022`."""
    yield from _partners(match, match.org("c"))


@rule(
    rf"{SUBJECT}{_VERB}(?:bought|acquired|purchased){T}\s(?P<v>\d{{1,2}}(?:\.\d+)?\s?(?:%|percent|per\scent))\sof\s(?!the\sshares){TARGET}"
)
def bought_share(match: Match) -> Iterator[Found]:
    """`Acme bought 15% of Gamma in 2022`."""
    amount = match.amount()
    if amount and (target := match.org("c")):
        yield from match.event(match.subject, "INVESTS_IN", object=target, value=amount[0], unit="%")


@rule(
    rf"{EDGE}(?P<b>{NAME}){A}{T}(?:\s(?:has|have))?\s(?:granted|lent|gave|awarded|extended){T}\s(?P<s>[Tt]he\s(?:[Cc]ompany|[Gg]roup)|{NAME})\s(?:a|an)\s(?:{MONEY}\s(?P<o>loan|contract|grant|order|credit\sfacility)|(?P<o2>loan|contract|grant|order|credit\sfacility)\s(?:of|worth|for)\s{MONEY})"
)
def granted(match: Match) -> Iterator[Found]:
    """`Coast Bank granted Acme a loan of £4 million`."""
    amount, named = match.amount(), thing(match["o"] or match["o2"])
    if amount and named is not None:
        yield from match.event(match.subject, "SECURED", object=named, value=amount[0], unit=amount[1])


RULES = (
    which_was_bought, sale_closed, partnership_began, bought_share, granted,
    acquired, completed_acquisition, acquired_by, became_part, belongs, takeover_of, is_part, sold_to, divested, agreed_together, agreed_with,
    partnered, parted, invested, put_into, took_a_stake, secured,
)  # fmt: skip
