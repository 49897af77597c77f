"""A worker: it takes runs from a task queue of Temporal, and has a `Driver` drive them in this process. It also begins
the runs of schedules whose time has come there."""

import asyncio
import threading
from collections.abc import Callable, Coroutine, Mapping
from datetime import timedelta
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, TypeVar

from toolpost.config.schema import EngineSettings
from toolpost.engine.drive import Driver
from toolpost.schedules.engine import ScheduleDriver
from toolpost.types.errors import ToolpostError

from .connection import address_of, connect
from .queues import queue_of

if TYPE_CHECKING:
    from temporalio.client import Client
    from temporalio.worker import Worker

    from .activities import Activities

T = TypeVar("T")

# A process that is frozen keeps its open polls, and each of them swallows a task: so there are few.
POLLS = 2
# The server hears that a poll has ended a moment after this side: what it gives out meanwhile is lost until a timeout.
LAST_POLL_SECONDS = 0.1
# How long a worker that stops waits for the server to take its last answers.
END_SECONDS = 3.0
LAST_STEP_SECONDS = 1.0
# A heartbeat is sent at once if none was sent for so long.
HEARTBEAT_PAUSE = timedelta(seconds=0.5)


class TemporalWorker:
    """Takes the runs of a folder, or of its pool."""

    def __init__(self, settings: EngineSettings, environ: Mapping[str, str], folder: Path) -> None:
        self._settings = settings
        self._environ = environ
        # What is wrong in the settings is an error now.
        self.place = address_of(settings).place
        self.queue = queue_of(folder, settings.pool)
        self.slots = settings.slots
        self._stop = asyncio.Event()

    async def run(
        self,
        driver: Driver,
        on_ready: Callable[[], object] = lambda: None,
        *,
        schedules: ScheduleDriver | None = None,
    ) -> None:
        """Drive runs until `stop`, and release then what is driven here. Call it in the loop that the driver belongs
        to, and `schedules`. Raises `ConfigError` and `ToolpostError` if the server can't be used."""
        # Imported here, as it imports Temporal's client.
        from .activities import Activities

        activities = Activities(driver, asyncio.get_running_loop(), schedules)
        with _LoopThread() as temporal:
            client = await temporal.run(connect(self._settings, self._environ))
            workers = await temporal.run(self._make(client, activities, fires=schedules is not None))
            running = {asyncio.create_task(temporal.run(worker.run())) for worker in workers}
            stopped = asyncio.create_task(self._stop.wait())
            on_ready()
            try:
                await asyncio.wait({*running, stopped}, return_when=asyncio.FIRST_COMPLETED)
            finally:
                stopped.cancel()
                # Polling ends first: what is released must neither come back here nor get lost with a poll.
                ending = {asyncio.create_task(temporal.run(worker.shutdown())) for worker in workers}
                await asyncio.sleep(LAST_POLL_SECONDS)
                await activities.release_all()
                _, hanging = await asyncio.wait({*running, *ending}, timeout=END_SECONDS)
                for task in hanging:
                    task.cancel()
        for task in running - hanging:
            if (error := task.exception()) is not None:
                raise ToolpostError(f"the worker can't go on: {error}") from error

    def stop(self) -> None:
        """Take no more runs, and release those that are driven here, so that other workers go on with them."""
        self._stop.set()

    async def _make(self, client: "Client", activities: "Activities", *, fires: bool) -> "tuple[Worker, ...]":
        """One for the decisions, one for the drives, and one for what waits for no slot: ends of runs that nobody
        drives, and firings of schedules."""
        from temporalio.worker import PollerBehaviorSimpleMaximum, Worker

        from .schedule_workflow import FireWorkflow
        from .workflow import END_QUEUE, RunWorkflow

        few = PollerBehaviorSimpleMaximum(POLLS)
        deciding = Worker(
            client,
            task_queue=self.queue,
            workflows=[RunWorkflow, *([FireWorkflow] if fires else ())],
            workflow_task_poller_behavior=few,
            # Histories are short. With a cache, what happens to a run would wait for the worker that has it there.
            max_cached_workflows=0,
            # Else a run could come before those that wait.
            disable_eager_activity_execution=True,
        )
        driving = Worker(
            client,
            task_queue=self.queue,
            activities=[activities.drive],
            max_concurrent_activities=self.slots,
            max_task_queue_activities_per_second=self._settings.per_second,
            activity_task_poller_behavior=few,
            max_heartbeat_throttle_interval=HEARTBEAT_PAUSE,
            default_heartbeat_throttle_interval=HEARTBEAT_PAUSE,
            graceful_shutdown_timeout=timedelta(minutes=1),
        )
        ending = Worker(
            client,
            task_queue=self.queue + END_QUEUE,
            activities=[activities.cancel, activities.give_up, *([activities.fire] if fires else ())],
            activity_task_poller_behavior=few,
            graceful_shutdown_timeout=timedelta(minutes=1),
        )
        return deciding, driving, ending


class _LoopThread:
    """A thread with an event loop, for Temporal's client: see `activities`."""

    def __init__(self) -> None:
        self._runner = asyncio.Runner(loop_factory=asyncio.new_event_loop)
        self._loop = self._runner.get_loop()
        self._thread = threading.Thread(target=self._serve, name="toolpost-temporal", daemon=True)

    def __enter__(self) -> "_LoopThread":
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(LAST_STEP_SECONDS)

    async def run(self, work: Coroutine[Any, Any, T]) -> T:
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work, self._loop))

    def _serve(self) -> None:
        self._loop.run_forever()
        # What still runs is cancelled.
        self._runner.close()
