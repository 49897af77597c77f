"""The results of a step are on disk before a model is told of them: a request that was sent is never forgotten."""

import asyncio
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from postgres_server import PostgresServer

from toolpost import Agent, OpenAIChat, tool
from toolpost.store import open_store
from toolpost.testing import Received, Turn, Upstream, call, calls, text
from toolpost.types.messages import Completed


@pytest.fixture
def server() -> Iterator[PostgresServer]:
    with PostgresServer() as server:
        yield server


def crashed(server: PostgresServer) -> None:
    server.crash()
    server.start()


@pytest.mark.parametrize("kind", ["sqlite", "postgres", "postgres that crashes"])
async def test_the_results_of_a_step_are_on_disk_when_the_next_request_arrives(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    place, before = str(tmp_path / "t.db"), _nothing
    if kind != "sqlite":
        server = request.getfixturevalue("server")
        place = server.url()
        if kind == "postgres that crashes":
            # Nothing that is written meanwhile may bring back what the server lost.
            monkeypatch.setattr("toolpost.store.worker.BEAT_SECONDS", 60.0)
            before = lambda: crashed(server)  # noqa: E731 - one expression

    @tool
    async def work(n: int) -> str:
        """Work."""
        return f"did {n}"

    checked: list[tuple[list[str], ...]] = []

    def when_it_arrives(turn: Turn) -> Callable[[Received], Turn]:
        def arrived(received: Received) -> Turn:
            before()
            # In another thread, and with a store of its own: nothing goes on in this loop until it has looked.
            with ThreadPoolExecutor(1) as threads:
                found = threads.submit(asyncio.run, on_disk(place)).result()
            told = [message["content"] for message in received.body["messages"] if message["role"] == "tool"]
            checked.append((told, *found))
            return turn

        return arrived

    def step(*numbers: int) -> Turn:
        return calls(*(call("work", {"n": n}, id=f"c{n}") for n in numbers))

    turns = [step(1, 2), when_it_arrives(step(3)), when_it_arrives(text("all is done"))]
    async with Upstream(*turns) as upstream:
        model = OpenAIChat("any", base_url=upstream.base_url)
        store = open_store(place)
        result = await Agent(model, [work], store=store).run("go")
        await store.close()
    first, second = ["did 1", "did 2"], ["did 1", "did 2", "did 3"]
    assert checked == [(first, first, first), (second, second, second)]
    assert result.text == "all is done"


async def on_disk(place: str) -> tuple[list[str], list[str]]:
    """The results that the messages of the only session hold, and those that its events tell of."""
    store = open_store(place)
    (info,) = [info async for info in store.sessions()]
    messages = await store.branch(info.id, info.head)
    states = [part.state for message in messages for part in message.calls]
    events = [event async for event in store.events(info.id) if event.type == "tool_execution_end"]
    await store.close()
    ended = [_text(state.content) for state in states if isinstance(state, Completed)]
    return ended, sorted(_text(event.content) for event in events)


def _text(content: Any) -> str:
    return "".join(part.text for part in content)


def _nothing() -> None:
    pass
