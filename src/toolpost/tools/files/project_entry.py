"""The state of one path of a project: its stamp, which changes with it, and its content, read by descriptor."""

import contextlib
import os
import stat

from toolpost.guard.atomic_write import READ

from .content_store import Copy

# Of a file system that counts time in seconds: a file that was changed so shortly before it was read may have been
# changed again since, and look the same.
CLOCK_SECONDS = 2.0
WALKED = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC

# Mode, size, time of the content, time of any change, inode; of a folder its mode alone.
Stamp = tuple[int, ...]


class FileState:
    """The state of a path. `copy` is that of its content; where there is none, `why` says why."""

    __slots__ = ("copy", "seen_at", "stamp", "why")

    def __init__(self, stamp: Stamp, copy: Copy | None = None, why: str = "", seen_at: float = 0.0) -> None:
        self.stamp = stamp
        self.copy = copy
        self.why = why
        self.seen_at = seen_at

    @property
    def is_folder(self) -> bool:
        return stat.S_ISDIR(self.stamp[0])

    @property
    def is_link(self) -> bool:
        return stat.S_ISLNK(self.stamp[0])

    @property
    def mode(self) -> int:
        return stat.S_IMODE(self.stamp[0])

    def differs(self, other: "FileState") -> bool:
        if self.copy is not None and other.copy is not None:
            # Equal contents of a path share their copy.
            return self.copy != other.copy or self.stamp[0] != other.stamp[0]
        return self.stamp != other.stamp


def statuses_in(folder: int) -> dict[str, os.stat_result]:
    found: dict[str, os.stat_result] = {}
    with os.scandir(folder) as entries:
        for entry in entries:
            # What is gone meanwhile was never there.
            with contextlib.suppress(FileNotFoundError):
                found[entry.name] = entry.stat(follow_symlinks=False)
    return found


def read_entry(folder: int, name: str, stamp: Stamp) -> tuple[Stamp, bytes]:
    """Read a file, or the target of a link, with the stamp that it had when it was read."""
    if stat.S_ISLNK(stamp[0]):
        return stamp, os.fsencode(os.readlink(name, dir_fd=folder))
    file = os.open(name, READ, dir_fd=folder)
    try:
        found = os.fstat(file)
        if not stat.S_ISREG(found.st_mode):
            raise OSError("it was replaced just then")
        data = os.read(file, found.st_size + 1)
        while more := os.read(file, 1 << 20) if len(data) > found.st_size else b"":
            data += more
            if len(data) > 2 * found.st_size + (1 << 20):
                raise OSError("it grows too fast")
        return stamp_of(found), data
    finally:
        os.close(file)


def stamp_of(status: os.stat_result) -> Stamp:
    return (status.st_mode, status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)


def closed_folder(status: os.stat_result, why: str) -> FileState:
    return FileState((status.st_mode, status.st_mtime_ns, status.st_ino), why=why)


def may_have_changed(known: FileState) -> bool:
    return known.copy is not None and known.stamp[3] / 1e9 > known.seen_at - CLOCK_SECONDS


def count_below(parent: int, name: str, most: int) -> int:
    """The files below a folder, up to one more than `most`."""
    try:
        folder = os.open(name, WALKED, dir_fd=parent)
    except OSError:
        return 0
    count, folders = 0, list[str]()
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                count += 1
                if entry.is_dir(follow_symlinks=False):
                    folders.append(entry.name)
                if count > most:
                    return count
        for below in folders:
            count += count_below(folder, below, most - count)
            if count > most:
                break
        return count
    finally:
        os.close(folder)


STAMP_LENGTH = 5
SPECIAL = {
    stat.S_IFIFO: "a named pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}
