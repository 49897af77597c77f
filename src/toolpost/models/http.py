"""Ask a model server over HTTP: post bytes, read chunks; every failure is a `ModelError` that says what to try.

Contract: `post` raises `ModelError` and nothing else. A `ModelResponse` must be closed; closing it, or cancelling the
task that reads it, closes the socket unless the body was read to its end. Silence counts from the moment of sending.
"""

import asyncio
import ssl
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextvars import ContextVar
from socket import EAI_AGAIN, gaierror
from types import MappingProxyType
from typing import Any

import msgspec

from toolpost.net.client import CONNECT_TIMEOUT, HttpRequest, HttpResponse, send
from toolpost.net.errors import (
    ConnectTimedOut,
    HttpClientError,
    ProxyFailed,
    ProxyUnreachable,
    ResponseCut,
    ResponseStalled,
    explain,
)
from toolpost.net.pool import close_pool
from toolpost.net.urls import authorization_of, is_loopback, public_url
from toolpost.types.errors import ModelError

from .contract import Tape
from .provider_errors import from_response, model_error, scrub

ERROR_BODY_LIMIT = 64 * 1024
JSON_LIMIT = 32 * 1024 * 1024
_SECRET_HEADERS = frozenset(
    {"authorization", "x-api-key", "api-key", "x-goog-api-key", "cookie", "proxy-authorization"}
)

# Headers that go with every request of this task, such as its place in a trace.
CARRIED: ContextVar[Mapping[str, str]] = ContextVar("toolpost_carried_headers", default=MappingProxyType({}))


class ModelResponse:
    """A response with a status below 300 whose body is still coming."""

    def __init__(self, response: HttpResponse, where: str, secrets: Sequence[str], tape: Tape | None = None) -> None:
        self._response = response
        self._where = where
        self._secrets = secrets
        self._tape = tape

    @property
    def headers(self) -> Mapping[str, str]:
        """Header values by lower-case name."""
        return self._response.headers

    @property
    def content_type(self) -> str:
        return self._response.content_type

    async def chunk(self) -> bytes:
        """Return the next bytes as they came, b"" at the end."""
        try:
            data = await self._response.chunk()
        except (OSError, HttpClientError) as error:
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
        self._response.close()

    def release(self) -> None:
        """Close after the last event of interest: the connection may live on if the body ends in a moment."""
        self._response.release()


async def post(
    url: str,
    body: bytes,
    headers: Mapping[str, str],
    *,
    idle_timeout: float = 90.0,
    connect_timeout: float = CONNECT_TIMEOUT,
    tape: Tape | None = None,
) -> ModelResponse:
    """Post `body` and return once the head of the response came; a status of 300 or more is raised."""
    if tape is not None:
        tape.send(public_url(url), body, time.time())
    return await _request("POST", url, body, headers, idle_timeout, connect_timeout, tape)


def expect_api(response: ModelResponse, url: str) -> ModelResponse:
    """Return the response, unless it is a web page: then the URL was that of a site, which is raised."""
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
    await close_pool()


def secrets_of(headers: Mapping[str, str]) -> list[str]:
    """Return the secrets in these headers, whose names are in lower case: they appear in no text."""
    return [piece for name in _SECRET_HEADERS & headers.keys() for piece in _secret_pieces(headers[name])]


async def _request(
    method: str,
    url: str,
    body: bytes,
    headers: Mapping[str, str],
    idle_timeout: float,
    connect_timeout: float,
    tape: Tape | None,
) -> ModelResponse:
    where = public_url(url)
    given = {name.lower(): value.strip() for name, value in headers.items()}
    if "authorization" not in given and (authorization := authorization_of(url)):
        given["authorization"] = authorization
    secrets = secrets_of(given)
    # A stream that is compressed would come in larger steps, so none is asked for.
    lines = {"accept-encoding": "identity", **({"content-type": "application/json"} if body else {})}
    request = HttpRequest(
        url=url,
        method=method,
        headers={**lines, **CARRIED.get(), **given},
        body=body,
        connect_timeout=connect_timeout,
        idle_timeout=idle_timeout,
    )
    try:
        came = await send(request)
    except (OSError, HttpClientError, ValueError) as error:
        raise _as_model_error(error, where, secrets) from error
    response = ModelResponse(came, where, secrets, tape)
    if tape is not None:
        tape.status = came.status
    try:
        if came.status >= 300:
            raise await _refusal(response, came, where, secrets)
    except BaseException:
        response.close()
        raise
    return response


async def _refusal(response: ModelResponse, came: HttpResponse, where: str, secrets: Sequence[str]) -> ModelError:
    try:
        body = await response.read(ERROR_BODY_LIMIT)
    except ModelError:
        body = b""
    return from_response(where, came.status, came.headers, body, secrets)


def _secret_pieces(value: str) -> list[str]:
    scheme, _, token = value.partition(" ")
    return [token] if token and scheme.lower() in ("bearer", "basic", "token") else [value]


def _as_model_error(error: Exception, where: str, secrets: Sequence[str]) -> ModelError:
    return model_error(_code_of(error, where), scrub(f"{where}: {explain(error)}", secrets))


def _code_of(error: Exception, where: str) -> str:
    match error:
        case ResponseStalled() | ConnectTimedOut():
            return "timeout"
        case ResponseCut():
            return "truncated"
        case ProxyUnreachable():
            return "network"
        case ProxyFailed() | ssl.SSLError():
            return "unreachable"
        case HttpClientError():
            return "protocol"
        case gaierror():
            return "network" if error.errno == EAI_AGAIN else "unreachable"
        case ConnectionResetError() | BrokenPipeError():
            return "network"
        case OSError():
            # A server of this machine that is not running will not run in a moment; another may be starting again.
            return "unreachable" if is_loopback(where) else "network"
        case _:
            return "bad_request"
