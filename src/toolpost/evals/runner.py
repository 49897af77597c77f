"""Put cases to a model, some at a time, until all are done or going on makes no sense."""

import asyncio
from collections.abc import Callable, Sequence

from toolpost.types.messages import ErrorInfo

from .cases import Case
from .outcome import Outcome
from .trial import Subject, try_case

# After one of these every other case would fail alike.
HOPELESS_CODES = frozenset({"auth", "spend_limit", "not_found", "unreachable"})
MOST_ERRORS_IN_A_ROW = 5


async def run_cases(
    subject: Subject, cases: Sequence[Case], finished: Callable[[Outcome], None], *, concurrency: int = 1
) -> ErrorInfo | None:
    """Run the cases; `finished` gets each as soon as it is. Returns why it was given up, or None.

    Cancelling drops the cases that are on their way.
    """
    waiting = iter(cases)
    patience = _Patience()

    async def work() -> None:
        for case in waiting:
            outcome = await try_case(subject, case)
            finished(outcome)
            patience.note(outcome)
            if patience.lost_over is not None:
                return

    try:
        async with asyncio.TaskGroup() as tasks:
            for _ in range(min(concurrency, len(cases))):
                tasks.create_task(work())
    except BaseExceptionGroup as failures:
        raise failures.exceptions[0] from None
    return patience.lost_over


class _Patience:
    def __init__(self) -> None:
        self.lost_over: ErrorInfo | None = None
        self._in_a_row = 0

    def note(self, outcome: Outcome) -> None:
        error = outcome.error
        self._in_a_row = self._in_a_row + 1 if error else 0
        if error and (error.code in HOPELESS_CODES or self._in_a_row >= MOST_ERRORS_IN_A_ROW):
            self.lost_over = error
