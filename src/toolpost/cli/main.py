"""The entry point: parse the command, load only its module, and report errors as one line and an exit status."""

import gc
import os
import sys

from toolpost import __version__

from .exit_codes import EXIT_CODES, OUTPUT_CLOSED, STOPPED, USAGE

# `typing` alone takes a third of what `toolpost --version` takes, so it is there only for those who check types.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Sequence
    from typing import Protocol

    class CommandModule(Protocol):
        """What a command's module offers. `run` may raise a `ToolpostError`; it gives the exit status."""

        HELP: str

        def add_arguments(self, parser: ArgumentParser) -> None: ...
        def run(self, args: Namespace) -> int: ...


# Only the module of the command that is used is imported: a cold start is what people feel first. So what each
# does stands here too, for `toolpost --help`.
COMMANDS = {
    "run": ("toolpost.cli.run.command", "answer one prompt with tools, then exit"),
    "batch": ("toolpost.cli.batch.command", "run many prompts side by side, and write their results as JSON lines"),
    "chat": ("toolpost.cli.chat.command", "chat in the terminal (the default without a command)"),
    "attach": (
        "toolpost.cli.attach",
        "show the sessions of a toolpost serve elsewhere: watch, answer and stop its runs",
    ),
    "sessions": ("toolpost.cli.sessions.command", "list, search, show, rename, delete, export and import sessions"),
    "models": (
        "toolpost.cli.models.command",
        "list providers and models, test what a model can do, fetch weights",
    ),
    "serve": (
        "toolpost.cli.serve",
        "serve a web chat and APIs compatible with Anthropic and OpenAI",
    ),
    "worker": ("toolpost.cli.worker", "drive the runs that a Temporal server gives out"),
    "schedule": (
        "toolpost.cli.schedule.command",
        "run a prompt at certain times: add, list, show, pause, resume, remove schedules",
    ),
    "backup": ("toolpost.cli.backup", "back up all sessions into one file, also while a server runs"),
    "restore": ("toolpost.cli.restore", "restore a backup, also into another kind of store"),
    "undo": ("toolpost.cli.undo", "undo the file changes of the last step"),
    "redo": ("toolpost.cli.redo", "redo what was undone"),
    "diff": ("toolpost.cli.diff", "show what agents changed in this project"),
    "quarantine": (
        "toolpost.cli.quarantine",
        "list, restore or delete files that were moved away because they would run later",
    ),
    "trust": ("toolpost.cli.trust", "trust a folder's own settings, tools, servers, agents and skills"),
    "tools": ("toolpost.cli.tools", "list tools, show one, check how well models understand them"),
    "mcp": ("toolpost.cli.mcp.command", "list, add, test and call MCP servers, log in to them, or serve as one"),
    "eval": ("toolpost.cli.eval.command", "measure how well models call tools, and write a report"),
    "permissions": (
        "toolpost.cli.permissions",
        "list the rules, explain a decision, revoke saved approvals",
    ),
    "config": ("toolpost.cli.config", "show and check the configuration, store or delete keys"),
    "doctor": ("toolpost.cli.doctor.command", "check the setup: what works, what is missing, how to fix it"),
    "trace": (
        "toolpost.cli.trace.command",
        "show every stage of a run with its time: requests, calls, permissions, results",
    ),
}
# So many new objects are waited for before the collector looks at them; Python's 700 are soon there.
YOUNG_OBJECTS = 10_000
FOLDER_HELP = "use this folder instead of the current one"


def main(argv: "Sequence[str] | None" = None) -> int:
    arguments = sys.argv[1:] if argv is None else list(argv)
    if arguments == ["--version"]:
        sys.stdout.write(f"toolpost {__version__}\n")
        return 0
    _open_closed_streams()
    try:
        status = _dispatch(arguments)
        # Meet a closed pipe here, where it can be handled, and not while Python ends.
        sys.stdout.flush()
    except KeyboardInterrupt:
        return STOPPED
    except BrokenPipeError:
        silence_stdout()
        return OUTPUT_CLOSED
    except Exception as error:  # noqa: BLE001 - whatever happened, a person gets one clear line
        from .shared.output import report_error

        if isinstance(error, OSError):
            silence_stdout()
        return report_error(error)
    return status


def silence_stdout() -> None:
    """Let what is still buffered go nowhere, or Python complains about the closed pipe or the full disk as it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def _open_closed_streams() -> None:
    """Where a caller closed one (`<&-`), Python has None there, and the next file opened would take its place."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode))  # noqa: PTH123, SIM115 - it stays open, as those do


