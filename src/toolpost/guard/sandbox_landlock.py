"""Commands under Landlock and seccomp, for systems that do not let their users make namespaces.

It is the second choice. Files are allowed one by one, so a command can't make new files right in the project's folder
or in `.git` (what must not be made there could not be told apart). It does not look at modes and owners, so those can't
be changed at all, nor at memory that processes share by a number, so there is none. Other processes can be seen, though
not touched, and the times of files can be changed.
"""

import ctypes
import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from . import sandbox_child
from .sandbox import Bounds, Kind, Launch, SandboxError, limited, starts
from .sandbox_places import (
    HIDDEN_FILES,
    beneath,
    environment,
    hidden_files,
    hidden_folders,
    protected_paths,
    shown_paths,
)
from .sandbox_seccomp import AF_INET, AF_INET6, AF_NETLINK, seccomp_filter
from .sandbox_watched import WatchedLaunch

# Version 3 of the interface is the first that keeps a file from being cut short.
OLDEST = 3
DEVICES = ("null", "zero", "full", "random", "urandom", "tty")


def find_landlock(bounds: Bounds) -> "Landlock | str":
    """Landlock, if the kernel has it and it works; else why not."""
    version = sandbox_child.landlock_version(ctypes.CDLL(None, use_errno=True))
    if version < OLDEST:
        return "the kernel has no Landlock, or an old one" if version <= 0 else f"the kernel has only version {version}"
    if seccomp_filter(()) is None:
        return "no seccomp filter for this machine"
    sandbox = Landlock(version, bounds)
    return starts(sandbox) or sandbox


@dataclass(frozen=True)
class Landlock:
    version: int
    bounds: Bounds
    kind: Kind = "landlock"

    @property
    def reason(self) -> str:
        return f"version {self.version}; no new files right in the project's folder, no chmod"

    def wrap(
        self,
        argv: Sequence[str],
        *,
        cwd: Path,
        env: Mapping[str, str],
        project: Path,
        writable: bool = True,
        network: bool = False,
        protected: Sequence[Path] = (),
        granted: Sequence[Path] = (),
    ) -> Launch:
        project = Path(os.path.realpath(project))
        if project == Path("/"):
            raise SandboxError("The project is the whole system, so nothing would be protected. Start in a folder.")
        temporary = Path(tempfile.mkdtemp(prefix="toolpost-"))
        try:
            closed = [path for paths in protected_paths(project, protected, granted) for path in paths]
            opened = [project, *granted] if writable else []
            writes = [part for folder in opened for part in _open_parts(folder, closed, whole=folder != project)]
            policy = {
                "restricted": True,
                "argv": limited(argv, self.bounds, shared=True),
                "cwd": os.path.realpath(cwd),
                "env": environment(env) | {"TMPDIR": str(temporary), "HOME": str(temporary)},
                "read": [str(path) for path in _readable(project, env, network)],
                "write": [str(path) for path in (*writes, temporary)],
                "devices": [f"/dev/{name}" for name in DEVICES],
                "seccomp": (seccomp_filter(_families(network), namespaces=False) or b"").hex(),
            }
            return WatchedLaunch(policy, temporary)
        except BaseException:
            shutil.rmtree(temporary, ignore_errors=True)
            raise


def _families(network: bool) -> tuple[int, ...]:
    # Sockets of services have names in the file system, which Landlock does not look at: so there are none at all.
    return (AF_INET, AF_INET6, AF_NETLINK) if network else ()


def _readable(project: Path, env: Mapping[str, str], network: bool) -> Iterator[Path]:
    secrets = [*map(Path, HIDDEN_FILES), *hidden_files(project)]
    closed = [*secrets, *hidden_folders(), Path("/dev")]
    yield from _without(Path("/"), closed)
    yield from shown_paths(env, network)
    yield from _without(project, [path for path in secrets if beneath(path, project)])


def _without(folder: Path, closed: Sequence[Path]) -> Iterator[Path]:
    """The folder, or those of its parts that hold nothing of `closed`."""
    if folder in closed or folder.is_symlink():
        return
    if not any(beneath(path, folder) for path in closed):
        yield folder
        return
    try:
        parts = sorted(folder.iterdir())
    except OSError:
        return
    for part in parts:
        yield from _without(part, closed)


def _open_parts(folder: Path, closed: Sequence[Path], *, whole: bool) -> Iterable[Path]:
    """What may be written: everything in a folder that holds nothing protected, or the folder itself if it may be."""
    return (path for path in _without(folder, closed) if whole or path != folder)
