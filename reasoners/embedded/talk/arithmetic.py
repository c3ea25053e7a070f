"""Find the computation that a message asks for and write it as an expression."""

from __future__ import annotations

import regex

_NUMBER = r"\d[\d,]*(?:\.\d+)?"
_CUE = regex.compile(
    r"^\W*(?:please |so |and |now )?(?:what(?:['’]s| is| are)|how (?:much|many|long)|calculate|compute|work out|"
    r"evaluate|total|sum up|add up|multiply|divide)\b",
    regex.IGNORECASE,
)
_ASKS_AMOUNT = regex.compile(
    r"\bhow (?:many|much)\b|\b(?:in total|altogether|the total)\b|\bcalculate\b", regex.IGNORECASE
)
_RATE = regex.compile(
    rf"(?P<count>{_NUMBER})\s+(?P<things>[\p{{L}}][\p{{L}} -]{{0,40}}?)\s+(?:at|of|by|times|with|costing|à)\s+"
    rf"(?P<currency>[$€£])?(?P<each>{_NUMBER})\s*(?P<unit>[\p{{L}}%]+)?(?:\s+(?:each|apiece|(?:per|a|an|every)\s+\w+))?",
    regex.IGNORECASE,
)
_PERCENT_OF = regex.compile(
    rf"(?P<share>{_NUMBER})\s*(?:%|percent|per cent)\s+of\s+(?P<whole>{_NUMBER})", regex.IGNORECASE
)
_WORDS = (
    (regex.compile(r"\b(?:divided by|over)\b", regex.IGNORECASE), "/"),
    (regex.compile(r"\b(?:multiplied by|times)\b", regex.IGNORECASE), "*"),
    (regex.compile(r"\bplus\b", regex.IGNORECASE), "+"),
    (regex.compile(r"\bminus\b", regex.IGNORECASE), "-"),
    (regex.compile(r"\b(?:to the power of|to the)\b", regex.IGNORECASE), "**"),
    (regex.compile(r"\b(?:the )?square root of (\d[\d.]*)", regex.IGNORECASE), r"sqrt(\1)"),
    (regex.compile(r"(?<=\d)\s*[x×]\s*(?=[\d(])"), " * "),
)
_FUNCTION = r"(?:abs|round|sqrt|cbrt|exp|log|log2|log10|sin|cos|tan|floor|ceil|factorial|gcd|lcm|pow|hypot|pi|e)"
_EXPRESSION = regex.compile(rf"(?:[\d\s.,+\-*/%()×÷−]|{_FUNCTION}\b)+")
_OPERATOR = regex.compile(
    r"[\d)]\s*(?:[+*/×÷−-]|\*\*|%)\s*[\d(.\p{L}]|\b(?:sqrt|factorial|log|exp|abs|round|pow|sin|cos|tan)\s*\("
)
_GROUPED = regex.compile(r"(?<![\d.,])\d{1,3}(?:,\d{3})+(?![\d,])")


def read_arithmetic(message: str) -> tuple[str, str] | None:
    """Return the expression that a message asks to compute and the unit of its result, or None.

    Read are expressions (`2 + 2*3`), their words (`12 times 4`), shares (`15% of 80`) and counts at a rate
    (`22 working days at 6.5 hours`).
    """
    text = message.strip().rstrip("?.!= ")
    asked = bool(_CUE.match(text))
    if match := _PERCENT_OF.search(text):
        share = f"{_plain(match['share'])} / 100 * {_plain(match['whole'])}"
        return (share, "") if asked or match.span() == (0, len(text)) else None
    for pattern, sign in _WORDS:
        text = pattern.sub(sign, text)
    body = _CUE.sub("", text).strip(" :,")
    if (asked or body == text.strip()) and _EXPRESSION.fullmatch(body) and _OPERATOR.search(body):
        return body, ""
    if (asked or _ASKS_AMOUNT.search(text)) and (match := _RATE.search(text)):
        unit = f"{match['currency'] or ''}{match['unit'] or ''}"
        return f"{_plain(match['count'])} * {_plain(match['each'])}", unit
    if asked and (match := max(_EXPRESSION.finditer(text), key=lambda found: len(found.group().strip()), default=None)):
        candidate = match.group().strip(" ,.")
        if _OPERATOR.search(candidate) and len(regex.findall(r"\d", candidate)) >= 2:
            return candidate, ""
    return None


def _plain(number: str) -> str:
    return str(_GROUPED.sub(lambda match: match.group().replace(",", ""), number)).rstrip(",")
