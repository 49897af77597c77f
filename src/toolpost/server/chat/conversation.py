"""One session of one user, whichever process runs it: start, stop, follow and answer its runs."""

import asyncio
import contextlib
from collections import deque
from collections.abc import AsyncGenerator, Generator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self

from msgspec import UNSET, UnsetType, structs

from toolpost.engine.model_options import merge
from toolpost.engine.permissions import Answer
from toolpost.engine.questions import Given, checked_answers
from toolpost.engine.run_options import check_switched_off
from toolpost.engine.session import Session
from toolpost.engine.session_setup import Setup
from toolpost.engine.stored_sessions import open_session
from toolpost.engine.unheld_runs import answer_ask, answer_question
from toolpost.server.accounts.bounds import check_approval
from toolpost.server.refusals import Refusal
from toolpost.server.users import User
from toolpost.store.contract import SessionInfo
from toolpost.store.run_records import RunRecord
from toolpost.types.errors import SessionBusy, ToolpostError
from toolpost.types.events import (
    CompactionEnd,
    CutOff,
    Event,
    MessageEnd,
    MessageStart,
    PermissionAsked,
    QuestionAsked,
    Reply,
    RunParked,
    Settled,
)
from toolpost.types.messages import FilePart

from .message_tree import MessageTree
from .open_runs import OpenRunLook, Waiting, id_of, look_at
from .other_processes import AnswerSignal, PromptSignal, ReplySignal, stored_events
from .run_control import AskClosed
from .session_settings import KEPT_AS, ChatSettings, kept, settings_of

if TYPE_CHECKING:
    from .conversations import Conversations

_TURNS = (PermissionAsked, QuestionAsked, RunParked, Settled, CutOff)
# A prompt that comes twice, because its sender did not hear that it is stored, is known so long.
_PROMPTS_KNOWN = 100


