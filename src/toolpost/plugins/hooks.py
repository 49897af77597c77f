"""The whole plugin contract: subclass `Plugin`, override what you need, offer it as an entry point of group `toolpost`.

Plugins run in order: installed ones by name, then those given in code, each seeing what the one before left.
A hook is async, or sync and then runs in a thread. It returns the changed value, or None to leave it. Hooks that can
stop something fail closed: an exception or a timeout stops what they guard, with the plugin's name. Those that only
watch (`event`) or help (`compaction`) fail open. A value of another type is a mistake in the program: it ends the run.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Literal, TypeVar

from msgspec import Struct

from toolpost.arguments.check_sdk_calls import check_function, shown
from toolpost.arguments.tool_names import distance
from toolpost.guard.rules import Rule
from toolpost.models.contract import Model
from toolpost.tools.define import Tool
from toolpost.tools.threads import call_either
from toolpost.types.errors import ToolError, ToolpostError, UsageError, WiringError
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


# What a hook returns, at once or when it is awaited.
Hooked = T | None | Awaitable[T | None]


class Plugin:
    """Base of all plugins. What is not overridden costs nothing. A method with nearly the name of a hook is an error
    when the class is made, and so is a hook that can't be called as one."""

    name: str = ""

    def __init_subclass__(cls, **arguments: Any) -> None:
        super().__init_subclass__(**arguments)
        _check_class(cls)

    def tools(self) -> Sequence[Tool] | Awaitable[Sequence[Tool]]:
        """Where it is async, the tools are there from the first run on."""
        return ()

    def models(self) -> Mapping[str, Callable[[str], Model]]:
        """Providers: `{"acme": make}` lets `acme/large` be used, made by `make("large")`."""
        return {}

    def commands(self) -> Mapping[str, Command]:
        return {}

    def rules(self) -> Sequence[Rule]:
        """Rules that come before the user's own, so the user has the last word."""
        return ()

    def tool_execute_before(self, call: CallHook) -> Hooked[CallHook]:
        return _unchanged()

    def tool_execute_after(self, result: ResultHook) -> Hooked[ResultHook]:
        return _unchanged()

    def chat_params(self, params: ParamsHook) -> Hooked[ParamsHook]:
        return _unchanged()

    def chat_system_transform(self, system: SystemHook) -> Hooked[SystemHook]:
        return _unchanged()

    def chat_message(self, prompt: PromptHook) -> Hooked[PromptHook]:
        return _unchanged()

    def permission_ask(self, ask: AskHook) -> Hooked[Literal["allow", "deny"]]:
        """Answer an ask in a person's place, or None to let the person decide. It is not asked about a deny."""
        return _unchanged()

    def shell_env(self, env: dict[str, str]) -> Hooked[dict[str, str]]:
        """The environment that a tool's child processes get."""
        return _unchanged()

    def event(self, event: Event) -> Hooked[object]:
        return _unchanged()

    def compaction(self, hook: CompactionHook) -> Hooked[CompactionHook]:
        return _unchanged()


async def _unchanged() -> None:
    """What a hook that is not overridden gives to a caller of `super()`."""


# What a plugin may override, with the parameters that each is called with besides `self`.
_OFFERS = ("tools", "models", "commands", "rules")
_HOOKS = (
    "tool_execute_before",
    "tool_execute_after",
    "chat_params",
    "chat_system_transform",
    "chat_message",
    "permission_ask",
    "shell_env",
    "event",
    "compaction",
)
# Letters that a name may be off and still be a slip, in short and in long names.
_SLIP, _SLIP_LONG, _LONG = 1, 3, 10


def _check_class(cls: type[Plugin]) -> None:
    for name, value in vars(cls).items():
        if name in _OFFERS or name in _HOOKS:
            parameters = ("value",) if name in _HOOKS else ()
            bound = () if isinstance(value, staticmethod | classmethod) else ("self",)
            check_function(getattr(cls, name), f"{name} of the plugin {cls.__name__}", *bound, *parameters)
        elif callable(value) and not name.startswith("_") and (meant := _meant(name)):
            raise UsageError(
                f"{name} of the plugin {cls.__name__} is not a hook and would never be called; did you mean {meant}? "
                f"A method of your own may be named _{name}"
            )


def _meant(name: str) -> str:
    """The hook of which `name` is a slip, whatever its separators and capitals; nothing for another name."""
    key = name.replace("_", "").casefold()
    for known in (*_HOOKS, *_OFFERS):
        most = _SLIP_LONG if len(known) >= _LONG else _SLIP
        if distance(key, known.replace("_", ""), most) is not None:
            return known
    return ""


def rules_of(plugin: Plugin) -> Sequence[Rule]:
    """What its `rules` gives, checked: something that is not a rule would protect nothing."""
    given = plugin.rules()
    for rule in given if isinstance(given, list | tuple) else (given,):
        if not isinstance(rule, Rule):
            raise UsageError(f"plugin {plugin_name(plugin)}: rules() gave {shown(rule)}: return a list of Rule(…)")
    return given


def models_of(plugins: Sequence[Plugin]) -> dict[str, Callable[[str], Model]]:
    """The providers of models that plugins bring, by name; of equal names the last."""
    return {name: make for plugin in plugins for name, make in plugin.models().items()}


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
            found = tuple(p for p in self.plugins if getattr(type(p), hook) is not base or hook in vars(p))
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
            if answer in ("allow", "deny"):
                return answer
            if answer is not None:
                given = f"plugin {plugin_name(plugin)}: permission_ask returned {shown(answer)}"
                raise WiringError(f'{given}, so the call was not run: return "allow", "deny" or None')
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
            run: Callable[[T], Hooked[T]] = getattr(plugin, hook)
            changed = await self._call(plugin, hook, run, value)
            if not isinstance(changed, type(value) | None):
                what = f"plugin {plugin_name(plugin)}: {hook} returned {shown(changed)}"
                raise WiringError(f"{what}: return a {type(value).__name__}, or None to leave it as it is")
            value = value if changed is None else changed
        return value

    async def _call(self, plugin: Plugin, hook: str, run: Callable[[V], Hooked[T]], value: V) -> T | None:
        name = plugin_name(plugin)
        try:
            async with asyncio.timeout(self._timeout):
                return await call_either(run, value)
        except ToolError:
            raise
        except TimeoutError as error:
            raise HookError(f"plugin {name}: {hook} took longer than {self._timeout:g} s") from error
        except Exception as error:  # whatever a plugin raises must not look like our own failure
            raise HookError(f"plugin {name}: {hook} failed: {error}") from error


def plugin_name(plugin: Plugin) -> str:
    return plugin.name or type(plugin).__name__
