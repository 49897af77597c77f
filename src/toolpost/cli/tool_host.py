"""Runs tools for somebody who is no session of ours, behind the folder's rules and hooks, with nobody to ask."""

import asyncio
import contextlib
import logging
import os
from collections.abc import Callable, Sequence
from typing import Any

from toolpost.engine.limits import Limits
from toolpost.guard.known import Flow
from toolpost.guard.redact import clean_environment, known_secrets
from toolpost.guard.rules import Action, Rule
from toolpost.plugins.hooks import AskHook, CallHook, HookError, Hooks, ResultHook
from toolpost.tools.builtin.invalid import unknown_tool
from toolpost.tools.define import Tool, ToolContext, ToolResult
from toolpost.tools.hidden import hidden, hidden_content
from toolpost.tools.offering import Offering
from toolpost.tools.output import bound, plain, to_result
from toolpost.tools.schema import check_arguments
from toolpost.tools.throttle import Throttles
from toolpost.types.errors import PermissionDenied, ToolError
from toolpost.types.ids import new_id
from toolpost.types.messages import Content, TextPart
from toolpost.workspace import Workspace, outputs_folder

log = logging.getLogger("toolpost.mcp")

# Built-ins that are nothing without a session of ours: its list, its person, its other tools, its model.
SESSION_ONLY = frozenset({"batch", "question", "task", "todo_read", "todo_write"})


class ToolHost:
    """The tools of a workspace for one outsider. Saved approvals do not count: they were given to our own agents.

    What a rule says to ask is refused, unless the configured policy for runs without a person is `allow`.
    """

    def __init__(self, workspace: Workspace, agent: str | None = None, rules: Sequence[Rule] = ()) -> None:
        _, settings = workspace.agent(agent)
        self._workspace = workspace
        self._rules = workspace.rules(settings, rules)
        self._offering = Offering(workspace.choice(settings), self._rules, bool(settings.read_only))
        self._limits = Limits(**{**workspace.config.limits.given(), **settings.limits.given()})
        self._hooks = Hooks(workspace.plugins, timeout=self._limits.hook_timeout)
        self._throttles = Throttles()
        self._alone = asyncio.Lock()
        self._session = new_id("ses")

    def tools(self) -> list[Tool]:
        """What is on offer. Other servers' tools are theirs to offer."""
        return [
            tool
            for tool in self._workspace.tools
            if self._offering.has(tool)
            and not tool.source.startswith("mcp:")
            and not (tool.source == "builtin" and tool.name in SESSION_ONLY)
        ]

    async def call(self, name: str, arguments: dict[str, Any], on_update: Callable[[str], None]) -> Sequence[Content]:
        known = {tool.name: tool for tool in self.tools()}
        tool = known.get(name)
        if tool is None:
            raise unknown_tool(name, tuple(known))
        try:
            return await self._run(tool, arguments, on_update)
        except HookError as error:
            raise ToolError(str(error)) from error

    async def _run(self, tool: Tool, arguments: dict[str, Any], on_update: Callable[[str], None]) -> Sequence[Content]:
        call_id = new_id("call")
        checked = check_arguments(tool, arguments)
        changed = await self._hooks.tool_execute_before(CallHook(self._session, call_id, tool.name, arguments))
        if changed.arguments != arguments:
            arguments = plain(changed.arguments) or {}
            checked = check_arguments(tool, arguments)
        await self._ask(tool.asks_for, tool.patterns_of(arguments), tool.names)
        result, failed = await self._execute(tool, checked, self._context(tool, call_id, on_update))
        limits, secrets = self._limits, known_secrets()
        result = hidden(result, secrets)
        content = bound(result, limits.output_lines, limits.output_bytes, outputs_folder(), call_id).content
        hook = ResultHook(self._session, call_id, tool.name, arguments, content, result.details, failed is not None)
        content = hidden_content((await self._hooks.tool_execute_after(hook)).content, secrets)
        if failed is not None:
            raise ToolError("\n".join(part.text for part in content if isinstance(part, TextPart)), kind=failed.kind)
        return content

    async def _execute(self, tool: Tool, checked: Any, ctx: ToolContext) -> tuple[ToolResult, ToolError | None]:
        seconds = self._limits.tool_timeout if tool.timeout is None else tool.timeout
        limiter = self._throttles.limiter(tool)
        try:
            async with asyncio.timeout(seconds), contextlib.nullcontext() if tool.parallel else self._alone:
                if limiter is not None:
                    await limiter.wait()
                return to_result(await tool.execute(checked, ctx)), None
        except TimeoutError:
            failed = ToolError(f"{tool.name} was stopped after {seconds:g} s. Try something smaller.", kind="timeout")
        except ToolError as error:
            failed = error
        except PermissionDenied:
            raise
        except Exception as error:  # any failure of a tool is a result for who called it
            log.exception("tool %s failed", tool.name)
            failed = ToolError(f"{type(error).__name__}: {error}")
        return ToolResult([str(failed)]), failed

    async def _ask(self, permission: str, patterns: Sequence[str], names: Sequence[str] = ()) -> None:
        decision = self._rules.decide_call(permission, patterns, names)
        if decision.action == "ask":
            hook = AskHook(self._session, permission, tuple(patterns))
            answer = await self._hooks.permission_ask(hook)
            if answer == "allow" or (answer is None and self._workspace.config.headless == "allow"):
                return
        if decision.action != "allow":
            raise PermissionDenied(
                f"{permission} is not allowed for {decision.pattern!r} here. The owner of this folder can allow it: "
                f"toolpost mcp serve --allow '{permission}'"
            )

    def _context(self, tool: Tool, call_id: str, on_update: Callable[[str], None]) -> ToolContext:
        flow = Flow(known_secrets())

        def update(text: str, details: dict[str, Any] | None) -> None:
            if shown := flow.feed(text):
                on_update(shown)

        async def ask(
            permission: str,
            patterns: Sequence[str],
            always: Sequence[str],
            title: str,
            details: dict[str, Any] | None,
        ) -> None:
            await self._ask(permission, patterns, tool.names if permission == tool.asks_for else ())

        async def environment() -> dict[str, str]:
            return await self._hooks.shell_env(clean_environment(os.environ))

        def decide(permission: str, pattern: str) -> Action:
            return self._rules.decide(permission, [pattern]).action

        return ToolContext(
            self._session,
            self._session,
            call_id,
            self._workspace.project,
            update,
            ask,
            environment,
            decide=decide,
            forbids=self._rules.forbids,
            tool=tool.name,
        )
