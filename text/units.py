"""The words and signs that follow a number: scales, currencies, percents and measures with their conversions."""

# ruff: noqa: SIM905 - word lists read better as running text

from __future__ import annotations

from decimal import Decimal

_K, _M, _B, _T = Decimal(10) ** 3, Decimal(10) ** 6, Decimal(10) ** 9, Decimal(10) ** 12

SCALES: dict[str, Decimal] = {
    **dict.fromkeys(("thousand", "thousands", "tausend", "tsd", "mille", "mil"), _K),
    **dict.fromkeys(
        ("million", "millions", "mn", "mln", "mio", "millionen", "millón", "millones", "milhão", "milhões",
         "milioni", "milione", "mill"), _M,
    ),
    **dict.fromkeys(
        ("billion", "billions", "bn", "bln", "mrd", "milliarde", "milliarden", "milliard", "milliards",
         "miliardi", "miliardo"), _B,
    ),
    **dict.fromkeys(("trillion", "trillions", "tn", "trn", "billionen"), _T),
    **dict.fromkeys(("hundred", "hundreds"), Decimal(100)),
    "lakh": Decimal(10) ** 5,
    "crore": Decimal(10) ** 7,
    "dozen": Decimal(12),
    "万": Decimal(10) ** 4,
    "亿": Decimal(10) ** 8,
    "億": Decimal(10) ** 8,
    "兆": _T,
}  # fmt: skip
TIGHT_SCALES: dict[str, Decimal] = {
    "MM": _M, "bn": _B, "mn": _M, "tn": _T, "k": _K, "K": _K, "M": _M, "m": _M, "B": _B, "b": _B, "T": _T, "t": _T,
}  # fmt: skip
CURRENCIES = frozenset(
    """
    USD EUR GBP JPY CHF CNY RMB INR AUD CAD NZD SEK NOK DKK PLN CZK HUF RUB TRY BRL MXN KRW SGD HKD ZAR ILS
    AED SAR
""".split()
)
CURRENCY_SYMBOLS: dict[str, str] = {
    "$": "USD", "US$": "USD", "U.S.$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY", "￥": "CNY", "₹": "INR", "₩": "KRW",
    "₽": "RUB", "₺": "TRY", "₪": "ILS", "A$": "AUD", "AU$": "AUD", "C$": "CAD", "CA$": "CAD", "NZ$": "NZD",
    "HK$": "HKD", "S$": "SGD", "R$": "BRL", "RMB": "CNY", "CHF": "CHF", "＄": "USD", "￡": "GBP",
}  # fmt: skip
PERCENT_WORDS: dict[str, str] = {
    **dict.fromkeys(("%", "％", "٪", "percent", "per cent", "pct", "prozent", "pour cent", "por ciento", "por cento",
                     "per cento", "procent", "percentage", "パーセント"), "%"),
    **dict.fromkeys(("percentage points", "percentage point", "percentage-point", "percentage-points", "% points",
                     "pct pts", "ppts", "ppt", "pp", "Prozentpunkte".casefold(), "Prozentpunkten".casefold(),
                     "points of percentage"), "pp"),
    **dict.fromkeys(("basis points", "basis point", "bps", "bp", "basispunkte"), "bp"),
    **dict.fromkeys(("‰", "per mille", "promille"), "‰"),
}  # fmt: skip

