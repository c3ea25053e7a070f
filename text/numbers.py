"""Read the numbers of a text with their scale, unit and sign, so that `$43.0M` is 43 million dollars."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from typing import Literal

import regex

from .languages import detect
from .spans import longest_apart
from .units import CURRENCIES, CURRENCY_SYMBOLS, FACTORS, PERCENT_WORDS, SCALES, TIGHT_SCALES, UNIT_WORDS
from .wordnumbers import find_word_numbers

Kind = Literal["cardinal", "ordinal", "word", "fraction", "identifier"]


@dataclass(frozen=True)
class Number:
    """One number of a text.

    Attributes:
        value: Scale applied: `$43.0M` is 43000000; `12%` is 12.
        unit: "" | `%` | `pp` (percentage points) | `bp` | ISO 4217 code | unit word (`km`, `kg`, `h`, …).
        text: The characters it was read from, sign, currency, scale and unit included.
        start: First character in the text; end: one past the last.
        kind: `word` was spelled out, `identifier` hangs on letters or `#`, `fraction` was written 3/4 or ½.
        step: Value of one unit in the last written place: 100000 for `43.0M`, 1 for `12`.
        bound: `<`, `>` or `~` where the text says less than, more than or about.
    """

    value: Decimal
    unit: str
    text: str
    start: int
    end: int
    kind: Kind = "cardinal"
    step: Decimal = Decimal(1)
    bound: str = ""

    @property
    def is_year(self) -> bool:
        """Whether it may be a calendar year: four bare digits from 1000 to 2199."""
        return (
            self.kind == "cardinal" and not self.unit and regex.fullmatch(r"1\d{3}|2[01]\d{2}", self.text) is not None
        )


_SPACE = "\u0020\u00a0\u2007\u2009\u202f\u2008\u2006\u2005\u2004"
_THIN = "\u00a0\u2007\u2009\u202f\u2008\u2006\u2005\u2004"
_DIGITS = (
    rf"(?:\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?(?![\d])|\d{{1,3}}(?:\.\d{{3}})+,\d+|\d{{1,3}}(?:\.\d{{3}}){{2,}}(?!\d)"
    rf"|\d{{1,2}}(?:,\d{{2}})+,\d{{3}}(?:\.\d+)?"
    rf"|\d{{1,3}}(?:['’]\d{{3}})+(?:[.,]\d+)?|\d{{1,3}}(?:[{_THIN}]\d{{3}})+(?:[.,]\d+)?(?!\d)"
    rf"|\d{{1,3}}(?:[\x20]\d{{3}})+(?:[.,]\d+)?(?!\d)|\d+[.,]\d+|\d+)"
)
# A line of prose that is broken between a figure and what belongs to it; a line of a table begins otherwise.
_BREAK = r"[\x20]?\r?\n[\x20]?"
_TO_WORD = rf"(?:[{_SPACE}-]|{_BREAK}(?=\p{{Ll}}{{2}}|M(?:illion|illiard|io\b|rd\b)|Prozent))?"
_TO_FIGURE = rf"(?:[{_SPACE}]|{_BREAK}(?!(?:19|20)\d\d(?![\d,.]\d)))?"
_SYMBOLS = "|".join(sorted(map(regex.escape, CURRENCY_SYMBOLS), key=len, reverse=True))
_CODES = "|".join(sorted(CURRENCIES))
_SCALE_WORDS = "|".join(sorted(map(regex.escape, SCALES), key=len, reverse=True))
_UNITS = "|".join(sorted(map(regex.escape, UNIT_WORDS), key=len, reverse=True))
_PERCENTS = "|".join(
    regex.escape(words).replace(r"\ ", r"\s") for words in sorted(PERCENT_WORDS, key=len, reverse=True)
)
_NUMERAL = regex.compile(
    rf"""
    (?P<open>\()?
    (?P<sign>(?<![\w)\]%.])[-\u2212\u2013\uff0d+\u00b1])?
    (?:(?P<pre>{_SYMBOLS}|\b(?:{_CODES})\b){_TO_FIGURE}(?P<sign2>[-\u2212])?)?
    (?P<hash>(?<!\w)\#|(?:\b[Nn]o\.|№)[{_SPACE}]?)?
    (?P<digits>{_DIGITS})(?:(?<=(?<!\d)10)(?:\^(?P<tenth>[-\u2212]?\d{{1,2}})|(?P<raised>\u207b?[\u2070\u00b9\u00b2\u00b3\u2074-\u2079]+)))?
    (?P<exp>(?:[{_SPACE}]?[x\u00d7*\u00b7][{_SPACE}]?10(?:\^|\*\*)?(?P<power>[-\u2212]?\d{{1,3}}|[\u207b]?[\u2070\u00b9\u00b2\u00b3\u2074-\u2079]+))|[eE](?P<e>[-+]?\d{{1,3}})(?!\w))?
    (?P<over>\s?[/\u2044]\s?(?P<denominator>\d{{1,3}})(?![\d/.\w-]))?
    (?P<ordinal>(?:st|nd|rd|th)\b)?
    (?:(?P<tight>{"|".join(TIGHT_SCALES)})(?![\w/]))?
    (?:{_TO_WORD}(?P<scale>(?i:{_SCALE_WORDS})(?!\w)\.?|[万亿億兆]))?
    (?P<close>\))?
    (?:{_TO_WORD}(?:(?P<percent>(?i:{_PERCENTS}))(?!(?<=(?i:[bp]p))\p{{L}})|(?P<post>{_SYMBOLS}|(?:{_CODES})\b)(?![{_SPACE}]?\d)|(?P<unit>(?:{_UNITS})(?!\w))))?
    (?P<late>\))?
    """,
    regex.VERBOSE,
)
_SUPERSCRIPTS = str.maketrans("\u207b\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079", "-0123456789")
_POINT_LANGUAGES = frozenset(("de", "es", "it", "pt", "nl", "da", "tr"))
# A German noun behind a count; a time of day is none.
_COUNTED = regex.compile(rf"[{_SPACE}](?!Uhr\b)\p{{Lu}}\p{{Ll}}{{2,}}")
_VULGAR = regex.compile(r"(?:(?P<whole>\d+)\s?)?(?P<part>[\u00bc-\u00be\u2150-\u215e])")
_COMMA_DECIMALS = regex.compile(
    r"\d\.\d{3},\d|(?<![\d,.])\d+,\d{1,2}(?=\s*(?:%|€|Prozent|Mio|Mrd|Millionen|pour|milli))"
)
_POINT_GROUPS = regex.compile(r"(?<![\d.,])[1-9]\d{0,2}(?:\.\d{3}){2,}(?![\d.])")
# A word before the stop, not `p.`, `No.` or `approx.`.
_GLUED_NOTE = regex.compile(r"\b(?!approx)\p{Ll}{4,}\.$")
_NEXT_SENTENCE = regex.compile(r"\s*(?:$|[\p{Lu}\"“(])")
_COMMA_GROUPS = regex.compile(r"(?<![\d.,])\d{1,3}(?:,\d{3})+(?![\d,])")
_BOUNDS = regex.compile(
    r"(?<!\w)(?:(?P<less>less than|fewer than|under|below|at most|up to|no more than|not more than|maximum of|<|≤"
    r"|almost|nearly|just under)"
    r"|(?P<more>more than|over|above|at least|greater than|exceed(?:s|ed|ing)?|no less than|in excess of|upwards? of"
    r"|minimum of|>|≥|just over)"
    r"|(?P<about>about|around|approximately|approx\.?|roughly|circa|ca\.|some|an estimated|~|≈|close to))"
    r"\s*(?:the|a|an|US)?\s*$",
    regex.IGNORECASE,
)

REMEMBERED_CHARS = 2_000
"""Texts up to this length are kept with their numbers: each claim is held against the same lines and cells again."""


def find_numbers(text: str) -> list[Number]:
    """Return the numbers of a text in order, without overlap.

    Decimal comma or decimal point is decided by the number itself (`1.234,56`), else by the other numbers of the
    text, else a point or comma before exactly three digits groups in the English way (`1,234`).  A number hanging on
    letters (`COVID-19`, `B2`) is no number.  `(1.2)` is negative where it looks like bookkeeping: with decimals,
    groups, a currency or a percent sign.  Number words and CJK numerals are read as well.
    """
    return list(_remembered(text) if len(text) <= REMEMBERED_CHARS else _found(text))


@lru_cache(maxsize=8_192)
def _remembered(text: str) -> tuple[Number, ...]:
    return _found(text)


def _found(text: str) -> tuple[Number, ...]:
    found = list(_numerals(text))
    found.extend(_vulgar_fractions(text))
    found.extend(
        Number(value, unit, text[start:end], start, end, "word", step, _bound(text, start))
        for value, unit, start, end, step in find_word_numbers(text)
    )
    return tuple(longest_apart(found, lambda number: (number.start, number.end)))


def same_value(a: Number, b: Number, *, ignore_sign: bool = False) -> bool:
    """Whether two numbers say the same: equal after scale and unit, or one is the other rounded to its written places.

    Units must agree where both state one; kilometres and metres, percentage points and basis points convert.
    """
    pair = _in_one_unit(a, b)
    if pair is None:
        return False
    left, right, step_left, step_right = pair
    if ignore_sign:
        left, right = abs(left), abs(right)
    if left == right:
        return True
    if "identifier" in (a.kind, b.kind):
        return False
    coarse, fine_step = max(step_left, step_right), min(step_left, step_right)
    if coarse == fine_step:
        return False
    if coarse >= 1 and coarse > max(abs(left), abs(right)):
        return False
    return abs(left - right) <= coarse / 2


def same_unit(a: Number, b: Number) -> bool:
    """Whether two numbers may be compared: equal or convertible units, or one of them states none."""
    return _in_one_unit(a, b) is not None


def in_one_unit(a: Number, b: Number) -> tuple[Decimal, Decimal]:
    """Return both values counted in one unit.  Raises: ValueError where the units cannot be compared."""
    pair = _in_one_unit(a, b)
    if pair is None:
        raise ValueError(f"{a.text} and {b.text} have units that cannot be compared")
    return pair[0], pair[1]


def _in_one_unit(a: Number, b: Number) -> tuple[Decimal, Decimal, Decimal, Decimal] | None:
    if a.unit == b.unit or not a.unit or not b.unit:
        return a.value, b.value, a.step, b.step
    if "°" in (a.unit, b.unit) and a.unit[0] == b.unit[0]:
        return a.value, b.value, a.step, b.step  # `two degrees` leaves open whose
    first, second = FACTORS.get(a.unit), FACTORS.get(b.unit)
    if first is None or second is None or first[0] != second[0]:
        return None
    return a.value * first[1], b.value * second[1], a.step * first[1], b.step * second[1]


def _numerals(text: str) -> Iterator[Number]:
    comma_decimals = bool(_COMMA_DECIMALS.search(text) or _POINT_GROUPS.search(text))
    comma_groups = bool(_COMMA_GROUPS.search(text))
    position = 0
    while (match := _NUMERAL.search(text, position)) is not None:
        position = match.end()
        start = match.start()
        first_digit = match.start("digits")
        if _is_ascii_grouped(match.group("digits")) and (comma_groups or _follows_number(text, start)):
            # `2020 150 000` in a row of figures: only the first group belongs to this number.
            position = first_digit + match.group("digits").index(" ")
            match = _NUMERAL.fullmatch(text, start, position) or match
        number = _read(text, match, comma_decimals)
        if number is not None:
            yield number
            position = max(number.end, first_digit + 1)


def _read(text: str, match: regex.Match[str], comma_decimals: bool) -> Number | None:
    digits = match.group("digits")
    start, end = match.span()
    first_digit = match.start("digits")
    before = text[first_digit - 1] if first_digit else ""
    kind: Kind = "cardinal"
    if before.isalpha() and not match.group("pre") and not _is_cjk(before):
        return None
    if before in "-\u2010\u2011\u2013_" and before and first_digit >= 2 and text[first_digit - 2].isalpha():
        return None
    after = text[end] if end < len(text) else ""
    if (after.isalpha() or after == "_") and not _is_cjk(after) and not match.group("exp"):
        end_digits = match.end("digits")
        if end_digits == end or match.group("unit") or match.group("tight"):
            return None  # `3D`, `4x4`, `2b`
    if regex.match(r"\.\d+\.\d|\.\d", text[match.end("digits") :]) or regex.search(r"\d\.$", text[:first_digit][-8:]):
        return None  # `3.2.1` is a version or a section
    if before == "." and _GLUED_NOTE.search(text[:first_digit][-24:]) and _NEXT_SENTENCE.match(text, end):
        return None  # `rose by 30 percent.13,14`
    value, step = _value(digits, comma_decimals or _groups_by_point(text, match))
    if value is None or step is None:
        return None
    if match.group("hash"):
        kind = "identifier"
    elif match.group("ordinal"):
        kind = "ordinal"
    value, step = _scaled(match, value, step)
    if match.group("denominator"):
        if not Decimal(match.group("denominator")):
            return None
        kind = "fraction"
        value = value / Decimal(match.group("denominator"))
        step = Decimal("0.0001")
    unit = _unit(match)
    if _is_negative(match, unit):
        value = -value
    opened = match.group("open") is not None
    closed = match.group("close") is not None or match.group("late") is not None
    if opened and not closed:
        start += 1
    if closed and not opened:
        end = match.end() - 1 if text[match.end() - 1] == ")" else match.start("close")
        if match.group("close") is not None and unit:
            unit = ""
    return Number(value, unit, text[start:end], start, end, kind, step, _bound(text, start))


def _scaled(match: regex.Match[str], value: Decimal, step: Decimal) -> tuple[Decimal, Decimal]:
    factor = Decimal(1)
    tight = match.group("tight")
    # A lower-case letter is a scale only beside a currency: `5m` alone is five metres.
    if tight and (tight.isupper() or len(tight) > 1 or tight == "k" or match.group("pre")):
        factor *= TIGHT_SCALES[tight]
    if match.group("scale"):
        factor *= SCALES[match.group("scale").rstrip(".").casefold()]
    raised = match.group("tenth") or match.group("raised")
    exponent = match.group("power") or match.group("e") or raised
    if exponent:
        power = int(exponent.translate(_SUPERSCRIPTS).replace("\u2212", "-")) - (1 if raised else 0)
        if abs(power) <= 60:
            factor *= Decimal(10) ** power
    return value * factor, step * factor


def _unit(match: regex.Match[str]) -> str:
    if match.group("percent"):
        return PERCENT_WORDS[" ".join(match.group("percent").casefold().split())]
    symbol: str | None = match.group("pre") or match.group("post")
    if symbol:
        return CURRENCY_SYMBOLS.get(symbol, symbol.upper())
    if match.group("unit"):
        word = match.group("unit")
        return UNIT_WORDS.get(word) or UNIT_WORDS[word.casefold()]
    tight = match.group("tight")
    return {"m": "m", "b": "", "t": "t"}.get(tight, "") if tight else ""


def _is_negative(match: regex.Match[str], unit: str) -> bool:
    sign = match.group("sign") or match.group("sign2")
    if sign in ("-", "\u2212", "\uff0d"):
        return True
    if sign == "\u2013":  # an en dash before a number is a minus only when nothing stands before it
        return True
    wrapped = match.group("open") is not None and (match.group("close") or match.group("late"))
    bookkeeping = bool(unit) or any(mark in match.group("digits") for mark in ".,")
    return bool(wrapped and bookkeeping and not match.group("ordinal"))


def _groups_by_point(text: str, match: regex.Match[str]) -> bool:
    """Whether the point before exactly three digits groups them, where no other number of the text tells.

    Who writes the sign behind groups so (`4.500 €`), and so does German money (`41.200 Euro`).  A text in a language
    of such points groups its money, and in German what is counted (`41.200 Einwohner`); a measured `1.250 kg` is as
    likely exact to the gram.
    """
    if regex.fullmatch(r"\d{1,3}\.\d{3}", match.group("digits")) is None:
        return False
    if match.group("post") in ("€", "EUR", "CHF"):
        return True
    money = _unit(match) in CURRENCIES
    counted = not match.group("unit") and _COUNTED.match(text, match.end()) is not None
    if not (money or counted):
        return False
    language = detect(text, default="")
    if money:
        return language in _POINT_LANGUAGES or (not language and match.group("unit") == "Euro")
    return language == "de" and match.group("scale") is None and not match.group("percent")


def _value(digits: str, comma_decimals: bool) -> tuple[Decimal | None, Decimal | None]:
    plain = regex.sub(rf"[{_SPACE}'’]", "", digits)
    points, commas = plain.count("."), plain.count(",")
    if points and commas:
        decimal = "," if plain.rindex(",") > plain.rindex(".") else "."
        plain = plain.replace("." if decimal == "," else ",", "").replace(",", ".")
    elif commas:
        groups = regex.fullmatch(r"\d{1,3}(?:,\d{2,3})*,\d{3}", plain) is not None and not plain.startswith("0")
        plain = plain.replace(",", "") if groups and (commas > 1 or not comma_decimals) else plain.replace(",", ".")
    elif points:
        grouped = regex.fullmatch(r"[1-9]\d{0,2}(?:\.\d{3})+", plain) is not None
        if grouped and (points > 1 or comma_decimals):
            plain = plain.replace(".", "")
    try:
        value = Decimal(plain)
    except InvalidOperation:
        return None, None
    places = len(plain) - plain.index(".") - 1 if "." in plain else 0
    if places:
        return value, Decimal(1).scaleb(-places)
    return value, Decimal(1)


def _is_ascii_grouped(digits: str) -> bool:
    return " " in digits


def _follows_number(text: str, start: int) -> bool:
    return regex.search(r"\d[)%]?\s$", text[max(0, start - 3) : start]) is not None


def _is_cjk(char: str) -> bool:
    return "\u3040" <= char <= "\u30ff" or "\u3400" <= char <= "\u9fff" or "\uac00" <= char <= "\ud7af"


def _bound(text: str, start: int) -> str:
    match = _BOUNDS.search(text[max(0, start - 24) : start])
    if match is None:
        return ""
    return "<" if match.group("less") else ">" if match.group("more") else "~"


def _vulgar_fractions(text: str) -> Iterator[Number]:
    if text.isascii():
        return
    for match in _VULGAR.finditer(text):
        part = Decimal(str(round(_numeric(match.group("part")), 6)))
        whole = Decimal(match.group("whole") or 0)
        yield Number(whole + part, "", match.group(), match.start(), match.end(), "fraction", Decimal("0.0001"))


def _numeric(char: str) -> float:
    return float(unicodedata.numeric(char))
