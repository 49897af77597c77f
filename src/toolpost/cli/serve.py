"""`toolpost serve`: serve a web chat and APIs compatible with Anthropic and OpenAI."""

import argparse
import asyncio
import contextlib
import logging
import sys
from collections.abc import AsyncGenerator, Callable
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING

from toolpost.extras import require

from .exit_codes import OK
from .shared.arguments import Argument
from .shared.env_files import ask_or_say, say_accounts_are_off
from .shared.output import say_notices, say_on_stderr
from .shared.workspace import open_workspace

if TYPE_CHECKING:
    from socket import socket

    from toolpost.engine.drive import RunEngine
    from toolpost.schedules.engine import ScheduleEngine
    from toolpost.server.accounts.part import SetupLink
    from toolpost.server.app import App
    from toolpost.server.settings import ServerSettings
    from toolpost.server.workers import Worker
    from toolpost.workspace import Workspace

HELP = "serve a web chat and APIs compatible with Anthropic and OpenAI"
GREETING = """\
serving {model} on {url}
  Chat:       {page}
  Anthropic:  ANTHROPIC_BASE_URL={url} ANTHROPIC_AUTH_TOKEN={token}
  OpenAI:     OPENAI_BASE_URL={url}/v1 OPENAI_API_KEY={token}
  agent:      {agent}"""

# What the worker that listens first adds to the name of its model.
NEEDS_SETUP = "\tneeds setup"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    Argument(
        "--host",
        default="127.0.0.1",
        help="the address to listen on (default: 127.0.0.1); any other than loopback needs a token",
    ).add_to(parser)
    Argument(
        "--port", type=int, default=8642, metavar="N", help="the port (default: 8642); 0 for any free port"
    ).add_to(parser)
    Argument(
        "--token",
        default="",
        metavar="TOKEN",
        help="the token that clients must send, of 16 characters at least (default: TOOLPOST_TOKEN, or a new one)",
    ).add_to(parser)
    Argument("--store", metavar="STORE", help="where to store sessions: a database file or postgresql://…").add_to(
        parser
    )
    Argument(
        "--workers",
        type=int,
        default=1,
        metavar="N",
        help="the number of worker processes; more than 1 needs PostgreSQL",
    ).add_to(parser)
    Argument(
        "--accounts", action="store_true", help="let people log in with names and passwords, each with a role"
    ).add_to(parser)
    Argument(
        "--drive",
        action="store_true",
        help="with an engine: drive runs in this process, too, as `toolpost worker` does",
    ).add_to(parser)
    Argument("--access-log", action="store_true", help="write every request to the log file").add_to(parser)
    Argument("--new-token", metavar="NAME", help="create a token for a user, print it, then exit").add_to(parser)
    Argument("-m", "--model", metavar="ID", help="the model for requests that name none").add_to(parser)
    Argument(
        "--agent",
        metavar="NAME",
        help="the agent of chats that name none (default: chat); build is the one with files and commands",
    ).add_to(parser)


def run(args: argparse.Namespace) -> int:
    require("server", "`toolpost serve`")
    from toolpost.definitions.agents import SERVER_AGENT
    from toolpost.server.serve import token_for
    from toolpost.server.settings import ServerSettings
    from toolpost.types.errors import ConfigError

    if args.new_token:
        return _new_token(args.new_token)
    overrides = {"store": args.store, "agent": args.agent, "server.accounts": args.accounts or None}
    workspace = open_workspace(overrides, default_agent=SERVER_AGENT)
    ask_or_say(workspace, say_on_stderr, has_person=sys.stdin.isatty() and sys.stderr.isatty())
    say_accounts_are_off(workspace, say_on_stderr)
    # A name that is not known is an error now, not in the first chat.
    workspace.agent()
    _check_workers(args.workers, workspace)
    if args.drive and workspace.config.engine.url is None:
        raise ConfigError("--drive needs an engine: set `url` in [engine] of the configuration")
    config = workspace.config.server
    settings = ServerSettings(
        host=args.host,
        port=args.port,
        hosts=config.hosts,
        origins=config.origins,
        trusted_proxies=config.trusted_proxies,
    )
    token, is_made = token_for(settings, args.token, workspace.environ, has_users=bool(config.users) or config.accounts)
    if args.access_log:
        logging.getLogger("toolpost.access").setLevel(logging.INFO)
    _allow_many_connections()
    serving = _Serving(workspace, settings, args.model, token, is_shown=is_made, drives=args.drive)
    return serving.with_workers(args.workers) if args.workers > 1 else serving.alone()


