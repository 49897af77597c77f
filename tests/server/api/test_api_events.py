"""The stream of all sessions' events: whatever breaks and wherever, nothing is left out and nothing comes twice."""

import asyncio
import contextlib
import random
import socket
import time
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from api_play import Frame, listening, talking
from gateway_play import listening as at_a_port
from gateway_play import write
from resource_play import TOKENS, People, Person, beside, message_of
from server_play import until as waited

from toolpost.server.api import events
from toolpost.server.api.event_feed import MAX_NAMED
from toolpost.server.serve import opened
from toolpost.server.settings import ServerSettings
from toolpost.store.contract import SessionChanges, SessionInfo
from toolpost.store.memory import MemoryStore
from toolpost.store.sqlite.store import SqliteStore
from toolpost.testing import ScriptedModel, pause, text
from toolpost.types.events import MessageUpdate, RunStart, event_encoder
from toolpost.workspace import Workspace

PATIENCE = 30.0


class Reader:
    """A client that loses its connection now and then, and comes again with the last id that it saw."""

    def __init__(self, chance: random.Random, *servers: Person, **query: Any) -> None:
        self.got: list[dict[str, Any]] = []
        self.connections = 0
        self._chance = chance
        self._servers = servers
        self._query = query
        self._last = ""
        self._more = asyncio.Event()

    async def until(self, count: int) -> None:
        """Wait until it has got so many events."""
        async with asyncio.timeout(PATIENCE):
            while len(self.got) < count or not self.connections:
                self._more.clear()
                await self._more.wait()

    async def read(self) -> None:
        while True:
            await self._read_some(self._chance.choice((0, 1, 2, 3, 5, 20)))

    async def _read_some(self, most: int) -> None:
        """Lose the connection after the next `most` events, before the last one's successor is read."""
        server = self._servers[self.connections % len(self._servers)]
        async with listening(server, self._last, **self._query) as read:
            async for frame in read:
                self._last = frame.id
                if not frame.event:
                    self.connections += 1
                else:
                    assert frame.event == frame.data["type"]
                    self.got.append(frame.data)
                    most -= 1
                self._more.set()
                if most < 0:
                    return


@contextlib.asynccontextmanager
async def reading(reader: Reader) -> AsyncGenerator[None]:
    task = asyncio.create_task(reader.read())
    try:
        await reader.until(0)
        yield
    finally:
        task.cancel()
        await asyncio.wait({task})


async def runs(chance: random.Random, everyone: list[tuple[Person, str]]) -> None:
    """Several prompts for each, side by side, some while others run."""

    async def prompt(person: Person, session: str) -> None:
        for _ in range(chance.randint(1, 3)):
            await person.prompt(session)
            if chance.random() < 0.5:
                await person.settled(session)

    await asyncio.gather(*(prompt(person, session) for person, session in everyone))
    for person, session in everyone:
        await person.settled(session)


async def kept(every: People, sessions: list[str]) -> dict[str, list[Any]]:
    store = every.play.workspace.store
    return {
        session: [msgspec.json.decode(event_encoder.encode(event)) async for event in store.events(session)]
        for session in sessions
    }


def by_session(got: list[dict[str, Any]]) -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = {}
    for event in got:
        found.setdefault(event["session_id"], []).append(event)
    return found


@contextlib.asynccontextmanager
async def servers(folder: Path, kind: str) -> AsyncGenerator[list[People]]:
    """One server, or two over one database, as two processes would have it."""
    async with talking(folder) as every:
        if kind == "memory":
            yield [every]
            return
        every.play.workspace.store = SqliteStore(folder / "events.db")
        if kind == "sqlite":
            yield [every]
            return
        async with beside(every, SqliteStore(folder / "events.db")) as others:
            yield [every, others]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("kind", ["memory", "sqlite", "two servers"])
