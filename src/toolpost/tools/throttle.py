"""Rate limits and result caches of tools."""

import asyncio
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from typing import Any

from .define import RateLimit, Tool

# A shorter wait is not worth a word.
TOLD_SECONDS = 1.0


class Throttles:
    """The limiters and caches of an agent's tools: all its sessions share them."""

    def __init__(self) -> None:
        self._limiters: dict[str, RateLimiter] = {}
        self._caches: dict[str, ResultCache] = {}

    def limiter(self, tool: Tool) -> "RateLimiter | None":
        if tool.rate_limit is None:
            return None
        if tool.name not in self._limiters:
            self._limiters[tool.name] = RateLimiter(tool.rate_limit)
        return self._limiters[tool.name]

    def cache(self, tool: Tool) -> "ResultCache | None":
        if not tool.cache:
            return None
        if tool.name not in self._caches:
            self._caches[tool.name] = ResultCache(tool.cache)
        return self._caches[tool.name]


class RateLimiter:
    """At most `calls` in any `seconds`, first come first served. Cancelling a waiting call gives up its place."""

    def __init__(self, limit: RateLimit) -> None:
        self._calls = max(1, limit.calls)
        self._seconds = limit.seconds
        self._granted: deque[float] = deque()
        self._waiting: deque[object] = deque()

    async def wait(self, tell: Callable[[float], object] = lambda seconds: None) -> None:
        """Return when the call may begin. Who has to wait is told once, with the seconds until there may be room."""
        place, told = object(), False
        self._waiting.append(place)
        try:
            while True:
                delay = self._delay(self._waiting.index(place))
                if delay <= 0:
                    break
                if delay >= TOLD_SECONDS and not told:
                    told = True
                    tell(delay)
                await asyncio.sleep(delay)
            self._granted.append(time.monotonic())
        finally:
            self._waiting.remove(place)

    def _delay(self, before: int) -> float:
        """Nothing if a call with `before` others ahead of it has room now, else the seconds until the next room."""
        now = time.monotonic()
        while self._granted and self._granted[0] + self._seconds <= now:
            self._granted.popleft()
        if len(self._granted) + before < self._calls:
            return 0.0
        # With nothing granted, those ahead are about to wake: they go first.
        return self._granted[0] + self._seconds - now if self._granted else 0.001


class ResultCache:
    """Results by key for a number of seconds; the least recently used goes when there are too many."""

    def __init__(self, seconds: float, size: int = 256) -> None:
        self._seconds = seconds
        self._size = size
        self._entries: OrderedDict[str, tuple[float, Any]] = OrderedDict()

    def get(self, key: str) -> Any | None:
        entry = self._entries.get(key)
        if entry is None:
            return None
        until, value = entry
        if time.monotonic() >= until:
            del self._entries[key]
            return None
        self._entries.move_to_end(key)
        return value

    def put(self, key: str, value: Any) -> None:
        self._entries[key] = (time.monotonic() + self._seconds, value)
        self._entries.move_to_end(key)
        while len(self._entries) > self._size:
            self._entries.popitem(last=False)

    def __len__(self) -> int:
        return len(self._entries)
