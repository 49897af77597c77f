"""The workflow `toolpost.fire`: a schedule of Temporal has come to its time, so a worker fires ours. It holds an id.

It is over in a moment, so that few of them are open at an upgrade; else it is as frozen as `workflow.py`, and imports
nothing of Toolpost either.
"""

from datetime import timedelta

from temporalio import workflow
from temporalio.common import RetryPolicy

# The run is begun and not waited for; a firing that fails here is begun by a server, a minute late.
FIRE_SECONDS = timedelta(seconds=60)
PATIENCE = timedelta(hours=1)
# As in `workflow.py`: there it waits for no slot.
END_QUEUE = "/end"
AGAIN = RetryPolicy(
    initial_interval=timedelta(seconds=0.5), maximum_interval=timedelta(seconds=30), maximum_attempts=10
)


@workflow.defn(name="toolpost.fire")
class FireWorkflow:
    @workflow.run
    async def run(self, schedule: dict[str, str]) -> None:
        await workflow.execute_activity(
            "toolpost.fire",
            schedule,
            task_queue=workflow.info().task_queue + END_QUEUE,
            start_to_close_timeout=FIRE_SECONDS,
            schedule_to_close_timeout=PATIENCE,
            retry_policy=AGAIN,
        )