async def test_whoever_loses_the_stream_and_comes_again_gets_every_event_once(
    folder: Path, kind: str, seed: int
) -> None:
    chance = random.Random(f"{kind} {seed}")
    async with servers(folder, kind) as each:
        anns = [every.ann for every in each]
        sessions = [await chance.choice(anns).session() for _ in range(3)]
        foreign = await each[0].bob.session()
        reader = Reader(chance, *anns)
        async with reading(reader):
            await runs(chance, [*((chance.choice(anns), session) for session in sessions), (each[0].bob, foreign)])
            stored = await kept(each[0], sessions)
            await reader.until(sum(map(len, stored.values())))
    assert by_session(reader.got) == stored
    assert reader.connections > 1


async def test_one_session_can_be_followed_from_one_of_its_events_on(folder: Path) -> None:
    async with talking(folder) as every:
        one, other = await every.ann.done(), await every.ann.done()
        (stored,) = (await kept(every, [one])).values()
        got = await those_of(every.ann, len(stored) - 3, session=one, after=3)
        assert got == stored[3:]
        assert all(event["session_id"] != other for event in got)


async def test_from_the_beginning_of_all_comes_everything_that_is_kept(folder: Path) -> None:
    async with talking(folder) as every:
        sessions = [await every.ann.done() for _ in range(2)]
        await every.bob.done()
        stored = await kept(every, sessions)
        got = await those_of(every.ann, sum(map(len, stored.values())), after=0)
        assert by_session(got) == stored


async def test_without_a_position_the_stream_begins_now(folder: Path) -> None:
    async with talking(folder) as every:
        session = await every.ann.done()
        before = (await every.ann.get(f"/api/sessions/{session}"))["seq"]
        async with listening(every.ann) as read:
            await anext(read)
            await every.ann.prompt(session)
            assert (await anext(read)).data["seq"] == before + 1


async def test_deltas_come_while_the_model_still_speaks(folder: Path) -> None:
    go = asyncio.Event()
    async with talking(folder, text("begun") + pause(go) + text("done")) as every:
        session = await every.ann.session()
        async with listening(every.ann) as read, asyncio.timeout(PATIENCE):
            await every.ann.prompt(session)
            said = [frame.data["text"] async for frame in until(read, "message_update")]
            assert said == ["begun"]
            go.set()
            assert [frame.event async for frame in until(read, "settled")] == ["settled"]


async def test_an_id_that_was_deleted_and_is_another_users_now_is_told_to_that_user_alone(folder: Path) -> None:
    async with talking(folder) as every:
        store, session = every.play.workspace.store, "an-id-that-clients-choose"
        async with listening(every.ann) as anns, listening(every.bob) as bobs, asyncio.timeout(PATIENCE):
            for owner, read in (("ann", anns), ("bob", bobs)):
                await anext(read)
                await store.create(SessionInfo(session, owner=owner))
                begun = RunStart(1, session, time.time(), f"run of {owner}", "m")
                await store.commit(SessionChanges(session, events=[begun]))
                assert (await anext(read)).data["run_id"] == f"run of {owner}"
                await store.delete(session)
            await every.ann.done()
            assert (await anext(anns)).data["run_id"].startswith("run_")


async def test_a_position_that_nobody_gave_is_refused(folder: Path) -> None:
    async with talking(folder) as every:
        for after in ("nonsense", "12~", "12~short:1", "-1", "1" * 30):
            told = await every.ann.get("/api/events", after=after, status=400)
            assert "Last" in message_of(told) or "last" in message_of(told)


async def test_the_stream_ends_when_its_time_is_over(folder: Path) -> None:
    async with talking(folder) as every, listening(every.ann, seconds=0.01) as read:
        assert [frame.event async for frame in read] == [""]


