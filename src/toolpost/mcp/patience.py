"""How long a server may be silent during a call: progress renews it, and while we answer the server it stands still."""

import asyncio
from collections.abc import Generator
from contextlib import contextmanager


class Patience:
    """Made inside the task of a call; `limit` is to be entered there."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.limit = asyncio.timeout(seconds)
        self._answering = 0
        self._entered = False

    async def __aenter__(self) -> None:
        await self.limit.__aenter__()
        self._entered = True

    async def __aexit__(self, *failure: object) -> None:
        self._entered = False
        await self.limit.__aexit__(*failure)  # pyright: ignore[reportArgumentType]

    @property
    def is_over(self) -> bool:
        return self.limit.expired()

    def renew(self) -> None:
        """The server has shown that it works."""
        if self._entered and not self._answering and not self.limit.expired():
            self.limit.reschedule(asyncio.get_running_loop().time() + self.seconds)

    @contextmanager
    def held(self) -> Generator[None]:
        """The server waits for us meanwhile."""
        self._answering += 1
        if self._entered and not self.limit.expired():
            self.limit.reschedule(None)
        try:
            yield
        finally:
            self._answering -= 1
            self.renew()
