"""Put the accounts of one server together: who may come in, their routes, and what is watched while it serves."""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable

from toolpost.server.chat.conversations import Conversations
from toolpost.server.gateway.targets import Targets
from toolpost.server.routing import Route
from toolpost.server.users import Users
from toolpost.types.errors import StoreError
from toolpost.workspace import Workspace

from .accounts import Accounts, Directory
from .admin_routes import AdminRoutes
from .auth_routes import AuthRoutes
from .identities import Identities
from .links import check_url
from .oidc_routes import OidcLogins
from .records import new_secret
from .reload import ConfigReload
from .roles import load_roles
from .usage import UsageLog

# How soon a stream ends whose user was logged out, and a run whose user was disabled.
RECHECK_SECONDS = 10.0
FORGET_SECONDS = 3600.0

log = logging.getLogger("toolpost.server")


class SetupLink:
    """The one-time link that makes the first admin. `is_needed` is known once a server was opened with it."""

    def __init__(self) -> None:
        self.secret = new_secret()
        self.is_needed = False


class AccountsPart:
    """`usage` is None on a server for one person, where nobody asks who has used what."""

    def __init__(self, workspace: Workspace, users: Users, token: str) -> None:
        config = workspace.config.server
        check_url(config)
        self._workspace = workspace
        self._directory = Directory(load_roles(config), config.users)
        self.accounts = Accounts(lambda: workspace.store, config, self._directory) if config.accounts else None
        self.identities = Identities(users, self.accounts)
        self.usage = UsageLog(lambda: workspace.store) if config.accounts or config.users else None
        self._oidc = OidcLogins(config, workspace.environ, self.accounts)
        self._reload = ConfigReload(workspace, token, users, self._directory, self.accounts)

    def routes(self, conversations: Conversations, targets: Targets) -> list[Route]:
        config = self._workspace.config.server
        auth = AuthRoutes(self._workspace, targets, self.identities, self.accounts, self._oidc)
        admin = AdminRoutes(conversations, self._directory, config, self.usage, self.accounts)
        return [*auth.routes(), *admin.routes()]

    async def make_setup_link(self, link: SetupLink) -> None:
        link.is_needed = self.accounts is not None and await self.accounts.new_setup_link(link.secret)

    async def watch(self, end_gone: Callable[[], Awaitable[None]], conversations: Conversations) -> None:
        """Follow the configuration, and end what belongs to people who may not use the server any more."""

        async def recheck() -> None:
            try:
                await end_gone()
                await conversations.stop_runs(self.identities.is_out)
            except Exception:  # the store may be out of reach now, and the next look is soon
                log.warning("logins could not be checked again", exc_info=True)

        with contextlib.suppress(StoreError):
            await self._tell_of_shared_names()
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._reload.follow(recheck))
            tasks.create_task(self._recheck_often(recheck))

    async def _tell_of_shared_names(self) -> None:
        people = await self.accounts.records.accounts() if self.accounts is not None else []
        for account in people:
            if account.key in self._directory.users:
                text = "[server.users.%s] has the name of an account, and both have the same sessions: rename the user"
                log.warning(text, account.name)

    async def close(self) -> None:
        if self.usage is not None:
            await self.usage.close()

    async def _recheck_often(self, recheck: Callable[[], Awaitable[None]]) -> None:
        forgotten = 0.0
        while self.accounts is not None:
            await asyncio.sleep(RECHECK_SECONDS)
            await recheck()
            if (forgotten := forgotten + RECHECK_SECONDS) >= FORGET_SECONDS:
                forgotten = 0.0
                with contextlib.suppress(StoreError):
                    await self.accounts.throttle.forget_old()
