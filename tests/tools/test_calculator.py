"""The tool `calculator`: exact, bounded, and only where it is named."""

import time
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from toolpost import Agent
from toolpost.testing import ScriptedModel, call, text
from toolpost.tools.builtin.calculator import calculator
from toolpost.types.errors import ToolError
from toolpost.workspace import Workspace


def answer(expression: str) -> str:
    result = calculator(expression)
    assert result.details is not None
    return str(result.details["result"])


@pytest.mark.parametrize(
    ("expression", "result"),
    [
        ("0.1 + 0.2", "0.3"),
        ("1/3 * 3", "1"),
        ("2 + 3 * 4", "14"),
        ("(2 + 3) * 4", "20"),
        ("-2^2", "-4"),
        ("2^-2", "0.25"),
        ("2**3**2", "512"),
        ("10 % 3", "1"),
        ("10 mod 3", "1"),
        ("17% of 3,480", "591.6"),
        ("200 + 10%", "220"),
        ("200 - 10%", "180"),
        ("50% * 3", "1.5"),
        ("10% + 5%", "0.15"),
        ("1,234,567.89 + 1", "1234568.89"),
        ("max(3,480)", "480"),
        ("sqrt(16) + cbrt(27) + root(32, 5)", "9"),
        ("√(1/4)", "0.5"),
        ("sqrt(2)", "≈ 1.41421356237309504880168872421"),
        ("1/7", "≈ 0.142857142857142857142857142857"),
        ("round(2.5) + round(-2.5)", "0"),
        ("round(2/3, 4)", "0.6667"),
        ("floor(-1.5) + ceil(1.2)", "0"),
        ("mean(1, 2, 3, 4) + median(5, 1, 2)", "4.5"),
        ("sum(1, 2, 3) - min(4, 5) + gcd(12, 18) + lcm(4, 6)", "20"),
        ("5! + factorial(3)", "126"),
        ("100! / 98!", "9900"),
        ("log(8, 2)", "≈ 3"),
        ("log10(1000) + ln(e)", "≈ 4"),
        ("sin(pi / 2)", "≈ 1"),
        ("round(e^100 / 1e43, 6)", "2.688117"),
        ("round(10000 * 1.000137^3650, 2)", "16487.47"),
        ("（１＋２）×３÷２", "4.5"),
        ("5² + 2¹⁰", "1049"),
        ("1e3 + 1_000 =", "2000"),
        ("$1,200 * 2", "2400"),
        ("123456789012345678901234567890 * 987654321", "121932631124828532112482853211126352690"),
    ],
)
def test_the_result_is_exact_or_says_that_it_is_not(expression: str, result: str) -> None:
    assert answer(expression) == result


@pytest.mark.parametrize(
    ("expression", "said"),
    [
        ("", "1 to 2,000 characters"),
        ("1+" * 2_000 + "1", "1 to 2,000 characters"),
        ("1 / 0", "divided by zero"),
        ("5 % 0", "divided by zero"),
        ("0^-1", "no negative power"),
        ("sqrt(-1)", "no real square root"),
        ("(-8)^(1/3)", "only whole powers"),
        ("ln(0)", "no value there"),
        ("log(8)", r"log\(8, 2\)"),
        ("1.5!", "whole numbers"),
        ("5!!", "not known"),
        ("2pi", "At character 2: 'pi' is not expected"),
        ("foo(1)", "'foo' is not known. Functions: abs"),
        ("__import__('os')", "'_' can't be read"),
        ("sqrt 2", r"write the arguments of sqrt in brackets"),
        ("(1 + 2", "not closed"),
        ("round(1, 2, 3)", "1 to 2 arguments, not 3"),
        ("3 +", "ends where a number is expected"),
        ("(" * 100 + "1" + ")" * 100, "deeper than 60"),
        ("2^" * 200 + "1", "deeper than 60"),
        ("√" * 200 + "4", "deeper than 60"),
    ],
)
def test_what_can_not_be_calculated_says_why(expression: str, said: str) -> None:
    with pytest.raises(ToolError, match=said):
        calculator(expression)