class _Serving:
    """One server as it was asked for, in this process or in several. The token `is_shown` if nobody else knows it. With
    an engine, `drives` says whether it drives runs itself, too."""

    def __init__(
        self,
        workspace: "Workspace",
        settings: "ServerSettings",
        model: str | None,
        token: str,
        *,
        is_shown: bool,
        drives: bool,
    ) -> None:
        self._workspace = workspace
        self._drives = drives
        self._settings = settings
        self._model = model
        self._token = token
        self._is_shown = is_shown
        # Made before there are workers: the first of them keeps it, and their parent prints it.
        self._setup_link = _new_setup_link() if workspace.config.server.accounts else None

    def alone(self) -> int:
        from toolpost.server.serve import bound_socket

        with bound_socket(self._settings) as listening:
            self._run(listening, lambda model: self._greet(listening, model))
        return OK

    def with_workers(self, count: int) -> int:
        from toolpost.server.serve import bound_socket
        from toolpost.server.workers import supervise

        _load_ahead()
        with bound_socket(self._settings) as listening:
            return supervise(
                count,
                lambda worker: self._work(listening, worker),
                lambda model: self._greet(listening, model),
                lambda text: say_on_stderr(f"note: {text}"),
            )

    def _work(self, listening: "socket", worker: "Worker") -> int:
        from .shared.output import report_error

        try:
            self._run(listening, worker.tell_listening, worker)
        except Exception as error:  # noqa: BLE001 - as for a process of its own: one clear line and a status
            return report_error(error)
        return OK

    def _run(self, listening: "socket", on_listening: Callable[[str], None], worker: "Worker | None" = None) -> None:
        with asyncio.Runner(loop_factory=_loop_factory()) as runner:
            runner.run(self._serve(listening, on_listening, worker))

    async def _serve(self, listening: "socket", on_listening: Callable[[str], None], worker: "Worker | None") -> None:
        from toolpost.server.serve import opened, serve_on

        from .shared.default_model import server_model

        if worker is not None:
            worker.end_with_parent()
        workspace, settings, speaks = self._workspace, self._settings, worker is None or worker.is_first
        async with AsyncExitStack() as stack:
            model = await server_model(workspace, self._model, stack, say_on_stderr if speaks else _say_nothing)
            name = str(worker.number) if worker else ""
            link = self._setup_link if speaks else None
            runs, times = _engines(workspace)
            app = await stack.enter_async_context(
                opened(
                    workspace,
                    model,
                    settings,
                    self._token,
                    worker=name,
                    setup_link=link,
                    engine=runs,
                    schedule_engine=times,
                )
            )
            if self._drives:
                await stack.enter_async_context(_driving(workspace, app))
            if speaks:
                # A store that cannot be used is an error now, not at the first request.
                await workspace.store.approvals("")
                say_notices(workspace)
            more = NEEDS_SETUP if link is not None and link.is_needed else ""
            await serve_on(listening, app, settings, lambda: on_listening(model.info.id + more))

    def _greet(self, listening: "socket", told: str) -> None:
        from toolpost.server.serve import page_of, setup_page_of, url_of

        model = told.removesuffix(NEEDS_SETUP)
        url = url_of(listening, self._settings)
        agent, _ = self._workspace.agent()
        page, token = (page_of(url, self._token), self._token) if self._is_shown else (url, "TOKEN")
        # Line by line: each is a text of its own in the other language.
        for line in GREETING.format(model=model, url=url, page=page, token=token, agent=agent).splitlines():
            say_on_stderr(line)
        if self._workspace.config.engine.url is not None and not self._drives:
            text = "wait for a `toolpost worker` with this store and engine; --drive runs them here, too"
            say_on_stderr(f"  runs:       {text}")
        if users := self._workspace.config.server.users:
            say_on_stderr(f"  users:      {len(users)} ({', '.join(users)})")
        if self._setup_link is not None and told.endswith(NEEDS_SETUP):
            link = setup_page_of(url, self._setup_link, self._workspace.config.server.url)
            say_on_stderr(f"  First start: make the first admin within a day: {link}")
        sys.stderr.flush()


