"""Define tools: `@tool` over a typed function, or `Tool` over a plain JSON Schema."""

import asyncio
import inspect
import sys
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, ParamSpec, Protocol, TypedDict, TypeVar, Unpack, overload

from msgspec import Struct

from toolpost.arguments.check_sdk_calls import NamedFields, check_names, check_number, named, shown, texts
from toolpost.arguments.parse_json import canonical
from toolpost.arguments.validate import Validator
from toolpost.guard.rules import Action
from toolpost.types.errors import PermissionDenied, ToolError, UsageError
from toolpost.types.messages import Content
from toolpost.types.tool_spec import ToolSpec

from .cancel import CancelSignal
from .check_definition import check_name, check_options
from .fingerprint import Fingerprint
from .host import NOBODY, Host
from .signature import Signature, local_names
from .threads import contained_exit, is_async, run_in_thread

P = ParamSpec("P")
R = TypeVar("R")

# The source of tools that are there for all MCP servers together, and what switches and rules call all of these.
ALL_SERVERS = "mcp:*"
OF_ALL_SERVERS = "mcp__*"

# One text, or several.
Texts = str | Iterable[str]


class ToolResult(Struct, frozen=True):
    """The result of a tool: `content` goes to the model, `details` and `title` only to faces."""

    content: Sequence[str | Content] = ()
    details: dict[str, Any] | None = None
    title: str = ""


class RateLimit(Struct, frozen=True, metaclass=NamedFields):
    """At most `calls` in any `seconds`; a call over the limit waits for its turn within the tool's timeout."""

    calls: int
    seconds: float

    def __post_init__(self) -> None:
        check_number(self.calls, "calls of RateLimit", whole=True)
        check_number(self.seconds, "seconds of RateLimit")


class Asker(Protocol):
    """The callback with which a context asks the session's permission broker."""

    async def __call__(
        self,
        permission: str,
        patterns: Sequence[str],
        always: Sequence[str],
        title: str,
        details: dict[str, Any] | None,
        fingerprint: Fingerprint | None = None,
        /,
    ) -> None: ...


def _everything_allowed(permission: str, pattern: str) -> Action:
    return "allow"


def _nothing_forbidden(permission: str, pattern: str) -> bool:
    return False


@dataclass(frozen=True, slots=True)
class ToolContext:
    """Handed to `execute`. `cancelled` is set when the call has to stop; a coroutine gets `CancelledError` besides.

    `read_only` is said of an agent that may change nothing: what it starts may not either. `host` is how built-ins
    reach the session. `decide` is what the rules say about one pattern, without asking; `forbids` is true where a rule
    for that very permission denies it, and not only one for everything. `tool` is the name of the tool that is called.
    """

    session_id: str
    message_id: str
    call_id: str
    folder: Path
    on_update: Callable[[str, dict[str, Any] | None], None]
    asker: Asker
    environ: Callable[[], Awaitable[dict[str, str]]]
    read_only: bool = False
    host: Host = NOBODY
    decide: Callable[[str, str], Action] = _everything_allowed
    forbids: Callable[[str, str], bool] = _nothing_forbidden
    tool: str = ""
    cancelled: CancelSignal = field(default_factory=CancelSignal)

    def update(self, text: str = "", details: dict[str, Any] | None = None) -> None:
        """Show progress: `text` is appended to the live output, `details` replaces the shown details."""
        self.on_update(text, details)

    async def ask(
        self,
        permission: str,
        patterns: Texts = ("*",),
        *,
        always: Texts = (),
        title: str = "",
        details: dict[str, Any] | None = None,
        fingerprint: Fingerprint | None = None,
    ) -> None:
        """Return if it is allowed, raise `PermissionDenied` if not. `always` are the patterns an "always" saves. One
        text is one pattern; anything else than text is a `ToolError`. `fingerprint` is that of the tool it is asked
        for, where that is another one and has one."""
        if not isinstance(permission, str) or not permission:  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ToolError(f"{self.tool}: ctx.ask takes the name of a permission first, got {permission!r}")
        what = f"{self.tool}: the {{}} of ctx.ask({permission!r}, …)"
        asked = texts(patterns, what.format("patterns"), ToolError)
        saved = texts(always, what.format("always"), ToolError)
        if fingerprint is None:
            await self.asker(permission, asked, saved, title, details)
        else:
            await self.asker(permission, asked, saved, title, details, fingerprint)

    def holds_back(self, permission: str, path: str, folder: str = ".") -> bool:
        """True if the rules say more against `path` than against the `folder` in which it was come upon."""
        action = self.decide(permission, path)
        return action == "deny" or (action == "ask" and self.decide(permission, folder) == "allow")

    async def environment(self) -> dict[str, str]:
        """The environment for a child process: without secrets, and as plugins' `shell.env` hooks want it."""
        return await self.environ()


Execute = Callable[[Any, ToolContext], Any]


