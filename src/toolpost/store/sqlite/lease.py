"""Leases of sessions in a SQLite file: a row names the worker of a session, a lock shows that the worker is alive.

Each worker locks one byte of a side file. The lock belongs to its process, so the system frees it at once however the
process dies. POSIX drops all such locks of a process when it closes *any* descriptor of the file: so there is one
descriptor for each file, and it is never closed. And it hides them from the process itself: the workers of this one
are known by a table.
"""

import contextlib
import os
import threading
import time
from pathlib import Path
from sqlite3 import Connection

from toolpost.store.run_records import Holder
from toolpost.store.worker import ELSEWHERE, HERE, HeldLease, StoreWorker, Upkeep
from toolpost.types.errors import StoreError

from .queries import leased_by

try:
    import fcntl
except ImportError:  # Windows: a worker of another process is alive for as long as it beats
    fcntl = None

FileKey = tuple[int, int] | str

# A process may ask right after it was told that another one has finished.
PAUSES_S = (0.01, 0.02, 0.04, 0.08)
# Where no lock tells, a worker that has not shown itself for so long is dead.
SILENT_MS = 10_000


class WorkersOfFile:
    """The workers of one database: which of them are alive, and which of those are in this process."""

    def __init__(self, database: Path) -> None:
        self._database = database
        self._found: tuple[FileKey, int | None] | None = None

    def join(self, worker: StoreWorker) -> None:
        """Let others see that it is alive, until it leaves or the process dies."""
        with _guard:
            key, descriptor = self._side_file(os.O_CREAT)
            if (key, worker.number) in _here:
                return
            if fcntl is not None and descriptor is not None:
                try:
                    fcntl.lockf(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, worker.number)
                except OSError as error:
                    raise StoreError(f"cannot lock a session beside {self._database}: {error.strerror}") from error
            _here[key, worker.number] = worker

    def leave(self, worker: StoreWorker) -> None:
        with _guard:
            if self._found is None or _here.pop((self._found[0], worker.number), None) is None:
                return
            if fcntl is not None and self._found[1] is not None:
                fcntl.lockf(self._found[1], fcntl.LOCK_UN, 1, worker.number)

    def of_this_process(self, number: int) -> StoreWorker | None:
        with _guard:
            return None if self._found is None else _here.get((self._found[0], number))

    def holder(self, session_id: str, number: int, beat: int) -> Holder | None:
        """The worker that a session's row names; None if it has released the session, which may not be written yet."""
        is_alive = self.is_alive(number, beat)
        worker = self.of_this_process(number)
        if worker is not None and not worker.holds(session_id):
            return None
        return Holder(number, beat, is_alive)

    def is_alive(self, number: int, beat: int) -> bool:
        with _guard:
            try:
                key, descriptor = self._side_file()
            except FileNotFoundError:
                return False
            if (key, number) in _here:
                return True
            if fcntl is None or descriptor is None:
                return 0 <= milliseconds() - beat < SILENT_MS
            return _is_locked(descriptor, number)

    def _side_file(self, create: int = 0) -> tuple[FileKey, int | None]:
        """Its key and descriptor. It is known by its inode, so that every path to it finds the same one."""
        if self._found is None:
            path = Path(f"{os.path.realpath(self._database)}-leases")
            self._found = (str(path), None) if fcntl is None else _opened(path, create)
        return self._found


def milliseconds() -> int:
    """Of a clock that all processes share and nobody sets."""
    return int(time.monotonic() * 1000)


def take(
    connection: Connection, workers: WorkersOfFile, worker: StoreWorker, lease: HeldLease, instead_of: Holder | None
) -> str:
    """Make the session this worker's; if another one has it, return where that is."""
    if not worker.is_held(lease):
        return HERE
    found = leased_by(connection, lease.session_id, workers.holder)
    if found is not None and found.is_alive and found.worker != worker.number:
        is_frozen = instead_of is not None and (found.worker, found.beat) == (instead_of.worker, instead_of.beat)
        if not is_frozen:
            return ELSEWHERE if workers.of_this_process(found.worker) is None else HERE
    workers.join(worker)
    if not worker.is_known:
        _forget_dead(connection, workers)
        worker.is_known = True
    connection.execute("INSERT OR IGNORE INTO worker (id, beat) VALUES (?, ?)", (worker.number, milliseconds()))
    connection.execute(
        "INSERT OR REPLACE INTO lease (session, worker) VALUES (?, ?)", (lease.session_id, worker.number)
    )
    connection.execute(
        "UPDATE session SET worker = ? WHERE id = ? AND worker IS NOT ?",
        (worker.number, lease.session_id, worker.number),
    )
    return ""


def write_upkeep(connection: Connection, number: int, upkeep: Upkeep) -> list[str]:
    """Give up what was released. With a beat, return the sessions whose rows name the worker."""
    connection.executemany(
        "DELETE FROM lease WHERE session = ? AND worker = ?", [(session, number) for session in upkeep.released]
    )
    if not upkeep.beats:
        return []
    connection.execute(
        "INSERT INTO worker (id, beat) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET beat = excluded.beat",
        (number, milliseconds()),
    )
    rows = connection.execute("SELECT session FROM lease WHERE worker = ?", (number,))
    return [session.decode() for (session,) in rows]


def forget(connection: Connection, number: int) -> None:
    """The worker ends: it holds nothing any more."""
    connection.execute("DELETE FROM lease WHERE worker = ?", (number,))
    connection.execute("DELETE FROM worker WHERE id = ?", (number,))


def _forget_dead(connection: Connection, workers: WorkersOfFile) -> None:
    """Delete the workers that have died, but those that a session still names."""
    rows = connection.execute("SELECT id, beat FROM worker WHERE id NOT IN (SELECT worker FROM lease)").fetchall()
    for number, beat in rows:
        if not workers.is_alive(number, beat):
            connection.execute("DELETE FROM worker WHERE id = ?", (number,))


def _opened(path: Path, create: int) -> tuple[FileKey, int]:
    # Looked at first: to close a second descriptor of the file would drop its locks.
    with contextlib.suppress(FileNotFoundError):
        known = path.stat()
        if (key := (known.st_dev, known.st_ino)) in _descriptors:
            return key, _descriptors[key]
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CLOEXEC | create, 0o600)
    except FileNotFoundError:
        raise
    except OSError as error:
        raise StoreError(f"cannot open the lock file {path}: {error.strerror}") from error
    opened = os.fstat(descriptor)
    key = (opened.st_dev, opened.st_ino)
    _descriptors[key] = descriptor
    return key, descriptor


def _is_locked(descriptor: int, number: int) -> bool:
    """By another process. Shared, so that two who ask at once do not take each other for the one who holds it."""
    assert fcntl is not None
    try:
        fcntl.lockf(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB, 1, number)
    except (BlockingIOError, PermissionError):
        return True
    fcntl.lockf(descriptor, fcntl.LOCK_UN, 1, number)
    return False


_guard = threading.Lock()
_descriptors: dict[FileKey, int] = {}
_here: dict[tuple[FileKey, int], StoreWorker] = {}


def _forget_parent() -> None:
    """In a process that was forked: what its parent holds is not held here."""
    global _guard
    _guard = threading.Lock()
    _here.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_parent)
