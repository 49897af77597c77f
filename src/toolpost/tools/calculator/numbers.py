"""Numbers of the calculator: exact fractions, and what is rounded, all of a limited size."""

import math
from collections.abc import Callable, Mapping, Sequence
from decimal import ROUND_HALF_EVEN, Context, Decimal, DecimalException, DivisionByZero, InvalidOperation, Overflow
from fractions import Fraction
from functools import reduce

from msgspec import Struct

from toolpost.types.errors import ToolError

# The longest number: Python itself writes no longer one as text.
MAX_DIGITS = 4_000
_MAX_BITS = int(MAX_DIGITS * math.log2(10))
MAX_FACTORIAL = 1_400
MAX_PLACES = 1_000
SHOWN_DIGITS = 30
# An exact decimal is written in full up to so many digits.
WHOLE_DIGITS = 1_000
_CONTEXT = Context(
    prec=50,
    rounding=ROUND_HALF_EVEN,
    Emax=MAX_DIGITS,
    Emin=-MAX_DIGITS,
    traps=[Overflow, InvalidOperation, DivisionByZero],
)
_PI = Fraction("3.14159265358979323846264338327950288419716939937511")
_E = Fraction("2.71828182845904523536028747135266249775724709369996")


class Number(Struct, frozen=True):
    """`is_exact` is false for what was rounded on the way. `is_percent`: it was written with a percent sign."""

    value: Fraction
    is_exact: bool = True
    is_percent: bool = False

    def __str__(self) -> str:
        return _written(self.value) if self.is_exact else f"≈ {_rounded(self.value)}"


CONSTANTS: Mapping[str, Number] = {"pi": Number(_PI, False), "e": Number(_E, False), "tau": Number(2 * _PI, False)}


def add(one: Number, other: Number) -> Number:
    """A percentage is taken of what it is added to: 200 + 10% is 220."""
    part = one.value * other.value if other.is_percent and not one.is_percent else other.value
    return _number(one.value + part, one, other, is_percent=one.is_percent and other.is_percent)


def negative(one: Number) -> Number:
    return Number(-one.value, one.is_exact, one.is_percent)


def multiply(one: Number, other: Number) -> Number:
    return _number(one.value * other.value, one, other)


def divide(one: Number, other: Number) -> Number:
    return _number(one.value / _not_zero(other), one, other)


def modulo(one: Number, other: Number) -> Number:
    return _number(one.value % _not_zero(other), one, other)


def power(one: Number, other: Number) -> Number:
    """Exact for whole exponents, as long as the exact result is not too long; no longer one is even begun."""
    if other.value.denominator != 1:
        return _rounded_power(one, other)
    exponent, base = int(other.value), one.value
    if base == 0 and exponent < 0:
        raise _invalid("0 has no negative power")
    size = max(abs(base.numerator), base.denominator)
    # Whole numbers, as an exponent can be larger than what a float holds. The result has as many bits at least.
    if abs(exponent) * (size.bit_length() - 1) > _MAX_BITS:
        return _by_decimal(_CONTEXT.power, one, other)
    return _number(base**exponent, one, other)


def percent(one: Number) -> Number:
    return Number(one.value / 100, one.is_exact, is_percent=True)


def factorial(one: Number) -> Number:
    number = _whole(one, "factorial")
    if not 0 <= number <= MAX_FACTORIAL:
        raise _invalid(f"factorial takes a whole number from 0 to {MAX_FACTORIAL:,}")
    return _number(Fraction(math.factorial(number)), one)


def square_root(one: Number) -> Number:
    if one.value < 0:
        raise _invalid("a negative number has no real square root")
    top, bottom = math.isqrt(one.value.numerator), math.isqrt(one.value.denominator)
    if top * top == one.value.numerator and bottom * bottom == one.value.denominator:
        return Number(Fraction(top, bottom), one.is_exact)
    return _by_decimal(_CONTEXT.sqrt, one)


def _rounded_power(one: Number, other: Number) -> Number:
    if other.value == Fraction(1, 2):
        return square_root(one)
    if one.value < 0:
        raise _invalid("a negative number has only whole powers here")
    return _by_decimal(_CONTEXT.power, one, other)


