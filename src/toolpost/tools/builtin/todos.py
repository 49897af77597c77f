"""`todo_write` and `todo_read`: the model's list of what it has to do, kept with the session."""

from collections.abc import Sequence
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from toolpost.tools.define import Tool, ToolContext, ToolResult, tool
from toolpost.tools.workbench import Workbench
from toolpost.types.errors import ToolError

MAX_TODOS = 100
# The name under which a session keeps the list.
KEY = "todos"

_MARKS = {"pending": "[ ]", "in_progress": "[>]", "completed": "[x]", "cancelled": "[-]"}


class Todo(Struct, frozen=True):
    content: Annotated[str, Meta(min_length=1, max_length=1_000, description="What is to be done, in a short sentence")]
    status: Literal["pending", "in_progress", "completed", "cancelled"] = "pending"
    priority: Literal["high", "medium", "low"] = "medium"


def make_todo_write(bench: Workbench) -> Tool:
    @tool(name="todo_write", read_only=True, parallel=False, touches_machine=False)
    async def todo_write(
        ctx: ToolContext, todos: Annotated[list[Todo], "The whole list, which takes the place of the old one"]
    ) -> ToolResult:
        """Write down what you have to do, and keep it up to date. Use it for work of three steps or more.

        Give the whole list each time. Have one item in_progress, and mark it completed as soon as it is done.
        """
        if len(todos) > MAX_TODOS:
            raise ToolError(
                f"{len(todos)} items are too many to keep in view: {MAX_TODOS} is the limit.", kind="invalid"
            )
        ctx.host.keep(KEY, [msgspec.to_builtins(todo) for todo in todos])
        return _result(todos)

    return todo_write


def make_todo_read(bench: Workbench) -> Tool:
    @tool(name="todo_read", read_only=True, touches_machine=False)
    async def todo_read(ctx: ToolContext) -> ToolResult:
        """Read your list of what is to be done, as todo_write left it."""
        return _result(msgspec.convert(ctx.host.kept(KEY) or [], list[Todo]))

    return todo_read


def _result(todos: Sequence[Todo]) -> ToolResult:
    """The list as a model and a terminal read it, and whole for other faces."""
    done = sum(todo.status in ("completed", "cancelled") for todo in todos)
    lines = [_line(todo) for todo in todos] or ["(nothing to do)"]
    details: dict[str, Any] = {KEY: [msgspec.to_builtins(todo) for todo in todos]}
    return ToolResult(["\n".join(lines)], details, f"{done} of {len(todos)} done")


def _line(todo: Todo) -> str:
    priority = "" if todo.priority == "medium" else f" ({todo.priority})"
    return f"{_MARKS[todo.status]} {todo.content}{priority}"
