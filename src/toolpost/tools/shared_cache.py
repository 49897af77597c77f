"""The contract of a cache that several processes share. The server hands one in where it has Redis."""

from typing import Protocol


class SharedCache(Protocol):
    """Neither method raises. Without the other server, `get` finds nothing; `put` returns at once."""

    async def get(self, key: str) -> bytes | None: ...
    def put(self, key: str, value: bytes, seconds: float) -> None: ...
