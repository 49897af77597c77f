"""The arguments that `run` and `chat` share, and the rules and limits that they give."""

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .arguments import ALLOW, DENY, positive_integer, positive_number

if TYPE_CHECKING:
    from toolpost.guard.rules import Rule

LIMITS = ("max_steps", "max_tokens", "max_cost", "max_seconds")


def add_session_arguments(parser: ArgumentParser) -> None:
    which = parser.add_mutually_exclusive_group()
    which.add_argument("-s", "--session", metavar="ID", help="continue this session: its id or the beginning of it")
    which.add_argument(
        "-c", "--continue", dest="resume", action="store_true", help="continue the newest session of this project"
    )
    parser.add_argument("-m", "--model", metavar="ID", help="provider/model, for example openai/gpt-5-mini")
    parser.add_argument("--variant", metavar="NAME", default="", help="a variant of the model, such as low or high")
    parser.add_argument("--agent", metavar="NAME", help="an agent from the configuration")
    parser.add_argument("--title", default="", help="the title of the session")
    parser.add_argument("--no-store", action="store_true", help="do not save the session")
    tools = parser.add_argument_group("tools")
    tools.add_argument(
        "--tools", type=Path, action="append", default=[], metavar="FILE.py", help="add the @tool functions of a file"
    )
    for argument in (ALLOW, DENY):
        argument.add_to(tools)
    limits = parser.add_argument_group("limits")
    limits.add_argument("--max-steps", type=positive_integer, metavar="N", help="model turns (default: 50)")
    limits.add_argument("--max-tokens", type=positive_integer, metavar="N", help="input and output tokens together")
    limits.add_argument("--max-cost", type=positive_number, metavar="USD", help="US dollars, if the price is known")
    limits.add_argument("--max-seconds", type=positive_number, metavar="S", help="seconds for the whole run")


def rules_of(args: Namespace) -> "list[Rule]":
    """The rules of `--allow` and `--deny`, in the order given: the last one that matches decides."""
    from toolpost.guard.rules import parse_flag

    return [parse_flag(text, action, f"--{action}") for action, text in args.rules]


def limits_of(args: Namespace) -> dict[str, Any]:
    return {name: value for name in LIMITS if (value := getattr(args, name)) is not None}
