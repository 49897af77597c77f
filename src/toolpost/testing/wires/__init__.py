"""The wires of the scripted server: one module a wire, and which of them answers a path."""

from collections.abc import Mapping
from importlib import import_module
from typing import Any, Protocol

from toolpost.testing.script import Step, Turn


class ScriptedWire(Protocol):
    """What `Upstream` needs to speak a protocol. Everything returned is body bytes, one item a chunk.

    Each request is answered by a shallow copy of its own, so a wire may count blocks as it goes.
    """

    content_type: str

    def answers(self, path: str) -> bool:
        """True if a POST to `path` asks for a turn on this wire."""
        ...

    def lists(self, path: str, headers: Mapping[str, str]) -> bool:
        """True if a GET of `path` asks for the models on this wire."""
        ...

    def wants_stream(self, path: str, body: Any) -> bool: ...

    def opening(self, turn: Turn) -> list[bytes]: ...

    def step(self, step: Step) -> list[bytes]: ...

    def closing(self, turn: Turn, body: Any) -> list[bytes]: ...

    def error_event(self, error: Any) -> bytes: ...

    def error_body(self, status: int, message: Any, code: str = "") -> bytes: ...

    def document(self, turn: Turn) -> bytes: ...

    def models(self, names: tuple[str, ...]) -> bytes: ...


# Where each wire lives, the more specific first; the last one also answers unknown paths.
_HOMES = {
    "AnthropicWire": "anthropic",
    "OllamaWire": "ollama",
    "GeminiWire": "gemini",
    "OpenAIResponsesWire": "openai_responses",
    "OpenAIChatWire": "openai_chat",
}


def all_wires() -> list[ScriptedWire]:
    """One of each, in the order in which they are asked."""
    return [getattr(import_module(f"{__name__}.{home}"), name)() for name, home in _HOMES.items()]


def __getattr__(name: str) -> Any:
    # A script of one wire need not import the others.
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(name)
    return getattr(import_module(f"{__name__}.{home}"), name)
