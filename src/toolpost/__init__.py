"""Toolpost: a tool-calling agent runtime. Everything public is here; everything else is private.

Names are loaded when they are first used, so that `import toolpost` costs next to nothing.
"""

# Type checkers know this name by itself; importing it would cost as much as all the rest of this file.
TYPE_CHECKING = False

if TYPE_CHECKING:
    from .engine.limits import Limits
    from .engine.permissions import Answer
    from .engine.result import RunResult
    from .engine.session import Session
    from .engine.state import Status
    from .engine.tool_init import InitContext
    from .guard.rules import Rule
    from .mcp.config import McpServer
    from .models.anthropic.model import Anthropic
    from .models.contract import Model, ModelInfo, ModelRequest
    from .models.gemini.model import Gemini
    from .models.ollama.model import Ollama
    from .models.openai_chat.model import OpenAIChat
    from .models.openai_responses.model import OpenAIResponses
    from .models.prompted.adapter import Prompted
    from .models.prompted.scanner import CallScanner, extract_calls
    from .plugins.hooks import Plugin
    from .sdk import Agent
    from .store.contract import Store
    from .store.memory import MemoryStore
    from .store.sqlite.store import SqliteStore
    from .tools.cancel import CancelSignal
    from .tools.define import RateLimit, Tool, ToolContext, ToolResult, tool
    from .tools.process import run_process
    from .types.errors import (
        ConfigError,
        ModelError,
        OutputError,
        PermissionDenied,
        RunNotStored,
        SessionBusy,
        SessionNotFound,
        StoreError,
        ToolError,
        ToolpostError,
    )
    from .types.events import Event
    from .types.messages import FilePart, Message, TextPart, ToolPart, Usage
    from .types.tool_spec import ToolSpec

__version__ = "0.1.0"

_HOMES = {
    "Agent": "sdk",
    "Answer": "engine.permissions",
    "Anthropic": "models.anthropic.model",
    "CallScanner": "models.prompted.scanner",
    "CancelSignal": "tools.cancel",
    "ConfigError": "types.errors",
    "Event": "types.events",
    "FilePart": "types.messages",
    "Gemini": "models.gemini.model",
    "InitContext": "engine.tool_init",
    "Limits": "engine.limits",
    "McpServer": "mcp.config",
    "MemoryStore": "store.memory",
    "Message": "types.messages",
    "Model": "models.contract",
    "ModelError": "types.errors",
    "ModelInfo": "models.contract",
    "ModelRequest": "models.contract",
    "Ollama": "models.ollama.model",
    "OpenAIChat": "models.openai_chat.model",
    "OpenAIResponses": "models.openai_responses.model",
    "OutputError": "types.errors",
    "PermissionDenied": "types.errors",
    "Plugin": "plugins.hooks",
    "Prompted": "models.prompted.adapter",
    "RateLimit": "tools.define",
    "Rule": "guard.rules",
    "RunNotStored": "types.errors",
    "RunResult": "engine.result",
    "Session": "engine.session",
    "SessionBusy": "types.errors",
    "SessionNotFound": "types.errors",
    "SqliteStore": "store.sqlite.store",
    "Status": "engine.state",
    "Store": "store.contract",
    "StoreError": "types.errors",
    "TextPart": "types.messages",
    "Tool": "tools.define",
    "ToolContext": "tools.define",
    "ToolError": "types.errors",
    "ToolPart": "types.messages",
    "ToolResult": "tools.define",
    "ToolSpec": "types.tool_spec",
    "ToolpostError": "types.errors",
    "Usage": "types.messages",
    "extract_calls": "models.prompted.scanner",
    "run_process": "tools.process",
    "tool": "tools.define",
}

__all__ = [
    "Agent",
    "Answer",
    "Anthropic",
    "CallScanner",
    "CancelSignal",
    "ConfigError",
    "Event",
    "FilePart",
    "Gemini",
    "InitContext",
    "Limits",
    "McpServer",
    "MemoryStore",
    "Message",
    "Model",
    "ModelError",
    "ModelInfo",
    "ModelRequest",
    "Ollama",
    "OpenAIChat",
    "OpenAIResponses",
    "OutputError",
    "PermissionDenied",
    "Plugin",
    "Prompted",
    "RateLimit",
    "Rule",
    "RunNotStored",
    "RunResult",
    "Session",
    "SessionBusy",
    "SessionNotFound",
    "SqliteStore",
    "Status",
    "Store",
    "StoreError",
    "TextPart",
    "Tool",
    "ToolContext",
    "ToolError",
    "ToolPart",
    "ToolResult",
    "ToolSpec",
    "ToolpostError",
    "Usage",
    "extract_calls",
    "run_process",
    "tool",
]


if not TYPE_CHECKING:

    def __getattr__(name):
        home = _HOMES.get(name)
        if home is None:
            raise AttributeError(f"module 'toolpost' has no attribute {name!r}")
        from importlib import import_module

        value = getattr(import_module(f"toolpost.{home}"), name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
