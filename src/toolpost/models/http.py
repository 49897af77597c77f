"""The one seam to HTTP: post bytes, read chunks, and every failure a `ModelError` that says what to try.

Contract: `post` raises `ModelError` and nothing else. A `Response` must be closed; closing it, or cancelling the task
that reads it, closes the socket unless the answer was read to its end. Silence counts from the moment of sending.
"""

import asyncio
import base64
import ssl
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextvars import ContextVar
from functools import lru_cache
from socket import EAI_AGAIN, gaierror
from types import MappingProxyType
from typing import Any
from urllib.parse import unquote, urlsplit

import msgspec

from toolpost.types.errors import ModelError

from .addresses import is_loopback
from .contract import Tape
from .http1 import BadWire, Connection, ConnectTimeout, CutShort, ProxyRefused, Stalled, WireError
from .pool import Pool
from .provider_errors import from_response, model_error, scrub

CONNECT_TIMEOUT = 10.0
ERROR_BODY_LIMIT = 64 * 1024
JSON_LIMIT = 32 * 1024 * 1024
_SECRET_HEADERS = frozenset(
    {"authorization", "x-api-key", "api-key", "x-goog-api-key", "cookie", "proxy-authorization"}
)

# Headers that go with every request of this task, such as its place in a trace.
CARRIED: ContextVar[Mapping[str, str]] = ContextVar("toolpost_carried_headers", default=MappingProxyType({}))

_pools: dict[asyncio.AbstractEventLoop, Pool] = {}


class Response:
    """An answer below 300 whose body is still coming."""

    def __init__(self, connection: Connection, where: str, secrets: Sequence[str], tape: Tape | None = None) -> None:
        self._connection = connection
        self._where = where
        self._secrets = secrets
        self._tape = tape
        self._released = False

    @property
    def headers(self) -> Mapping[str, str]:
        """Header values by lower-case name."""
        return self._connection.headers

    @property
    def content_type(self) -> str:
        return self.headers.get("content-type", "").split(";")[0].strip().lower()

    async def chunk(self) -> bytes:
        """Return the next bytes as they came, b"" at the end."""
        try:
            data = await self._connection.read()
        except (OSError, WireError) as error:
            raise _as_model_error(error, self._where, self._secrets) from error
        if self._tape is not None and data:
            self._tape.receive(data, time.time())
        return data

    async def read(self, limit: int = JSON_LIMIT) -> bytes:
        """Return the whole body, or its first `limit` bytes."""
        pieces: list[bytes] = []
        size = 0
        while size < limit and (data := await self.chunk()):
            pieces.append(data)
            size += len(data)
        return b"".join(pieces)[:limit]

    async def __aiter__(self) -> AsyncIterator[bytes]:
        while data := await self.chunk():
            yield data

    def close(self) -> None:
        if not self._released:
            self._released = True
            self._connection.close()

    def release(self) -> None:
        """Close after the last event of interest: the connection may live on if the body ends in a moment."""
        if not self._released:
            self._released = True
            self._connection.release()


async def post(
    url: str,
    body: bytes,
    headers: Mapping[str, str],
    *,
    idle_timeout: float = 90.0,
    connect_timeout: float = CONNECT_TIMEOUT,
    tape: Tape | None = None,
) -> Response:
    """Post `body` and return once the head of the answer came; a status of 300 or more is raised."""
    if tape is not None:
        tape.send(public_url(url), body, time.time())
    return await _request("POST", url, body, headers, idle_timeout, connect_timeout, tape)


def expect_api(response: Response, url: str) -> Response:
    """The response, unless it is a web page: then it is closed and raised, for the address was that of a site."""
    if response.content_type != "text/html":
        return response
    response.close()
    text = f"{public_url(url)} answered with a web page: does base_url end where the API begins?"
    raise model_error("protocol", text)


async def get_json(url: str, headers: Mapping[str, str] | None = None, *, timeout: float = 10.0) -> Any:
    """Get a JSON document within `timeout` seconds for all of it."""
    return await _json("GET", url, b"", headers or {}, timeout)


async def post_json(url: str, value: Any, headers: Mapping[str, str] | None = None, *, timeout: float = 10.0) -> Any:
    """Post a JSON document and return the one that answers, within `timeout` seconds for all of it."""
    return await _json("POST", url, msgspec.json.encode(value), headers or {}, timeout)


async def _json(method: str, url: str, body: bytes, headers: Mapping[str, str], timeout: float) -> Any:
    try:
        async with asyncio.timeout(timeout):
            response = await _request(method, url, body, headers, timeout, timeout, None)
            try:
                answer = await response.read()
            finally:
                response.close()
    except TimeoutError:
        raise model_error("timeout", f"{public_url(url)} did not answer within {timeout:g} s") from None
    try:
        return msgspec.json.decode(answer)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise model_error("protocol", f"{public_url(url)} did not answer with JSON") from None


async def close() -> None:
    """Close the kept connections of the running loop; they are also closed when it shuts down."""
    pool = _pools.pop(asyncio.get_running_loop(), None)
    if pool is not None:
        await pool.aclose()


