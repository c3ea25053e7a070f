"""Rules: what is made, sold, launched and discontinued, and who supplies whom."""

# ruff: noqa: E501, SIM905 - one pattern on one line; word lists read better as running text

from __future__ import annotations

from collections.abc import Iterator

import regex

from ...retrievers.kg.records import Mention
from .dating import MASK
from .names import NAME
from .reading import (
    ADVERB,
    EDGE,
    GOODS,
    GOODS_LIST,
    NOUNS,
    OWNER,
    PRODUCT,
    SELF,
    SUBJECT,
    A,
    Found,
    Match,
    T,
    goods,
    rule,
    thing,
)

_VERB = rf"{A}{T}(?:\s{ADVERB})*{T}\s"
_LAUNCHED = r"(?:launched|introduced|presented|showed\soff|premiered|unveiled|released|rolled\sout|debuted|brought\sout|put\son\ssale)"
_MADE = r"(?:makes|make|manufactures|manufacture|produces|produce|builds|assembles|brews)"
_ENDED = r"(?:discontinued|stopped\s(?:making|producing|selling|manufacturing|(?:the\s)?production\sof|(?:the\s)?sales?\sof)|ceased\s(?:production|manufacture|sales?|making|producing|selling|manufacturing)(?:\sof)?|ended\s(?:production|sales?|manufacture)\sof|phased\sout|retired|withdrew|pulled|axed|halted\s(?:production|sales?)\sof|no\slonger\s(?:makes|sells|produces|manufactures))"
_END = rf"(?=[,.;:)]|\s(?:for|to|from|in|at|by|with|on|since|through|under|across|using|as|after|and|that|which|into)\b|\s?{MASK}|$)"


def _product(words: str | None) -> Mention | None:
    """Return a product by its name; what is named in small letters is a kind of product and stands too."""
    named = thing(words)
    if named is None or named.name.casefold() in _NOT_PRODUCTS:
        return None
    return Mention(name=named.name, kind="product")


_NOT_PRODUCTS = frozenset(
    "programme program initiative review search plan offer tender takeover investigation appeal bid website report campaign strategy "
    "offering ipo share buyback restructuring process project results guidance".split()
)


# What is made without any work of hands: `make payments`, `make it possible`.
_DONE = frozenset(
    "payments payment estimates estimate judgments judgements decisions decision investments investment contributions changes "
    "change statements disclosures efforts loans donations filings adjustments acquisitions assumptions comparisons purchases "
    "sales commitments progress assessments determinations representations improvements distributions modifications "
    "mistakes calls announcements predictions forecasts arrangements plans profits profit claims corrections choices "
    "recommendations offers bids deposits gains losses sense sure use reference references money way room results "
    "returns savings cuts advances withdrawals transfers elections certifications amendments grants awards capital revenue "
    "revenues income cash value growth interest dividends information data content".split()
)


def _is_made(named: Mention, words: str) -> bool:
    """Whether something is made or built: a product by name, or things in the plural that hands can make."""
    if named.kind == "product":
        return True
    last = named.name.split()[-1].casefold()
    if last in _DONE or named.name.split()[0].casefold() in _DONE:
        return False
    return last.endswith("s") or regex.search(r"\bmakes?\b", words) is None


def _is_initiative(words: str | None) -> bool:
    return bool(words) and regex.search(
        r"\b(?:programme|program|initiative|review|search|plan|offer|takeover|investigation|appeal|bid|campaign|strategy|offering|buyback|restructuring|results|policy|scheme|proceedings)\b",
        words or "", regex.IGNORECASE,
    ) is not None  # fmt: skip


@rule(rf"{SUBJECT}{_VERB}{_LAUNCHED}{T}\s{PRODUCT}(?!\p{{L}})")
def launched(match: Match) -> Iterator[Found]:
    """`Acme launched Falcon 3 in March 2021`."""
    name = match.sentence.names.org(match["o"] or "") or match["o"]
    named = _product(name)
    rest = match.sentence.text[match.end : match.end + 24]
    if named is None or _is_initiative(f"{named.name}{rest.split(',')[0].split(' in ')[0]}"):
        return
    yield from match.event(match.subject, "LAUNCHED", object=named, told_now=_is_perfect(match))


