"""Those who only watch: they see every event and can't hold up or break a run."""

import asyncio
import inspect
import logging
from collections import deque
from collections.abc import Awaitable, Callable

from toolpost.types.events import Event

log = logging.getLogger("toolpost.engine")
QUEUE_MAX = 10_000


def guarded(listener: Callable[[Event], object]) -> Callable[[Event], None]:
    """A listener whose failure is logged instead of raised; a coroutine function is served in order, beside the run."""
    if inspect.iscoroutinefunction(listener):
        return EventWatcher(listener).put

    def call(event: Event) -> None:
        try:
            listener(event)
        except Exception:  # a watcher must not break the run
            log.exception("a subscriber failed on %s", event.type)

    return call


class EventWatcher:
    """Hands events to a coroutine function one after another. Too slow for its queue, it is cut off."""

    def __init__(self, handle: Callable[[Event], Awaitable[object]]) -> None:
        self._handle = handle
        self._events: deque[Event] = deque()
        self._task: asyncio.Task[None] | None = None
        self._cut = False

    def put(self, event: Event) -> None:
        if self._cut:
            return
        if len(self._events) >= QUEUE_MAX:
            self._cut = True
            log.warning("a subscriber of session %s is too slow and gets no more events", event.session_id)
            return
        self._events.append(event)
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._work())

    async def drained(self) -> None:
        if self._task is not None:
            await asyncio.wait({self._task})

    async def _work(self) -> None:
        while self._events:
            event = self._events.popleft()
            try:
                await self._handle(event)
            except Exception:  # a watcher must not break the run
                log.exception("a subscriber failed on %s", event.type)
