"""Parse command-line arguments: the parser, arguments and subcommands that commands share."""

from argparse import SUPPRESS, ArgumentParser, ArgumentTypeError, Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from toolpost.view.escape_codes import exact

if TYPE_CHECKING:
    from argparse import _ArgumentGroup  # pyright: ignore[reportPrivateUsage] - what `add_argument_group` gives

    from toolpost.guard.rules import Rule


_LIMITS = ("max_steps", "max_tokens", "max_cost", "max_seconds")


class Parser(ArgumentParser):
    """A parser whose errors show the arguments as given: control characters are written out."""

    def error(self, message: str) -> NoReturn:
        super().error(exact(message))


class Argument:
    """The arguments of `add_argument`, kept, so that they can be added to two parsers."""

    def __init__(self, *names: str, **options: Any) -> None:
        self._names = names
        self._options = options

    @property
    def is_option(self) -> bool:
        return self._names[0].startswith("-")

    def add_to(self, parser: "ArgumentParser | _ArgumentGroup", **changed: Any) -> None:
        parser.add_argument(*self._names, **{**self._options, **changed})


class Subcommands:
    """The subcommands of a command. One may be the default: `toolpost sessions` is `toolpost sessions list`."""

    def __init__(self, parser: ArgumentParser, default: str | None = None) -> None:
        self._parser = parser
        self._default = default
        self._parsers = parser.add_subparsers(dest="action", metavar="ACTION", required=default is None)
        if default is not None:
            parser.set_defaults(action=default)

    def add(self, name: str, help: str, *arguments: Argument) -> None:
        chosen = self._parsers.add_parser(name, help=help, description=f"{help[0].upper()}{help[1:]}.")
        for argument in arguments:
            if name == self._default and argument.is_option:
                # Also where the name is left out; the subparser must not lay its default over what was given there.
                argument.add_to(self._parser)
                argument.add_to(chosen, default=SUPPRESS)
            else:
                argument.add_to(chosen)


def positive_integer(text: str) -> int:
    """For `type=`: a whole number above 0."""
    number = int(text) if text.isdecimal() else 0
    if number < 1:
        raise ArgumentTypeError(f"{text!r} is not a whole number above 0")
    return number


def positive_number(text: str) -> float:
    """For `type=`: a number above 0."""
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0 < number < float("inf"):
        raise ArgumentTypeError(f"{text!r} is not a number above 0")
    return number


def _allow(text: str) -> tuple[str, str]:
    return "allow", text


def _deny(text: str) -> tuple[str, str]:
    return "deny", text


JSON = Argument("--json", action="store_true", help="write JSON to stdout")
YES = Argument("-y", "--yes", action="store_true", help="do not ask for confirmation")
ALLOW = Argument(
    "--allow",
    type=_allow,
    action="append",
    dest="rules",
    default=[],
    metavar="RULE",
    help='allow without asking: "bash", "bash:git *" or "*"; the last rule that matches decides',
)
DENY = Argument("--deny", type=_deny, action="append", dest="rules", metavar="RULE", help="deny; written like --allow")


def add_session_arguments(parser: ArgumentParser) -> None:
    which = parser.add_mutually_exclusive_group()
    which.add_argument("-s", "--session", metavar="ID", help="continue this session: its id or the beginning of it")
    which.add_argument(
        "-c", "--continue", dest="newest", action="store_true", help="continue the newest session of this project"
    )
    add_model_arguments(parser)
    parser.add_argument("--title", default="", help="the title of the session")
    parser.add_argument("--no-store", action="store_true", help="do not save the session")
    add_tool_arguments(parser)
    add_limit_arguments(parser)


def add_model_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("-m", "--model", metavar="ID", help="provider/model, for example openai/gpt-5-mini")
    parser.add_argument("--variant", metavar="NAME", default="", help="a variant of the model, such as low or high")
    parser.add_argument("--agent", metavar="NAME", help="an agent from the configuration")


def add_tool_arguments(parser: ArgumentParser) -> None:
    tools = parser.add_argument_group("tools")
    tools.add_argument(
        "--tools", type=Path, action="append", default=[], metavar="FILE.py", help="add the @tool functions of a file"
    )
    for argument in (ALLOW, DENY):
        argument.add_to(tools)


def add_limit_arguments(parser: ArgumentParser) -> None:
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
    return {name: value for name in _LIMITS if (value := getattr(args, name)) is not None}
