"""The process that test_kill.py kills. It forks one child an order, so that Python and Toolpost are imported once.

A child goes on with the one session for ever: it runs prompts with text, parallel calls and approvals, and tells
through its pipe each event that it may take for granted. Every call leaves a line in the file of effects.
"""

import asyncio
import os
import sys

import toolpost.store.postgres
import toolpost.store.sqlite.store  # noqa: F401 - both before the fork: a driver is slow to import
from toolpost import Agent, ToolContext, tool
from toolpost.store import open_store
from toolpost.testing import ScriptedModel, call, calls, text

ACKNOWLEDGED = {"run_start", "tool_execution_start", "permission_replied", "run_end"}


def main(database: str, effects: str) -> None:
    while sys.stdin.readline():
        waits, starts = os.pipe()
        pid = os.fork()
        if not pid:
            # Nothing may be acknowledged before it is known whom to kill: on a busy machine the child is first.
            os.close(starts)
            os.read(waits, 1)
            os.close(waits)
            child(database, effects)
            os._exit(0)
        say(f"pid {pid}")
        os.close(waits)
        os.close(starts)
        os.waitpid(pid, 0)
        say("dead")


def child(database: str, effects: str) -> None:
    try:
        asyncio.run(run_for_ever(database, effects))
    except BaseException as error:
        say(f"failed {type(error).__name__}: {error}")


def say(line: str) -> None:
    os.write(1, f"{line}\n".encode())


async def run_for_ever(database: str, effects: str) -> None:
    @tool
    async def act(n: int, ctx: ToolContext) -> str:
        """Do something that must not be done twice."""
        file = os.open(effects, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        os.write(file, f"{ctx.call_id}\n".encode())
        os.close(file)
        await asyncio.sleep(0)
        return f"did {n}"

    async def approve(ask: object) -> str:
        return "once"

    store = open_store(database)
    existing = [info.id async for info in store.sessions()]
    unique = os.urandom(4).hex()
    n = 0
    model = ScriptedModel()
    agent = Agent(model, [act], permissions={"act": "ask"}, on_ask=approve, store=store)
    session = agent.session(existing[0] if existing else None)
    session.subscribe(lambda event: say(f"ack {event.seq} {event.type}") if event.type in ACKNOWLEDGED else None)
    while True:
        for _ in range(2):
            acts = [call("act", {"n": k}, id=f"{unique}_{k}") for k in range(n, n + 3)]
            n += 3
            model.add(text("thinking about it ", chunk=3) + calls(*acts))
        model.add(text("all done now", chunk=2))
        await session.run(f"prompt {n}")


if __name__ == "__main__":
    main(*sys.argv[1:])
