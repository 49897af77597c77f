"""`todo_read`: the model looks at its list of what it has to do."""

from toolpost.tools.define import Tool, ToolContext, ToolResult, tool
from toolpost.tools.todos import kept, shown
from toolpost.tools.workbench import Workbench


def make(bench: Workbench) -> Tool:
    @tool(name="todo_read", read_only=True, touches_machine=False)
    async def todo_read(ctx: ToolContext) -> ToolResult:
        """Read your list of what is to be done, as todo_write left it."""
        return shown(kept(ctx))

    return todo_read
