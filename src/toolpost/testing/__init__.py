"""Test agents: a scripted model in this process, and a scripted model server on a real socket."""

from typing import TYPE_CHECKING, Any

from .model import ScriptedModel
from .script import (
    Gate,
    ScriptError,
    Turn,
    call,
    calls,
    cut,
    end,
    error,
    error_object,
    file,
    http_error,
    parse_script,
    pause,
    raw,
    reasoning,
    reset,
    stall,
    text,
    turn,
    wait,
)

if TYPE_CHECKING:
    from .upstream import Received, Upstream
    from .wires.anthropic import AnthropicWire
    from .wires.ollama import OllamaWire
    from .wires.openai_chat import OpenAIChatWire

__all__ = [
    "AnthropicWire",
    "Gate",
    "OllamaWire",
    "OpenAIChatWire",
    "Received",
    "ScriptError",
    "ScriptedModel",
    "Turn",
    "Upstream",
    "call",
    "calls",
    "cut",
    "end",
    "error",
    "error_object",
    "file",
    "http_error",
    "parse_script",
    "pause",
    "raw",
    "reasoning",
    "reset",
    "stall",
    "text",
    "turn",
    "wait",
]


def __getattr__(name: str) -> Any:
    # Imported when asked for, so that `python -m toolpost.testing.upstream` does not import it twice.
    if name in ("Received", "Upstream"):
        from . import upstream

        return getattr(upstream, name)
    if name.endswith("Wire"):
        from . import wires

        return getattr(wires, name)
    raise AttributeError(name)
