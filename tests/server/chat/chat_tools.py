"""Tools whose calls a test can hold, fail and look at."""

from chat_gates import GATES, RAN

from toolpost import ToolError, ToolResult, tool
from toolpost.types.messages import FilePart, TextPart


@tool
async def echo(text: str) -> str:
    """Say it again."""
    RAN.append(f"echo {text}")
    return f"echo {text}"


@tool(parallel=False)
async def lone(text: str) -> str:
    """Say it again, while no other call runs."""
    RAN.append(f"lone {text}")
    return f"lone {text}"


@tool
async def held(name: str) -> str:
    """Return once the gate is open."""
    await GATES[name].passed()
    return f"passed {name}"


@tool
async def falsy(kind: str) -> object:
    """Return nothing to speak of."""
    return {"zero": 0, "false": False, "empty": "", "null": None, "list": []}[kind]


@tool
async def fail() -> str:
    """Fail."""
    raise ToolError("it broke")


@tool
async def picture() -> ToolResult:
    """Draw."""
    return ToolResult([TextPart("a dot"), FilePart("image/png", "aGk=")], details={"pixels": 1}, title="A dot")
