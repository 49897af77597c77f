"""Write the results of a batch as JSON lines, and read those of an earlier start.

A line is written once the end of its run is stored. So a result that is missing because the process was killed is in
the store, and a line that was cut can be taken away.
"""

import contextlib
import os
import re
import stat
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Protocol

import msgspec
from msgspec import Struct

from toolpost.arguments.decode_errors import explain_decode_error
from toolpost.types.errors import ConfigError, ToolpostError
from toolpost.types.events import RunReason
from toolpost.types.messages import ErrorInfo, Usage

try:
    import fcntl
except ImportError:  # Windows: nobody notices that two batches write to one file
    fcntl = None

# Windows has none.
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)


class ItemResult(Struct, frozen=True):
    """How the run of an item ended. `cost` is null where a price is not known; `denied` are tools whose calls were
    refused."""

    id: str
    session: str
    reason: RunReason
    text: str = ""
    output: Any = None
    steps: int = 0
    usage: Usage = Usage()
    cost: float | None = None
    seconds: float = 0.0
    limit: str = ""
    error: ErrorInfo | None = None
    denied: tuple[str, ...] = ()
    metadata: dict[str, Any] | None = None

    @property
    def is_failed(self) -> bool:
        return self.reason != "done"


class ResultTarget(Protocol):
    """Where results go. `cost`, `failed` and `reasons` are of all that are there."""

    cost: float
    failed: int
    reasons: set[RunReason]

    def mend(self) -> None:
        """Make the place ready for what is added."""
        ...

    def has(self, item_id: str) -> bool: ...

    def add(self, result: ItemResult) -> None: ...


class ResultStream:
    """Results on stdout, where nothing is known of earlier ones. `write` takes a line."""

    def __init__(self, write: Callable[[str], None]) -> None:
        self._write = write
        self.cost = 0.0
        self.failed = 0
        self.reasons: set[RunReason] = set()

    def mend(self) -> None:
        pass

    def has(self, item_id: str) -> bool:
        return False

    def add(self, result: ItemResult) -> None:
        self._write(msgspec.json.encode(result).decode())
        self.cost += result.cost or 0.0
        self.failed += result.is_failed
        self.reasons.add(result.reason)


class _WrittenResult(Struct, frozen=True):
    """What has to be known of a result that is there already."""

    id: str
    session: str
    reason: RunReason
    cost: float | None = None


