"""Open the current folder as a workspace for a command, and hide its secrets in output."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from toolpost.guard.redact import Redactor
    from toolpost.workspace import Workspace


def open_workspace(flags: Mapping[str, Any] | None = None, *, default_agent: str = "") -> "Workspace":
    """Open the current folder. `flags` are settings from the command line; None means not given. `default_agent` works
    where nothing names one; "" means that of a terminal."""
    # Imported here: `toolpost --help` asks every command for its arguments and needs no workspace.
    from toolpost.workspace import Workspace

    return Workspace(flags=flags, default_agent=default_agent)


def run_in_workspace(action: "Callable[[Workspace], Awaitable[int]]") -> int:
    """Run a command in the current folder, which `-C` has changed, and close the store afterwards."""
    workspace = open_workspace()

    async def act() -> int:
        try:
            return await action(workspace)
        finally:
            await workspace.close()

    return asyncio.run(act())


def redactor_of(workspace: "Workspace") -> "Redactor":
    """A redactor for anything that looks like a key, and for the keys in the environment whatever they look like."""
    from toolpost.guard.redact import known_redactor

    owns = workspace.config.providers.values()
    named = {name for settings in owns for name in (*settings.key_variables, settings.auth_token_env) if name}
    return known_redactor(workspace.environ, named)
