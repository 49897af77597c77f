"""The adapter for OpenAI Responses, keeping no state at the server: OpenAI, Azure, xAI, LM Studio, vLLM and others."""

from collections.abc import Mapping
from typing import Unpack

from toolpost.arguments.check_sdk_calls import named
from toolpost.models.adapter_settings import AdapterArguments, AdapterSettings
from toolpost.models.contract import ModelRequest
from toolpost.models.http_model import HttpModel, endpoint

from .request import OpenAIResponsesRequestWriter
from .stream import OpenAIResponsesStreamReader


class OpenAIResponses(HttpModel[OpenAIResponsesRequestWriter]):
    """A model behind `POST {base_url}/responses`. Without a key no authorization is sent.

    `extra_body` is merged into every request; `options` stand where a request does not say otherwise.
    """

    wire = "openai_responses"

    @named("OpenAIResponses", AdapterArguments)
    def __init__(
        self, name: str, *, base_url: str, provider: str = "openai", **given: Unpack[AdapterArguments]
    ) -> None:
        settings = AdapterSettings(name, provider, base_url, **given)
        super().__init__(settings, endpoint(base_url, "responses"), OpenAIResponsesRequestWriter(settings))

    async def count(self, body: bytes, headers: Mapping[str, str], *, timeout: float) -> bytes:
        return await self._whole("input_tokens", body, headers, timeout)

    async def compact(self, body: bytes, headers: Mapping[str, str], *, timeout: float) -> bytes:
        """The conversation of a request that came on this wire, made shorter by the server. Raises `ModelError`."""
        return await self._whole("compact", body, headers, timeout)

    async def _whole(self, path: str, body: bytes, headers: Mapping[str, str], timeout: float) -> bytes:
        response = await self._send_on(endpoint(self._url, path), body, headers, timeout)
        try:
            return await response.read()
        finally:
            response.close()

    def _reader(self, request: ModelRequest) -> OpenAIResponsesStreamReader:
        return OpenAIResponsesStreamReader(self._secrets)
