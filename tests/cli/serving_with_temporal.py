"""`toolpost serve` that submits to a Temporal server, and `toolpost worker`: processes of one project, for tests."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
from console import Console
from served import PATIENCE, Serving, serving
from temporal_server import TemporalServer

from toolpost.store import open_store

TOOLS = '''
from toolpost import tool

@tool
def large() -> str:
    """Give a large result."""
    return "row of text\\n" * 450_000
'''


def console_of(home: Path, temporal: TemporalServer, store: str) -> Console:
    """A project whose server and workers share this store, and may call its tool `large`."""
    console = Console(home)
    console.environ["TOOLPOST_TOKEN"] = "a-token-of-a-person"
    console.trusted = False
    settings = f'''
        store = "{store}"
        [engine]
        url = "{temporal.url()}"
        pool = "{home.name[-40:]}"
        [permissions]
        large = "allow"
        [server]
        park_seconds = 0.2
    '''
    (console.folder / ".toolpost" / "config.toml").write_text(settings)
    (console.folder / ".toolpost" / "tools").mkdir()
    (console.folder / ".toolpost" / "tools" / "large.py").write_text(TOOLS)
    console.trusted = True
    return console


@contextlib.asynccontextmanager
async def working(console: Console) -> AsyncIterator[asyncio.subprocess.Process]:
    process = await console.start("worker")
    assert process.stderr is not None
    try:
        async with asyncio.timeout(PATIENCE):
            said = (await process.stderr.readuntil(b" at once\n")).decode()
        assert "driving runs of" in said
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


@contextlib.asynccontextmanager
async def submitting(console: Console, *arguments: str) -> AsyncIterator[tuple[Serving, httpx.AsyncClient]]:
    async with (
        serving(console, "--agent", "build", *arguments) as server,
        httpx.AsyncClient(
            base_url=server.url,
            headers={"x-api-key": console.environ["TOOLPOST_TOKEN"]},
            timeout=PATIENCE,
            trust_env=False,
        ) as http,
    ):
        yield server, http


async def begin(http: httpx.AsyncClient, prompt: str = "hi") -> str:
    session = (await http.post("/api/sessions", json={})).json()["id"]
    answer = await http.post(f"/api/sessions/{session}/prompts", json={"text": prompt})
    assert answer.status_code == 202, answer.text
    return session


async def until_state(http: httpx.AsyncClient, session: str, *states: str) -> dict[str, Any]:
    async with asyncio.timeout(PATIENCE):
        while True:
            now = (await http.get(f"/api/sessions/{session}/status")).json()
            if now["state"] in states:
                return now
            await asyncio.sleep(0.02)


async def until_settled(http: httpx.AsyncClient, session: str) -> None:
    """After the end of a run its process says once more that the session is settled."""
    async with asyncio.timeout(PATIENCE):
        while True:
            seq = (await until_state(http, session, "idle"))["seq"]
            events = (await http.get(f"/api/sessions/{session}/events?after={seq - 1}")).json()["events"]
            if events and events[-1]["type"] == "settled":
                return
            await asyncio.sleep(0.02)


async def history(url: str, session: str) -> list[Any]:
    """The events of the session in this store: of one run, with numbers without a gap."""
    store = open_store(url)
    try:
        events = [event async for event in store.events(session)]
    finally:
        await store.close()
    kinds = [event.type for event in events]
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    assert (kinds.count("run_start"), kinds.count("run_end"), kinds.count("settled")) == (1, 1, 1)
    return events