def _dispatch(arguments: "Sequence[str]") -> int:
    if arguments[:1] == ["help"]:
        arguments = [*arguments[1:], "--help"]
    if arguments and _is_for_chat(arguments[0]):
        arguments = ["chat", *arguments]
    parser, given = _parse_global(arguments)
    if given.folder:
        _enter(given.folder)
    name: str | None = given.command
    if name is None:
        if not (sys.stdin.isatty() and sys.stdout.isatty()):
            parser.print_help(sys.stderr)
            return USAGE
        name = "chat"
    if name not in COMMANDS:
        parser.error(_unknown(name))
    from .shared.logs import log_to_file

    log_to_file()
    # What is imported stays: to look through it again and again for what may go takes a tenth of a start.
    gc.set_threshold(YOUNG_OBJECTS)
    command = _load(name)
    own = _command_parser(name, command)
    args = _parse(own, given.arguments)
    if args.folder:
        _enter(args.folder)
        args.folder = None
    from toolpost.tools.print_router import routed

    with routed():
        return command.run(args)


def _is_for_chat(first: str) -> bool:
    """`toolpost -m openai/x` is a chat with that model; what belongs to every command is not the chat's."""
    return first.startswith("-") and not first.startswith(("-h", "--help", "--version", "-C", "--folder"))


def _parse_global(arguments: "Sequence[str]") -> "tuple[ArgumentParser, Namespace]":
    from argparse import REMAINDER, SUPPRESS, RawDescriptionHelpFormatter

    from .shared.arguments import Parser

    parser = Parser(
        prog="toolpost",
        usage="toolpost [-C FOLDER] [COMMAND …]",
        description="A tool-calling agent runtime: any model, any tool, one loop.\n\nWithout a command, a chat starts.",
        epilog=_command_list(),
        formatter_class=RawDescriptionHelpFormatter,
    )
    version = f"toolpost {__version__}"
    parser.add_argument("--version", action="version", version=version, help="show the version and exit")
    parser.add_argument("-C", "--folder", metavar="FOLDER", help=FOLDER_HELP)
    parser.add_argument("command", nargs="?", help=SUPPRESS)
    parser.add_argument("arguments", nargs=REMAINDER, help=SUPPRESS)
    return parser, parser.parse_args(arguments)


def _command_parser(name: str, command: "CommandModule") -> "ArgumentParser":
    from argparse import RawDescriptionHelpFormatter

    from .shared.arguments import Parser

    about = f"{command.HELP[0].upper()}{command.HELP[1:]}."
    parser = Parser(prog=f"toolpost {name}", description=about, formatter_class=RawDescriptionHelpFormatter)
    parser.add_argument("-C", "--folder", metavar="FOLDER", help=FOLDER_HELP)
    command.add_arguments(parser)
    return parser


def _parse(parser: "ArgumentParser", arguments: "Sequence[str]") -> "Namespace":
    """Options may stand between arguments, except in commands with subcommands, where argparse cannot do that."""
    has_subcommands = bool(parser._subparsers)  # argparse does not tell otherwise
    return parser.parse_args(arguments) if has_subcommands else parser.parse_intermixed_args(arguments)


def _load(name: str) -> "CommandModule":
    from importlib import import_module
    from typing import cast

    return cast("CommandModule", import_module(COMMANDS[name][0]))


def _command_list() -> str:
    lines = [f"  {name:<12} {help}" for name, (_, help) in COMMANDS.items()]
    codes = [f"  {code:<12} {meaning}" for code, meaning in EXIT_CODES.items()]
    return "\n".join(["commands (for details: toolpost COMMAND --help):", *lines, "", "exit status:", *codes])


def _unknown(name: str) -> str:
    # Imported here because only a mistake needs it.
    from toolpost.arguments.suggestions import closest

    likely = closest(name, COMMANDS)
    if likely:
        return f"unknown command {name!r}: did you mean `toolpost {likely}`?"
    return f'unknown command {name!r}: to ask the model, use toolpost run "{name} …"'


def _enter(folder: str) -> None:
    from toolpost.types.errors import ConfigError

    try:
        os.chdir(os.path.expanduser(folder))  # noqa: PTH111 - pathlib is not loaded this early
    except OSError as error:
        raise ConfigError(f"cannot use the folder {folder}: {error.strerror}") from error
