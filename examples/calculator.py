"""A calculator tool that reads an expression as a syntax tree and never evaluates code."""

import ast
import asyncio
import math
import operator
from collections.abc import Callable
from typing import Annotated, Any

from toolpost import ToolError, tool

Number = int | float
MAX_LENGTH = 500
MAX_DEPTH = 50
MAX_BITS = 10_000  # of an integer result, about 3,000 digits

OPERATORS: dict[type[ast.AST], Callable[[Number, Number], Number]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}
FUNCTIONS: dict[str, Callable[..., Any]] = {"sqrt": math.sqrt, "abs": abs, "round": round, "min": min, "max": max}
CONSTANTS = {"pi": math.pi, "e": math.e}


@tool(read_only=True)
def calculate(expression: Annotated[str, "Arithmetic in Python's notation, e.g. 42 * 17 or sqrt(2) ** 3"]) -> str:
    """Work out an arithmetic expression exactly. Use it for every calculation instead of doing it in your head.

    It knows + - * / // % ** and parentheses, the functions sqrt, abs, round, min and max, and the constants pi and e.
    """
    if len(expression) > MAX_LENGTH:
        raise ToolError(f"the expression is longer than {MAX_LENGTH} characters: split it")
    try:
        tree = ast.parse(expression.strip().replace("×", "*").replace("÷", "/").replace("^", "**"), mode="eval")
        result = evaluate(tree.body)
    except ZeroDivisionError:
        raise ToolError("division by zero") from None
    except (SyntaxError, ValueError, TypeError, OverflowError, MemoryError, RecursionError) as error:
        raise ToolError(f"can't work out {expression!r}: {error}") from None
    return str(result)


def evaluate(node: ast.AST, depth: int = 0) -> Number:
    if depth > MAX_DEPTH:
        raise ToolError(f"the expression is nested deeper than {MAX_DEPTH}: split it")
    match node:
        case ast.Constant(value=int() | float() as value) if not isinstance(value, bool):
            return value
        case ast.Name(id=name) if name in CONSTANTS:
            return CONSTANTS[name]
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -evaluate(operand, depth + 1)
        case ast.UnaryOp(op=ast.UAdd(), operand=operand):
            return evaluate(operand, depth + 1)
        case ast.BinOp(left=left, op=ast.Pow(), right=right):
            return power(evaluate(left, depth + 1), evaluate(right, depth + 1))
        case ast.BinOp(left=left, op=op, right=right) if type(op) in OPERATORS:
            return bounded(OPERATORS[type(op)](evaluate(left, depth + 1), evaluate(right, depth + 1)))
        case ast.Call(func=ast.Name(id=name), args=args, keywords=[]) if name in FUNCTIONS:
            return bounded(FUNCTIONS[name](*(evaluate(arg, depth + 1) for arg in args)))
        case _:
            raise ToolError(
                f"{ast.unparse(node)!r} is not arithmetic: use numbers, + - * / // % ** ( ), "
                f"{', '.join(FUNCTIONS)}, {' and '.join(CONSTANTS)}"
            )


def power(base: Number, exponent: Number) -> Number:
    # Check the size before computing: 9 ** 9 ** 9 would use all memory.
    if isinstance(base, int) and isinstance(exponent, int) and abs(exponent) * base.bit_length() > MAX_BITS:
        raise ToolError(f"{base} ** {exponent} is too large: the result may have about {MAX_BITS * 3 // 10} digits")
    result = base**exponent
    if isinstance(result, complex):
        raise ToolError("the result is not a real number")
    return bounded(result)


def bounded(value: Number) -> Number:
    if isinstance(value, int) and value.bit_length() > MAX_BITS:
        raise ToolError("the result is too large")
    return value


if __name__ == "__main__":
    from together import main

    asyncio.run(main())
