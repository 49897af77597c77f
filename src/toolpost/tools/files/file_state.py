"""The state of one path: its stamp, a copy of its content, or why there is none."""

import os
import stat

from toolpost.guard.replace import READ

from .copies import Copy

# Of a file system that counts time in seconds: a file that was changed so shortly before it was read may have been
# changed again since, and look the same.
CLOCK_SECONDS = 2.0

# Mode, size, time of the content, time of any change, inode; of a folder its mode alone.
Stamp = tuple[int, ...]


class FileState:
    """What is at a path. `copy` is that of its content; where there is none, `why` says why."""

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


# A path with what was there before and what is there now.
Difference = tuple[str, FileState | None, FileState | None]


def size_of(size: int) -> str:
    """A number of bytes for people."""
    for unit, least in (("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if size >= least:
            return f"{size / least:.1f} {unit}"
    return f"{size} bytes"


def read_entry(folder: int, name: str, stamp: Stamp) -> tuple[Stamp, bytes]:
    """What a file holds or where a link leads, with the stamp that it had when it was read."""
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


STAMP_LENGTH = 5
SPECIAL_KINDS = {
    stat.S_IFIFO: "a named pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}
