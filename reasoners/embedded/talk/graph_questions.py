"""What a question asks of the temporal graph, told by rules: which predicates, which days, a state or a change."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta

import regex

from ....retrievers.kg.records import Predicate
from ....text.periods import find_periods
from ..asked.names import names_in

_CUES: tuple[tuple[str, tuple[Predicate, ...]], ...] = (
    (
        r"\bwho (?:leads?|led|heads?|headed|runs?|ran|chairs?|chaired|manages?|managed)\b|\bC[EFOT]O\b|\bchief\b"
        r"|\bchair|\bpresident\b|\bdirectors?\b|\bhead of\b|\bofficers?\b|\bleaders?(?:hip)?\b|\bpositions?\b"
        r"|\broles?\b|\bmanagement\b",
        ("HOLDS_ROLE",),
    ),
    (
        r"\brevenues?\b|\bturnover\b|\bnet sales\b|\bsales (?:figures?|of)\b|\bincome\b|\bearnings\b|\bprofits?\b"
        r"|\btakings\b|\bhow (?:much|many)\b.{0,80}\b(?:take in|took in|bring in|brought in|earn(?:ed)?"
        r"|turn(?:ed)? over|gross(?:ed)?|generated?)\b",
        ("HAS_REVENUE", "INCREASED", "DECREASED"),
    ),
    (
        r"\bpriorit\w+|\bfocus\w*|\btargets?\b|\btargeted\b|\baims?\b|\bstrateg\w+|\bgoals?\b|\bagenda\b|\bconcentrat\w+"
        r"|\bresearch(?:es|ed|ing)? (?:into|on)\b|\bwork(?:s|ed|ing)? on\b|\btopics?\b|\bthemes?\b|\bdevot\w+"
        r"|\bemphasi\w+|\bareas? of (?:research|work|interest)\b|\blaborator(?:y|ies)\b",
        ("TARGETS",),
    ),
    (
        r"\bwhere\b|\bheadquarter\w*|\bhead office\b|\blocat\w+|\bbased in\b|\bplants?\b|\boffices?\b|\bcit(?:y|ies)\b"
        r"|\btowns?\b|\bcountr(?:y|ies)\b|\b(?:run|managed|led|directed) from\b|\bseat of\b|\bmoved? (?:to|from)\b",
        ("LOCATED_IN",),
    ),
    (
        r"\bsuppl(?:y|ies|ied|iers?)\b|\bvendors?\b|\bfrom whom\b|\b(?:get|gets|got|buy|buys|bought|obtain\w*|order\w*"
        r"|purchas\w+|sourc\w+) (?:its|their|the|his|her)\b|\bdeliver(?:s|ed|y)?\b",
        ("SUPPLIES",),
    ),
    (
        r"\blaunch\w*|\breleas\w+|\bintroduc\w+|\bunveil\w*|\bc[ao]mes? out\b|\bbr(?:ing|ings|ought) out\b|\bdebut\w*"
        r"|\bto market\b|\bon sale\b|\broll(?:s|ed)? out\b|\bnew products?\b",
        ("LAUNCHED",),
    ),
    (r"\bdevelop(?:ed|s|ing)?\b|\binvent\w*", ("DEVELOPED",)),
    (r"\bproduc(?:e|es|ed|ing)\b|\bmanufactur\w+|\bmakes?\b", ("PRODUCES",)),
    (r"\bsells?\b|\bsold\b|\boffer(?:s|ed|ing)\b", ("SELLS",)),
    (r"\bdiscontinu\w+|\bwithdr[ae]wn?\b|\bphas\w+ out\b|\bretir\w+ the\b", ("DISCONTINUED",)),
    (r"\binvest\w*", ("INVESTS_IN",)),
    (
        r"\bpartner\w*|\bcollaborat\w+|\bjoint(?:ly)?\b|\balliances?\b|\bwork(?:s|ed|ing)? with\b",
        ("COLLABORATES_WITH",),
    ),
    (
        r"\bown(?:s|ed|er|ers|ership)?\b|\bparent\b|\bacqui\w+|\bbought\b|\btakeover\b|\bsubsidiar\w+|\bbelong\w*"
        r"|\bpart of\b|\bmerge[dr]?\b",
        ("PART_OF",),
    ),
    (
        r"\bsecur(?:ed|es|ing)\b|\bfunding\b|\bfinancing\b|\brais(?:ed|es)\b|\bgrants?\b|\bcontracts?\b|\bwon\b",
        ("SECURED",),
    ),
    (r"\badopt\w*|\bdeploy\w*|\bcustomers?\b|\bwho uses?\b", ("ADOPTED_BY",)),
    (r"\bincreas\w+|\bgrow(?:n|s|th|ing)?\b|\bgrew\b|\brose\b|\brise\b|\bhigher\b", ("INCREASED",)),
    (r"\bdecreas\w+|\bfell\b|\bfall(?:en|s)?\b|\bdeclin\w+|\bdropp?\w*|\bshr[aiu]nk\w*|\blower\b", ("DECREASED",)),
    (r"\bresult(?:ed|s)? (?:in|of)\b|\bconsequences?\b|\bled to\b|\bcaused?\b", ("RESULTED_IN",)),
    (r"\bwhat (?:is|was|kind|sort|type)\b(?=.{0,12}\b(?:a|an|company|business|firm)\b)", ("IS_A",)),
)  # fmt: skip
_MOST_WORDS = 6
_PATTERNS = tuple((regex.compile(pattern, regex.IGNORECASE), predicates) for pattern, predicates in _CUES)
_CHANGE = regex.compile(
    r"\b(?:how|in what way)\b.{0,20}\b(?:has|have|had|did|do|does|is|are)\b.{0,120}?\b(?:chang\w+|evolv\w+|shift\w*"
    r"|mov\w+|develop(?:ed|ing)?\b|progress\w*|grow\w*|grew|trend\w*|var(?:y|ied)|perform\w*)"
    r"|\bover (?:the (?:years|time|past|last|decade)|time)\b|\bhistor(?:y|ical\w*)\b|\btrends?\b|\btimeline\b"
    r"|\byear (?:by|over) year\b|\b(?:chang\w+|evolution|shifts?) (?:in|of|over|since|between)\b"
    r"|\bwhat (?:has )?changed\b|\bcompared? (?:with|to)\b|\bdevelopment of\b",
    regex.IGNORECASE,
)
_SINCE = regex.compile(r"\b(?:since|from|after|starting(?: in)?|as of the start of)\s*$", regex.IGNORECASE)
_AFTER = regex.compile(r"\bafter\s*$", regex.IGNORECASE)
_UNTIL = regex.compile(r"\b(?:until|till|up to|through|to|and|before|by)\s*$", regex.IGNORECASE)
_BEFORE = regex.compile(r"\bbefore\s*$", regex.IGNORECASE)


# Of products one may ask who made, launched, sold or discontinued them: the verb tells.
_PRODUCTS = regex.compile(r"\bproduct(?:s| line\w*| range)\b", regex.IGNORECASE)
_OVERVIEW = regex.compile(
    r"(?i:\b(?:what|anything|everything|all)\b.{0,30}\b(?:known|know|happened|changed|facts?)\b|\btell me about\b"
    r"|\b(?:overview|profile)\b)|^\s*[Ww]ho (?:is|was) \p{Lu}"
)
_ROLE_OF = regex.compile(
    r"^(?:C[A-Z]{1,3}O|Chief(?: \w+){1,2}(?: Officer)?|(?:Vice )?President|Chair(?:man|woman|person)?|Head)"
    r"(?: (?:of|at)(?: the)?)? ?",
    regex.IGNORECASE,
)
_NO_NAME = regex.compile(
    r"\d|^[A-Z]{2,3}$|^(?:January|February|March|April|May|June|July|August|September|October|November|December)$"
)

_SUBJECT = regex.compile(
    r"\b(?:of|at|by|for)\s+(?P<of>\p{L}[\w&-]+)(?=\s*[?.]?\s*$|['’]s\b|\s+(?:in|since|between|from|over|changed|develop"
    r"\w*|evolv\w*|grow\w*|compare\w*)\b)|\b(?:does|did|do|has|have)\s+(?P<who>(?!\w+ed\b)\p{L}[\w&-]+)(?=\s+(?!(?:in|on|of|over|since|for|at)\b)\p{L})",
    regex.IGNORECASE,
)
_NOBODY = regex.compile(
    r"^(?:it|its|they|their|there|this|that|these|those|the|an?|we|our|any\w*|every\w*|some\w*|all|each|company|companies|firm|firms|"
    r"group|business|organi[sz]ations?|years?|time|past|decade|months?|now|today|work|date|people|who)$",
    regex.IGNORECASE,
)


@dataclass(frozen=True)
class Window:
    """Days asked for, both included; None is open."""

    start: date | None = None
    end: date | None = None

    @property
    def is_open(self) -> bool:
        return self.start is None and self.end is None


def predicates_asked(question: str) -> tuple[Predicate, ...]:
    """Return the predicates that a question asks about, in the order in which it names them."""
    found: list[tuple[int, tuple[Predicate, ...]]] = []
    for pattern, predicates in _PATTERNS:
        if match := pattern.search(question):
            found.append((match.start(), predicates))
    asked = dict.fromkeys(predicate for _, predicates in sorted(found) for predicate in predicates)
    if not asked and _PRODUCTS.search(question):
        return ("PRODUCES",)
    if len(asked) > 1 and asks_for_change(question):
        asked.pop("DEVELOPED", None)  # `how did revenue develop`
    return tuple(asked)


def asks_for_change(question: str) -> bool:
    """Whether a question asks how something changed, and not what was so."""
    return _CHANGE.search(question) is not None


def relation_is_told(question: str) -> bool:
    """Whether the rules know what a question asks of an entity: a predicate, or all there is."""
    return bool(predicates_asked(question) or asks_for_change(question) or _OVERVIEW.search(question))


def window_asked(question: str, today: date) -> Window:
    """Return the days that a question names: `since 2016`, `between 2018 and 2020`, `in May 2021`, `before 2019`."""
    periods = [period for period in find_periods(question, today) if period.kind != "month_day"]
    start: date | None = None
    end: date | None = None
    single: list[Window] = []
    for period in periods:
        before = question[: period.at]
        if period.kind == "range":
            single.append(Window(period.start, period.end))
        elif _BEFORE.search(before):
            end = period.start - timedelta(days=1)
        elif _AFTER.search(before):
            start = period.end + timedelta(days=1)
        elif _SINCE.search(before) or regex.search(r"\bbetween\s*$", before, regex.IGNORECASE):
            start = period.start
        elif _UNTIL.search(before) and (start is not None or not _is_and(before)):
            end = period.end
        else:
            single.append(Window(period.start, period.end))
    if start is None and end is None and single:
        return Window(min(each.start for each in single if each.start), max(each.end for each in single if each.end))
    return Window(start, end)


def _is_and(before: str) -> bool:
    return bool(regex.search(r"\band\s*$", before, regex.IGNORECASE))


def names_asked(question: str) -> tuple[str, ...]:
    """Return the proper names in a question that may be entities: no roles, months, years or abbreviated quarters."""
    names = (_ROLE_OF.sub("", name) for name in names_in(question))
    return tuple(dict.fromkeys(name for name in names if name and not _NO_NAME.search(name)))


def subjects_named(question: str) -> tuple[str, ...]:
    """Return single words that stand where a question names whom it is about: `the revenue of zorblatt`.

    Words for an organisation in general and for time are none.
    """
    words = (match["of"] or match["who"] for match in _SUBJECT.finditer(question))
    return tuple(dict.fromkeys(word for word in words if not _NOBODY.match(word) and not find_periods(word)))


def spans_of_words(text: str) -> Iterator[str]:
    """Yield runs of words of a text, the longest first, that may be a name."""
    words = [match.group() for match in regex.finditer(r"[\p{L}\p{N}][\p{L}\p{M}\p{N}.&'’+-]*", text)]
    for length in range(min(_MOST_WORDS, len(words)), 0, -1):
        for at in range(len(words) - length + 1):
            yield " ".join(words[at : at + length]).removesuffix("'s").removesuffix("’s").rstrip(".")
