"""`toolpost serve`: any model and this folder's tools behind the wires of Anthropic and OpenAI."""

import argparse
import asyncio
import contextlib
import logging
import sys
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING

from toolpost.cli.exit_codes import OK

from . import Argument, complain, open_workspace

if TYPE_CHECKING:
    from toolpost.models.contract import Model
    from toolpost.workspace import Workspace

HELP = "put models and tools behind Anthropic's and OpenAI's wires"
GREETING = """\
serving {model} on {url}
  Anthropic:  ANTHROPIC_BASE_URL={url} ANTHROPIC_AUTH_TOKEN={token}
  OpenAI:     OPENAI_BASE_URL={url}/v1 OPENAI_API_KEY={token}"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    Argument("--host", default="127.0.0.1", help="where to listen; others than loopback need a token").add_to(parser)
    Argument("--port", type=int, default=8642, metavar="N", help="8642; 0 takes a free one").add_to(parser)
    Argument("--token", default="", metavar="TOKEN", help="who sends it may use it; or set TOOLPOST_TOKEN").add_to(
        parser
    )
    Argument("--access-log", action="store_true", help="write a line about every request to the log file").add_to(
        parser
    )
    Argument("-m", "--model", metavar="ID", help="the model that answers where none is named").add_to(parser)


def run(args: argparse.Namespace) -> int:
    from toolpost.server.serve import listen, opened, token_for
    from toolpost.server.settings import ServerSettings

    workspace = open_workspace()
    config = workspace.config.server
    settings = ServerSettings(host=args.host, port=args.port, hosts=config.hosts, origins=config.origins)
    token, is_made = token_for(settings, args.token, workspace.environ)
    if args.access_log:
        logging.getLogger("toolpost.access").setLevel(logging.INFO)
    _allow_many_connections()

    async def serve() -> None:
        async with AsyncExitStack() as stack:
            model = await _model(workspace, args.model, stack)
            for notice in workspace.notices:
                complain(f"note: {notice}")
            app = await stack.enter_async_context(opened(workspace, model, settings, token))
            shown = token if is_made else "TOKEN"

            def greet(url: str) -> None:
                complain(GREETING.format(model=model.info.id, url=url, token=shown))
                sys.stderr.flush()

            await listen(app, settings, greet)

    runner = asyncio.Runner(loop_factory=_loop_factory())
    with runner:
        runner.run(serve())
    return OK


def _allow_many_connections() -> None:
    """Every stream holds two connections, and a shell often gives a process 1,024 files."""
    # Not everywhere there is such a limit, and not every system lets it be raised.
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def _loop_factory():
    try:
        import uvloop
    except ImportError:
        return None
    return uvloop.new_event_loop


async def _model(workspace: "Workspace", wanted: str | None, stack: AsyncExitStack) -> "Model":
    from toolpost.cli.default_model import default_model, fetch_weights

    model_id = workspace.model_id(wanted)
    if model_id is None:
        return await default_model(workspace, stack, complain)
    await fetch_weights(workspace, model_id)
    return workspace.model(model_id)
