"""Whom a document speaks of: its own organisation, short names and abbreviations it states, people by surname."""

# ruff: noqa: E501, SIM905 - one pattern on one line; word lists read better as running text

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

import regex

from ...retrievers.kg.names import form_of
from ...retrievers.kg.records import EntityKind, Mention

# Words that open a sentence or stand for a role, and never begin a name.
_NOT_NAMES = """
    the a an this that these those it its he she they we i you our their his her in on at by for from with as to of if
    when while since until after before during however but and or nor not no all each both some many most other another
    there here what who whom whose which where why how also although because so such than then thus yet under over
    between within without through first second third last next total net gross about management analysts analyst
    investors shareholders customers employees revenue revenues sales profit income operating earnings costs headcount
    workforce production research board directors company group firm business businesses registrant subsidiary
    today yesterday tomorrow meanwhile moreover effective earlier later recently table note notes item part page
    chief chairman chairwoman chairperson chair president ceo cfo coo cto cio cmo executive officer director managing
    vice head treasurer secretary counsel controller founder co-founder mr mrs ms dr prof sir interim acting
    january february march april may june july august september october november december monday tuesday wednesday
    outside inside despite among beyond generally throughout specifically accordingly
    thursday friday saturday sunday q1 q2 q3 q4 fy us usd eur gbp
"""
_SKIPPED = frozenset(_NOT_NAMES.split())
_ANY_ROLE = "|".join(
    word.capitalize() + "|" + word.upper()
    for word in "chief ceo cfo coo cto cio cmo chairman chairwoman chairperson chair president executive officer director "
    "managing vice treasurer interim acting announces reports quarter fiscal results we our it this these overview "
    "description item note amendment".split()
)
CAP = rf"(?:(?!(?:{_ANY_ROLE})\b)\p{{Lu}}[\p{{L}}\p{{M}}\p{{N}}]*(?:[.'’&/-](?=[\p{{L}}\p{{N}}])[\p{{L}}\p{{M}}\p{{N}}]+)*)"
_LEGAL = r"(?:,?\s(?:Inc|Incorporated|Corp|Corporation|Co|Company|Ltd|Limited|LLC|LLP|L\.P|PLC|plc|GmbH|AG|S\.A|SA|N\.V|NV|B\.V|BV|SE|Oyj?|AB|ASA|AS|A/S|S\.p\.A|KK|Pty|SpA|SRL|Srl)\b\.?)"
# What may follow a figure that belongs to a name (`Falcon 3 was …`, not `Falcon 3 people`).
_AFTER_FIGURE = r"(?:is|was|were|are|has|had|have|in|on|at|from|by|for|to|and|with|as|went|reached|came|became|will|or|of|that|which)\b"
NAME = rf"(?:{CAP}(?:\s(?:of\s(?:the\s)?|&\s|de\s|von\s|van\s|the\s)?{CAP}|\s\d{{1,4}}(?!\d|[.,]\d|\s?%|\s(?!{_AFTER_FIGURE})\p{{Ll}}))*{_LEGAL}*)"
# In a whole text no name reaches into the next line.
_NAME = regex.compile(rf"(?<![\p{{L}}\p{{N}}.-]){NAME}".replace(r"\s", r"[^\S\n]"))
_DEFINED = regex.compile(
    rf"""(?P<full>{NAME})\s?\(\s?(?:(?:the\s|collectively,?\s|together\swith\sits\ssubsidiaries,?\s|hereinafter\s|
    referred\sto\sas\s|or\s|NYSE:|NASDAQ:)*)["“”']?(?P<short>[\p{{Lu}}][\p{{L}}\p{{N}}&.-]{{1,20}}(?:\s[\p{{Lu}}][\p{{L}}\p{{N}}&.-]*){{0,2}})["“”',]""",
    regex.VERBOSE,
)
_ACRONYM = regex.compile(rf"(?P<full>{NAME})\s\((?P<short>\p{{Lu}}[\p{{Lu}}\d&]{{1,6}})\)")
_KNOWN_AS = regex.compile(
    rf"(?P<full>{NAME}),?\s(?:also\sknown\sas|formerly\sknown\sas|doing\sbusiness\sas|trading\sas|known\sas)\s(?P<short>{NAME})"
)
_CHARTER = regex.compile(
    r"^(?P<name>[^\n]{3,80})\n+\s*\(?\s*exact\sname\sof\sregistrant", regex.IGNORECASE | regex.MULTILINE
)
_COMPANY = regex.compile(
    r"(?:[Tt]he\s|[Oo]ur\s)(?:company|group|firm|business|registrant|Company|Group|Firm|Registrant)\b"
)
_SELVES = frozenset(["we", "our", "us", "it", "its"])
_HEAD = 1_500
_STANDS_OUT = 4
_MOST_WORDS = 7
_OPENS = regex.compile(r"(?:^|[.!?:”\"]\s|\n\s?)\Z")
_SURNAME = regex.compile(r"^(?:Mr|Mrs|Ms|Dr|Prof|Sir|Dame)\.?\s(?P<last>\p{Lu}[\p{L}\p{M}’'-]+)$")
LEGAL_END = regex.compile(rf"{_LEGAL}\Z")


