"""Create placeholders for missing guarded files, so that no command can create them while a sandbox is open.

A mount needs something to stand on, so what does not exist has to be made for as long. An empty folder, because git and
most tools do not see one; where git would stumble over it, a file with a text that changes nothing. Several sandboxes,
of several processes too, share one: each holds a lock on it, and the last one takes it away. A process that was killed
lets go of its lock, so the next one takes it away then.
"""

import contextlib
import errno
import fcntl
import os
import stat
import threading
from pathlib import Path

MODE = 0o500
FILE_MODE = 0o400
# Where git looks for its settings: "here" is where it looks anyway.
FILES = {"commondir": b".\n"}


class Placeholders:
    """Holds names until it is closed."""

    def __init__(self) -> None:
        self._held: list[_Held] = []

    def hold(self, folder: int, name: str) -> int | None:
        """Hold a name in an open folder. Returns what stands there, opened, or None where nothing can be created: a
        command that runs as us may not either. Of a folder that is ours a command could change the mode first."""
        parent = os.dup(folder)
        try:
            lock = _hold(parent, name)
        except OSError as error:
            is_ours = os.fstat(parent).st_uid == os.geteuid()
            os.close(parent)
            if error.errno == errno.EROFS or (error.errno in (errno.EACCES, errno.EPERM) and not is_ours):
                return None
            raise
        self._held.append(_Held(parent, name, lock))
        return lock

    def close(self) -> None:
        held, self._held = self._held, []
        for one in held:
            one.close()


class _Held:
    def __init__(self, folder: int, name: str, lock: int) -> None:
        self._folder, self._name, self._lock = folder, name, lock

    def close(self) -> None:
        with contextlib.suppress(OSError):
            # Granted only to the last one who holds it.
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if _is_same(self._folder, self._name, self._lock):
                _remove(self._folder, self._name)
        os.close(self._lock)
        os.close(self._folder)


def clear_placeholder(path: Path) -> None:
    """Take away what a process that was killed has left behind; what another one still holds stays."""
    try:
        folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:
        return
    if is_placeholder_at(folder, path.name):
        with contextlib.suppress(OSError):
            _Held(os.dup(folder), path.name, _opened(folder, path.name)).close()
    os.close(folder)


def is_placeholder(path: Path) -> bool:
    """True for what stands for nothing: one of ours, from this process or another."""
    try:
        folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        return is_placeholder_at(folder, path.name)
    finally:
        os.close(folder)


def is_placeholder_at(folder: int, name: str) -> bool:
    """The same for a name in an open folder."""
    try:
        mode = os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode
        wanted = (stat.S_IFREG | FILE_MODE) if name in FILES else (stat.S_IFDIR | MODE)
        if mode != wanted:
            return False
        opened = _opened(folder, name)
    except OSError:
        return False
    try:
        if name in FILES:
            return os.read(opened, 100) == FILES[name]
        with os.scandir(opened) as entries:
            return not any(entries)
    finally:
        os.close(opened)


def _hold(folder: int, name: str) -> int:
    while True:
        with contextlib.suppress(FileExistsError):
            _make(folder, name)
        try:
            lock = _opened(folder, name)
        except FileNotFoundError:
            continue
        fcntl.flock(lock, fcntl.LOCK_SH)
        if _is_same(folder, name, lock):
            return lock
        os.close(lock)


def _opened(folder: int, name: str) -> int:
    kind = 0 if name in FILES else os.O_DIRECTORY
    return os.open(name, os.O_RDONLY | kind | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=folder)


def _make(folder: int, name: str) -> None:
    if name not in FILES:
        os.mkdir(name, MODE, dir_fd=folder)
        return
    # A program that sees the file sees its whole text.
    whole = f"{name}.{os.getpid()}.{threading.get_ident()}"
    written = os.open(whole, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, FILE_MODE, dir_fd=folder)
    try:
        os.write(written, FILES[name])
        os.fchmod(written, FILE_MODE)
        os.link(whole, name, src_dir_fd=folder, dst_dir_fd=folder)
    finally:
        os.close(written)
        os.unlink(whole, dir_fd=folder)


def _remove(folder: int, name: str) -> None:
    if name in FILES:
        os.unlink(name, dir_fd=folder)
    else:
        os.rmdir(name, dir_fd=folder)


def _is_same(folder: int, name: str, descriptor: int) -> bool:
    try:
        named = os.stat(name, dir_fd=folder, follow_symlinks=False)
    except OSError:
        return False
    held = os.fstat(descriptor)
    return (named.st_dev, named.st_ino) == (held.st_dev, held.st_ino)
