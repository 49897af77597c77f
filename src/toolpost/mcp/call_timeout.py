"""Time out a call when its server is silent for too long, and report the progress of the call."""

import asyncio
from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from toolpost.tools.define import ToolContext

from .tools import one_line

if TYPE_CHECKING:
    from mcp.shared.dispatcher import ProgressFnT

MAX_MESSAGE = 500
MAX_UPDATES = 1_000


class SilenceTimeout:
    """A timeout around what a call waits for. Progress renews it, and it is paused while we answer the server.
    `is_over` says whether it ended the call."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._limit = asyncio.timeout(seconds)
        self._answering = 0
        self._entered = False

    async def __aenter__(self) -> None:
        await self._limit.__aenter__()
        self._entered = True

    async def __aexit__(self, *failure: object) -> None:
        self._entered = False
        await self._limit.__aexit__(*failure)  # pyright: ignore[reportArgumentType]

    @property
    def is_over(self) -> bool:
        return self._limit.expired()

    def renew(self) -> None:
        """Renew the timeout: the server has made progress."""
        if self._entered and not self._answering and not self._limit.expired():
            self._limit.reschedule(asyncio.get_running_loop().time() + self.seconds)

    @contextmanager
    def held(self) -> Generator[None]:
        """Pause the timeout while the server waits for our answer."""
        self._answering += 1
        if self._entered and not self._limit.expired():
            self._limit.reschedule(None)
        try:
            yield
        finally:
            self._answering -= 1
            self.renew()


def progress_of(ctx: ToolContext, patience: SilenceTimeout) -> "ProgressFnT":
    """The progress callback of one call. Updates are stored with the session, so only so many are taken."""
    left = MAX_UPDATES

    async def on_progress(progress: float, total: float | None, message: str | None) -> None:
        nonlocal left
        patience.renew()
        left -= 1
        if left < 0:
            return
        share = f"{progress:g}/{total:g}" if total else f"{progress:g}"
        said = one_line((message or "")[:MAX_MESSAGE])
        ctx.update(f"{said or share}\n", {"progress": progress, "total": total, "message": said or None})

    return on_progress
