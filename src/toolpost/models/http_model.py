"""The base of all adapters over HTTP: send a request, retry it without what the server refuses, stream the answer."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any, ClassVar, Generic, Self, TypeVar, cast
from urllib.parse import urlsplit, urlunsplit

from msgspec import structs

from toolpost.net.urls import public_url
from toolpost.types.errors import ModelError
from toolpost.types.stream import StreamEvent

from . import http
from .adapter_settings import AdapterSettings
from .contract import ModelInfo, ModelRequest
from .provider_errors import model_error
from .request_writer import RequestWriter
from .stream_reader import StreamReader

# How long a server may take over what comes after the answer, such as its usage, before it is left.
TRAILER_SECONDS = 3.0
# A server that never comes to an end must not fill our memory.
MAX_BYTES = 128 * 1024 * 1024

W = TypeVar("W", bound=RequestWriter)


class HttpModel(ABC, Generic[W]):
    """A model behind one URL. A subclass says how a request is written and, with `_reader`, how a response is read."""

    # The name of the wire, where requests that came on it can be sent on as they are.
    wire: ClassVar[str] = ""
    # The kind of server that is asked how large the window is.
    asked_as: ClassVar[str] = "openai_chat"

    def __init__(self, settings: AdapterSettings, url: str, writer: W) -> None:
        self._info = settings.info
        self._settings = settings
        self._asks_window = settings.asks_window and settings.context_window is None
        self._url = url
        self._headers = self._headers_for(settings)
        self._writer = writer
        self._connect_timeout = settings.connect_timeout
        self._secrets = http.secrets_of(self._headers)

    @classmethod
    def of(cls, settings: AdapterSettings) -> Self:
        """The adapter with these settings."""
        return cls(**structs.asdict(settings))

    @classmethod
    async def list_models(cls, settings: AdapterSettings, *, timeout: float = 10.0) -> list[str]:
        """The names of the models that the server lists. Raises `ModelError`."""
        url = endpoint(settings.base_url, "models")
        return names_in(await list_rows(url, cls._headers_for(settings), "data", timeout=timeout), "id")

    @classmethod
    def _headers_for(cls, settings: AdapterSettings) -> dict[str, str]:
        """The headers of every request, with the key where this wire wants it."""
        return auth_headers(settings.headers, authorization=settings.api_key)

    @property
    def info(self) -> ModelInfo:
        return self._info

    @property
    def secrets(self) -> Sequence[str]:
        """What must never be shown."""
        return self._secrets

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._info.id!r}, base_url={public_url(self._url)!r})"

    async def get_ready(self) -> None:
        """Ask the server how large the window is, where nobody said so; again later where it can't be reached now."""
        if not self._asks_window:
            return
        # Imported here: models of known vendors never need it.
        from .windows import served_window

        window, is_final = await served_window(self.asked_as, self._settings)
        if is_final:
            self._asks_window = False
        if window is not None:
            self._fit(window)

    def _fit(self, window: int) -> None:
        """Use a window that was found out."""
        self._info = structs.replace(self._info, context_window=window)

    async def stream(self, request: ModelRequest) -> AsyncIterator[StreamEvent]:
        reader = self._reader(request)
        response = await self._open(request)
        leave_at, received = 0.0, 0
        try:
            while not reader.ended:
                data = await next_bytes(response, leave_at)
                received += len(data)
                if received > MAX_BYTES:
                    raise model_error(
                        "protocol", f"the answer is larger than {MAX_BYTES:,} bytes, so reading it was stopped"
                    )
                events = reader.feed(data) if data else reader.close()
                for event in events:
                    yield event
                if reader.paused:
                    response.release()
                    response = await self._open(request, reader.resume())
                elif reader.answer_is_whole and (events or not leave_at):
                    leave_at = asyncio.get_running_loop().time() + TRAILER_SECONDS
                # It may be long until there is more, and many wait at a time.
                del data, events
            if reader.finished:
                response.release()
        except ModelError as error:
            for event in reader.failed(error.info):
                yield event
        finally:
            response.close()

    async def relay(self, body: bytes, headers: Mapping[str, str], *, idle_timeout: float) -> http.ModelResponse:
        """Send on a request that came on this very wire: with our model, our key and the user's settings, else as it
        came. `headers` are its sender's."""
        return await self._send_on(self._url, body, headers, idle_timeout)

    async def count(self, body: bytes, headers: Mapping[str, str], *, timeout: float) -> bytes:
        """What the server says of the tokens in a request that came on this wire. Raises `ModelError`."""
        raise model_error("not_found", f"{self._info.id} is on a wire that cannot count tokens")

    def read_whole(self, body: bytes) -> Sequence[StreamEvent]:
        """Return the events of a response that came in one piece."""
        reader = self._reader(ModelRequest(()))
        return [*reader.feed(body), *(() if reader.ended else reader.close())]

    @abstractmethod
    def _reader(self, request: ModelRequest) -> StreamReader:
        """Make a reader for the response to this request."""

    def _body(self, request: ModelRequest, said: bytes) -> bytes:
        """Encode the request; `said` is what a paused server wants back."""
        return self._writer.body(request)

    async def _send_on(
        self, url: str, body: bytes, headers: Mapping[str, str], idle_timeout: float
    ) -> http.ModelResponse:
        given = {**self._headers, **headers}
        for name in self._headers.keys() & headers.keys():
            if name.endswith("-beta"):
                # Its sender knows nothing of the betas that the settings name.
                given[name] = f"{self._headers[name]},{headers[name]}"
        response = await http.post(
            url,
            self._writer.relayed(body),
            given,
            idle_timeout=idle_timeout,
            connect_timeout=self._connect_timeout,
        )
        return http.expect_api(response, url)

    async def _open(self, request: ModelRequest, said: bytes = b"") -> http.ModelResponse:
        """Send the request; if the server refuses something that can be left out, send it again without that."""
        while True:
            body = self._body(request, said)
            try:
                return await self._post(request, body)
            except ModelError as error:
                if error.code != "bad_request":
                    raise
                # A run beside this one may have been refused the same, and left it out by now. Every round leaves out
                # something more, and there is little that can be left out.
                if self._body(request, said) == body and not self._writer.gives_way(error.info.message, request):
                    raise

    async def _post(self, request: ModelRequest, body: bytes) -> http.ModelResponse:
        response = await http.post(
            self._url,
            body,
            self._headers,
            idle_timeout=request.idle_timeout,
            connect_timeout=self._connect_timeout,
            tape=request.tape,
        )
        return http.expect_api(response, self._url)


