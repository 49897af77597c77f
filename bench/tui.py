"""Toolpost's full screen beside pi, vibe and opencode, on real pseudo terminals of 120 by 40: `python -m bench.tui`.

First paint, CPU to start, memory, CPU while nothing happens, time from a key to its echo, CPU a chunk of a streamed
answer; the last three also below a transcript of 1 MB. All ask one scripted model on loopback, each in a fresh home and
folder, with every other network refused.
"""

import argparse
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from .results import Results
from .sample import SCRATCH, Sample, upstream
from .tui_peers import PROGRAMS, Missing, Peer, environment_of
from .tui_terminal import NotShown, Terminal

READY_SECONDS = 90.0
# CPU to start is read so long after it is ready: much is often done after the first paint.
AFTER_READY = 2.5
KEYS = "QZXJKVWYBDFGHLMNPRSTCAEIOU2357"
KEY_PAUSE = 0.15
# What one streamed answer has: chunks of a few words, as fast as models write them.
CHUNKS, CHUNK_SIZE, CHUNK_PAUSE_MS = 100, 20, 66
# The long transcript comes in answers like these.
ANSWER_SIZE, ANSWER_PIECE, ANSWER_PAUSE_MS = 50_000, 500, 4
ANSWERS = 20
ANSWER_SECONDS = 45.0
LONG_SECONDS = 120.0
# A start is short, and differs more between two than the rest does.
STARTS = 3

ROWS: tuple[tuple[str, str, str, int], ...] = (
    ("first paint, s", "start", "paint", 2),
    ("ready, s", "start", "ready", 2),
    ("CPU to start, s", "start", "cpu", 2),
    ("memory when ready, MB", "start", "mb", 0),
    ("CPU while idle, %", "idle", "percent", 2),
    ("key to echo, ms", "keys", "median", 1),
    ("key to echo, p95, ms", "keys", "p95", 1),
    ("CPU a key, ms", "keys", "cpu", 1),
    ("CPU a chunk, ms", "chunks", "cpu", 1),
    ("CPU to show 1 MB, s", "long", "cpu", 1),
    ("memory with 1 MB above, MB", "long", "mb", 0),
    ("key to echo with 1 MB above, ms", "long keys", "median", 1),
    ("key to echo with 1 MB above, p95, ms", "long keys", "p95", 1),
    ("CPU a key with 1 MB above, ms", "long keys", "cpu", 1),
    ("CPU a chunk with 1 MB above, ms", "long chunks", "cpu", 1),
)


def main() -> None:
    names = [peer.name for peer in PROGRAMS]
    parser = argparse.ArgumentParser(prog="python -m bench.tui")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", nargs="*", default=names, choices=names)
    parser.add_argument("--idle-seconds", type=float, default=60.0, help="how long nothing happens, in the first round")
    parser.add_argument("--no-long", action="store_true", help="leave out the transcript of 1 MB (first round)")
    args = parser.parse_args()
    peers = [peer for peer in PROGRAMS if peer.name in args.only]
    results, loads = Results(), list[float]()
    results.rounds = args.rounds
    with upstream("bench.tui_model") as base:
        for number in range(args.rounds):
            for peer in list(peers):
                loads.append(os.getloadavg()[0])
                _say(f"round {number + 1}, {peer.name}, load {loads[-1]:.1f}")
                try:
                    is_first = number == 0
                    idle = args.idle_seconds if is_first else 0.0
                    _round(peer, base, results, idle, with_long=is_first and not args.no_long)
                except (Missing, SystemExit) as error:
                    results.fail(peer.name, "", f"left out: {error}")
                    peers.remove(peer)
                except NotShown as error:
                    results.fail(peer.name, "start", str(error))
    results.notes["load"] = statistics.median(loads)
    results.write(SCRATCH / "tui.json")
    _say("\n" + table(results, args.only))
    _say(f"load average before each: {min(loads):.1f} to {max(loads):.1f}")
    for what, text in results.failures.items():
        _say(f"{what}: {text}")


def _round(peer: Peer, base: str, results: Results, idle_seconds: float, *, with_long: bool) -> None:
    """A session of one program, from its start on."""

    def took(what: str, sample: Sample) -> None:
        results.add(peer.name, what, sample)
        _say(f"  {what}: " + ", ".join(f"{field} {value:.2f}" for field, value in sample.items()))

    for _ in range(STARTS - 1):
        with _started(peer, base) as terminal:
            took("start", _start(terminal, peer))
    with _started(peer, base) as terminal:
        took("start", _start(terminal, peer))
        terminal.settle(1.0, 15.0)
        if idle_seconds:
            took("idle", _idle(terminal, idle_seconds))
        took("keys", _keys(terminal))
        took("chunks", _chunks(terminal))
        if not with_long:
            return
        try:
            took("long", _long(terminal))
            took("long keys", _keys(terminal))
            took("long chunks", _chunks(terminal))
        except NotShown as error:
            _say(f"  1 MB: {error}")
            results.fail(peer.name, "1 MB", str(error))


