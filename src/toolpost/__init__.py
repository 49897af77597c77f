"""Toolpost: a tool-calling agent runtime. Everything public is here; everything else is private.

Names are loaded when they are first used, so that `import toolpost` costs next to nothing.
"""

# Type checkers know this name by itself; importing it would cost as much as all the rest of this file.
TYPE_CHECKING = False

if TYPE_CHECKING:
    from toolpost.engine.asks import Answer
    from toolpost.engine.core import Status
    from toolpost.engine.limits import Limits
    from toolpost.engine.result import RunResult
    from toolpost.engine.session import Session
    from toolpost.engine.tool_init import InitContext
    from toolpost.guard.rules import Rule
    from toolpost.mcp.config import McpServer
    from toolpost.models.anthropic import Anthropic
    from toolpost.models.contract import Model, ModelInfo, ModelRequest, ToolSpec
    from toolpost.models.gemini import Gemini
    from toolpost.models.ollama import Ollama
    from toolpost.models.openai_chat import OpenAIChat
    from toolpost.models.openai_responses import OpenAIResponses
    from toolpost.models.prompted.adapter import Prompted
    from toolpost.models.prompted.scanner import CallScanner, extract_calls
    from toolpost.plugins.hooks import Plugin
    from toolpost.sdk import Agent
    from toolpost.store.contract import Store
    from toolpost.store.memory import MemoryStore
    from toolpost.store.sqlite import SqliteStore
    from toolpost.tools.cancel import CancelSignal
    from toolpost.tools.define import RateLimit, Tool, ToolContext, ToolResult, tool
    from toolpost.tools.process import run_process
    from toolpost.types.errors import (
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
    from toolpost.types.events import Event
    from toolpost.types.messages import FilePart, Message, TextPart, ToolPart, Usage

__version__ = "0.1.0"

_HOMES = {
    "Agent": "sdk",
    "Answer": "engine.asks",
    "Anthropic": "models.anthropic",
    "CallScanner": "models.prompted.scanner",
    "CancelSignal": "tools.cancel",
    "ConfigError": "types.errors",
    "Event": "types.events",
    "FilePart": "types.messages",
    "Gemini": "models.gemini",
    "InitContext": "engine.tool_init",
    "Limits": "engine.limits",
    "McpServer": "mcp.config",
    "MemoryStore": "store.memory",
    "Message": "types.messages",
    "Model": "models.contract",
    "ModelError": "types.errors",
    "ModelInfo": "models.contract",
    "ModelRequest": "models.contract",
    "Ollama": "models.ollama",
    "OpenAIChat": "models.openai_chat",
    "OpenAIResponses": "models.openai_responses",
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
    "SqliteStore": "store.sqlite",
    "Status": "engine.core",
    "Store": "store.contract",
    "StoreError": "types.errors",
    "TextPart": "types.messages",
    "Tool": "tools.define",
    "ToolContext": "tools.define",
    "ToolError": "types.errors",
    "ToolPart": "types.messages",
    "ToolResult": "tools.define",
    "ToolSpec": "models.contract",
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
