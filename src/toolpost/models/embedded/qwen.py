"""The embedded model Qwen2.5-Coder: weights in this process, with the adapter (LoRA) that taught them to call tools."""

import hashlib
from collections.abc import AsyncIterator, Mapping
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from msgspec import structs

from toolpost.extras import missing_text
from toolpost.models.adapter_settings import AdapterSettings
from toolpost.models.contract import ModelInfo, ModelRequest, close_stream
from toolpost.models.message_parts import merge
from toolpost.models.prompted.adapter import Prompted
from toolpost.types.errors import ConfigError
from toolpost.types.stream import StreamEvent

from .model import Gguf
from .prompt import BACKEND, DIALECT, prepared, without_marks
from .server import SLOTS, without_adapter

# Greedy: it calls better so. A small model may repeat itself for ever: a longer answer can be asked for, and what was
# written or read once is made unlikely from its 24th token in a row on, which no value of a call is long enough for.
DEFAULTS: Mapping[str, Any] = {"temperature": 0.0, "max_tokens": 512}
AGAINST_LOOPS: Mapping[str, Any] = {"dry_multiplier": 0.8, "dry_base": 1.75, "dry_allowed_length": 24}

# The adapters are files of this package. Their hashes are those of the files that this version was made with: a wrong
# one may take down the process that loads it.
PACKAGE = "toolpost_adapters"
ADAPTER_SHA256 = {
    "qwen2.5-coder-1.5b": "eda525e55dcb5cc2c6453a7a9210c6ac8cefeda3644e20180edca18602dfb1ec",
    "qwen2.5-coder-0.5b": "94f3e86994c74dc8ed770bc419d17cd5f6fe8f1890d00de88e2ffe40a666330b",
}


class Qwen:
    """Qwen2.5-Coder with an adapter: asked for calls in the form that this was trained on, `models/embedded/prompt.py`.

    Without tools the adapter is left out, and it is the model that it was. `adapter` is a file to be tried instead of
    the one that belongs to the weights.
    """

    def __init__(
        self, settings: AdapterSettings, path: Path, *, adapter: Path | None = None, grammar: bool = True
    ) -> None:
        options, extra_body = settings.options or {}, settings.extra_body or {}
        settings = structs.replace(
            settings, options={**DEFAULTS, **options}, extra_body={**AGAINST_LOOPS, **extra_body}
        )
        self._llama = Gguf(settings, path, adapter=adapter or adapter_of(settings.name), slots=SLOTS)
        self._prompted = Prompted(_Unmarked(self._llama), dialect=DIALECT, backend=BACKEND, grammar=grammar, brief=True)

    @property
    def info(self) -> ModelInfo:
        return self._llama.info

    def __repr__(self) -> str:
        return f"Qwen({self._llama!r})"

    async def stream(self, request: ModelRequest) -> AsyncIterator[StreamEvent]:
        asked = prepared(request)
        if not asked.tools:
            extra = without_adapter()
            merge(extra, request.options.get("extra") or {})
            asked.options = {**request.options, "extra": extra}
        events = self._prompted.stream(asked)
        try:
            async for event in events:
                yield event
        finally:
            await close_stream(events)


@cache
def adapter_of(name: str) -> Path:
    """The adapter's file of `embedded/<name>`, checked once. Raises `ConfigError` where it is missing or wrong."""
    found = find_spec(PACKAGE)
    if found is None or found.origin is None:
        raise ConfigError(missing_text("local", f"the adapter of embedded/{name}"))
    file = Path(found.origin).parent / f"{name}.gguf"
    try:
        with file.open("rb") as adapter:
            sha256 = hashlib.file_digest(adapter, "sha256").hexdigest()
    except OSError as error:
        raise ConfigError(f"can't read {file}: {error.strerror}. Install toolpost-adapters again.") from error
    if sha256 != ADAPTER_SHA256[name]:
        raise ConfigError(f"{file} is not the adapter of this version of Toolpost: install toolpost-adapters again")
    return file


class _Unmarked:
    """The model behind `Prompted`, where all that it is told is text."""

    def __init__(self, model: Gguf) -> None:
        self._model = model

    @property
    def info(self) -> ModelInfo:
        return self._model.info

    def stream(self, request: ModelRequest) -> AsyncIterator[StreamEvent]:
        return self._model.stream(without_marks(request))
