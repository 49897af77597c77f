"""HTTP requests and replies: bodies with limits, and streams that end with their client and never fill the memory."""

import asyncio
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Any, Self, TypeVar

import msgspec
from starlette.requests import ClientDisconnect, HTTPConnection
from starlette.types import Receive, Scope, Send

from toolpost.arguments.decode_errors import explain_decode_error
from toolpost.types.ids import new_id

from .gateway.wires.anthropic import response as anthropic_response
from .gateway.wires.openai import errors as openai_errors
from .refusals import BadRequest, Refusal
from .settings import ServerSettings
from .trusted_proxies import SECURE_SCHEMES
from .users import NOBODY, User

T = TypeVar("T")

JSON = "application/json"
EVENTS = "text/event-stream"
EVENT_HEADERS = {"cache-control": "no-cache", "x-accel-buffering": "no"}
# Bytes that may wait for a slow client; a handler that writes more is paused.
MAX_WAITING = 256 * 1024
# How long a client is given to take the last piece of a stream that is cut off.
LAST_SECONDS = 2.0


class Request(HTTPConnection):
    """A request, and how to reply to it.

    `params` are the named parts of its path. `headers_out` go with every reply. `ending` is why its handler was
    cancelled. A server that stops does not wait for a reply that `is_endless`.
    """

    def __init__(self, scope: Scope, send: Send, settings: ServerSettings) -> None:
        super().__init__(scope)
        self.id = new_id("req")
        # A WebSocket is opened with GET, and its scope does not say so.
        self.method: str = scope.get("method", "GET")
        self.path: str = scope["path"]
        self.body = b""
        self.params: Mapping[str, str] = self.path_params
        self.headers_out = {"request-id": self.id, "x-content-type-options": "nosniff"}
        self.cookies_out: list[str] = []
        self.status = 0
        self.sent = 0
        self.is_answered = False
        self.is_endless = False
        self.ending: ClientDisconnect | Refusal | None = None
        self.settings = settings
        self._send = send

    @property
    def user(self) -> User:
        return self.scope.get("user", NOBODY)

    @property
    def address(self) -> str:
        """The address of the client, also behind a trusted proxy; "-" where the connection has none."""
        return self.client.host if self.client is not None else "-"

    @property
    def is_secure(self) -> bool:
        """Whether the client, or the browser behind a trusted proxy, speaks TLS."""
        return self.scope.get("scheme") in SECURE_SCHEMES

    @property
    def query(self) -> dict[str, str]:
        return dict(self.query_params)

    def json(self, kind: type[T]) -> T:
        """Decode the body as JSON of this type. An error names the place in the body."""
        try:
            return msgspec.json.decode(self.body or b"{}", type=kind)
        except msgspec.ValidationError as error:
            raise BadRequest(explain_decode_error(error, kind)) from None
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise BadRequest(f"the request body is not valid JSON: {explain_decode_error(error)}") from None

    def query_as(self, kind: type[T]) -> T:
        """Decode the query's parameters as this struct; parameters that it does not have are ignored."""
        try:
            return msgspec.convert(self.query, kind, strict=False)
        except msgspec.ValidationError as error:
            raise BadRequest(f"the query is not valid: {explain_decode_error(error, kind)}") from None

    async def reply(
        self,
        body: bytes = b"",
        *,
        status: int = 200,
        content_type: str = JSON,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        """Send a whole reply."""
        given = {"content-type": content_type, "content-length": str(len(body)), **(headers or {})}
        await self.begin(status, given)
        await self.put(body, is_last=True)

    async def reply_json(self, value: Any, *, status: int = 200, headers: Mapping[str, str] | None = None) -> None:
        await self.reply(msgspec.json.encode(value), status=status, headers=headers)

    def stream(
        self,
        *,
        content_type: str = EVENTS,
        headers: Mapping[str, str] | None = None,
        ping: bytes = b"",
        on_failure: Callable[[str], bytes] | None = None,
    ) -> "ReplyStream":
        """Reply in pieces. `ping` is sent whenever nothing else was for `keep_alive` seconds. `on_failure` makes the
        last piece of a stream that is cut off, from a text that says why."""
        return ReplyStream(self, {"content-type": content_type, **EVENT_HEADERS, **(headers or {})}, ping, on_failure)

    def when_gone(self, receive: Receive, tell: Callable[[], None]) -> Callable[[], None]:
        """Call `tell` when the client leaves, until the returned function is called."""
        watchers: list[Callable[[], None]] | None = self.scope.get("toolpost.gone")
        if watchers is not None:
            watchers.append(tell)
            return watchers.clear
        leaving = asyncio.ensure_future(_until_gone(receive))
        leaving.add_done_callback(left := lambda _: tell())

        def forget() -> None:
            leaving.remove_done_callback(left)
            leaving.cancel()

        return forget

    async def begin(self, status: int, headers: Mapping[str, str]) -> None:
        """Send the status and headers; `headers_out` override `headers`."""
        self.status = status
        given = encode_headers({**headers, **self.headers_out})
        given += [(b"set-cookie", one.encode("latin-1")) for one in self.cookies_out]
        await self._send({"type": "http.response.start", "status": status, "headers": given})

    async def put(self, data: bytes, *, is_last: bool = False) -> None:
        """Send a piece of the body. Raises `ClientDisconnect`, also where a client that takes nothing for
        `write_timeout` was cut off."""
        self.sent += len(data)
        message = {"type": "http.response.body", "body": data, "more_body": not is_last}
        takes_at_once: Callable[[], bool] = self.scope.get("toolpost.takes_at_once", _unknown)
        try:
            if takes_at_once():
                await self._send(message)
            else:
                async with asyncio.timeout(self.settings.write_timeout):
                    await self._send(message)
        except TimeoutError:
            self.scope.get("toolpost.abort", _nothing)()
            raise ClientDisconnect from None
        self.is_answered = is_last


class ReplyStream:
    """A reply that is sent in pieces. Small pieces are joined, and sent as soon as their handler waits for something.

    The first piece, or the first ping, sends the status: until it `has_begun`, a failure can still have its own.
    """

    def __init__(
        self, request: Request, headers: Mapping[str, str], ping: bytes, on_failure: Callable[[str], bytes] | None
    ) -> None:
        self._request = request
        self._headers = headers
        self._ping = ping
        self._on_failure = on_failure
        self._waiting = bytearray()
        self._more = asyncio.Event()
        self._taken: asyncio.Event | None = None
        self._is_over = False
        self._starting: asyncio.Handle | None = None
        self._sender: asyncio.Task[None] | None = None
        self._last_sent = 0.0
        self._timer: asyncio.TimerHandle | None = None

    @property
    def has_begun(self) -> bool:
        return self._sender is not None or self._starting is not None

    @property
    def is_full(self) -> bool:
        """Whether the buffer is full, or the client has left: then call `drain`."""
        return len(self._waiting) > MAX_WAITING or self._is_over

    async def write(self, data: bytes) -> None:
        """Send a piece: whole events, as a ping may follow it. Waits only for a slow client. Raises
        `ClientDisconnect`."""
        if data:
            self.add(data)
            await self.drain()

    def add(self, data: bytes) -> None:
        """Add a piece to the buffer without waiting."""
        if self._sender is None and self._starting is None:
            # A reply that is complete before this is called is sent at once, without a task of its own.
            self._starting = asyncio.get_running_loop().call_soon(self._start)
        self._waiting += data
        self._more.set()

    async def drain(self) -> None:
        while len(self._waiting) > MAX_WAITING and not self._is_over:
            self._taken = self._taken or asyncio.Event()
            self._taken.clear()
            await self._taken.wait()
        if self._is_over:
            raise ClientDisconnect

    async def __aenter__(self) -> Self:
        if self._ping:
            loop = asyncio.get_running_loop()
            self._last_sent = loop.time()
            self._timer = loop.call_later(self._request.settings.keep_alive, self._ping_if_silent)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._timer is not None:
            self._timer.cancel()
        if error is None:
            await self._finish()
        elif self.has_begun:
            sender = self._start()
            await self._cut_off(sender, None if sender.done() else self._last_piece(error))

    def _start(self) -> asyncio.Task[None]:
        if self._starting is not None:
            self._starting.cancel()
            self._starting = None
        if self._sender is None:
            self._sender = asyncio.create_task(self._send_all())
        return self._sender

    async def _send_all(self) -> None:
        request, loop = self._request, asyncio.get_running_loop()
        try:
            await request.begin(200, self._headers)
            while True:
                await self._more.wait()
                self._more.clear()
                while self._waiting or self._is_over:
                    await request.put(self._take(), is_last=self._is_over)
                    if request.is_answered:
                        return
                self._last_sent = loop.time()
        finally:
            # A handler that waits in `drain` has to learn that nothing is sent any more.
            self._is_over = True
            self._take()

    def _take(self) -> bytes:
        """Empty the buffer, so that its bytes are not kept while the next ones are waited for."""
        data, self._waiting = bytes(self._waiting), bytearray()
        if self._taken is not None:
            self._taken.set()
        return data

    def _ping_if_silent(self) -> None:
        loop, wait = asyncio.get_running_loop(), self._request.settings.keep_alive
        silent = loop.time() - self._last_sent
        if silent >= wait and not self._waiting:
            self.add(self._ping)
            silent = 0.0
        self._timer = loop.call_later(max(wait - silent, 0.001), self._ping_if_silent)

    async def _finish(self) -> None:
        if not self.has_begun:
            return
        self._is_over = True
        self._more.set()
        if self._starting is not None:
            self._starting.cancel()
            await self._send_all()
        elif self._sender is not None:
            await self._sender

    async def _cut_off(self, sender: asyncio.Task[None], last: bytes | None) -> None:
        """Send the last piece if the client takes it in time, and stop."""
        if last is not None:
            self._waiting += last
            self._is_over = True
            self._more.set()
            await asyncio.wait({sender}, timeout=LAST_SECONDS)
        sender.cancel()
        await asyncio.wait({sender})
        if not sender.cancelled():
            sender.exception()

    def _last_piece(self, error: BaseException) -> bytes | None:
        """The last piece of a stream that fails; None where none can be sent, b"" where the stream was complete."""
        ending = self._request.ending if isinstance(error, asyncio.CancelledError) else error
        if self._on_failure is None or ending is None or isinstance(ending, ClientDisconnect):
            return None
        return self._on_failure(ending.message if isinstance(ending, Refusal) else "the server failed")


def error_body(shape: str, refusal: Refusal, request_id: str) -> tuple[int, bytes]:
    """The status and the body of a refusal, in the form of the wire that was asked."""
    if refusal.body:
        return refusal.status, refusal.body
    if shape == "anthropic":
        return refusal.status, anthropic_response.error(refusal, request_id)
    if shape == "openai":
        return openai_errors.status_of(refusal), openai_errors.error(refusal)
    error = {"code": refusal.code or refusal.kind, "kind": refusal.kind, "message": refusal.message}
    return refusal.status, msgspec.json.encode({"error": error, "request_id": request_id})


def encode_headers(headers: Mapping[str, str]) -> list[tuple[bytes, bytes]]:
    return [(name.encode("latin-1"), value.encode("latin-1", "replace")) for name, value in headers.items()]


async def read_body(request: Request, receive: Receive) -> bytes:
    """The whole body, if it is within the limits of the settings. Raises `ClientDisconnect`."""
    limit, seconds = request.settings.body_bytes, request.settings.body_seconds
    pieces: list[bytes] = []
    size = 0
    try:
        async with asyncio.timeout(seconds):
            while True:
                message = await receive()
                if message["type"] == "http.disconnect":
                    raise ClientDisconnect
                piece: bytes = message.get("body", b"")
                size += len(piece)
                if size > limit:
                    raise Refusal("too_large", f"the body is larger than {limit:,} bytes", code="body_too_large")
                pieces.append(piece)
                if not message.get("more_body"):
                    return b"".join(pieces)
    except TimeoutError:
        raise Refusal("timeout", f"the body did not come within {seconds:g} s", status=408) from None


async def _until_gone(receive: Receive) -> None:
    """Return when the client has left; for ASGI servers that report it only through `receive`."""
    while (await receive())["type"] != "http.disconnect":
        pass


def _nothing() -> None:
    pass


def _unknown() -> bool:
    return False
