"""Write lines, JSON and notices of a command to stdout and stderr."""

import sys
from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from toolpost.workspace import Workspace


def say(text: str = "") -> None:
    """Write a line to stdout."""
    sys.stdout.write(f"{text}\n")


def say_on_stderr(text: str) -> None:
    """Write lines to stderr, so that they do not mix with output that is piped on."""
    # Imported here: `toolpost --help` needs no tables.
    from .tables import plain_lines

    sys.stderr.write(f"{plain_lines(text)}\n")


def say_notices(workspace: "Workspace") -> None:
    """Write the notices of a workspace to stderr."""
    for notice in workspace.notices:
        say_on_stderr(f"note: {notice}")


def say_json(value: Any) -> None:
    """Write one indented JSON value to stdout, for `--json`."""
    say(msgspec.json.format(msgspec.json.encode(value), indent=2).decode())


class JsonList:
    """Write a JSON array entry by entry, one a line, so that a list of any length can be piped on."""

    def __init__(self) -> None:
        self._separator = "["

    def add(self, value: Any) -> None:
        sys.stdout.write(f"{self._separator}{msgspec.json.encode(value).decode()}")
        self._separator = ",\n "

    def end(self) -> None:
        say("[]" if self._separator == "[" else "]")


def confirm(question: str, *, without_terminal: str) -> bool:
    """Ask a yes-or-no question. Where stdin is not a terminal, say `without_terminal` on stderr and return False."""
    if not sys.stdin.isatty():
        say_on_stderr(without_terminal)
        return False
    sys.stdout.write(f"{question} [y/N] ")
    sys.stdout.flush()
    answer = sys.stdin.readline()
    if not answer.endswith("\n"):
        # After Ctrl-D the cursor is still behind the question.
        say()
    return answer.strip().lower() in ("y", "yes")
