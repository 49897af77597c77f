"""The current user, the version, and the defaults of the server."""

from msgspec import Struct

from toolpost import __version__
from toolpost.server.accounts.bounds import agent_for, usable_agents
from toolpost.server.accounts.identities import Identity, identity_of
from toolpost.server.gateway.targets import Targets
from toolpost.server.http import Request
from toolpost.server.refusals import Refusal
from toolpost.server.routing import Doc, Route
from toolpost.store.contract import Store
from toolpost.workspace import Workspace


class Me(Struct, frozen=True):
    """`user` is empty on a server for one user. `store` is where sessions are stored; memory lasts as long as the
    server. `model` and `agent` are used if nothing else is named; empty where the role has none. `agents` are those
    that the role may use. `has_password`: it can be changed here."""

    user: str
    is_admin: bool
    version: str
    folder: str
    store: str
    model: str
    agent: str
    role: str
    agents: tuple[str, ...]
    has_password: bool


def routes(workspace: Workspace, targets: Targets) -> list[Route]:
    async def me(request: Request) -> None:
        await request.reply_json(me_of(workspace, targets, identity_of(request)))

    return [Route("GET", "/api/me", me, Doc("Get the current user and the server's defaults", gives=Me))]


def me_of(workspace: Workspace, targets: Targets, identity: Identity) -> Me:
    user, account = identity.user, identity.account
    agents = usable_agents(workspace, user)
    try:
        name, agent = agent_for(workspace, user)
        model = targets.model("", user, usual=agent.model or "").info.id
    except Refusal:
        name, model = "", ""
    folder = str(workspace.project) if user.is_admin else workspace.project.name
    return Me(
        user.name,
        user.is_admin,
        __version__,
        folder,
        store_name(workspace.store),
        model,
        name,
        user.role.name,
        agents,
        bool(account and account.password),
    )


def store_name(store: Store) -> str:
    """`memory`, `sqlite` or `postgres`."""
    return type(store).__name__.removesuffix("Store").lower()
