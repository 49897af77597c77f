"""A driver whose runs do what their kind says, and a ledger of it all that several processes share."""

import asyncio
import contextlib
import fcntl
import os
import signal
import sqlite3
import time
from collections.abc import Generator
from pathlib import Path

from msgspec import Struct

from toolpost.engine.drive import DriveOutcome
from toolpost.types.errors import SessionBusy

SCHEMA = """
CREATE TABLE IF NOT EXISTS run (id TEXT PRIMARY KEY, kind TEXT, answers INTEGER DEFAULT 0, ended TEXT DEFAULT '');
CREATE TABLE IF NOT EXISTS event (at REAL, pid INTEGER, run TEXT, what TEXT);
"""


class Entry(Struct, frozen=True):
    at: float
    pid: int
    run: str
    what: str


class Ledger:
    """What stands for the store: the runs, the locks of those that are driven, and what was done, in its order."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._rows = sqlite3.connect(folder / "ledger", isolation_level=None, timeout=30)
        self._rows.execute("PRAGMA journal_mode = WAL")
        self._rows.execute("PRAGMA synchronous = OFF")
        self._rows.executescript(SCHEMA)

    def add(self, run: str, kind: str) -> None:
        self._rows.execute("INSERT INTO run (id, kind) VALUES (?, ?)", (run, kind))

    def answer(self, run: str) -> None:
        self._rows.execute("UPDATE run SET answers = answers + 1 WHERE id = ?", (run,))

    def end(self, run: str, how: str) -> None:
        self._rows.execute("UPDATE run SET ended = ? WHERE id = ? AND ended = ''", (how, run))
        self.write(run, f"is {how}")

    def ended(self, run: str) -> str:
        return self._of(run)[2]

    def write(self, run: str, what: str) -> None:
        self._rows.execute("INSERT INTO event VALUES (?, ?, ?, ?)", (time.time(), os.getpid(), run, what))

    def entries(self, run: str = "%", what: str = "%") -> list[Entry]:
        found = self._rows.execute("SELECT * FROM event WHERE run LIKE ? AND what LIKE ? ORDER BY rowid", (run, what))
        return [Entry(*row) for row in found]

    def times(self, run: str, what: str) -> list[float]:
        return [entry.at for entry in self.entries(run, what)]

    def begun(self, run: str) -> int:
        return len(self.entries(run, "begins"))

    @contextlib.contextmanager
    def held(self, run: str) -> Generator[None]:
        """A lease: it ends with the process at the latest."""
        with (self.folder / f"{run}.lock").open("w") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise SessionBusy(f"{run} is held") from None
            yield

    def close(self) -> None:
        self._rows.close()

    def _of(self, run: str) -> tuple[str, int, str]:
        return self._rows.execute("SELECT kind, answers, ended FROM run WHERE id = ?", (run,)).fetchone()


class ScriptedDriver:
    """A `Driver`. The kind of a run is a word and a number: `works 0.5` for half a second, `asks 2` two questions, or
    `asks slowly`, so that an answer can come before the wait; it `blocks 4` seconds the loop, `dies` with its process,
    or `fails`."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._release = asyncio.Event()

    async def drive(self, session_id: str, run_id: str) -> DriveOutcome:
        ledger = self._ledger
        with ledger.held(run_id):
            kind, answers, ended = ledger._of(run_id)
            if ended:
                return "elsewhere"
            ledger.write(run_id, "begins")
            try:
                outcome = await self._work(kind, answers)
            except asyncio.CancelledError:
                ledger.end(run_id, "aborted")
                raise
            if outcome == "ended":
                ledger.end(run_id, "done")
            ledger.write(run_id, outcome)
            return outcome

    async def cancel(self, session_id: str, run_id: str) -> None:
        with self._ledger.held(run_id):
            self._ledger.end(run_id, "aborted")

    async def give_up(self, session_id: str, run_id: str, reason: str) -> None:
        with self._ledger.held(run_id):
            self._ledger.end(run_id, f"given up: {reason}")

    async def release_all(self) -> None:
        self._release.set()

    async def _work(self, kind: str, answers: int) -> DriveOutcome:
        word, _, number = kind.partition(" ")
        match word:
            case "asks" if number == "slowly" and not answers:
                await asyncio.sleep(0.5)
                return "waiting"
            case "asks" if number != "slowly" and answers < int(number):
                return "waiting"
            case "blocks":
                time.sleep(float(number))  # noqa: ASYNC251 - what a tool should not do
            case "dies":
                signal.raise_signal(signal.SIGKILL)
            case "fails":
                raise ValueError("a prompt of a person")
            case "works":
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._release.wait(), float(number))
                    return "released"
            case _:
                pass
        return "ended"