@rule(rf"{SUBJECT}{_VERB}(?:announced|celebrated)\sthe\slaunch\sof\s{PRODUCT}")
def announced_a_launch(match: Match) -> Iterator[Found]:
    """`Acme announced the launch of Falcon 3`."""
    yield from match.event(match.subject, "LAUNCHED", object=_product(match["o"]), told_now=True)


@rule(
    rf"{EDGE}(?:[Tt]he\s)?(?P<o>{NAME}){A}{T}(?:\s(?:has|was|first|finally))*{T}\s(?:launched|introduced|unveiled|released|brought\sto\smarket){T}\sby\s(?P<s>{SELF}|{NAME})"
)
def launched_by(match: Match) -> Iterator[Found]:
    """`Falcon 3 was launched by Acme`."""
    yield from match.event(match.subject, "LAUNCHED", object=_product(match["o"]))


@rule(rf"\b(?:launch|introduction|unveiling|release)\sof\s{PRODUCT}{T}\sby\s(?P<s>{SELF}|{NAME})")
def launch_of(match: Match) -> Iterator[Found]:
    """`The launch of Falcon 3 by Acme in May 2022 …`."""
    if match.time is not None:
        yield from match.event(match.subject, "LAUNCHED", object=_product(match["o"]))


@rule(
    rf"{EDGE}(?:[Tt]he\s)?(?P<o>{NAME}){A}{T}(?:\s(?:has|first))*\s(?:went\son\ssale|made\sits\sdebut|reached\sthe\smarket|came\sto\smarket|hit\sthe\smarket|became\savailable)"
)
def went_on_sale(match: Match) -> Iterator[Found]:
    """`Falcon 3 went on sale in March 2021`: whose it is, the document tells."""
    yield from match.event(match.sentence.org("the company"), "LAUNCHED", object=_product(match["o"]))


@rule(rf"{SUBJECT}{_VERB}brought\s{PRODUCT}{T}\sto\s(?:the\s)?market")
def brought_to_market(match: Match) -> Iterator[Found]:
    """`Acme brought Falcon 3 to market in May`."""
    yield from match.event(match.subject, "LAUNCHED", object=_product(match["o"]), told_now=_is_perfect(match))


@rule(
    rf"{SUBJECT}{A}{T}(?:\s(?:also|now|still|currently|designs\sand|develops\sand))*\s{_MADE}\s(?P<o>{GOODS_LIST}){_END}"
)
def makes(match: Match) -> Iterator[Found]:
    """`Acme makes pumps, valves and seals at its Hull plant`."""
    for named in goods(match["o"]):
        if not _is_made(named, match.found.group()):
            break
        yield from match.state(match.subject, "PRODUCES", object=named)


@rule(
    rf"{EDGE}(?P<o>(?:[Tt]he\s)?{NAME}|\p{{Lu}}\p{{Ll}}+(?:\s\p{{Ll}}+)?){T}\s(?:is|are)\s(?:made|produced|manufactured|built){T}\sby\s(?P<s>{SELF}|{NAME})"
)
def made_by(match: Match) -> Iterator[Found]:
    """`Falcon 3 is produced by Acme`."""
    yield from match.state(match.subject, "PRODUCES", object=_product(match["o"]))


@rule(
    rf"{SUBJECT}{A}{T}(?:\s(?:has|have))?\s(?:started|began|begun|commenced)\s(?:making|producing|manufacturing|production\sof|the\sproduction\sof|assembly\sof)\s(?P<o>{GOODS_LIST}){_END}"
)
def began_to_make(match: Match) -> Iterator[Found]:
    """`Acme began making batteries in 2020`."""
    for named in goods(match["o"]):
        yield from match.state(match.subject, "PRODUCES", told_now=False, object=named)


