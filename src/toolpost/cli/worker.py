"""`toolpost worker`: drive the runs of this folder, or of its pool, that a Temporal server gives out."""

import argparse
import asyncio
import sys
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING

from toolpost.extras import require

from .exit_codes import OK
from .shared.arguments import Argument, positive_integer
from .shared.env_files import ask_or_say
from .shared.output import say_notices, say_on_stderr
from .shared.signals import stopping
from .shared.workspace import open_workspace

if TYPE_CHECKING:
    from toolpost.workspace import Workspace

HELP = "drive the runs that a Temporal server gives out"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    Argument("--slots", type=positive_integer, metavar="N", help="the number of runs at once (default: 10)").add_to(
        parser
    )
    Argument("--pool", metavar="NAME", help="drive the runs of this pool, not of this folder").add_to(parser)
    Argument("--store", metavar="STORE", help="where the sessions are: a database file or postgresql://…").add_to(
        parser
    )


def run(args: argparse.Namespace) -> int:
    require("temporal", "`toolpost worker`")
    require("server", "`toolpost worker`")
    from toolpost.definitions.agents import SERVER_AGENT
    from toolpost.types.errors import ConfigError

    overrides = {"store": args.store, "engine.slots": args.slots, "engine.pool": args.pool}
    workspace = open_workspace(overrides, default_agent=SERVER_AGENT)
    ask_or_say(workspace, say_on_stderr, has_person=sys.stdin.isatty() and sys.stderr.isatty())
    # A name that is not known is an error now, not in the first run.
    workspace.agent()
    if workspace.config.store == "memory":
        raise ConfigError("a worker needs the store of those who submit runs: set `store`, or give --store")
    return asyncio.run(_work(workspace))


async def _work(workspace: "Workspace") -> int:
    from toolpost.server.serve import opened, token_for
    from toolpost.server.settings import ServerSettings
    from toolpost.temporal.engine import TemporalEngine
    from toolpost.temporal.schedules import TemporalSchedules
    from toolpost.temporal.worker import TemporalWorker

    from .shared.default_model import server_model

    settings = ServerSettings()
    config = workspace.config
    worker = TemporalWorker(config.engine, workspace.environ, workspace.project)
    # Nobody sends requests to a worker, but whose runs it drives is looked up as on the server.
    token, _ = token_for(settings, "", workspace.environ, has_users=bool(config.server.users) or config.server.accounts)
    ready = f"driving runs of {worker.queue} ({worker.place}), {worker.slots} at once"
    async with AsyncExitStack() as stack:
        model = await server_model(workspace, None, stack, say_on_stderr)
        engine = TemporalEngine(config.engine, workspace.environ)
        times = TemporalSchedules(config.engine, workspace.environ)
        app = await stack.enter_async_context(
            opened(workspace, model, settings, token, engine=engine, schedule_engine=times)
        )
        assert app.driver is not None
        with stopping(worker.stop):
            say_notices(workspace)
            await worker.run(app.driver, lambda: say_on_stderr(ready), schedules=app.schedules)
    return OK
