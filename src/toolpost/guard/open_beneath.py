"""Open files and folders beneath a base folder by descriptor, without following symbolic links on the way."""

import contextlib
import errno
import os
import sys
from collections.abc import Callable, Sequence
from functools import cache

# The kernel gave openat2 one number everywhere; these are the machines on which it was tried.
OPENAT2 = {"x86_64": 437, "aarch64": 437}
RESOLVE_NO_MAGICLINKS = 0x02
RESOLVE_NO_SYMLINKS = 0x04
RESOLVE_BENEATH = 0x08
RESOLVE = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS
# A rename elsewhere in the tree can make the kernel ask for another try.
TRIES = 100

FOLDER = getattr(os, "O_PATH", os.O_RDONLY) | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC

ANYTHING = FOLDER & ~os.O_DIRECTORY

Opener = Callable[[int, bytes, int], int]


def open_folder(base: str, parts: Sequence[str]) -> int:
    """The descriptor of the folder that `parts` lead to from `base`; a link among them is an `OSError`."""
    top = os.open(base, FOLDER)
    opener = openat2()
    if not parts:
        return top
    try:
        return opener(top, os.fsencode("/".join(parts)), FOLDER) if opener else walk(top, parts)
    finally:
        os.close(top)


def open_beneath(top: int, parts: Sequence[str]) -> int:
    """The descriptor of whatever `parts` lead to from the open folder `top`, a final link as itself; a link on the way
    is an `OSError`. It can be looked at and mounted, not read."""
    flags = ANYTHING if parts else FOLDER
    path = "/".join(parts) or "."
    if opener := openat2():
        return opener(top, os.fsencode(path), flags)
    folder = walk(top, parts[:-1])
    try:
        return os.open(parts[-1] if parts else ".", flags, dir_fd=folder)
    finally:
        os.close(folder)


def make_folder(base: str, parts: Sequence[str]) -> int:
    """Like `open_folder`, and what is missing on the way is made."""
    try:
        return open_folder(base, parts)
    except FileNotFoundError:
        pass
    current = os.open(base, FOLDER)
    for part in parts:
        try:
            below = _entered(current, part)
        finally:
            os.close(current)
        current = below
    return current


def walk(top: int, parts: Sequence[str]) -> int:
    """Do what openat2 does, one folder at a time, for kernels without it."""
    current = os.dup(top)
    for part in parts:
        try:
            below = os.open(part, FOLDER, dir_fd=current)
        finally:
            os.close(current)
        current = below
    return current


@cache
def openat2() -> Opener | None:
    """The kernel's own way to stay beneath a folder, or None where it has none or a filter forbids it."""
    number = OPENAT2.get(os.uname().machine) if sys.platform == "linux" else None
    opener = _opener(number) if number is not None else None
    if opener is None:
        return None
    top = os.open("/", FOLDER)
    try:
        os.close(opener(top, b".", FOLDER))
    except OSError:
        return None
    finally:
        os.close(top)
    return opener


def _entered(folder: int, name: str) -> int:
    try:
        return os.open(name, FOLDER, dir_fd=folder)
    except FileNotFoundError:
        pass
    # Where somebody else made it just now, the last line says whether it is a folder.
    with contextlib.suppress(FileExistsError):
        os.mkdir(name, dir_fd=folder)
    return os.open(name, FOLDER, dir_fd=folder)


def _opener(number: int) -> Opener | None:
    import ctypes  # only here: a start that touches no file should not pay for it

    class How(ctypes.Structure):
        _fields_ = [(name, ctypes.c_uint64) for name in ("flags", "mode", "resolve")]

    try:
        syscall = ctypes.CDLL(None, use_errno=True).syscall
    except (OSError, AttributeError):
        return None
    syscall.restype = ctypes.c_long

    def opener(folder: int, path: bytes, flags: int) -> int:
        how = How(flags, 0, RESOLVE)
        code = errno.EAGAIN
        for _ in range(TRIES):
            found = syscall(
                ctypes.c_long(number),
                ctypes.c_int(folder),
                ctypes.c_char_p(path),
                ctypes.byref(how),
                ctypes.c_size_t(ctypes.sizeof(how)),
            )
            if found >= 0:
                return int(found)
            code = ctypes.get_errno()
            if code not in (errno.EAGAIN, errno.EINTR):
                break
        raise OSError(code, os.strerror(code), os.fsdecode(path))

    return opener
