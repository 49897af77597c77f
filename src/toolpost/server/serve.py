"""Put the parts together and listen."""

import asyncio
import contextlib
import secrets
import signal
import socket
from collections.abc import AsyncGenerator, Callable, Generator, Mapping
from typing import TYPE_CHECKING

from toolpost.guard.redact import remember
from toolpost.models.contract import Model
from toolpost.types.errors import ConfigError
from toolpost.workspace import Workspace

from .app import App
from .gateway.gateway import Gateway
from .gateway.inner import InnerRuns
from .gateway.routes import GatewayRoutes
from .gateway.targets import Targets
from .health import health_routes
from .metrics import Metrics
from .settings import ServerSettings
from .users import SHORTEST_TOKEN, User, Users

if TYPE_CHECKING:
    import uvicorn

TOKEN_VARIABLE = "TOOLPOST_TOKEN"
BACKLOG = 2048


def token_for(settings: ServerSettings, given: str, environ: Mapping[str, str]) -> tuple[str, bool]:
    """The token, and whether it was made for this time. Other doors than loopback need one that a person chose."""
    token = given or environ.get(TOKEN_VARIABLE, "")
    if token and len(token) < SHORTEST_TOKEN:
        raise ConfigError(f"the token is too short: take {SHORTEST_TOKEN} characters or more")
    if not all("!" <= letter <= "~" for letter in token):
        raise ConfigError("the token can't be sent in a header: take ASCII letters, digits and signs, without spaces")
    if not token and not settings.is_local:
        raise ConfigError(
            f"{settings.host} can be reached by others: set {TOKEN_VARIABLE}, or give --token, with one of your own"
        )
    is_made = not token
    token = token or secrets.token_urlsafe(32)
    remember(token)
    return token, is_made


@contextlib.asynccontextmanager
async def opened(workspace: Workspace, model: Model, settings: ServerSettings, token: str) -> AsyncGenerator[App]:
    """The application over a folder; `model` answers where nothing else is named."""
    config = workspace.config.server
    metrics = Metrics()
    inner = InnerRuns(workspace, config.tools, max_steps=config.max_steps, max_seconds=config.max_seconds)
    gateway = Gateway(Targets(workspace, model), inner)
    users = Users({token: User("")})
    app = App(
        [*health_routes(metrics, lambda: app.is_stopping), *GatewayRoutes(gateway, metrics).routes()],
        users,
        settings,
        metrics=metrics,
    )
    if workspace.servers is not None:
        workspace.servers.start()
    try:
        yield app
    finally:
        await app.stop()
        await workspace.close()


async def listen(app: App, settings: ServerSettings, on_listening: Callable[[str], None]) -> None:
    """Serve until SIGTERM or Ctrl-C ends it. Port 0 takes a free one; `on_listening` gets the address.

    After the signal what runs is given its time, and what comes is refused; a second signal ends it at once.
    """
    with contextlib.closing(bound_socket(settings)) as listening:
        server = make_server(app, settings)
        shown = f"[{settings.host}]" if ":" in settings.host else settings.host
        on_listening(f"http://{shown}:{listening.getsockname()[1]}")
        await server.serve(sockets=[listening])


def bound_socket(settings: ServerSettings) -> socket.socket:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    # Said to be TCP, or asyncio leaves Nagle's algorithm on, and every answer waits 40 ms for its body.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((settings.host, settings.port))
        listening.listen(BACKLOG)
    except (OSError, OverflowError) as error:
        listening.close()
        why = error.strerror if isinstance(error, OSError) else "there is no such port"
        raise ConfigError(f"{settings.host}:{settings.port} can't be listened on: {why or error}") from error
    return listening


def make_server(app: App, settings: ServerSettings) -> "uvicorn.Server":
    """What serves the application on sockets; its own `stop` is what a signal does."""
    # Imported here: only a server needs it.
    import uvicorn

    from .connection import connection_class

    class Server(uvicorn.Server):
        """uvicorn's own way with signals shuts the door at once, tells the application nothing, and raises them again
        in the end, so that no process would end with 0."""

        @contextlib.contextmanager
        def capture_signals(self) -> Generator[None]:
            loop, stopping = asyncio.get_running_loop(), set[asyncio.Task[None]]()
            for number in (signal.SIGTERM, signal.SIGINT):
                loop.add_signal_handler(number, lambda: stopping.add(loop.create_task(self.stop())))
            try:
                yield
            finally:
                for number in (signal.SIGTERM, signal.SIGINT):
                    loop.remove_signal_handler(number)

        async def stop(self) -> None:
            await app.stop()
            self.should_exit = True

    config = uvicorn.Config(
        app,
        http=connection_class(settings),
        ws="none",
        lifespan="off",
        log_config=None,
        log_level="warning",
        access_log=False,
        proxy_headers=False,
        server_header=False,
        date_header=False,
        backlog=BACKLOG,
        timeout_keep_alive=75,
        timeout_graceful_shutdown=1,
    )
    return Server(config)