@rule(
    rf"{SUBJECT}{A}{T}(?:\s(?:also|now|still|currently))*\s(?:sells|sell|markets|distributes|retails)\s(?P<o>{GOODS_LIST}){_END}"
)
def sells(match: Match) -> Iterator[Found]:
    """`Acme sells tools and paint in Norway`."""
    for named in goods(match["o"]):
        yield from match.state(match.subject, "SELLS", object=named)


@rule(rf"{SUBJECT}{_VERB}{_ENDED}{T}\s(?:the\s|its\s)?(?P<o>{NAME})")
def discontinued(match: Match) -> Iterator[Found]:
    """`Acme stopped making Falcon 2 in May 2022`."""
    yield from match.event(match.subject, "DISCONTINUED", object=_product(match["o"]), told_now=_is_perfect(match))


@rule(rf"{SUBJECT}{_VERB}{_ENDED}{T}\s(?:the|its|our|all)\s(?P<o>{NOUNS}){_END}")
def discontinued_goods(match: Match) -> Iterator[Found]:
    """`Acme discontinued its garden tools`."""
    named = thing(match["o"])
    if named is None or named.kind != "thing" or regex.search(r"retired|withdrew|pulled|halted", match.found.group()):
        return
    yield from match.event(match.subject, "DISCONTINUED", object=named, told_now=_is_perfect(match))


@rule(
    rf"{EDGE}(?:[Pp]roduction|[Mm]anufacture|[Ss]ales?|[Mm]anufacturing)\sof\s(?:the\s)?(?P<o>{NAME}){T}(?:\s(?:has|have|was|were))*\s(?:ended|ceased|stopped|halted|discontinued|came\sto\san\send|wound\sdown|were\sended)"
)
def production_ended(match: Match) -> Iterator[Found]:
    """`Production of Falcon 2 ended in May 2022`."""
    yield from match.event(match.sentence.org("the company"), "DISCONTINUED", object=_product(match["o"]))


@rule(
    rf"{EDGE}(?:[Tt]he\s)?(?P<o>{NAME}){A}{T}\s(?:was|has\sbeen|were)\s(?:discontinued|withdrawn(?:\sfrom\s(?:sale|the\smarket))?|phased\sout|taken\soff\sthe\smarket)"
)
def was_discontinued(match: Match) -> Iterator[Found]:
    """`Falcon 2 was discontinued on 3 May 2022`."""
    yield from match.event(match.sentence.org("the company"), "DISCONTINUED", object=_product(match["o"]))


@rule(
    rf"{SUBJECT}{A}{T}(?:\s(?:has|also|now|been|currently))*\s(?:supplies|supply|supplied|supplying|provides|provided|delivers)\s(?P<c>{NAME})\swith\s(?P<o>{GOODS}){_END}"
)
def supplies_with(match: Match) -> Iterator[Found]:
    """`Beta supplies Acme with batteries`."""
    yield from _supply(match, match.subject, match.org("c"), match["o"])


@rule(
    rf"{SUBJECT}{A}{T}(?:\s(?:also|now|currently))*\s(?:supplies|supply|delivers)\s(?P<o>{GOODS})\sto\s(?P<c>{SELF}|{NAME})"
)
def supplies_to(match: Match) -> Iterator[Found]:
    """`Beta supplies batteries to Acme`."""
    yield from _supply(match, match.subject, match.org("c"), match["o"])


@rule(
    rf"{SUBJECT}{A}{T}(?:\s(?:also|now|currently))*\s(?:buys|sources|procures|purchases|obtains|gets)\s(?P<o>{GOODS})\sfrom\s(?P<c>{NAME})"
)
def buys_from(match: Match) -> Iterator[Found]:
    """`Acme sources its batteries from Beta`."""
    yield from _supply(match, match.org("c"), match.subject, match["o"])


