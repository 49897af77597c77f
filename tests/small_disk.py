"""A real disk of a few megabytes that can be filled, mounted in a namespace of its own."""

import contextlib
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

BYTES = 8 * 1024 * 1024
FILLER = "filler"

# "tmpfs" can be mounted by everybody. "ext4" has blocks of 1 KB, so that a file's page may have no block yet when
# somebody writes to it through mapped memory; only root can mount it.
KINDS = ("tmpfs", "ext4")
_MOUNT = {
    "tmpfs": 'mount -t tmpfs -o "size=$2" tmpfs "$1"',
    "ext4": 'truncate -s "$2" "$1.img" && mkfs.ext4 -q -F -b 1024 -m 0 "$1.img" && mount -o loop "$1.img" "$1"',
}


class SmallDisk:
    """`folder` is its path for processes started with `prefix`; `here` is the same folder as this process sees it."""

    def __init__(self, folder: Path, holder: int, own_user: bool) -> None:
        self.folder = folder
        self.here = Path(f"/proc/{holder}/root{folder}")
        user = ("--user", "--preserve-credentials") if own_user else ()
        self._enter = ("nsenter", f"--target={holder}", "--mount", *user)

    def prefix(self, folder: Path) -> tuple[str, ...]:
        """What starts a process in `folder` that sees the disk."""
        return (*self._enter, f"--wd={folder}", "--")

    def fill(self) -> None:
        """Write until nothing more fits."""
        file = os.open(self.here / FILLER, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        size = 64 * 1024
        while size:
            try:
                os.write(file, bytes(size))
            except OSError:
                size //= 2
        os.close(file)

    def free(self) -> None:
        (self.here / FILLER).unlink()


@contextlib.contextmanager
def small_disk(folder: Path, kind: str = "tmpfs", size: int = BYTES) -> Iterator[SmallDisk]:
    """Mount one at `folder`. It is gone with the process that holds its namespace."""
    own_user = kind == "tmpfs"
    if not own_user and os.geteuid() != 0:
        pytest.skip("only root can mount a disk with small blocks")
    if missing := [name for name in ("unshare", "nsenter", "mount") if not shutil.which(name)]:
        pytest.skip(f"a disk that can be filled needs {missing}")
    folder.mkdir(parents=True, exist_ok=True)
    namespace = ("unshare", "--mount", *(("--map-root-user",) if own_user else ()))
    script = f"{_MOUNT[kind]} && echo mounted && exec cat"
    command = (*namespace, "sh", "-c", script, "sh", str(folder), str(size))
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as holder:
        try:
            if holder.stdout.readline() != b"mounted\n":
                pytest.skip(f"no disk can be mounted here: {holder.stderr.read().decode().strip()}")
            yield SmallDisk(folder, holder.pid, own_user)
        finally:
            holder.stdin.close()
