"""Answers a call to a tool that does not exist, with what there is. Never on offer itself."""

from collections.abc import Sequence
from typing import Any

from toolpost.arguments.names import near
from toolpost.tools.define import Tool, ToolContext
from toolpost.types.errors import ToolError

MOST_NAMES = 60


def unknown_tool(name: str, offered: Sequence[str]) -> ToolError:
    """The error to give to a model that called `name`."""
    if not offered:
        return ToolError(f'There is no tool "{name}", and no other: answer without tools.', kind="unknown_tool")
    likely = near(name, offered)
    hint = f" Did you mean {' or '.join(likely)}?" if likely else ""
    shown = ", ".join(offered[:MOST_NAMES])
    more = f" and {len(offered) - MOST_NAMES} more" if len(offered) > MOST_NAMES else ""
    return ToolError(f'There is no tool "{name}".{hint} Tools on offer: {shown}{more}.', kind="unknown_tool")


async def _answer(arguments: dict[str, Any], ctx: ToolContext) -> str:
    raise unknown_tool(arguments["tool"], arguments["offered"])


TOOL = Tool(
    name="invalid",
    label="Unknown tool",
    description="Answers calls to tools that do not exist. Do not call it.",
    parameters={
        "type": "object",
        "properties": {"tool": {"type": "string"}, "offered": {"type": "array", "items": {"type": "string"}}},
        "required": ["tool", "offered"],
    },
    execute=_answer,
    read_only=True,
    source="builtin",
)
