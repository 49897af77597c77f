"""A program on a real pseudo terminal: type keys, wait for what it shows, and read the CPU and memory of its processes.

Nothing is rendered here. What is waited for is a character that has not been on the screen before: a program that sends
only changed cells sends it as well, so it is enough to read the output without its escape sequences.
"""

import contextlib
import fcntl
import os
import re
import signal
import struct
import subprocess
import termios
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Self

COLUMNS, LINES = 120, 40
STOP_SECONDS = 5.0
TICKS = os.sysconf("SC_CLK_TCK")
# CSI, OSC, DCS and other strings, and the two-byte sequences.
_ESCAPES = re.compile(
    rb"\x1b\[[0-?]*[ -/]*[@-~]|\x1b[\]P_^X](?:[^\x07\x1b]|\x1b(?!\\))*(?:\x07|\x1b\\)|\x1b[ -/]*[0-~]|[\x00-\x1f\x7f]"
)
# What a program asks its terminal, and what an xterm of today answers. Kitty's keys are not offered.
_ANSWERS: tuple[tuple[re.Pattern[bytes], bytes], ...] = (
    (re.compile(rb"\x1b\[0?c"), b"\x1b[?62;22c"),
    (re.compile(rb"\x1b\[6n"), b"\x1b[1;1R"),
    (re.compile(rb"\x1b\[5n"), b"\x1b[0n"),
    (re.compile(rb"\x1b\]11;\?(?:\x07|\x1b\\)"), b"\x1b]11;rgb:1e1e/1e1e/1e1e\x1b\\"),
    (re.compile(rb"\x1b\]10;\?(?:\x07|\x1b\\)"), b"\x1b]10;rgb:dddd/dddd/dddd\x1b\\"),
    (re.compile(rb"\x1b\[\?2026\$p"), b"\x1b[?2026;2$y"),
    (re.compile(rb"\x1b\[14t"), b"\x1b[4;800;1200t"),
    (re.compile(rb"\x1b\[16t"), b"\x1b[6;20;10t"),
    (re.compile(rb"\x1b\[18t"), b"\x1b[8;40;120t"),
)


class NotShown(Exception):
    """What was waited for did not come; the text is the end of the output."""


class Terminal:
    """Use it as a context: the processes end with it."""

    def __init__(self, command: Sequence[str], environment: Mapping[str, str], folder: Path) -> None:
        self._master, slave = os.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 1200, 800))
        self._shown = bytearray()
        self._changed = threading.Condition()
        self._is_open = True
        # Of the Cyrillic letters those that no language of a program uses; all one cell wide.
        self._letters = iter(range(0x048A, 0x0530))
        self.began = time.perf_counter()
        self._process = subprocess.Popen(
            list(command),
            env=dict(environment),
            cwd=folder,
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
            preexec_fn=_own_terminal,
        )
        os.close(slave)
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stop()
        self._is_open = False
        self._reader.join(STOP_SECONDS)
        os.close(self._master)

    # What it shows.

    @property
    def mark(self) -> int:
        """The place in the output, to look for what comes after it."""
        return len(self._shown)

    def text(self, mark: int = 0) -> str:
        """What was shown since `mark`, without escape sequences."""
        with self._changed:
            data = bytes(self._shown[mark:])
        return _ESCAPES.sub(b"", data).decode(errors="replace")

    def wait(self, shows: Callable[[str], bool], seconds: float, mark: int = 0) -> float:
        """Until what is shown after `mark` is right; gives the time then."""
        until = time.perf_counter() + seconds
        seen = -1
        while True:
            with self._changed:
                while len(self._shown) == seen and self._is_open and (left := until - time.perf_counter()) > 0:
                    self._changed.wait(left)
                now, seen, is_open = time.perf_counter(), len(self._shown), self._is_open
            # Of a long answer only the end is of interest.
            if shows(self.text(max(mark, seen - 200_000))):
                return now
            if now >= until or not is_open:
                raise NotShown(f"not shown in {seconds:g} s: …{self.text(mark)[-300:]!r}")

    def wait_for(self, text: str, seconds: float, mark: int = 0) -> float:
        return self.wait(lambda shown: text in shown, seconds, mark)

    def settle(self, quiet: float, seconds: float) -> None:
        """Until nothing was shown for `quiet` seconds; one that always shows something is given `seconds`."""
        until = time.perf_counter() + seconds
        while time.perf_counter() < until:
            seen = self.mark
            time.sleep(quiet)
            if seen == self.mark:
                return

    def fresh_letter(self) -> str:
        """One that has not been on this screen."""
        return chr(next(self._letters))

    # What is typed.

    def type(self, text: str) -> None:
        data = text.encode()
        while data:
            data = data[os.write(self._master, data) :]

    def echo_ms(self, key: str, seconds: float = 10.0) -> float:
        """From a key until it is shown."""
        mark, began = self.mark, time.perf_counter()
        self.type(key)
        return (self.wait_for(key, seconds, mark) - began) * 1e3

    # What it costs.

    def cpu(self) -> float:
        """CPU seconds of all its processes, and of those that have ended."""
        return sum(_cpu_of(process) for process in self._processes())

    def megabytes(self) -> float:
        """Memory of all its processes; what some share is counted once."""
        return sum(_pss_of(process) for process in self._processes())

    def _processes(self) -> list[int]:
        parents: dict[int, tuple[int, int]] = {}
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit():
                with contextlib.suppress(OSError, IndexError):
                    fields = (entry / "stat").read_text().rpartition(")")[2].split()
                    parents[int(entry.name)] = int(fields[1]), int(fields[3])
        found = {self._process.pid}
        while True:
            more = {
                process
                for process, (parent, session) in parents.items()
                if parent in found or session == self._process.pid
            }
            if more <= found:
                return sorted(found)
            found |= more

    def _read(self) -> None:
        answered = 0
        while self._is_open:
            try:
                data = os.read(self._master, 65536)
            except OSError:
                break
            if not data:
                break
            with self._changed:
                self._shown += data
                self._changed.notify_all()
            answered = self._answer(answered)
        with self._changed:
            self._is_open = False
            self._changed.notify_all()

    def _answer(self, start: int) -> int:
        """Answer the questions after `start`; gives the place behind the last one."""
        window = bytes(self._shown[start:])
        asked = sorted((found.end(), answer) for pattern, answer in _ANSWERS for found in pattern.finditer(window))
        for _, answer in asked:
            with contextlib.suppress(OSError):
                os.write(self._master, answer)
        # A question may be cut by the end of what was read.
        return max(start + (asked[-1][0] if asked else 0), len(self._shown) - 16)

    def _stop(self) -> None:
        processes = self._processes()
        for number in (signal.SIGTERM, signal.SIGKILL):
            for process in processes:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(process, number)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(STOP_SECONDS)


def _own_terminal() -> None:
    """In the new process: what it reads from becomes the terminal that it controls, which gives it `/dev/tty`."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def _cpu_of(process: int) -> float:
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    # Its own time, and that of its children that were waited for.
    return sum(int(field) for field in fields[11:15]) / TICKS


def _pss_of(process: int) -> float:
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{process}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) / 1024
    return 0.0
