"""Tools whose calls a test can hold, and whose results it chooses."""

from web_gates import GATES, TOLD

from toolpost import ToolContext, ToolError, tool


@tool
async def echo(text: str) -> str:
    """Say it again."""
    return f"echo {text}"


@tool
async def held(name: str, ctx: ToolContext) -> str:
    """Say that it works, and return once the gate is open."""
    ctx.update(f"working on {name}\n")
    await GATES[name].passed()
    return f"passed {name}"


@tool
async def told(name: str) -> object:
    """Return what the test has chosen."""
    return TOLD[name]


@tool
async def fail(text: str) -> str:
    """Fail with this text."""
    raise ToolError(text)
