"""Part a header into what was measured and in what unit: `fibre_revenue_sek_m` is fibre revenue, in SEK m."""

from __future__ import annotations

import re
from functools import lru_cache

from ...text.periods import find_periods
from .catalog import header_words

_CURRENCY_WORDS = "usd eur gbp chf jpy cad aud cny sek nok dkk inr pln czk"
CURRENCIES = frozenset(_CURRENCY_WORDS.split())
_SCALE_WORDS = "m mn mio million millions bn billion billions k thousand thousands tsd t"
_SCALES = frozenset(_SCALE_WORDS.split())
# Spelled as people spell them; an identifier has them in small letters.
_UNIT_WORDS = """
    Wh kWh MWh GWh TWh kW MW GW kg mg mm cm km nm µm ml kV mV mA Ah mAh Hz kHz MHz GHz dB ppm ppb bar hPa kPa MPa GB MB
    TB kB ha m² m³ km² sqm tonnes tons litres liters hours minutes kilometres kilometers miles hectares gallons
    barrels"""
_PERCENT = {"pct": "%", "percent": "%", "percentage": "%", "%": "%", "pp": "pp"}
_UNITS = {each.casefold(): each for each in _UNIT_WORDS.split()} | _PERCENT
_BRACKETS = re.compile(r"^(?P<name>.*\S)\s*[(\[](?P<unit>[^()\[\]]{1,24})[)\]]\s*$")
_IN = re.compile(r"^(?:in|as)\s+", re.IGNORECASE)
_MARK = re.compile(r"[%‰°/²³µ€$£Ω]")
_SHORT = re.compile(r"^[A-Za-zµ°%Ω]{1,3}$")
_PLAIN = re.compile(r"^[A-Za-zÀ-ÿ][a-zà-ÿ]+[,:]?$")
_TITLE_WORDS = 6
_SCALE_IN_WORDS = re.compile(r"\b(?:thousands?|millions?|billions?)\b", re.IGNORECASE)


@lru_cache(maxsize=4_096)
def name_and_unit(header: str) -> tuple[str, str]:
    """Return what a header names in words and its unit, empty where it states none.

    `Nitrate removal (%)` is `("Nitrate removal", "%")`, `electricity_mwh` is `("electricity", "MWh")` and
    `fibre_revenue_sek_m` is `("fibre revenue", "SEK m")`.
    """
    words = header_words(" ".join(header.split()))
    match = _BRACKETS.match(words)
    if match and _is_unit(unit := _IN.sub("", match["unit"])):
        return match["name"], _spelled(unit)
    tokens = words.split()
    last = tokens[-1].casefold() if len(tokens) > 1 else ""
    if len(tokens) > 2 and last in _SCALES and tokens[-2].casefold() in CURRENCIES:
        return " ".join(tokens[:-2]), f"{tokens[-2].upper()} {tokens[-1]}"
    if last in CURRENCIES:
        return " ".join(tokens[:-1]), tokens[-1].upper()
    if last in _UNITS:
        return " ".join(tokens[:-1]), _UNITS[last]
    return words, ""


def in_small(name: str) -> str:
    """Return words of a header as they stand in a sentence: `Roaming revenue` in small letters, `EBITDA` as it is."""
    spans = [(period.at, period.to) for period in find_periods(name)]
    words = list(re.finditer(r"\S+", name))
    plain = [match for match in words if _PLAIN.match(match[0]) and not any(a <= match.start() < b for a, b in spans)]
    titled = all(match[0][:1].isupper() for match in plain)
    small = plain if titled and len(plain) < _TITLE_WORDS else plain[:1]
    for match in small:
        if match in plain and (match is words[0] or titled):
            name = f"{name[: match.start()]}{match[0].lower()}{name[match.end() :]}"
    return name


def amount(value: str, unit: str) -> str:
    """Return a figure with its unit: `USD 12,000`, `12.0 SEK m`, `78.6%`, `417 MWh`."""
    if not unit:
        return value
    if unit == "%":
        return value if value.endswith("%") else f"{value}%"
    return f"{unit} {value}" if unit.casefold() in CURRENCIES else f"{value} {unit}"


def _is_unit(text: str) -> bool:
    tokens = text.split()
    known = CURRENCIES | _UNITS.keys() | _SCALES
    return (
        bool(_MARK.search(text))
        or all(token.casefold() in known for token in tokens)
        or (len(tokens) == 1 and bool(_SHORT.match(text)))
        or (bool(_SCALE_IN_WORDS.search(text)) and len(tokens) <= 2)
    )


def _spelled(unit: str) -> str:
    return " ".join(
        token.upper() if token.casefold() in CURRENCIES else _UNITS.get(token.casefold(), token)
        for token in unit.split()
    )
