"""`calculator`: calculate an expression exactly."""

from dataclasses import replace
from typing import Annotated

from toolpost.tools.define import Tool, ToolResult, tool
from toolpost.tools.workbench import Workbench


def make(bench: Workbench) -> Tool:
    # Off unless it is named: a model that does no sums reads about it in vain.
    return replace(calculator, optional=True)


@tool(permission="calculator", read_only=True, touches_machine=False)
def calculator(
    expression: Annotated[str, "Such as (1.5 + 2) * 3^2, 17% of 3480, 200 + 10%, sqrt(2), round(2/3, 4), 10!"],
) -> ToolResult:
    """Calculate exactly, with decimals, powers, percentages and functions. Use it for every calculation that matters.

    Functions: abs, sqrt, cbrt, root, pow, mod, round, floor, ceil, min, max, sum, mean, median, exp, ln, log10, log2,
    log(x, base), factorial, gcd, lcm, sin, cos, tan, asin, acos, atan, degrees, radians; constants pi, e, tau. A
    result that is rounded begins with ≈.
    """
    # Imported when something is calculated: most runs calculate nothing.
    from toolpost.tools.calculator.expression import calculate

    result = str(calculate(expression))
    sign = "" if result.startswith("≈") else "= "
    return ToolResult([f"{' '.join(expression.split()).rstrip('= ')} {sign}{result}"], {"result": result})
