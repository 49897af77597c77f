"""Anthropic Messages: Claude at its vendor, and the many servers that speak the same wire."""

from collections.abc import AsyncIterator, Mapping
from typing import Any, cast
from urllib.parse import urlsplit, urlunsplit

from toolpost.types.errors import ModelError
from toolpost.types.stream import StreamEvent

from . import http
from .anthropic_request import RequestWriter
from .anthropic_stream import MessageStream
from .contract import ModelInfo, ModelRequest

BASE_URL = "https://api.anthropic.com"
VERSION = "2023-06-01"


class Anthropic:
    """A model behind `POST {base_url}/v1/messages`. A key goes into `x-api-key`, a token into `Authorization: Bearer`.

    `headers` may hold `anthropic-beta`, and another `anthropic-version`. The prompt is cached: the system prompt's
    head, the tools and the last two turns are marked, unless `extra_body` or the option `extra` says something about
    `cache_control` (false switches the marks off).
    """

    def __init__(
        self,
        name: str,
        *,
        base_url: str = BASE_URL,
        provider: str = "anthropic",
        api_key: str | None = None,
        auth_token: str | None = None,
        version: str = VERSION,
        headers: Mapping[str, str] | None = None,
        extra_body: Mapping[str, Any] | None = None,
        options: Mapping[str, Any] | None = None,
        context_window: int | None = None,
        max_output: int | None = None,
        connect_timeout: float = http.CONNECT_TIMEOUT,
    ) -> None:
        self._info = ModelInfo(provider, name, context_window, max_output)
        self._url = endpoint(base_url, "v1/messages")
        self._headers = auth_headers(api_key, headers, auth_token=auth_token, version=version)
        self._secrets = [self._headers.get("x-api-key", ""), self._headers.get("authorization", "").split(" ")[-1]]
        self._writer = RequestWriter(
            name,
            provider,
            extra_body,
            options,
            max_output=max_output,
            version=self._headers["anthropic-version"],
        )
        self._connect_timeout = connect_timeout

    @property
    def info(self) -> ModelInfo:
        return self._info

    def __repr__(self) -> str:
        return f"Anthropic({self._info.id!r}, base_url={http.public_url(self._url)!r})"

    async def stream(self, request: ModelRequest) -> AsyncIterator[StreamEvent]:
        reader = MessageStream(self._secrets)
        response = await self._open(request)
        try:
            while True:
                while not reader.ended and not reader.paused:
                    data = await response.chunk()
                    for event in reader.feed(data) if data else reader.close():
                        yield event
                response.release() if reader.finished or reader.paused else response.close()
                if not reader.paused:
                    return
                # The server stopped for breath in a long turn of its own tools: it goes on from what it has said.
                response = await self._open(request, reader.resume())
        except ModelError as error:
            for event in reader.failed(error.info):
                yield event
        finally:
            response.close()

    async def _open(self, request: ModelRequest, said: bytes = b"") -> http.Response:
        thinking = True
        # Every round leaves out something more, and there is little that can be left out.
        while True:
            body = self._writer.body(request, said=said, thinking=thinking)
            try:
                return await self._post(request, body)
            except ModelError as error:
                refusal = error.info.message
                if error.code != "bad_request":
                    raise
                if thinking and "xpected `thinking`" in refusal:
                    # The turn that goes on began without thinking, at another model perhaps: so it ends without.
                    thinking = False
                elif not self._writer.gives_way(refusal, request):
                    raise

    async def _post(self, request: ModelRequest, body: bytes) -> http.Response:
        response = await http.post(
            self._url,
            body,
            self._headers,
            idle_timeout=request.idle_timeout,
            connect_timeout=self._connect_timeout,
            tape=request.tape,
        )
        return http.expect_api(response, self._url)


async def list_models(
    base_url: str = BASE_URL,
    *,
    api_key: str | None = None,
    headers: Mapping[str, str] | None = None,
    timeout: float = 10.0,
) -> list[str]:
    """The names that `GET {base_url}/v1/models` lists."""
    url = endpoint(base_url, "v1/models", "limit=1000")
    found: Any = await http.get_json(url, auth_headers(api_key, headers), timeout=timeout)
    rows: Any = cast("dict[str, Any]", found).get("data") if isinstance(found, dict) else None
    names: list[Any] = [cast("dict[str, Any]", row).get("id") for row in rows or () if isinstance(row, dict)]
    return [name for name in names if isinstance(name, str)]


def endpoint(base_url: str, path: str, query: str = "") -> str:
    """Put `path` after the base URL, which its vendor's own variable gives without /v1, and others with it."""
    parts = urlsplit(base_url)
    root = parts.path.rstrip("/").removesuffix("/v1")
    return urlunsplit(parts._replace(path=f"{root}/{path}", query="&".join(filter(None, [parts.query, query]))))


def auth_headers(
    api_key: str | None, headers: Mapping[str, str] | None, *, auth_token: str | None = None, version: str = VERSION
) -> dict[str, str]:
    auth = {"anthropic-version": version}
    if api_key and api_key.strip():
        auth["x-api-key"] = api_key.strip()
    if auth_token and auth_token.strip():
        auth["authorization"] = f"Bearer {auth_token.strip()}"
    return {**auth, **{name.lower(): value for name, value in (headers or {}).items()}}
