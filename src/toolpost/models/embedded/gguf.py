"""`embedded/<name>` for any GGUF file: llama.cpp with the file's own chat template, over its OpenAI wire."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

from toolpost.models.contract import ModelInfo, ModelRequest, close_stream
from toolpost.models.openai_chat.model import OpenAIChat
from toolpost.types.errors import ConfigError, ModelError
from toolpost.types.messages import ErrorInfo
from toolpost.types.stream import StreamEvent

from .server import server_for
from .weights.folder import PROVIDER

# What fits into the memory of an ordinary machine; `context_window` in the configuration says otherwise.
WINDOW = 8192


class Gguf:
    """A pulled file in this process. It is loaded when it is first asked."""

    def __init__(
        self,
        name: str,
        path: Path,
        *,
        adapter: Path | None = None,
        slots: int = 1,
        window: int | None = None,
        max_output: int | None = None,
        options: Mapping[str, Any] | None = None,
        extra_body: Mapping[str, Any] | None = None,
    ) -> None:
        self._info = ModelInfo(PROVIDER, name, window or WINDOW, max_output)
        self._path = path
        self._adapter = adapter
        self._slots = slots
        self._options = options
        self._extra_body = extra_body
        self._chat: OpenAIChat | None = None

    @property
    def info(self) -> ModelInfo:
        return self._info

    def __repr__(self) -> str:
        return f"Gguf({str(self._path)!r})"

    async def stream(self, request: ModelRequest) -> AsyncIterator[StreamEvent]:
        if self._chat is None:
            self._chat = await asyncio.to_thread(self._load)
        events = self._chat.stream(request)
        try:
            async for event in events:
                yield event
        finally:
            await close_stream(events)

    def _load(self) -> OpenAIChat:
        info = self._info
        try:
            server = server_for(
                self._path, window=info.context_window or WINDOW, slots=self._slots, adapter=self._adapter
            )
        except ConfigError as error:
            raise ModelError(ErrorInfo("unreachable", str(error))) from error
        return OpenAIChat(
            info.name,
            provider=info.provider,
            base_url=f"{server.url}/v1",
            api_key=server.key,
            options=self._options,
            # While it reads a long prompt it says how far it is: it is not silent.
            extra_body={"return_progress": True, **(self._extra_body or {})},
            context_window=info.context_window,
            max_output=info.max_output,
        )