@dataclass(frozen=True)
class Tool:
    """A tool. `execute(args, ctx)` gets what `check` made of the arguments; it returns text, data or a `ToolResult`.
    An async one is awaited; any other runs in a thread.

    `parallel=False`: no other call of the turn runs beside it. `cache`: seconds for which equal arguments get the
    stored result. `permission` and `patterns` say what the rules are asked; by default the tool's own name and its
    arguments as compact JSON. `always` says what an "always" saves, by default exactly those patterns. Both get the
    arguments and return one text or several. `check` turns the model's arguments into what `execute` takes, or
    raises `ToolError` with kind `invalid`; by default they are validated against `parameters` and passed as a dict.
    A read-only agent is offered the tools that are `read_only` and those that heed it: they change nothing where
    `ctx.read_only` is true. A call that its process did not finish is run again only if the tool is read-only, or
    `idempotent`: doing it twice does no more than doing it once. `touches_machine` says whether it reads or changes
    files or runs commands here, which on a server with several users is for admins; None: not known. `fingerprint`
    is there where somebody else may change what the tool says of itself: an approval of it holds only as long as
    that stays the same. `needs` is a permission that it can do nothing without, such as `bash` for what runs
    commands: where that is denied outright, so is the tool. `init` is called with an `InitContext` when a session
    starts, and says how the tool is there: another `Tool` of this name, changes such as `{"description": …,
    "parameters": …}`, or None where it is not offered. One that is `optional` is offered only where a switch or an
    agent's list names it.
    """

    name: str
    label: str
    description: str
    parameters: dict[str, Any]
    execute: Execute
    timeout: float | None = None
    parallel: bool = True
    read_only: bool = False
    idempotent: bool = False
    cache: float = 0.0
    rate_limit: RateLimit | None = None
    permission: str = ""
    patterns: Callable[[dict[str, Any]], Texts] | None = None
    always: Callable[[dict[str, Any]], Texts] | None = None
    check: Callable[[dict[str, Any]], Any] | None = None
    source: str = field(default="sdk", compare=False)
    heeds_read_only: bool = False
    touches_machine: bool | None = None
    fingerprint: Fingerprint | None = None
    needs: str = ""
    init: "Init | None" = None
    optional: bool = False

    def __post_init__(self) -> None:
        check_options(self)
        if self.rate_limit is not None and not isinstance(self.rate_limit, RateLimit):  # pyright: ignore[reportUnnecessaryIsInstance]
            given = shown(self.rate_limit)
            raise UsageError(f"tool {self.name}: rate_limit is {given}: give RateLimit(calls=10, seconds=60)")

    async def run(self, arguments: Any, ctx: ToolContext) -> Any:
        """Call `execute` with what `check` gave, as it is to be called. Give what it returned."""
        if is_async(self.execute):
            try:
                return await self.execute(arguments, ctx)
            except SystemExit as error:
                raise contained_exit(error) from error
        return await _in_thread(lambda given: self.execute(arguments, given), ctx)

    def patterns_of(self, arguments: dict[str, Any]) -> tuple[str, ...]:
        """The patterns that the rules are asked for a call. Raises `ToolError` if they can't be made: it may not run
        then."""
        return (canonical(arguments),) if self.patterns is None else self._texts("patterns", self.patterns, arguments)

    def always_of(self, arguments: dict[str, Any]) -> tuple[str, ...]:
        """The patterns that an "always" saves for a call; empty means its patterns as they are."""
        if self.always is None:
            return ("*",) if self.patterns is None else ()
        return self._texts("always", self.always, arguments)

    def _texts(
        self, name: str, function: Callable[[dict[str, Any]], Any], arguments: dict[str, Any]
    ) -> tuple[str, ...]:
        try:
            given = function(arguments)
            if inspect.iscoroutine(given):
                given.close()
            return texts(given, f"{self.name}: what its {name} function returns", ToolError)
        except (PermissionDenied, ToolError):
            raise
        except (Exception, SystemExit) as error:
            why = f"{type(error).__name__}: {error}"
            raise ToolError(f"{self.name} was not run: its {name} function failed ({why}).") from error

    @property
    def spec(self) -> ToolSpec:
        """The description of the tool for a model."""
        return ToolSpec(self.name, self.description, self.parameters, built_in=self.source == "builtin")

    @property
    def may_run_again(self) -> bool:
        """Whether a call whose process died, or whose run was parked, is simply made again."""
        return self.read_only or self.idempotent

    @property
    def asks_for(self) -> str:
        """The permission that the rules are asked for."""
        return self.permission or self.name

    @property
    def names(self) -> tuple[str, ...]:
        """The names by which switches, and rules that deny, may refer to it."""
        return (self.name, OF_ALL_SERVERS) if self.source == ALL_SERVERS else (self.name,)

    @cached_property
    def validator(self) -> Validator:
        """Checks arguments against `parameters`, where there is no `check`."""
        return Validator(self.name, self.parameters)


# What a tool may become when a session starts: itself with changes, another, or nothing.
InitResult = Tool | Mapping[str, Any] | None
Init = Callable[[Any], InitResult | Awaitable[InitResult]]
if not TYPE_CHECKING:
    # Set past the dataclass, which is what type checkers know the arguments from.
    Tool.__init__ = named("Tool")(Tool.__init__)


