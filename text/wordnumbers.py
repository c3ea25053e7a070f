"""Read numbers that are spelled out: `forty-three million`, `百分之五`, `三十`."""

# ruff: noqa: SIM905 - word lists read better as running text

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

import regex

from .units import PERCENT_WORDS, UNIT_WORDS

_ONES = {
    word: value
    for value, word in enumerate(
        """
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
    seventeen eighteen nineteen
""".split()
    )
}
_TENS = {
    word: 10 * value
    for value, word in enumerate(
        ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"], start=2
    )
}
_LARGE = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
_PARTS = {"half": Decimal("0.5"), "third": Decimal(1) / 3, "quarter": Decimal("0.25"), "fifth": Decimal("0.2"),
          "tenth": Decimal("0.1"), "thirds": Decimal(1) / 3, "quarters": Decimal("0.25"), "fifths": Decimal("0.2"),
          "tenths": Decimal("0.1")}  # fmt: skip
_SIMPLE = "|".join([*_ONES, *_TENS])
_LONG_UNITS = "|".join(
    sorted((regex.escape(unit) for unit in UNIT_WORDS if unit.isalpha() and len(unit) > 2), key=len, reverse=True)
)
_PHRASE = regex.compile(
    rf"\b(?:{_SIMPLE})(?:[\s-]+(?:and[\s-]+)?(?:{_SIMPLE}|hundred|{'|'.join(_LARGE)}))*"
    rf"(?:[\s-]+(?P<part>{'|'.join(_PARTS)}))?\b"
    rf"(?:[\s-]+(?P<unit>percent(?:age\s+points?)?|per\s+cent|{_LONG_UNITS})\b)?",
    regex.IGNORECASE,
)
_QUICK = regex.compile(rf"\b(?:{_SIMPLE})\b", regex.IGNORECASE)
_CJK_DIGITS = {char: value for value, char in enumerate("零一二三四五六七八九")} | {"两": 2, "兩": 2, "〇": 0}
_CJK_UNITS = {"十": 10, "百": 100, "千": 1000}
_CJK_LARGE = {"万": 10**4, "萬": 10**4, "亿": 10**8, "億": 10**8}
_CJK = regex.compile(
    r"(?P<percent>百分之)?(?P<digits>[零〇一二三四五六七八九十百千万萬亿億两兩]+)(?:[点點](?P<decimals>[零〇一二三四五六七八九]+))?"
)

WordNumber = tuple[Decimal, str, int, int, Decimal]


def find_word_numbers(text: str) -> Iterator[WordNumber]:
    """Yield (value, unit, start, end, step) of each number that is spelled out in English or in Han characters.

    `one` alone is mostly a pronoun and no number; a single Han digit neither (一 is in many words).
    """
    if _QUICK.search(text):
        for match in _PHRASE.finditer(text):
            read = _english(match)
            if read is not None:
                yield read
                continue
            for single in _QUICK.finditer(text, match.start(), match.end()):  # `two three`: a list
                word = single.group().casefold()
                if word != "one":
                    yield Decimal(_ONES.get(word, _TENS.get(word, 0))), "", single.start(), single.end(), Decimal(1)
    if not text.isascii():
        for match in _CJK.finditer(text):
            value = _han(match)
            if value is not None:
                unit = "%" if match.group("percent") else ""
                yield value, unit, match.start(), match.end(), Decimal(1)


def _english(match: regex.Match[str]) -> WordNumber | None:
    words = regex.findall(r"[a-z]+", match.group().casefold())
    part, unit = match.group("part"), match.group("unit")
    phrase = match.group()[: match.start("unit") - match.start()] if unit else match.group()
    words = regex.findall(r"[a-z]+", phrase.casefold())
    if part:
        words = words[:-1]
    total, current, step = 0, 0, 1
    for word in words:
        if word in _ONES or word in _TENS:
            small = _ONES.get(word, _TENS.get(word, 0))
            if current % 100 and not (current % 100 >= 20 and current % 10 == 0 and small < 10):
                return None  # `two three`: a list, not one number
            current += small
            step = 1
        elif word == "hundred":
            current *= 100
            step = 100
        elif word in _LARGE:
            total += current * _LARGE[word]
            current, step = 0, _LARGE[word]
    value = Decimal(total + current)
    if part:
        value, fine = value * _PARTS[part.casefold()], Decimal("0.0001")
        return value, "", match.start(), match.start() + len(phrase.rstrip(" -")), fine
    if value == 1 and not unit:
        return None
    name = ""
    if unit:
        key = regex.sub(r"\s+", " ", unit.casefold())
        name = PERCENT_WORDS.get(key) or UNIT_WORDS.get(key, "")
    return value, name, match.start(), match.end(), Decimal(step)


def _han(match: regex.Match[str]) -> Decimal | None:
    digits = match.group("digits")
    if len(digits) == 1 and not match.group("percent") and not match.group("decimals"):
        return None
    if all(char in _CJK_DIGITS for char in digits):
        value = Decimal("".join(str(_CJK_DIGITS[char]) for char in digits))
    else:
        total, section, current = 0, 0, 0
        for char in digits:
            if char in _CJK_DIGITS:
                current = _CJK_DIGITS[char]
            elif char in _CJK_UNITS:
                section += (current or 1) * _CJK_UNITS[char]
                current = 0
            else:
                total += (section + current or 1) * _CJK_LARGE[char]
                section, current = 0, 0
        value = Decimal(total + section + current)
    if match.group("decimals"):
        value += Decimal("0." + "".join(str(_CJK_DIGITS[char]) for char in match.group("decimals")))
    return value
