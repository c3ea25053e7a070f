"""Check a computed number: the formula that the claim shows, its arithmetic, and its inputs in the passages."""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from decimal import Decimal, DivisionByZero, InvalidOperation
from itertools import chain

from ...state.records import Quote, Verdict
from ...text.matching import find_quote
from ...text.numbers import find_numbers
from ...text.numerals import grouped
from ...text.sentences import after_mark
from ...text.words import content_words, stem
from .added import find_sums

_NUMBER = r"\d[\d,]*(?:\.\d+)?"
_FORMULA = re.compile(
    rf"(?P<left>(?:\(\s*)*(?:(?<![\w.,)])[-−])?{_NUMBER}"
    rf"(?:\s*\)*\s*[-+*/×÷−]\s*(?:\(\s*[-−]?)*{_NUMBER})+(?:\s*\))*)"
    rf"\s*=\s*(?P<right>[-−]?{_NUMBER})(?P<percent>\s*%)?"
)
_MEAN = re.compile(rf"^\((?P<sum>-?{_NUMBER}(?:\s*[-+]\s*{_NUMBER})+)\)\s*/\s*(?P<count>\d+)\s*=")
_OPERATORS: dict[type[ast.operator], Callable[[Decimal, Decimal], Decimal]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}
_MAX_TERMS = 500
# Numbers that a formula may bring along: of units and averages, not of evidence.
_CONSTANTS = frozenset(
    map(Decimal, ("0", "1", "2", "3", "4", "5", "12", "52", "60", "100", "360", "365", "1000", "1000000"))
)
_ARITHMETIC_WORDS = """
    inference computed formula sum total share change changed difference percentage percent point points average
    rose fell stayed same largest smallest highest lowest before yes no year years day days ratio margin times
    then ended row column next hour hours minute minutes duration per part given
    nach höchster niedrigster wert von bei vor mit summe veränderung zwischen größte kleinste folgerung valeur haute
    basse somme devant par évolution entre plus grande petite celle valor alto bajo suma ante por cambio mayor menor
    valore basso somma davanti per variazione tra maggiore minore quella"""
_ARITHMETIC = frozenset(map(stem, _ARITHMETIC_WORDS.split()))
_COVERED = 0.6
"""Share of a claim's content words that its passages must hold, once the figures are settled."""


@dataclass(frozen=True)
class Formula:
    """One `inputs = result` of a claim.

    Attributes:
        holds: Whether the arithmetic is right to the written digits.
    """

    text: str
    inputs: tuple[Decimal, ...]
    result: Decimal
    holds: bool
    start: int
    end: int


def find_formulas(text: str) -> list[Formula]:
    """Return the formulas of a text, e.g. `1,180,000 + 940,000 = 2,120,000` or `30 / 120 = 25.0%`."""
    found = []
    for match in _FORMULA.finditer(text):
        value = evaluate(match["left"])
        written = match["right"].replace(",", "").replace("−", "-")
        result = Decimal(written)
        if value is not None and match["percent"]:
            value *= 100
        digits = len(written.partition(".")[2])
        half = Decimal(1).scaleb(-digits) / 2
        inputs = tuple(Decimal(each.replace(",", "")) for each in re.findall(_NUMBER, match["left"]))
        holds = value is not None and abs(value - result) <= half
        found.append(Formula(match[0], inputs, result, holds, match.start(), match.end()))
    return found


