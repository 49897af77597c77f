"""Write to the terminal from a thread of its own: one that reads slowly, or is gone, holds nothing up.

Textual's driver waits in the event loop once 30 writes are due, and its thread ends with the first error.
"""

import contextlib
import os
import select
import sys
from queue import Empty, SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING

from rich.cells import cell_len
from textual.drivers.linux_driver import LinuxDriver

if TYPE_CHECKING:
    from textual.app import App

# A terminal that does not read is given so long when the screen is left.
STOP_SECONDS = 1.0
# What stands for a sign where the terminal shows no more than ASCII; for others, one question mark a cell.
_PLAIN_SIGNS = {
    **dict.fromkeys("─━═▔▁", "-"),
    **dict.fromkeys("│┃║▌▐▏▕", "|"),
    **dict.fromkeys("╭╮╰╯┌┐└┘├┤┬┴┼", "+"),
    **dict.fromkeys("█▇▆▅▄▃▂", "#"),
    **dict.fromkeys("“”„", '"'),
    **dict.fromkeys("‘’", "'"),
    **dict.fromkeys("●•■", "*"),
    "·": "-",
    "›": ">",
    "…": "~",
    "–": "-",
    "—": "-",
}


class TerminalOutput:
    """Texts that are on their way to the terminal, in their order."""

    def __init__(self, fd: int) -> None:
        self._fd = fd
        self._texts: SimpleQueue[str | None] = SimpleQueue()
        self._thread: Thread | None = None
        self.is_lost = False

    @property
    def backlog(self) -> int:
        """How many texts the terminal has not taken yet."""
        return self._texts.qsize()

    def put(self, text: str) -> None:
        if self._thread is None:
            self._thread = Thread(target=self._run, name="toolpost-terminal", daemon=True)
            self._thread.start()
        self._texts.put(text)

    def stop(self) -> None:
        """Wait for what is due, but not for a terminal that does not read."""
        thread, self._thread = self._thread, None
        if thread is not None:
            self._texts.put(None)
            thread.join(STOP_SECONDS)

    def _run(self) -> None:
        while (text := self._texts.get()) is not None:
            pieces: list[str | None] = [text]
            with contextlib.suppress(Empty):
                while pieces[-1] is not None:
                    pieces.append(self._texts.get_nowait())
            if not self.is_lost:
                self._write("".join(piece for piece in pieces if piece is not None).encode(errors="replace"))
            if pieces[-1] is None:
                return

    def _write(self, data: bytes) -> None:
        left = memoryview(data)
        try:
            while left:
                try:
                    left = left[os.write(self._fd, left) :]
                except BlockingIOError:
                    select.select([], [self._fd], [])
        except OSError:
            # The terminal is gone: nobody will see anything of it.
            self.is_lost = True


class TerminalDriver(LinuxDriver):
    def __init__(
        self, app: "App[object]", *, debug: bool = False, mouse: bool = True, size: tuple[int, int] | None = None
    ) -> None:
        super().__init__(app, debug=debug, mouse=mouse, size=size)  # pyright: ignore[reportUnknownMemberType]
        assert sys.__stderr__ is not None
        self.output = TerminalOutput(sys.__stderr__.fileno())

        # Of another app than ours it is not known.
        self._has_unicode = bool(getattr(getattr(app, "options", None), "has_unicode", True))

    def write(self, data: str) -> None:
        self.output.put(data if self._has_unicode or data.isascii() else plain_signs(data))

    def close(self) -> None:
        self.output.stop()
        super().close()


def plain_signs(text: str) -> str:
    """The text in ASCII, in as many cells as before."""
    return "".join(char if char.isascii() else _PLAIN_SIGNS.get(char, "?" * cell_len(char)) for char in text)
