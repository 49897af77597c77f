"""The whole plugin contract: subclass `Plugin`, override what you need, offer it as an entry point of group `toolpost`.

Plugins run in order: installed ones by name, then those given in code, each seeing what the one before left.
A hook returns the changed value, or None to leave it. Hooks that can stop something fail closed: an exception or a
timeout stops what they guard, with the plugin's name. Those that only watch (`event`) or help (`compaction`) fail open.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Literal, TypeVar

from msgspec import Struct

from toolpost.guard.rules import Rule
from toolpost.models.contract import Model
from toolpost.tools.define import Tool
from toolpost.types.errors import ToolError, ToolpostError
from toolpost.types.events import Event
from toolpost.types.messages import Content, ContextPart

log = logging.getLogger("toolpost.plugins")
T = TypeVar("T")
V = TypeVar("V")


class CallHook(Struct, frozen=True):
    """A call before it runs. Give back other `arguments` to change them; raise `ToolError` to refuse it."""

    session_id: str
    call_id: str
    name: str
    arguments: dict[str, Any]


class ResultHook(Struct, frozen=True):
    """A call's result before the model sees it."""

    session_id: str
    call_id: str
    name: str
    arguments: dict[str, Any]
    content: tuple[Content, ...]
    details: dict[str, Any] | None = None
    is_error: bool = False


class ParamsHook(Struct, frozen=True):
    """The merged options of a request: temperature, top_p, top_k, max_tokens, reasoning_effort, extra…"""

    session_id: str
    model: str
    agent: str
    options: dict[str, Any]


class SystemHook(Struct, frozen=True):
    """The system prompt: `head` stays the same over a session (providers cache it), `body` may change."""

    session_id: str
    model: str
    head: str
    body: str


class PromptHook(Struct, frozen=True):
    """A person's message before it is stored. Raise to refuse it. What you put into `context` stands beside it: the
    model reads it, and what the person wrote stays as it is."""

    session_id: str
    text: str
    context: tuple[ContextPart, ...] = ()


class AskHook(Struct, frozen=True):
    session_id: str
    permission: str
    patterns: tuple[str, ...]
    title: str = ""


class CompactionHook(Struct, frozen=True):
    """What the model is told when it summarises: change `instructions` to keep what matters to you."""

    session_id: str
    instructions: str


class Command(Struct, frozen=True):
    """A `/name` of the chat: `prompt` is sent with `$ARGUMENTS` replaced by what the person typed after it."""

    description: str
    prompt: str


class Plugin:
    """Base of all plugins. What is not overridden costs nothing."""

    name: str = ""

    def tools(self) -> Sequence[Tool]:
        return ()

    def models(self) -> Mapping[str, Callable[[str], Model]]:
        """Providers: `{"acme": make}` lets `acme/large` be used, made by `make("large")`."""
        return {}

    def commands(self) -> Mapping[str, Command]:
        return {}

    def rules(self) -> Sequence[Rule]:
        """Rules that come before the user's own, so the user has the last word."""
        return ()

    async def tool_execute_before(self, call: CallHook) -> CallHook | None: ...
    async def tool_execute_after(self, result: ResultHook) -> ResultHook | None: ...
    async def chat_params(self, params: ParamsHook) -> ParamsHook | None: ...
    async def chat_system_transform(self, system: SystemHook) -> SystemHook | None: ...
    async def chat_message(self, prompt: PromptHook) -> PromptHook | None: ...
    async def permission_ask(self, ask: AskHook) -> Literal["allow", "deny"] | None:
        """Answer an ask in a person's place, or None to let the person decide. It is not asked about a deny."""

    async def shell_env(self, env: dict[str, str]) -> dict[str, str] | None:
        """The environment that a tool's child processes get."""

    async def event(self, event: Event) -> None: ...
    async def compaction(self, hook: CompactionHook) -> CompactionHook | None: ...


class HookError(ToolpostError):
    """A plugin that guards something failed, so what it guards did not happen."""


class Hooks:
    """Runs the hooks of all plugins in order, each within its time."""

    def __init__(self, plugins: Sequence[Plugin] = (), *, timeout: float = 10.0) -> None:
        self.plugins = tuple(plugins)
        self._timeout = timeout
        self._overriding: dict[str, tuple[Plugin, ...]] = {}

    def having(self, hook: str) -> tuple[Plugin, ...]:
        """The plugins that override `hook`."""
        found = self._overriding.get(hook)
        if found is None:
            base = getattr(Plugin, hook)
            found = tuple(p for p in self.plugins if getattr(type(p), hook) is not base)
            self._overriding[hook] = found
        return found

    async def tool_execute_before(self, call: CallHook) -> CallHook:
        return await self._chain("tool_execute_before", call)

    async def tool_execute_after(self, result: ResultHook) -> ResultHook:
        return await self._chain("tool_execute_after", result)

    async def chat_params(self, params: ParamsHook) -> ParamsHook:
        return await self._chain("chat_params", params)

    async def chat_system_transform(self, system: SystemHook) -> SystemHook:
        return await self._chain("chat_system_transform", system)

    async def chat_message(self, prompt: PromptHook) -> PromptHook:
        return await self._chain("chat_message", prompt)

    async def shell_env(self, env: dict[str, str]) -> dict[str, str]:
        return await self._chain("shell_env", env)

    async def permission_ask(self, ask: AskHook) -> Literal["allow", "deny"] | None:
        """The first plugin that answers decides; one that fails denies."""
        for plugin in self.having("permission_ask"):
            try:
                answer = await self._call(plugin, "permission_ask", plugin.permission_ask, ask)
            except HookError:
                log.exception("permission.ask failed and denies")
                return "deny"
            if answer is None:
                continue
            if answer in ("allow", "deny"):
                return answer
            log.error("plugin %s: permission.ask said %r and denies: use allow, deny or None", _name(plugin), answer)
            return "deny"
        return None

    async def compaction(self, hook: CompactionHook) -> CompactionHook:
        try:
            return await self._chain("compaction", hook)
        except HookError:
            log.exception("compaction goes on without the hook")
            return hook

    async def event(self, event: Event) -> None:
        for plugin in self.having("event"):
            try:
                await self._call(plugin, "event", plugin.event, event)
            except HookError:
                log.exception("an event was not handled")

    async def _chain(self, hook: str, value: T) -> T:
        for plugin in self.having(hook):
            run: Callable[[T], Awaitable[T | None]] = getattr(plugin, hook)
            changed = await self._call(plugin, hook, run, value)
            if not isinstance(changed, type(value) | None):
                raise HookError(f"plugin {_name(plugin)}: {hook} must return a {type(value).__name__} or None")
            value = value if changed is None else changed
        return value

    async def _call(self, plugin: Plugin, hook: str, run: Callable[[V], Awaitable[T]], value: V) -> T:
        name = _name(plugin)
        try:
            async with asyncio.timeout(self._timeout):
                return await run(value)
        except ToolError:
            raise
        except TimeoutError as error:
            raise HookError(f"plugin {name}: {hook} took longer than {self._timeout:g} s") from error
        except Exception as error:  # whatever a plugin raises must not look like our own failure
            raise HookError(f"plugin {name}: {hook} failed: {error}") from error


def _name(plugin: Plugin) -> str:
    return plugin.name or type(plugin).__name__
