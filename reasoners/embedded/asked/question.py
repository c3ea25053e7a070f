"""What a question asks for: its type, its names, periods and units, and the thing whose value it wants."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

import regex

from ....state.records import AnswerType
from ....text.concepts import LANGUAGES
from ....text.everyday import in_everyday_words
from ....text.languages import detect
from ....text.numbers import find_numbers
from ....text.periods import Period, find_periods
from ....text.sentences import sentences
from ....text.stop_words import STOP_WORDS_BY_LANGUAGE
from ....text.words import analyse, line_words, stem_in, strip_accents
from ...support.outcomes import outcome_glosses
from .bounds import bound_asked
from .cues import COMPARING, CUES, FRAMING, LISTING
from .focus import focus_of
from .foreign import ForeignTerm, with_meanings
from .implied import as_founded
from .initials import Initials, with_initials
from .leave import without_bland, without_deed
from .names import names_in
from .offices import in_short
from .requests import without_request

_SUPPORTED = frozenset(CUES)
_INSTRUCTION = regex.compile(
    r"(?:if .+?\b(?:state|say|explain|answer|tell|mention|note|indicate)\b|please |answer |respond |"
    r"be (?:brief|concise))"
    r"[^?]*$",
    regex.IGNORECASE,
)
_HOW_MEASURE = {
    "en": regex.compile(
        r"\b(how) (?:long|old|tall|deep|high|big|large|heavy|far|fast|often|wide|thick|soon|late|early|quickly)\b",
        regex.IGNORECASE,
    ),
    "de": regex.compile(
        r"\b(wie) (?:lange?|hoch|groß|alt|weit|tief|oft|teuer|schwer|viele?|breit)\b", regex.IGNORECASE
    ),
}
# The stop word of `won't`, where it is none.
_WON = regex.compile(r"\bwon\b(?!['’])", regex.IGNORECASE)
_US = regex.compile(r"\b(?:U\.S\.A?\.?|USA?|United States(?: of America)?)(?!\w)")
_HOW_FAST = regex.compile(r"\b(wie) schnell\b", regex.IGNORECASE)
# The noun that only says what kind of value is wanted: `the warranty period`, `the date of the audit`.
_KIND_OF_VALUE = regex.compile(
    r"(?<=\bthe )(?:exact |current )?(?:date|amount|number|figure|value)(?= of\b)|"
    r"(?<=\w )(?:period|duration|amount|figure)(?=\s*[?.]|$)|\bamount(?:ed|s)? to\b|"
    r"(?<=\b(?:R&D|research|development|marketing|advertising|training|travel|maintenance|staff|personnel) )"
    r"(?:expenditures?|spend|spending|expenses?)(?= (?:in|for|of|during)\b|\s*[?.]|$)|"
    r"(?<=\b(?:wrote|sent|signed) (?:the|this|that|a) )(?:letter|e-?mail|mail|message)(?= (?:about|on|regarding)\b)",
    regex.IGNORECASE,
)
# How to reckon is no word of the thing itself.
_RECKONING = regex.compile(
    r"(?<=^what )(?:per ?cent|percentage|proportion|fraction)(?= of\b)|"
    r"\b(?:in )?percentage points?\b|\bby how many (?:percent|per cent)\b|\bdifference (?:in|between)\b|"
    r"(?<=\bhow (?:much|many) )(?:more|less|fewer)\b|(?<=^(?:at |by |from |until )?what )time\b|"
    r"\b(?:in total|altogether|the total of|the sum of)\b|(?<=\bfor )(?:two|three|four|five|[2-5])(?= \p{L}{3,})",
    regex.IGNORECASE,
)
# Where something is to be looked for is not what is looked for.
_IN_THIS_PAPER = regex.compile(
    r"\b(?:(?:mentioned|named|given|stated|listed|described) )?(?:in|by|from) (?:this|the)"
    r"(?: (?:10-?[KQ]|8-?K|annual|quarterly|yearly))? (?:report|filing|document|paper|text)\b",
    regex.IGNORECASE,
)
# `The company` of a question names none; with what tells it apart (`the company that makes …`) it is asked for.
_THE_COMPANY = regex.compile(
    r"\b(?:the|this|our|its) company(?:['’]s)?\b"
    r"(?!\s+(?:that|which|who|whose|of|behind|named|called|founded|based|owned))",
    regex.IGNORECASE,
)
_GLOSS = regex.compile(r"(\p{L}{3,}) \((\p{L}{2,})\)")
_SPACE = regex.compile(r"\s+")
# What something costs is called one of these.
_PRICES = frozenset(analyse("cost price fee charge rent premium tariff fare bill"))
_CLASSES = frozenset(
    analyse("companies firms businesses enterprises organisations organizations entities persons people")
)
# What is caused is asked for, not the word for causing it.
_CAUSING = frozenset(analyse("drove drives drive driving caused causes cause led leads explained explains"))
# Hiragana carries grammar for the most part.
_JAPANESE_CONTENT = regex.compile(r"[\p{Han}々]+|[\p{Katakana}ー]+|[A-Za-z0-9０-９]+")
_UNIT_CUES = {
    "%": r"\bpercent(?:age)?\b|%|\bprozent\b|\bpour cent\b|パーセント|百分",
    "USD": r"\bUSD\b|\$|\bdollars?\b",
    "EUR": r"\bEUR\b|€|\beuros?\b",
    "GBP": r"\bGBP\b|£|\bpounds sterling\b",
}


@dataclass(frozen=True)
class Question:
    """A question, read.

    Attributes:
        text: One line, as asked.
        language: ISO 639-1 code; one of those that the engine has words for, else `en`.
        answer_type: What kind of answer would settle it.
        names: Proper names in it.
        periods: Dates and periods in it.
        units: Units in which the answer is wanted.
        focus: The thing asked for, e.g. `effective tax rate`; empty where the question does not say.
        terms: Its distinct index terms without the words that only frame it, in order.
        is_statement: Whether it is a statement to be checked rather than a question.
        glosses: Pairs of terms of which a source needs to hold one: one explains the other, `turnover (Umsatz)`, or it
            settles a yes or no, `refused` whether something was granted.
    """

    text: str
    language: str
    answer_type: AnswerType
    names: tuple[str, ...]
    periods: tuple[Period, ...]
    units: tuple[str, ...]
    focus: str
    terms: tuple[str, ...]
    is_statement: bool = False
    glosses: tuple[tuple[str, str], ...] = ()

    @cached_property
    def name_terms(self) -> frozenset[str]:
        """Index terms of its names."""
        return frozenset(term for name in self.names for term in analyse(name))

    @cached_property
    def plain_terms(self) -> tuple[str, ...]:
        """Its terms that are of no name and no figures."""
        return tuple(term for term in self.terms if term not in self.name_terms and not term.isdigit())

    @cached_property
    def period_terms(self) -> frozenset[str]:
        """Index terms of its dates and periods, as it writes them."""
        return frozenset(term for period in self.periods for term in analyse(period.text))

    @property
    def is_empty(self) -> bool:
        """Whether nothing is asked: only marks, only stop words."""
        return not self.terms and not self.periods


@lru_cache(maxsize=4_096)
def read_question(text: str) -> Question:
    """Read a question of any language; types, focus and framing words are known for en, de, fr, es, it, ja and zh."""
    line = _SPACE.sub(" ", text).strip()
    line = without_instructions(line)
    detected = detect(line)
    language = detected if detected in _SUPPORTED else "en"
    folded = line.casefold()
    answer_type = _answer_type(folded, language)
    names = names_in(line, language)
    bound = bound_asked(line) if language == "en" and answer_type == "yes_no" else None
    # What is to lie before a day need not be told of that day.
    told = bound.rest if bound else line
    return Question(
        text=line,
        language=language,
        answer_type=answer_type,
        names=names,
        periods=tuple(find_periods(told)),
        units=_units(line),
        focus=focus_of(line, language),
        terms=_terms(told, language, answer_type),
        is_statement="?" not in line and "？" not in line and not _has_cue(folded, language),
        glosses=(*_glosses(line), *(_settling(line, answer_type) if language == "en" else ())),
    )


def without_instructions(text: str) -> str:
    """Return a question without the sentences that only tell how to answer it (`If not, please say so.`)."""
    spans = sentences(text)
    kept = [text[start:end] for start, end in spans if not _INSTRUCTION.match(text[start:end])]
    return " ".join(kept) if kept and len(kept) < len(spans) else text


def key_phrase(text: str, language: str) -> str:
    """Return the words of a text that carry content, in their own spelling, without framing words."""
    framing = _framing(language)
    stops = STOP_WORDS_BY_LANGUAGE.get(language, frozenset()) if language != "en" else frozenset()
    if language == "ja":
        phrase = text
        for word in _framing_by_length("ja"):
            phrase = phrase.replace(word, " ")
        return " ".join(_JAPANESE_CONTENT.findall(phrase))
    if language == "zh":
        phrase = text
        for word in _framing_by_length("zh"):
            phrase = phrase.replace(word, " ")
        return str(_SPACE.sub(" ", regex.sub(r"[？?。、，！!]", " ", phrase))).strip()
    kept = []
    for word in line_words(text):
        bare = word.casefold()
        if bare in framing or bare in stops or not analyse(word):
            continue
        kept.append(word)
    return " ".join(kept)


def as_asked(question: Question, terms: Sequence[str]) -> list[str]:
    """Return index terms as the question spells them, at most six; the terms where it spells none of them."""
    wanted = set(terms)
    if question.language in ("ja", "zh"):
        pieces = key_phrase(question.text, question.language).split()
        return [piece for piece in pieces if set(analyse(piece)) & wanted][:6]
    words = [
        word
        for word in line_words(question.text)
        if wanted & {*analyse(word), *([stem_in(word, question.language)] if question.language in LANGUAGES else ())}
    ]
    return words[:6] or list(terms[:6])


def _answer_type(folded: str, language: str) -> AnswerType:
    for answer_type, pattern in CUES[language]:
        if regex.search(pattern, folded):
            return answer_type
    return "explanation"


def _has_cue(folded: str, language: str) -> bool:
    return any(regex.search(pattern, folded) for _, pattern in CUES[language])


def _terms(line: str, language: str, answer_type: AnswerType) -> tuple[str, ...]:
    """Return what a passage should hold: content terms, and of a period its years (`FY20` is met by `2020`)."""
    rest, years = line, []
    for period in reversed(find_periods(line)):
        if period.is_fiscal:
            rest = f"{rest[: period.at]} {rest[period.to :]}"
            years.extend([str(period.start.year), *_quarter_terms(period.text)])
    framing = _framing_terms(language)
    if language in LANGUAGES:  # a short question may not tell its language by two small words
        framing |= {strip_accents(word) for word in STOP_WORDS_BY_LANGUAGE.get(language, ())}
    if language == "en":
        rest = in_everyday_words(_US.sub("USA", _WON.sub("winner", rest)))
    rest = in_short(_plain_asked(rest, language))
    if answer_type == "explanation":
        framing |= _CAUSING
    if answer_type == "list":
        framing |= {term for word in LISTING.split() for term in analyse(word)}
        framing |= _asked_by_class(rest, framing)
    if answer_type == "comparison":
        framing |= {term for word in COMPARING.split() for term in analyse(word)}
    if language in ("ja", "zh"):
        found = [term for part in key_phrase(rest, language).split() for term in analyse(part)]
    else:
        least = 2 if language in LANGUAGES else 1  # `a-t-il`
        found = [term for term in analyse(rest) if term not in framing and (len(term) >= least or term.isdigit())]
    terms = with_initials(as_founded([*found, *reversed(years)], line), line)
    if language == "en":
        return without_bland(line, terms)
    return with_meanings(without_deed(terms, line, language) if language in ("de", "fr") else terms, line, language)


def _asked_by_class(text: str, framing: Collection[str]) -> set[str]:
    """Return the class of what is to be listed (`companies`), which its members do not bear, where more is asked."""
    terms = set(analyse(text)) - set(framing)
    return terms & _CLASSES if terms - _CLASSES else set()


def _plain_asked(text: str, language: str) -> str:
    """Return a question without words that say what kind of value is asked for, as long as others are left.

    They are the measure word behind `how` (`how long`), the verb of a request (`summarise`), a noun such as `date` or
    `amount`, and `the company`, which a question over its own papers names for none in particular.
    """
    text = _HOW_FAST.sub(r"\1 Geschwindigkeit", text) if language == "de" else text
    bare: str = _HOW_MEASURE[language].sub(r"\1", text) if language in _HOW_MEASURE else text
    if language != "en":
        return bare
    for pattern in (None, _RECKONING, _IN_THIS_PAPER, _THE_COMPANY, _KIND_OF_VALUE):
        rest: str = without_request(bare) if pattern is None else pattern.sub(" ", bare)
        left = [word for word in line_words(rest) if word.casefold() not in _framing("en") and analyse(word)]
        bare = rest if left else bare
    return bare


def _glosses(line: str) -> tuple[tuple[str, str], ...]:
    """Return the pairs of one word and another in brackets right behind it."""
    pairs = ((analyse(word), analyse(other)) for word, other in _GLOSS.findall(line))
    return tuple((one[-1], two[-1]) for one, two in pairs if one and two)


def _settling(line: str, answer_type: AnswerType) -> tuple[tuple[str, str], ...]:
    """Return the words of a question with others that settle it as well: an opposite, another word for a price."""
    if answer_type == "yes_no":
        return outcome_glosses(line)
    if answer_type != "number":
        return ()
    asked = [term for term in analyse(line) if term in _PRICES]
    return tuple((term, other) for term in dict.fromkeys(asked) for other in sorted(_PRICES) if other != term)


def _quarter_terms(text: str) -> list[str]:
    return [quarter.casefold() for quarter in regex.findall(r"[QH][1-4](?!\d)|[QH][1-4](?=20\d\d)", text)]


def _units(line: str) -> tuple[str, ...]:
    units = [unit for unit, pattern in _UNIT_CUES.items() if regex.search(pattern, line, regex.IGNORECASE)]
    units.extend(number.unit for number in find_numbers(line) if number.unit and number.unit not in units)
    return tuple(dict.fromkeys(units))


def _framing_by_length(language: str) -> list[str]:
    return sorted(FRAMING[language].split(), key=lambda word: (-len(word), word))


def as_written(question: Question) -> Question:
    """Return a question whose terms are met by their words alone, not by what they mean in another language."""
    return replace(question, terms=tuple(_as_written(term) for term in question.terms))


def _as_written(term: str) -> str:
    if isinstance(term, ForeignTerm):
        return term.as_written()
    return term if isinstance(term, Initials) else str(term)


@lru_cache(maxsize=4_096)
def focus_terms(question: Question) -> tuple[str, ...]:
    """Return the index terms of the thing asked for that are terms of the question."""
    focus = set(with_initials(analyse(question.focus), question.focus))
    return tuple(term for term in question.terms if term in focus)


@lru_cache(maxsize=16)
def _framing(language: str) -> frozenset[str]:
    return frozenset(FRAMING[language].split())


@lru_cache(maxsize=16)
def _framing_terms(language: str) -> frozenset[str]:
    return frozenset(term for word in _framing(language) for term in analyse(word))
