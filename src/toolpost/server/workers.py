"""Worker processes that serve on one socket: a small parent forks, restarts and stops them.

A worker is a fork of its parent and inherits the socket. So the parent has no threads, no event loop and no connection:
it only waits.
"""

import asyncio
import contextlib
import logging
import os
import selectors
import signal
import sys
import time
from collections.abc import Callable, Generator, Iterator

from toolpost.types.errors import ConfigError, ToolpostError
from toolpost.types.text import counted

MAX_WORKERS = 64
# A worker that ends sooner than this, or before it listens, counts as one that ended at once.
AT_ONCE_SECONDS = 2.0
MAX_ENDS_AT_ONCE = 5
FIRST_PAUSE_SECONDS = 0.1
MAX_PAUSE_SECONDS = 5.0
# What has not ended so long after the signal is killed.
STOP_SECONDS = 9.5

log = logging.getLogger("toolpost.server")


class Worker:
    """What a worker knows of itself. `number` is its place, from 1; the worker that replaces it gets the same.

    Of all the workers only one, once, `is_first`: what is to be told at the start is told by that one.
    """

    def __init__(self, number: int, *, is_first: bool, words: int, parent: int) -> None:
        self.number = number
        self.is_first = is_first
        self._words = words
        self._parent = parent

    def tell_listening(self, told: str = "") -> None:
        """Say to the parent, once, that this worker takes connections. `told` is short."""
        os.write(self._words, f"{told}\n".encode())
        os.close(self._words)

    def end_with_parent(self) -> None:
        """From now on, in this event loop, do as after SIGTERM where the parent has died without a word."""
        asyncio.get_running_loop().add_reader(self._parent, self._orphaned)

    def _orphaned(self) -> None:
        asyncio.get_running_loop().remove_reader(self._parent)
        log.warning("the parent of worker %d is gone, and so it ends", self.number)
        os.kill(os.getpid(), signal.SIGTERM)


Work = Callable[[Worker], int]


def supervise(
    count: int, work: Work, on_listening: Callable[[str], object], tell: Callable[[str], object] = log.warning
) -> int:
    """Do `work` in `count` processes until SIGTERM or Ctrl-C ends them all; gives the exit status.

    `on_listening` is called once, when all of them listen, with what the first has told. A worker that ends is
    followed by another, of which a person is told. One that can't even begin says why itself; then all is over, and its
    status is ours. A second signal is passed on, too: it ends what is still given time.
    """
    if not hasattr(os, "fork"):
        raise ConfigError("this system can't run several workers: serve with one, and start several servers")
    return _Supervisor(count, work, on_listening, tell).run()


