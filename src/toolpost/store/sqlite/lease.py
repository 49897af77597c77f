"""Leases of sessions in a SQLite file: exclusive among tasks and processes, released when the process dies.

Each session has one byte of a side file. The lock on it belongs to the process, so the system frees it at once however
the process dies. POSIX drops all such locks of a process when it closes *any* descriptor of the file: so there is one
descriptor for each file, and it is never closed.
"""

import hashlib
import os
import threading
from pathlib import Path

from toolpost.store.contract import busy_text
from toolpost.types.errors import SessionBusy, StoreError

try:
    import fcntl
except ImportError:  # Windows: sessions are exclusive inside the process only
    fcntl = None

FileKey = tuple[int, int] | str


class FileLease:
    """The lease of one session of a database file."""

    def __init__(self, key: FileKey, descriptor: int | None, session_id: str) -> None:
        self._key = key
        self._descriptor = descriptor
        self._session_id = session_id

    def release(self) -> None:
        with _guard:
            if _held.get((self._key, self._session_id)) is not self:
                return
            if fcntl is not None and self._descriptor is not None:
                fcntl.lockf(self._descriptor, fcntl.LOCK_UN, 1, lease_offset(self._session_id))
            del _held[self._key, self._session_id]


def acquire_lease(database: Path, session_id: str) -> FileLease:
    """Lease `session_id` of `database`, or raise `SessionBusy`."""
    with _guard:
        key, descriptor = _side_file(database)
        if (key, session_id) in _held:
            raise SessionBusy(busy_text(session_id, "this process"))
        if fcntl is not None and descriptor is not None:
            try:
                fcntl.lockf(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, lease_offset(session_id))
            except (BlockingIOError, PermissionError) as error:
                raise SessionBusy(busy_text(session_id, "another process")) from error
            except OSError as error:
                raise StoreError(f"cannot lock session {session_id} beside {database}: {error.strerror}") from error
        lease = FileLease(key, descriptor, session_id)
        _held[key, session_id] = lease
        return lease


def lease_offset(session_id: str) -> int:
    """The session's byte: 62 bits of a hash, so that two sessions never meet and the offset fits its type."""
    digest = hashlib.blake2b(session_id.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big") >> 2


_guard = threading.Lock()
_descriptors: dict[FileKey, int] = {}
_held: dict[tuple[FileKey, str], FileLease] = {}


def _side_file(database: Path) -> tuple[FileKey, int | None]:
    """Return the side file's descriptor. It is known by its inode, so that every path to it finds the same one."""
    path = Path(f"{os.path.realpath(database)}-leases")
    if fcntl is None:
        return str(path), None
    try:
        known = path.stat()
        key: FileKey = (known.st_dev, known.st_ino)
        if key in _descriptors:
            return key, _descriptors[key]
    except FileNotFoundError:
        pass
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise StoreError(f"cannot open the lock file {path}: {error.strerror}") from error
    opened = os.fstat(descriptor)
    key = (opened.st_dev, opened.st_ino)
    _descriptors[key] = descriptor
    return key, descriptor