@lru_cache(maxsize=64)
def public_url(url: str) -> str:
    """The URL without user, password, query and fragment: fit for error texts and traces."""
    try:
        parts = urlsplit(url)
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        return "the URL"
    host = parts.hostname or ""
    return f"{parts.scheme}://{f'[{host}]' if ':' in host else host}{port}{parts.path}"


def secrets_of(headers: Mapping[str, str]) -> list[str]:
    """What must never be told of these headers, whose names are in lower case."""
    return [piece for name in _SECRET_HEADERS & headers.keys() for piece in _secret_pieces(headers[name])]


async def _request(
    method: str,
    url: str,
    body: bytes,
    headers: Mapping[str, str],
    idle_timeout: float,
    connect_timeout: float,
    tape: Tape | None,
) -> Response:
    where = public_url(url)
    lines, secrets = _header_lines(url, body, headers)
    try:
        pool = await _pool()
        connection = await pool.send(
            method, url, lines, body, connect_timeout=connect_timeout, idle_timeout=idle_timeout
        )
    except (OSError, WireError, ValueError) as error:
        raise _as_model_error(error, where, secrets) from error
    response = Response(connection, where, secrets, tape)
    if tape is not None:
        tape.status = connection.status
    try:
        if connection.status >= 300:
            raise await _refusal(response, connection, where, secrets)
        encoding = connection.headers.get("content-encoding", "identity")
        if encoding not in ("", "identity"):
            raise model_error("protocol", f"{where} sent {encoding} though it was asked for plain bytes")
    except BaseException:
        connection.close()
        raise
    return response


async def _refusal(response: Response, connection: Connection, where: str, secrets: Sequence[str]) -> ModelError:
    try:
        body = await response.read(ERROR_BODY_LIMIT)
    except ModelError:
        body = b""
    return from_response(where, connection.status, connection.headers, body, secrets)


async def _pool() -> Pool:
    loop = asyncio.get_running_loop()
    pool = _pools.get(loop)
    if pool is None:
        # Other threads may do the same for loops of their own.
        for other in [other for other in list(_pools) if other.is_closed()]:
            _pools.pop(other, None)
        pool = _pools[loop] = Pool(loop)
        await pool.watch_loop()
    return pool


def _header_lines(url: str, body: bytes, headers: Mapping[str, str]) -> tuple[list[tuple[str, str]], list[str]]:
    given = {name.lower(): value.strip() for name, value in headers.items()}
    parts = urlsplit(url) if "@" in url else None
    if parts is not None and parts.username is not None and "authorization" not in given:
        pair = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
        given["authorization"] = "Basic " + base64.b64encode(pair.encode()).decode("ascii")
    lines = {"accept": "*/*", "accept-encoding": "identity", "user-agent": "toolpost"}
    if body:
        lines["content-type"] = "application/json"
    lines |= CARRIED.get()
    lines |= given
    return list(lines.items()), secrets_of(given)


def _secret_pieces(value: str) -> list[str]:
    scheme, _, token = value.partition(" ")
    return [token] if token and scheme.lower() in ("bearer", "basic", "token") else [value]


def _as_model_error(error: Exception, where: str, secrets: Sequence[str]) -> ModelError:
    code, text = _explain(error, where)
    return model_error(code, scrub(text, secrets))


def _explain(error: Exception, where: str) -> tuple[str, str]:
    match error:
        case Stalled():
            return "timeout", f"{where}: {error}; the stream was given up"
        case ConnectTimeout():
            return "timeout", f"{where}: {error}; is the host right, and is there a proxy to set (HTTPS_PROXY)?"
        case CutShort():
            return "truncated", f"{where}: {error}"
        case BadWire():
            return "protocol", f"{where}: {error}; should the URL begin with https:// (or with http://)?"
        case ProxyRefused():
            return "unreachable", f"{where}: {error}; check HTTPS_PROXY, or name the host in NO_PROXY"
        case ssl.SSLCertVerificationError():
            return "unreachable", f"{where}: the certificate is not trusted ({error.verify_message}); set SSL_CERT_FILE"
        case ssl.SSLError():
            return "unreachable", f"{where}: TLS failed ({error.reason}); should the URL begin with http://?"
        case gaierror():
            code = "network" if error.errno == EAI_AGAIN else "unreachable"
            return code, f"{where}: the host name is not known; is it spelt right, and is there a network?"
        case ConnectionResetError() | BrokenPipeError():
            return "network", f"{where}: the connection was reset"
        case OSError():
            # A server of this machine that is not running will not run in a moment; another may be starting again.
            code = "unreachable" if is_loopback(where) else "network"
            return code, f"{where}: cannot connect ({_os_text(error)}); is the server running there?"
        case UnicodeError():
            return "bad_request", f"{where}: a header or the key holds characters that HTTP cannot carry"
        case _:
            return "bad_request", f"{where}: {error}"


def _os_text(error: OSError) -> str:
    return (error.strerror or str(error) or type(error).__name__).split("Connect call failed")[0].strip(
        " ("
    ) or "refused"
