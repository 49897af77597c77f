"""Run sync functions in daemon threads, which never hold up the end of the process.

The executor behind `asyncio.to_thread` is joined when the interpreter exits, so one stuck function would keep the
program alive. These threads are daemons, and an idle one is used again.
"""

import asyncio
import contextvars
import inspect
import os
import queue
import threading
from collections import deque
from collections.abc import Callable
from typing import Any, TypeVar

IDLE_SECONDS = 30.0
MAX_AWAITED = 128

T = TypeVar("T")


async def run_in_thread(function: Callable[[], T]) -> T:
    """Await `function()` in a thread, with the caller's context variables.

    When the awaiting task is cancelled it gets `CancelledError` at once. A thread can't be stopped from outside: it is
    left to finish by itself, its result is dropped, and it no longer counts among the `MAX_AWAITED`.
    """
    job = _Job(function)
    _pool.submit(job)
    try:
        return await job.future
    except asyncio.CancelledError:
        _pool.abandon(job)
        raise


def is_async(function: Callable[..., Any]) -> bool:
    """True if calling it gives a coroutine, as far as that can be seen."""
    return inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(type(function).__call__)


async def call_either(function: Callable[..., Any], *arguments: Any) -> Any:
    """Call a function of the user's, sync or async: a sync one runs in a thread, so that it can't block the loop."""
    if is_async(function):
        return await function(*arguments)
    given = await run_in_thread(lambda: function(*arguments))
    return await given if inspect.isawaitable(given) else given


class _Job:
    def __init__(self, function: Callable[[], Any]) -> None:
        self._function = function
        self._context = contextvars.copy_context()
        self._loop = asyncio.get_running_loop()
        self._error: Exception | None = None
        self._result: Any = None
        self.future: asyncio.Future[Any] = self._loop.create_future()
        self.counted = True

    def run(self) -> None:
        try:
            self._result = self._context.run(self._function)
        except BaseException as error:  # noqa: BLE001 - whatever it is, the one who awaits has to hear of it
            self._error = _contained(error)

    def deliver(self) -> None:
        try:
            self._loop.call_soon_threadsafe(self._settle)
        except RuntimeError:
            return  # the loop is closed: no task waits any more

    def _settle(self) -> None:
        if self.future.done():
            return
        if self._error is None:
            self.future.set_result(self._result)
        else:
            self.future.set_exception(self._error)


def contained_exit(error: BaseException) -> Exception:
    """A tool that calls `sys.exit` ends its call, not the program."""
    return RuntimeError(f"the tool tried to end the program ({type(error).__name__}: {error})")


def _contained(error: BaseException) -> Exception:
    if isinstance(error, StopIteration) or not isinstance(error, Exception):
        contained = RuntimeError(repr(error)) if isinstance(error, StopIteration) else contained_exit(error)
        contained.__cause__ = error
        return contained
    return error


class _Pool:
    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        self._lock = threading.Lock()
        self._idle: list[queue.SimpleQueue[_Job]] = []
        self._backlog: deque[_Job] = deque()
        self._awaited = 0

    def submit(self, job: _Job) -> None:
        with self._lock:
            if self._awaited >= MAX_AWAITED:
                self._backlog.append(job)
                return
            self._start(job)

    def abandon(self, job: _Job) -> None:
        with self._lock:
            if job in self._backlog:
                self._backlog.remove(job)
                return
            self._uncount(job)
            if self._backlog and self._awaited < MAX_AWAITED:
                self._start(self._backlog.popleft())

    def _start(self, job: _Job) -> None:
        self._awaited += 1
        if self._idle:
            self._idle.pop().put(job)
        else:
            threading.Thread(target=self._work, args=(job,), name="toolpost-tool", daemon=True).start()

    def _uncount(self, job: _Job) -> None:
        if job.counted:
            job.counted = False
            self._awaited -= 1

    def _work(self, job: _Job | None) -> None:
        inbox: queue.SimpleQueue[_Job] = queue.SimpleQueue()
        while job is not None:
            job.run()
            following = self._finish(job, inbox)
            # Delivered only now: a task that gets the result and calls again finds this thread idle and uses it.
            job.deliver()
            # An idle thread must not keep the last call's arguments and result alive.
            job = None
            job = following or self._wait(inbox)

    def _finish(self, job: _Job, inbox: "queue.SimpleQueue[_Job]") -> _Job | None:
        with self._lock:
            self._uncount(job)
            if self._backlog and self._awaited < MAX_AWAITED:
                self._awaited += 1
                return self._backlog.popleft()
            self._idle.append(inbox)
            return None

    def _wait(self, inbox: "queue.SimpleQueue[_Job]") -> _Job | None:
        try:
            return inbox.get(timeout=IDLE_SECONDS)
        except queue.Empty:
            pass
        with self._lock:
            if inbox in self._idle:
                self._idle.remove(inbox)
                return None
        return inbox.get()  # it was handed a job just as it gave up waiting


_pool = _Pool()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_pool.reset)
