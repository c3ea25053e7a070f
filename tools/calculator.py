"""Arithmetic from text: a safe evaluator with exact numbers and bounded size."""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable
from decimal import Context, Decimal, InvalidOperation, localcontext
from fractions import Fraction
from typing import Any

import regex
import simpleeval

from ..errors import ToolError

MAX_CHARS = 500
MAX_BITS = 10_000
MAX_COUNT = 3_000  # largest argument of factorial, comb and perm
SIGNIFICANT_DIGITS = 15
MAX_EXACT_DECIMALS = 30

# An int, an exact fraction, or what a function of `math` gave.
Value = int | Fraction | float

_SIGNS = str.maketrans({"×": "*", "·": "*", "⋅": "*", "÷": "/", "−": "-", "–": "-", "∗": "*", "\u00a0": " "})
_GROUPED = regex.compile(r"(?<![\w.,])\d{1,3}(?:,\d{3})+(?![\d,])(?:\.\d+)?")
_MAYBE_GROUPED = regex.compile(r"(?<![\w.])\d{1,3}(?:,\d{3})+(?!\d)(?:\.\d+)?")
_EUROPEAN = regex.compile(r"(?<![\w.,])\d{1,3}(?:\.\d{3})+,\d+(?![\w,])")
_MODULE = regex.compile(r"\bmath\s*\.\s*(?=[a-z])")
# These take or give sequences, which an expression here cannot hold.
_WITHOUT_SEQUENCES = frozenset(["dist", "fsum", "prod", "sumprod", "frexp", "modf"])
_WHOLE = frozenset(["comb", "factorial", "gcd", "isqrt", "lcm", "perm"])
_ALLOWED_NODES = (ast.Expr, ast.Name, ast.UnaryOp, ast.BinOp, ast.Call, ast.keyword, ast.Constant)


def calculate(expression: str) -> str:
    """Evaluate an arithmetic expression and return the result as people write it.

    Integers and decimals are exact (`0.1 + 0.2` is `0.3`), what is not finite as a decimal has 15 significant digits,
    `round` takes halves away from zero, `%` is the remainder.  Thousands separators are read where they can mean
    nothing else and refused where a comma may separate arguments.

    Args:
        expression: Numbers, + - * / // % **, brackets, pi, e, tau, the functions of `math`, abs and round.
    Raises: ToolError with a short reason.
    """
    try:
        return _written(_Evaluator().eval(_prepared(expression)))
    except ToolError:
        raise
    except ZeroDivisionError as error:
        raise _refusal("division by zero") from error
    except OverflowError as error:
        raise _refusal("the result is too large") from error
    except SyntaxError as error:
        raise _refusal("not an arithmetic expression") from error
    except simpleeval.NameNotDefined as error:
        raise _refusal(f"unknown name {getattr(error, 'name', '')!r}") from error
    except simpleeval.FunctionNotDefined as error:
        raise _refusal(f"unknown function {getattr(error, 'func_name', '')!r}") from error
    except simpleeval.InvalidExpression as error:
        raise _refusal("only arithmetic is allowed: numbers, operators, functions of math, abs and round") from error
    except (ValueError, TypeError, ArithmeticError, RecursionError, MemoryError) as error:
        reason = str(error).splitlines()[0][:120] if str(error) else type(error).__name__
        raise _refusal(reason) from error


def _refusal(reason: str) -> ToolError:
    return ToolError("calculator", reason)


def _prepared(expression: str) -> str:
    text = expression.translate(_SIGNS).strip().removesuffix("=").strip()
    if not text:
        raise _refusal("the expression is empty")
    if len(text) > MAX_CHARS:
        raise _refusal(f"the expression has more than {MAX_CHARS} characters")
    if "^" in text:
        raise _refusal("write ** for powers; ^ is not one")
    if "(" not in text:
        text = _GROUPED.sub(lambda match: match.group().replace(",", ""), text)
        if "," in text:
            raise _refusal("a comma here is no thousands separator: write 1234.56")
    elif match := _MAYBE_GROUPED.search(text) or _EUROPEAN.search(text):
        raise _refusal(
            f"{match.group()} may be one number or two: write it without separators, or with a space after the comma"
        )
    elif _outside_calls_has_comma(text):
        raise _refusal("a comma here is no thousands separator: write 1234.56")
    return str(_MODULE.sub("", text))


