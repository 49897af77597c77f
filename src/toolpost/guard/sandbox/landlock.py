"""Run commands under Landlock and seccomp, on systems where users may not create namespaces.

It is the second choice. Files are allowed one by one, so a command can't make new files right in the project's folder
or in `.git` (what must not be made there could not be told apart). It does not look at modes and owners, so those can't
be changed at all, nor at memory that processes share by a number, so there is none. Other processes can be seen, though
not touched, and the times of files can be changed.
"""

import ctypes
import os
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from toolpost.guard.open_beneath import open_beneath

from . import supervisor
from .bubblewrap import environment, hidden_secrets
from .guarded_paths import GuardedPaths
from .hidden_files import covered_paths
from .mount_check import is_folder, is_link, open_source
from .sandbox import Bounds, Kind, Launch, SandboxedCommand, SandboxError, WatchedLaunch, limited, starts
from .seccomp import AF_INET, AF_INET6, AF_NETLINK, seccomp_filter
from .system_folders import ETC_FILES, beneath, etc_folders, home, visible_paths

# Version 3 of the interface is the first that keeps a file from being cut short.
OLDEST = 3
DEVICES = ("null", "zero", "full", "random", "urandom", "tty")


def find_landlock(bounds: Bounds) -> "Landlock | str":
    """Landlock, if the kernel has it and it works; else why not."""
    version = supervisor.landlock_version(ctypes.CDLL(None, use_errno=True))
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

    def wrap(self, command: SandboxedCommand) -> Launch:
        if command.project == Path("/"):
            raise SandboxError("The project is the whole system, so nothing would be protected. Start in a folder.")
        rules = _Rules(command)
        temporary = Path(tempfile.mkdtemp(prefix="toolpost-"))
        try:
            rules.build()
            rules.writable.append(open_source(Path(os.path.realpath(temporary))))
            policy = {
                "restricted": True,
                "argv": limited(command.argv, self.bounds, shared=True),
                "cwd": str(command.cwd),
                "env": environment(command.env) | {"TMPDIR": str(temporary), "HOME": str(temporary)},
                "read": rules.readable,
                "write": rules.writable,
                "devices": rules.devices,
                "seccomp": seccomp_filter(_families(command.network), namespaces=False) or b"",
            }
            return WatchedLaunch(policy, rules.descriptors, temporary)
        except BaseException:
            rules.close()
            shutil.rmtree(temporary, ignore_errors=True)
            raise


class _Rules:
    """What a command may read and write, each opened once, without following a link."""

    def __init__(self, command: SandboxedCommand) -> None:
        self._command = command
        self.readable: list[int] = []
        self.writable: list[int] = []
        self.devices: list[int] = []

    @property
    def descriptors(self) -> list[int]:
        return [*self.readable, *self.writable, *self.devices]

    def close(self) -> None:
        for descriptor in self.descriptors:
            os.close(descriptor)

    def build(self) -> None:
        command = self._command
        open_places = [command.project, *command.granted]
        shown = [one.path for one in visible_paths(command.env, open_places) if one.how != "link"]
        etc = [Path("/etc", name) for name in (*ETC_FILES, *(("resolv.conf",) if command.network else ()))]
        places = [*shown, Path("/proc"), *etc_folders(), *(Path(os.path.realpath(path)) for path in etc)]
        places += [path for path in (*command.readable, command.cwd) if not beneath(home(), path)]
        guarded = GuardedPaths(command)
        try:
            covered = covered_paths(hidden_secrets(command), command.project, [*places, *open_places])
            for path in places:
                self._allow(self.readable, path, covered)
            for root, opened in guarded.roots.items():
                self.readable += _parts(opened, root, covered)
                if command.writable:
                    closed = [*covered, *(one.path for one in (*guarded.there, *guarded.missing))]
                    parts = _parts(opened, root, closed)
                    # What must not be made right in the project could not be told apart from the rest.
                    self.writable += [part for part in parts if root != command.project or not _is_same(part, opened)]
        finally:
            guarded.close()
        for name in DEVICES:
            self._allow(self.devices, Path("/dev", name), ())

    def _allow(self, rules: list[int], path: Path, closed: Sequence[Path]) -> None:
        try:
            opened = open_source(path)
        except OSError:
            return
        rules += _parts(opened, path, closed)
        os.close(opened)


def _families(network: bool) -> tuple[int, ...]:
    # Sockets of services have names in the file system, which Landlock does not look at: so there are none at all.
    return (AF_INET, AF_INET6, AF_NETLINK) if network else ()


def _parts(opened: int, path: Path, closed: Sequence[Path]) -> Iterator[int]:
    """What is open beneath a folder, itself or those of its parts that hold nothing of `closed`."""
    if path in closed or is_link(opened):
        return
    if not any(beneath(one, path) for one in closed):
        yield os.dup(opened)
        return
    if not is_folder(opened):
        return
    listed = os.open(".", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC, dir_fd=opened)
    try:
        names = sorted(os.listdir(listed))  # noqa: PTH208 - of a descriptor
    finally:
        os.close(listed)
    for name in names:
        try:
            part = open_beneath(opened, (name,))
        except OSError:
            continue
        try:
            yield from _parts(part, path / name, closed)
        finally:
            os.close(part)


def _is_same(one: int, other: int) -> bool:
    return os.path.samestat(os.fstat(one), os.fstat(other))
