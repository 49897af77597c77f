"""Write to a terminal or a pipe, with or without colours, and notice when the reader closes it."""

import asyncio
import contextlib
import os
import select
import stat
from collections.abc import Callable, Generator
from typing import TextIO

from toolpost.tools.print_router import own_stream
from toolpost.view.escape_codes import clean

BOLD, DIM, RED, GREEN, YELLOW, CYAN = "1", "2", "31", "32", "33", "36"


class TerminalWriter:
    """`write` takes text from anywhere; `line` takes text of ours, already styled. A closed pipe is noticed once."""

    def __init__(self, stream: TextIO, *, on_closed: Callable[[], None] = lambda: None) -> None:
        # What is shown of a tool is written while the tool runs, and must not be taken for what the tool prints.
        self._stream = stream = own_stream(stream)
        self._on_closed = on_closed
        self.is_terminal = stream.isatty()
        self.has_colours = self.is_terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
        self.at_line_start = True
        self.closed = False
        self.failure = ""

    @property
    def width(self) -> int:
        """Cells of a line; a wide one where there is no terminal."""
        try:
            return os.get_terminal_size(self._stream.fileno()).columns or 80
        except (OSError, ValueError):
            return 120

    def style(self, text: str, *codes: str) -> str:
        return f"\x1b[{';'.join(codes)}m{text}\x1b[0m" if self.has_colours and text else text

    def write(self, text: str) -> None:
        self.put(clean(text))

    def line(self, text: str = "") -> None:
        self.put(f"{text}\n")

    def fresh(self) -> None:
        """Go to the beginning of a line."""
        if not self.at_line_start:
            self.put("\n")

    def put(self, text: str) -> None:
        """Write as it stands."""
        if self.closed or not text:
            return
        self.at_line_start = text.endswith("\n")
        try:
            self._stream.write(text)
            self._stream.flush()
        except (OSError, ValueError) as error:
            self._close(error)

    @contextlib.contextmanager
    def watched(self) -> Generator[None]:
        """Notice a reader that leaves at once, and not only with the next thing that is written."""
        try:
            number = self._stream.fileno()
            is_pipe = stat.S_ISFIFO(os.fstat(number).st_mode) and hasattr(select, "poll")
        except (OSError, ValueError):
            is_pipe, number = False, -1
        if not is_pipe:
            yield
            return
        loop = asyncio.get_running_loop()
        poll = select.poll()
        poll.register(number, 0)

        def look() -> None:
            loop.remove_reader(number)
            if any(happened & select.POLLERR for _, happened in poll.poll(0)) and not self.closed:
                self._close(BrokenPipeError())

        # The end of a pipe that is written to has nothing to read: this is called when the other end is closed.
        loop.add_reader(number, look)
        try:
            yield
        finally:
            loop.remove_reader(number)

    def put_bytes(self, data: bytes) -> None:
        if self.closed:
            return
        try:
            self._stream.buffer.write(data)
            self._stream.buffer.flush()
        except (OSError, ValueError) as error:
            self._close(error)

    def _close(self, error: Exception) -> None:
        """A reader that closed the pipe is not a failure; a full disk is one."""
        self.closed = True
        if isinstance(error, OSError) and not isinstance(error, BrokenPipeError):
            self.failure = error.strerror or str(error)
        self._on_closed()
