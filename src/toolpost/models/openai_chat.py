"""The OpenAI chat wire: OpenAI, Ark, DeepSeek, Qwen, vLLM, llama.cpp, LM Studio, Ollama, OpenRouter and their like."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from typing import Any, cast
from urllib.parse import urlsplit, urlunsplit

from toolpost.types.errors import ModelError
from toolpost.types.stream import StreamEvent

from . import http
from .contract import ModelInfo, ModelRequest
from .openai_chat_request import RequestWriter
from .openai_chat_stream import ChatStream

TRAILER_SECONDS = 3.0


class OpenAIChat:
    """A model behind `POST {base_url}/chat/completions`. Without a key no authorization is sent.

    `extra_body` is merged into every request; `options` stand where a request does not say otherwise.
    """

    def __init__(
        self,
        name: str,
        *,
        base_url: str,
        provider: str = "openai",
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        extra_body: Mapping[str, Any] | None = None,
        options: Mapping[str, Any] | None = None,
        context_window: int | None = None,
        max_output: int | None = None,
        connect_timeout: float = http.CONNECT_TIMEOUT,
    ) -> None:
        self._info = ModelInfo(provider, name, context_window, max_output)
        self._url = endpoint(base_url, "chat/completions")
        self._headers = auth_headers(api_key, headers)
        self._secrets = [api_key.strip()] if api_key else []
        self._writer = RequestWriter(name, provider, extra_body, options)
        self._connect_timeout = connect_timeout
        # Some servers refuse stream_options; that is noticed once and remembered.
        self._stream_options = True

    @property
    def info(self) -> ModelInfo:
        return self._info

    def __repr__(self) -> str:
        return f"OpenAIChat({self._info.id!r}, base_url={http.public_url(self._url)!r})"

    async def stream(self, request: ModelRequest) -> AsyncIterator[StreamEvent]:
        response = await self._open(request)
        reader = ChatStream([tool.name for tool in request.tools], self._secrets)
        try:
            data = await response.chunk()
            if data.lstrip()[:1] == b"{":
                # A server that does not stream answers with one JSON document, whatever its content type says.
                for event in reader.whole(data + await response.read()):
                    yield event
                return
            trailer_ends = 0.0
            while data and not reader.ended:
                for event in reader.feed(data):
                    yield event
                if reader.answer_is_whole and not trailer_ends:
                    trailer_ends = asyncio.get_running_loop().time() + TRAILER_SECONDS
                data = b"" if reader.ended else await _next(response, trailer_ends)
            if reader.finished:
                response.release()
            elif not reader.ended:
                for event in reader.close():
                    yield event
        except ModelError as error:
            for event in reader.failed(error.info):
                yield event
        finally:
            response.close()

    async def _open(self, request: ModelRequest) -> http.Response:
        try:
            return await self._post(request)
        except ModelError as error:
            text = error.info.message
            if not self._stream_options or error.code != "bad_request":
                raise
            if "stream_options" not in text and "include_usage" not in text:
                raise
        self._stream_options = False
        return await self._post(request)

    async def _post(self, request: ModelRequest) -> http.Response:
        response = await http.post(
            self._url,
            self._writer.body(request, stream_options=self._stream_options),
            self._headers,
            idle_timeout=request.idle_timeout,
            connect_timeout=self._connect_timeout,
            tape=request.tape,
        )
        return http.expect_api(response, self._url)


async def _next(response: http.Response, trailer_ends: float) -> bytes:
    """The next bytes. Once the answer is whole, only its usage is waited for, and not for long: some servers keep the
    connection open after the last word, and say every few seconds that they are still there."""
    if not trailer_ends:
        return await response.chunk()
    try:
        async with asyncio.timeout_at(trailer_ends):
            return await response.chunk()
    except TimeoutError:
        return b""


async def list_models(
    base_url: str, *, api_key: str | None = None, headers: Mapping[str, str] | None = None, timeout: float = 10.0
) -> list[str]:
    """The names that `GET {base_url}/models` lists."""
    found: Any = await http.get_json(endpoint(base_url, "models"), auth_headers(api_key, headers), timeout=timeout)
    rows: Any = cast("dict[str, Any]", found).get("data") if isinstance(found, dict) else found
    names: list[Any] = [cast("dict[str, Any]", row).get("id") for row in rows or () if isinstance(row, dict)]
    return [name for name in names if isinstance(name, str)]


def endpoint(base_url: str, path: str) -> str:
    """Put `path` after the base URL's own path and before its query, which Azure and some proxies need."""
    parts = urlsplit(base_url)
    return urlunsplit(parts._replace(path=f"{parts.path.rstrip('/')}/{path}"))


def auth_headers(api_key: str | None, headers: Mapping[str, str] | None) -> dict[str, str]:
    auth = {"authorization": f"Bearer {api_key.strip()}"} if api_key and api_key.strip() else {}
    return {**auth, **{name.lower(): value for name, value in (headers or {}).items()}}