def _new_setup_link() -> "SetupLink":
    from toolpost.server.accounts.part import SetupLink

    return SetupLink()


def _check_workers(count: int, workspace: "Workspace") -> None:
    from toolpost.server.workers import MAX_WORKERS
    from toolpost.types.errors import ConfigError

    if not 1 <= count <= MAX_WORKERS:
        raise ConfigError(f"--workers must be a number from 1 to {MAX_WORKERS}")
    if count > 1 and not (workspace.config.store or "").startswith(("postgresql://", "postgres://")):
        raise ConfigError(
            "several workers need a shared store: use "
            "--store postgresql://user@host/database, or set it as `store` in the configuration"
        )


def _new_token(name: str) -> int:
    """To a pipe goes nothing but the token: the rest is for who looks on."""
    from toolpost.server.users import new_user

    token, lines = new_user(name)
    say_on_stderr(f"add this to the configuration:\n\n{lines}\ngive this token to {name}; it is shown only once:\n")
    sys.stdout.write(f"{token}\n")
    return OK


def _allow_many_connections() -> None:
    """Every stream holds two connections, and a shell often gives a process 1,024 files."""
    # Not everywhere there is such a limit, and not every system lets it be raised.
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def _load_ahead() -> None:
    """What every worker needs, loaded once: they begin sooner, and share the memory of it."""
    import gc
    import importlib

    for name in ("uvicorn.protocols.http.httptools_impl", "toolpost.store.postgres"):
        # What is missing is told by the worker that misses it.
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    # What is never looked at by the collector is never written to, and so stays shared.
    gc.freeze()


def _engines(workspace: "Workspace") -> "tuple[RunEngine | None, ScheduleEngine | None]":
    """What decides which process drives a run, and what says when schedules fire; None where this process does."""
    config = workspace.config.engine
    if config.url is None:
        return None, None
    require("temporal", "`url` in [engine]")
    from toolpost.temporal.engine import TemporalEngine
    from toolpost.temporal.schedules import TemporalSchedules

    return TemporalEngine(config, workspace.environ), TemporalSchedules(config, workspace.environ)


@contextlib.asynccontextmanager
async def _driving(workspace: "Workspace", app: "App") -> AsyncGenerator[None]:
    """Drive runs of the engine in this process, beside the requests."""
    from toolpost.temporal.worker import TemporalWorker

    assert app.driver is not None
    worker, ready = TemporalWorker(workspace.config.engine, workspace.environ, workspace.project), asyncio.Event()
    task = asyncio.create_task(worker.run(app.driver, ready.set, schedules=app.schedules))
    waiting = asyncio.create_task(ready.wait())
    await asyncio.wait({task, waiting}, return_when=asyncio.FIRST_COMPLETED)
    waiting.cancel()
    if task.done():
        task.result()
    try:
        yield
    finally:
        worker.stop()
        await task


def _say_nothing(text: str) -> None:
    """For workers that are not the first, who find what it has told."""


def _loop_factory():
    try:
        import uvloop
    except ImportError:
        return None
    return uvloop.new_event_loop
