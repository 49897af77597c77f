"""`results.jsonl`: every finished case at once as a line, so that a run that was stopped goes on where it was."""

import hashlib
import os
from pathlib import Path

import msgspec
from msgspec import Struct

from toolpost.arguments.decode_errors import explain_decode_error
from toolpost.types.errors import ConfigError

from .cases import CaseSet
from .outcome import Outcome
from .trial import SYSTEM
from .variants import Variant

FILE = "results.jsonl"


class Header(Struct, frozen=True):
    """The first line. `hash` differs where the cases, or what is said to the model around them, differ."""

    set: str
    hash: str
    cases: int
    toolpost: str


def header_of(cases: CaseSet, version: str) -> Header:
    told = hashlib.sha256(f"{cases.hash} {SYSTEM}".encode()).hexdigest()[:16]
    return Header(cases.name, told, len(cases.cases), version)


class Results:
    """The results of a folder, which grow. Use it in a `with`, which closes the file."""

    def __init__(self, folder: Path, header: Header, *, fresh: bool = False) -> None:
        """Go on with what is there. Raises `ConfigError` if that is of other cases; `fresh` throws it away."""
        self.folder = folder
        self.header = header
        self._outcomes: dict[tuple[Variant, str], Outcome] = {}
        path = _make(folder) / FILE
        if path.exists() and path.stat().st_size:
            # Read even where it is thrown away: a file of somebody else's is never overwritten.
            there, outcomes = read_results(folder)
            if not fresh:
                self._go_on(there, outcomes)
                _cut_torn_line(path)
        else:
            fresh = True
        self._file = path.open("wb" if fresh else "ab")
        if fresh:
            self._write(header)

    @property
    def outcomes(self) -> list[Outcome]:
        return list(self._outcomes.values())

    def is_finished(self, variant: Variant, case: str) -> bool:
        """True unless it was never tried, or the provider failed."""
        found = self._outcomes.get((variant, case))
        return found is not None and found.error is None

    def add(self, outcome: Outcome) -> None:
        self._write(outcome)
        self._outcomes[outcome.variant, outcome.case] = outcome

    def __enter__(self) -> "Results":
        return self

    def __exit__(self, *exc: object) -> None:
        self._file.close()

    def _go_on(self, there: Header, outcomes: list[Outcome]) -> None:
        if there.hash != self.header.hash:
            raise ConfigError(
                f"{self.folder / FILE} holds results of other cases ({there.set}, {there.cases} of them): give another "
                "--out, or --fresh to throw them away"
            )
        self._outcomes = {(outcome.variant, outcome.case): outcome for outcome in outcomes}

    def _write(self, line: Struct) -> None:
        # Flushed line by line: a process that is killed has lost no case that it finished.
        self._file.write(msgspec.json.encode(line) + b"\n")
        self._file.flush()


def read_results(folder: Path) -> tuple[Header, list[Outcome]]:
    """What a folder holds; of a case that was tried again, the last. A line that a kill has cut is passed over."""
    path = folder / FILE
    try:
        first, *lines = path.read_bytes().split(b"\n")[:-1] or [b""]
    except OSError as error:
        raise ConfigError(f"can't read {path}: {error.strerror}; `toolpost eval` writes it") from error
    try:
        header = msgspec.json.decode(first, type=Header)
    except msgspec.DecodeError as error:
        raise ConfigError(f"{path} was not written by `toolpost eval`: {explain_decode_error(error)}") from error
    outcomes = (_decode(path, number, line) for number, line in enumerate(lines, 2))
    return header, list({(outcome.variant, outcome.case): outcome for outcome in outcomes}.values())


def _make(folder: Path) -> Path:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ConfigError(f"can't keep results in {folder}: {error.strerror}; give another --out") from error
    return folder


def _decode(path: Path, number: int, line: bytes) -> Outcome:
    try:
        return msgspec.json.decode(line, type=Outcome)
    except msgspec.DecodeError as error:
        raise ConfigError(
            f"{path}, line {number}: {explain_decode_error(error)}; delete that line, or the file"
        ) from error


def _cut_torn_line(path: Path) -> None:
    """Cut what a kill left behind the last whole line."""
    data = path.read_bytes()
    whole = data.rfind(b"\n") + 1
    if whole < len(data):
        os.truncate(path, whole)
