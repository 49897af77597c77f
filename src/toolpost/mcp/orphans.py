"""End all processes that carry a mark in their environment: what MCP servers leave behind.

Run as a program it waits until its standard input closes, which also happens when whoever started it is killed, and
then ends the marked ones. It imports next to nothing, so that it costs little memory and starts at once.
"""

import os
import signal
import sys
import time

MARK = "TOOLPOST_PROCESS"
ROUNDS = 50


def marked(mark: str, session: int = 0) -> list[int]:
    """The processes whose mark begins so, and what is in a session with them, or in this one, without a mark.

    Only Linux tells; elsewhere a server has to notice that its input closed.
    """
    needle = f"{MARK}={mark}".encode()
    sessions = _sessions()
    found = {pid for pid in sessions if needle in _read(f"/proc/{pid}/environ")}
    # A session is named after the process that began it: ours is never among them.
    leaders = (found & set(sessions.values())) | {session}
    return sorted(found | {pid for pid, leader in sessions.items() if leader and leader in leaders})


def send(mark: str, wanted: signal.Signals, session: int = 0) -> bool:
    """Send a signal to all marked processes; False if there are none."""
    found = marked(mark, session)
    for pid in found:
        try:
            os.kill(pid, wanted)
        except OSError:
            continue
    return bool(found)


def main() -> None:
    for ignored in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(ignored, signal.SIG_IGN)
    mark = sys.argv[1]
    sys.stdin.buffer.read()
    for _ in range(ROUNDS):
        # Again and again: one that is just being started may not carry its mark yet.
        if not send(mark, signal.SIGKILL):
            return
        time.sleep(0.02)


def _sessions() -> dict[int, int]:
    """List all other running processes, with their sessions."""
    try:
        entries = os.listdir("/proc")  # noqa: PTH208 - pathlib would triple the start
    except OSError:
        return {}
    pids = [int(entry) for entry in entries if entry.isdecimal()]
    # After the name in brackets: state, parent, group, session. What is dead and waits to be told is gone already.
    stats = {pid: _read(f"/proc/{pid}/stat").rpartition(b")")[2].split() for pid in pids if pid != os.getpid()}
    return {pid: int(stat[3]) for pid, stat in stats.items() if len(stat) > 3 and stat[0] != b"Z"}


def _read(path: str) -> bytes:
    try:
        with open(path, "rb") as file:  # noqa: PTH123 - the same
            return file.read()
    except OSError:
        return b""


if __name__ == "__main__":
    main()
