"""Check that a sandbox mounts exactly the intended files, though paths may be swapped for links meanwhile.

Paths of a project can be swapped for links at any moment by another command. So a source is opened beneath its root
without following a link and handed over as a descriptor, and the sandboxed process compares its own mount table with
the intended one before it executes anything.
"""

import contextlib
import os
import random
import re
import signal
import stat
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from toolpost.guard.open_beneath import open_beneath

# What bubblewrap mounts by itself: devices and parts of /proc, which differ between kernels.
OWN = "/dev|/dev/*|/proc|/proc/*"
REFUSED = "The sandbox was not set up as intended, so the command was not run: a file or folder was moved meanwhile."

# The last that bubblewrap does: the folder that it has filled becomes the root, and is not written any more.
ROOT = "ro /newroot / tmpfs"
SET_UP = b" /newroot / ro,"
GATE_SECONDS = 5.0
GATE_PAUSE = 0.0003
LAST_SECONDS = 0.1
LOOKS = 20
LOOK_STEPS = 500

# `$1` is the number of mounts, `$2` a line for each, between line breaks. Written for any POSIX shell: another
# interpreter would take longer to start than all the rest.
CHECK = f"""
want=$1 list=$2 seen=0
shift 2
while read -r id parent device root point options rest; do
  rest=${{rest#*- }}
  case $list in
    *"
${{options%%,*}} $root $point ${{rest%% *}}
"*) seen=$((seen + 1)) ;;
    *) case $point in {OWN}) ;; *) seen=-1; break ;; esac ;;
  esac
done < /proc/self/mountinfo
if [ "$seen" != "$want" ]; then echo "{REFUSED}" >&2; exit 126; fi
"""


class MountGate:
    """Holds a sandbox back, when it is set up, until what is covered in it was seen to be what should be.

    A cover lies over whatever had the name at that moment. Another command that swaps folders all the time could slip
    something else under it: so the mounts, and the paths of the files that were meant, are looked at again and again,
    and have to be the same each time. Start it before the sandbox.
    """

    def __init__(self, lines: Sequence[str], meant: dict[int, str]) -> None:
        self._lines, self._meant = sorted(lines), meant
        self._told, self.info = os.pipe2(os.O_CLOEXEC)
        self.block, self._release = os.pipe2(os.O_CLOEXEC)
        self.refused = ""
        self._thread = threading.Thread(target=self._watch, name="sandbox gate", daemon=True)
        self._thread.start()

    def close(self) -> None:
        os.close(self.info)
        self._thread.join()
        close_all((self._told, self.block, self._release))

    def _watch(self) -> None:
        pid = self._pid()
        if pid is not None:
            table = self._table_when_set_up(pid)
            looks = LOOKS if self._meant else 1
            if self._is_as_meant(table) and all(self._is_still(pid, table) for _ in range(looks)):
                os.write(self._release, b"\n")
                return
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self.refused = REFUSED

    def _table_when_set_up(self, pid: int) -> bytes:
        """The mount table when all is mounted; a moment after that it is what it is."""
        deadline = time.monotonic() + GATE_SECONDS
        while (table := _table_of(pid)) and time.monotonic() < deadline:
            if SET_UP in table:
                if self._is_as_meant(table):
                    break
                deadline = min(deadline, time.monotonic() + LAST_SECONDS)
            time.sleep(GATE_PAUSE)
        return table

    def _is_still(self, pid: int, table: bytes) -> bool:
        # The moment of the look can't be foreseen.
        for _ in range(random.randrange(LOOK_STEPS)):
            pass
        is_same = _table_of(pid) == table
        return is_same and all(path_of(opened) == path for opened, path in self._meant.items())

    def _is_as_meant(self, table: bytes) -> bool:
        mounts = map(_parsed, table.decode(errors="surrogateescape").splitlines())
        lines = (_line(not one.is_read_only, one.root, _unescaped(one.point), one.kind) for one in mounts)
        known = frozenset(self._lines)
        listed = (line for line in lines if line in known or not line.split(" ")[2].startswith(("/dev", "/proc")))
        return sorted(listed) == self._lines

    def _pid(self) -> int | None:
        """The process that sets the sandbox up, as bubblewrap tells; None if it never started."""
        said = b""
        while not (found := re.search(rb'"child-pid": (\d+)\D', said)):
            if not (data := os.read(self._told, 4_096)):
                return None
            said += data
        return int(found[1])


