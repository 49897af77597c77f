"""The OpenAI Responses wire, used without state at the server: OpenAI, Azure, xAI, LM Studio, vLLM and their like."""

from collections.abc import AsyncIterator, Mapping
from typing import Any

from toolpost.types.errors import ModelError
from toolpost.types.stream import StreamEvent

from . import http
from .contract import ModelInfo, ModelRequest
from .openai_chat import auth_headers, endpoint, list_models
from .openai_responses_request import RequestWriter
from .openai_responses_stream import ResponseStream

__all__ = ["OpenAIResponses", "list_models"]


class OpenAIResponses:
    """A model behind `POST {base_url}/responses`. Without a key no authorization is sent.

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
        self._url = endpoint(base_url, "responses")
        self._headers = auth_headers(api_key, headers)
        self._secrets = [api_key.strip()] if api_key else []
        self._writer = RequestWriter(name, provider, extra_body, options)
        self._connect_timeout = connect_timeout

    @property
    def info(self) -> ModelInfo:
        return self._info

    def __repr__(self) -> str:
        return f"OpenAIResponses({self._info.id!r}, base_url={http.public_url(self._url)!r})"

    async def stream(self, request: ModelRequest) -> AsyncIterator[StreamEvent]:
        response = await self._open(request)
        reader = ResponseStream(self._secrets)
        try:
            data = await response.chunk()
            if data.lstrip()[:1] == b"{":
                # A server that does not stream answers with one JSON document, whatever its content type says.
                for event in reader.whole(data + await response.read()):
                    yield event
                return
            while data and not reader.ended:
                for event in reader.feed(data):
                    yield event
                data = b"" if reader.ended else await response.chunk()
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
        """Send it, and again without what the server refuses and can be left out."""
        while True:
            try:
                return await self._post(request)
            except ModelError as error:
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
