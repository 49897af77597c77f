"""Event listeners: they get every event, and can't hold up or break a run."""

import asyncio
import inspect
import logging
from collections import deque
from collections.abc import Awaitable, Callable

from toolpost.tools.threads import is_async
from toolpost.types.events import Event

log = logging.getLogger("toolpost.engine")
QUEUE_MAX = 10_000


class Listening:
    """One listener: a function, which is called at once, or one that gives coroutines. These are awaited one after the
    other, in the order of the events. What fails is logged; too slow for its queue, a listener is cut off."""

    def __init__(self, listener: Callable[[Event], object]) -> None:
        self._listener = listener
        self._is_async = is_async(listener)
        self._waiting: deque[tuple[Event, Awaitable[object] | None]] = deque()
        self._task: asyncio.Task[None] | None = None
        self._is_cut = False

    def hear(self, event: Event) -> None:
        if self._is_async:
            self._put(event, None)
            return
        try:
            given = self._listener(event)
        except Exception:  # a listener must not break the run
            log.exception("a subscriber failed on %s", event.type)
            return
        if inspect.isawaitable(given):
            self._put(event, given)

    async def done(self, seconds: float) -> None:
        """Wait until it has heard all, but no longer than this. From inside itself there is nothing to wait for."""
        task = self._task
        if task is None or task.done() or task is asyncio.current_task():
            return
        await asyncio.wait({task}, timeout=seconds)
        if not task.done():
            log.warning("a subscriber still works on its events after %g s and is not waited for any longer", seconds)

    def _put(self, event: Event, given: Awaitable[object] | None) -> None:
        if self._is_cut or len(self._waiting) >= QUEUE_MAX:
            if inspect.iscoroutine(given):
                given.close()
            if not self._is_cut:
                self._is_cut = True
                log.warning("a subscriber of session %s is too slow and gets no more events", event.session_id)
            return
        self._waiting.append((event, given))
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._work())

    async def _work(self) -> None:
        while self._waiting:
            event, given = self._waiting.popleft()
            try:
                given = self._listener(event) if given is None else given
                if inspect.isawaitable(given):
                    await given
            except Exception:  # a listener must not break the run
                log.exception("a subscriber failed on %s", event.type)
