"""Limit the memory and the number of processes of a process tree with control groups, where this user may make one."""

import contextlib
import itertools
import os
import time
from collections.abc import Iterator
from pathlib import Path

ROOT = Path("/sys/fs/cgroup")
PREFIX = "toolpost-"
CLOSE_SECONDS = 2.0
CLOSE_PAUSE = 0.0005

_numbers = itertools.count(1)


class Group:
    """One group, in one folder or, in the older hierarchy, in one for each controller."""

    def __init__(self, folders: list[Path]) -> None:
        self._folders = folders

    @property
    def entrances(self) -> list[str]:
        """A process that writes `0` or its id into these is in the group."""
        return [str(folder / "cgroup.procs") for folder in self._folders]

    def close(self) -> None:
        """Remove it. Processes that are still in it are killed, where the kernel can do that."""
        deadline = time.monotonic() + CLOSE_SECONDS
        for folder in self._folders:
            with contextlib.suppress(OSError):
                (folder / "cgroup.kill").write_text("1")
            while time.monotonic() < deadline:
                try:
                    folder.rmdir()
                except FileNotFoundError:
                    break
                except OSError:
                    time.sleep(CLOSE_PAUSE)
                else:
                    break


def open_group(memory: int, processes: int) -> Group | None:
    """A group with these limits, or None where none can be made."""
    name = f"{PREFIX}{os.getpid()}-{next(_numbers)}"
    try:
        own = dict(_own_groups())
    except OSError:
        return None
    for base in _unified(own.get("", "")):
        settings = {"memory.max": memory, "memory.swap.max": 0, "memory.oom.group": 1, "pids.max": processes}
        if (folder := _make(base, name, settings, required=("memory.max", "pids.max"))) is not None:
            return Group([folder])
    memory_folder = _make(ROOT / "memory" / own.get("memory", "").strip("/"), name, {"memory.limit_in_bytes": memory})
    if memory_folder is None:
        return None
    pids_folder = _make(ROOT / "pids" / own.get("pids", "").strip("/"), name, {"pids.max": processes})
    if pids_folder is None:
        memory_folder.rmdir()
        return None
    return Group([memory_folder, pids_folder])


def _own_groups() -> Iterator[tuple[str, str]]:
    """The controllers with the groups that this process is in; the unified hierarchy has no name."""
    for line in Path("/proc/self/cgroup").read_text().splitlines():
        _, names, path = line.split(":", 2)
        for name in names.split(","):
            yield name, path


def _unified(path: str) -> list[Path]:
    """Where in the unified hierarchy a group could be made: below the own one, or beside it."""
    if not (ROOT / "cgroup.controllers").exists() or not path:
        return []
    own = ROOT / path.strip("/")
    return [own, own.parent] if own != ROOT else [own]


def _make(base: Path, name: str, settings: dict[str, int], required: tuple[str, ...] = ()) -> Path | None:
    folder = base / name
    try:
        _sweep(base)
        folder.mkdir()
    except OSError:
        return None
    for setting, value in settings.items():
        try:
            (folder / setting).write_text(str(value))
        except OSError:
            if setting in (required or tuple(settings)):
                folder.rmdir()
                return None
    return folder


def _sweep(base: Path) -> None:
    """Remove what a process that died has left behind."""
    for folder in base.glob(f"{PREFIX}*"):
        owner = folder.name.removeprefix(PREFIX).partition("-")[0]
        if owner.isdecimal() and not Path("/proc", owner).exists():
            with contextlib.suppress(OSError):
                folder.rmdir()