class _Slot:
    """The place of one worker, and the process in it."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.process: int | None = None
        self.began = 0.0
        self.due: float | None = None
        self.words: int | None = None
        self.is_listening = False
        self.ends_at_once = 0

    def pause(self) -> float:
        return min(FIRST_PAUSE_SECONDS * 2**self.ends_at_once, MAX_PAUSE_SECONDS)


class _Supervisor:
    def __init__(
        self, count: int, work: Work, on_listening: Callable[[str], object], tell: Callable[[str], object]
    ) -> None:
        self._places = [_Slot(number) for number in range(1, count + 1)]
        self._work = work
        self._on_listening = on_listening
        self._tell = tell
        self._told = ""
        self._all_listened = False
        self._kill_at: float | None = None
        self._status = 0
        self._failure = ""
        self._life = os.pipe()
        self._signals = _Signals()
        self._selector = selectors.PollSelector()

    def run(self) -> int:
        self._selector.register(self._signals.fileno, selectors.EVENT_READ)
        try:
            with self._signals.caught():
                self._start(self._places[0], is_first=True)
                while self._kill_at is None or self._running:
                    self._wait()
                    for _ in self._signals.taken():
                        self._stop()
                    self._reap()
                    self._start_due()
                    self._kill_late()
        finally:
            self._close()
        if self._failure:
            raise ToolpostError(self._failure)
        return self._status

    @property
    def _running(self) -> list[_Slot]:
        return [place for place in self._places if place.process is not None]

    def _wait(self) -> None:
        """Until a signal comes, a worker says that it listens, or the time for something has come."""
        times = [place.due for place in self._places if place.due is not None]
        times += [] if self._kill_at is None else [self._kill_at]
        timeout = max(0.0, min(times) - time.monotonic()) if times else None
        for key, _ in self._selector.select(timeout):
            if isinstance(key.data, _Slot):
                self._read_ready(key.data)

    def _read_ready(self, place: _Slot) -> None:
        """A worker says that it listens; or nothing any more, where it ended before."""
        assert place.words is not None
        said = os.read(place.words, 4096)
        self._forget_words(place)
        if not said or self._kill_at is not None:
            return
        place.is_listening = True
        if self._all_listened:
            return
        if place is self._places[0]:
            self._told = said.decode().rstrip("\n")
            # The others only now: what has to be fetched or made at the first start is there for them.
            for other in self._places[1:]:
                other.due = None if other.process else time.monotonic()
        if all(other.is_listening for other in self._places):
            self._all_listened = True
            self._on_listening(self._told)

    def _reap(self) -> None:
        """See which workers have ended."""
        for place in self._running:
            assert place.process is not None
            process, status = os.waitpid(place.process, os.WNOHANG)
            if process:
                place.process = None
                self._ended(place, process, os.waitstatus_to_exitcode(status))

    def _ended(self, place: _Slot, process: int, status: int) -> None:
        was_listening, place.is_listening = place.is_listening, False
        self._forget_words(place)
        if self._kill_at is not None:
            return
        if status > 0 and not was_listening and not self._all_listened:
            self._status = status
            self._stop()
            return
        at_once = not was_listening or time.monotonic() - place.began < AT_ONCE_SECONDS
        place.ends_at_once = place.ends_at_once + 1 if at_once else 0
        how = f"was ended by {signal.Signals(-status).name}" if status < 0 else f"ended with status {status}"
        if place.ends_at_once >= MAX_ENDS_AT_ONCE:
            self._failure = (
                f"worker {place.number} {how}, as soon as it was started, {MAX_ENDS_AT_ONCE} times one after another: "
                "the log may say why; a server with --workers 1 shows it"
            )
            self._stop()
            return
        self._tell(f"worker {place.number} (process {process}) {how}: another takes its place")
        place.due = time.monotonic() + place.pause()

    def _start_due(self) -> None:
        for place in self._places:
            if place.due is not None and place.due <= time.monotonic():
                # Who takes the first one's place before all have listened has to tell what the first did not.
                self._start(place, is_first=place is self._places[0] and not self._all_listened)

    def _start(self, place: _Slot, *, is_first: bool) -> None:
        heard, words = os.pipe()
        place.due, place.began = None, time.monotonic()
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        with _signals_held():
            process = os.fork()
            if not process:
                self._let_go_of_parent()
        if not process:
            os.close(heard)
            os._exit(_worked(self._work, Worker(place.number, is_first=is_first, words=words, parent=self._life[0])))
        os.close(words)
        place.process, place.words = process, heard
        self._selector.register(heard, selectors.EVENT_READ, place)

    def _let_go_of_parent(self) -> None:
        """In the worker, before any signal can reach it: its signals and files are its own."""
        # Ctrl-C in a terminal goes to all of a group: the parent passes it on, and who hears it twice ends at once.
        os.setpgid(0, 0)
        self._signals.give_up()
        os.close(self._life[1])
        for place in self._places:
            if place.words is not None:
                os.close(place.words)
        self._selector.close()

    def _stop(self) -> None:
        self._kill_at = self._kill_at or time.monotonic() + STOP_SECONDS
        self._send(signal.SIGTERM)
        for place in self._places:
            place.due = None

    def _kill_late(self) -> None:
        if self._kill_at is not None and time.monotonic() >= self._kill_at and self._running:
            late = counted(len(self._running), "worker")
            self._tell(f"{late} did not end within {STOP_SECONDS:g} s and will be killed")
            self._send(signal.SIGKILL)
            self._kill_at = time.monotonic() + STOP_SECONDS

    def _send(self, number: signal.Signals) -> None:
        for place in self._running:
            assert place.process is not None
            os.kill(place.process, number)

    def _forget_words(self, place: _Slot) -> None:
        if place.words is not None:
            self._selector.unregister(place.words)
            os.close(place.words)
            place.words = None

    def _close(self) -> None:
        """Kill the workers that are left after an error in the parent."""
        self._send(signal.SIGKILL)
        for place in self._running:
            assert place.process is not None
            os.waitpid(place.process, 0)
            self._forget_words(place)
        self._selector.close()
        self._signals.close()
        for end in self._life:
            os.close(end)


class _Signals:
    """Signals as something that can be waited for together with pipes."""

    def __init__(self) -> None:
        self.fileno, self._wake = os.pipe()
        for end in (self.fileno, self._wake):
            os.set_blocking(end, False)
        self._came: list[int] = []

    @contextlib.contextmanager
    def caught(self) -> Generator[None]:
        # The end of a child only has to wake the selector, for which the signal must not be ignored.
        before = {signal.SIGCHLD: signal.signal(signal.SIGCHLD, lambda _, __: None)}
        for number in (signal.SIGTERM, signal.SIGINT):
            before[number] = signal.signal(number, lambda came, _: self._came.append(came))
        woken = signal.set_wakeup_fd(self._wake, warn_on_full_buffer=False)
        try:
            yield
        finally:
            signal.set_wakeup_fd(woken)
            for number, handler in before.items():
                signal.signal(number, handler)

    def taken(self) -> Iterator[int]:
        """SIGTERM and SIGINT, as often as they came since the last time."""
        with contextlib.suppress(BlockingIOError):
            while os.read(self.fileno, 4096):
                pass
        while self._came:
            yield self._came.pop(0)

    def give_up(self) -> None:
        """In a fork: signals do again what they usually do."""
        signal.set_wakeup_fd(-1)
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGCHLD):
            signal.signal(number, signal.SIG_DFL)
        self.close()

    def close(self) -> None:
        os.close(self.fileno)
        os.close(self._wake)


@contextlib.contextmanager
def _signals_held() -> Generator[None]:
    """Hold signals back for a moment."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGTERM, signal.SIGINT, signal.SIGCHLD))
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _worked(work: Work, worker: Worker) -> int:
    """Do the work of a worker, all that is left of its process, and give its exit status."""
    status = 1
    try:
        status = work(worker)
    except BaseException:
        log.exception("worker %d failed", worker.number)
    with contextlib.suppress(OSError, ValueError):
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
    logging.shutdown()
    return status
