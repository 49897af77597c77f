"""Cache the answers to identical deterministic requests. Off unless the settings set a time."""

import hashlib
import time
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from typing import Protocol, cast

import msgspec

from toolpost.config.schema import CacheSettings
from toolpost.types.stream import StreamEvent

from .lru import LruCache
from .output import Done, OutputEvent, Relayed, ServerCall, ServerProgress, ServerResult
from .request import GatewayRequest

HEADER = "x-toolpost-cache"
_WHOLE = ("stop", "tool-calls")
_RAN_HERE = (ServerCall, ServerProgress, ServerResult)


class CacheStore(Protocol):
    """Where cached answers are stored. Neither method raises; `put` returns at once."""

    async def get(self, key: str) -> bytes | None: ...
    def put(self, key: str, value: bytes, seconds: float) -> None: ...


class LocalCacheStore:
    """Cache in the memory of this process, up to a size; the least recently used entry goes first."""

    def __init__(self, most_bytes: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._entries = LruCache(most_bytes)
        self._clock = clock

    async def get(self, key: str) -> bytes | None:
        held = self._entries.get(key)
        if held is None:
            return None
        until, value = msgspec.msgpack.decode(held, type=tuple[float, bytes])
        return value if self._clock() < until else None

    def put(self, key: str, value: bytes, seconds: float) -> None:
        self._entries.put(key, msgspec.msgpack.encode((self._clock() + seconds, value)))


class AnswerCache:
    def __init__(self, settings: CacheSettings, keeper: CacheStore) -> None:
        self._settings = settings
        self._keeper = keeper

    def key(self, asked: GatewayRequest, user: str, models: Sequence[str]) -> str:
        """Return the cache key of a request, or "" if its answer is not cached: requests with their own MCP servers run
        tools, and a stored conversation is different each time."""
        if not self._settings.seconds or not _is_deterministic(asked) or asked.mcp.servers:
            return ""
        if asked.body.get("conversation") is not None:
            return ""
        scope = None if self._settings.shared else user
        told = (scope, asked.wire, models, asked.body, asked.options, asked.mcp.is_shown)
        return hashlib.sha256(msgspec.msgpack.encode(told, order="deterministic")).hexdigest()

    async def find(self, key: str) -> Sequence[OutputEvent] | None:
        data = await self._keeper.get(key)
        try:
            kept = None if data is None else msgspec.msgpack.decode(data, type=_Kept)
        except msgspec.MsgspecError:
            # Another version of Toolpost kept it.
            return None
        if kept is None:
            return None
        if kept.data:
            return [Relayed(kept.data, is_last=True), kept.done]
        return [*cast("list[OutputEvent]", kept.events), kept.done]

    async def keeping(self, key: str, outs: AsyncGenerator[OutputEvent, None]) -> AsyncGenerator[OutputEvent, None]:
        """Pass an answer on, and cache it if it ends well and is small enough."""
        seen: list[OutputEvent] = []
        size = 0
        async with aclosing(outs):
            async for out in outs:
                # Nearly all of it; the rest is weighed when it is kept.
                size += len(out.data) if isinstance(out, Relayed) else len(getattr(out, "text", ""))
                if size > self._settings.most_bytes:
                    seen.clear()
                elif isinstance(out, Done):
                    # Before it is told: who has heard the end may ask again at once.
                    self._keep(key, seen, out)
                else:
                    seen.append(out)
                yield out

    def _keep(self, key: str, outs: Sequence[OutputEvent], done: Done) -> None:
        if done.reason not in _WHOLE or any(isinstance(out, _RAN_HERE) for out in outs):
            return
        relayed = b"".join(out.data for out in outs if isinstance(out, Relayed))
        events = [] if relayed else cast("list[StreamEvent]", outs)
        data = msgspec.msgpack.encode(_Kept(done, events, relayed))
        if len(data) <= self._settings.most_bytes:
            self._keeper.put(key, data, self._settings.seconds)


class _Kept(msgspec.Struct, frozen=True):
    """`data` is an answer that was passed on as it came, and is sent again like that; any other answer is in
    `events`."""

    done: Done
    events: list[StreamEvent]
    data: bytes


async def replay(outs: Sequence[OutputEvent]) -> AsyncGenerator[OutputEvent, None]:
    for out in outs:
        yield out


def _is_deterministic(asked: GatewayRequest) -> bool:
    return asked.options.get("temperature") == 0 or asked.options.get("seed") is not None
