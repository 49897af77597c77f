"""Filter and limit the messages of an MCP server between the transport and the SDK, and notice when it disconnects.

The SDK refuses a whole list for one bad entry. Here the bad one is taken out and noted, and the others go on.
"""

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from types import TracebackType
from typing import TYPE_CHECKING, Any, cast

import msgspec

from toolpost.types.text import counted

if TYPE_CHECKING:
    from mcp.client._transport import ReadStream, TransportStreams, WriteStream
    from mcp.shared.message import SessionMessage

log = logging.getLogger("toolpost.mcp")

MAX_JUNK_MESSAGES = 1_000  # in a row
MAX_LISTED = 2_000  # entries of one list, over all its pages
MAX_LISTED_BYTES = 16 * 1024 * 1024  # of the same
MAX_PARTS = 1_000  # of one result
MAX_UNANSWERED = 100  # requests of a server at once
LISTS = {
    "tools/list": "tools",
    "prompts/list": "prompts",
    "resources/list": "resources",
    "resources/templates/list": "resourceTemplates",
}
# Where the parts of a call's result, of a prompt and of a resource stand.
PARTS = ("content", "messages", "contents")


class StreamWatch:
    """What is told about a connection: that it ended, with the `reason` where we ended it, and which entries of its
    lists were taken out, and why."""

    def __init__(self, name: str, on_end: Callable[[], None]) -> None:
        self.name = name
        self.on_end = on_end
        self.ended = False
        self.reason = ""
        self.bad_tools: dict[str, str] = {}

        # How many more entries each list may have, and bytes.
        self.room: dict[str, tuple[int, int]] = {}
        self.unanswered = _Unanswered()

    def cut(self, reason: str) -> None:
        """Disconnect because of what the server sent."""
        log.warning("MCP server %s is left: %s", self.name, reason)
        self.reason = self.reason or reason

    def end(self) -> None:
        if not self.ended:
            self.ended = True
            self.on_end()


class _Unanswered:
    """The requests of a server that have no answer yet, by their ids: each waits here with all that it holds."""

    def __init__(self) -> None:
        self._ids: dict[Any, int] = {}
        self.count = 0

    def came(self, message: Any) -> None:
        method, request = getattr(message, "method", None), getattr(message, "id", None)
        if method is not None and request is not None:
            self._ids[request] = self._ids.get(request, 0) + 1
            self.count += 1
        elif method == "notifications/cancelled":
            withdrawn = cast("dict[str, Any]", message.params or {}).get("requestId")
            # Of two with one id only one is ended by this.
            if isinstance(withdrawn, str | int) and self._ids.get(withdrawn) == 1:
                self._drop(withdrawn)

    def went(self, message: Any) -> None:
        request = getattr(message, "id", None)
        if not hasattr(message, "method") and request in self._ids:
            self._drop(request)

    def _drop(self, request: Any) -> None:
        self.count -= 1
        self._ids[request] -= 1
        if not self._ids[request]:
            del self._ids[request]


@asynccontextmanager
async def watched(
    transport: "AbstractAsyncContextManager[TransportStreams]", watch: StreamWatch
) -> "AsyncGenerator[TransportStreams]":
    asked: dict[Any, str] = {}
    async with transport as (read, write):
        yield _Reading(read, watch, asked), _Writing(write, watch, asked)


class _Writing:
    """Notes which requests ask for a list, and which requests of the server are answered."""

    def __init__(self, inner: "WriteStream[SessionMessage]", watch: StreamWatch, asked: dict[Any, str]) -> None:
        self._inner = inner
        self._watch = watch
        self._asked = asked

    async def send(self, item: "SessionMessage", /) -> None:
        method, request = getattr(item.message, "method", ""), getattr(item.message, "id", None)
        if method in LISTS and request is not None:
            self._asked[request] = method
            if not cast("dict[str, Any]", getattr(item.message, "params", None) or {}).get("cursor"):
                self._watch.room[method] = (MAX_LISTED, MAX_LISTED_BYTES)
        await self._inner.send(item)
        self._watch.unanswered.went(item.message)

    async def aclose(self) -> None:
        await self._inner.aclose()

    async def __aenter__(self) -> "_Writing":
        await self._inner.__aenter__()
        return self

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc_val: BaseException | None,
        exc_tb: TracebackType | None,
    ) -> bool | None:
        return await self._inner.__aexit__(exc_type, exc_val, exc_tb)