@rule(
    rf"{SUBJECT}{A}{T}\s(?:is|has\sbeen|became|was\s(?:named|appointed|chosen\sas)){T}\s(?P<c>{NAME}['’]s?|the\s(?:company|group)['’]s|its|our)\s(?P<x>sole|only|exclusive|main|primary|new)?\s?(?:supplier\sof\s(?P<o>{GOODS}){_END}|(?P<o2>{GOODS})\ssupplier\b)"
)
def is_supplier(match: Match) -> Iterator[Found]:
    """`Beta has been Acme's sole supplier of batteries since May 2020`."""
    customer = match.sentence.org("the company") if match["c"] in ("its", "our") else match.org("c")
    yield from _supply(
        match, match.subject, customer, match["o"] or match["o2"], exclusive=match["x"] in ("sole", "only", "exclusive")
    )


@rule(
    rf"{SUBJECT}{A}{T}(?:\s(?:has|have))?\sreplaced\s(?P<q>{NAME}){T}\s(?:with|by)\s(?P<c>{NAME}){T}\sas\s(?:its\s|the\s)?(?:(?:sole|main|primary|new)\s)?(?:supplier\sof\s(?P<o>{GOODS}){_END}|(?P<o2>{GOODS})\ssupplier\b)"
)
def replaced_supplier(match: Match) -> Iterator[Found]:
    """`Acme replaced Beta with Gamma as its supplier of batteries`."""
    yield from _switched(match)


@rule(
    rf"{SUBJECT}{A}{T}(?:\s(?:has|have))?\s(?:switched|moved|changed)\s(?:its\s)?(?:supplier\sof\s(?P<o>{GOODS})|(?P<o2>{GOODS})\s(?:supplier|contract|supply)){T}\sfrom\s(?P<q>{NAME}){T}\sto\s(?P<c>{NAME})"
)
def switched_supplier(match: Match) -> Iterator[Found]:
    """`Acme switched its battery supplier from Beta to Gamma`."""
    yield from _switched(match)


@rule(
    rf"{EDGE}(?P<c>{NAME}){A}{T}(?:\s(?:has|have))?\s(?:replaced|succeeded|took\sover\sfrom)\s(?P<q>{NAME}){T}\sas\s(?P<s>{OWNER.removeprefix('(?P<s>').removesuffix(')')})\s(?:(?:sole|main|primary|new)\s)?(?:supplier\sof\s(?P<o>{GOODS}){_END}|(?P<o2>{GOODS})\ssupplier\b)"
)
def succeeded_supplier(match: Match) -> Iterator[Found]:
    """`Gamma replaced Beta as Acme's supplier of batteries`."""
    yield from _switched(match)


@rule(
    rf"{SUBJECT}{A}{T}(?:\s(?:has|have))?\s(?:stopped|ended|ceased)\s(?:buying|sourcing|purchasing)\s(?P<o>{GOODS})\sfrom\s(?P<c>{NAME})"
)
def stopped_buying(match: Match) -> Iterator[Found]:
    """`Acme stopped buying batteries from Beta in 2021`."""
    supplier, customer, good = match.org("c"), match.subject, thing(match["o"])
    if customer is not None and good is not None:
        yield from match.ended(supplier, "SUPPLIES", object=customer, value=good.name, named=(0, 0))


def _supply(
    match: Match, supplier: Mention | None, customer: Mention | None, words: str | None, *, exclusive: bool = False
) -> Iterator[Found]:
    named = thing(words)
    if supplier is None or customer is None or named is None or supplier.name == customer.name:
        return
    yield from match.state(supplier, "SUPPLIES", object=customer, value=named.name, exclusive=exclusive, named=(0, 0))


def _switched(match: Match) -> Iterator[Found]:
    customer = match.sentence.org("the company") if match["s"] in ("its", "our") else match.subject
    new, old, good = match.org("c"), match.org("q"), thing(match["o"] or match["o2"])
    if customer is None or new is None or old is None or good is None:
        return
    for made in match.state(new, "SUPPLIES", told_now=False, object=customer, value=good.name, named=(0, 0)):
        yield made
        if made.valid_at is not None:
            yield from match.ended(old, "SUPPLIES", object=customer, value=good.name, named=(0, 0))


