"""Anthropic Messages: Claude at its vendor, and the many servers that speak the same wire."""

from collections.abc import Mapping
from copy import copy
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from toolpost.models import http
from toolpost.models.contract import EFFORTS, ModelInfo, ModelRequest
from toolpost.models.http_model import HttpModel, auth_headers, endpoint, list_rows, names_in
from toolpost.types.errors import ModelError

from .request import RequestWriter
from .stream import MessageStream

BASE_URL = "https://api.anthropic.com"
VERSION = "2023-06-01"
# The vendor's own variable gives a base URL without it, others with it.
_NOT_HERE = ("/v1",)


class Anthropic(HttpModel[RequestWriter]):
    """A model behind `POST {base_url}/v1/messages`. A key goes into `x-api-key`, a token into `Authorization: Bearer`.

    `headers` may hold `anthropic-beta`, and another `anthropic-version`. The prompt is cached: the system prompt's
    head, the tools and the last two turns are marked, unless `extra_body` or the option `extra` says something about
    `cache_control` (false switches the marks off).
    """

    wire = "anthropic"

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
        auth = auth_headers(headers, x_api_key=api_key, authorization=auth_token)
        version = auth.setdefault("anthropic-version", version)
        super().__init__(
            ModelInfo(provider, name, context_window, max_output, EFFORTS),
            endpoint(base_url, "v1/messages", without=_NOT_HERE),
            auth,
            RequestWriter(name, provider, extra_body, options, max_output=max_output, version=version),
            connect_timeout=connect_timeout,
        )

    async def count(self, body: bytes, headers: Mapping[str, str], *, timeout: float) -> bytes:
        parts = urlsplit(self._url)
        url = urlunsplit(parts._replace(path=f"{parts.path}/count_tokens"))
        response = await self._send_on(url, body, headers, timeout)
        try:
            return await response.read()
        finally:
            response.close()

    def _reader(self, request: ModelRequest) -> MessageStream:
        return MessageStream(self._secrets)

    def _body(self, request: ModelRequest, said: bytes) -> bytes:
        return self._writer.body(request, said=said)

    async def _open(self, request: ModelRequest, said: bytes = b"") -> http.ModelResponse:
        try:
            return await super()._open(request, said)
        except ModelError as error:
            if error.code != "bad_request" or "xpected `thinking`" not in error.info.message:
                raise
        # The turn that goes on began without thinking, at another model perhaps: so it ends without.
        request = copy(request)
        request.options = {**request.options, "reasoning_effort": None}
        return await super()._open(request, said)


async def list_models(
    base_url: str = BASE_URL,
    *,
    api_key: str | None = None,
    headers: Mapping[str, str] | None = None,
    timeout: float = 10.0,
) -> list[str]:
    """The names that `GET {base_url}/v1/models` lists."""
    url = endpoint(base_url, "v1/models", "limit=1000", without=_NOT_HERE)
    auth = {"anthropic-version": VERSION, **auth_headers(headers, x_api_key=api_key)}
    return names_in(await list_rows(url, auth, "data", timeout=timeout), "id")