@contextmanager
def _started(peer: Peer, base: str) -> Iterator[Terminal]:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        home, folder = Path(name, "home"), Path(name, "project")
        home.mkdir()
        folder.mkdir()
        command = peer.command(base, home, folder)
        with Terminal(command, environment_of(peer, base, home), folder) as terminal:
            yield terminal


def _start(terminal: Terminal, peer: Peer) -> Sample:
    painted = terminal.wait(lambda shown: bool(shown.strip()), READY_SECONDS)
    ready = terminal.wait_for(peer.ready, READY_SECONDS)
    time.sleep(max(0.0, ready + AFTER_READY - time.perf_counter()))
    return {
        "paint": painted - terminal.began,
        "ready": ready - terminal.began,
        "cpu": terminal.cpu(),
        "mb": terminal.megabytes(),
    }


def _idle(terminal: Terminal, seconds: float) -> Sample:
    began, cpu = time.perf_counter(), terminal.cpu()
    time.sleep(seconds)
    return {"percent": (terminal.cpu() - cpu) / (time.perf_counter() - began) * 100}


def _keys(terminal: Terminal) -> Sample:
    """Type keys as fast as a quick typist, and delete them again."""
    terminal.type("q")
    terminal.settle(0.3, 5.0)
    cpu, took = terminal.cpu(), list[float]()
    for key in KEYS:
        took.append(terminal.echo_ms(key))
        time.sleep(KEY_PAUSE)
    cpu = terminal.cpu() - cpu
    terminal.type("\x7f" * (len(KEYS) + 1))
    terminal.settle(0.3, 5.0)
    return {
        "median": statistics.median(took),
        "p95": statistics.quantiles(took, n=20)[-1],
        "cpu": cpu / len(KEYS) * 1e3,
    }


def _chunks(terminal: Terminal) -> Sample:
    """Between the first and the last chunk of an answer that is read while it is written."""
    first, end = _ask(terminal, CHUNKS * CHUNK_SIZE, CHUNK_SIZE, CHUNK_PAUSE_MS)
    mark = terminal.mark
    terminal.wait_for(first, ANSWER_SECONDS, mark)
    cpu = terminal.cpu()
    terminal.wait_for(end, ANSWER_SECONDS, mark)
    cpu = terminal.cpu() - cpu
    terminal.settle(0.5, 5.0)
    return {"cpu": cpu / CHUNKS * 1e3}


def _long(terminal: Terminal) -> Sample:
    began, cpu = time.perf_counter(), terminal.cpu()
    for number in range(ANSWERS):
        _, end = _ask(terminal, ANSWER_SIZE, ANSWER_PIECE, ANSWER_PAUSE_MS)
        mark = terminal.mark
        try:
            terminal.wait_for(end, ANSWER_SECONDS, mark)
        except NotShown as error:
            raise NotShown(f"after {number * ANSWER_SIZE // 1000} KB an answer was {error}") from None
        terminal.settle(0.3, 5.0)
        if time.perf_counter() - began > LONG_SECONDS:
            raise NotShown(f"{(number + 1) * ANSWER_SIZE // 1000} KB after {LONG_SECONDS:g} s")
    cpu = terminal.cpu() - cpu
    terminal.settle(1.0, 15.0)
    return {"cpu": cpu, "mb": terminal.megabytes(), "seconds": time.perf_counter() - began}


def _ask(terminal: Terminal, size: int, piece: int, pause: int) -> tuple[str, str]:
    """Send a prompt; gives what is shown at the beginning of its answer and at its end."""
    first, end = terminal.fresh_letter(), terminal.fresh_letter()
    mark = terminal.mark
    terminal.type(f"bench size={size} piece={piece} pause={pause} first={ord(first)} end={ord(end)}")
    # One that takes quick keys for a paste would take the Enter for a new line.
    terminal.wait_for(str(ord(end))[-1], 10.0, mark)
    terminal.settle(0.3, 3.0)
    terminal.type("\r")
    return first, end


def table(results: Results, names: list[str]) -> str:
    """Medians; in brackets their ratio to Toolpost's."""
    lines = [f"|  | {' | '.join(names)} |", "| --- |" + " ---: |" * len(names)]
    for label, what, field, digits in ROWS:
        own = results.figure(names[0], what, field)
        cells = [_cell(results.figure(name, what, field), own if name != names[0] else None, digits) for name in names]
        lines.append(f"| {label} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _cell(value: float | None, own: float | None, digits: int) -> str:
    if value is None:
        return "–"
    return f"{value:.{digits}f}" + (f" ({value / own:.1f}×)" if own else "")


def _say(text: str) -> None:
    print(text, flush=True)


if __name__ == "__main__":
    sys.exit(main())
