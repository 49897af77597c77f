"""Ollama's own chat wire, which knows thinking, the size of the context and how long a model stays loaded."""

from collections.abc import AsyncIterator, Mapping
from typing import Any, cast
from urllib.parse import urlsplit, urlunsplit

from msgspec import structs

from toolpost.types.errors import ModelError
from toolpost.types.stream import StreamEvent

from . import http
from .contract import ModelInfo, ModelRequest
from .ollama_request import RequestWriter
from .ollama_stream import LineStream
from .openai_chat import auth_headers

BASE_URL = "http://127.0.0.1:11434"


class Ollama:
    """A model behind `POST {base_url}/api/chat`. `context_window` becomes `num_ctx`; `keep_alive`, `format` and other
    options of the server go through `extra_body` or the option `extra`."""

    def __init__(
        self,
        name: str,
        *,
        base_url: str = BASE_URL,
        provider: str = "ollama",
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        extra_body: Mapping[str, Any] | None = None,
        options: Mapping[str, Any] | None = None,
        context_window: int | None = None,
        max_output: int | None = None,
        connect_timeout: float = http.CONNECT_TIMEOUT,
    ) -> None:
        self._info = ModelInfo(provider, name, context_window, max_output)
        self._url = endpoint(base_url, "api/chat")
        self._headers = auth_headers(api_key, headers)
        self._secrets = [api_key.strip()] if api_key else []
        self._writer = RequestWriter(
            name, provider, extra_body, options, context_window=context_window, max_output=max_output
        )
        self._connect_timeout = connect_timeout

    @property
    def info(self) -> ModelInfo:
        return self._info

    def __repr__(self) -> str:
        return f"Ollama({self._info.id!r}, base_url={http.public_url(self._url)!r})"

    async def stream(self, request: ModelRequest) -> AsyncIterator[StreamEvent]:
        reader = LineStream(self._secrets)
        response = await self._open(request)
        try:
            while not reader.ended:
                data = await response.chunk()
                for event in reader.feed(data) if data else reader.close():
                    yield event
            if reader.finished:
                response.release()
        except ModelError as error:
            for event in reader.failed(error.info):
                yield event
        finally:
            response.close()

    async def _open(self, request: ModelRequest) -> http.Response:
        while True:
            try:
                return await self._post(request)
            except ModelError as error:
                if error.code == "not_found":
                    raise self._explained(error) from None
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

    def _explained(self, error: ModelError) -> ModelError:
        """Say which command gets the model, or that this is another server."""
        where, name = http.public_url(self._url), self._info.name
        text = f"{where} has no model {name!r}: get it with `ollama pull {name}`"
        said = error.info.message.partition(" answered ")[2].partition(" (check ")[0]
        if "model" not in said:
            hint = 'for one that speaks like OpenAI, set wire = "openai_chat"'
            text = f"{where} is not there: is this an Ollama server? ({hint})"
        return ModelError(structs.replace(error.info, message=text))


async def list_models(
    base_url: str = BASE_URL,
    *,
    api_key: str | None = None,
    headers: Mapping[str, str] | None = None,
    timeout: float = 10.0,
) -> list[str]:
    """The names that `GET {base_url}/api/tags` lists."""
    url = endpoint(base_url, "api/tags")
    found: Any = await http.get_json(url, auth_headers(api_key, headers), timeout=timeout)
    rows: Any = cast("dict[str, Any]", found).get("models") if isinstance(found, dict) else None
    names: list[Any] = [cast("dict[str, Any]", row).get("name") for row in rows or () if isinstance(row, dict)]
    return [name for name in names if isinstance(name, str)]


def endpoint(base_url: str, path: str) -> str:
    """Put `path` after the base URL. One that was written for the OpenAI wire ends in /v1, which is not of this one."""
    parts = urlsplit(base_url)
    root = parts.path.rstrip("/").removesuffix("/v1").removesuffix("/api")
    return urlunsplit(parts._replace(path=f"{root}/{path}"))