@dataclass
class DocumentNames:
    """The names of one document.

    Attributes:
        main: The organisation that speaks or is spoken of throughout (`the company`); empty where none stands out.
    """

    main: str = ""
    _full: dict[str, str] = field(default_factory=dict)
    _aliases: dict[str, set[str]] = field(default_factory=dict)
    _people: dict[str, set[str]] = field(default_factory=dict)

    @classmethod
    def of(cls, text: str, title: str = "") -> DocumentNames:
        """Read the names of a document.

        Args:
            text: Its whole text.
            title: What its format states as title.
        """
        names = cls()
        names._define(text)
        names.main = names._main(text, title)
        names._shorten(text)
        return names

    def org(self, words: str) -> str:
        """Return the full name that an organisation's mention stands for; empty where the words name none."""
        said = " ".join(words.split())
        if said.casefold() in _SELVES or _COMPANY.fullmatch(said):
            return self.main
        name = cleaned(said)
        return self._full.get(name.casefold(), name) if is_name(name) else ""

    def person(self, words: str) -> str:
        """Return the full name of a person; empty where the words are no person's name or a surname that fits several."""
        said = " ".join(words.split())
        if match := _SURNAME.match(said):
            known = self._people.get(match["last"].casefold(), set())
            return next(iter(known)) if len(known) == 1 else ""
        said = str(regex.sub(r"^(?:Mr|Mrs|Ms|Dr|Prof|Sir|Dame)\.?\s", "", said))
        parts = said.split()
        if not 2 <= len(parts) <= 4 or any(char.isdigit() for char in said):
            return ""
        if any(part.casefold().strip(".") in _SKIPPED for part in parts) or LEGAL_END.search(said):
            return ""
        if said.casefold() in self._full or said == self.main:
            return ""
        return said

    def note_person(self, name: str) -> None:
        """Remember a person who was named in full, for later mentions by surname."""
        self._people.setdefault(name.split()[-1].casefold(), set()).add(name)

    def mention(self, name: str, kind: EntityKind = "org") -> Mention:
        """Return a name with the other names that the document states for it."""
        return Mention(
            name=name, kind=kind, aliases=tuple(sorted(self._aliases.get(name, ()) if kind == "org" else ()))
        )

    def _define(self, text: str) -> None:
        """Read `Full Name (FN)`, `Full Name (“Short”)` and `also known as`."""
        for pattern in (_DEFINED, _ACRONYM, _KNOWN_AS):
            for match in pattern.finditer(text[:200_000]):
                full, short = cleaned(match["full"]), cleaned(match["short"])
                if not is_name(full) or not is_name(short) or short.casefold() == full.casefold():
                    continue
                if pattern is _ACRONYM and not _abbreviates(short, full):
                    continue
                if short.casefold() in _GENERIC:
                    continue
                self._full.setdefault(short.casefold(), full)
                self._aliases.setdefault(full, set()).add(short)

    def _main(self, text: str, title: str) -> str:
        """Return the organisation named in the charter line, else the one that stands out in head and text."""
        if charter := _CHARTER.search(text[:8_000]):
            name = cleaned(charter["name"].strip(" *_#"))
            return str(_cased(name, text) if is_name(name) else name)
        counts: Counter[str] = Counter()
        within: set[str] = set()
        for match in _NAME.finditer(text[:60_000]):
            name = cleaned(match.group())
            if is_name(name):
                name = self._full.get(name.casefold(), name)
                counts[name] += 1
                if not _OPENS.search(text, max(0, match.start() - 3), match.start()):
                    within.add(name)
        titled = {self._full.get(name.casefold(), name) for name in names_of(title)}
        heads = {self._full.get(name.casefold(), name) for name in names_of(text[:_HEAD])}
        for name in titled:
            counts[name] += 1
        scores = {
            name: count + 4 * (name in titled) + 3 * bool(LEGAL_END.search(name)) + (name in heads)
            for name, count in counts.items()
            # A single word that only ever opens sentences may be any word.
            if len(name) > 2 and (" " in name or name in within or name in titled)
        }
        stems: Counter[str] = Counter(scores)
        alike = _by_first_word(scores)
        for name in scores:
            for other in alike[_first_word(name)]:
                if other != name and _is_short_of(other, name):
                    stems[name] += scores[other]
        if not stems:
            return ""
        best, score = max(stems.items(), key=lambda each: (each[1], len(each[0]), each[0]))
        return best if score >= _STANDS_OUT else ""

    def _shorten(self, text: str) -> None:
        """Take the first words of one full name alone for that name (`Harrow Pumps` for `Harrow Pumps Ltd`)."""
        every = Counter(names_of(text))
        full = [name for name in every if " " in name]
        if self.main and self.main not in full:
            full.append(self.main)
        alike = _by_first_word(full)
        for short in every:
            if short.casefold() in self._full or LEGAL_END.search(short):
                continue
            longer = {name for name in alike[_first_word(short)] if name != short and _is_short_of(short, name)}
            longer = {name for name in longer if LEGAL_END.search(name) or not _same_but_form(short, name)}
            same = {name for name in longer if _same_but_form(short, name)}
            if len(same) == 1:
                self._full.setdefault(short.casefold(), next(iter(same)))
            elif longer == {self.main}:
                self._full.setdefault(short.casefold(), self.main)


