"""The workflow `toolpost.run`: when a run is driven, and how often. It holds the run's ids, and nothing else of it.

Runs that wait for months are replayed with this code, so a change must replay the histories in
tests/temporal/histories; docs/decisions/0015 says how. It imports nothing of Toolpost.
"""

import asyncio
from datetime import timedelta

from temporalio import workflow
from temporalio.common import RetryPolicy, SearchAttributeKey
from temporalio.exceptions import ActivityError, ApplicationError

STATE = SearchAttributeKey.for_keyword("ToolpostState")

# A worker that is silent for so long is dead: its run is driven elsewhere. Five such deaths are enough.
HEARTBEAT = timedelta(seconds=3)
ATTEMPTS = 5
AGAIN = RetryPolicy(
    initial_interval=timedelta(seconds=0.5), maximum_interval=timedelta(seconds=10), maximum_attempts=ATTEMPTS
)
# A run may take as long as it likes, but Temporal wants a number.
NO_LIMIT = timedelta(days=3650)
# A run that nobody drives is ended in a queue of its own, where it waits for no slot, and for as long as it takes.
END_QUEUE = "/end"
END_SECONDS = timedelta(seconds=10)
UNTIL_ENDED = RetryPolicy(initial_interval=timedelta(seconds=0.5), maximum_interval=timedelta(seconds=60))
# The session is held by somebody else, or the store is away.
BUSY_PAUSE = timedelta(seconds=10)
# Then a new history begins, so that none grows without end.
DRIVES_IN_A_HISTORY = 12


@workflow.defn(name="toolpost.run")
class RunWorkflow:
    def __init__(self) -> None:
        self._is_answered = False
        self._is_in_drive = False
        self._is_shown = STATE in workflow.info().typed_search_attributes

    @workflow.signal(name="answered")
    def answered(self) -> None:
        self._is_answered = True

    @workflow.signal(name="driven")
    def driven(self) -> None:
        """A worker has begun to drive the run."""
        if self._is_in_drive:
            self._show("running")

    @workflow.run
    async def run(self, run: dict[str, str]) -> str:
        try:
            for _ in range(DRIVES_IN_A_HISTORY):
                outcome = await self._drive(run)
                if outcome == "waiting":
                    self._show("waiting")
                    await workflow.wait_condition(lambda: self._is_answered)
                elif outcome == "busy":
                    await workflow.sleep(BUSY_PAUSE)
                elif outcome != "released":
                    return outcome
                self._show("queued")
        except (asyncio.CancelledError, ActivityError):
            if workflow.cancellation_reason() is None:
                # The worker only forgets the workflow, or the end could not be stored.
                raise
            await self._end("toolpost.cancel", run)
            raise asyncio.CancelledError from None
        return workflow.continue_as_new(run)

    async def _drive(self, run: dict[str, str]) -> str:
        # An answer that comes from here on may be to a question that this drive has not seen.
        self._is_answered = False
        self._is_in_drive = True
        try:
            outcome: str = await workflow.execute_activity(
                "toolpost.drive",
                args=[run, self._is_shown],
                result_type=str,
                heartbeat_timeout=HEARTBEAT,
                start_to_close_timeout=NO_LIMIT,
                retry_policy=AGAIN,
                # The worker first stores the end of the run.
                cancellation_type=workflow.ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
            )
        except ActivityError as error:
            if workflow.cancellation_reason() is not None:
                raise
            await self._end("toolpost.give_up", {**run, "error": _kind(error)})
            raise ApplicationError("the run was given up", type="given_up") from error
        finally:
            self._is_in_drive = False
        if workflow.cancellation_reason() is not None and outcome in ("waiting", "busy", "released"):
            # The request came too late for the worker.
            raise asyncio.CancelledError
        return outcome

    async def _end(self, activity: str, run: dict[str, str]) -> None:
        await workflow.execute_activity(
            activity,
            run,
            task_queue=workflow.info().task_queue + END_QUEUE,
            start_to_close_timeout=END_SECONDS,
            retry_policy=UNTIL_ENDED,
        )

    def _show(self, state: str) -> None:
        if self._is_shown:
            workflow.upsert_search_attributes([STATE.value_set(state)])  # pyright: ignore[reportUnknownMemberType]


def _kind(error: ActivityError) -> str:
    """The type of the error that came last; "" where the workers died."""
    cause = error.cause
    return cause.type or "" if isinstance(cause, ApplicationError) else ""
