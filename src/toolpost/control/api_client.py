"""Send requests to the HTTP API of a `toolpost serve`, and read its server-sent events. Errors say what to do."""

from collections.abc import AsyncGenerator, Awaitable, Mapping
from typing import Any, TypeVar
from urllib.parse import quote, urlencode, urlsplit

import msgspec
from msgspec import Struct

from toolpost.models.sse import SSEEvent, SSEParser
from toolpost.net.client import HttpRequest, HttpResponse, send
from toolpost.net.errors import HttpClientError, explain
from toolpost.net.urls import is_loopback, origin_of
from toolpost.types.errors import ConfigError, ToolpostError

T = TypeVar("T")

# Larger answers than this are no session of a person.
MAX_BYTES = 256 * 1024 * 1024
MAX_ERROR_BYTES = 64 * 1024
# The server says something at least every few seconds on a stream, and at once on anything else.
IDLE_SECONDS = 60.0
# A summary is written by a model, and a command may ask a person before it is expanded.
PATIENT_SECONDS = 3_600.0
TOKEN_VARIABLE = "TOOLPOST_TOKEN"
NO_ROUTE = "no_route"


class ServerUnreachable(ToolpostError):
    """There was no answer: the same may work later."""


class ServerRefused(ToolpostError):
    """The server's answer is an error. `code` is the server's word for it, for programs."""

    def __init__(self, message: str, status: int, code: str = "") -> None:
        super().__init__(message)
        self.status = status
        self.code = code

    @property
    def is_missing(self) -> bool:
        """The server has no such route, or the person's role does not have what it is for."""
        return self.code == NO_ROUTE or self.status == 403


