"""The arguments that `run` and `chat` share, and what they mean to a session."""

from argparse import ArgumentParser, ArgumentTypeError, Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from toolpost.guard.rules import Rule

LIMITS = ("max_steps", "max_tokens", "max_cost", "max_seconds")


def add_session_arguments(parser: ArgumentParser) -> None:
    which = parser.add_mutually_exclusive_group()
    which.add_argument("-s", "--session", metavar="ID", help="go on with this session: its id, or the beginning of it")
    which.add_argument("-c", "--continue", dest="resume", action="store_true", help="go on with the newest one here")
    parser.add_argument("-m", "--model", metavar="ID", help="provider/model, for example openai/gpt-5-mini")
    parser.add_argument("--variant", metavar="NAME", default="", help="a variant of the model, such as low or high")
    parser.add_argument("--agent", metavar="NAME", help="an agent of the configuration")
    parser.add_argument("--title", default="", help="the session's title")
    parser.add_argument("--no-store", action="store_true", help="keep nothing: the session lives in memory")
    tools = parser.add_argument_group("tools")
    tools.add_argument(
        "--tools", type=Path, action="append", default=[], metavar="FILE.py", help="offer the @tool functions of a file"
    )
    tools.add_argument(
        "--allow",
        type=_allow,
        action="append",
        dest="rules",
        default=[],
        metavar="RULE",
        help='run without asking: "bash", "bash:git *", "*"; of all rules the last that matches decides',
    )
    tools.add_argument("--deny", type=_deny, action="append", dest="rules", metavar="RULE", help="the same, refused")
    limits = parser.add_argument_group("limits")
    limits.add_argument("--max-steps", type=count, metavar="N", help="model turns (50)")
    limits.add_argument("--max-tokens", type=count, metavar="N", help="tokens, read and written together")
    limits.add_argument("--max-cost", type=_amount, metavar="USD", help="US dollars, where the price is known")
    limits.add_argument("--max-seconds", type=_amount, metavar="S", help="time for the whole run")


def rules_of(args: Namespace) -> "list[Rule]":
    """In the order in which they were written: the last that matches decides."""
    from toolpost.guard.rules import parse_flag

    return [parse_flag(text, action, f"--{action}") for action, text in args.rules]


def limits_of(args: Namespace) -> dict[str, Any]:
    return {name: value for name in LIMITS if (value := getattr(args, name)) is not None}


def count(text: str) -> int:
    """For argparse: a whole number above 0."""
    number = int(text) if text.isdecimal() else 0
    if number < 1:
        raise ArgumentTypeError(f"{text!r} is no whole number above 0")
    return number


def _allow(text: str) -> tuple[str, str]:
    return "allow", text


def _deny(text: str) -> tuple[str, str]:
    return "deny", text


def _amount(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0 < number < float("inf"):
        raise ArgumentTypeError(f"{text!r} is no number above 0")
    return number