class Conversation:
    """A session of a user, opened by `Conversations`. `session` is replaced while nothing runs, if other settings apply
    or it was unused for long."""

    def __init__(self, conversations: "Conversations", info: SessionInfo, user: User) -> None:
        self.id = info.id
        self.user = user
        self.used = 0.0
        self._conversations = conversations
        self._settings: ChatSettings
        self._setup: Setup
        self._set_up_for = user
        self._settings, self._setup = self._that_can_run(settings_of(info))
        self._holders = 0
        self._after = 0
        self._heard = 0
        self._tree: MessageTree | None = None
        self._prompts: deque[str] = deque(maxlen=_PROMPTS_KNOWN)
        self._one_start = asyncio.Lock()
        self._turned = asyncio.Event()
        self.put_away()

    @property
    def runs_here(self) -> bool:
        return self.session.status.state != "idle"

    @property
    def is_working(self) -> bool:
        """Whether something runs here that neither waits for a person nor is just being let go of."""
        return self.session.drives and self.session.status.state in ("busy", "retrying")

    @property
    def is_driven(self) -> bool:
        """Whether its run is driven here, or is just being taken up or let go of."""
        return self._conversations.is_driven(self.id) or self.runs_here

    @property
    def can_close(self) -> bool:
        is_used = self._holders or self._one_start.locked() or self.session.is_unsaved
        return not (self.is_driven or is_used)

    def be_for(self, user: User) -> None:
        """Set the session up again if its user's role has changed. What runs goes on as it began."""
        self.user = user
        if user != self._set_up_for and self.can_close:
            self._settings, self._setup = self._that_can_run(self._settings)
            self._set_up_for = user
            self.put_away()

    async def info(self) -> SessionInfo:
        return self.session.info if self.runs_here else await self._conversations.store.info(self.id)

    async def start(
        self,
        prompt: str | None,
        *,
        files: Sequence[FilePart] = (),
        at: str | UnsetType | None = UNSET,
        options: Mapping[str, Any] | None = None,
        switch_off: Sequence[str] = (),
        model: str = "",
        agent: str = "",
        system: str = "",
        variant: str = "",
    ) -> int:
        """Start a run that continues without its client; return the `seq` after which its events come.

        `at` is the message to continue from; without a prompt the model answers the prompt that is there. What is not
        given is taken from the session's settings.
        """
        async with self._one_start:
            self._conversations.use(self)
            # Before that, an answer that another process was given would not reach this one.
            await self._conversations.hearing()
            # What a full disk could not take is stored first, or this run is refused with the reason.
            await self.session.save()
            info = await self.info()
            await self._refuse_while_open(info)
            own = settings_of(info)
            self._set_up(structs.replace(own, model=model or own.model, agent=agent or own.agent))
            await check_switched_off(switch_off, self._setup)
            # A variant was chosen for a model; another model may not have it.
            usual = own.variant if model in ("", own.model) else ""
            start = self.session.begin if self._conversations.begins_here else self._submit
            self._after = await start(
                prompt,
                files=files,
                options=merge(own.options, options),
                switch_off=(*own.switched_off, *switch_off),
                system=system or own.system,
                variant=variant or usual,
                at=at,
            )
            return self._after

    async def take_up(self, record: RunRecord) -> Session:
        """Return the session, set up for its open run: with the model and the agent that the run began with, and what
        the person may do now. Raises a `Refusal` or a `ToolpostError` where it can't go on."""
        await self._conversations.hearing()
        await self.session.save()
        self._set_up(self._conversations.settings_of_run(record, settings_of(await self.info()), self.user))
        return self.session

    async def take(self, prompt: PromptSignal) -> None:
        """Store a prompt that came from another process."""
        if prompt.id in self._prompts:
            return
        await (self.session.steer(prompt.text) if prompt.steer else self.session.queue(prompt.text))
        self._prompts.append(prompt.id)

    async def run_after(self) -> int | None:
        """Return the event before the first one of the current run; None if nothing runs."""
        if self._has_ended_unstored:
            return None
        info = await self.info()
        if info.open_run is not None:
            return info.run_seq - 1
        return self._after if self.runs_here else None

    async def seq(self) -> int:
        """Return the number of the last event."""
        return self.session.seq if self.runs_here else (await self.info()).seq

    async def tree(self) -> MessageTree:
        """Return all messages of all branches; they are read again only if another process has changed the session."""
        if self._tree is None or (not self.runs_here and (await self.info()).seq != self._heard):
            self._tree = MessageTree([message async for message in self._conversations.store.messages(self.id)])
            self._heard = await self.seq()
        return self._tree

    async def events(self, after: int) -> AsyncGenerator[Event, None]:
        """Yield every event after `after`, stored and new, until the session is settled: also while its run is parked,
        and from one process to the next. What another process has taken over begins again with the last event that was
        stored."""
        while True:
            is_live, last = self.session.drives, None
            async with contextlib.aclosing(self._events(after, is_live)) as events:
                async for last in events:
                    after = last.seq
                    if isinstance(last, CutOff):
                        break
                    yield last
            if isinstance(last, Settled) if is_live else await self._is_over(after):
                return

    async def look(self) -> OpenRunLook:
        """Return what the session is doing, and what waits for an answer."""
        record = self.session.open_run
        # Of one that is just being taken up, or let go of, the store knows more.
        knows_more = self.session.is_leaving or (record is not None and record.state != "running")
        if not self.runs_here or knows_more:
            if self._has_ended_unstored:
                return OpenRunLook()
            return await look_at(self._conversations.store, await self._conversations.store.info(self.id))
        opened = self.session.open_asks
        asks = tuple(asked for asked in opened if isinstance(asked, PermissionAsked))
        questions = tuple(asked for asked in opened if isinstance(asked, QuestionAsked))
        return OpenRunLook("waiting" if opened else self.session.status.state, Waiting(asks, questions))

    async def waiting(self) -> Waiting:
        """Return the open asks and questions of this session."""
        return (await self.look()).waiting

    async def stop(self) -> None:
        """Stop the run, if there is one, wherever it is; what was said is stored."""
        if self.runs_here or (await self.info()).open_run is not None:
            await self._conversations.control.stop(self.id)

    async def resume(self) -> None:
        """Let a run that was interrupted go on."""
        self._check_role()
        if not self.runs_here:
            await self._conversations.control.resume(self.id)

    async def reply(self, ask_id: str, reply: Reply, message: str = "") -> None:
        asked = await self._asked(ask_id)
        if not isinstance(asked, PermissionAsked):
            raise AskClosed(ask_id)
        if reply != "reject":
            check_approval(self._conversations.workspace, self.user, asked)
        await self._conversations.control.answer(
            self,
            ReplySignal(ask_id, reply, message),
            lambda store: answer_ask(store, self.id, ask_id, Answer(reply, message)),
        )

    async def answer(self, question_id: str, answers: Given) -> None:
        """Answer a question with one text, or several options, each. None dismisses the question, which ends the
        run."""
        asked = await self._asked(question_id)
        if not isinstance(asked, QuestionAsked):
            raise AskClosed(question_id)
        given = checked_answers(asked, answers)
        await self._conversations.control.answer(
            self,
            AnswerSignal(question_id, given),
            lambda store: answer_question(store, self.id, question_id, given),
        )

    async def put(self, text: str, *, steer: bool) -> None:
        """Give a prompt to the current run (`steer`), or to a run after it. If nothing runs, start a run."""
        self._check_role()
        await self._conversations.control.put(self, text, steer=steer)

    async def take_back(self, prompt_id: str) -> str:
        """Take back a prompt that waits; returns its text, "" if a run has read it already."""
        return await self._conversations.control.take_back(self, prompt_id)

    async def rename(self, title: str) -> None:
        await self.session.rename(title)

    async def configure(self, settings: ChatSettings) -> None:
        """Store other settings for the next run. Raises a `Refusal` if a name in them is unknown; a tool that no longer
        exists may stay switched off."""
        were = settings_of(await self.info()).switched_off
        setup = self._conversations.setup(self.user, settings)
        await check_switched_off([name for name in settings.switched_off if name not in were], setup)
        await self.session.keep(KEPT_AS, kept(settings))

    @contextlib.contextmanager
    def held(self) -> Generator[Self]:
        """Keep the session open while it is used outside of a run."""
        self._check_role()
        self._holders += 1
        try:
            yield self
        finally:
            self._holders -= 1

    async def changed(self) -> None:
        """Return when the current run here asks something, or has ended."""
        await self._turned.wait()

    def put_away(self) -> None:
        """Drop the loaded session; it is loaded again when it is used."""
        self.session = Session(self._setup, self._conversations.store, self.id)
        self.session.subscribe(self._hear)
        if self._conversations.spans is not None:
            self._conversations.spans.watch(self.session)

    async def let_go(self) -> bool:
        """Leave a run that runs here to another process, or to a person's answer; whether there was one to leave."""
        had_run = self.runs_here
        await self.session.park()
        is_released = self.runs_here
        await self.session.release()
        await self.session.close()
        return had_run and is_released

    def _check_role(self) -> None:
        """Raise a `Refusal` while something runs here that began when its user had another role."""
        if self.user != self._set_up_for:
            text = "your role has changed since this run began: stop it, or wait until it has ended"
            raise Refusal("conflict", text, code="role_changed")

    @property
    def _has_ended_unstored(self) -> bool:
        """A run has ended here, but the store could not be told."""
        return not self.is_driven and self.session.is_unsaved

    async def _events(self, after: int, is_live: bool) -> AsyncGenerator[Event, None]:
        if not is_live:
            await self._close_old_run()
        store = self._conversations.store
        following = (
            self.session.events(after) if is_live else stored_events(store, self.id, after, lambda: self.session.drives)
        )
        async with contextlib.aclosing(following) as events:
            async for event in events:
                yield event

    async def _is_over(self, after: int) -> bool:
        info = await self._conversations.store.info(self.id)
        return info.open_run is None and info.seq <= after and not self.session.drives

    async def _close_old_run(self) -> None:
        """A run of an older version that nobody can go on with ends, before somebody waits for it."""
        info = await self._conversations.store.info(self.id)
        if info.open_run is not None and await self._conversations.store.open_run(self.id) is None:
            await open_session(self._conversations.store, self.id)

    async def _asked(self, request_id: str) -> PermissionAsked | QuestionAsked | None:
        """Return what is asked under this id; also by a run that is just being taken up, and has not asked again."""
        store = self._conversations.store
        for asked in self.session.open_asks:
            if request_id == id_of(asked):
                return asked
        stored = (await look_at(store, await store.info(self.id))).waiting
        return next((one for one in (*stored.asks, *stored.questions) if request_id == id_of(one)), None)

    async def _refuse_while_open(self, info: SessionInfo) -> None:
        """Raise `SessionBusy` while an open run is going on, or goes on soon: a new one would push it aside."""
        record = await self._conversations.store.open_run(self.id) if info.open_run is not None else None
        if record is None or self.runs_here:
            return
        goes_on = record.state == "running" and self._conversations.goes_on_by_itself(record, info)
        if record.state == "queued" or goes_on:
            raise SessionBusy(
                f"session {self.id} has a run that is not over: wait until it has ended, stop it, or fork the session "
                "to go on at once"
            )

    async def _submit(self, prompt: str | None, **arguments: Any) -> int:
        """Store a run, and let the engine decide who drives it."""
        ticket = await self.session.submit(prompt, **arguments)
        after = self.session.info.run_seq - 1
        await self._conversations.engine.submit(ticket)
        return after

    def _set_up(self, settings: ChatSettings) -> None:
        if self.runs_here:
            return
        wanted = _that_matter(settings)
        if wanted != self._settings or self.user != self._set_up_for:
            self._setup, self._settings = self._conversations.setup(self.user, wanted), wanted
            self._set_up_for = self.user
            self.put_away()

    def _that_can_run(self, settings: ChatSettings) -> tuple[ChatSettings, Setup]:
        """Return settings that work. A session whose model or agent no longer exists can still be read; a run then says
        what is missing."""
        wanted = _that_matter(settings)
        try:
            return wanted, self._conversations.setup(self.user, wanted)
        except (Refusal, ToolpostError):
            return ChatSettings(), self._conversations.setup(self.user, ChatSettings())

    def _grow(self, tree: MessageTree, event: Event) -> None:
        if isinstance(event, MessageStart | MessageEnd):
            tree.add(event.message)
        elif isinstance(event, CompactionEnd) and event.error is None:
            # No other event tells of a summary; it is where the branch ends.
            tree.add(self.session.messages[-1])

    def _hear(self, event: Event) -> None:
        self._heard = event.seq
        if self._tree is not None:
            self._grow(self._tree, event)
        if isinstance(event, _TURNS):
            self._turned.set()
            self._turned = asyncio.Event()
        self._conversations.heard(event)
        if isinstance(event, CutOff):
            # Another process goes on with it: what was not stored here is not what happened.
            asyncio.get_running_loop().call_soon(self._forget_all)

    def _forget_all(self) -> None:
        self._tree = None
        if self.can_close:
            self.put_away()


def _that_matter(settings: ChatSettings) -> ChatSettings:
    """Return the settings that a session is set up with."""
    return ChatSettings(settings.model, settings.agent)
