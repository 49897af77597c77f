"""What the tests of several processes run beside themselves: `python child.py WHAT STORE …`."""

import asyncio
import contextlib
import os
import signal
import sys
import time
from collections.abc import AsyncIterator, Awaitable
from pathlib import Path

from toolpost.engine.stored_sessions import open_session
from toolpost.store import open_store, worker
from toolpost.store.contract import SessionChanges, SessionInfo
from toolpost.store.sqlite import lease as sqlite_lease
from toolpost.types.errors import SessionBusy, StoreError
from toolpost.types.events import MessageUpdate
from toolpost.types.messages import Message, TextPart


def say(*words: object) -> None:
    sys.stdout.write(" ".join(map(str, words)) + "\n")
    sys.stdout.flush()


def peak_memory_mb() -> int:
    """Of this process alone: `ru_maxrss` begins with the size of the parent."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) // 1024 for line in lines if line.startswith("VmHWM:"))


def change(session_id: str, number: int, *, barrier: bool, text: str = "x") -> SessionChanges:
    """One change that holds together: its info, its message and its event all say `number`."""
    message = Message(f"m{number}", "user", (TextPart(text),), f"m{number - 1}" if number > 1 else None)
    event = MessageUpdate(number, session_id, 1.0, message.id, 0, "text", text)
    return SessionChanges(
        session_id, SessionInfo(session_id, seq=number, head=message.id), [message], [event], (), barrier
    )


async def write(spec: str, session_id: str, count: str) -> None:
    """Commit `count` numbered changes; every third is a barrier."""
    store = open_store(spec)
    await store.create(SessionInfo(session_id))
    for number in range(1, int(count) + 1):
        await store.commit(change(session_id, number, barrier=number % 3 == 0))
        assert (await store.info(session_id)).seq == number
    await store.close()


async def acknowledge(spec: str, session_id: str) -> None:
    """Commit numbered changes for ever, and say each number once it is committed."""
    store = open_store(spec)
    await store.create(SessionInfo(session_id))
    number = 0
    while True:
        number += 1
        await store.commit(change(session_id, number, barrier=number % 2 == 0, text="x" * (number * 997 % 20_000)))
        say(number)


async def lease(spec: str, session_id: str) -> None:
    """Hold a session until the process dies."""
    store = open_store(spec)
    await store.lease(session_id)
    # Opening and closing the database again must not free the lease.
    beside = open_store(spec)
    await beside.approvals()
    await beside.close()
    say("held")
    await asyncio.Event().wait()


async def hold(spec: str, session_id: str, beat: str = "", fcntl: str = "yes") -> None:
    """Hold a session, say when it is lost, and do what the lines of the input tell."""
    if beat:
        worker.BEAT_SECONDS = float(beat)
    if fcntl == "no":
        sqlite_lease.fcntl = None
    store = open_store(spec)
    leases = {session_id: await store.lease(session_id)}
    leases[session_id].when_lost(lambda: say("lost"))
    say("held")
    number = 0
    while words := (await asyncio.to_thread(sys.stdin.readline)).split():
        match words:
            case ["commit", session_id]:
                number += 1
                say(await outcome("committed", store.commit(change(session_id, number, barrier=False))))
            case ["lease", session_id]:
                say(await outcome("held", store.lease(session_id)))
            case ["holder", session_id]:
                found = await store.holder(session_id)
                say("nobody" if found is None else "alive" if found.is_alive else "dead")
            case ["open", session_id]:
                info, _ = await open_session(store, session_id)
                say(info.open_run)
            case ["release", session_id]:
                leases[session_id].release()
                say("released")
            case ["block"]:
                say("blocked")
                time.sleep(3600)  # noqa: ASYNC251 - the loop is what is blocked
            case ["close"]:
                await store.close()
                say("closed")


async def outcome(well: str, doing: Awaitable[object]) -> str:
    try:
        await doing
    except StoreError as error:
        return type(error).__name__
    return well


async def open_run(spec: str, session_id: str) -> None:
    """Leave a session behind whose run is open."""
    store = open_store(spec)
    await store.create(SessionInfo(session_id, open_run="run_1"))
    await store.close()


def fork_holding(spec: str, session_id: str) -> None:
    """Hold a session in a process that has a child, which lives on when it dies."""
    store = open_store(spec)
    asyncio.run(store.lease(session_id))
    child = os.fork()
    if child:
        say("held", child)
    signal.pause()


def fork_sharing(spec: str, session_id: str) -> None:
    """Let a process and its child use a store that was opened before they parted, and say what each got."""
    store = open_store(spec)
    child = os.fork()
    if child:
        os.waitpid(child, os.WUNTRACED)
    try:
        asyncio.run(store.lease(session_id))
        said = "held"
    except SessionBusy:
        said = "busy"
    if child:
        os.kill(child, signal.SIGKILL)
    say(said)
    if not child:
        os.kill(os.getpid(), signal.SIGSTOP)


async def obey(spec: str, session_id: str) -> None:
    """Keep what is signalled to a session as its events, one after another."""
    store = open_store(spec)
    number = 0
    async with contextlib.aclosing(store.signals()) as signals:
        async for signal in signals:
            if not signal.session_id:
                say("listening")
            elif signal.session_id == session_id:
                number += 1
                await store.commit(change(session_id, number, barrier=False, text=signal.body.decode()))


async def leave(spec: str, count: str) -> None:
    """End while commits are queued and awaited, without closing the store."""
    store = open_store(spec)
    await store.create(SessionInfo("s"))
    for number in range(1, int(count) + 1):
        # Large enough that the writer is still at it when the interpreter ends.
        text = "x" * 500_000
        _tasks.append(asyncio.create_task(store.commit(change("s", number, barrier=True, text=text))))
    await asyncio.sleep(0)


_tasks: list[asyncio.Task[None]] = []


async def copy(spec: str, session_id: str, file: str) -> None:
    """Export a session to a file and restore it from there; say by how many MB the process grew."""
    store = open_store(spec)
    await store.info(session_id)
    before = peak_memory_mb()
    with Path(file).open("wb") as target:  # noqa: ASYNC230 - nothing else runs here
        async for piece in store.export(session_id):
            target.write(piece)
    async for _ in store.search("no such text"):
        pass
    restored = await store.restore(_pieces(file))
    await store.close()
    say(restored.id, peak_memory_mb() - before)


async def _pieces(file: str) -> AsyncIterator[bytes]:
    with Path(file).open("rb") as source:  # noqa: ASYNC230 - nothing else runs here
        while piece := source.read(100_000):
            yield piece


if __name__ == "__main__":
    what = {
        "write": write,
        "acknowledge": acknowledge,
        "lease": lease,
        "hold": hold,
        "open_run": open_run,
        "obey": obey,
        "leave": leave,
        "copy": copy,
        "fork_holding": fork_holding,
        "fork_sharing": fork_sharing,
    }[sys.argv[1]]
    with contextlib.suppress(KeyboardInterrupt):
        if asyncio.iscoroutinefunction(what):
            asyncio.run(what(*sys.argv[2:]))
        else:
            what(*sys.argv[2:])