def judge_computed(
    claim: str, passages: Sequence[str], chunk_ids: Sequence[str] = (), context: Sequence[str] = ()
) -> Verdict | None:
    """Judge a claim that shows a formula; None where it shows none.

    Supported means: every formula is right, every sum of so many rows is that of rows in the passages, every input
    stands in a passage, is the result of a formula before it or a constant such as 365, every other number of the claim
    stands in a passage or is such a result, and the passages hold most of its words beside those of arithmetic.  Quotes
    are the lines of the passages in which the inputs stand.

    Args:
        context: Titles, captions and headers of the passages' tables: they may supply words and periods, no inputs.
    """
    formulas, sums = find_formulas(claim), find_sums(claim, passages)
    if not formulas and not sums:
        return None
    numbers = [_values(passage) for passage in passages]
    known: set[Decimal] = set(chain.from_iterable(numbers))
    given = set(known)
    problems = [f"sum: no {told.count} rows of the passages give {told.total}" for told in sums if not told.holds]
    known |= {number for told in sums if told.holds for number in (told.total, told.count)}
    for formula in formulas:
        given_along = {*_CONSTANTS, _terms_averaged(formula.text)}
        missing = [value for value in formula.inputs if value not in known and value not in given_along]
        if missing:
            problems.append(f"number: {', '.join(map(grouped, missing))} is in no cited passage")
        if not formula.holds:
            problems.append(f"arithmetic: {formula.text} is wrong")
        known |= {formula.result, abs(formula.result)}
    rest = claim
    places = [*((each.start, each.end) for each in formulas), *((each.start, each.end) for each in sums)]
    for start, end in sorted(places, reverse=True):
        rest = f"{rest[:start]} {rest[end:]}"
    said = {abs(each) for each in known} | set(chain.from_iterable(_values(text) for text in context))
    stray = [number.text for number in find_numbers(rest) if abs(number.value) not in said]
    problems += [f"number: {text} is neither in a cited passage nor computed" for text in stray]
    words = {stem(word) for word in content_words(rest) if not any(sign.isdigit() for sign in word)} - _ARITHMETIC
    seen = {stem(word) for passage in (*passages, *context) for word in content_words(passage.replace("_", " "))}
    covered = len(words & seen) / len(words) if words else 1.0
    if covered < _COVERED:
        problems.append(f"words: the passages hold {covered:.0%} of the claim's words")
    if problems:
        return Verdict(support="unsupported", score=0.0, reasons=tuple(problems))
    used = {value for formula in formulas for value in formula.inputs} & given
    shown = "; ".join([*(each.text for each in sums), *(each.text for each in formulas)])
    quotes = _quotes(used, passages, chunk_ids)
    return Verdict(support="supported", score=1.0, reasons=(f"inference: computed, {shown}",), quotes=quotes)


def _terms_averaged(formula: str) -> Decimal | None:
    """Return by what a sum is divided where that is the number of its terms: `(4 + 5 + 9) / 3`; None elsewhere."""
    match = _MEAN.search(formula)
    if match is None or Decimal(match["count"]) != len(re.findall(_NUMBER, match["sum"])):
        return None
    return Decimal(match["count"])


def _values(text: str) -> set[Decimal]:
    """Return every number of a text, also bare digits that a reader of words would take for a code."""
    values = {abs(number.value) for number in find_numbers(text)}
    for token in re.findall(_NUMBER, text):
        try:
            values.add(Decimal(token.rstrip(",").replace(",", "")))
        except InvalidOperation:
            continue  # digits and signs that spell no number
    return values


def _quotes(used: Collection[Decimal], passages: Sequence[str], chunk_ids: Sequence[str]) -> tuple[Quote, ...]:
    quotes: dict[tuple[int, int, int], Quote] = {}
    left = set(used)
    for index, passage in enumerate(passages):
        for line in passage.splitlines():
            here = _values(line) & left
            place = find_quote(line, passage) if here and line.strip() else None
            if place:
                left -= here
                start, end = after_mark(passage, *place), place[1]
                name = chunk_ids[index] if chunk_ids else str(index)
                quotes[index, start, end] = Quote(chunk_id=name, start=start, end=end, text=passage[start:end])
    return tuple(quotes.values())


def evaluate(text: str) -> Decimal | None:
    """Work out a formula of numbers, + - * / and brackets, without running anything; None where it is none."""
    plain = text.replace(",", "").replace("×", "*").replace("÷", "/").replace("−", "-")
    # Written as strings, so that no digit is lost to a float.
    quoted = re.sub(r"\d+(?:\.\d+)?", lambda match: f"'{match[0]}'", plain)
    try:
        tree = ast.parse(quoted, mode="eval")
        return _value(tree.body, [_MAX_TERMS])
    except (SyntaxError, ValueError, DivisionByZero, InvalidOperation, RecursionError):
        return None


def _value(node: ast.expr, left: list[int]) -> Decimal:
    left[0] -= 1
    if left[0] < 0:
        raise ValueError("too many terms")
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return Decimal(node.value)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -_value(node.operand, left)
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
        return _OPERATORS[type(node.op)](_value(node.left, left), _value(node.right, left))
    raise ValueError("not a formula")