async def list_rows(url: str, headers: Mapping[str, str], key: str, *, timeout: float) -> list[dict[str, Any]]:
    """Get `url` and return the objects in the list under `key`, or in the list that the response itself is."""
    found: Any = await http.get_json(url, headers, timeout=timeout)
    rows: Any = cast("dict[str, Any]", found).get(key) if isinstance(found, dict) else found
    listed = cast("list[Any]", rows) if isinstance(rows, list) else []
    return [row for row in listed if isinstance(row, dict)]


def names_in(rows: list[dict[str, Any]], field: str) -> list[str]:
    return [name for row in rows if isinstance(name := row.get(field), str) and name]


def endpoint(base_url: str, path: str, query: str = "", *, without: tuple[str, ...] = (), root: str = "") -> str:
    """Put `path` after the base URL's own path and before its query, which Azure and some proxies need.

    `without` are ends of that path which are of another wire; `root` is the path where the base URL has none.
    """
    parts = urlsplit(base_url)
    base = parts.path.rstrip("/")
    for end in without:
        base = base.removesuffix(end)
    query = "&".join(filter(None, [parts.query, query]))
    return urlunsplit(parts._replace(path=f"{base or root}/{path}", query=query))


def auth_headers(headers: Mapping[str, str] | None, **secrets: str | None) -> dict[str, str]:
    """Return the headers to send: secrets by their header, `_` for `-`, unless empty; then the user's own, over them.

    `authorization` is a token and becomes `Bearer …`.
    """
    auth: dict[str, str] = {}
    for name, secret in secrets.items():
        if secret := (secret or "").strip():
            auth[name.replace("_", "-")] = f"Bearer {secret}" if name == "authorization" else secret
    return {**auth, **{name.lower(): value for name, value in (headers or {}).items()}}


async def next_bytes(response: http.ModelResponse, leave_at: float = 0.0) -> bytes:
    """Return the next bytes, none at the end. Once the answer is whole they are not waited for long:
    some servers keep the connection open, and say every few seconds that they are still there."""
    if not leave_at:
        return await response.chunk()
    try:
        async with asyncio.timeout_at(leave_at):
            return await response.chunk()
    except TimeoutError:
        return b""
