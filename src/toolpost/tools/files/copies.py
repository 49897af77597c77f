"""Copies of a project's files in one file without a name: it is gone with the process, and nobody else can open it."""

import os
import tempfile
import weakref
from pathlib import Path

from .content_store import make_private

# Room that is lost to old copies before they are moved to a new file.
MOST_LOST = 64_000_000

# Where a copy begins, and how long it is.
Copy = tuple[int, int]


class CopyFile:
    """`used` is what those copies take that are still wanted."""

    def __init__(self, folder: Path) -> None:
        make_private(folder)
        self._folder = folder
        self._file = _unnamed(folder)
        self.close = weakref.finalize(self, os.close, self._file)
        self._end = 0
        self.used = 0

    @property
    def is_wasteful(self) -> bool:
        return self._end - self.used > max(MOST_LOST, self.used)

    def room(self) -> int:
        """The bytes that are free on the disk."""
        found = os.fstatvfs(self._file)
        return found.f_bavail * found.f_frsize

    def add(self, data: bytes) -> Copy:
        """Raises `OSError` where there is no room."""
        left, place = memoryview(data), self._end
        while left:
            written = os.pwrite(self._file, left, place)
            left, place = left[written:], place + written
        copy = (self._end, len(data))
        self._end += len(data)
        self.used += len(data)
        return copy

    def read(self, copy: Copy) -> bytes:
        data = os.pread(self._file, copy[1], copy[0])
        if len(data) != copy[1]:
            raise OSError("a copy was cut short")
        return data

    def drop(self, copy: Copy) -> None:
        """It is wanted no more. It can still be read."""
        self.used -= copy[1]

    def successor(self) -> "CopyFile":
        """An empty file of the same kind, to move to it what is wanted."""
        return CopyFile(self._folder)


def _unnamed(folder: Path) -> int:
    file, name = tempfile.mkstemp(dir=folder)
    Path(name).unlink()
    return file
