"""The commands, one module each, and the few things they all do: open their folder, run, and write."""

import argparse
import asyncio
import sys
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from toolpost.guard.redact import Redactor
    from toolpost.workspace import Workspace


def run_in_workspace(action: "Callable[[Workspace], Awaitable[int]]") -> int:
    """Run a command on the current folder, which `-C` has changed, and close the store behind it."""
    workspace = open_workspace()

    async def act() -> int:
        try:
            return await action(workspace)
        finally:
            await workspace.close()

    return asyncio.run(act())


def open_workspace(flags: Mapping[str, Any] | None = None) -> "Workspace":
    """The current folder; `flags` are settings from the command line, where None is not given."""
    # Imported here: `toolpost --help` asks every command for its arguments and needs no workspace.
    from toolpost.workspace import Workspace

    return Workspace(flags=flags)


def say(text: str = "") -> None:
    sys.stdout.write(f"{text}\n")


def say_json(value: Any) -> None:
    """One value, indented: for `--json` of commands with one answer."""
    say(msgspec.json.format(msgspec.json.encode(value), indent=2).decode())


class JsonList:
    """A JSON array written as it comes, one entry a line, so that a list of any length can be piped on."""

    def __init__(self) -> None:
        self._separator = "["

    def add(self, value: Any) -> None:
        sys.stdout.write(f"{self._separator}{msgspec.json.encode(value).decode()}")
        self._separator = ",\n "

    def end(self) -> None:
        say("[]" if self._separator == "[" else "]")


def complain(text: str) -> None:
    """Say it on stderr, where it does not mix with what is piped on."""
    from toolpost.cli.shared.tables import plain_lines

    sys.stderr.write(f"{plain_lines(text)}\n")


def tell_notices(workspace: "Workspace") -> None:
    for notice in workspace.notices:
        complain(f"note: {notice}")


def redactor_of(workspace: "Workspace") -> "Redactor":
    """Hides what looks like a key, and the keys that stand in the environment whatever they look like."""
    from toolpost.guard.redact import known_redactor

    owns = workspace.config.providers.values()
    named = {name for settings in owns for name in (*settings.key_variables, settings.auth_token_env) if name}
    return known_redactor(workspace.environ, named)


class Subcommands:
    """The subcommands of a command, of which one may be left out: `toolpost sessions` is `toolpost sessions list`."""

    def __init__(self, parser: argparse.ArgumentParser, default: str | None = None) -> None:
        self._parser = parser
        self._default = default
        self._parsers = parser.add_subparsers(dest="action", metavar="ACTION", required=default is None)
        if default is not None:
            parser.set_defaults(action=default)

    def add(self, name: str, help: str, *arguments: "Argument") -> None:
        chosen = self._parsers.add_parser(name, help=help, description=f"{help[0].upper()}{help[1:]}.")
        for argument in arguments:
            if name == self._default and argument.is_option:
                # Also where the name is left out; the subparser must not lay its default over what was given there.
                argument.add_to(self._parser)
                argument.add_to(chosen, default=argparse.SUPPRESS)
            else:
                argument.add_to(chosen)


class Argument:
    """What `add_argument` takes, kept, so that it can be added in two places."""

    def __init__(self, *names: str, **options: Any) -> None:
        self._names = names
        self._options = options

    @property
    def is_option(self) -> bool:
        return self._names[0].startswith("-")

    def add_to(self, parser: argparse.ArgumentParser, **changed: Any) -> None:
        parser.add_argument(*self._names, **{**self._options, **changed})


JSON = Argument("--json", action="store_true", help="for programs: JSON on stdout")
