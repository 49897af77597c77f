"""Marks of commands that run, so that one whose process was killed is known to the next."""

import fcntl
import os
import time
import weakref
from collections.abc import Iterator
from pathlib import Path

import msgspec

from .content_store import make_private

_DRAFT = ".draft"


class RunningCommand:
    """A mark that lasts as long as a command runs. Its lock goes with the process, the mark itself does not: one that
    nobody holds is of a process that was killed."""

    def __init__(self, folder: Path, session_id: str, message_id: str) -> None:
        for one in (folder.parent, folder):
            make_private(one)
        self._path = folder / f"{os.getpid()}.{time.monotonic_ns()}"
        # Under another name until it is locked: nobody may take it for one that was left.
        draft = self._path.with_name(f"{self._path.name}{_DRAFT}")
        file = os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC, 0o600)
        self._close = weakref.finalize(self, os.close, file)
        fcntl.flock(file, fcntl.LOCK_EX)
        os.write(file, msgspec.json.encode((session_id, message_id)))
        draft.rename(self._path)

    def end(self) -> None:
        self._path.unlink(missing_ok=True)
        self._close()


def ended_unseen(folder: Path) -> Iterator[tuple[str, str]]:
    """Session and message of each command whose process was killed, once."""
    for path in sorted(folder.glob("*")):
        if path.suffix == _DRAFT:
            continue
        try:
            with path.open("r+b") as file:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                session_id, message_id = msgspec.json.decode(file.read(), type=tuple[str, str])
                # Somebody else may have just told of it.
                is_told = not path.exists()
                path.unlink(missing_ok=True)
        except (OSError, msgspec.MsgspecError):
            continue
        if not is_told:
            yield session_id, message_id