def _outside_calls_has_comma(text: str) -> bool:
    """Whether a comma stands outside the brackets of a function call, where it cannot separate arguments."""
    calls: list[bool] = []
    for at, char in enumerate(text):
        if char == "(":
            calls.append(bool(regex.search(r"[A-Za-z0-9_]\s*$", text[:at])))
        elif char == ")" and calls:
            calls.pop()
        elif char == "," and not (calls and calls[-1]):
            return True
    return False


class _Evaluator(simpleeval.SimpleEval):  # type: ignore[misc]
    """simpleeval with exact numbers, and without strings, attributes, subscripts, comparisons and conditions."""

    def __init__(self) -> None:
        super().__init__(operators=_OPERATORS, functions=_FUNCTIONS, names=_NAMES)
        kept: dict[type, Callable[..., Any]] = {
            kind: handler for kind, handler in vars(self)["nodes"].items() if kind in _ALLOWED_NODES
        }
        self.nodes = kept | {ast.Constant: self._constant}

    def _constant(self, node: ast.Constant) -> Value:
        if type(node.value) not in (int, float):
            raise simpleeval.FeatureNotAvailable("only numbers")
        if isinstance(node.value, int):
            return _bounded(node.value)
        written = ast.get_source_segment(self.expr, node) or repr(node.value)
        try:
            number = Decimal(written.replace("_", ""))
        except InvalidOperation as error:
            raise _refusal(f"{written!r} is no number") from error
        if abs(number.adjusted()) > MAX_BITS // 4:
            raise _refusal("the number is out of range")
        return _bounded(Fraction(number))

    def eval(self, expr: str, previously_parsed: ast.AST | None = None) -> Any:
        parsed = ast.parse(expr, mode="eval").body
        return super().eval(expr, previously_parsed or ast.Expr(parsed))


def _bounded(value: Any) -> Value:
    """Return a result in its simplest exact form.  Raises: ToolError where it is too large, complex or no number."""
    if isinstance(value, complex):
        raise _refusal("the result is not a real number")
    if isinstance(value, bool) or not isinstance(value, int | float | Fraction):
        raise _refusal("the result is not a number")
    if isinstance(value, float):
        if not math.isfinite(value):
            raise _refusal("the result is not a finite number")
        return value
    if max(abs(value.numerator).bit_length(), value.denominator.bit_length()) > MAX_BITS:
        raise _refusal("the number is too large")
    return value.numerator if value.denominator == 1 else value


def _exact(function: Callable[..., Any]) -> Callable[..., Value]:
    """Let an integer quotient be an exact fraction."""

    def apply(left: Value, right: Value) -> Value:
        if isinstance(left, float) or isinstance(right, float):
            return _bounded(function(float(left), float(right)))
        return _bounded(function(Fraction(left), Fraction(right)))

    return apply


def _power(base: Value, exponent: Value) -> Value:
    if isinstance(exponent, int) and not isinstance(base, float):
        size = max(abs(base.numerator).bit_length(), base.denominator.bit_length())
        if size > 1 and size * abs(exponent) > MAX_BITS:
            raise _refusal("the power is too large")
        return _bounded(Fraction(base) ** exponent)
    if isinstance(base, int | Fraction) and exponent == Fraction(1, 2) and base >= 0:
        return _square_root(base)
    return _bounded(float(base) ** float(exponent))


def _square_root(value: Value) -> Value:
    if isinstance(value, int | Fraction) and value >= 0:
        above, below = math.isqrt(value.numerator), math.isqrt(value.denominator)
        if above * above == value.numerator and below * below == value.denominator:
            return _bounded(Fraction(above, below))
    return _bounded(math.sqrt(value))