_FAMILIES: dict[str, tuple[tuple[str, str, str], ...]] = {
    # dimension: (canonical unit, factor to the first unit, spellings)
    "length": (
        ("m", "1", "m metre metres meter meters mètre mètres metri metros"),
        ("km", "1000", "km kilometre kilometres kilometer kilometers kilomètres"),
        ("cm", "0.01", "cm centimetre centimetres centimeter centimeters"),
        ("mm", "0.001", "mm millimetre millimetres millimeter millimeters"),
        ("µm", "0.000001", "µm μm um micrometre micrometres micrometer micrometers micron microns"),
        ("nm", "0.000000001", "nm nanometre nanometres nanometer nanometers"),
        ("mi", "1609.344", "mi mile miles"),
        ("ft", "0.3048", "ft foot feet"),
        ("in", "0.0254", "inch inches"),
        ("yd", "0.9144", "yd yard yards"),
    ),
    "mass": (
        ("kg", "1", "kg kilogram kilograms kilogramme kilogrammes kilos kilo"),
        ("g", "0.001", "g gram grams gramme grammes"),
        ("mg", "0.000001", "mg milligram milligrams"),
        ("µg", "0.000000001", "µg μg mcg ug microgram micrograms"),
        ("t", "1000", "tonne tonnes tons ton metric-tons"),
        ("lb", "0.45359237", "lb lbs pound-weight"),
        ("oz", "0.028349523125", "oz ounce ounces"),
    ),
    "time": (
        ("h", "1", "h hr hrs hour hours stunden stunde heures heure"),
        ("min", "0.016666666666666667", "min mins minute minutes minuten"),
        ("s", "0.00027777777777777778", "s sec secs second seconds sekunden"),
        ("ms", "0.00000027777777777777778", "ms millisecond milliseconds"),
    ),
    "days": (
        ("d", "1", "day days tage tagen jours jour"),
        ("wk", "7", "wk wks week weeks wochen semaines"),
    ),
    "months": (
        ("mo", "1", "month months monate monaten mois"),
        ("yr", "12", "yr yrs year years jahre jahren ans années años year-old years-old"),
    ),
    "area": (
        ("m²", "1", "m² m2 sqm square-metres square-meters"),
        ("km²", "1000000", "km² km2 square-kilometres square-kilometers"),
        ("ha", "10000", "ha hectare hectares hektar"),
        ("acre", "4046.8564224", "acre acres"),
        ("sqft", "0.09290304", "sqft square-feet"),
    ),
    "volume": (
        ("m³", "1", "m³ m3 cubic-metres cubic-meters cubic-metre"),
        ("l", "0.001", "l L litre litres liter liters"),
        ("ml", "0.000001", "ml mL millilitre millilitres milliliter milliliters"),
        ("gal", "0.003785411784", "gal gallon gallons"),
        ("bbl", "0.158987294928", "bbl barrel barrels"),
    ),
    "temperature": (("°C", "1", "°C ℃ degrees-celsius degree-celsius degrees-Celsius degree-Celsius degrees-C"),),
    "fahrenheit": (
        ("°F", "1", "°F ℉ degrees-fahrenheit degree-fahrenheit degrees-Fahrenheit degree-Fahrenheit degrees-F"),
    ),
    "angle": (("°", "1", "° degrees degree"),),
    "power": (
        ("W", "1", "W watt watts"),
        ("kW", "1000", "kW kilowatt kilowatts"),
        ("MW", "1000000", "MW megawatt megawatts"),
        ("GW", "1000000000", "GW gigawatt gigawatts"),
    ),
    "energy": (
        ("kWh", "1", "kWh kilowatt-hours"),
        ("MWh", "1000", "MWh megawatt-hours"),
        ("GWh", "1000000", "GWh gigawatt-hours"),
        ("TWh", "1000000000", "TWh terawatt-hours"),
    ),
    "data": (
        ("B", "1", "byte bytes"),
        ("kB", "1000", "kB KB kilobytes"),
        ("MB", "1000000", "MB megabyte megabytes"),
        ("GB", "1000000000", "GB gigabyte gigabytes"),
        ("TB", "1000000000000", "TB terabyte terabytes"),
    ),
    "frequency": (
        ("Hz", "1", "Hz hertz"),
        ("kHz", "1000", "kHz"),
        ("MHz", "1000000", "MHz"),
        ("GHz", "1000000000", "GHz"),
    ),
    "speed": (("km/h", "1", "km/h kph"), ("mph", "1.609344", "mph"), ("m/s", "3.6", "m/s")),
    "concentration": (("ppm", "1", "ppm"), ("ppb", "0.001", "ppb")),
    "ratio": (("x", "1", "x × times fold -fold"),),
}
_PLAIN_CURRENCY_WORDS: dict[str, str] = {
    **dict.fromkeys(("dollar", "dollars", "us dollars", "u.s. dollars"), "USD"),
    **dict.fromkeys(("euro", "euros"), "EUR"),
    **dict.fromkeys(("pounds sterling", "sterling"), "GBP"),
    **dict.fromkeys(("pound", "pounds"), "pound"),
    **dict.fromkeys(("yen",), "JPY"),
    **dict.fromkeys(("yuan", "renminbi", "元"), "CNY"),
    **dict.fromkeys(("rupee", "rupees"), "INR"),
    **dict.fromkeys(("franken", "swiss francs"), "CHF"),
    **dict.fromkeys(("cent", "cents"), "cent"),
}

# German writes its nouns so: `920 Euro`.
UNIT_WORDS: dict[str, str] = _PLAIN_CURRENCY_WORDS | {
    word.capitalize(): _PLAIN_CURRENCY_WORDS[word] for word in ("euro", "dollar", "franken", "yen")
}
FACTORS: dict[str, tuple[str, Decimal]] = {}
for _dimension, _units in _FAMILIES.items():
    for _canonical, _factor, _spellings in _units:
        FACTORS[_canonical] = (_dimension, Decimal(_factor))
        for _spelling in _spellings.split():
            UNIT_WORDS[_spelling] = _canonical
            UNIT_WORDS[_spelling.replace("-", " ")] = _canonical
FACTORS |= {"pp": ("points", Decimal(1)), "bp": ("points", Decimal("0.01"))}
