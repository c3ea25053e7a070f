"""One sentence as the rules see it: times blotted out, names told apart, and when what it says was so."""

# ruff: noqa: E501, SIM905 - one pattern on one line; word lists read better as running text

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date

import regex

from ...retrievers.kg.records import EntityKind, Mention, Predicate, StatementType, TemporalType
from ...text.numbers import find_numbers
from ...text.numerals import trimmed
from .dating import MASK, Time
from .names import NAME, DocumentNames, is_opener

# Elements of patterns.  T is a time that may stand between words, A an insertion between commas.
T = rf"(?:,?\s?{MASK}+,?)?"
A = r"(?:,\s(?!and\b|but\b)(?P<a>[^,;.:]{2,90}),)?"
EDGE = r"(?<![\p{L}\p{N}'’.-])"
SELF = r"(?:[Tt]he|[Oo]ur)\s(?:[Cc]ompany|[Gg]roup|[Ff]irm|[Bb]usiness|[Rr]egistrant)\b|[Ww]e\b|[Ii]t\b"
# What follows a preposition is no subject: `Research at Acme focuses on …`.
_FREE = r"(?<!\b(?:of|at|by|with|from|to|for|in|than|under|like|near)\s(?:[Tt]he\s)?)"
SUBJECT = rf"{EDGE}{_FREE}(?P<s>{SELF}|(?:[Tt]he\s)?{NAME})"
OWNER = rf"(?P<s>(?:[Tt]he\s)?{NAME}['’]s?|(?:[Tt]he|[Oo]ur)\s(?:[Cc]ompany|[Gg]roup|[Ff]irm)['’]s|[Ii]ts|[Oo]ur)"
ADVERB = r"(?:has|have|had|also|today|recently|formally|successfully|officially|now|then|subsequently|further|first|just|jointly|quietly|since|later|announced\sthat\sit\shas?|announced\sit\shas?|said\sthat\sit\shas?|said\sit\shas?|confirmed\sthat\sit\shas?)"
_STOP = "for|to|from|in|at|by|with|on|since|through|under|and|or|but|that|which|who|as|after|when|while|because|the|its|their|our|is|are|was|were|has|have|had|of|will|would|into|than|where|until|during|both|used|not|only|directly|principally|primarily|mainly|largely|currently|generally|available|public|each|it|them"
WORD = rf"(?:(?!(?:{_STOP})\b)[\p{{L}}\p{{N}}][\p{{L}}\p{{N}}'’&/.-]*(?<![.'’]))"
NOUNS = rf"(?:{WORD}(?:\s{WORD}){{0,4}})"
GOODS = rf"(?:(?:the|its|a|an|their|our|most\sof\sits|all\sof\sits|all\sits)\s)?{NOUNS}"
GOODS_LIST = rf"(?:{GOODS}(?:,\s{GOODS}){{0,5}}(?:,?\sand\s{GOODS})?)"
PRODUCT = rf"(?:(?:(?:the|its|a|their|our)\s(?:\p{{Ll}}[\p{{Ll}}-]+\s){{0,2}})?(?P<o>{NAME}))"
MONEY = r"(?P<v>(?:(?:US|C|A|NZ|HK|S)?[$€£¥]|(?:USD|EUR|GBP|NOK|SEK|DKK|CHF|JPY|CNY|INR|CAD|AUD)\s?)\s?\d[\d,.]*(?:\s?(?:thousand|million|billion|trillion|mn|bn|m|k)\b)?|\d[\d,.]*\s(?:million|billion|thousand)\s(?:dollars|euros|pounds|kroner|francs|yen))"
COUNT = r"(?P<n>\d{1,3}(?:,\d{3})+|\d+)"
PERCENT = r"(?P<n>\d+(?:\.\d+)?)\s?(?:%|percent\b|per\scent\b)"

