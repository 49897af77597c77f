"""Detect async tools that block the event loop, and hold them to their timeout.

While a coroutine blocks, no timer of its loop can fire. So each step of a call's coroutine is timed as it is made, and
one thread for the whole process looks at the calls that run: it can still say, while the loop stands, which tool
blocks it and where.
"""

import logging
import os
import sys
import threading
import time
import traceback
from collections.abc import Callable, Coroutine, Generator
from typing import Any, TypeVar

log = logging.getLogger("toolpost.tools")
T = TypeVar("T")

# A step that takes longer is one that blocks: nothing else of the loop moves meanwhile.
BLOCKED_SECONDS = 1.0
LOOK_SECONDS = 0.25
# With nothing to watch for so many looks, the thread sleeps until the next call.
IDLE_LOOKS = 40
SHOWN_FRAMES = 8


class CallWatch:
    """One call's coroutine. `overran` is true once it blocked the loop beyond `deadline`, a `time.monotonic()`;
    `on_overrun` is called then, maybe from another thread and while it still blocks."""

    def __init__(self, name: str, deadline: float, on_overrun: Callable[[], None] = lambda: None) -> None:
        self.name = name
        self.overran = False
        self._deadline = deadline
        self._on_overrun = on_overrun
        self._thread = threading.get_ident()
        self._began = 0.0
        self._told = 0.0

    async def over(self, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """Await what `work` gives, with each of its steps timed."""
        _watchdog.add(self)
        try:
            return await _Steps(work(), self)
        finally:
            _watchdog.remove(self)

    def step_begins(self) -> None:
        self._began = time.monotonic()

    def step_ends(self) -> None:
        began, self._began = self._began, 0.0
        now = time.monotonic()
        if began <= self._deadline < now:
            self._overrun()
        elif now - began < BLOCKED_SECONDS:
            return
        # Also where nothing could be said before: code in C may keep every other thread from running.
        past = " and its timeout passed meanwhile" if self.overran else ""
        log.warning(
            "the tool %s blocked the event loop for %.1f s%s: make it a sync function, which runs in a thread, or "
            "await what it waits for",
            self.name,
            now - began,
            past,
        )

    def look(self) -> None:
        """Called by the watchdog's thread."""
        began, now = self._began, time.monotonic()
        if not began:
            return
        if began <= self._deadline < now:
            self._overrun()
        if now - began >= BLOCKED_SECONDS and self._told != began:
            self._told = began
            where = _stack_of(self._thread)
            log.warning("the tool %s has blocked the event loop for %.1f s, at\n%s", self.name, now - began, where)

    def _overrun(self) -> None:
        if not self.overran:
            self.overran = True
            self._on_overrun()


class _Steps:
    """Makes the steps of a coroutine, as `await` would, and says when each begins and ends."""

    __slots__ = ("_watch", "_work")

    def __init__(self, work: Coroutine[Any, Any, T], watch: CallWatch) -> None:
        self._work = work
        self._watch = watch

    def __await__(self) -> Generator[Any, Any, Any]:
        work, watch = self._work, self._watch
        thrown: BaseException | None = None
        while True:
            watch.step_begins()
            try:
                waits_for = work.send(None) if thrown is None else work.throw(thrown)
            except StopIteration as done:
                return done.value
            finally:
                watch.step_ends()
            thrown = None
            try:
                yield waits_for
            except GeneratorExit:
                work.close()
                raise
            except BaseException as error:  # noqa: BLE001 - a cancellation, or what the awaited thing raises
                thrown = error


class _Watchdog:
    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        self._lock = threading.Lock()
        self._wake = threading.Event()
        self._watches: dict[int, CallWatch] = {}
        self._thread: threading.Thread | None = None
        self._awake = False

    def add(self, watch: CallWatch) -> None:
        self._watches[id(watch)] = watch
        if not self._awake:
            self._rouse()

    def remove(self, watch: CallWatch) -> None:
        self._watches.pop(id(watch), None)

    def _rouse(self) -> None:
        with self._lock:
            self._awake = True
            self._wake.set()
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="toolpost-watchdog", daemon=True)
                self._thread.start()

    def _work(self) -> None:
        idle = 0
        while True:
            time.sleep(LOOK_SECONDS)
            for watch in list(self._watches.values()):
                watch.look()
            idle = 0 if self._watches else idle + 1
            if idle >= IDLE_LOOKS:
                self._sleep()
                idle = 0

    def _sleep(self) -> None:
        with self._lock:
            self._awake = bool(self._watches)
            if self._awake:
                return
            self._wake.clear()
        self._wake.wait()


def _stack_of(thread: int) -> str:
    """Where a thread is, its innermost frames."""
    frame = sys._current_frames().get(thread)  # pyright: ignore[reportPrivateUsage]
    if frame is None:
        return "  (nowhere)"
    return "".join(traceback.format_list(traceback.extract_stack(frame)[-SHOWN_FRAMES:])).rstrip()


_watchdog = _Watchdog()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_watchdog.reset)
