"""Find the model of `embedded/<name>`, and run any GGUF file on llama.cpp in this process."""

import asyncio
import os
from collections.abc import AsyncIterator, Mapping
from pathlib import Path

from msgspec import structs

from toolpost.models.adapter_settings import AdapterSettings
from toolpost.models.contract import Model, ModelInfo, ModelRequest, close_stream
from toolpost.models.openai_chat.model import OpenAIChat
from toolpost.models.tool_mode import Asking
from toolpost.types.errors import ConfigError, ModelError
from toolpost.types.messages import ErrorInfo
from toolpost.types.stream import StreamEvent

from .server import is_installed, not_installed, server_for
from .weights.folder import PROVIDER, is_here, path_of, pulled
from .weights.known import DEFAULT, KNOWN, LIGHT

# What fits into the memory of an ordinary machine; `context_window` in the configuration says otherwise.
WINDOW = 8192


def find_model(
    settings: AdapterSettings, *, grammar: bool = True, environ: Mapping[str, str] = os.environ
) -> tuple[Model, Asking]:
    """The model `embedded/<name>`, and how it is best asked for calls. Nothing is loaded yet. `grammar` holds the calls
    of Qwen to the tools' schemas; for a pulled file the way of asking says so. Raises `ConfigError` with the command
    that fetches what is missing."""
    name = settings.name
    path = path_of(name, environ)
    if not is_installed():
        raise ConfigError(not_installed())
    if name in KNOWN and not is_here(KNOWN[name], environ):
        raise ConfigError(
            f"the weights of {PROVIDER}/{name} are not here yet: `toolpost models pull {name}` fetches them"
        )
    if name in (DEFAULT, LIGHT):
        # Imported here: prompted mode, which other files may not need.
        from .qwen import Qwen

        return Qwen(settings, path, grammar=grammar), Asking("native")
    if not path.is_file():
        here = ", ".join(weights.name for weights in pulled(environ)) or "none"
        raise ConfigError(
            f"{PROVIDER}/{name} was not pulled (pulled: {here}): run `toolpost models pull <file or URL>`"
        )
    return Gguf(settings, path), Asking("auto", grammar="llamacpp")


class Gguf:
    """A GGUF file in this process. It is loaded when it is first asked."""

    def __init__(self, settings: AdapterSettings, path: Path, *, adapter: Path | None = None, slots: int = 1) -> None:
        self._settings = settings
        self._window = settings.context_window or WINDOW
        self._path = path
        self._adapter = adapter
        self._slots = slots
        self._chat: OpenAIChat | None = None

    @property
    def info(self) -> ModelInfo:
        return ModelInfo(PROVIDER, self._settings.name, self._window, self._settings.max_output)

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
        try:
            server = server_for(self._path, window=self._window, slots=self._slots, adapter=self._adapter)
        except ConfigError as error:
            raise ModelError(ErrorInfo("unreachable", str(error))) from error
        # While it reads a long prompt it says how far it is: it is not silent.
        extra_body = {"return_progress": True, **(self._settings.extra_body or {})}
        settings = structs.replace(
            self._settings,
            provider=PROVIDER,
            base_url=f"{server.url}/v1",
            api_key=server.key,
            extra_body=extra_body,
            context_window=self._window,
        )
        return OpenAIChat.of(settings)
