"""The process that forks those that play runs and die in them, so that Python and Toolpost are imported once.

It reads orders from its input, a line of JSON each, and says how the process that carried one out has ended.
"""

import asyncio
import gc
import os
import sys

import msgspec
from msgspec import Struct
from plays import Death, Place, Stage

# Before the fork: what is imported late is else imported by each child.
import toolpost.engine.sub_agents
import toolpost.models.prices
import toolpost.store.postgres
import toolpost.store.sqlite.store
import toolpost.tools.builtin.task  # noqa: F401
from toolpost.engine.local_driver import LocalDriver, LocalEngine
from toolpost.engine.session import Session
from toolpost.engine.sweeper import Sweeper
from toolpost.store import open_store
from toolpost.store.contract import SessionInfo
from toolpost.store.run_records import RunRecord


class Order(Struct, frozen=True):
    """Begin the play, or go on with it, until it has ended, waits for a person, or the process dies at its place."""

    play: str
    store: str
    folder: str
    death: Place = Place()
    submits: bool = True


def main() -> None:
    # What a child would only look at is not copied for it.
    gc.freeze()
    for line in sys.stdin:
        reads, writes = os.pipe()
        pid = os.fork()
        if not pid:
            os.close(reads)
            os.write(writes, outcome(line).encode())
            os._exit(0)
        os.close(writes)
        with os.fdopen(reads) as told:
            said = told.read()
        _, status = os.waitpid(pid, 0)
        answer = "killed" if os.WIFSIGNALED(status) else said
        os.write(1, f"{answer}\n".encode())


def outcome(line: str) -> str:
    try:
        return asyncio.run(carry_out(msgspec.json.decode(line, type=Order)))
    except BaseException as error:
        import traceback

        traceback.print_exc()
        return f"failed {type(error).__name__}: {error}".replace("\n", " ")


async def carry_out(order: Order) -> str:
    store = open_store(order.store)
    stage = Stage(order.play, order.folder, store, Death(order.death))
    known = [info async for info in store.sessions() if info.parent is None]
    begun = known and (known[0].open_run is not None or known[0].seq > 0)
    if not begun:
        session = stage.session = stage.agent().session(known[0].id if known else None)
        if order.submits:
            await session.submit("go", output=stage.play.output)
        else:
            await session.run("go", output=stage.play.output)
    try:
        return await go_on(stage)
    finally:
        await store.close()


async def go_on(stage: Stage) -> str:
    """Drive what is open, as every worker of a server does."""

    async def opened(info: SessionInfo, record: RunRecord) -> Session:
        stage.session = stage.agent().session(info.id)
        return stage.session

    engine = LocalEngine(LocalDriver(stage.store, opened), stage.store)
    sweeper = Sweeper(stage.store, "auto", engine.submit, lambda found: True)
    async with asyncio.timeout(30):
        while True:
            await sweeper.sweep()
            found = [one.record async for one in stage.store.open_runs()]
            driven = [one for one in found if one.state in ("queued", "running")]
            if not driven and not any(engine.is_driving(one.id) for one in found):
                break
            await asyncio.sleep(0.002)
    await engine.close()
    return "waiting" if found else "done"


if __name__ == "__main__":
    main()