class Mount(Struct, frozen=True):
    """A line of the mount table. `root` is the mounted folder in its file system, `point` where it is mounted."""

    number: int
    parent: int
    root: str
    point: str
    is_read_only: bool
    kind: str


class MountTable:
    """The mounts of this process, to foresee how a mount of an opened path will be listed in a sandbox."""

    def __init__(self) -> None:
        text = Path("/proc/self/mountinfo").read_bytes().decode(errors="surrogateescape")
        self._mounts = {mount.number: mount for mount in map(_parsed, text.splitlines())}

    def bound(self, descriptor: int, target: str, *, writable: bool) -> Iterator[str]:
        """The lines for an opened path that is mounted at `target`, and for what is mounted beneath it."""
        source = path_of(descriptor)
        top = self._mounts[_mount_number(descriptor)]
        inside = _relative(source, _unescaped(top.point))
        root = f"{top.root.rstrip('/')}/{_escaped(inside)}" if inside else top.root
        yield _line(writable and not top.is_read_only, root, target, top.kind)
        for below in self._beneath(top, _escaped(source)):
            point = target.rstrip("/") + _unescaped(below.point)[len(source.rstrip("/")) :]
            yield _line(writable and not below.is_read_only, below.root, point, below.kind)

    def _beneath(self, top: Mount, source: str) -> list[Mount]:
        found: dict[int, Mount] = {}
        for mount in self._mounts.values():
            is_direct = mount.parent == top.number and mount.point.startswith(f"{source.rstrip('/')}/")
            if mount.number != top.number and (is_direct or mount.parent in found):
                found[mount.number] = mount
        return list(found.values())


def created(target: str, kind: str, *, writable: bool = True) -> str:
    """The line for a file system that is made for the sandbox."""
    return _line(writable, "/", target, kind)


def check_words(lines: Sequence[str]) -> tuple[str, str]:
    """The two arguments of the check."""
    return str(len(lines)), "\n".join(("", *lines, ""))


def open_source(path: Path) -> int:
    """A path of this machine as a descriptor; a link anywhere on the way is an `OSError`."""
    top = os.open("/", os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        return open_beneath(top, path.parts[1:])
    finally:
        os.close(top)


def path_of(descriptor: int) -> str:
    """The current path of an opened file or folder."""
    return os.readlink(f"/proc/self/fd/{descriptor}")  # noqa: PTH115 - for each mount of each command


def is_folder(descriptor: int) -> bool:
    return stat.S_ISDIR(os.fstat(descriptor).st_mode)


def is_link(descriptor: int) -> bool:
    return stat.S_ISLNK(os.fstat(descriptor).st_mode)


def close_all(descriptors: Iterable[int]) -> None:
    for descriptor in descriptors:
        os.close(descriptor)


def _table_of(pid: int) -> bytes:
    """The mount table of a process, empty once it is gone."""
    try:
        with open(f"/proc/{pid}/mountinfo", "rb", 0) as file:  # noqa: PTH123 - looked at again and again
            return file.readall()
    except OSError:
        return b""


def _mount_number(descriptor: int) -> int:
    with open(f"/proc/self/fdinfo/{descriptor}") as lines:  # noqa: PTH123 - read for each mount of each command
        return next(int(line.split()[1]) for line in lines if line.startswith("mnt_id:"))


def _parsed(line: str) -> Mount:
    number, parent, _, root, point, options, *rest = line.split(" ")
    is_read_only = "ro" in options.split(",")
    return Mount(int(number), int(parent), root, point, is_read_only, rest[rest.index("-") + 1])


def _line(writable: bool, root: str, target: str, kind: str) -> str:
    return f"{'rw' if writable else 'ro'} {root} {_escaped(target)} {kind}"


def _relative(path: str, folder: str) -> str:
    return path[len(folder.rstrip("/")) :].lstrip("/")


def _escaped(path: str) -> str:
    for char in _ESCAPED:
        path = path.replace(char, f"\\{ord(char):03o}")
    return path


def _unescaped(path: str) -> str:
    for char in reversed(_ESCAPED):
        path = path.replace(f"\\{ord(char):03o}", char)
    return path


# As the kernel writes them; the backslash first, since the others bring one along.
_ESCAPED = ("\\", " ", "\t", "\n")
