"""The OpenAI Responses wire, used without state at the server: OpenAI, Azure, xAI, LM Studio, vLLM and their like."""

from collections.abc import Mapping
from typing import Any

from toolpost.models import http
from toolpost.models.contract import EFFORTS, ModelInfo, ModelRequest
from toolpost.models.http_model import HttpModel, auth_headers, endpoint
from toolpost.models.openai_chat.model import list_models

from .request import RequestWriter
from .stream import ResponseStream

__all__ = ["OpenAIResponses", "list_models"]


class OpenAIResponses(HttpModel[RequestWriter]):
    """A model behind `POST {base_url}/responses`. Without a key no authorization is sent.

    `extra_body` is merged into every request; `options` stand where a request does not say otherwise.
    """

    wire = "openai_responses"

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
        super().__init__(
            ModelInfo(provider, name, context_window, max_output, EFFORTS),
            endpoint(base_url, "responses"),
            auth_headers(headers, authorization=api_key),
            RequestWriter(name, provider, extra_body, options),
            connect_timeout=connect_timeout,
        )

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

    def _reader(self, request: ModelRequest) -> ResponseStream:
        return ResponseStream(self._secrets)
