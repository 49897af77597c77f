"""Create the application of `toolpost serve`, and serve it on a socket with uvicorn."""

import asyncio
import contextlib
import secrets
import signal
import socket
from collections.abc import AsyncGenerator, Callable, Generator, Mapping
from typing import TYPE_CHECKING

from toolpost.engine.drive import RunEngine
from toolpost.guard.redact import remember
from toolpost.models.contract import Model
from toolpost.schedules.engine import ScheduleEngine
from toolpost.schedules.records import Schedules
from toolpost.schedules.scheduler import Scheduler
from toolpost.types.errors import ConfigError
from toolpost.workspace import Workspace

from .accounts.links import link_url, with_own_name
from .accounts.part import AccountsPart, SetupLink
from .api.openapi import openapi_route
from .api.routes import api_routes
from .api.schedules import schedule_routes
from .app import App
from .chat.conversations import Conversations
from .chat.routes import chat_routes
from .chat.scheduled_runs import ScheduledRuns
from .gateway.gateway import Gateway, SharedState
from .gateway.responses_routes import ResponsesRoutes
from .gateway.responses_socket import PATH as RESPONSES_PATH
from .gateway.responses_socket import ResponsesSocket
from .gateway.routes import GatewayRoutes
from .gateway.stored_responses import KeptResponses
from .gateway.targets import Targets
from .gateway.tool_runs import STREAM_IDLE, ToolRuns
from .metrics import Metrics, health_routes
from .page import page_routes
from .settings import ServerSettings
from .telemetry import create_spans
from .users import check_token, load_users

if TYPE_CHECKING:
    import uvicorn

TOKEN_VARIABLE = "TOOLPOST_TOKEN"
BACKLOG = 2048


def token_for(
    settings: ServerSettings, given: str, environ: Mapping[str, str], *, has_users: bool = False
) -> tuple[str, bool]:
    """The token of the person who starts the server, and whether it was made now; "" where the server `has_users`, in
    its configuration or as accounts.
    An address other than loopback needs a token that a person chose."""
    token = given or environ.get(TOKEN_VARIABLE, "")
    check_token(token, "the token")
    if token or has_users:
        remember(token)
        return token, False
    if not settings.is_local:
        raise ConfigError(
            f"{settings.host} can be reached by others: set {TOKEN_VARIABLE}, or give --token, with one of your own"
        )
    token = secrets.token_urlsafe(32)
    remember(token)
    return token, True


@contextlib.asynccontextmanager
async def opened(
    workspace: Workspace,
    model: Model,
    settings: ServerSettings,
    token: str,
    *,
    worker: str = "",
    setup_link: SetupLink | None = None,
    engine: RunEngine | None = None,
    schedule_engine: ScheduleEngine | None = None,
) -> AsyncGenerator[App]:
    """Open the application of a workspace; `model` answers where a request names none. `worker` is the name of this
    process among several workers. `setup_link` makes the first admin of a server with accounts. Without an `engine`
    runs are driven by the process that accepts them, and without a `schedule_engine` schedules fire by its clock; what
    such engines call is the application's `driver` and its `schedules`."""
    config, idle = workspace.config.server, workspace.config.limits.stream_idle or STREAM_IDLE
    metrics, spans = Metrics(worker), create_spans(config.telemetry, workspace.environ)
    tool_runs = ToolRuns(
        workspace,
        config.tools,
        max_steps=config.max_steps,
        max_seconds=config.max_seconds,
        stream_idle=idle,
        spans=spans,
    )
    users = load_users(config, workspace.environ, token)
    part = AccountsPart(workspace, users, token)
    shared = SharedState(config, part.usage.record if part.usage else None)
    if shared.searches is not None:
        workspace.bench.search_cache = shared.searches
    targets = Targets(workspace, model, shared.budgets, spans)
    gateway = Gateway(targets, tool_runs, shared, stream_idle=idle, retries=config.retries)
    responses = KeptResponses(lambda: workspace.store, config.responses)
    sockets = ResponsesSocket(gateway, responses, metrics, config.responses.most_sockets)
    conversations = Conversations(workspace, targets, part.identities.named, engine=engine, spans=spans)
    schedules = Schedules(lambda: workspace.store)
    runs = ScheduledRuns(conversations, part.identities, schedules, config.schedules)
    scheduler = Scheduler(
        schedules,
        lambda: workspace.store,
        str(workspace.project),
        runs.begin,
        may_begin=lambda: not app.is_stopping,
        engine=schedule_engine,
    )
    routes = [
        # The router takes the first match, so the routes that are used most come first.
        *GatewayRoutes(gateway, metrics, responses).routes(),
        *ResponsesRoutes(gateway, responses).routes(),
        *api_routes(workspace, conversations, targets),
        *schedule_routes(conversations, schedules, scheduler.wake),
        *chat_routes(conversations),
        *part.routes(conversations, targets),
        *health_routes(metrics, lambda: app.is_stopping),
        *page_routes(),
    ]
    settings = with_own_name(settings, config)
    app = App(
        [*routes, openapi_route(routes)],
        part.identities,
        settings,
        metrics=metrics,
        finished=conversations.drained,
        spans=spans,
        sockets={RESPONSES_PATH: sockets.serve},
    )
    app.driver, app.schedules = conversations.driver, scheduler
    if workspace.servers is not None:
        workspace.servers.start()
    if setup_link is not None:
        await part.make_setup_link(setup_link)
    beside = [
        asyncio.create_task(part.watch(app.end_gone, conversations)),
        asyncio.create_task(scheduler.run()),
    ]
    conversations.start()
    try:
        yield app
    finally:
        for task in beside:
            task.cancel()
        await asyncio.gather(*beside, return_exceptions=True)
        await app.stop()
        await conversations.close()
        await part.close()
        await workspace.close()
        await shared.close()
        if spans is not None:
            await spans.close()


async def serve_on(
    listening: socket.socket, app: App, settings: ServerSettings, on_listening: Callable[[], object]
) -> None:
    """Serve until SIGTERM or Ctrl-C ends it, on a socket that other processes may serve on as well.

    After the signal, running requests get their time and new ones are refused; a second signal ends them at once.
    """
    await make_server(app, settings, on_listening).serve(sockets=[listening])


def url_of(listening: socket.socket, settings: ServerSettings) -> str:
    shown = f"[{settings.host}]" if ":" in settings.host else settings.host
    return f"http://{shown}:{listening.getsockname()[1]}"


def page_of(url: str, token: str) -> str:
    """The address of the chat, with the token in the fragment, which is never sent to a server."""
    return f"{url}/#token={token}"


def setup_page_of(url: str, link: SetupLink, public_url: str | None) -> str:
    return link_url((public_url or url).rstrip("/"), "setup", link.secret)


def bound_socket(settings: ServerSettings) -> socket.socket:
    """A socket that listens already; the server that gets it takes the connections. Port 0 takes a free one."""
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


def make_server(
    app: App, settings: ServerSettings, on_listening: Callable[[], object] = lambda: None
) -> "uvicorn.Server":
    """The uvicorn server of the application; a signal calls its `stop`."""
    # Imported here: only a server needs it.
    import uvicorn

    from .uvicorn_connection import connection_class
    from .websocket import websocket_options

    class Server(uvicorn.Server):
        """uvicorn alone closes its sockets at a signal, tells the application nothing, and raises the signal again in
        the end, so that the process would not exit with 0."""

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

        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            on_listening()

        async def stop(self) -> None:
            await app.stop()
            self.should_exit = True

    config = uvicorn.Config(
        app,
        http=connection_class(settings, app.sockets),
        **websocket_options(settings),
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
