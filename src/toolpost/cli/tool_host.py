"""The tools of a folder for an MCP client: the engine calls them, behind the folder's rules, with nobody to ask."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from shlex import quote
from typing import Any

from toolpost.engine.outside import NoModel, OutsideCalls
from toolpost.guard.rules import Rule
from toolpost.store.memory import MemoryStore
from toolpost.tools.define import Tool
from toolpost.tools.registry import Registry
from toolpost.types.errors import ToolError
from toolpost.types.messages import Content
from toolpost.workspace import Workspace

# Built-ins that are nothing without a session of ours: its list, its person, its other tools, its model.
SESSION_ONLY = frozenset({"batch", "question", "task", "todo_read", "todo_write"})


class ToolHost:
    """Not offered are the tools of other servers, which are theirs to offer, and what needs a session of ours."""

    def __init__(self, workspace: Workspace, agent: str | None = None, rules: Sequence[Rule] = ()) -> None:
        served = Registry()
        for tool in workspace.tools:
            if not tool.source.startswith("mcp:") and not (tool.source == "builtin" and tool.name in SESSION_ONLY):
                served.add(tool, tool.source)
        setup = workspace.calling(NoModel(), agent=agent, rules=rules)
        self._calls = OutsideCalls(replace(setup, tools=served), MemoryStore)

    async def tools(self) -> list[Tool]:
        return await self._calls.tools()

    async def call(self, name: str, arguments: dict[str, Any], on_update: Callable[[str], None]) -> Sequence[Content]:
        outcome = await self._calls.call(name, arguments, on_update)
        if outcome.error_kind is None:
            return outcome.content
        text = outcome.text
        if outcome.missing:
            text += f" The owner of this folder can allow it: toolpost mcp serve --allow {quote(outcome.missing)}"
        raise ToolError(text, kind=outcome.error_kind)
