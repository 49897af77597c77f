"""Begin short runs, in a process of its own so that its CPU time is theirs: `python -m bench.engine_runs local|submit`.

`local` drives them as well, as `toolpost serve` does without an engine; `submit` stores and submits them, and leaves
them to workers. The last line that it prints is JSON: seconds and CPU seconds without the start of the process, and the
runs with their sessions.
"""

import argparse
import asyncio
import json
import time
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

from toolpost.engine.drive import RunTicket
from toolpost.engine.local_driver import LocalDriver, LocalEngine
from toolpost.server.chat.driving import HOME
from toolpost.server.serve import opened
from toolpost.server.settings import ServerSettings
from toolpost.temporal.engine import TemporalEngine
from toolpost.workspace import Workspace

TOKEN = "a-token-for-the-bench"
# So many are stored and submitted at once, as requests to a server are.
AT_ONCE = 20
WARM_UP = 10

Begin = Callable[[str], Awaitable[RunTicket]]
Wait = Callable[[list[RunTicket]], Awaitable[None]]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.engine_runs", description=__doc__)
    parser.add_argument("where", choices=["local", "submit"])
    parser.add_argument("name", help="what the prompts begin with")
    parser.add_argument("count", type=int)
    parser.add_argument("--slots", type=int, default=20)
    print(json.dumps(asyncio.run(_work(parser.parse_args()))))


async def _work(options: argparse.Namespace) -> dict[str, Any]:
    workspace = Workspace(Path.cwd())
    async with AsyncExitStack() as stack:
        stack.push_async_callback(workspace.close)
        if options.where == "submit":
            begin, wait = _through_temporal(workspace)
        else:
            begin, wait = await _here(workspace, stack, options.slots)
            await wait(await _begin_all(begin, "warm-up", WARM_UP))
        wall, cpu = time.perf_counter(), time.process_time()
        tickets = await _begin_all(begin, options.name, options.count)
        await wait(tickets)
        taken = {"seconds": time.perf_counter() - wall, "cpu": time.process_time() - cpu}
    return {**taken, "runs": {ticket.run_id: ticket.session_id for ticket in tickets}}


async def _here(workspace: Workspace, stack: AsyncExitStack, slots: int) -> tuple[Begin, Wait]:
    model = workspace.model("openai/scripted")
    app = await stack.enter_async_context(opened(workspace, model, ServerSettings(), TOKEN))
    assert isinstance(app.driver, LocalDriver)
    engine = LocalEngine(app.driver, workspace.store, slots=slots)
    stack.push_async_callback(engine.close)

    async def begin(prompt: str) -> RunTicket:
        # Without a home the sweeper of this process leaves it to the engine here.
        ticket = await stored(workspace, prompt, home="")
        await engine.submit(ticket)
        return ticket

    async def wait(tickets: list[RunTicket]) -> None:
        for ticket in tickets:
            while engine.is_driving(ticket.run_id):  # noqa: ASYNC110 - it has no event for this
                await asyncio.sleep(0.01)

    return begin, wait


def _through_temporal(workspace: Workspace) -> tuple[Begin, Wait]:
    engine = TemporalEngine(workspace.config.engine, workspace.environ)

    async def begin(prompt: str) -> RunTicket:
        ticket = await stored(workspace, prompt, home=HOME)
        await engine.submit(ticket)
        return ticket

    async def wait(tickets: list[RunTicket]) -> None:
        """Others drive them."""

    return begin, wait


async def stored(workspace: Workspace, prompt: str, home: str) -> RunTicket:
    setup = workspace.setup(workspace.model("openai/scripted"))
    session = workspace.session(replace(setup, home=home))
    try:
        return await session.submit(prompt)
    finally:
        await session.close()


async def _begin_all(begin: Begin, name: str, count: int) -> list[RunTicket]:
    places = asyncio.Semaphore(AT_ONCE)

    async def one(number: int) -> RunTicket:
        async with places:
            return await begin(f"{name} {number}")

    return await asyncio.gather(*(one(number) for number in range(count)))


if __name__ == "__main__":
    main()
