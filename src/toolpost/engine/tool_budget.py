"""Choose the tools that fit into a small context window: a person's own, then those of MCP servers, then built-ins.

The descriptions of all tools go along with every request. In a small window too many of them leave no room for the
conversation, so some are left out, and the person is told which.
"""

from collections.abc import Sequence
from functools import lru_cache

import msgspec
from msgspec import Struct

from toolpost.tools.define import Tool
from toolpost.types.tool_spec import ToolSpec

from .token_estimate import text_tokens

# A larger window has room for all of them.
SMALL_WINDOW = 65_536
# What of a small window tools may take: all of them, and a person's own, which are kept as long as that is possible.
SHARE = 1 / 3
OWN_SHARE = 1 / 2
# The built-ins that are most use in a small window, the first one first.
_USEFUL = ("web_search", "web_fetch", "calculator", "read", "bash", "grep", "edit", "write", "glob", "list", "question")


class ToolFit(Struct, frozen=True):
    kept: tuple[Tool, ...]
    left_out: tuple[str, ...] = ()


def fit_tools(tools: Sequence[Tool], window: int | None) -> ToolFit:
    """The tools that a model with this window is offered, in their order, and the names of the others."""
    if window is None or window >= SMALL_WINDOW or _tokens_of(tools) <= window * SHARE:
        return ToolFit(tuple(tools))
    spent, kept = 0, set[str]()
    for tool in sorted(tools, key=_rank):
        room = window * (OWN_SHARE if _is_own(tool) else SHARE)
        size = spec_tokens(tool.spec)
        if spent + size <= room:
            spent += size
            kept.add(tool.name)
    left_out = tuple(tool.name for tool in tools if tool.name not in kept)
    return ToolFit(tuple(tool for tool in tools if tool.name in kept), left_out)


@lru_cache(maxsize=4_096)
def _encoded_tokens(name: str, description: str, parameters: bytes) -> int:
    return text_tokens(name + description) + len(parameters) // 4


def spec_tokens(spec: ToolSpec) -> int:
    """About how many tokens a tool's description takes in a request."""
    return _encoded_tokens(spec.name, spec.description, msgspec.json.encode(spec.parameters))


def _tokens_of(tools: Sequence[Tool]) -> int:
    return sum(spec_tokens(tool.spec) for tool in tools)


def _rank(tool: Tool) -> tuple[int, int, str]:
    if _is_own(tool):
        return 0, 0, tool.name
    if tool.source.startswith("mcp"):
        return 1, 0, tool.name
    return 2, _USEFUL.index(tool.name) if tool.name in _USEFUL else len(_USEFUL), tool.name


def _is_own(tool: Tool) -> bool:
    return tool.source != "builtin" and not tool.source.startswith("mcp")
