"""What a store keeps in a second: SQLite on a file beside PostgreSQL on a server, both on the disk of this folder.

python -m bench.store [--url postgresql://…] [--commits N] [--rounds N]

Without --url a server is started from the wheel that the tests use. Each commit has a message, three events and the
session's info, as a step of a run has.
"""

import argparse
import asyncio
import contextlib
import statistics
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path

from tests.postgres_server import PostgresServer
from toolpost.store import open_store
from toolpost.store.contract import SessionChanges, SessionInfo, Store
from toolpost.types.events import MessageUpdate
from toolpost.types.ids import new_id
from toolpost.types.messages import Message, TextPart

SESSIONS = 50
TEXT = "What a model says in one message, as long as most of them are. " * 12
# A server as it is installed: what the tests leave out is on.
SETTINGS = {"fsync": "on", "full_page_writes": "on", "wal_writer_delay": "200ms", "wal_writer_flush_after": "1MB"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--url")
    parser.add_argument("--commits", type=int, default=400)
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder, _server(given.url) as url:
        asyncio.run(_compare({"SQLite": str(Path(folder, "t.db")), "PostgreSQL": url}, given.commits, given.rounds))


@contextlib.contextmanager
def _server(url: str | None) -> Iterator[str]:
    if url is not None:
        yield url
        return
    with PostgresServer(settings=SETTINGS) as server:
        yield server.url()


async def _compare(specs: dict[str, str], commits: int, rounds: int) -> None:
    print(f"{f'medians of {rounds}':44}" + "".join(f"{name:>16}" for name in specs))
    stores = {name: open_store(spec) for name, spec in specs.items()}
    for title, unit, measure in _MEASURES:
        taken: dict[str, list[float]] = {name: [] for name in stores}
        for _ in range(rounds):
            for name, store in stores.items():
                taken[name].append(await measure(store, commits))
        print(f"{title:44}" + "".join(f"{statistics.median(values):>12,.0f} {unit}" for values in taken.values()))
    for store in stores.values():
        await store.close()


async def _one_session(store: Store, commits: int) -> float:
    return await _commits(store, 1, commits, barrier=False)


async def _one_session_synced(store: Store, commits: int) -> float:
    return await _commits(store, 1, commits, barrier=True)


async def _many_sessions(store: Store, commits: int) -> float:
    return await _commits(store, SESSIONS, max(1, commits * 5 // SESSIONS), barrier=False)


async def _many_sessions_synced(store: Store, commits: int) -> float:
    return await _commits(store, SESSIONS, max(1, commits * 5 // SESSIONS), barrier=True)


async def _commits(store: Store, sessions: int, commits: int, *, barrier: bool) -> float:
    """Commits a second, of sessions that each wait for one commit before they make the next."""
    ids = [new_id("ses") for _ in range(sessions)]
    for session_id in ids:
        await store.create(SessionInfo(session_id))
    began = time.perf_counter()
    await asyncio.gather(*(_write(store, session_id, commits, barrier) for session_id in ids))
    return sessions * commits / (time.perf_counter() - began)


async def _write(store: Store, session_id: str, commits: int, barrier: bool) -> None:
    parent: str | None = None
    for number in range(commits):
        message = Message(f"m{number}", "assistant", (TextPart(TEXT),), parent, time.time())
        seqs = range(number * 3 + 1, number * 3 + 4)
        events = [MessageUpdate(seq, session_id, time.time(), message.id, 0, "text", TEXT[:80]) for seq in seqs]
        info = SessionInfo(session_id, head=message.id, seq=seqs[-1], updated=time.time())
        await store.commit(SessionChanges(session_id, info, [message], events, (), barrier))
        parent = message.id


async def _branch(store: Store, commits: int) -> float:
    """Microseconds for a branch of 200 messages."""
    session_id = new_id("ses")
    await store.create(SessionInfo(session_id))
    await _write(store, session_id, 200, barrier=False)
    return await _microseconds(lambda: store.branch(session_id, "m199"), commits // 10)


async def _lease(store: Store, commits: int) -> float:
    async def take() -> None:
        (await store.lease("leased")).release()

    return await _microseconds(take, commits)


async def _notice(store: Store, commits: int) -> float:
    """Microseconds from a commit to its notice."""
    session_id = new_id("ses")
    await store.create(SessionInfo(session_id))
    taken: list[float] = []
    async with contextlib.aclosing(_following(store)) as noticed:
        await anext(noticed)
        for seq in range(1, 21):
            event = MessageUpdate(seq, session_id, 1.0, "m", 0, "text", "x")
            await store.commit(SessionChanges(session_id, events=[event]))
            began = time.perf_counter()
            await anext(noticed)
            taken.append(time.perf_counter() - began)
    return statistics.median(taken) * 1e6


async def _following(store: Store) -> AsyncIterator[object]:
    async for notice in store.follow():
        yield notice


async def _microseconds(act: Callable[[], Awaitable[object]], times: int) -> float:
    began = time.perf_counter()
    for _ in range(times):
        await act()
    return (time.perf_counter() - began) / times * 1e6


_MEASURES: list[tuple[str, str, Callable[[Store, int], Awaitable[float]]]] = [
    ("one session, commits", "/s", _one_session),
    ("one session, each on disk", "/s", _one_session_synced),
    (f"{SESSIONS} sessions at once, commits", "/s", _many_sessions),
    (f"{SESSIONS} sessions at once, each on disk", "/s", _many_sessions_synced),
    ("a branch of 200 messages", "µs", _branch),
    ("a lease taken and released", "µs", _lease),
    ("from a commit to its notice", "µs", _notice),
]


if __name__ == "__main__":
    main()
