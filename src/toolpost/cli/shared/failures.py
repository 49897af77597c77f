"""Report an error as one line on stderr and an exit status."""

import logging
import os
import sys

from toolpost.cli.exit_codes import FAILED, USAGE
from toolpost.extras import extra_of, missing_text
from toolpost.types.errors import ConfigError, ToolpostError

from .escape_codes import exact


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
    sys.stderr.write(f"toolpost: {exact(text)}\n")
    sys.stderr.flush()
