"""`todo_write`: the model keeps a list of what it has to do."""

from typing import Annotated

from toolpost.tools.define import Tool, ToolContext, ToolResult, tool
from toolpost.tools.todos import MOST, Todo, put, shown
from toolpost.tools.workbench import Workbench
from toolpost.types.errors import ToolError


def make(bench: Workbench) -> Tool:
    @tool(name="todo_write", read_only=True, parallel=False, touches_machine=False)
    async def todo_write(
        ctx: ToolContext, todos: Annotated[list[Todo], "The whole list, which takes the place of the old one"]
    ) -> ToolResult:
        """Write down what you have to do, and keep it up to date. Use it for work of three steps or more.

        Give the whole list each time. Have one item in_progress, and mark it completed as soon as it is done.
        """
        if len(todos) > MOST:
            raise ToolError(f"{len(todos)} items are too many to keep in view: {MOST} is the limit.", kind="invalid")
        put(ctx, todos)
        return shown(todos)

    return todo_write
