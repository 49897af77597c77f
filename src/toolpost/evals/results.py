"""Store results: every finished case is a line of `results.jsonl`, so that a run that was stopped can be continued."""

import hashlib
import os
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from toolpost.arguments.decode_errors import explain_decode_error
from toolpost.types.errors import ConfigError
from toolpost.types.messages import ErrorInfo, Usage

from .cases import SYSTEM, CaseSet, Category, Expected
from .variants import Variant

# In the order in which they are shown, each with what it says.
METRICS = {
    "passed": "everything that the case asks for",
    "tool": "the right tools, whatever their arguments",
    "arguments": "the right calls, with the right arguments, and no other",
    "well_formed": "of the turns with calls: every call could be read and fits its schema",
    "no_call": "no tool fits, and none was called",
    "asked": "something needed is missing: no call, and a question for it",
    "answered": "of the right calls: the answer says what the results say",
}


class JudgedCall(Struct, frozen=True, omit_defaults=True):
    """A call as the engine would run it. `problem` says why it could not be run; `raw` is text that is not JSON.

    `asked` is the model's spelling of the name where it was repaired.
    """

    name: str
    arguments: dict[str, Any] = {}
    asked: str = ""
    raw: str = ""
    problem: str = ""


class CaseResult(Struct, frozen=True, omit_defaults=True):
    """`calls` and `text` are of the first turn, `answer` and `calls_again` of the one with the results.

    `scores` has the metrics that apply to the case. Times are in seconds, without attempts that failed.

    A case that ended in an `error` of the provider's is neither right nor wrong: it has no score that needs what did
    not come, and is tried again by the next start.
    """

    variant: Variant
    case: str
    category: Category
    language: str
    question: str
    expected: Expected
    scores: dict[str, bool] = {}
    calls: tuple[JudgedCall, ...] = ()
    text: str = ""
    answer: str | None = None
    calls_again: tuple[JudgedCall, ...] = ()
    first: float = 0.0
    took: float = 0.0
    answer_took: float = 0.0
    usage: Usage = Usage()
    error: ErrorInfo | None = None

    @property
    def seconds(self) -> float:
        """Both turns."""
        return self.took + self.answer_took


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
        self._outcomes: dict[tuple[Variant, str], CaseResult] = {}
        path = _make(folder) / FILE
        if path.exists() and path.stat().st_size:
            # Read even where it is thrown away: a file that is not ours is never overwritten.
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
    def outcomes(self) -> list[CaseResult]:
        return list(self._outcomes.values())

    def is_finished(self, variant: Variant, case: str) -> bool:
        """True unless it was never tried, or the provider failed."""
        found = self._outcomes.get((variant, case))
        return found is not None and found.error is None

    def add(self, outcome: CaseResult) -> None:
        self._write(outcome)
        self._outcomes[outcome.variant, outcome.case] = outcome

    def __enter__(self) -> "Results":
        return self

    def __exit__(self, *exc: object) -> None:
        self._file.close()

    def _go_on(self, there: Header, outcomes: list[CaseResult]) -> None:
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


def read_results(folder: Path) -> tuple[Header, list[CaseResult]]:
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


def _decode(path: Path, number: int, line: bytes) -> CaseResult:
    try:
        return msgspec.json.decode(line, type=CaseResult)
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
