"""Resolve paths for the file tools, and read and write files by descriptor.

A path is settled once, with its links resolved, and judged by where it leads. It is then opened from the project's
folder (or from `/`, for what is outside) without following a single link. So a link that is swapped between the
judgement and the access ends in an error, never somewhere else.
"""

import contextlib
import errno
import os
import re
import stat
import sys
import threading
from collections.abc import Generator, Iterable
from pathlib import Path
from typing import BinaryIO, Literal

from msgspec import Struct

from toolpost.types.errors import PermissionDenied, ToolError

from .atomic_write import (
    READ,
    ReplacedFile,
    digest,
    digest_at,
    lock_folder,
    rename_new,
    rename_over,
    sync,
    temporary_file,
)
from .open_beneath import make_folder, open_folder
from .sandbox.placeholders import is_placeholder
from .secret_names import is_guarded, is_of_process, is_secret

__all__ = ["Changed", "FileAccess", "FolderEntry", "Missing", "NotAFile", "ResolvedPath", "TooLarge", "digest"]

MAX_PATH_BYTES = 4_000

EntryKind = Literal["file", "folder", "link", "other"]


class ResolvedPath(Struct, frozen=True):
    """A path, resolved. `path` and `shown` are how it was named, `real` and `target` where its links lead.

    `shown` and `target` are relative to the project where they are in it, else absolute; rules are asked with them, and
    they differ only where a link is on the way. `inside` is said of `real`; `secret` and `guarded` of both.
    """

    path: Path
    shown: str
    real: Path
    target: str
    inside: bool
    secret: bool
    guarded: bool

    @property
    def leads_out(self) -> bool:
        """A name in the project whose links lead out of it."""
        return not self.inside and not Path(self.shown).is_absolute()


class FolderEntry(Struct, frozen=True):
    """One name in a folder. A link is a link, whatever it leads to."""

    name: str
    kind: EntryKind


class Missing(ToolError):
    """There is no such file."""


class NotAFile(ToolError):
    """There is something, but no regular file: a folder, a pipe, a device."""


class TooLarge(ToolError):
    """The file is larger than the reader's limit."""


class Changed(ToolError):
    """The file is not what the writer expected to replace."""


class FileAccess:
    """File access for the tools of one project. What it raises is for the model to read."""

    def __init__(self, root: Path) -> None:
        self.root = Path(os.path.realpath(root))
        self._spelled = Path(os.path.normpath(Path.cwd() / root))
        # Between the look at a file and its replacement no other write may come; threads need not race for the lock.
        self._replacing = threading.Lock()

    def resolve(self, path: str) -> ResolvedPath:
        """Resolve a path: `~` is the home folder, relative is to the project, `..` undoes the name before it."""
        named = _lexical(path, self.root)
        return self._placed(named, _resolved(named))

    def entry(self, path: str) -> ResolvedPath:
        """The place of a name itself: links on the way to it are resolved, and one that it is stays one."""
        named = _lexical(path, self.root)
        return self._placed(named, _resolved(named.parent) / named.name if named.name else named)

    def open(self, place: ResolvedPath) -> BinaryIO:
        """A regular file for reading. Nothing that could hang or act by being opened is opened."""
        with self._at(place) as (folder, name):
            _require_file(os.stat(name, dir_fd=folder, follow_symlinks=False), place)
            file = os.open(name, READ, dir_fd=folder)
        try:
            _require_file(os.fstat(file), place)
        except BaseException:
            os.close(file)
            raise
        return os.fdopen(file, "rb")

    def read(self, place: ResolvedPath, limit: int) -> bytes:
        """The whole content, if it is not over `limit` bytes."""
        with self.open(place) as opened, _explained(place):
            size = os.fstat(opened.fileno()).st_size
            # One that says it is empty may still have content: /proc is full of them.
            data = opened.read(limit + 1) if size <= limit else b""
        if size > limit or len(data) > limit:
            raise TooLarge(f"{place.shown} is too large: {max(size, len(data)):,} bytes, and {limit:,} is the limit.")
        return data

    def write(
        self, place: ResolvedPath, data: bytes | Iterable[bytes], *, expect: str | None, mode: int | None = None
    ) -> None:
        """Make `data` the content, all at once; folders on the way are made, mode and owner kept.

        `expect` is the digest of what is there now, "" where nothing may be, None for whatever it is. `mode` is for a
        file that is new.
        """
        _require_writable(place)
        with self._at(place, make=True) as (folder, name):
            found = _stat(name, folder)
            if found is not None:
                _require_file(found, place)
                if not found.st_mode & 0o222:
                    raise ToolError(f"{place.shown} is read-only (mode {found.st_mode & 0o777:o}); ask the user first.")
            pieces = (data,) if isinstance(data, bytes) else data
            old = ReplacedFile(name, found) if found else None
            with (
                temporary_file(folder, pieces, old, None if old else mode) as temporary,
                self._replacing,
                lock_folder(folder),
            ):
                _require_expected(folder, name, place, expect)
                if expect == "":
                    rename_new(folder, temporary, name)
                else:
                    rename_over(folder, temporary, name)

    def remove(self, place: ResolvedPath, *, expect: str | None = None) -> None:
        """Delete a file; `expect` as for `write`."""
        _require_writable(place)
        with self._at(place) as (folder, name), self._replacing, lock_folder(folder):
            _require_file(os.stat(name, dir_fd=folder, follow_symlinks=False), place)
            _require_expected(folder, name, place, expect)
            os.unlink(name, dir_fd=folder)
            sync(folder)

    def make_folder(self, place: ResolvedPath) -> None:
        """Make a folder, and those on the way to it; one that is there may stay."""
        with _explained(place):
            base = self.root if place.inside else Path("/")
            os.close(make_folder(str(base), place.real.relative_to(base).parts))

    def remove_folder(self, place: ResolvedPath) -> None:
        """Delete an empty folder."""
        with self._at(place) as (folder, name):
            os.rmdir(name, dir_fd=folder)

    def read_link(self, place: ResolvedPath) -> bytes:
        """The target of a symbolic link, given by its `entry`."""
        with self._at(place) as (folder, name):
            return os.fsencode(os.readlink(name, dir_fd=folder))

    def make_link(self, place: ResolvedPath, target: bytes) -> None:
        """Make a link where nothing is."""
        _require_writable(place)
        with self._at(place, make=True) as (folder, name):
            os.symlink(target, os.fsencode(name), dir_fd=folder)
            sync(folder)

    def remove_link(self, place: ResolvedPath, *, expect: bytes) -> None:
        """Delete a link that leads to `expect`."""
        with self._at(place) as (folder, name), self._replacing, lock_folder(folder):
            if os.fsencode(os.readlink(name, dir_fd=folder)) != expect:
                raise Changed(f"{place.shown} was changed by another program just now; nothing was written.")
            os.unlink(name, dir_fd=folder)
            sync(folder)

    def set_mode(self, place: ResolvedPath, mode: int) -> None:
        """Set the permissions of a file or a folder, never through a link."""
        with self._at(place) as (folder, name):
            if sys.platform == "linux":
                opened = os.open(name, os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=folder)
                path = f"/proc/self/fd/{opened}"
            else:
                opened = os.open(name, READ, dir_fd=folder)
                path = opened
            try:
                if not stat.S_ISLNK(os.fstat(opened).st_mode):
                    os.chmod(path, mode)  # noqa: PTH101 - by descriptor
            finally:
                os.close(opened)

    def stat(self, place: ResolvedPath) -> os.stat_result | None:
        """The status of a path, or None if nothing is there."""
        try:
            with self._at(place) as (folder, name):
                return os.stat(name, dir_fd=folder, follow_symlinks=False)
        except Missing:
            return None

    def is_folder(self, place: ResolvedPath) -> bool:
        """True for a folder; False for anything else, and for what is missing or can't be looked at."""
        try:
            found = self.stat(place)
        except ToolError:
            return False
        return found is not None and stat.S_ISDIR(found.st_mode)

    def scan(self, place: ResolvedPath) -> list[FolderEntry]:
        """The entries of a folder by name, without what stands for nothing while a command runs."""
        with self._at(place) as (folder, name):
            opened = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=folder)
            try:
                with os.scandir(opened) as entries:
                    found = [FolderEntry(entry.name, _kind(entry)) for entry in entries]
            finally:
                os.close(opened)
        shown = (entry for entry in found if entry.name[:1] != "." or not is_placeholder(place.real / entry.name))
        return sorted(shown, key=lambda entry: entry.name)

    @contextlib.contextmanager
    def _at(self, place: ResolvedPath, *, make: bool = False) -> Generator[tuple[int, str]]:
        """The open folder that holds a place, and its name in it. What fails within is explained."""
        base = self.root if place.inside else Path("/")
        *parts, name = place.real.relative_to(base).parts or (".",)
        with _explained(place):
            folder = make_folder(str(base), parts) if make else open_folder(str(base), parts)
            try:
                yield folder, name
            finally:
                os.close(folder)

    def _placed(self, named: Path, real: Path) -> ResolvedPath:
        return ResolvedPath(
            path=named,
            shown=self._show(named),
            real=real,
            target=self._show(real),
            inside=real.is_relative_to(self.root),
            secret=is_secret(self._inner(named)) or is_secret(self._inner(real)) or is_of_process(real),
            guarded=is_guarded(self._inner(named)) or is_guarded(self._inner(real)),
        )

    def _show(self, path: Path) -> str:
        return str(self._inner(path))

    def _inner(self, path: Path) -> Path:
        """Relative to the project where it is in it, by either of the project's names."""
        for top in (self.root, self._spelled):
            if path.is_relative_to(top):
                return path.relative_to(top)
        return path


