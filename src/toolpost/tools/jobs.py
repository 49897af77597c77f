"""Run background jobs: commands that outlive the step that started them, and end with their session.

Whatever happens to this process, none of them stays behind: a sandbox ends with the process that opened it.
"""

import asyncio
import contextlib
import time
from collections import Counter
from collections.abc import Awaitable, Callable

from toolpost.guard.redact import known_secrets
from toolpost.guard.sandbox.sandbox import Launch
from toolpost.guard.secret_replacer import ByteStreamRedactor
from toolpost.types.errors import ToolError
from toolpost.types.text import counted

from .process import Child
from .threads import run_in_thread


class BackgroundJob:
    """One command. `code` is its exit code once it has ended, `lost` what came too fast to be kept for the reader."""

    def __init__(self, job_id: str, session_id: str, command: str, description: str, keep: int) -> None:
        self.id = job_id
        self.session_id = session_id
        self.command = command
        self.description = description
        self.started = time.time()
        self.ended = asyncio.Event()
        self.code: int | None = None
        self.stopped = False
        self.size = 0
        self.lost = 0
        self._keep = keep
        self._unread = bytearray()
        self._flow = ByteStreamRedactor(known_secrets())
        self.task: asyncio.Task[None] | None = None

    @property
    def running(self) -> bool:
        return not self.ended.is_set()

    @property
    def status(self) -> str:
        if self.running:
            return f"running for {time.time() - self.started:.0f} s"
        return "stopped" if self.stopped else f"ended with exit code {self.code}"

    def take(self, data: bytes) -> None:
        """Keep the newest output that was not read yet."""
        self.size += len(data)
        self._add(self._flow.feed(data))

    def finish(self) -> None:
        """No output follows."""
        self._add(self._flow.end())
        self.ended.set()

    def read(self) -> tuple[bytes, int]:
        """The output since the last time, and how many bytes before it were too many to be kept."""
        if len(self._unread) > self._keep:
            self._cut()
        data, lost = bytes(self._unread), self.lost
        self._unread.clear()
        self.lost = 0
        return data, lost

    async def wait(self, seconds: float) -> bool:
        """True if it ended within that time."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self.ended.wait(), seconds)
        return not self.running

    def _add(self, data: bytes) -> None:
        self._unread += data
        if len(self._unread) > 2 * self._keep:
            self._cut()

    def _cut(self) -> None:
        over = len(self._unread) - self._keep
        del self._unread[:over]
        self.lost += over


class BackgroundJobs:
    """The jobs of a workspace. At most `most` of a session run at once."""

    def __init__(self, most: int, keep: int) -> None:
        self._most = most
        self._keep = keep
        self._jobs: dict[str, dict[str, BackgroundJob]] = {}
        # Jobs that are about to run, by session: they take up room already.
        self._starting: Counter[str] = Counter()

    def of(self, session_id: str) -> tuple[BackgroundJob, ...]:
        """The jobs of a session, oldest first, those that have ended too."""
        return tuple(self._jobs.get(session_id, {}).values())

    def get(self, session_id: str, job_id: str) -> BackgroundJob:
        known = self._jobs.get(session_id, {})
        if job_id in known:
            return known[job_id]
        there = ", ".join(f"{job.id} ({job.status})" for job in known.values()) or "none"
        raise ToolError(f"There is no job {job_id!r}. Jobs of this session: {there}.")

    def require_room(self, session_id: str) -> None:
        running = [job.id for job in self.of(session_id) if job.running]
        if len(running) + self._starting[session_id] >= self._most:
            raise ToolError(
                f"No more than {counted(self._most, 'job')} at once ({', '.join(running)}): stop one with job_stop."
            )

    async def start(
        self,
        session_id: str,
        command: str,
        description: str,
        launch: Launch,
        after: Callable[[], Awaitable[None]] | None = None,
    ) -> BackgroundJob:
        """Start a job. It closes the launch when it has ended, and awaits `after`, before anybody hears of it."""
        try:
            self.require_room(session_id)
            self._starting[session_id] += 1
            try:
                child = await Child.start(launch.argv, cwd=launch.cwd, env=launch.env, pass_fds=launch.pass_fds)
            finally:
                self._starting[session_id] -= 1
        except BaseException:
            launch.close()
            raise
        known = self._jobs.setdefault(session_id, {})
        job = BackgroundJob(f"job_{len(known) + 1}", session_id, command, description, self._keep)
        known[job.id] = job
        job.task = asyncio.create_task(_follow(job, child, launch, after), name=f"{job.id} of {session_id}")
        return job

    async def stop(self, job: BackgroundJob) -> None:
        """End a job and all its processes."""
        if job.running and job.task is not None:
            job.stopped = True
            job.task.cancel()
            await job.ended.wait()

    async def close(self, session_id: str) -> None:
        """End the jobs of a session, and forget them."""
        await asyncio.gather(*(self.stop(job) for job in self.of(session_id)))
        self._jobs.pop(session_id, None)

    async def close_all(self) -> None:
        await asyncio.gather(*(self.close(session_id) for session_id in list(self._jobs)))


async def _follow(
    job: BackgroundJob, child: Child, launch: Launch, after: Callable[[], Awaitable[None]] | None
) -> None:
    try:
        job.code = await child.follow(job.take)
    except asyncio.CancelledError:
        # To cancel the task is to stop the job; the rest of this task only tidies up.
        job.stopped = True
    finally:
        await asyncio.shield(asyncio.ensure_future(_tidy(job, child, launch, after)))


async def _tidy(job: BackgroundJob, child: Child, launch: Launch, after: Callable[[], Awaitable[None]] | None) -> None:
    try:
        await child.end()
        await child.wait()
        await run_in_thread(launch.close)
        job.take(launch.refused.encode())
    finally:
        try:
            if after is not None:
                await after()
        finally:
            job.finish()
