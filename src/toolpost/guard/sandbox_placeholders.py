"""Names in a project that no command may take: something harmless stands there while a sandbox is open.

A mount needs something to stand on, so what does not exist has to be made for as long. An empty folder, because git and
most tools do not see one; where git would stumble over it, a file with a text that changes nothing. Several sandboxes,
of several processes too, share one: each holds a lock on it, and the last one takes it away. A process that was killed
lets go of its lock, so the next one to close takes it away then.
"""

import contextlib
import errno
import fcntl
import os
import stat
import threading
from collections.abc import Sequence
from pathlib import Path

MODE = 0o500
FILE_MODE = 0o400
# Where git looks for its settings: "here" is where it looks anyway.
FILES = {"commondir": b".\n"}


class Placeholders:
    """Holds names until it is closed: those of `paths` that could be made at all."""

    def __init__(self, paths: Sequence[Path]) -> None:
        self._held: list[tuple[Path, int]] = []
        try:
            for path in paths:
                # What we may not make here, a command that runs as us may not make either.
                try:
                    self._held.append((path, _hold(path)))
                except OSError as error:
                    if error.errno not in (errno.EACCES, errno.EPERM, errno.EROFS):
                        raise
        except BaseException:
            self.close()
            raise

    @property
    def paths(self) -> list[Path]:
        return [path for path, _ in self._held]

    def close(self) -> None:
        held, self._held = self._held, []
        for path, lock in held:
            with contextlib.suppress(OSError):
                # Granted only to the last one who holds it.
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                if _is_same(path, lock):
                    _remove(path)
            os.close(lock)


def is_placeholder(path: Path) -> bool:
    """True for what stands for nothing: one of ours, from this process or another."""
    try:
        mode = path.lstat().st_mode
        if path.name in FILES:
            is_ours = stat.S_ISREG(mode) and stat.S_IMODE(mode) == FILE_MODE
            return is_ours and path.read_bytes() == FILES[path.name]
        return stat.S_ISDIR(mode) and stat.S_IMODE(mode) == MODE and not any(path.iterdir())
    except OSError:
        return False


def _hold(path: Path) -> int:
    kind = 0 if path.name in FILES else os.O_DIRECTORY
    while True:
        with contextlib.suppress(FileExistsError):
            _make(path)
        try:
            lock = os.open(path, os.O_RDONLY | kind | os.O_NOFOLLOW | os.O_CLOEXEC)
        except FileNotFoundError:
            continue
        fcntl.flock(lock, fcntl.LOCK_SH)
        if _is_same(path, lock):
            return lock
        os.close(lock)


def _make(path: Path) -> None:
    if path.name not in FILES:
        path.mkdir(MODE)
        path.chmod(MODE)
        return
    # Whoever sees it sees its text.
    whole = path.with_name(f"{path.name}.{os.getpid()}.{threading.get_ident()}")
    try:
        whole.write_bytes(FILES[path.name])
        whole.chmod(FILE_MODE)
        path.hardlink_to(whole)
    finally:
        whole.unlink(missing_ok=True)


def _remove(path: Path) -> None:
    if path.name in FILES:
        path.unlink()
    else:
        path.rmdir()


def _is_same(path: Path, descriptor: int) -> bool:
    try:
        named = path.lstat()
    except OSError:
        return False
    held = os.fstat(descriptor)
    return (named.st_dev, named.st_ino) == (held.st_dev, held.st_ino)