_CLAUSE = regex.compile(r"[;:]|,\s(?:and|but|while|whereas|although)\s|\sbut\s")
_BLOCKS = regex.compile(
    r"\b(?:Had|[Nn]ot|[Nn]ever|[Nn]either|nor|no\slonger|[Ii]f|[Ww]hether|[Ww]ould|[Cc]ould|[Mm]ight|may|[Ss]hould|failed\sto|[Uu]nless|instead\sof|almost|nearly\shad|hopes?\sto|considering|considered|talks)\b|n['’]t\b"
)
_DOUBTS = regex.compile(
    r"\b(?:den(?:y|ied|ies|ying)|rumou?r\w*|speculat\w+|reportedly|allegedly|alleged|untrue|false|wrongly|erroneously|mistakenly|fictitious|hypothetical\w*|called\soff|fell\sthrough|premature|unfounded|contrary\sto|pro\sforma)\b",
    regex.IGNORECASE,
)
_OPINION = regex.compile(
    r"\b(?:(?:we|i|analysts?|critics|observers|investors|rivals|experts|some|many|he|she|they|management)\s(?:believes?|thinks?|feels?|considers?|claims?|argues?|says?\sthat|say)|in\s(?:our|my|his|her|their)\s(?:view|opinion)|arguably|opinion)\b",
    regex.IGNORECASE,
)
_FUTURE = regex.compile(
    r"\b(?:will|plans?\sto|intends?\sto|expects?\s(?:that|to)|aims?\sto|is\sset\sto|is\sdue\sto|forecasts?|is\sexpected\sto|are\sexpected\sto|guidance|outlook)\b",
    regex.IGNORECASE,
)
_CAPITALISED = regex.compile(r"(\p{Lu}[\p{L}\p{N}&.'’-]*)\s\Z")
# Of these a time tells only a bound, not the day itself.
_BOUNDING = ("before", "after", "by")


@dataclass(frozen=True)
class Sentence:
    """A sentence of a document, and what the document tells about it.

    Attributes:
        text: As it stands, line ends turned into spaces so that offsets stay.
        shown: With its times blotted out.
        times: Its times, in order.
        spoken: The document's date.
        fresh: Whether it stands in a short dated text, whose past tense tells of the day.
        own: Whether `it` may be read as the document's organisation.
    """

    text: str
    shown: str
    times: Sequence[Time]
    names: DocumentNames
    spoken: date | None = None
    fresh: bool = False
    own: bool = True

    def org(self, words: str | None) -> Mention | None:
        """Return an organisation by the words that name it; None where they name none for sure."""
        if not words:
            return None
        if words.casefold() in ("it", "its") and not self.own:
            return None
        name = self.names.org(regex.sub(r"['’]s?$", "", words))
        return self.names.mention(name) if name else None

    def person(self, words: str | None) -> Mention | None:
        """Return a person by the words that name one."""
        name = self.names.person(words) if words else ""
        if name:
            self.names.note_person(name)
        return Mention(name=name, kind="person") if name else None

    def time_of(self, start: int, end: int, aside: Sequence[tuple[int, int]] = ()) -> Time | None:
        """Return the time that belongs to a stretch of the sentence: in it, else soon after it, else before it.

        Args:
            aside: Insertions, whose times belong to what they tell.
        """
        usable = [
            time
            for time in self.times
            if not any(word in _BOUNDING for word in time.words.split())
            and not any(begin <= time.at < finish for begin, finish in aside)
        ]
        inside = [time for time in usable if start <= time.at and time.to <= end]
        if inside:
            return inside[0]
        after = [time for time in usable if time.at >= end and self._close(end, time.at)]
        if after:
            return after[0]
        before = [time for time in usable if time.to <= start and self._leads(time, start)]
        return before[-1] if before else None

    def blocked(self, start: int, end: int) -> bool:
        """Whether the sentence denies, doubts, asks or merely supposes what a stretch of it says."""
        if self.text.rstrip().endswith("?") or _DOUBTS.search(self.text):
            return True
        begin = self._clause(start)
        return _BLOCKS.search(self.shown[begin:end]) is not None

    def kind(self, start: int, end: int) -> StatementType:
        """Tell whether a stretch is told as a fact, an opinion or a prediction."""
        if _OPINION.search(self.text[:start]):
            return "OPINION"
        begin = self._clause(start)
        return "PREDICTION" if _FUTURE.search(self.shown[begin:end]) else "FACT"

    def _clause(self, at: int) -> int:
        """Return where the clause of a character begins."""
        return int(max((match.end() for match in _CLAUSE.finditer(self.text, 0, at)), default=0))

    def _close(self, end: int, at: int) -> bool:
        between = self.shown[end:at]
        return len(between) <= 90 and not regex.search(
            rf";|{MASK}|,\s(?:and|but|while|compared|from|up|down|versus|against)\b|\sand\s\p{{L}}+ed\b|\bcompared\b",
            between,
        )

    def _leads(self, time: Time, start: int) -> bool:
        between = self.shown[time.to : start]
        return ";" not in between and len(between) <= 120


