"""The Gemini wire: `streamGenerateContent`, at Google or behind a proxy that speaks it."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from typing import Any, cast
from urllib.parse import urlsplit, urlunsplit

from toolpost.types.errors import ModelError
from toolpost.types.stream import StreamEvent

from . import http
from .contract import ModelInfo, ModelRequest
from .gemini_request import RequestWriter
from .gemini_stream import GeminiStream

TRAILER_SECONDS = 3.0


class Gemini:
    """A model behind `POST {base_url}/models/{name}:streamGenerateContent`. Without a key none is sent.

    `extra_body` is merged into every request; `options` stand where a request does not say otherwise.
    """

    def __init__(
        self,
        name: str,
        *,
        base_url: str = "https://generativelanguage.googleapis.com/v1beta",
        provider: str = "gemini",
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        extra_body: Mapping[str, Any] | None = None,
        options: Mapping[str, Any] | None = None,
        context_window: int | None = None,
        max_output: int | None = None,
        connect_timeout: float = http.CONNECT_TIMEOUT,
    ) -> None:
        self._info = ModelInfo(provider, name, context_window, max_output)
        path = name if name.startswith(("models/", "tunedModels/")) else f"models/{name}"
        self._url = _endpoint(base_url, f"{path}:streamGenerateContent", "alt=sse")
        self._headers = _auth_headers(api_key, headers)
        self._secrets = [api_key.strip()] if api_key else []
        self._writer = RequestWriter(name, provider, extra_body, options)
        self._connect_timeout = connect_timeout
        # Where the model last made a mistake that may be tried again: it is, once.
        self._mistaken_at: tuple[int, str] | None = None

    @property
    def info(self) -> ModelInfo:
        return self._info

    def __repr__(self) -> str:
        return f"Gemini({self._info.id!r}, base_url={http.public_url(self._url)!r})"

    async def stream(self, request: ModelRequest) -> AsyncIterator[StreamEvent]:
        response = await self._open(request)
        place = (len(request.messages), request.messages[-1].id if request.messages else "")
        reader = GeminiStream(self._secrets, again=self._mistaken_at != place)
        try:
            data = await response.chunk()
            if data.lstrip()[:1] in (b"{", b"["):
                # A proxy that knows no `alt=sse` answers with one JSON document.
                for event in reader.whole(data + await response.read()):
                    yield event
                return
            while data and not reader.ended:
                for event in reader.feed(data):
                    yield event
                data = b"" if reader.ended else await _next(response, reader)
            if not reader.ended:
                for event in reader.close():
                    yield event
        except ModelError as error:
            for event in reader.failed(error.info):
                yield event
        finally:
            self._mistaken_at = place if reader.mistaken else None
            if reader.finished:
                response.release()
            response.close()

    async def _open(self, request: ModelRequest) -> http.Response:
        """Send it, and again without what the server refuses and can be left out."""
        while True:
            try:
                return await self._post(request)
            except ModelError as error:
                if error.code != "bad_request" or not self._writer.gives_way(error.info.message):
                    raise

    async def _post(self, request: ModelRequest) -> http.Response:
        response = await http.post(
            self._url,
            self._writer.body(request),
            self._headers,
            idle_timeout=request.idle_timeout,
            connect_timeout=self._connect_timeout,
            tape=request.tape,
        )
        return http.expect_api(response, self._url)


async def _next(response: http.Response, reader: GeminiStream) -> bytes:
    """The next bytes. Once there was a finish reason the end is near, and a proxy that holds it back is left."""
    if not reader.answer_is_whole:
        return await response.chunk()
    try:
        async with asyncio.timeout(TRAILER_SECONDS):
            return await response.chunk()
    except TimeoutError:
        return b""


async def list_models(
    base_url: str, *, api_key: str | None = None, headers: Mapping[str, str] | None = None, timeout: float = 10.0
) -> list[str]:
    """The names of the models that generate content."""
    url = _endpoint(base_url, "models", "pageSize=1000")
    found: Any = await http.get_json(url, _auth_headers(api_key, headers), timeout=timeout)
    rows: Any = cast("dict[str, Any]", found).get("models") if isinstance(found, dict) else None
    names: list[str] = []
    for row in cast("list[Any]", rows) if isinstance(rows, list) else ():
        fields = cast("dict[str, Any]", row) if isinstance(row, dict) else {}
        if "generateContent" in fields.get("supportedGenerationMethods", ["generateContent"]):
            names.append(str(fields.get("name", "")).removeprefix("models/"))
    return [name for name in names if name]


def _endpoint(base_url: str, path: str, query: str) -> str:
    """The base URL may lack the version, as in the variable that Google's own clients read."""
    parts = urlsplit(base_url)
    base = parts.path.rstrip("/") or "/v1beta"
    return urlunsplit(parts._replace(path=f"{base}/{path}", query="&".join(filter(None, [parts.query, query]))))


def _auth_headers(api_key: str | None, headers: Mapping[str, str] | None) -> dict[str, str]:
    auth = {"x-goog-api-key": api_key.strip()} if api_key and api_key.strip() else {}
    return {**auth, **{name.lower(): value for name, value in (headers or {}).items()}}
