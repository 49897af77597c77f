"""What stays when the full screen is left: the end of the transcript in the scrollback, and how to go on with it.

A terminal that is closed, or a process that is told to end, leaves its session: its run stays open for the next chat.
"""

import asyncio
import contextlib
import os
import signal
from collections.abc import Callable
from typing import TYPE_CHECKING

from toolpost.view.words import words

if TYPE_CHECKING:
    from .app import TerminalApp

# Lines of the transcript that are written to the terminal's own scrollback.
TAIL_LINES = 200


def farewell(app: "TerminalApp", *, goes_on: bool) -> str:
    """The end of the transcript and the line that resumes the session, which another face need not be told."""
    parts = [app.transcript.plain_text(TAIL_LINES).rstrip("\n")]
    control = app.control
    if app.options.resume_command and not goes_on and control.has_begun and "stored" in control.features:
        command = app.options.resume_command.format(id=control.session_id)
        parts.append(words("leave.resume", app.language, command=command))
    return "\n\n".join(part for part in parts if part)


def write_to_terminal(text: str) -> None:
    """To the scrollback, of a terminal that may be gone."""
    if text:
        with contextlib.suppress(OSError):
            data = memoryview(f"{text}\n".encode(errors="replace"))
            while data:
                data = data[os.write(1, data) :]


def listen_to_signals(lost: Callable[[], object]) -> None:
    """Call `lost` when the terminal is closed, or when the process is told to end."""
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM)):
        with contextlib.suppress(NotImplementedError, RuntimeError, ValueError):
            loop.add_signal_handler(number, lost)


def forget_signals() -> None:
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM)):
        with contextlib.suppress(NotImplementedError, RuntimeError, ValueError):
            loop.remove_signal_handler(number)
