"""Send HTTP requests and read their responses as a stream.

Contract: `send` raises what `net/errors.py` names, and nothing else. A response must be closed. Closing it, or
cancelling the task that waits for it, closes its socket at once unless the body was read to its end; then the
connection is kept for the next request to the same server. Only HTTP/1.1, and no HEAD.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from .connection import HttpConnection
from .dial import MACHINE, AddressCheck, Dialer, Endpoint, endpoint_of
from .errors import BodyTooLarge, RedirectRefused, ResponseCut, UndecodableBody
from .pool import pool_of_loop, send_once
from .urls import authorization_of, origin_of, public_url, redirect_url, target_of

if TYPE_CHECKING:
    from .decode import BodyDecoder

CONNECT_TIMEOUT = 10.0
IDLE_TIMEOUT = 90.0
DECODED_LIMIT = 128 * 1024 * 1024
REDIRECTS = frozenset({301, 302, 303, 307, 308})
_NOTHING: Iterator[bytes] = iter(())
# Not for another server, wherever a redirect leads.
_SECRET_HEADERS = frozenset({"authorization", "cookie", "x-api-key", "api-key", "x-goog-api-key"})

# Where a redirect leads, from the URL that it came from and its Location. It may refuse by raising.
OnRedirect = Callable[[str, str], Awaitable[str]]


class HttpRequest(Struct, frozen=True, kw_only=True):
    """A request. `headers` are by lower-case name; a user and a password in the URL become an Authorization header.

    `idle_timeout` bounds the silence of the server, from the sending on; without a `connect_timeout` the caller has to
    bound the connecting. `decoded_limit` bounds what a compressed body becomes. So many `redirects` of a GET are
    followed.
    """

    url: str
    method: str = "GET"
    headers: Mapping[str, str] = {}
    body: bytes = b""
    connect_timeout: float | None = CONNECT_TIMEOUT
    idle_timeout: float = IDLE_TIMEOUT
    decoded_limit: int = DECODED_LIMIT
    redirects: int = 0


class HttpResponse:
    """A response whose head has come; its body is still coming. `headers` are by lower-case name."""

    def __init__(self, connection: HttpConnection, request: HttpRequest) -> None:
        self.url = request.url
        self.status = connection.status
        self.headers: Mapping[str, str] = connection.headers
        # Whether `read` left something of the body, because it passed a limit.
        self.cut = False
        self._connection = connection
        self._closed = False
        # Undone where the body is read: the status of a response counts whatever its body is in.
        self._encoding = self.headers.get("content-encoding", "")
        self._limit = request.decoded_limit
        self._decoder: BodyDecoder | None = None
        self._decoded: Iterator[bytes] = _NOTHING

    @property
    def content_type(self) -> str:
        return self.headers.get("content-type", "").split(";")[0].strip().lower()

    async def chunk(self) -> bytes:
        """Return the next bytes of the body, b"" at the end."""
        if self._closed:
            raise ResponseCut("the response was closed before it was read")
        if self._encoding:
            self._decoder, self._encoding = _decoder(self._encoding, self._limit), ""
        if self._decoder is None:
            return await self._connection.read()
        return await self._next_decoded(self._decoder)

    async def read(self, limit: int) -> bytes:
        """Return the whole body, or its first `limit` bytes: then `cut` is true."""
        pieces: list[bytes] = []
        size = 0
        try:
            while size <= limit and (data := await self.chunk()):
                pieces.append(data)
                size += len(data)
            self.cut = size > limit
        except BodyTooLarge:
            self.cut = True
        return b"".join(pieces)[:limit]

    async def __aiter__(self) -> AsyncIterator[bytes]:
        while data := await self.chunk():
            yield data

    def close(self) -> None:
        if not self._closed:
            self._closed = True
            self._connection.close()

    def release(self) -> None:
        """Close after the last event of interest: the connection may live on if the body ends in a moment."""
        if not self._closed:
            self._closed = True
            self._connection.release()

    async def _next_decoded(self, decoder: "BodyDecoder") -> bytes:
        while True:
            for piece in self._decoded:
                if piece:
                    return piece
            if decoder.cut:
                raise BodyTooLarge("the body is larger than its limit, decoded")
            data = await self._connection.read()
            if not data:
                decoder.finish()
                return b""
            self._decoded = decoder.feed(data)


async def send(
    request: HttpRequest,
    *,
    check: AddressCheck | None = None,
    dialer: Dialer = MACHINE,
    on_redirect: OnRedirect | None = None,
) -> HttpResponse:
    """Send a request and return once the head of its response came, whatever its status.

    With a `check` every hop gets a connection of its own, to the addresses that the check gave for it.
    """
    for _ in range(request.redirects + 1):
        response = await _send_one(request, check, dialer)
        location = response.headers.get("location")
        if not request.redirects or response.status not in REDIRECTS or not location:
            return response
        response.close()
        if request.method != "GET":
            raise RedirectRefused("the server redirects elsewhere, which only a GET may follow")
        if on_redirect is not None:
            url = await on_redirect(request.url, location)
        else:
            url = redirect_url(request.url, location)
        request = _moved(request, url)
    last = public_url(request.url)
    raise RedirectRefused(f"the server redirects more than {request.redirects} times; the last was to {last}")


async def _send_one(request: HttpRequest, check: AddressCheck | None, dialer: Dialer) -> HttpResponse:
    endpoint = endpoint_of(request.url)
    head = _head(request, endpoint, keeps=check is None)
    body, connecting, idle = request.body, request.connect_timeout, request.idle_timeout
    if check is None:
        pool = await pool_of_loop()
        connection = await pool.send(endpoint, head, body, connect_timeout=connecting, idle_timeout=idle)
    else:
        connection = await send_once(
            endpoint, head, body, connect_timeout=connecting, idle_timeout=idle, check=check, dialer=dialer
        )
    try:
        return HttpResponse(connection, request)
    except UndecodableBody:
        connection.abort()
        raise


def _head(request: HttpRequest, endpoint: Endpoint, *, keeps: bool) -> bytes:
    proxy = endpoint.proxy
    is_forwarded = proxy is not None and not proxy.is_socks and endpoint.origin.scheme == "http"
    line, host = _start(request.method, request.url, is_forwarded)
    headers = {"host": host, "accept": "*/*", "user-agent": "toolpost", **request.headers}
    if request.body or request.method == "POST":
        headers["content-length"] = str(len(request.body))
    if "accept-encoding" not in headers:
        from .decode import accepted_codings

        headers["accept-encoding"] = accepted_codings()
    if "authorization" not in headers and (authorization := authorization_of(request.url)):
        headers["authorization"] = authorization
    if is_forwarded and proxy is not None and proxy.authorization:
        headers["proxy-authorization"] = proxy.authorization
    if not keeps:
        headers["connection"] = "close"
    lines = [line, *[f"{name}: {value}" for name, value in headers.items()]]
    text = "\r\n".join(lines)
    if not text.count("\n") == text.count("\r") == len(lines) - 1:
        raise ValueError("a header or the URL holds a line break")
    return f"{text}\r\n\r\n".encode("latin-1")


@lru_cache(maxsize=64)
def _start(method: str, url: str, is_forwarded: bool) -> tuple[str, str]:
    """The request line and the Host header; a proxy that forwards the request needs the whole URL."""
    host, target = origin_of(url).netloc, target_of(url)
    return f"{method} {f'http://{host}' if is_forwarded else ''}{target} HTTP/1.1", host


def _decoder(encoding: str, limit: int) -> "BodyDecoder | None":
    # Imported here: most runs ask models only, and those for plain bytes.
    from .decode import BodyDecoder, codings_of

    codings = codings_of(encoding)
    return BodyDecoder(codings, limit) if codings else None


def _moved(request: HttpRequest, url: str) -> HttpRequest:
    headers = request.headers
    if origin_of(url) != origin_of(request.url):
        headers = {name: value for name, value in headers.items() if name not in _SECRET_HEADERS}
    return replace(request, url=url, headers=headers)