@dataclass(frozen=True)
class Found:
    """One triplet of a sentence with the time in which it holds.

    Attributes:
        start: First character of the words that carry it; end: one past the last.
        named: What stands for the subject in the sentence, so that a pronoun can be replaced.
    """

    subject: Mention
    predicate: Predicate
    start: int
    end: int
    object: Mention | None = None
    value: str = ""
    unit: str = ""
    exclusive: bool = False
    temporal: TemporalType = "DYNAMIC"
    valid_at: date | None = None
    invalid_at: date | None = None
    kind: StatementType = "FACT"
    named: tuple[int, int] = (0, 0)


@dataclass
class Match:
    """A pattern found in a sentence, with shorthands for what rules make of it."""

    sentence: Sentence
    found: regex.Match[str]
    _end: int = field(default=-1)

    def __getitem__(self, group: str) -> str | None:
        value = self.found.groupdict().get(group)
        return None if value is None else self.sentence.text[self.found.start(group) : self.found.end(group)]

    @property
    def start(self) -> int:
        return int(self.found.start())

    @property
    def end(self) -> int:
        return int(self.found.end())

    @property
    def time(self) -> Time | None:
        """The time that belongs to the match."""
        aside = self.found.spans("a") if "a" in self.found.groupdict() else []
        return self.sentence.time_of(self.start, self.end, aside)

    @property
    def subject(self) -> Mention | None:
        """The organisation of the group `s`; None where the group is only the end of a longer name."""
        before = _CAPITALISED.search(self.sentence.text, 0, self.found.start("s")) if self["s"] else None
        if before is not None and not is_opener(before[1]):
            return None
        return self.sentence.org(self["s"])

    def org(self, group: str) -> Mention | None:
        """The organisation of a group."""
        return self.sentence.org(self[group])

    def amount(self, group: str = "v") -> tuple[str, str] | None:
        """The number of a group as plain figures and unit."""
        if self[group] is None:
            return None
        at = self.found.start(group)
        numbers = [n for n in find_numbers(self.sentence.text) if n.end > at and n.start < self.found.end(group)]
        return (trimmed(numbers[0].value), numbers[0].unit) if numbers else None

    def state(
        self, subject: Mention | None, predicate: Predicate, *, told_now: bool = True, **more: object
    ) -> Iterator[Found]:
        """Give a state: from the time that the sentence names, else from the document's day where it speaks of now."""
        if subject is None:
            return
        time = self.time
        begin = finish = None
        if time is not None and time.part == "end":
            begin, finish = (self.sentence.spoken if told_now else None), time.after
        elif time is not None:
            begin = time.start
        elif told_now or self.sentence.fresh:
            begin = self.sentence.spoken
        yield self._made(subject, predicate, begin, finish, "DYNAMIC", more)

    def ended(self, subject: Mention | None, predicate: Predicate, **more: object) -> Iterator[Found]:
        """Give a state that ended at the time that the sentence names; nothing where it names none."""
        time = self.time
        finish = time.start if time else self.sentence.spoken if self.sentence.fresh else None
        if subject is not None and finish is not None:
            yield self._made(subject, predicate, None, finish, "DYNAMIC", more)

    def event(
        self, subject: Mention | None, predicate: Predicate, *, told_now: bool = False, **more: object
    ) -> Iterator[Found]:
        """Give what happened, in the time that the sentence names, else on the day of a short dated text."""
        if subject is None:
            return
        time = self.time
        begin = finish = None
        if time is not None:
            begin, finish = time.start, time.after
        elif (told_now or self.sentence.fresh) and self.sentence.spoken:
            begin = self.sentence.spoken
            finish = date.fromordinal(begin.toordinal() + 1)
        yield self._made(subject, predicate, begin, finish, "STATIC", more)

    def always(self, subject: Mention | None, predicate: Predicate, **more: object) -> Iterator[Found]:
        """Give what holds at any time."""
        if subject is not None:
            yield self._made(subject, predicate, None, None, "ATEMPORAL", more)

    def _made(
        self, subject: Mention, predicate: Predicate, begin: date | None, finish: date | None, temporal: TemporalType,
        more: dict[str, object],
    ) -> Found:  # fmt: skip
        named = self.found.span("s") if "s" in self.found.groupdict() and self["s"] else (0, 0)
        values: dict[str, object] = {
            "kind": self.sentence.kind(self.start, self.end),
            "named": named,
            "temporal": temporal,
            "valid_at": begin,
            "invalid_at": finish,
        }
        return Found(subject=subject, predicate=predicate, start=self.start, end=self.end, **(values | more))  # type: ignore[arg-type]