@dataclass(frozen=True)
class FunctionTool(Tool, Generic[P, R]):
    """A tool made from a function. It can still be called like that function, as in `get_weather("Tokyo")`."""

    function: Callable[P, R] = field(kw_only=True, repr=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        # For `help()` and `inspect.signature`; set past the dataclass, which is frozen.
        for name in ("__module__", "__name__", "__qualname__", "__doc__"):
            if hasattr(self.function, name):
                object.__setattr__(self, name, getattr(self.function, name))
        object.__setattr__(self, "__wrapped__", self.function)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        return self.function(*args, **kwargs)


class ToolOptions(TypedDict, total=False):
    """The options of `@tool(...)`; each means the same as the field of `Tool` with its name."""

    name: str
    label: str
    description: str
    timeout: float | None
    parallel: bool
    read_only: bool
    idempotent: bool
    heeds_read_only: bool
    touches_machine: bool | None
    cache: float
    rate_limit: RateLimit | None
    permission: str
    needs: str
    patterns: Callable[[dict[str, Any]], Texts] | None
    always: Callable[[dict[str, Any]], Texts] | None
    init: "Init | None"


@overload
def tool(function: Callable[P, R], /, **options: Unpack[ToolOptions]) -> FunctionTool[P, R]: ...
@overload
def tool(**options: Unpack[ToolOptions]) -> Callable[[Callable[P, R]], FunctionTool[P, R]]: ...
def tool(function: Callable[..., Any] | None = None, /, **options: Unpack[ToolOptions]) -> Any:
    """Make a tool of a typed function: name, description and parameters come from it.

    A parameter of the type `ToolContext`, whatever its name, gets the call's context and is not told to the model. An
    async function is awaited. Any other runs in a thread: when its call is cancelled or times out, the call ends at
    once, the thread is left to finish by itself and its result is dropped. `ctx.cancelled` tells it to stop.
    """
    check_names(options, ToolOptions.__annotations__, "@tool", "option")
    if function is not None:
        # The frame in which the tool is defined: string annotations may name types that are local to it.
        return _make(function, options, local_names(function, sys._getframe(1).f_locals))  # pyright: ignore[reportPrivateUsage]

    def decorate(function: Callable[..., Any]) -> FunctionTool[..., Any]:
        return _make(function, options, local_names(function, sys._getframe(1).f_locals))  # pyright: ignore[reportPrivateUsage]

    return decorate


def _make(function: Callable[..., Any], options: ToolOptions, namespace: Mapping[str, Any]) -> FunctionTool[..., Any]:
    if not callable(function):
        raise UsageError(
            f'@tool got {shown(function)}: put it above a function, as "@tool", or as "@tool(name=…)" with options'
        )
    if isinstance(function, Tool):
        raise UsageError(f"@tool got {function.name}, which is a tool already: use dataclasses.replace to change one")
    if isinstance(function, type):
        raise UsageError(f"@tool got the class {function.__name__}: give one of its objects, or a function")
    name = options.get("name") or _name(function)
    signature = Signature(name, function, ToolContext, namespace)
    check_name(name)
    given: dict[str, Any] = {
        "label": name.replace("_", " ").replace("-", " ").capitalize(),
        "description": signature.description,
        # An option that is left empty is one that is not given.
        **{key: value for key, value in options.items() if value not in ("", None)},
        "name": name,
    }
    return FunctionTool(
        **given,
        parameters=signature.fields.schema,
        execute=_awaited(function, signature) if is_async(function) else _threaded(function, signature),
        check=signature.fields.convert,
        function=function,
    )


def _name(function: Any) -> str:
    inner = getattr(function, "func", function)
    return str(getattr(inner, "__name__", type(inner).__name__))


def _awaited(function: Callable[..., Any], signature: Signature) -> Execute:
    async def execute(args: dict[str, Any], ctx: ToolContext) -> Any:
        positional, named = signature.bind(args, ctx)
        return await function(*positional, **named)

    return execute


def _threaded(function: Callable[..., Any], signature: Signature) -> Execute:
    def execute(args: dict[str, Any], ctx: ToolContext) -> Any:
        positional, named = signature.bind(args, ctx)
        return function(*positional, **named)

    return execute


async def _in_thread(function: Callable[[ToolContext], Any], ctx: ToolContext) -> Any:
    """Run a sync tool, whose updates come from its thread."""
    updates = _Updates(ctx.on_update)
    given = replace(ctx, on_update=updates)
    try:
        result = await run_in_thread(lambda: function(given))
    finally:
        updates.open = False
    return await result if inspect.isawaitable(result) else result


class _Updates:
    """Brings a thread's updates to the loop, in order, until its call has ended."""

    def __init__(self, on_update: Callable[[str, dict[str, Any] | None], None]) -> None:
        self._on_update = on_update
        self._loop = asyncio.get_running_loop()
        self.open = True

    def __call__(self, text: str, details: dict[str, Any] | None) -> None:
        if self.open and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._show, text, details)

    def _show(self, text: str, details: dict[str, Any] | None) -> None:
        if self.open:
            self._on_update(text, details)
