"""A worker: a store that is open, with a number that shows in the rows of the leases which it holds.

What it holds is known here at once and in the database a moment later: a lease that was released is given up with the
next transaction, and again with each beat until that has succeeded. So releasing one never waits.
"""

import asyncio
import contextlib
import os
import secrets
import threading
import time
import weakref
from collections.abc import Awaitable, Callable, Collection, Sequence
from typing import NamedTuple

from toolpost.types.errors import SessionBusy

from .contract import busy_text
from .run_records import BEAT_SECONDS

# How soon a beat, or a release, that could not be written is tried again.
RETRY_SECONDS = 0.5
HERE = "this process"
ELSEWHERE = "another process"


class HeldLease:
    """The lease of one session. It belongs to the loop that took it."""

    def __init__(self, worker: "StoreWorker", session_id: str, on_release: Callable[[], object]) -> None:
        self.session_id = session_id
        self.is_taken = False
        self._worker = worker
        self._on_release = on_release
        self._loop = asyncio.get_running_loop()
        self._lock = threading.Lock()
        self._is_lost = False
        self._callbacks: list[Callable[[], object]] = []

    def release(self) -> None:
        if self._worker.release(self):
            self._on_release()

    def when_lost(self, callback: Callable[[], object]) -> None:
        with self._lock:
            if not self._is_lost:
                self._callbacks.append(callback)
                return
        self._tell([callback])

    def lose(self) -> None:
        """Called by the worker, from any thread."""
        with self._lock:
            self._is_lost = True
            callbacks, self._callbacks = self._callbacks, []
        self._tell(callbacks)

    def _tell(self, callbacks: Sequence[Callable[[], object]]) -> None:
        # A closed loop has nobody left who could be told.
        with contextlib.suppress(RuntimeError):
            for callback in callbacks:
                self._loop.call_soon_threadsafe(callback)


class Upkeep(NamedTuple):
    """The sessions that were released; whether it is time for a beat; the leases that are looked at with it."""

    released: tuple[str, ...]
    beats: bool
    taken: list[HeldLease]


class StoreWorker:
    """What one store holds. Its methods may be called from every thread."""

    def __init__(self) -> None:
        self.renew()
        _all_workers.add(self)

    def renew(self) -> None:
        """Be another worker, which holds nothing: a process that was forked has none of its parent's leases."""
        # It fits a signed number of 64 bits, as an offset in a file too.
        self.number = secrets.randbits(62)
        # Set once its row is in the database.
        self.is_known = False
        self._lock = threading.Lock()
        self._held: dict[str, HeldLease] = {}
        self._released: set[str] = set()
        self._last_beat = 0.0
        self._not_before = 0.0

    async def lease(
        self,
        session_id: str,
        take: Callable[[HeldLease], Awaitable[str]],
        on_release: Callable[[], object],
        pauses: Sequence[float],
    ) -> HeldLease:
        """Take a session or raise `SessionBusy`. `take` returns who has it, or nothing if it was taken.

        It is tried again after each of the `pauses`: a release is known to others a moment later than to whoever was
        told to go on.
        """
        lease = self._begin(session_id, on_release)
        try:
            holder = await take(lease)
            for pause in pauses:
                if holder != ELSEWHERE:
                    break
                await asyncio.sleep(pause)
                holder = await take(lease)
        except BaseException:
            # It may have been taken all the same.
            lease.release()
            raise
        if holder:
            self._forget(lease)
            raise SessionBusy(busy_text(session_id, holder))
        lease.is_taken = True
        return lease

    def release(self, lease: HeldLease) -> bool:
        """False if it was no longer held."""
        with self._lock:
            if self._held.get(lease.session_id) is not lease:
                return False
            del self._held[lease.session_id]
            self._released.add(lease.session_id)
            return True

    def holds(self, session_id: str) -> bool:
        with self._lock:
            return session_id in self._held

    def is_held(self, lease: HeldLease) -> bool:
        with self._lock:
            return self._held.get(lease.session_id) is lease

    def was_taken_over(self, session_id: str) -> None:
        """Another worker has it: a write to it was refused."""
        with self._lock:
            lost = self._held.pop(session_id, None)
        if lost is not None:
            lost.lose()

    def upkeep(self) -> Upkeep | None:
        """What has to be written along with the next transaction. It ends with `upkept` or `put_back`."""
        with self._lock:
            if not self._held and not self._released:
                return None
            beats = bool(self._held) and time.monotonic() >= self._last_beat + BEAT_SECONDS
            if not beats and not self._released:
                return None
            taken = [lease for lease in self._held.values() if lease.is_taken] if beats else []
            released, self._released = self._released, set()
            return Upkeep(tuple(released), beats, taken)

    def upkept(self, done: Upkeep, named: Collection[str]) -> None:
        """It is in the database. Where it was a beat, those leases are lost that are not `named` by their rows."""
        lost: list[HeldLease] = []
        with self._lock:
            if not done.beats:
                return
            self._last_beat = time.monotonic()
            for lease in done.taken:
                if lease.session_id not in named and self._held.get(lease.session_id) is lease:
                    del self._held[lease.session_id]
                    lost.append(lease)
        for lease in lost:
            lease.lose()

    def put_back(self, failed: Upkeep) -> None:
        """It was not written, and is still due."""
        with self._lock:
            self._released.update(session_id for session_id in failed.released if session_id not in self._held)

    def postpone(self) -> None:
        """What is due can't be written now."""
        with self._lock:
            self._not_before = time.monotonic() + RETRY_SECONDS

    def due_in(self) -> float | None:
        """Seconds until there is `upkeep`, or None as long as there is none."""
        with self._lock:
            if self._released:
                at = self._not_before
            elif self._held:
                at = max(self._last_beat + BEAT_SECONDS, self._not_before)
            else:
                return None
        return max(0.0, at - time.monotonic())

    def end(self) -> None:
        """The store is closed, and holds nothing any more."""
        with self._lock:
            self._held.clear()
            self._released.clear()

    def _forget(self, lease: HeldLease) -> None:
        with self._lock:
            if self._held.get(lease.session_id) is lease:
                del self._held[lease.session_id]

    def _begin(self, session_id: str, on_release: Callable[[], object]) -> HeldLease:
        lease = HeldLease(self, session_id, on_release)
        with self._lock:
            if session_id in self._held:
                raise SessionBusy(busy_text(session_id, HERE))
            if not self._held:
                self._last_beat = time.monotonic()
            self._held[session_id] = lease
            # Its row, if it is still there, is right again.
            self._released.discard(session_id)
            return lease


_all_workers: "weakref.WeakSet[StoreWorker]" = weakref.WeakSet()


def _renew_all() -> None:
    for worker in list(_all_workers):
        worker.renew()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renew_all)
