"""What a tool is: `@tool` over a typed function, or `Tool` over a plain JSON Schema."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, overload

from msgspec import Struct

from toolpost.types.messages import Content


class ToolResult(Struct, frozen=True):
    """What a tool gives back: `content` goes to the model, `details` and `title` only to faces."""

    content: Sequence[str | Content] = ()
    details: dict[str, Any] | None = None
    title: str = ""


class RateLimit(Struct, frozen=True):
    """At most `calls` in any `seconds`; a call over the limit waits for its turn within the tool's timeout."""

    calls: int
    seconds: float


class Asker(Protocol):
    """How a context reaches the session's permission broker."""

    async def __call__(
        self, permission: str, patterns: Sequence[str], always: Sequence[str], title: str, details: dict[str, Any] | None
    ) -> None: ...


@dataclass(frozen=True, slots=True)
class ToolContext:
    """Handed to `execute`. Cancellation is asyncio's: a cancelled call gets `CancelledError`."""

    session_id: str
    message_id: str
    call_id: str
    folder: Path
    on_update: Callable[[str, dict[str, Any] | None], None]
    asker: Asker

    def update(self, text: str = "", details: dict[str, Any] | None = None) -> None:
        """Show progress: `text` is appended to the live output, `details` replaces the shown details."""
        self.on_update(text, details)

    async def ask(
        self,
        permission: str,
        patterns: Sequence[str] = ("*",),
        *,
        always: Sequence[str] = (),
        title: str = "",
        details: dict[str, Any] | None = None,
    ) -> None:
        """Return if it is allowed, raise `PermissionDenied` if not. `always` are the patterns an "always" saves."""
        await self.asker(permission, patterns, always or patterns, title, details)


Execute = Callable[[Any, ToolContext], Awaitable[Any]]


@dataclass(frozen=True)
class Tool:
    """A tool. `execute(args, ctx)` gets what `check` made of the arguments and returns text, JSON-able data or a `ToolResult`.

    `parallel=False`: no other call of the turn runs beside it. `cache`: seconds for which equal arguments get the
    stored result. `permission` and `patterns` say what the rules are asked; by default the tool's own name and its
    arguments as compact JSON. `check` turns the model's arguments into what `execute` takes, or raises `ToolError`
    with kind `invalid`; by default they are validated against `parameters` and passed as a dict.
    """

    name: str
    label: str
    description: str
    parameters: dict[str, Any]
    execute: Execute
    timeout: float | None = None
    parallel: bool = True
    read_only: bool = False
    cache: float = 0.0
    rate_limit: RateLimit | None = None
    permission: str = ""
    patterns: Callable[[dict[str, Any]], Sequence[str]] | None = None
    check: Callable[[dict[str, Any]], Any] | None = None
    source: str = field(default="sdk", compare=False)
