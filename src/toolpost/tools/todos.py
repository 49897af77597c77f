"""The list of what a session has still to do, kept with the session."""

from collections.abc import Sequence
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from .define import ToolContext, ToolResult

MOST = 100
KEY = "todos"

_MARKS = {"pending": "[ ]", "in_progress": "[>]", "completed": "[x]", "cancelled": "[-]"}


class Todo(Struct, frozen=True):
    content: Annotated[str, Meta(min_length=1, max_length=1_000, description="What is to be done, in a short sentence")]
    status: Literal["pending", "in_progress", "completed", "cancelled"] = "pending"
    priority: Literal["high", "medium", "low"] = "medium"


def put(ctx: ToolContext, todos: Sequence[Todo]) -> None:
    ctx.host.keep(KEY, [msgspec.to_builtins(todo) for todo in todos])


def kept(ctx: ToolContext) -> list[Todo]:
    return msgspec.convert(ctx.host.kept(KEY) or [], list[Todo])


def shown(todos: Sequence[Todo]) -> ToolResult:
    """The list as a model and a terminal read it, and whole for other faces."""
    done = sum(todo.status in ("completed", "cancelled") for todo in todos)
    lines = [_line(todo) for todo in todos] or ["(nothing to do)"]
    details: dict[str, Any] = {KEY: [msgspec.to_builtins(todo) for todo in todos]}
    return ToolResult(["\n".join(lines)], details, f"{done} of {len(todos)} done")


def _line(todo: Todo) -> str:
    priority = "" if todo.priority == "medium" else f" ({todo.priority})"
    return f"{_MARKS[todo.status]} {todo.content}{priority}"