@dataclass(frozen=True)
class Rule:
    """A pattern over the blotted sentence and what it states."""

    pattern: regex.Pattern[str]
    make: Callable[[Match], Iterator[Found]]

    def read(self, sentence: Sentence) -> Iterator[Found]:
        """Give what the rule finds in a sentence, except what the sentence denies or doubts."""
        for found in self.pattern.finditer(sentence.shown):
            match = Match(sentence, found)
            if not sentence.blocked(match.start, match.end):
                yield from self.make(match)


def rule(pattern: str) -> Callable[[Callable[[Match], Iterator[Found]]], Rule]:
    """Make a rule of a pattern and the function below it."""

    def decorate(make: Callable[[Match], Iterator[Found]]) -> Rule:
        return Rule(regex.compile(pattern), make)

    return decorate


def thing(words: str | None) -> Mention | None:
    """Return what a noun phrase names, article and possessives left out; a capitalised name is a product."""
    if not words:
        return None
    name = regex.sub(
        r"^(?:[Tt]he|its|a|an|their|our|most\sof\sits|all\sof\sits|all\sits|some|new|more)\s",
        "",
        " ".join(words.split()),
    ).strip(" .,;:")
    if len(name) < 2 or not any(char.isalpha() for char in name) or name.casefold() in _VAGUE:
        return None
    named = regex.match(r"\p{Lu}[\p{L}\p{N}-]+", name) is not None and not name.isupper()
    kind: EntityKind = "product" if named or regex.search(r"\p{Lu}.*\d", name) else "thing"
    return Mention(name=name, kind=kind)


def goods(words: str | None) -> list[Mention]:
    """Return the things of a list (`pumps, valves and seals`), those that read as clauses left out."""
    found = []
    for part in regex.split(r",\s(?:and\s)?|\sand\s", words or ""):
        first, _, rest = part.partition(" ")
        if rest and regex.search(r"(?:[^s]s|ed)$", first) and regex.search(r"\d", rest):
            break  # `pumps and employs 400 people`
        named = thing(part)
        if named is not None and named.name.casefold() not in _EMPTY:
            found.append(named)
    return found


# What says nothing without the sentence before it.
_VAGUE = frozenset(
    "it them this that these those film show series game album song single book magazine ep cd dvd name species one".split()
)
_EMPTY = frozenset(
    "it them this that these those products product goods services others one both all more some operations businesses business".split()
)
