"""Read and calculate an arithmetic expression, as people and models write it."""

import re
from collections.abc import Callable
from typing import Literal

from msgspec import Struct

from toolpost.types.errors import ToolError

from . import numbers
from .numbers import CONSTANTS, FUNCTIONS, Number

MAX_CHARACTERS = 2_000
MAX_DEPTH = 60
_ALIKE = str.maketrans({"×": "*", "·": "*", "∙": "*", "÷": "/", "∕": "/", "−": "-", "–": "-", "π": "pi", "、": ","})
_FULL_WIDTH = str.maketrans({chr(code): chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)} | {"\u3000": " "})
_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_TOKEN = re.compile(
    r"\s*(?:(?P<number>(?:\d[\d_]*(?:\.[\d_]*)?|\.\d[\d_]*)(?:[eE](?P<exponent>[+-]?\d+))?)"
    r"|(?P<name>[A-Za-z][A-Za-z0-9]*)|(?P<sign>\*\*|[-+*/^%!(),√]))"
)
_GROUPS = re.compile(r"(?<![\d.,])\d{1,3}(?:,\d{3})+(?![\d,])")

Kind = Literal["number", "name", "sign", "end"]


class Token(Struct, frozen=True):
    kind: Kind
    text: str
    place: int
    number: Number | None = None


def calculate(expression: str) -> Number:
    """The value of an expression; raises `ToolError`, kind `invalid`, for one that has none."""
    if not expression.strip() or len(expression) > MAX_CHARACTERS:
        raise ToolError(f"Give an expression of 1 to {MAX_CHARACTERS:,} characters.", kind="invalid")
    return _Parser(_tokens(_plain(expression))).whole()


def _plain(expression: str) -> str:
    """The expression in the characters that the parser knows."""
    text = expression.translate(_FULL_WIDTH).translate(_ALIKE)
    text = re.sub("[⁰¹²³⁴-⁹]+", lambda found: f"^({found[0].translate(_RAISED)})", text)
    return _without_groups(text.strip().removesuffix("=").replace("$", ""))


def _without_groups(text: str) -> str:
    """3,480 is one number, but max(3,480) has two: where a function is called, a comma stands between arguments."""
    if re.search(r"[A-Za-z]\s*\(", text):
        return text
    return _GROUPS.sub(lambda found: found[0].replace(",", ""), text)


def _tokens(text: str) -> list[Token]:
    found: list[Token] = []
    place = 0
    text = text.rstrip()
    while place < len(text):
        match = _TOKEN.match(text, place)
        if match is None:
            raise _at(place, f"{text[place:].strip()[:1]!r} can't be read. {_HINT}")
        kind: Kind = "number" if match["number"] else "name" if match["name"] else "sign"
        word = match[kind]
        found.append(Token(kind, word.lower(), match.start(kind), _number(match) if kind == "number" else None))
        place = match.end()
    return [*found, Token("end", "", len(text))]


def _number(match: re.Match[str]) -> Number:
    digits = re.split("[eE]", match["number"].replace("_", ""))[0]
    return numbers.literal(digits, int((match["exponent"] or "0")[:6]))


class _Parser:
    """Goes through the tokens once and calculates on the way. Each method reads one level of precedence."""

    def __init__(self, tokens: list[Token]) -> None:
        self._tokens = tokens
        self._next = 0
        self._depth = 0

    def whole(self) -> Number:
        result = self._sum()
        token = self._tokens[self._next]
        if token.kind != "end":
            raise _at(token.place, f"{token.text!r} is not expected there. {_HINT}")
        return result

    def _sum(self) -> Number:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise ToolError(f"The expression is nested deeper than {MAX_DEPTH} levels.", kind="invalid")
        result = self._product()
        while sign := self._take("+", "-"):
            other = self._product()
            result = numbers.add(result, other if sign == "+" else numbers.negative(other))
        self._depth -= 1
        return result

    def _product(self) -> Number:
        operations: dict[str, Callable[[Number, Number], Number]] = {
            "*": numbers.multiply,
            "of": numbers.multiply,
            "/": numbers.divide,
            "%": numbers.modulo,
            "mod": numbers.modulo,
        }
        result = self._signed()
        while sign := self._take(*operations):
            result = operations[sign](result, self._signed())
        return result

    def _signed(self) -> Number:
        is_negative = False
        while sign := self._take("+", "-"):
            is_negative ^= sign == "-"
        result = self._power()
        return numbers.negative(result) if is_negative else result

    def _power(self) -> Number:
        """The exponent may have a sign, and powers of powers are read from the right: 2^3^2 is 2^9."""
        base = self._finished(self._value())
        if not self._take("^", "**"):
            return base
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise ToolError(f"The expression is nested deeper than {MAX_DEPTH} levels.", kind="invalid")
        exponent = self._signed()
        self._depth -= 1
        return self._finished(numbers.power(base, exponent))

    def _finished(self, result: Number) -> Number:
        """A percent sign before another value means modulo; it and `!` may stand after a value."""
        while True:
            token = self._tokens[self._next]
            if token.text == "%" and not self._begins_value(self._tokens[self._next + 1]):
                result = numbers.percent(result)
            elif token.text == "!":
                if self._tokens[self._next + 1].text == "!":
                    raise _at(token.place, "!! is not known; write the product, or brackets as in (3!)!")
                result = numbers.factorial(result)
            else:
                return result
            self._next += 1

    def _begins_value(self, token: Token) -> bool:
        return token.kind == "number" or token.text in (
            "(",
            "√",
            *CONSTANTS,
            *(name for name in FUNCTIONS if name != "mod"),
        )

    def _value(self) -> Number:
        token = self._tokens[self._next]
        self._next += 1
        if token.number is not None:
            return token.number
        if token.text == "(":
            result = self._sum()
            self._close(token)
            return result
        if token.text == "√":
            return numbers.square_root(self._value_below())
        if token.text in CONSTANTS:
            return CONSTANTS[token.text]
        if token.text in FUNCTIONS:
            return self._call(token)
        if token.kind == "end":
            raise _at(token.place, "the expression ends where a number is expected")
        if token.kind == "name":
            raise _at(token.place, f"{token.text!r} is not known. Functions: {', '.join(FUNCTIONS)}; pi, e and tau")
        raise _at(token.place, f"a number is expected, not {token.text!r}. {_HINT}")

    def _value_below(self) -> Number:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise ToolError(f"The expression is nested deeper than {MAX_DEPTH} levels.", kind="invalid")
        result = self._value()
        self._depth -= 1
        return result

    def _call(self, name: Token) -> Number:
        opening = self._tokens[self._next]
        if not self._take("("):
            raise _at(name.place, f"write the arguments of {name.text} in brackets, as in {name.text}(2)")
        arguments: list[Number] = []
        while self._tokens[self._next].text != ")":
            arguments.append(self._sum())
            if not self._take(","):
                break
        self._close(opening)
        return numbers.apply(name.text, arguments)

    def _close(self, opening: Token) -> None:
        if not self._take(")"):
            raise _at(opening.place, "this bracket is not closed, or something inside it can't be read")

    def _take(self, *texts: str) -> str:
        """Go past the next token if it is one of these; "" if it is not."""
        token = self._tokens[self._next]
        if token.kind in ("number", "end") or token.text not in texts:
            return ""
        self._next += 1
        return token.text


_HINT = "Write it as in (1.5 + 2) * 3^2, 17% of 3480, or sqrt(2)"


def _at(place: int, text: str) -> ToolError:
    return ToolError(f"At character {place + 1}: {text}.", kind="invalid")