def _is_perfect(match: Match) -> bool:
    return regex.search(r"\b(?:has|have|today)\b", match.found.group()) is not None


@rule(rf"{SUBJECT}{_VERB}(?:started|began|begun){T}\s(?:selling|sales\sof|to\ssell)\s{PRODUCT}")
def began_to_sell(match: Match) -> Iterator[Found]:
    """`Acme started selling Falcon 3 in April 2022`."""
    yield from match.event(match.subject, "LAUNCHED", object=_product(match["o"]), told_now=_is_perfect(match))


@rule(rf"{SUBJECT}{_VERB}(?:took|taken)\s(?:the\s|its\s)?(?P<o>{NAME}){T}\soff\s(?:the\smarket|sale|the\sshelves)")
def taken_off(match: Match) -> Iterator[Found]:
    """`Acme has taken Falcon 2 off the market`."""
    yield from match.event(match.subject, "DISCONTINUED", object=_product(match["o"]), told_now=_is_perfect(match))


@rule(
    rf"{EDGE}(?:[Tt]he\s)?(?P<o>{NAME}){A}{T}(?:\s(?:has|first))?\s(?:went|gone)\sinto\sproduction{T}\sat\s(?P<s>{SELF}|{NAME})"
)
def into_production(match: Match) -> Iterator[Found]:
    """`Falcon 3 went into production at Acme in May 2021`."""
    yield from match.state(match.subject, "PRODUCES", told_now=False, object=_product(match["o"]))


@rule(
    rf"\b(?:[Tt]he\s)?(?P<x>sole|only|exclusive|main)\ssupplier\sof\s(?P<o>{GOODS})\s(?:to|for)\s(?P<c>{SELF}|{NAME}){T}\s(?:is|has\sbeen){T}\s(?P<s>{NAME})"
)
def the_supplier_is(match: Match) -> Iterator[Found]:
    """`The sole supplier of glass to Acme is Beta`."""
    yield from _supply(match, match.subject, match.org("c"), match["o"], exclusive=match["x"] != "main")


@rule(
    rf"{SUBJECT}{_VERB}(?:won|signed|landed|secured|received){T}\s(?:a|an|the)\s(?:[\p{{L}}-]+\s){{0,2}}?(?:contract|agreement|deal|order)\sto\s(?:supply|deliver)\s(?P<o>{GOODS})\sto\s(?P<c>{SELF}|{NAME})"
)
def won_supply(match: Match) -> Iterator[Found]:
    """`Beta won a contract to supply glass to Acme in May 2022`."""
    named, customer = thing(match["o"]), match.org("c")
    if named is not None and customer is not None:
        yield from match.state(
            match.subject, "SUPPLIES", told_now=False, object=customer, value=named.name, named=(0, 0)
        )


@rule(
    rf"{EDGE}(?P<c>{NAME}){A}{T}(?:\s(?:has|have))?\s(?:replaced|succeeded|took\sover\sfrom)\s(?P<q>{NAME}){T}\sas\s(?:the\s|a\s)?(?:(?:sole|main|primary|new)\s)?(?:supplier\sof\s(?P<o>{GOODS})|(?P<o2>{GOODS})\ssupplier)\s(?:to|of|for)\s(?P<s>{SELF}|{NAME})"
)
def succeeded_as_supplier(match: Match) -> Iterator[Found]:
    """`Gamma took over from Beta as glass supplier to Acme`."""
    yield from _switched(match)


RULES = (
    began_to_sell, taken_off, into_production, the_supplier_is, won_supply, succeeded_as_supplier,
    launched, announced_a_launch, launched_by, launch_of, went_on_sale, brought_to_market, makes, made_by, began_to_make, sells,
    discontinued, discontinued_goods, production_ended, was_discontinued, supplies_with, supplies_to, buys_from,
    is_supplier, replaced_supplier, switched_supplier, succeeded_supplier, stopped_buying,
)  # fmt: skip
