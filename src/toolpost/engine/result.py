"""The result of a run, or the exception that says why it failed."""

from typing import Any, Generic, TypeVar

from msgspec import Struct

from toolpost.types.errors import (
    ModelError,
    OutputError,
    RunNotStored,
    SessionTakenOver,
    StoreError,
    ToolpostError,
    UsageError,
)
from toolpost.types.events import RunReason
from toolpost.types.messages import FilePart, Usage

from .permissions import MissingPermission
from .state import Run

T = TypeVar("T")


class RunResult(Struct, Generic[T], frozen=True):
    """How a run ended. `text` is the last answer; `cost` is None where a price is not known.

    `reason`: done, limit (`limit` says which), aborted, denied, repetition; in a `RunNotStored`, error; parked where
    the run is still open, because it was released here or waits for a person. `denied` are
    the tools that the headless policy refused, and `refusals` say what it was that each wanted. `files` are those that
    the model itself made.
    `output` is the validated value of the type that was asked for; it is None only where the run was aborted, denied or
    stopped for repetition.
    """

    session_id: str
    text: str
    reason: RunReason
    steps: int
    usage: Usage
    cost: float | None
    output: T
    limit: str = ""
    denied: tuple[str, ...] = ()
    files: tuple[FilePart, ...] = ()
    refusals: tuple[MissingPermission, ...] = ()


def result_of(session_id: str, run: Run) -> RunResult[Any]:
    """The result of an ended run. Raises what made it fail."""
    error = run.error
    if error is not None:
        if error.code == "output":
            raise OutputError(error.message)
        if error.code == "store":
            raise StoreError(error.message) if run.is_stored else RunNotStored(error.message, _result(session_id, run))
        if error.code == "wiring":
            raise UsageError(error.message)
        if error.code == "taken_over":
            raise SessionTakenOver(session_id)
        if error.code in ("hook", "internal"):
            raise ToolpostError(error.message)
        raise ModelError(error)
    if run.output is not None and not run.output.done and run.reason == "limit":
        raise OutputError(f"the run reached its limit ({run.limit}) before the model gave a valid output")
    return _result(session_id, run)


def _result(session_id: str, run: Run) -> RunResult[Any]:
    assert run.reason is not None
    output = run.output.value if run.output is not None else None
    return RunResult(
        session_id,
        run.text,
        run.reason,
        run.step,
        run.usage,
        run.cost,
        output,
        run.limit,
        tuple(refusal.tool for refusal in run.refusals),
        tuple(run.files),
        tuple(run.refusals),
    )