def _round(number: Value, ndigits: Value = 0) -> Value:
    """Round halves away from zero, as on paper; `ndigits` may be negative."""
    places = _whole("round", ndigits)
    if abs(places) > 1_000:
        raise _refusal("round: too many digits")
    if isinstance(number, float):
        number = Fraction(repr(number))
    scaled = Fraction(number) * Fraction(10) ** places
    whole = math.floor(abs(scaled) + Fraction(1, 2))
    return _bounded(Fraction(whole if scaled >= 0 else -whole) / Fraction(10) ** places)


def _whole(name: str, value: Value) -> int:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if not isinstance(value, int):
        raise _refusal(f"{name} takes whole numbers")
    return value


def _of_whole(name: str) -> Callable[..., Value]:
    function = getattr(math, name)

    def apply(*arguments: Value) -> Value:
        whole = [_whole(name, value) for value in arguments]
        if name in {"comb", "factorial", "perm"} and any(abs(value) > MAX_COUNT for value in whole):
            raise _refusal(f"{name} takes numbers up to {MAX_COUNT}")
        return _bounded(function(*whole))

    return apply


def _of_math(name: str) -> Callable[..., Value]:
    function = getattr(math, name)

    def apply(*arguments: Value, **named: Value) -> Value:
        result = function(*arguments, **named)
        if name in {"sin", "cos", "tan"} and abs(result) < 1e-15:
            return 0  # sin(pi) is 1.2e-16 only because pi has no exact float
        return int(result) if isinstance(result, bool) else _bounded(result)

    return apply


def _ldexp(value: Value, exponent: Value) -> Value:
    return _bounded(math.ldexp(float(value), _whole("ldexp", exponent)))


_OPERATORS: dict[type, Callable[..., Any]] = {
    ast.Add: lambda left, right: _bounded(left + right),
    ast.Sub: lambda left, right: _bounded(left - right),
    ast.Mult: lambda left, right: _bounded(left * right),
    ast.Div: _exact(operator.truediv),
    ast.FloorDiv: _exact(operator.floordiv),
    ast.Mod: _exact(operator.mod),
    ast.Pow: _power,
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
}
_FUNCTIONS: dict[str, Callable[..., Any]] = {
    name: _of_whole(name) if name in _WHOLE else _of_math(name)
    for name in dir(math)
    if not name.startswith("_") and callable(getattr(math, name)) and name not in _WITHOUT_SEQUENCES
} | {
    "abs": lambda value: _bounded(abs(value)),
    "round": _round,
    "pow": _power,
    "sqrt": _square_root,
    "ldexp": _ldexp,
    "min": lambda *values: min(values),
    "max": lambda *values: max(values),
}
_NAMES: dict[str, float] = {"pi": math.pi, "e": math.e, "tau": math.tau}


def _written(value: Value) -> str:
    value = _bounded(value)
    if isinstance(value, int):
        return str(value)
    if isinstance(value, Fraction):
        decimals = _decimals(value.denominator)
        if decimals is None or decimals > MAX_EXACT_DECIMALS:
            return _short(value)
        digits = str(abs(value.numerator) * 10**decimals // value.denominator).rjust(decimals + 1, "0")
        sign = "-" if value < 0 else ""
        return f"{sign}{digits[:-decimals]}.{digits[-decimals:]}"
    return _short(value)


def _decimals(denominator: int) -> int | None:
    """Return how many decimals a fraction with this denominator needs, or None where they never end."""
    twos = fives = 0
    while denominator % 2 == 0:
        denominator, twos = denominator // 2, twos + 1
    while denominator % 5 == 0:
        denominator, fives = denominator // 5, fives + 1
    return max(twos, fives) if denominator == 1 else None


def _short(value: Fraction | float) -> str:
    """Return 15 significant digits, without an exponent where that is readable."""
    if isinstance(value, float):
        value = Fraction(repr(value))
    with localcontext(Context(prec=SIGNIFICANT_DIGITS, Emin=-MAX_BITS, Emax=MAX_BITS)):
        number = (Decimal(value.numerator) / Decimal(value.denominator)).normalize()
    return format(number, "f" if -7 <= number.adjusted() < 21 else "")
