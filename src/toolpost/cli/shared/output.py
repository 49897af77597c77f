"""Write lines, JSON, notices and errors of a command to stdout and stderr."""

import logging
import os
import sys
from typing import TYPE_CHECKING, Any

import msgspec

from toolpost.cli.exit_codes import FAILED, USAGE
from toolpost.extras import extra_of, missing_text
from toolpost.types.errors import ConfigError, ToolpostError
from toolpost.view.escape_codes import exact

from .language import shown

if TYPE_CHECKING:
    from toolpost.workspace import Workspace


def say(text: str = "") -> None:
    """Write a line to stdout."""
    sys.stdout.write(f"{text}\n")


def say_on_stderr(text: str) -> None:
    """Write lines to stderr, so that they do not mix with output that is piped on."""
    # Imported here: `toolpost --help` needs no tables.
    from .tables import plain_lines

    sys.stderr.write(f"{plain_lines(shown(text))}\n")


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
    sys.stdout.write(f"{shown(question)} [y/N] ")
    sys.stdout.flush()
    answer = sys.stdin.readline()
    if not answer.endswith("\n"):
        # After Ctrl-D the cursor is still behind the question.
        say()
    return answer.strip().lower() in ("y", "yes", "是")


def report_error(error: Exception) -> int:
    """Report an error on stderr. Any error that is not a `ToolpostError` is a bug: its details go to the log."""
    # Imported here: it compiles expressions that only a failure needs.
    from toolpost.guard.redact import known_redactor

    redactor = known_redactor()
    if os.environ.get("TOOLPOST_DEBUG"):
        # Imported here because only who looks for a bug needs it.
        import traceback

        sys.stderr.write(exact(redactor.text("".join(traceback.format_exception(error)))))
    if isinstance(error, ToolpostError):
        say_error(redactor.text(str(error)))
        return USAGE if isinstance(error, ConfigError) else FAILED
    if isinstance(error, ModuleNotFoundError) and (extra := extra_of(error.name or "")):
        say_error(missing_text(extra, "this"))
        return USAGE
    from .logs import log_path, log_to_file

    log_to_file()
    logging.getLogger("toolpost.cli").error("unexpected", exc_info=error)
    said = redactor.text(f"{type(error).__name__}: {error}")
    say_error(f"unexpected error: {said}\nDetails: {log_path()}")
    return FAILED


def say_error(text: str) -> None:
    sys.stderr.write(f"toolpost: {exact(shown(text))}\n")
    sys.stderr.flush()