def _root(one: Number, other: Number) -> Number:
    degree = _whole(other, "root")
    if degree < 1:
        raise _invalid("root takes a number and a degree of 1 or more")
    if one.value < 0 and degree % 2:
        return negative(_root(negative(one), other))
    near = _rounded_power(one, Number(Fraction(1, degree))) if degree > 1 else one
    whole = Fraction(round(near.value))
    return Number(whole, one.is_exact) if degree < 100 and whole**degree == one.value else near


def _round(given: Sequence[Number]) -> Number:
    """Half is rounded away from zero, as people do."""
    one, digits = given[0], _whole(given[1], "round") if len(given) > 1 else 0
    if abs(digits) > MAX_PLACES:
        raise _invalid(f"round takes {MAX_PLACES:,} places at most")
    scale = Fraction(10) ** digits
    scaled = abs(one.value) * scale
    whole = math.floor(scaled + Fraction(1, 2)) / scale
    # What was rounded on the way is now as exact as was asked for.
    return Number(whole if one.value >= 0 else -whole)


def _log(one: Number, base: Number) -> Number:
    return divide(_by_decimal(_CONTEXT.ln, one), _by_decimal(_CONTEXT.ln, base))


def _sum(numbers: Sequence[Number]) -> Number:
    return reduce(lambda one, other: _number(one.value + other.value, one, other), numbers)


def _mean(numbers: Sequence[Number]) -> Number:
    return divide(_sum(numbers), Number(Fraction(len(numbers))))


