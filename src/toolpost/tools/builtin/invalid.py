"""Answers a call to a tool that does not exist, with what there is."""

from collections.abc import Sequence

from toolpost.arguments.names import near
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
