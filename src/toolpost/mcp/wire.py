"""Between a transport and the SDK's session: notices when the connection ends, and takes out entries that are broken.

The SDK refuses a whole list for one bad entry. Here the bad one is taken out and noted, and the others go on.
"""

import logging
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from types import TracebackType
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from mcp.client._transport import ReadStream, TransportStreams, WriteStream
    from mcp.shared.message import SessionMessage

log = logging.getLogger("toolpost.mcp")

MOST_JUNK_MESSAGES = 1_000  # in a row
LISTS = {
    "tools/list": "tools",
    "prompts/list": "prompts",
    "resources/list": "resources",
    "resources/templates/list": "resourceTemplates",
}


class Watch:
    """What is told about a connection: that it ended, with the `reason` where we ended it, and which entries of its
    lists were taken out, and why."""

    def __init__(self, name: str, on_end: Callable[[], None]) -> None:
        self.name = name
        self.on_end = on_end
        self.ended = False
        self.reason = ""
        self.bad_tools: dict[str, str] = {}

    def cut(self, reason: str) -> None:
        """It is left because of what the server does."""
        log.warning("MCP server %s is left: %s", self.name, reason)
        self.reason = self.reason or reason

    def end(self) -> None:
        if not self.ended:
            self.ended = True
            self.on_end()


@asynccontextmanager
async def watched(
    transport: "AbstractAsyncContextManager[TransportStreams]", watch: Watch
) -> "AsyncGenerator[TransportStreams]":
    asked: dict[Any, str] = {}
    async with transport as (read, write):
        yield _Reading(read, watch, asked), _Writing(write, asked)


class _Writing:
    """Notes which requests ask for a list."""

    def __init__(self, inner: "WriteStream[SessionMessage]", asked: dict[Any, str]) -> None:
        self._inner = inner
        self._asked = asked

    async def send(self, item: "SessionMessage", /) -> None:
        method, request = getattr(item.message, "method", ""), getattr(item.message, "id", None)
        if method in LISTS and request is not None:
            self._asked[request] = method
        await self._inner.send(item)

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

    def __init__(self, inner: "ReadStream[SessionMessage | Exception]", watch: Watch, asked: dict[Any, str]) -> None:
        self._inner = inner
        self._watch = watch
        self._asked = asked
        self._junk = 0

    @property
    def last_context(self) -> Any:
        return getattr(self._inner, "last_context", None)

    async def receive(self) -> "SessionMessage | Exception":
        return self._sifted(await self._or_end(self._inner.receive()))

    async def aclose(self) -> None:
        await self._inner.aclose()

    def __aiter__(self) -> "_Reading":
        return self

    async def __anext__(self) -> "SessionMessage | Exception":
        return self._sifted(await self._or_end(self._inner.__anext__()))

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
            if self._junk >= MOST_JUNK_MESSAGES:
                self._watch.cut(f"it sent {MOST_JUNK_MESSAGES:,} messages that are none of the protocol")
                raise anyio.ClosedResourceError
            return item
        except Exception:  # the stream says in several ways that it is closed, and passes each on
            self._watch.end()
            raise

    def _sifted(self, item: "SessionMessage | Exception") -> "SessionMessage | Exception":
        message = getattr(item, "message", None)
        result: Any = getattr(message, "result", None)
        method = self._asked.pop(getattr(message, "id", None), "") if message is not None else ""
        if method and isinstance(result, dict):
            _sift(method, cast("dict[str, Any]", result), self._watch)
        return item


def _sift(method: str, result: dict[str, Any], watch: Watch) -> None:
    """Take out of `result` what the SDK would refuse, unless it would refuse the rest as well."""
    key = LISTS[method]
    entries: Any = result.get(key)
    if not isinstance(entries, list) or _refusal(method, {**result, key: []}):
        return
    kept: list[Any] = []
    for place, entry in enumerate(cast("list[Any]", entries)):
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
