"""Take users and roles of the configuration as soon as its files change, without a restart."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path

from toolpost.config.layers import PROJECT_FILE, project_file, user_file
from toolpost.config.schema import GatewaySettings
from toolpost.server.users import Users, load_users
from toolpost.tools.threads import run_in_thread
from toolpost.types.errors import ToolpostError
from toolpost.workspace import Workspace

from .accounts import Directory
from .roles import load_roles

LOOK_SECONDS = 2.0

# What tells whether a file is another than before; None where there is none.
Seen = tuple[int, int, int] | None

log = logging.getLogger("toolpost.server")


class ConfigReload:
    """Looks at the files of the configuration now and then. A file that can't be used changes nothing, and the log says
    why. `token` is that of the person who started the server."""

    def __init__(self, workspace: Workspace, token: str, users: Users, directory: Directory) -> None:
        self._workspace = workspace
        self._token = token
        self._users = users
        self._directory = directory
        self._seen = self._look()
        self._told = ""

    async def follow(self, after: Callable[[], Awaitable[None]]) -> None:
        """Go on until cancelled; `after` is called whenever something may have changed."""
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            try:
                if await self.look():
                    await after()
            except Exception:  # nobody awaits this task, and without it no change would be seen any more
                log.exception("the configuration could not be read again")

    async def look(self) -> bool:
        """Read the files again if one of them has changed. Return whether they could be used."""
        try:
            seen = await run_in_thread(self._look)
            if seen == self._seen:
                return False
            settings = await run_in_thread(self._read)
            self._apply(settings)
        except (ToolpostError, OSError) as error:
            if str(error) != self._told:
                log.error("the configuration has changed and cannot be used, so the old one stays: %s", error)
            # It is tried again: what was wrong may be put right elsewhere, as by trusting the folder.
            self._told = str(error)
            return False
        self._seen, self._told = seen, ""
        log.info("users and roles were read again from the configuration")
        return True

    def _apply(self, settings: GatewaySettings) -> None:
        users, roles = load_users(settings, self._workspace.environ, self._token), load_roles(settings)
        self._users.replace(users)
        self._directory.replace(roles, settings.users)

    def _read(self) -> GatewaySettings:
        again = self._workspace.again()
        if self._workspace.trusted and not again.trusted:
            raise UntrustedChange(f"{again.project} has changed since you trusted it: run `toolpost trust`")
        return again.config.server

    def _look(self) -> Mapping[Path, Seen]:
        environ, folder = self._workspace.environ, self._workspace.folder
        file = project_file(folder) or self._workspace.project / PROJECT_FILE
        return {one: _state(one) for one in (user_file(environ), file)}


class UntrustedChange(ToolpostError):
    """The folder's configuration is no longer what a person has trusted."""


def _state(file: Path) -> Seen:
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino
