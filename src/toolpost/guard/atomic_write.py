"""Replace the content of a file atomically: a reader sees the old content or the new one, never a mixture."""

import contextlib
import contextvars
import errno
import fcntl
import hashlib
import os
import secrets
import stat
import time
from collections.abc import Generator, Iterable
from pathlib import Path

from msgspec import Struct

READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY
CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
TEMPORARY = ".toolpost-"
FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
KEPT_ATTRIBUTES = ("user.", "system.posix_acl_access", "security.selinux")
# One of ours holds a folder for milliseconds; somebody else may have locked it for reasons of his own.
LOCK_SECONDS = 2.0
LOCK_PAUSE = 0.001


def digest(data: bytes) -> str:
    """The SHA-256 of a content in hex."""
    return hashlib.sha256(data).hexdigest()


def digest_at(folder: int, name: str) -> str:
    """The digest of a file in an open folder, or nothing where there is no file."""
    try:
        file = os.open(name, READ, dir_fd=folder)
    except FileNotFoundError:
        return ""
    with os.fdopen(file, "rb", buffering=0) as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


def read_regular(path: str | Path, most: int, folder: int | None = None) -> bytes:
    """The beginning of a regular file; empty if it is something else. A pipe is not waited for, a link not followed."""
    try:
        file = os.open(path, READ, dir_fd=folder)
    except OSError:
        return b""
    try:
        return os.read(file, most) if stat.S_ISREG(os.fstat(file).st_mode) else b""
    except OSError:
        return b""
    finally:
        os.close(file)


class ReplacedFile(Struct, frozen=True):
    """A file that is to be replaced, by its name in the folder."""

    name: str
    found: os.stat_result


@contextlib.contextmanager
def temporary_file(folder: int, data: Iterable[bytes], old: ReplacedFile | None, mode: int | None) -> Generator[str]:
    """The name of a temporary file in `folder` that holds `data` and is on disk; it is gone afterwards.

    It gets `mode`, or the mode, the owner and the attributes of the file that it is to replace.
    """
    name = f"{TEMPORARY}{secrets.token_hex(8)}"
    # Without the right to run as its owner, which was given to the old content.
    wanted = old.found.st_mode & 0o777 if mode is None and old is not None else mode
    file = os.open(name, CREATE, 0o666 if wanted is None else 0o600, dir_fd=folder)
    try:
        with os.fdopen(file, "wb", buffering=0) as opened:
            for chunk in data:
                _write_all(opened.fileno(), chunk)
            if old is not None:
                _give(opened.fileno(), old.found)
                _copy_attributes(folder, old.name, opened.fileno())
            if wanted is not None:
                os.fchmod(opened.fileno(), wanted)
            if not _together.get():
                os.fsync(opened.fileno())
        yield name
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(name, dir_fd=folder)


@contextlib.contextmanager
def lock_folder(folder: int) -> Generator[None]:
    """Make others who replace a file in `folder` this way wait, in any process, where locks can be had."""
    try:
        readable = os.open(".", FOLDER, dir_fd=folder)
    except OSError:
        readable = None
    try:
        if readable is not None:
            _lock(readable)
        yield
    finally:
        if readable is not None:
            os.close(readable)


def rename_over(folder: int, temporary: str, name: str) -> None:
    """Let `temporary` take the place of `name`."""
    os.rename(temporary, name, src_dir_fd=folder, dst_dir_fd=folder)
    sync(folder)


def rename_new(folder: int, temporary: str, name: str) -> None:
    """Let `temporary` be `name`, which must not exist: the kernel sees to that, not a look beforehand."""
    try:
        os.link(temporary, name, src_dir_fd=folder, dst_dir_fd=folder, follow_symlinks=False)
    except OSError as error:
        if error.errno not in _NO_HARD_LINKS:
            raise
        _must_be_missing(folder, name)
        os.rename(temporary, name, src_dir_fd=folder, dst_dir_fd=folder)
    sync(folder)


@contextlib.contextmanager
def sync_at_end() -> Generator[None]:
    """Bring what is written within to disk once, at the end: thousands of files would take minutes one by one."""
    token = _together.set(True)
    try:
        yield
    finally:
        _together.reset(token)
        os.sync()


def sync(folder: int) -> None:
    """Bring a folder's entries to disk. Some file systems can't, and then it is theirs to say when."""
    if _together.get():
        return
    with contextlib.suppress(OSError):
        readable = os.open(".", FOLDER, dir_fd=folder)
        try:
            os.fsync(readable)
        finally:
            os.close(readable)


def _write_all(file: int, data: bytes) -> None:
    left = memoryview(data)
    while left:
        left = left[os.write(file, left) :]


def _give(file: int, like: os.stat_result) -> None:
    """To the old file's owner, where it is another and we may: root's edit must not lock a user out."""
    own = os.fstat(file)
    if (own.st_uid, own.st_gid) != (like.st_uid, like.st_gid):
        with contextlib.suppress(PermissionError):
            os.fchown(file, like.st_uid, like.st_gid)


def _copy_attributes(folder: int, name: str, file: int) -> None:
    """Access lists, labels and what people note on a file. Where they can't be had, the content still counts."""
    with contextlib.suppress(OSError, AttributeError):
        source = os.open(name, READ, dir_fd=folder)
        try:
            for attribute in os.listxattr(source):
                if attribute.startswith(KEPT_ATTRIBUTES):
                    os.setxattr(file, attribute, os.getxattr(source, attribute))
        finally:
            os.close(source)


def _lock(folder: int) -> None:
    deadline = time.monotonic() + LOCK_SECONDS
    while time.monotonic() < deadline:
        try:
            fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            time.sleep(LOCK_PAUSE)
        except OSError:
            return
        else:
            return


def _must_be_missing(folder: int, name: str) -> None:
    try:
        os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return
    raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), name)


_together: contextvars.ContextVar[bool] = contextvars.ContextVar("synced_together", default=False)
_NO_HARD_LINKS = (errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK)
