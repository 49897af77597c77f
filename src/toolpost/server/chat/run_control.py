"""Stop, answer and resume a run, or give it a prompt: in whichever process it runs, or in none."""

import asyncio
import contextlib
import logging
import time
from collections.abc import Awaitable, Callable, Iterator
from typing import TYPE_CHECKING

import msgspec

from toolpost.engine.drive import RunTicket
from toolpost.engine.unheld_runs import queue_run, stop_run, ticket_of
from toolpost.server.refusals import Refusal
from toolpost.store.contract import SessionInfo, Signal, Store
from toolpost.types.errors import RunStaysOpen, SessionBusy, ToolpostError
from toolpost.types.ids import new_id

from .driving import HOME
from .open_runs import id_of, look_at
from .other_processes import (
    MAX_SIGNAL_BYTES,
    AnswerSignal,
    PromptSignal,
    ReplySignal,
    SessionSignal,
    StopSignal,
    TakeBackSignal,
    obey,
    until,
)

if TYPE_CHECKING:
    from .conversation import Conversation
    from .conversations import Conversations

log = logging.getLogger("toolpost.server")

# A signal may be lost, and who got it may die or freeze: after this time it is looked who drives the run now.
HEED_SECONDS = 2.0
# Who is frozen is replaced after ten seconds. A person is told after this time that nobody has reacted.
PATIENCE_SECONDS = 20.0
# A request to stop returns after this time. What does not react at once is stopped in the background.
STOP_WAIT_SECONDS = 3.0
STOP_SECONDS = 60.0
# How soon it is looked again at a run that is just being taken up, or let go of, in this process.
MOMENT_SECONDS = 0.02


class AskClosed(Refusal):
    """What was asked is answered by now, or its run has ended."""

    def __init__(self, request_id: str) -> None:
        what = "question" if request_id.startswith("que") else "ask"
        text = f"there is no open {what} {request_id}: it was already answered, or its run has ended"
        super().__init__("not_found", text, code=f"{what}_closed")


