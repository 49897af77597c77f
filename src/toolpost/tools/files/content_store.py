"""Store contents of files: by their digest for undo, and as copies in an unnamed temporary file."""

import hashlib
import os
import tempfile
import time
import weakref
from pathlib import Path
from typing import BinaryIO

from toolpost.guard.paths import digest

# Room that is lost to old copies before they are moved to a new file.
MAX_LOST = 64_000_000
# Where a copy begins, and how long it is.
Copy = tuple[int, int]


class ContentFolder:
    """Contents by their digest, each once, for their owner alone."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._size: int | None = None

    def keep(self, data: bytes | None, *, is_synced: bool = True) -> str:
        """The key of a content, which is kept from now on; "" for None."""
        if data is None:
            return ""
        key = digest(data)
        place = self._place_of(key)
        if self._is_kept(place, key):
            os.utime(place)
            return key
        for folder in (self._folder.parent, self._folder, place.parent):
            make_private(folder)
        draft = place.with_name(f"{place.name}.{os.getpid()}.{time.monotonic_ns()}")
        with open_private(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY) as file:
            file.write(data)
            file.flush()
            if is_synced:
                os.fsync(file.fileno())
        draft.replace(place)
        if self._size is not None:
            self._size += len(data)
        return key

    def read(self, key: str) -> bytes | None:
        try:
            return self._place_of(key).read_bytes()
        except FileNotFoundError:
            return None

    def prune(self, most_bytes: int) -> None:
        """Delete the oldest contents until a fifth of the room is free, where there is more than that many bytes."""
        if self._size is not None and self._size <= most_bytes:
            return
        found = [(path, path.stat()) for path in self._folder.glob("*/*")]
        self._size = sum(status.st_size for _, status in found)
        if self._size <= most_bytes:
            return
        for path, status in sorted(found, key=lambda one: one[1].st_mtime_ns):
            if self._size <= most_bytes * 4 // 5:
                break
            path.unlink(missing_ok=True)
            self._size -= status.st_size

    def _is_kept(self, place: Path, key: str) -> bool:
        """Whole, that is: a power cut may leave less of it, and then it is kept anew."""
        try:
            with place.open("rb") as file:
                return hashlib.file_digest(file, "sha256").hexdigest() == key
        except FileNotFoundError:
            return False

    def _place_of(self, key: str) -> Path:
        return self._folder / key[:2] / key


def make_private(folder: Path) -> None:
    """Make a folder that no other user can look into."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)


def open_private(path: Path, flags: int) -> BinaryIO:
    """Open a file that only its owner can read: it may hold anything that a project does."""
    return os.fdopen(os.open(path, flags | os.O_CLOEXEC, 0o600), "ab" if flags & os.O_APPEND else "wb")


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
        return self._end - self.used > max(MAX_LOST, self.used)

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
