"""The settings of a model adapter: name and address of the model, the key, and what goes into every request."""

from collections.abc import Mapping
from typing import Any, TypedDict

from msgspec import Struct

from .contract import EFFORTS, ModelInfo
from .http import CONNECT_TIMEOUT


class AdapterArguments(TypedDict, total=False):
    """The keyword arguments that every adapter over HTTP takes. Without an `api_key` none is sent.

    `headers` are sent with every request; `extra_body` is merged into every body; `options` stand where a request does
    not say otherwise. `max_context` bounds the window where its server says the size; with `asks_window` a server on
    the OpenAI chat wire is asked for it, as Ollama always is.
    """

    api_key: str | None
    headers: Mapping[str, str] | None
    extra_body: Mapping[str, Any] | None
    options: Mapping[str, Any] | None
    context_window: int | None
    max_context: int | None
    asks_window: bool
    max_output: int | None
    connect_timeout: float


class AdapterSettings(Struct, frozen=True):
    """What an adapter knows of its model. Made once; the adapter, its request writer and the listing of models share
    it."""

    name: str
    provider: str = ""
    base_url: str = ""
    api_key: str | None = None
    headers: Mapping[str, str] | None = None
    extra_body: Mapping[str, Any] | None = None
    options: Mapping[str, Any] | None = None
    context_window: int | None = None
    max_context: int | None = None
    asks_window: bool = False
    max_output: int | None = None
    connect_timeout: float = CONNECT_TIMEOUT

    @property
    def info(self) -> ModelInfo:
        return ModelInfo(self.provider, self.name, self.context_window, self.max_output, EFFORTS)