class ResultFile:
    """Results in a file, which is locked while it is open. Use it in a `with`, which closes it.

    `session_of` gives the session of an item, and so tells results of another batch. With `without_failed` those that
    failed do not count. The file is changed by `mend` and `add` only.
    """

    def __init__(self, path: Path, session_of: Callable[[str], str], *, without_failed: bool = False) -> None:
        self.path = path.absolute()
        self.cost = 0.0
        self.failed = 0
        self.reasons: set[RunReason] = set()
        self._session_of = session_of
        self._without_failed = without_failed
        self._ids: set[str] = set()
        self._whole_bytes = 0
        self._has_uncounted = False
        self._file = _locked(self.path)
        try:
            self._read()
        except BaseException:
            os.close(self._file)
            raise

    def mend(self) -> None:
        """Take out what does not count: a line that a kill has cut, and results whose items are to be run again."""
        if self._has_uncounted:
            self._rewrite()
        else:
            os.ftruncate(self._file, self._whole_bytes)

    def has(self, item_id: str) -> bool:
        return item_id in self._ids

    def add(self, result: ItemResult) -> None:
        size = os.fstat(self._file).st_size
        left = memoryview(msgspec.json.encode(result) + b"\n")
        try:
            while left:
                left = left[os.write(self._file, left) :]
        except OSError as error:
            # Half a line must not be the beginning of the next one.
            with contextlib.suppress(OSError):
                os.ftruncate(self._file, size)
            raise ToolpostError(
                f"cannot write to {self.path}: {error.strerror}; all that has run is stored, and the same command "
                "writes it"
            ) from error
        self._remember(result)

    def __enter__(self) -> "ResultFile":
        return self

    def __exit__(self, *exc: object) -> None:
        os.close(self._file)

    def _read(self) -> None:
        for line, written in self._written():
            self._whole_bytes += len(line)
            if written is None:
                continue
            if self._counts(written):
                self._remember(written)
            else:
                self._has_uncounted = True

    def _counts(self, written: _WrittenResult) -> bool:
        return written.reason == "done" or not self._without_failed

    def _written(self) -> Iterator[tuple[bytes, _WrittenResult | None]]:
        """Each whole line with its result; an empty one has none. A line that a kill has cut is passed over."""
        has_results = False
        # What is read is the file that is locked, whatever stands under its name by now.
        with open(self._file, "rb", closefd=False) as lines:
            lines.seek(0)
            for number, line in enumerate(lines, 1):
                if line.endswith(b"\n"):
                    written = self._decoded(number, line) if line.strip() else None
                    has_results = has_results or written is not None
                    yield line, written
                elif not self._is_cut(line, has_results):
                    # Not half a line of ours: it is somebody's file.
                    raise self._error(number, "is no result of a batch")

    def _is_cut(self, line: bytes, has_results: bool) -> bool:
        """Whether this is the beginning of a line of ours. Too little of one to tell is, where results stand above."""
        if (known := _ID.match(line)) is None:
            return has_results and line.startswith(_BEGINNING[: len(line)])
        try:
            session = self._session_of(msgspec.json.decode(known[1], type=str))
        except (msgspec.DecodeError, UnicodeDecodeError):
            return False
        ours = b'%s,"session":%s,' % (known[0], msgspec.json.encode(session))
        return line.startswith(ours[: len(line)])

    def _decoded(self, number: int, line: bytes) -> _WrittenResult:
        try:
            written = _decoder.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise self._error(number, f"is no result of a batch: {explain_decode_error(error)}") from error
        if written.session != self._session_of(written.id):
            raise self._error(number, "is a result of another batch")
        return written

    def _error(self, number: int, text: str) -> ConfigError:
        return ConfigError(
            f"{self.path}, line {number} {text}; give another --output, or the --name that this file was begun with"
        )

    def _remember(self, written: _WrittenResult | ItemResult) -> None:
        self._ids.add(written.id)
        self.reasons.add(written.reason)
        self.failed += written.reason != "done"
        self.cost += written.cost or 0.0

    def _rewrite(self) -> None:
        """Put a file with the results that count in the place of this one: a kill leaves the one or the other."""
        with tempfile.NamedTemporaryFile(dir=self.path.parent, prefix=f".{self.path.name}-", delete=False) as copy:
            try:
                for line, written in self._written():
                    if written is not None and self._counts(written):
                        copy.write(line)
                copy.flush()
                os.fsync(copy.fileno())
                Path(copy.name).chmod(stat.S_IMODE(os.fstat(self._file).st_mode))
                Path(copy.name).replace(self.path)
            except BaseException:
                Path(copy.name).unlink(missing_ok=True)
                raise
        before, self._file = self._file, _locked(self.path)
        os.close(before)


_decoder = msgspec.json.Decoder(_WrittenResult)
# How each of our lines begins.
_BEGINNING = b'{"id":"'
_ID = re.compile(rb'\{"id":("(?:[^"\\]|\\.)*")')


def _locked(path: Path) -> int:
    """Open the file for appending, made if need be. Raises `ConfigError` if another process writes to it.

    A link is not followed: whoever may write into the folder could lead the results into a file of somebody's home.
    """
    if path.is_symlink():
        raise ConfigError(f"{path} is a link, and results are not written through one: give the file's own path")
    if path.exists() and not path.is_file():
        raise ConfigError(f"{path} is not a file: give another --output, or none to have the results on stdout")
    while True:
        try:
            file = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | _NO_LINK, 0o666)
        except OSError as error:
            raise ConfigError(f"cannot write to {path}: {error.strerror}; give another --output") from error
        try:
            if fcntl is not None:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            # Another process may have put a new file in the place of this one before it was locked.
            if path.exists() and os.path.samestat(os.fstat(file), path.lstat()):
                return file
        except BlockingIOError as error:
            os.close(file)
            raise ConfigError(f"another batch writes to {path}: wait until it has ended") from error
        os.close(file)