class ApiClient:
    """One server and one person's token. `token_name` is where the token comes from, for error texts. Raises
    `ConfigError` for an address that the token must not be sent to."""

    def __init__(self, url: str, token: str, *, insecure: bool = False, token_name: str = TOKEN_VARIABLE) -> None:
        self.url = checked_url(url, insecure=insecure or not token)
        self._token = token
        self._token_name = token_name

    async def get(self, path: str, kind: type[T], **query: Any) -> T:
        return self._read(await self._call("GET", _with_query(path, query)), kind)

    async def post(self, path: str, kind: type[T], body: object = None, *, seconds: float = IDLE_SECONDS) -> T:
        return self._read(await self._call("POST", path, body, seconds), kind)

    async def patch(self, path: str, kind: type[T], body: object) -> T:
        return self._read(await self._call("PATCH", path, body), kind)

    async def delete(self, path: str, kind: type[T]) -> T:
        return self._read(await self._call("DELETE", path), kind)

    async def do(self, method: str, path: str, body: object = None) -> None:
        await self._call(method, path, body)

    async def text(self, path: str, **query: Any) -> str:
        return (await self._call("GET", _with_query(path, query))).decode(errors="replace")

    async def begin(self, path: str, body: object) -> None:
        """Send a request whose answer is a long stream, and leave once it was accepted."""
        response = await self._send("POST", path, body, IDLE_SECONDS)
        try:
            await self._check(response)
        finally:
            response.close()

    async def events(self, path: str, **query: Any) -> AsyncGenerator[SSEEvent, None]:
        """Yield the events of a stream until the server ends it. The first is yielded without data, once the stream is
        there."""
        response = await self._send("GET", _with_query(path, query), None, IDLE_SECONDS)
        try:
            await self._check(response)
            yield SSEEvent(b"")
            parser = SSEParser()
            while data := await self._received(response.chunk()):
                for event in parser.feed_events(data):
                    yield event
        finally:
            response.close()

    async def _call(self, method: str, path: str, body: object = None, seconds: float = IDLE_SECONDS) -> bytes:
        response = await self._send(method, path, body, seconds)
        try:
            await self._check(response)
            data = await self._received(response.read(MAX_BYTES))
        finally:
            response.close()
        if response.cut:
            raise ToolpostError(f"the answer of {self.url} is larger than {MAX_BYTES:,} bytes")
        return data

    async def _send(self, method: str, path: str, body: object, seconds: float) -> HttpResponse:
        headers = {"authorization": f"Bearer {self._token}"} if self._token else {}
        content = b""
        if body is not None:
            headers["content-type"] = "application/json"
            content = msgspec.json.encode(body)
        if method != "GET":
            headers["content-length"] = str(len(content))
        request = HttpRequest(
            url=f"{self.url}{path}", method=method, headers=headers, body=content, idle_timeout=seconds
        )
        return await self._received(send(request))

    async def _received(self, awaited: Awaitable[T]) -> T:
        try:
            return await awaited
        except (OSError, HttpClientError, ValueError) as error:
            raise ServerUnreachable(f"{self.url}: {explain(error)}") from error

    async def _check(self, response: HttpResponse) -> None:
        if 200 <= response.status < 300:
            return
        raise self._refused(response, await self._received(response.read(MAX_ERROR_BYTES)))

    def _refused(self, response: HttpResponse, body: bytes) -> ServerRefused:
        status = response.status
        try:
            told = msgspec.json.decode(body, type=_ErrorBody).error
        except msgspec.MsgspecError:
            told = _Error()
        if status == 401:
            text = (
                f"{self.url} does not accept the token: set {self._token_name} to yours, or name another variable "
                "with --token-env"
            )
            return ServerRefused(text, status, told.code)
        if 300 <= status < 400:
            to = response.headers.get("location", "another address")
            return ServerRefused(f"{self.url} leads to {to}: attach to that address", status)
        # Where there is no such route, the path is what a server names.
        is_unknown = not told.message or told.message.endswith(urlsplit(response.url).path)
        if status == 405 or (status == 404 and is_unknown):
            text = (
                f"{self.url} does not have what this needs: it is no `toolpost serve`, or an older one: update "
                "Toolpost there"
            )
            return ServerRefused(text, status, NO_ROUTE)
        text = told.message or f"{self.url} answered with the status {status}"
        return ServerRefused(text, status, told.code or "unknown")

    def _read(self, body: bytes, kind: type[T]) -> T:
        try:
            return msgspec.json.decode(body, type=kind)
        except msgspec.MsgspecError as error:
            text = f"{self.url} does not answer as a `toolpost serve` of this version does ({error}): is it the right "
            raise ServerRefused(f"{text}address, and is Toolpost up to date there and here?", 200, "unknown") from error


class _Error(Struct, frozen=True):
    code: str = ""
    message: str = ""


class _ErrorBody(Struct, frozen=True):
    error: _Error


def checked_url(url: str, *, insecure: bool = False) -> str:
    """The address without its end. Raises `ConfigError` where it is none, or where a token would cross a network in
    plain text."""
    wanted = url if "://" in url else f"http://{url}"
    try:
        origin_of(wanted)
    except ValueError as error:
        raise ConfigError(
            f"{url} is no address of a server: give one such as https://host or 127.0.0.1:8642"
        ) from error
    parts = urlsplit(wanted)
    if parts.username is not None:
        raise ConfigError("leave user and password out of the address: the token says who you are")
    if parts.scheme == "http" and not is_loopback(wanted) and not insecure:
        raise ConfigError(
            f"the token would go to {parts.netloc} in plain text, where others can read it: use https://, a tunnel "
            f"(ssh -L 8642:127.0.0.1:8642 {parts.hostname}), or --insecure on a network that you trust"
        )
    return f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/')}"


def quoted(part: str) -> str:
    """A piece of a path."""
    return quote(part, safe="")


def _with_query(path: str, query: Mapping[str, Any]) -> str:
    given = {name: value for name, value in query.items() if value not in ("", None)}
    return f"{path}?{urlencode(given)}" if given else path
