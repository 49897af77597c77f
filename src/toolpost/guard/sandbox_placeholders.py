"""Names in a project that no command may take: an empty folder stands there while a sandbox is open.

A mount needs something to stand on, so what does not exist has to be made for as long. A folder, because git and most
tools do not see an empty one. Several sandboxes, of several processes too, share one: each holds a lock on it, and the
last one takes it away. A process that was killed lets go of its lock, so the next one to close takes it away then.
"""

import contextlib
import fcntl
import os
import stat
from collections.abc import Sequence
from pathlib import Path

MODE = 0o500


class Placeholders:
    """Holds the names in `paths` until it is closed."""

    def __init__(self, paths: Sequence[Path]) -> None:
        self._held: list[tuple[Path, int]] = []
        try:
            for path in paths:
                self._held.append((path, _hold(path)))
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        held, self._held = self._held, []
        for path, lock in held:
            with contextlib.suppress(OSError):
                # Granted only to the last one who holds it.
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                if _is_same(path, lock):
                    path.rmdir()
            os.close(lock)


def is_placeholder(path: Path) -> bool:
    """True for a folder that stands for nothing: one of ours, from this process or another."""
    try:
        mode = path.lstat().st_mode
        return stat.S_ISDIR(mode) and stat.S_IMODE(mode) == MODE and not any(path.iterdir())
    except OSError:
        return False


def _hold(path: Path) -> int:
    while True:
        with contextlib.suppress(FileExistsError):
            path.mkdir(MODE)
            path.chmod(MODE)
        try:
            lock = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
        except FileNotFoundError:
            continue
        fcntl.flock(lock, fcntl.LOCK_SH)
        if _is_same(path, lock):
            return lock
        os.close(lock)


def _is_same(path: Path, descriptor: int) -> bool:
    try:
        named = path.lstat()
    except OSError:
        return False
    held = os.fstat(descriptor)
    return (named.st_dev, named.st_ino) == (held.st_dev, held.st_ino)
