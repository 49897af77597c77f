"""Watch folders with inotify: which names in them may have changed since the last look, without a scan.

Events wait in the kernel until they are read, so nothing runs between two looks. Where there are too many of them, or
the file system is one that does not tell of all changes, there is no answer, and the caller has to scan.
"""

import os
import struct
import sys
import weakref
from collections.abc import Collection, Iterator
from pathlib import Path

from msgspec import Struct

# On these the kernel sees every change itself; on others a change may come from another machine.
LOCAL = frozenset(("ext2", "ext3", "ext4", "xfs", "btrfs", "tmpfs", "overlay", "f2fs", "zfs", "bcachefs", "ramfs"))
IN_MODIFY, IN_ATTRIB, IN_CLOSE_WRITE = 0x2, 0x4, 0x8
IN_MOVED_FROM, IN_MOVED_TO, IN_CREATE, IN_DELETE = 0x40, 0x80, 0x100, 0x200
IN_UNMOUNT, IN_Q_OVERFLOW, IN_ISDIR, IN_ONLYDIR = 0x2000, 0x4000, 0x4000_0000, 0x0100_0000
# A write through mapped memory is told of only by the close.
WATCHED = IN_MODIFY | IN_ATTRIB | IN_CLOSE_WRITE | IN_MOVED_FROM | IN_MOVED_TO | IN_CREATE | IN_DELETE | IN_ONLYDIR
COMES_OR_GOES = IN_MOVED_FROM | IN_MOVED_TO | IN_CREATE | IN_DELETE
CHUNK = 1 << 20
_EVENT = struct.Struct("iIII")


class FolderEvents(Struct, frozen=True):
    """`names` by the folder that they are in; `folders` came, went or moved, with all that is in them."""

    names: dict[str, set[str]]
    folders: set[str]


class OutOfWatches(Exception):
    """The kernel, or the limit, gives no more watches."""


class FolderWatch:
    """Folders are named by their paths from the project's on; the project's own is ""."""

    def __init__(self, most: int) -> None:
        import ctypes  # only here: a start without commands should not pay for it

        self._libc = ctypes.CDLL(None, use_errno=True)
        self._most = most
        self._file = self._libc.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
        self._paths: dict[int, str] = {}
        self._watches: dict[str, int] = {}
        self._closed: set[int] = set()
        if self._file < 0:
            raise OutOfWatches
        self.close = weakref.finalize(self, os.close, self._file)

    def add(self, path: str, folder: int, *, is_closed: bool = False) -> None:
        """Watch an open folder. Of one that is `is_closed` only that something in it has changed is told."""
        if path not in self._watches and len(self._watches) >= self._most:
            raise OutOfWatches
        # By its descriptor: no other folder can be put in its place.
        watch = self._libc.inotify_add_watch(self._file, f"/proc/self/fd/{folder}".encode(), WATCHED)
        if watch < 0:
            raise OutOfWatches
        self._paths[watch] = path
        self._watches[path] = watch
        if is_closed:
            self._closed.add(watch)

    def drop(self, folders: Collection[str]) -> None:
        """Watch these folders, and those in them, no more."""
        for path in [path for path in self._watches if any(above in folders for above in _ways(path))]:
            watch = self._watches.pop(path)
            # Another path may have got the same folder meanwhile.
            if self._paths.get(watch) == path:
                del self._paths[watch]
                self._closed.discard(watch)
                self._libc.inotify_rm_watch(self._file, watch)

    def read(self) -> FolderEvents | None:
        """Read the changes since the last time; None if some were lost."""
        noticed = FolderEvents({}, set())
        while True:
            try:
                data = os.read(self._file, CHUNK)
            except BlockingIOError:
                return noticed
            for watch, mask, name in _events(data):
                if mask & (IN_Q_OVERFLOW | IN_UNMOUNT):
                    return None
                self._take(noticed, watch, mask, name)

    def _take(self, noticed: FolderEvents, watch: int, mask: int, name: bytes) -> None:
        path = self._paths.get(watch)
        if path is None:
            return
        if watch in self._closed:
            above, _, own = path.rpartition("/")
            noticed.names.setdefault(above, set()).add(own)
        elif name:
            named = os.fsdecode(name)
            noticed.names.setdefault(path, set()).add(named)
            if mask & IN_ISDIR and mask & COMES_OR_GOES:
                noticed.folders.add(f"{path}/{named}" if path else named)


def watch_for(root: Path, most: int) -> FolderWatch | None:
    """A watch for a project; None where it could miss something, or there is none."""
    if sys.platform != "linux" or not _is_local(root):
        return None
    try:
        return FolderWatch(most)
    except (OutOfWatches, OSError, AttributeError):
        return None


def _events(data: bytes) -> Iterator[tuple[int, int, bytes]]:
    place = 0
    while place < len(data):
        watch, mask, _, length = _EVENT.unpack_from(data, place)
        place += _EVENT.size
        yield watch, mask, data[place : place + length].rstrip(b"\0")
        place += length


def _ways(path: str) -> Iterator[str]:
    """A path, and those of the folders that it is in."""
    while path:
        yield path
        path = path.rpartition("/")[0]


def _is_local(root: Path) -> bool:
    """Whether the project, and every file system that is mounted in it, is one of this machine's own."""
    kind = ""
    longest = -1
    try:
        lines = Path("/proc/self/mountinfo").read_text(errors="surrogateescape").splitlines()
    except OSError:
        return False
    for line in lines:
        fields, _, rest = line.partition(" - ")
        place, found = _unescaped(fields.split(" ")[4]), rest.split(" ")[0]
        if Path(place).is_relative_to(root) and found not in LOCAL:
            return False
        # The last one of several on the same place is on top.
        if root.is_relative_to(place) and len(place) >= longest:
            longest, kind = len(place), found
    return kind in LOCAL


def _unescaped(text: str) -> str:
    for code, char in (("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")):
        text = text.replace(code, char)
    return text