async def test_a_server_that_stops_says_so_and_does_not_wait_for_the_stream(folder: Path) -> None:
    write(folder / ".git" / "HEAD", "")
    workspace = Workspace(folder, trusted=True)
    workspace.store = MemoryStore()
    settings = ServerSettings(stop_timeout=PATIENCE)
    async with (
        opened(workspace, ScriptedModel(), settings, TOKENS["ann"]) as app,
        at_a_port(app) as url,
        httpx.AsyncClient(base_url=url, headers={"x-api-key": TOKENS["ann"]}) as http,
        listening(Person(http)) as read,
        asyncio.timeout(PATIENCE / 2),
    ):
        await anext(read)
        await app.stop()
        last = await anext(read)
    assert (last.event, last.data["message"]) == ("stream_end", "the server is stopping")


async def test_more_sessions_at_once_than_a_position_can_name_end_the_stream(folder: Path) -> None:
    async with talking(folder) as every:
        store = every.play.workspace.store
        async with listening(every.ann) as read, asyncio.timeout(PATIENCE):
            await anext(read)
            for number in range(MAX_NAMED + 1):
                session = f"session-{number:08}"
                await store.create(SessionInfo(session, owner="ann"))
                info, begun = SessionInfo(session, owner="ann", updated=time.time(), seq=1), time.time()
                await store.commit(SessionChanges(session, info, events=[RunStart(1, session, begun, "run", "m")]))
            got = [frame async for frame in read]
        told = await every.ann.get("/api/events", after=got[-2].id, status=400)
        assert "load the sessions again" in message_of(told)
    assert [frame.event for frame in got] == ["run_start"] * MAX_NAMED + ["stream_end"]
    assert "?session=" in got[-1].data["message"]


async def test_a_reader_that_is_too_slow_is_cut_off_and_told_so(
    folder: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """It gets what was on its way, the reason, and the rest when it comes again."""
    monkeypatch.setattr(events, "SLOW_SECONDS", 0.05)
    caplog.set_level("INFO", "toolpost.server")
    small = httpx.AsyncHTTPTransport(socket_options=[(socket.SOL_SOCKET, socket.SO_RCVBUF, 262_144)])
    headers = {"x-api-key": TOKENS["ann"]}
    async with (
        talking(folder) as every,
        httpx.AsyncClient(base_url=every.play.url, headers=headers, transport=small) as http,
    ):
        store, session, many = every.play.workspace.store, "a-very-long-session", 200
        await store.create(SessionInfo(session, owner="ann"))
        async with listening(Person(http)) as read, asyncio.timeout(PATIENCE):
            await anext(read)
            now, long = time.time(), "x" * 50_000
            said = [MessageUpdate(seq, session, now, "m", 0, "text", long) for seq in range(1, many + 1)]
            info = SessionInfo(session, owner="ann", updated=now, seq=many)
            await store.commit(SessionChanges(session, info, events=said))
            await waited(lambda: "too slowly" in caplog.text)
            got = [frame async for frame in read]
        assert got[-1].event == "stream_end"
        assert 0 < len(got) - 1 < many
        monkeypatch.setattr(events, "SLOW_SECONDS", PATIENCE)
        rest = await those_of(every.ann, many - len(got) + 1, last=got[-2].id)
    assert [frame.data["seq"] for frame in got[:-1]] + [event["seq"] for event in rest] == list(range(1, many + 1))


async def test_kept_events_come_in_pages(folder: Path) -> None:
    async with talking(folder) as every:
        session = await every.ann.done()
        (stored,) = (await kept(every, [session])).values()
        got, after = [], 0
        while after is not None:
            page = await every.ann.get(f"/api/sessions/{session}/events", after=after, limit=4)
            got += page["events"]
            after = page["next"]
        assert got == stored


async def those_of(person: Person, count: int, last: str = "", **query: Any) -> list[Any]:
    async with listening(person, last, **query) as read, asyncio.timeout(PATIENCE):
        await anext(read)
        return [(await anext(read)).data for _ in range(count)]


async def until(read: AsyncGenerator[Frame, None], event: str) -> AsyncGenerator[Frame, None]:
    """The first frame with this event."""
    async for frame in read:
        if frame.event == event:
            yield frame
            return
