"""Take users and roles of the configuration as soon as its files change, without a restart."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path

from toolpost.config.layers import PROJECT_FILE, project_file, user_file
from toolpost.config.schema import GatewaySettings
from toolpost.server.users import Users, load_users
from toolpost.tools.threads import run_in_thread
from toolpost.types.errors import ConfigError, ToolpostError
from toolpost.workspace import Workspace

from .accounts import Accounts, Directory
from .roles import load_roles

LOOK_SECONDS = 2.0

# What tells whether a file is another than before; None where there is none.
Seen = tuple[int, int, int] | None

log = logging.getLogger("toolpost.server")


class ConfigReload:
    """Looks at the files of the configuration now and then. A file that can't be used changes nothing, and the log says
    why. `token` is that of the person who started the server. A change counts once two looks in a row have seen the
    same, and a file that is gone or empty never does: whoever writes it may not be done, and without its rules people
    could do more than they may."""

    def __init__(
        self, workspace: Workspace, token: str, users: Users, directory: Directory, accounts: Accounts | None = None
    ) -> None:
        self._accounts = accounts
        self._workspace = workspace
        self._token = token
        self._users = users
        self._directory = directory
        self._seen: Mapping[Path, Seen] = {}
        self._seen = self._before = self._look()
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
            is_settled, self._before = seen == self._before, seen
            if seen == self._seen or not is_settled:
                return False
            settings = await run_in_thread(self._read)
            await self._check_names(settings)
            if await run_in_thread(self._look) != seen:
                return False
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
        before = self._directory.users.keys(), self._directory.roles.keys()
        self._users.replace(users)
        self._directory.replace(roles, settings.users)
        for what, known, now in zip(("users", "roles"), before, (self._directory.users, roles), strict=True):
            if gone := sorted(known - now.keys()):
                log.warning("the configuration has these %s no more: %s", what, ", ".join(gone))

    async def _check_names(self, settings: GatewaySettings) -> None:
        """Refuse a user who would have the sessions of somebody with an account."""
        taken = await self._accounts.taken_by_accounts(settings.users) if self._accounts else []
        if taken:
            raise ConfigError(f"[server.users.{taken[0]}] has the name of an account: choose another")

    def _read(self) -> GatewaySettings:
        for file, before in self._seen.items():
            if before is not None and before[1] and _is_blank(file):
                raise ConfigError(f"{file} is gone or empty: restart the server if that is meant")
        again = self._workspace.again()
        if self._workspace.trusted and not again.trusted:
            raise UntrustedChange(f"{again.project} has changed since you trusted it: run `toolpost trust`")
        return again.config.server

    def _look(self) -> Mapping[Path, Seen]:
        environ, folder = self._workspace.environ, self._workspace.folder
        file = project_file(folder) or self._workspace.project / PROJECT_FILE
        return {one: _state(one) for one in (*self._seen, user_file(environ), file)}


class UntrustedChange(ToolpostError):
    """The folder's configuration is no longer what a person has trusted."""


def _is_blank(file: Path) -> bool:
    try:
        return not file.read_bytes().strip()
    except FileNotFoundError:
        return True


def _state(file: Path) -> Seen:
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino
