"""Helpers for asyncio tasks: finish work despite a cancellation, and stop work within a time."""

import asyncio
import logging
from collections.abc import Coroutine
from typing import Any, TypeVar

log = logging.getLogger("toolpost.engine")
T = TypeVar("T")

# Tasks that did not stop when told to: held so that they are not collected while running.
_stray: set[asyncio.Task[Any]] = set()


async def uninterrupted(work: Coroutine[Any, Any, T]) -> T:
    """Await `work` to its end even if this task is cancelled meanwhile; the cancellation is raised afterwards."""
    task = asyncio.ensure_future(work)
    cancelled: asyncio.CancelledError | None = None
    while not task.done():
        try:
            await asyncio.shield(task)
        except asyncio.CancelledError as error:
            if task.cancelled():
                raise
            cancelled = error
        except Exception:  # noqa: BLE001 - raised below, from the task itself
            break
    if cancelled is not None:
        task.exception()
        raise cancelled
    return task.result()


def run_blocking(work: Coroutine[Any, Any, T]) -> T:
    """Run `work` in a loop of its own: the thin sync face over the async core."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work)
    work.close()
    raise RuntimeError("an event loop is running here: await the async method instead of the _sync one")


async def stop(task: asyncio.Task[Any], grace: float) -> None:
    """Cancel a task and wait for its end, but no longer than `grace`: what ignores cancellation is left behind."""
    task.cancel()
    try:
        await asyncio.wait({task}, timeout=grace)
    finally:
        if not task.done():
            log.warning("%s ignored its cancellation and was left behind", task.get_name())
            _stray.add(task)
            task.add_done_callback(_forget)


async def stopped(task: asyncio.Task[None] | None) -> None:
    """Cancel a task, if it still runs, and wait for its end."""
    if task is not None and not task.done():
        task.cancel()
        await asyncio.wait({task})


def _forget(task: asyncio.Task[Any]) -> None:
    _stray.discard(task)
    if not task.cancelled():
        task.exception()
