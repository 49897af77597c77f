"""`embedded/qwen2.5-coder-…` as a `Model`: weights in this process, with the adapter that taught them to call tools."""

from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

from toolpost.models.contract import ModelInfo, ModelRequest, close_stream
from toolpost.models.message_parts import merge
from toolpost.models.prompted.adapter import Prompted
from toolpost.types.stream import StreamEvent

from .adapters import adapter_of
from .gguf import Gguf
from .prompt import BACKEND, DIALECT, prepared, without_marks
from .server import SLOTS, without_adapter

# Greedy: it calls better so. A small model may repeat itself for ever: a longer answer can be asked for, and what was
# written or read once is made unlikely from its 24th token in a row on, which no value of a call is long enough for.
DEFAULTS: Mapping[str, Any] = {"temperature": 0.0, "max_tokens": 512}
AGAINST_LOOPS: Mapping[str, Any] = {"dry_multiplier": 0.8, "dry_base": 1.75, "dry_allowed_length": 24}


class Qwen:
    """Qwen2.5-Coder with an adapter: asked for calls in the form that this was trained on, `models/embedded/prompt.py`.

    Without tools the adapter is left out, and it is the model that it was. `adapter` is a file to be tried instead of
    the one that belongs to the weights.
    """

    def __init__(
        self,
        name: str,
        path: Path,
        *,
        adapter: Path | None = None,
        window: int | None = None,
        max_output: int | None = None,
        options: Mapping[str, Any] | None = None,
        extra_body: Mapping[str, Any] | None = None,
        grammar: bool = True,
    ) -> None:
        self._llama = Gguf(
            name,
            path,
            adapter=adapter or adapter_of(name),
            slots=SLOTS,
            window=window,
            max_output=max_output,
            options={**DEFAULTS, **(options or {})},
            extra_body={**AGAINST_LOOPS, **(extra_body or {})},
        )
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


class _Unmarked:
    """The model behind `Prompted`, where all that it is told is text."""

    def __init__(self, model: Gguf) -> None:
        self._model = model

    @property
    def info(self) -> ModelInfo:
        return self._model.info

    def stream(self, request: ModelRequest) -> AsyncIterator[StreamEvent]:
        return self._model.stream(without_marks(request))