@pytest.mark.parametrize(
    "expression",
    [
        "9**9**9",
        "2^1e400",
        "9^9^9^9",
        "1e4000 * 1e4000",
        "1e999999999",
        "5000!",
        "(9!)!",
        "exp(1e9)",
        "lcm(" + ",".join(f"{prime}^3500" for prime in (2, 3, 5, 7, 11, 13, 17, 19, 23)) + ")",
        "+".join(f"1/{number}^1500" for number in range(2, 150)),
        "*".join(["9^4000"] * 200),
        "round(1, 1e9)",
    ],
)
def test_no_expression_takes_long(expression: str) -> None:
    began = time.process_time()
    try:
        assert len(answer(expression)) < 1_100
    except ToolError as error:
        assert "at most" in str(error) or "from 0 to" in str(error)  # noqa: PT017
    assert time.process_time() - began < 2.0


@given(st.text("0123456789.+-*/^%!(),e√ sqrtofmdinlg²", max_size=40))
def test_any_text_has_a_result_or_an_error_for_the_model(expression: str) -> None:
    try:
        assert answer(expression)
    except ToolError as error:
        assert error.kind == "invalid"  # noqa: PT017


NUMBERS = st.one_of(
    st.integers(0, 12).map(str),
    st.integers(0, 4_000).map(lambda exponent: f"1e{exponent}"),
    st.integers(0, 4_000).map(lambda exponent: f"1e-{exponent}"),
    st.sampled_from(["pi", "e", "0.5", "(1/3)", "17%"]),
)
NAMES = ("sqrt", "cbrt", "exp", "ln", "log2", "sin", "tan", "floor", "round", "factorial", "abs")
EXPRESSIONS = st.recursive(
    NUMBERS,
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(["+", "-", "*", "/", "^", " mod "]), inner).map(lambda of: f"({''.join(of)})"),
        st.tuples(st.sampled_from(NAMES), inner).map(lambda of: f"{of[0]}({of[1]})"),
        st.tuples(st.sampled_from(["pow", "root", "log", "mod", "round", "gcd"]), inner, inner).map(
            lambda of: f"{of[0]}({of[1]}, {of[2]})"
        ),
        inner.map(lambda one: f"(-{one})"),
    ),
    max_leaves=6,
)


@given(EXPRESSIONS)
@example("2^1e400")
@example("(-2)^1e400")
@example("2^-1e400")
@example("(1/3)^1e3999")
@example("root(1e3999, 1e300)")
def test_any_expression_has_a_result_or_an_error_for_the_model(expression: str) -> None:
    try:
        assert answer(expression)
    except ToolError as error:
        assert error.kind == "invalid"  # noqa: PT017


@given(st.integers(-(10**9), 10**9), st.integers(1, 10**6), st.integers(0, 6))
def test_decimals_are_those_of_python(whole: int, part: int, places: int) -> None:
    from decimal import Decimal

    number = Decimal(whole).scaleb(-places) * part
    found = answer(f"{Decimal(whole).scaleb(-places):f} * {part}")
    assert Decimal(found) == number


async def test_an_agent_in_code_has_it_by_its_name() -> None:
    with ScriptedModel(call("calculator", {"expression": "17% of 3480"}), text("591.6")) as model:
        await Agent(model, tools=["calculator"]).run("How much is 17 % of 3,480?")
    assert "17% of 3480 = 591.6" in str(model.requests[1].messages)


@pytest.mark.parametrize(
    ("settings", "is_offered"),
    [
        ("", False),
        ("[tools]\ncalculator = true\n", True),
        ('[agents.build]\ntools = ["read", "calculator"]\n', True),
        ('[agents.build]\ntools = ["read"]\n', False),
        ("[agents.build]\ntools = { calculator = true }\n", True),
        ('[tools]\ncalculator = false\n[agents.build]\ntools = ["calculator"]\n', False),
    ],
)
def test_agents_of_a_folder_have_it_only_where_it_is_named(tmp_path: Path, settings: str, is_offered: bool) -> None:
    (tmp_path / ".toolpost").mkdir()
    (tmp_path / ".toolpost" / "config.toml").write_text(settings)
    workspace = Workspace(tmp_path, trusted=True)
    with ScriptedModel() as model:
        setup = workspace.setup(model)
    offered = [tool.name for tool in setup.tools if setup.offering.has(tool)]
    assert ("calculator" in offered) is is_offered
