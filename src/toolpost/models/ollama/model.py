"""Ollama's own chat wire, which knows thinking, the size of the context and how long a model stays loaded."""

from collections.abc import Mapping
from typing import Any

from msgspec import structs

from toolpost.models import http
from toolpost.models.contract import EFFORTS, ModelInfo, ModelRequest
from toolpost.models.http_model import HttpModel, auth_headers, endpoint, list_rows, names_in
from toolpost.net.urls import public_url
from toolpost.types.errors import ModelError

from .request import RequestWriter
from .stream import LineStream

BASE_URL = "http://127.0.0.1:11434"
# A base URL that was written for the OpenAI wire ends in /v1, which is not of this one.
_NOT_HERE = ("/v1", "/api")


class Ollama(HttpModel[RequestWriter]):
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
        super().__init__(
            ModelInfo(provider, name, context_window, max_output, EFFORTS),
            endpoint(base_url, "api/chat", without=_NOT_HERE),
            auth_headers(headers, authorization=api_key),
            RequestWriter(name, provider, extra_body, options, context_window=context_window, max_output=max_output),
            connect_timeout=connect_timeout,
        )

    def _reader(self, request: ModelRequest) -> LineStream:
        return LineStream(self._secrets)

    async def _open(self, request: ModelRequest, said: bytes = b"") -> http.ModelResponse:
        try:
            return await super()._open(request, said)
        except ModelError as error:
            if error.code != "not_found":
                raise
            raise self._explained(error) from None

    def _explained(self, error: ModelError) -> ModelError:
        """Say which command gets the model, or that this is another server."""
        where, name = public_url(self._url), self._info.name
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
    url, auth = endpoint(base_url, "api/tags", without=_NOT_HERE), auth_headers(headers, authorization=api_key)
    return names_in(await list_rows(url, auth, "models", timeout=timeout), "name")
