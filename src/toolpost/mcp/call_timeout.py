"""How long a server may be silent during a call: progress renews it, and while we answer the server it stands still."""

import asyncio
from collections.abc import Generator
from contextlib import contextmanager


class Patience:
    """Entered by the task of a call, around what it waits for; `is_over` says why it was left."""

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
        """The server has shown that it works."""
        if self._entered and not self._answering and not self._limit.expired():
            self._limit.reschedule(asyncio.get_running_loop().time() + self.seconds)

    @contextmanager
    def held(self) -> Generator[None]:
        """The server waits for us meanwhile."""
        self._answering += 1
        if self._entered and not self._limit.expired():
            self._limit.reschedule(None)
        try:
            yield
        finally:
            self._answering -= 1
            self.renew()