_GENERIC = frozenset("company group firm registrant corporation bank board us we our issuer parent partnership".split())


def names_of(text: str) -> list[str]:
    """Return the capitalised names of a text in order, openers of sentences left out."""
    found = []
    for match in _NAME.finditer(text):
        name = cleaned(match.group())
        if is_name(name):
            found.append(name)
    return found


def cleaned(name: str) -> str:
    """Return a name without article, possessive, leading role words and trailing marks."""
    words = " ".join(name.split()).strip(" ,;:")
    words = regex.sub(r"['’]s?$", "", words)
    while True:
        first, _, rest = words.partition(" ")
        if rest and (first.casefold().strip(".") in _SKIPPED or regex.fullmatch(r"\d{1,2}|(?:19|20)\d{2}", first)):
            words = rest
        else:
            break
    return (
        str(words)
        if regex.search(r"\b(?:Inc|Corp|Co|Ltd|L\.P|S\.A|N\.V|B\.V|S\.p\.A)\.$", words)
        else str(words).rstrip(".")
    )


def is_name(name: str) -> bool:
    """Whether words may name something: they begin with a capital or digit and are no word of every sentence."""
    if len(name) < 2 or not (name[0].isupper() or name[0].isdigit()) or len(name.split()) > _MOST_WORDS:
        return False
    return name.casefold() not in _SKIPPED and any(char.isalpha() for char in name)


def is_opener(word: str) -> bool:
    """Whether a capitalised word merely opens a sentence, or stands for a role, and belongs to no name."""
    return word.casefold().strip(".") in _SKIPPED


def _abbreviates(short: str, full: str) -> bool:
    """Whether the letters of an abbreviation begin words of the name, in order."""
    initials = "".join(word[0] for word in regex.findall(r"\p{Lu}[\p{L}\p{N}]*", full)).casefold()
    letters = regex.sub(r"[^\p{L}]", "", short).casefold()
    place = 0
    for letter in letters:
        place = initials.find(letter, place) + 1
        if not place:
            return False
    return len(letters) > 1


def _first_word(name: str) -> str:
    return form_of(name, "org").key.split()[0]


def _by_first_word(names: Iterable[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for name in names:
        found[_first_word(name)].append(name)
    return found


def _is_short_of(short: str, full: str) -> bool:
    a, b = form_of(short, "org").key.split(), form_of(full, "org").key.split()
    return len(a) <= len(b) and b[: len(a)] == a


def _same_but_form(short: str, full: str) -> bool:
    return form_of(short, "org").key == form_of(full, "org").key


def _cased(name: str, text: str) -> str:
    """Return a name in capitals as the text writes it elsewhere, else with capitals at word starts."""
    if not name.isupper():
        return name
    for match in regex.finditer(regex.escape(name), text, regex.IGNORECASE):
        if not match.group().isupper():
            return str(match.group())
    return " ".join(word.capitalize() if len(word) > 3 or not word.isalpha() else word for word in name.split())
