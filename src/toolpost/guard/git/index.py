"""Read the git index: which files are tracked, and whether they are still as git has stored them.

Git itself is not asked: in somebody else's repository it would run what the settings say.
"""

import hashlib
import os
import stat
import struct
from pathlib import Path

from toolpost.guard.atomic_write import read_regular
from toolpost.guard.open_beneath import open_beneath

MAX_INDEX_BYTES = 200_000_000
MAX_FILE_BYTES = 1_000_000
_HEADER, _ENTRY = struct.Struct(">4sLL"), struct.Struct(">40x20sH")
_EXTENDED, _VERSIONS = 0x4000, (2, 3, 4)


class TrackedFiles:
    """The index of a repository, read again when it has changed."""

    def __init__(self, project: Path) -> None:
        self._project = project
        self._read_at: tuple[int, int, int] | None = None
        self._hashes: dict[bytes, bytes] = {}

    def is_unchanged(self, path: Path) -> bool:
        """True for a file that git has stored as it is: everyone who can read the repository can read it there.

        A program can't make it so for a file that it can't read: the index holds a hash of the content.
        """
        name = os.fsencode(path.relative_to(self._project))
        self._refresh()
        stored = self._hashes.get(name)
        return stored is not None and _hash(self._project, name) == stored

    def _refresh(self) -> None:
        try:
            opened = _open(self._project, b".git/index")
        except OSError:
            self._read_at, self._hashes = None, {}
            return
        with os.fdopen(opened, "rb") as file:
            status = os.fstat(opened)
            seen = (status.st_ino, status.st_mtime_ns, status.st_size)
            if seen != self._read_at:
                self._read_at, self._hashes = seen, _parsed(file.read(MAX_INDEX_BYTES))


def staged_files(index: Path) -> dict[bytes, bytes]:
    """The paths in an index with the hashes of what is staged; empty if it is missing or not understood."""
    return _parsed(read_regular(index, MAX_INDEX_BYTES))


def _parsed(data: bytes) -> dict[bytes, bytes]:
    """Paths with the hashes of their contents; nothing of an index that is not understood."""
    try:
        magic, version, count = _HEADER.unpack_from(data)
        if magic != b"DIRC" or version not in _VERSIONS:
            return {}
        found: dict[bytes, bytes] = {}
        place, name = _HEADER.size, b""
        for _ in range(count):
            digest, flags = _ENTRY.unpack_from(data, place)
            at = place + _ENTRY.size + (2 if flags & _EXTENDED else 0)
            if version == 4:
                dropped, at = _varint(data, at)
                name = name[: len(name) - dropped]
            else:
                name = b""
            end = data.index(b"\0", at)
            name += data[at:end]
            found[name] = digest
            # Older versions fill each entry up to eight bytes, with one at least.
            place = end + 1 if version == 4 else place + (end - place + 8) // 8 * 8
    except (struct.error, ValueError, IndexError):
        return {}
    return found


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = data[at] & 0x7F
    while data[at] & 0x80:
        at += 1
        value = ((value + 1) << 7) | (data[at] & 0x7F)
    return value, at + 1


def _hash(project: Path, name: bytes) -> bytes:
    """The hash under which git stores a file's content; empty unless it is a small regular file."""
    try:
        opened = _open(project, name)
    except OSError:
        return b""
    with os.fdopen(opened, "rb") as file:
        data = file.read(MAX_FILE_BYTES + 1)
    return hashlib.sha1(b"blob %d\0" % len(data) + data).digest() if len(data) <= MAX_FILE_BYTES else b""


def _open(project: Path, name: bytes) -> int:
    """A regular file of the project for reading; no link is followed."""
    top = os.open(project, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        named = open_beneath(top, os.fsdecode(name).split("/"))
    finally:
        os.close(top)
    try:
        if not stat.S_ISREG(os.fstat(named).st_mode):
            raise IsADirectoryError(os.fsdecode(name))
        return os.open(f"/proc/self/fd/{named}", os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    finally:
        os.close(named)