class _Reading:
    """Hands messages on, sifted; a message that never comes because the stream closed is the end."""

    def __init__(
        self, inner: "ReadStream[SessionMessage | Exception]", watch: StreamWatch, asked: dict[Any, str]
    ) -> None:
        self._inner = inner
        self._watch = watch
        self._asked = asked
        self._junk = 0

    @property
    def last_context(self) -> Any:
        return getattr(self._inner, "last_context", None)

    async def receive(self) -> "SessionMessage | Exception":
        return await self._sifted(await self._or_end(self._inner.receive()))

    async def aclose(self) -> None:
        await self._inner.aclose()

    def __aiter__(self) -> "_Reading":
        return self

    async def __anext__(self) -> "SessionMessage | Exception":
        return await self._sifted(await self._or_end(self._inner.__anext__()))

    async def __aenter__(self) -> "_Reading":
        await self._inner.__aenter__()
        return self

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc_val: BaseException | None,
        exc_tb: TracebackType | None,
    ) -> bool | None:
        return await self._inner.__aexit__(exc_type, exc_val, exc_tb)

    async def _or_end(self, coming: Any) -> "SessionMessage | Exception":
        import anyio

        try:
            item = await coming
            self._junk = self._junk + 1 if isinstance(item, Exception) else 0
            if self._junk >= MAX_JUNK_MESSAGES:
                self._watch.cut(f"it sent {MAX_JUNK_MESSAGES:,} messages that are not valid in the protocol")
                raise anyio.ClosedResourceError
            self._watch.unanswered.came(getattr(item, "message", None))
            if self._watch.unanswered.count > MAX_UNANSWERED:
                self._watch.cut(f"it sent too many requests: {MAX_UNANSWERED} of them are unanswered")
                raise anyio.ClosedResourceError
            return item
        except Exception:  # the stream says in several ways that it is closed, and passes each on
            self._watch.end()
            raise

    async def _sifted(self, item: "SessionMessage | Exception") -> "SessionMessage | Exception":
        message = getattr(item, "message", None)
        result: Any = getattr(message, "result", None)
        method = self._asked.pop(getattr(message, "id", None), "") if message is not None else ""
        if method and isinstance(result, dict):
            # Beside the loop: it looks at every entry.
            await asyncio.to_thread(_sift, method, cast("dict[str, Any]", result), self._watch)
        elif isinstance(result, dict):
            _shorten(cast("dict[str, Any]", result), self._watch)
        return item


def _shorten(result: dict[str, Any], watch: StreamWatch) -> None:
    """Remove the entries of a result that exceed the limit."""
    for key in PARTS:
        parts: Any = result.get(key)
        if isinstance(parts, list) and len(cast("list[Any]", parts)) > MAX_PARTS:
            parts = cast("list[Any]", parts)
            said = f"[left out: {counted(len(parts) - MAX_PARTS, 'more part')}; a result may have {MAX_PARTS:,}]"
            log.warning("MCP server %s, %s of a result: %s", watch.name, key, said)
            result[key] = [*parts[:MAX_PARTS], *([{"type": "text", "text": said}] if key == "content" else ())]


def _sift(method: str, result: dict[str, Any], watch: StreamWatch) -> None:
    """Take out of `result` what is too much and what the SDK would refuse, unless it would refuse the rest as well."""
    key = LISTS[method]
    if not isinstance(result.get(key), list) or _refusal(method, {**result, key: []}):
        return
    kept: list[Any] = []
    for place, entry in enumerate(_within(method, result, watch)):
        if key == "tools":
            _complete(entry)
        problem = _refusal(method, {**result, key: [entry]})
        if not problem:
            kept.append(entry)
            continue
        name = _name(entry) or f"#{place + 1}"
        log.warning("MCP server %s: %s %s is left out: %s", watch.name, key, name, problem)
        if key == "tools":
            watch.bad_tools[name] = problem
    result[key] = kept


def _within(method: str, result: dict[str, Any], watch: StreamWatch) -> list[Any]:
    """The entries for which the list has room. With the first that is too much it ends, and no other page is asked
    for."""
    key = LISTS[method]
    entries = cast("list[Any]", result[key])
    count, size = watch.room.get(method, (0, 0))
    kept: list[Any] = []
    for entry in entries[:count]:
        size -= _size(entry)
        if size < 0:
            break
        kept.append(entry)
    watch.room[method] = (count - len(kept), size)
    if len(kept) < len(entries):
        result.pop("nextCursor", None)
        reason = f"a server may list {MAX_LISTED:,}, with {MAX_LISTED_BYTES // 1024**2} MB in all"
        log.warning("MCP server %s: %s: all after the first of %d are left out: %s", watch.name, key, len(kept), reason)
        if key == "tools":
            watch.bad_tools[f"{len(entries) - len(kept):,} more"] = reason
    return kept


def _size(entry: Any) -> int:
    try:
        return len(msgspec.json.encode(entry))
    except (ValueError, OverflowError, RecursionError):
        # Numbers and letters that are JSON to some and not to others.
        return len(ascii(entry))


def _complete(tool: Any) -> None:
    """The protocol wants `"type": "object"`; some servers leave it out where there is nothing to say."""
    schema: Any = cast("dict[str, Any]", tool).get("inputSchema") if isinstance(tool, dict) else None
    if isinstance(schema, dict):
        cast("dict[str, Any]", schema).setdefault("type", "object")


def _refusal(method: str, result: dict[str, Any]) -> str:
    # Imported here: see transports.py.
    from mcp.types import methods
    from mcp.types.version import LATEST_HANDSHAKE_VERSION, LATEST_MODERN_VERSION
    from pydantic import ValidationError

    version = LATEST_MODERN_VERSION if "resultType" in result else LATEST_HANDSHAKE_VERSION
    try:
        methods.validate_server_result(method, version, result)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(str(step) for step in first["loc"] if not isinstance(step, int))
        return f"{place.removeprefix(f'{LISTS[method]}.')}: {first['msg']}"
    return ""


def _name(entry: Any) -> str:
    name: Any = cast("dict[str, Any]", entry).get("name") if isinstance(entry, dict) else None
    return name if isinstance(name, str) else ""
