"""Put cases to a model: a turn with the question and, where its calls are right, a turn with their results."""

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import Any

from msgspec import structs

from toolpost.engine.limits import Limits
from toolpost.engine.model_turn import retry_delay
from toolpost.models.contract import Model, ModelRequest
from toolpost.types.messages import Completed, ErrorInfo, Message, Part, TextPart, ToolPart

from .cases import SYSTEM, Case
from .results import CaseResult, JudgedCall
from .scoring import judged_calls, positions, score_answer, score_calls
from .turn import TimedTurn, take_turn
from .variants import Variant


class Subject:
    """A model under test. `options` go with every request."""

    def __init__(
        self, variant: Variant, model: Model, *, options: Mapping[str, Any] | None = None, limits: Limits | None = None
    ) -> None:
        self.variant = variant
        self._model = model
        self._options = {"temperature": 0, **(options or {})}
        self._limits = limits or Limits()

    async def ask(self, case: Case, messages: Sequence[Message]) -> TimedTurn:
        """One turn, tried again where the engine would."""
        attempt = 0
        while True:
            request = ModelRequest(
                messages,
                system=(_system(case),),
                tools=case.tools,
                options=self._options,
                idle_timeout=self._limits.stream_idle,
            )
            turn = await take_turn(self._model, request)
            if turn.error is None:
                return turn
            if self._gives_up_temperature(turn.error):
                continue
            attempt += 1
            delay = retry_delay(turn.error, attempt, self._limits)
            if delay is None:
                return turn
            await asyncio.sleep(delay)

    def _gives_up_temperature(self, error: ErrorInfo) -> bool:
        """Some models take no temperature but their own, and say so in a refusal."""
        refused = error.code == "bad_request" and "temperature" in error.message and "temperature" in self._options
        if refused:
            self._options = {name: value for name, value in self._options.items() if name != "temperature"}
        return refused


async def try_case(subject: Subject, case: Case) -> CaseResult:
    """Put the case to the model and judge it."""
    question = Message("msg_1", "user", (TextPart(case.question),))
    turn = await subject.ask(case, (question,))
    calls = judged_calls(turn, case.tools)
    outcome = CaseResult(
        subject.variant,
        case.id,
        case.category,
        case.language,
        case.question,
        case.expected,
        calls=calls,
        text=turn.text,
        first=turn.first,
        took=turn.took,
        usage=turn.usage,
        error=turn.error,
    )
    if turn.error is not None:
        return outcome
    scores = score_calls(case, calls, turn.text)
    places = positions(case, calls)
    if not (case.expected.answer and calls and places is not None):
        return structs.replace(outcome, scores={"passed": _is_passed(scores), **scores})
    messages = (question, _with_results(turn, calls, _results(case, calls, places)))
    return _with_answer(structs.replace(outcome, scores=scores), case, await subject.ask(case, messages))


def _with_answer(outcome: CaseResult, case: Case, turn: TimedTurn) -> CaseResult:
    outcome = structs.replace(
        outcome,
        answer=turn.text,
        calls_again=judged_calls(turn, case.tools),
        answer_took=turn.took,
        usage=outcome.usage + turn.usage,
        error=turn.error,
    )
    if turn.error is not None:
        return outcome
    scores = {**outcome.scores, "answered": score_answer(case, turn.text)}
    return structs.replace(outcome, scores={"passed": _is_passed(scores), **scores})


def _is_passed(scores: Mapping[str, bool]) -> bool:
    return all(scores.values())


def _system(case: Case) -> str:
    if not case.today:
        return SYSTEM
    return f"{SYSTEM} Today is {date.fromisoformat(case.today):%A}, {case.today}."


def _results(case: Case, calls: Sequence[JudgedCall], places: Sequence[int]) -> list[str]:
    """The result of each call. Where a tool is called more than once, each call gets that of the call it stands for."""
    results: list[str] = []
    for call, place in zip(calls, places, strict=True):
        before = sum(other.name == call.name and at < place for other, at in zip(calls, places, strict=True))
        texts = case.results[call.name]
        results.append(texts[min(before, len(texts) - 1)])
    return results


def _with_results(turn: TimedTurn, calls: Sequence[JudgedCall], results: Sequence[str]) -> Message:
    """The model's message as a session would hold it, its calls completed."""
    done = {call.id: (got, result) for call, got, result in zip(turn.calls, calls, results, strict=True)}
    now = time.time()
    return Message("msg_2", "assistant", tuple(_completed(part, done, now) for part in turn.parts))


def _completed(part: Part, done: Mapping[str, tuple[JudgedCall, str]], now: float) -> Part:
    if not isinstance(part, ToolPart):
        return part
    got, result = done[part.call_id]
    state = Completed(got.arguments, (TextPart(result),), now, now)
    return ToolPart(part.call_id, got.name, state, got.asked, part.metadata)


# After one of these every other case would fail alike.
HOPELESS_CODES = frozenset({"auth", "spend_limit", "not_found", "unreachable"})
MAX_ERRORS_IN_A_ROW = 5


async def run_cases(
    subject: Subject, cases: Sequence[Case], finished: Callable[[CaseResult], None], *, concurrency: int = 1
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

    def note(self, outcome: CaseResult) -> None:
        error = outcome.error
        self._in_a_row = self._in_a_row + 1 if error else 0
        if error and (error.code in HOPELESS_CODES or self._in_a_row >= MAX_ERRORS_IN_A_ROW):
            self.lost_over = error
