"""The OpenAI chat wire: OpenAI, Ark, DeepSeek, Qwen, vLLM, llama.cpp, LM Studio, Ollama, OpenRouter and their like."""

from collections.abc import Mapping
from typing import Any

from toolpost.models import http
from toolpost.models.contract import EFFORTS, ModelInfo, ModelRequest
from toolpost.models.http_model import HttpModel, auth_headers, endpoint, list_rows, names_in
from toolpost.types.errors import ModelError

from .request import RequestWriter
from .stream import ChatStream


class OpenAIChat(HttpModel[RequestWriter]):
    """A model behind `POST {base_url}/chat/completions`. Without a key no authorization is sent.

    `extra_body` is merged into every request; `options` stand where a request does not say otherwise.
    """

    wire = "openai_chat"

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
            endpoint(base_url, "chat/completions"),
            auth_headers(headers, authorization=api_key),
            RequestWriter(name, provider, extra_body, options),
            connect_timeout=connect_timeout,
        )

    async def relay(self, body: bytes, headers: Mapping[str, str], *, idle_timeout: float) -> http.ModelResponse:
        try:
            return await super().relay(body, headers, idle_timeout=idle_timeout)
        except ModelError as error:
            if error.code != "bad_request" or not self._writer.gives_way(error.info.message, ModelRequest(())):
                raise
        return await super().relay(body, headers, idle_timeout=idle_timeout)

    def _reader(self, request: ModelRequest) -> ChatStream:
        return ChatStream([tool.name for tool in request.tools], self._secrets)


async def list_models(
    base_url: str, *, api_key: str | None = None, headers: Mapping[str, str] | None = None, timeout: float = 10.0
) -> list[str]:
    """The names that `GET {base_url}/models` lists."""
    auth = auth_headers(headers, authorization=api_key)
    return names_in(await list_rows(endpoint(base_url, "models"), auth, "data", timeout=timeout), "id")
