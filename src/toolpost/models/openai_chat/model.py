"""The adapter for the OpenAI chat wire: OpenAI, Ark, DeepSeek, Qwen, vLLM, llama.cpp, OpenRouter and others."""

from collections.abc import Mapping
from typing import Unpack

from toolpost.arguments.check_sdk_calls import named
from toolpost.models import http
from toolpost.models.adapter_settings import AdapterArguments, AdapterSettings
from toolpost.models.contract import ModelRequest
from toolpost.models.http_model import HttpModel, endpoint
from toolpost.types.errors import ModelError

from .request import OpenAIChatRequestWriter
from .stream import OpenAIChatStreamReader


class OpenAIChat(HttpModel[OpenAIChatRequestWriter]):
    """A model behind `POST {base_url}/chat/completions`. Without a key no authorization is sent.

    `extra_body` is merged into every request; `options` stand where a request does not say otherwise.
    """

    wire = "openai_chat"

    @named("OpenAIChat", AdapterArguments)
    def __init__(
        self, name: str, *, base_url: str, provider: str = "openai", **given: Unpack[AdapterArguments]
    ) -> None:
        settings = AdapterSettings(name, provider, base_url, **given)
        super().__init__(settings, endpoint(base_url, "chat/completions"), OpenAIChatRequestWriter(settings))

    async def relay(self, body: bytes, headers: Mapping[str, str], *, idle_timeout: float) -> http.ModelResponse:
        try:
            return await super().relay(body, headers, idle_timeout=idle_timeout)
        except ModelError as error:
            if error.code != "bad_request" or not self._writer.gives_way(error.info.message, ModelRequest(())):
                raise
        return await super().relay(body, headers, idle_timeout=idle_timeout)

    def _reader(self, request: ModelRequest) -> OpenAIChatStreamReader:
        return OpenAIChatStreamReader([tool.name for tool in request.tools], self._secrets)
