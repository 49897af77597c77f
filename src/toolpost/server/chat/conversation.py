"""One session of one user, whichever process runs it: start, stop, follow and answer its runs."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, AsyncIterator, Generator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self

import msgspec
from msgspec import UNSET, Struct, UnsetType, structs

from toolpost.engine.model_options import merge
from toolpost.engine.questions import Given
from toolpost.engine.run_options import check_switched_off
from toolpost.engine.session import Session
from toolpost.engine.session_setup import Setup
from toolpost.server.accounts.bounds import check_approval
from toolpost.server.refusals import Refusal
from toolpost.server.users import User
from toolpost.store.contract import SessionInfo, Signal
from toolpost.types.errors import SessionBusy, ToolpostError
from toolpost.types.events import (
    CompactionEnd,
    CutOff,
    Event,
    MessageEnd,
    MessageStart,
    PermissionAsked,
    PermissionReplied,
    QuestionAsked,
    QuestionReplied,
    Reply,
    Settled,
)
from toolpost.types.messages import FilePart

from .message_tree import MessageTree
from .other_processes import (
    MAX_SIGNAL_BYTES,
    AnswerSignal,
    PromptSignal,
    ReplySignal,
    SessionSignal,
    StopSignal,
    obey,
    remote_events,
)
from .session_settings import KEPT_AS, ChatSettings, kept, settings_of

if TYPE_CHECKING:
    from .conversations import Conversations

_TURNS = (PermissionAsked, QuestionAsked, Settled)


class Waiting(Struct, frozen=True):
    """Asks and questions that nobody has answered yet."""

    asks: tuple[PermissionAsked, ...] = ()
    questions: tuple[QuestionAsked, ...] = ()


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
        self._one_start = asyncio.Lock()
        self._turned = asyncio.Event()
        self.put_away()

    @property
    def runs_here(self) -> bool:
        return self.session.status.state != "idle"

    @property
    def can_close(self) -> bool:
        return not (self.runs_here or self._holders or self._one_start.locked() or self.session.is_unsaved)

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
            own = settings_of(await self.info())
            self._set_up(structs.replace(own, model=model or own.model, agent=agent or own.agent))
            await check_switched_off(switch_off, self._setup)
            # A variant was chosen for a model; another model may not have it.
            usual = own.variant if model in ("", own.model) else ""
            self._after = await self.session.begin(
                prompt,
                files=files,
                options=merge(own.options, options),
                switch_off=(*own.switched_off, *switch_off),
                system=system or own.system,
                variant=variant or usual,
                at=at,
            )
            return self._after

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
        """Yield every event after `after`, stored and new, until the session is settled, without gaps or duplicates."""
        while True:
            async with contextlib.aclosing(self._events(after)) as events:
                async for event in events:
                    if isinstance(event, CutOff):
                        break
                    after = event.seq
                    yield event
                else:
                    return

    async def waiting(self) -> Waiting:
        """Return the open asks and questions of this session."""
        if self.runs_here:
            opened = self.session.open_asks
            asks = tuple(asked for asked in opened if isinstance(asked, PermissionAsked))
            return Waiting(asks, tuple(asked for asked in opened if isinstance(asked, QuestionAsked)))
        info = await self.info()
        if info.open_run is None or self._has_ended_unstored:
            return Waiting()
        return await _waiting_in(self._conversations.store.events(self.id, max(0, info.run_seq - 1)))

    async def stop(self) -> None:
        """Stop the run, if there is one; what was said is stored."""
        if self.runs_here or (await self.info()).open_run is not None:
            await self._send(StopSignal())

    async def reply(self, ask_id: str, reply: Reply, message: str = "") -> None:
        asked = next((one for one in (await self.waiting()).asks if one.ask_id == ask_id), None)
        if asked is None:
            raise Refusal(
                "not_found",
                f"there is no open ask {ask_id}: it was already answered, or its run has ended",
                code="ask_closed",
            )
        if reply != "reject":
            check_approval(self._conversations.workspace, self.user, asked)
        await self._send(ReplySignal(ask_id, reply, message))

    async def answer(self, question_id: str, answers: Given) -> None:
        """Answer a question with one text, or several options, each. None dismisses the question, which ends the
        run."""
        if all(question_id != asked.question_id for asked in (await self.waiting()).questions):
            raise Refusal(
                "not_found",
                f"there is no open question {question_id}: it was already answered, or its run has ended",
                code="question_closed",
            )
        chosen = None if answers is None else [(one,) if isinstance(one, str) else tuple(one) for one in answers]
        await self._send(AnswerSignal(question_id, None if chosen is None else tuple(chosen)))

    async def put(self, text: str, *, steer: bool) -> None:
        """Give a prompt to the current run (`steer`), or to a run after it. If nothing runs, start a run."""
        self._check_role()
        if not self.runs_here and (await self.info()).open_run is None:
            try:
                await self.start(text)
            except SessionBusy:
                pass
            else:
                return
        await self._send(PromptSignal(text, steer))

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

    def _check_role(self) -> None:
        """Raise a `Refusal` while something runs here that began when its user had another role."""
        if self.user != self._set_up_for:
            text = "your role has changed since this run began: stop it, or wait until it has ended"
            raise Refusal("conflict", text, code="role_changed")

    @property
    def _has_ended_unstored(self) -> bool:
        """A run has ended here, but the store could not be told."""
        return not self.runs_here and self.session.is_unsaved

    def _events(self, after: int) -> AsyncGenerator[Event, None]:
        if self.runs_here:
            return self.session.events(after)
        return remote_events(self._conversations.store, self.id, after, self._tidy_up)

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

    async def _send(self, signal: SessionSignal) -> None:
        if self.runs_here:
            await obey(signal, self)
            return
        body = msgspec.json.encode(signal)
        if len(body) > MAX_SIGNAL_BYTES:
            raise Refusal(
                "too_large", f"this run is in another process, which accepts at most {MAX_SIGNAL_BYTES:,} bytes at once"
            )
        await self._conversations.store.signal(Signal(self.id, body))

    async def _tidy_up(self) -> None:
        """Close the run that a dead process left open, by opening the session."""
        if self.can_close:
            self.put_away()
            await self.session

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


def _that_matter(settings: ChatSettings) -> ChatSettings:
    """Return the settings that a session is set up with."""
    return ChatSettings(settings.model, settings.agent)


async def _waiting_in(events: AsyncIterator[Event]) -> Waiting:
    asks, questions = dict[str, PermissionAsked](), dict[str, QuestionAsked]()
    async for event in events:
        match event:
            case PermissionAsked():
                asks[event.ask_id] = event
            case PermissionReplied():
                asks.pop(event.ask_id, None)
            case QuestionAsked():
                questions[event.question_id] = event
            case QuestionReplied():
                questions.pop(event.question_id, None)
            case _:
                pass
    return Waiting(tuple(asks.values()), tuple(questions.values()))
