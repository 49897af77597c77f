"""Show the progress of an evaluation on stderr: a bar on a terminal, elsewhere a line now and then."""

import sys
import time
from types import TracebackType
from typing import Protocol, Self

from toolpost.cli.shared.progress_bar import Pace, ProgressBar, can_draw
from toolpost.cli.shared.tables import plain
from toolpost.evals.results import CaseResult
from toolpost.types.plurals import counted

SECONDS_BETWEEN_LINES = 5.0


class EvalProgress(Protocol):
    """Used in a `with`. `begin` is called once a variant, `advance` after each of its cases."""

    def begin(self, name: str, total: int, finished: int) -> None: ...
    def advance(self, outcome: CaseResult) -> None: ...
    def __enter__(self) -> Self: ...
    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


def progress() -> EvalProgress:
    return _Bar() if can_draw(sys.stderr) else _Lines()


class _Count:
    """What is said beside a bar or in a line."""

    def __init__(self, name: str, total: int, finished: int) -> None:
        self.name = plain(name)
        self.total = total
        self.finished = finished
        self._tried = self._passed = self._errors = 0

    def add(self, outcome: CaseResult) -> None:
        self.finished += 1
        self._errors += outcome.error is not None
        if outcome.error is None:
            self._tried += 1
            self._passed += outcome.scores["passed"]

    @property
    def text(self) -> str:
        errors = f", errors: {self._errors}" if self._errors else ""
        return f"passed: {self._passed} of {self._tried}{errors}" if self._tried or self._errors else ""


class _Bar:
    """One line a variant; that of the last one is drawn, and those before it stay."""

    def __init__(self) -> None:
        self._bar = ProgressBar(sys.stderr)
        self._count = _Count("", 0, 0)
        self._pace = Pace(0)

    def begin(self, name: str, total: int, finished: int) -> None:
        self._bar.keep()
        self._count, self._pace = _Count(name, total, finished), Pace(finished)
        self._draw()

    def advance(self, outcome: CaseResult) -> None:
        self._count.add(outcome)
        self._draw()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.keep()

    def _draw(self) -> None:
        count = self._count
        figures = (f"{count.finished}/{count.total}", count.text, self._pace.left(count.finished, count.total))
        self._bar.draw(count.name, count.finished, count.total, "  ".join(filter(None, figures)))


class _Lines:
    def __init__(self) -> None:
        self._count = _Count("", 0, 0)
        self._said = time.monotonic()

    def begin(self, name: str, total: int, finished: int) -> None:
        self._count = _Count(name, total, finished)
        self._say()

    def advance(self, outcome: CaseResult) -> None:
        self._count.add(outcome)
        is_due = time.monotonic() - self._said >= SECONDS_BETWEEN_LINES
        if is_due or self._count.finished == self._count.total:
            self._say()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        pass

    def _say(self) -> None:
        count = self._count
        passed = f", {count.text}" if count.text else ""
        sys.stderr.write(f"{count.name}: {count.finished} of {counted(count.total, 'case')}{passed}\n")
        sys.stderr.flush()
        self._said = time.monotonic()