class RunControl:
    """Whatever it does is done by the process that holds the session, or by this one while nobody holds it."""

    def __init__(self, conversations: "Conversations") -> None:
        self._conversations = conversations
        self._stopping: dict[str, asyncio.Task[None]] = {}
        self._taken: dict[str, asyncio.Event] = {}
        self._cancelling: dict[str, asyncio.Task[None]] = {}

    async def close(self) -> None:
        tasks = [*self._stopping.values(), *self._cancelling.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def stop(self, session_id: str) -> None:
        """Stop the run, if there is one. Where its process does not react soon, this goes on in the background. Raises
        `SessionNotFound`, and `SessionBusy` where that process is no server and may never hear of it."""
        task = self._stopping.get(session_id)
        if task is None:
            task = self._stopping[session_id] = asyncio.create_task(self._stop(session_id), name=f"stop {session_id}")
            task.add_done_callback(lambda _: self._stopping.pop(session_id, None))
        done, _ = await asyncio.wait({task}, timeout=STOP_WAIT_SECONDS)
        for task in done:
            await task
        if not done and await self._is_deaf(session_id):
            task.cancel()
            raise SessionBusy(
                f"a process in a terminal drives the run of session {session_id}, and does not hear this: stop it there"
            )

    async def answer(
        self,
        conversation: "Conversation",
        signal: ReplySignal | AnswerSignal,
        store_answer: Callable[[Store], Awaitable[RunTicket]],
    ) -> None:
        """Give an answer to the run that asked for it, and wake the run where it is parked. Raises `AskClosed`, or
        a `Refusal` if nobody reacts."""
        request_id = signal.ask_id if isinstance(signal, ReplySignal) else signal.question_id
        store, is_told = self._store, False
        for _ in _attempts(PATIENCE_SECONDS):
            session = conversation.session
            if not session.is_leaving and request_id in map(id_of, session.open_asks):
                await obey(signal, conversation)
                return
            if not await self._is_open(request_id, await store.info(conversation.id)):
                if is_told:
                    return
                raise AskClosed(request_id)
            if conversation.is_driven:
                # It is just being taken up, or let go of.
                await asyncio.sleep(MOMENT_SECONDS)
                continue
            try:
                await self._conversations.engine.wake(await store_answer(store))
                return
            except SessionBusy:
                is_told = True
                await self._tell(conversation.id, signal)
                await until(store, conversation.id, lambda info: self._is_closed(request_id, info), HEED_SECONDS)
        raise _unreachable()

    async def put(self, conversation: "Conversation", text: str, *, steer: bool) -> None:
        """Give a prompt to the open run (`steer`), or to a run after it. Without one, start a run."""
        prompt = PromptSignal(new_id("put"), text, steer)
        for _ in _attempts(PATIENCE_SECONDS):
            if conversation.runs_here:
                await obey(prompt, conversation)
                return
            info = await self._store.info(conversation.id)
            with contextlib.suppress(SessionBusy):
                if info.open_run is None:
                    await conversation.start(text)
                    return
                if not await self._is_driven(info):
                    await self._queue(conversation, prompt)
                    return
            if await self._hand_over(conversation.id, prompt):
                return
        raise _unreachable()

    async def take_back(self, conversation: "Conversation", prompt_id: str) -> str:
        """Take back a prompt that waits; returns its text, "" if a run has read it already."""
        for _ in _attempts(PATIENCE_SECONDS):
            with contextlib.suppress(SessionBusy):
                return await conversation.session.unqueue(prompt_id)
            waiting = {prompt.id: prompt.text for prompt in (await self._store.info(conversation.id)).inbox}
            if prompt_id not in waiting:
                return ""
            signal = TakeBackSignal(new_id("put"), prompt_id)
            if await self._hand_over(conversation.id, signal):
                return waiting[prompt_id]
        raise _unreachable()

    async def resume(self, session_id: str) -> None:
        """Let a run that was interrupted go on. Raises a `Refusal` where there is none, or it waits for an answer."""
        info = await self._store.info(session_id)
        if info.folder != str(self._conversations.workspace.project):
            text = f"this run belongs to the folder {info.folder}: resume it on a server of that"
            raise Refusal("conflict", text, code="run_waits")
        state = (await look_at(self._store, info)).state
        if state == "idle":
            raise Refusal("conflict", "there is no run to resume: send a prompt", code="nothing_to_resume")
        if state == "waiting":
            text = "this run waits for an answer: GET /api/asks lists what is asked"
            raise Refusal("conflict", text, code="run_waits")
        try:
            with contextlib.suppress(SessionBusy):
                await self._conversations.engine.wake(await queue_run(self._store, session_id))
        except RunStaysOpen as error:
            raise Refusal("conflict", str(error), code="run_waits") from error

    def prompt_taken(self, prompt_id: str) -> None:
        """Another process has said that a prompt of this one is stored."""
        if prompt_id in self._taken:
            self._taken[prompt_id].set()

    @property
    def _store(self) -> Store:
        return self._conversations.store

    async def _stop(self, session_id: str) -> None:
        store = self._store
        run_id = (await store.info(session_id)).open_run

        async def has_ended(info: SessionInfo) -> bool:
            return info.open_run is None or info.open_run != run_id

        for _ in _attempts(STOP_SECONDS):
            conversation = self._conversations.open.get(session_id)
            if conversation is not None and conversation.runs_here:
                await obey(StopSignal(), conversation)
                if conversation.session.is_unsaved:
                    return
            # One that was just being let go of is still open.
            info = await store.info(session_id)
            if await has_ended(info) or await self._end_unheld(info):
                return
            if conversation is not None and conversation.is_driven:
                await asyncio.sleep(MOMENT_SECONDS)
                continue
            await self._tell(session_id, StopSignal())
            await until(store, session_id, has_ended, HEED_SECONDS)

    async def _end_unheld(self, info: SessionInfo) -> bool:
        """End the run if nobody drives it. The engine is told, too, and not waited for: it may be out of reach."""
        record = await self._store.open_run(info.id)
        ticket = None if record is None else ticket_of(info, record)
        try:
            await stop_run(self._store, info.id)
        except SessionBusy:
            self._cancel(ticket)
            return False
        self._cancel(ticket)
        return True

    def _cancel(self, ticket: RunTicket | None) -> None:
        """Tell the engine, beside all else: what it is slow to hear must not keep the run going."""
        if ticket is None or ticket.run_id in self._cancelling:
            return
        task = self._cancelling[ticket.run_id] = asyncio.create_task(self._cancel_in_engine(ticket))
        task.add_done_callback(lambda _: self._cancelling.pop(ticket.run_id, None))

    async def _cancel_in_engine(self, ticket: RunTicket) -> None:
        try:
            await self._conversations.engine.cancel(ticket)
        except ToolpostError as error:
            log.warning("the engine could not cancel run %s: %s", ticket.run_id, error)

    async def _tell(self, session_id: str, signal: SessionSignal) -> None:
        body = msgspec.json.encode(signal)
        if len(body) > MAX_SIGNAL_BYTES:
            raise Refusal(
                "too_large", f"this run is in another process, which accepts at most {MAX_SIGNAL_BYTES:,} bytes at once"
            )
        await self._store.signal(Signal(session_id, body))

    async def _hand_over(self, session_id: str, signal: PromptSignal | TakeBackSignal) -> bool:
        """Tell another process of a prompt, or that it is wanted back; whether that has done it."""
        taken = self._taken[signal.id] = asyncio.Event()
        try:
            await self._tell(session_id, signal)
            async with asyncio.timeout(HEED_SECONDS):
                await taken.wait()
        except TimeoutError:
            return False
        finally:
            del self._taken[signal.id]
        return True

    async def _queue(self, conversation: "Conversation", prompt: PromptSignal) -> None:
        """Store a prompt while nobody drives the session. Raises `SessionBusy` if somebody does by now."""
        session = conversation.session
        await (session.steer(prompt.text) if prompt.steer else session.queue(prompt.text))
        record = session.open_run
        if record is not None and record.state == "queued":
            await self._conversations.engine.submit(ticket_of(session.info, record))

    async def _is_driven(self, info: SessionInfo) -> bool:
        holder = await self._store.holder(info.id)
        return holder is not None and holder.is_alive

    async def _is_deaf(self, session_id: str) -> bool:
        """Whether the process that drives the run is none that other processes can be sure to reach."""
        info, record = await self._store.info(session_id), await self._store.open_run(session_id)
        return record is not None and record.home != HOME and await self._is_driven(info)

    async def _is_open(self, request_id: str, info: SessionInfo) -> bool:
        waiting = (await look_at(self._store, info)).waiting
        return request_id in map(id_of, (*waiting.asks, *waiting.questions))

    async def _is_closed(self, request_id: str, info: SessionInfo) -> bool:
        return not await self._is_open(request_id, info)


def _attempts(seconds: float) -> Iterator[None]:
    """Once, and again for as long as there is time."""
    deadline = time.monotonic() + seconds
    yield
    while time.monotonic() < deadline:
        yield


def _unreachable() -> Refusal:
    text = "the process that runs this session does not react: try again in a moment"
    return Refusal("overloaded", text, status=503, retry_after=5.0, code="run_unreachable")
