"""Redirect what tools `print` to the log and to the call's live output, away from stdout.

The answer, or a protocol, is on stdout. While a face has it `routed`, each call has a place of its own for what it
prints, also in a thread or beside other calls. What a tool's subprocess writes to descriptor 1 does not pass here.
"""

import asyncio
import contextlib
import logging
import sys
import threading
from collections.abc import Callable, Generator, Iterable
from contextvars import ContextVar
from typing import Any, TextIO, cast

log = logging.getLogger("toolpost.printed")

MAX_LIVE_CHARS = 1_000_000  # of one call; the log has the rest
MAX_LINE = 10_000  # in the log

_target: ContextVar[Callable[[str], None] | None] = ContextVar("toolpost_printed", default=None)
# True in all that the face runs itself. A thread that somebody starts by hand has no context, and so is not the face's.
_is_ours: ContextVar[bool] = ContextVar("toolpost_stdout", default=False)


@contextlib.contextmanager
def routed() -> Generator[None]:
    """Let `sys.stdout` be a router until the end; who means the stream itself takes `own_stream`."""
    own = sys.stdout
    sys.stdout = cast(TextIO, _Router(own))
    token = _is_ours.set(True)
    try:
        yield
    finally:
        _is_ours.reset(token)
        sys.stdout = own


def own_stream(stream: TextIO) -> TextIO:
    """The stream behind a router, for a face that writes while a tool runs."""
    return stream.own if isinstance(stream, _Router) else stream


@contextlib.contextmanager
def printed_to_log(source: str) -> Generator[None]:
    """Send what is printed inside to the log alone, while a file of tools is loaded."""
    lines = _Lines(source)
    with _printing(lines.add):
        try:
            yield
        finally:
            lines.end()


@contextlib.contextmanager
def printed_live(source: str, show: Callable[[str], None]) -> Generator[None]:
    """Send what is printed inside, from any thread, to the log, and with `show` to a call's live output on this
    loop."""
    live = _Live(source, show)
    with _printing(live.add):
        try:
            yield
        finally:
            live.end()


@contextlib.contextmanager
def _printing(target: Callable[[str], None]) -> Generator[None]:
    token = _target.set(target)
    try:
        yield
    finally:
        _target.reset(token)


class _Lines:
    """Puts what is printed into the log, line by line."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._begun = ""

    def add(self, text: str) -> None:
        *lines, self._begun = (self._begun + text).split("\n")
        for line in lines:
            self._log(line)

    def end(self) -> None:
        if self._begun:
            self._log(self._begun)
            self._begun = ""

    def _log(self, line: str) -> None:
        log.info("%s: %s", self._source, line[:MAX_LINE])


class _Live:
    """The same, and shows it: all that was printed since the loop last came round, at once."""

    def __init__(self, source: str, show: Callable[[str], None]) -> None:
        self._lines = _Lines(source)
        self._show = show
        self._loop = asyncio.get_running_loop()
        self._lock = threading.Lock()
        self._waiting: list[str] = []
        self._room = MAX_LIVE_CHARS
        self._is_open = True

    def add(self, text: str) -> None:
        with self._lock:
            self._lines.add(text)
            if not self._is_open or self._room <= 0:
                return
            self._room -= len(text)
            self._waiting.append(text if self._room > 0 else f"{text}\n(more of this is in the log)\n")
            if len(self._waiting) == 1:
                # The loop may be closed by now, if its process is ending.
                with contextlib.suppress(RuntimeError):
                    self._loop.call_soon_threadsafe(self._drain)

    def end(self) -> None:
        """The call is over: a thread that it left behind writes to the log alone."""
        self._drain()
        with self._lock:
            self._is_open = False
            self._lines.end()
        # A task that it has started, such as a language server's, lives on in its context and must not hold the call.
        self._show = _nowhere

    def _drain(self) -> None:
        with self._lock:
            text, self._waiting = "".join(self._waiting), []
        if text:
            self._show(text)


def _nowhere(text: str) -> None:
    """Where what comes too late is shown."""


class _Router:
    """`sys.stdout` while it is routed. A thread that a tool has started belongs to no call, and writes to the log."""

    def __init__(self, own: TextIO) -> None:
        self.own = own
        self._strays = _Lines("a thread")

    def write(self, text: str) -> int:
        target = self._target()
        if target is None:
            return self.own.write(text)
        target(text)
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.write(line)

    def flush(self) -> None:
        if self._target() is None:
            self.own.flush()

    def isatty(self) -> bool:
        return self._target() is None and self.own.isatty()

    @property
    def buffer(self) -> Any:
        target = self._target()
        return self.own.buffer if target is None else _Bytes(target)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.own, name)

    def _target(self) -> Callable[[str], None] | None:
        target = _target.get()
        return self._strays.add if target is None and not _is_ours.get() else target


class _Bytes:
    """Where a tool writes bytes."""

    def __init__(self, target: Callable[[str], None]) -> None:
        self._target = target

    def write(self, data: bytes) -> int:
        self._target(bytes(data).decode("utf-8", "replace"))
        return len(data)

    def flush(self) -> None:
        """Nothing is held back."""
