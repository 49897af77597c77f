"""The current user, the version, and the defaults of the server."""

from msgspec import Struct

from toolpost import __version__
from toolpost.server.gateway.targets import Targets
from toolpost.server.http import Request
from toolpost.server.routing import Doc, Route
from toolpost.store.contract import Store
from toolpost.workspace import Workspace


class Me(Struct, frozen=True):
    """`user` is empty on a server for one user. `store` is where sessions are stored; memory lasts as long as the
    server. `model` and `agent` are used if nothing else is named."""

    user: str
    is_admin: bool
    version: str
    folder: str
    store: str
    model: str
    agent: str


def routes(workspace: Workspace, targets: Targets) -> list[Route]:
    async def me(request: Request) -> None:
        user = request.user
        model, agent = targets.of("")[0].info.id, workspace.agent()[0]
        store = store_name(workspace.store)
        folder = str(workspace.project) if user.is_admin else workspace.project.name
        await request.reply_json(Me(user.name, user.is_admin, __version__, folder, store, model, agent))

    return [Route("GET", "/api/me", me, Doc("Get the current user and the server's defaults", gives=Me))]


def store_name(store: Store) -> str:
    """`memory`, `sqlite` or `postgres`."""
    return type(store).__name__.removesuffix("Store").lower()