def _median(numbers: Sequence[Number]) -> Number:
    ranked = sorted(numbers, key=lambda one: one.value)
    return _mean(ranked[(len(ranked) - 1) // 2 : len(ranked) // 2 + 1])


def _by_decimal(function: Callable[..., Decimal], *numbers: Number) -> Number:
    try:
        result = function(*(_decimal(one.value) for one in numbers))
        return Number(Fraction(result), is_exact=False)
    except Overflow:
        raise _too_long() from None
    except (DecimalException, ValueError, OverflowError):
        raise _invalid("the function has no value there") from None


def _by_float(function: Callable[[float], float]) -> Callable[[Number], Number]:
    """Rounded to what a machine's own numbers hold."""

    def called(one: Number) -> Number:
        try:
            return Number(Fraction(f"{function(float(one.value)):.15g}"), is_exact=False)
        except (ValueError, OverflowError):
            raise _invalid("the function has no value there") from None

    return called


def _whole_numbers(function: Callable[[int, int], int], name: str) -> Callable[[Sequence[Number]], Number]:
    """A function of two numbers, for any number of them, each result as short as every number is."""

    def join(one: Number, other: Number) -> Number:
        return _number(Fraction(function(_whole(one, name), _whole(other, name))), one, other)

    return lambda numbers: reduce(join, numbers, numbers[0])


class Function(Struct, frozen=True):
    call: Callable[[Sequence[Number]], Number]
    least: int = 1
    most: int = 1


def _of_one(call: Callable[[Number], Number]) -> Function:
    return Function(lambda given: call(given[0]))


def _of_two(call: Callable[[Number, Number], Number]) -> Function:
    return Function(lambda given: call(given[0], given[1]), 2, 2)


def _of_many(call: Callable[[Sequence[Number]], Number]) -> Function:
    return Function(call, 1, 1_000)


FUNCTIONS: Mapping[str, Function] = {
    "abs": _of_one(lambda one: Number(abs(one.value), one.is_exact)),
    "sqrt": _of_one(square_root),
    "cbrt": _of_one(lambda one: _root(one, Number(Fraction(3)))),
    "root": _of_two(_root),
    "pow": _of_two(power),
    "mod": _of_two(modulo),
    "round": Function(_round, 1, 2),
    "floor": _of_one(lambda one: Number(Fraction(math.floor(one.value)))),
    "ceil": _of_one(lambda one: Number(Fraction(math.ceil(one.value)))),
    "min": _of_many(lambda given: min(given, key=lambda one: one.value)),
    "max": _of_many(lambda given: max(given, key=lambda one: one.value)),
    "sum": _of_many(_sum),
    "mean": _of_many(_mean),
    "avg": _of_many(_mean),
    "median": _of_many(_median),
    "exp": _of_one(lambda one: _by_decimal(_CONTEXT.exp, one)),
    "ln": _of_one(lambda one: _by_decimal(_CONTEXT.ln, one)),
    "log10": _of_one(lambda one: _by_decimal(_CONTEXT.log10, one)),
    "log2": _of_one(lambda one: _log(one, Number(Fraction(2)))),
    "log": _of_two(_log),
    "factorial": _of_one(factorial),
    "gcd": _of_many(_whole_numbers(math.gcd, "gcd")),
    "lcm": _of_many(_whole_numbers(math.lcm, "lcm")),
    "degrees": _of_one(lambda one: Number(one.value * 180 / _PI, is_exact=False)),
    "radians": _of_one(lambda one: Number(one.value * _PI / 180, is_exact=False)),
    "sin": _of_one(_by_float(math.sin)),
    "cos": _of_one(_by_float(math.cos)),
    "tan": _of_one(_by_float(math.tan)),
    "asin": _of_one(_by_float(math.asin)),
    "acos": _of_one(_by_float(math.acos)),
    "atan": _of_one(_by_float(math.atan)),
}


def literal(digits: str, exponent: int = 0) -> Number:
    """The number that is written as `digits`, times ten to the `exponent`."""
    if abs(exponent) > MAX_DIGITS or len(digits) > MAX_DIGITS:
        raise _too_long()
    return _number(Fraction(digits) * Fraction(10) ** exponent)


def _number(value: Fraction, *used: Number, is_percent: bool = False) -> Number:
    """Exact if all that it comes from is, and it is short enough; rounded otherwise."""
    size = max(value.numerator.bit_length(), value.denominator.bit_length())
    if size <= _MAX_BITS and all(one.is_exact for one in used):
        return Number(value, is_percent=is_percent)
    try:
        return Number(Fraction(_decimal(value)), False, is_percent)
    except Overflow:
        raise _too_long() from None


def _not_zero(one: Number) -> Fraction:
    if one.value == 0:
        raise _invalid("nothing can be divided by zero")
    return one.value


def _whole(one: Number, name: str) -> int:
    if one.value.denominator != 1:
        raise _invalid(f"{name} takes whole numbers")
    return int(one.value)


def _decimal(value: Fraction) -> Decimal:
    return _CONTEXT.divide(Decimal(value.numerator), Decimal(value.denominator))


def _written(value: Fraction) -> str:
    """As an exact decimal where there is one that is not too long; rounded otherwise."""
    rest, twos, fives = value.denominator, 0, 0
    while rest % 2 == 0:
        rest, twos = rest // 2, twos + 1
    while rest % 5 == 0:
        rest, fives = rest // 5, fives + 1
    places = max(twos, fives)
    if rest == 1 and places <= WHOLE_DIGITS:
        digits = str(abs(value.numerator) * 10**places // value.denominator).rjust(places + 1, "0")
        if len(digits) <= WHOLE_DIGITS:
            sign, cut = "-" if value < 0 else "", len(digits) - places
            return f"{sign}{digits[:cut]}.{digits[cut:]}" if places else f"{sign}{digits}"
    return f"≈ {_rounded(value)}"


def _rounded(value: Fraction) -> str:
    context = Context(prec=SHOWN_DIGITS, Emax=2 * MAX_DIGITS, Emin=-2 * MAX_DIGITS)
    shown = context.divide(Decimal(value.numerator), Decimal(value.denominator)).normalize(context)
    return f"{shown:f}" if -10 <= shown.adjusted() < SHOWN_DIGITS else f"{shown:e}"


def _too_long() -> ToolError:
    return ToolError(f"The result would be too large: numbers have {MAX_DIGITS:,} digits at most.", kind="invalid")


def _invalid(text: str) -> ToolError:
    return ToolError(f"{text[0].upper()}{text[1:]}.", kind="invalid")


def apply(name: str, arguments: Sequence[Number]) -> Number:
    """Call a function of `FUNCTIONS` with the right number of arguments."""
    function = FUNCTIONS[name]
    if not function.least <= len(arguments) <= function.most:
        if name == "log":
            raise _invalid("log takes a number and a base: log(8, 2); or use ln, log2 or log10")
        wanted = str(function.least) if function.least == function.most else f"{function.least} to {function.most:,}"
        raise _invalid(f"{name} takes {wanted} arguments, not {len(arguments)}")
    return function.call(arguments)
