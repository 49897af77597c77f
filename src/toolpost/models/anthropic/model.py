"""The adapter for Anthropic Messages: Claude at its vendor, and the many servers that speak the same wire."""

from collections.abc import Mapping
from copy import copy
from typing import Unpack
from urllib.parse import urlsplit, urlunsplit

from msgspec import structs

from toolpost.arguments.check_sdk_calls import named
from toolpost.models import http
from toolpost.models.adapter_settings import AdapterArguments, AdapterSettings
from toolpost.models.contract import ModelRequest
from toolpost.models.http_model import HttpModel, auth_headers, endpoint, list_rows, names_in
from toolpost.types.errors import ModelError

from .request import AnthropicRequestWriter
from .stream import AnthropicStreamReader

BASE_URL = "https://api.anthropic.com"
VERSION = "2023-06-01"
# The vendor's own variable gives a base URL without it, others with it.
_NOT_HERE = ("/v1",)


class Anthropic(HttpModel[AnthropicRequestWriter]):
    """A model behind `POST {base_url}/v1/messages`. A key goes into `x-api-key`, a token into `Authorization: Bearer`.

    `headers` may hold `anthropic-beta`, and another `anthropic-version`. The prompt is cached: the system prompt's
    head, the tools and the last two turns are marked, unless `extra_body` or the option `extra` says something about
    `cache_control` (false switches the marks off).
    """

    wire = "anthropic"

    @named("Anthropic", AdapterArguments)
    def __init__(
        self,
        name: str,
        *,
        base_url: str = BASE_URL,
        provider: str = "anthropic",
        auth_token: str | None = None,
        version: str = VERSION,
        **given: Unpack[AdapterArguments],
    ) -> None:
        headers = auth_headers(given.get("headers"), authorization=auth_token)
        version = headers.setdefault("anthropic-version", version)
        settings = structs.replace(AdapterSettings(name, provider, base_url, **given), headers=headers)
        url = endpoint(base_url, "v1/messages", without=_NOT_HERE)
        super().__init__(settings, url, AnthropicRequestWriter(settings, version=version))

    @classmethod
    async def list_models(cls, settings: AdapterSettings, *, timeout: float = 10.0) -> list[str]:
        url = endpoint(settings.base_url, "v1/models", "limit=1000", without=_NOT_HERE)
        return names_in(await list_rows(url, cls._headers_for(settings), "data", timeout=timeout), "id")

    @classmethod
    def _headers_for(cls, settings: AdapterSettings) -> dict[str, str]:
        return {"anthropic-version": VERSION, **auth_headers(settings.headers, x_api_key=settings.api_key)}

    async def count(self, body: bytes, headers: Mapping[str, str], *, timeout: float) -> bytes:
        parts = urlsplit(self._url)
        url = urlunsplit(parts._replace(path=f"{parts.path}/count_tokens"))
        response = await self._send_on(url, body, headers, timeout)
        try:
            return await response.read()
        finally:
            response.close()

    def _reader(self, request: ModelRequest) -> AnthropicStreamReader:
        return AnthropicStreamReader(self._secrets)

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