def _lexical(path: str, root: Path) -> Path:
    if not path:
        raise ToolError("No path was given.", kind="invalid")
    if found := _UNSHOWABLE.search(path):
        raise ToolError(
            f"{path[:200]!a} is not a path: it holds the character U+{ord(found.group()):04X} in it.", kind="invalid"
        )
    try:
        size = len(os.fsencode(path))
    except UnicodeEncodeError:
        raise ToolError(f"{path[:200]!a} is not a path: it holds half a character.", kind="invalid") from None
    if size > MAX_PATH_BYTES:
        raise ToolError(f"A path of {size:,} bytes is too long: {path[:60]}…", kind="invalid")
    # Two slashes at the beginning mean one, but normpath keeps them.
    joined = os.path.normpath(root / os.path.expanduser(path))  # noqa: PTH111 - Path's raises for the ~ of nobody
    return Path("/" + joined.lstrip("/"))


def _resolved(path: Path) -> Path:
    try:
        return Path(os.path.realpath(path))
    except OSError as error:
        # It was no longer a link when it was read: another program is changing it.
        raise ToolError(f"{path} can't be used: a link on the way to it was changed just now.") from error


# Control characters, and those that turn text around: a person who is asked must see the path as it is.
_UNSHOWABLE = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")


def _stat(name: str, folder: int) -> os.stat_result | None:
    try:
        return os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return None


def _require_writable(place: ResolvedPath) -> None:
    if place.secret:
        raise PermissionDenied(f"{place.shown} holds secrets, which no tool writes. Ask the user to change it.")


def _require_file(found: os.stat_result, place: ResolvedPath) -> None:
    kind = stat.S_IFMT(found.st_mode)
    if kind == stat.S_IFLNK:
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
    if kind != stat.S_IFREG:
        raise NotAFile(f"{place.shown} is {_KINDS.get(kind, 'something else')}, not a file.")


def _require_expected(folder: int, name: str, place: ResolvedPath, expect: str | None) -> None:
    if expect is not None and digest_at(folder, name) != expect:
        said = f"{place.shown} was changed by another program just now" if expect else f"{place.shown} exists already"
        raise Changed(f"{said}; nothing was written. Read it and try again.")


def _kind(entry: "os.DirEntry[str]") -> EntryKind:
    if entry.is_symlink():
        return "link"
    if entry.is_dir(follow_symlinks=False):
        return "folder"
    return "file" if entry.is_file(follow_symlinks=False) else "other"


@contextlib.contextmanager
def _explained(place: ResolvedPath) -> Generator[None]:
    try:
        yield
    except FileNotFoundError as error:
        raise Missing(f"{place.shown} does not exist.") from error
    except FileExistsError as error:
        raise Changed(f"{place.shown} exists already; nothing was written. Read it and try again.") from error
    except OSError as error:
        reason = _REASONS.get(error.errno or 0, error.strerror or str(error))
        raise ToolError(f"{place.shown} can't be used: {reason}.") from error


_KINDS = {
    stat.S_IFDIR: "a folder",
    stat.S_IFIFO: "a named pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}
_REASONS = {
    errno.EACCES: "the system gives no permission",
    errno.EPERM: "the system gives no permission",
    errno.ELOOP: "its links lead in a circle, or one was put there just now",
    errno.EXDEV: "it leads out of the project",
    errno.ENOTDIR: "something on the way to it is not a folder, or became a link just now",
    errno.ENOTEMPTY: "the folder is not empty",
    errno.ENAMETOOLONG: "a name in it is too long",
    errno.ENOSPC: "the disk is full",
    errno.EDQUOT: "the disk quota is used up",
    errno.EROFS: "the file system is read-only",
    errno.ENXIO: "it is not a file",
}
