"""Open and leave the sessions of a chat, set them up again, and tell its face what happens in them."""

import asyncio
from argparse import Namespace
from collections.abc import Coroutine, Sequence
from contextlib import AsyncExitStack, suppress
from typing import Any

from toolpost.cli.shared.language import shown as shown_text
from toolpost.cli.shared.open_session import SERVER, SessionOpener
from toolpost.control.contract import Face, NoteKind, PermissionMode
from toolpost.engine.session import Session
from toolpost.engine.unheld_runs import close_interrupted, stop_run
from toolpost.models.contract import Model
from toolpost.store.contract import SessionInfo
from toolpost.store.run_records import RunRecord
from toolpost.types.errors import ModelError, OutputError, RunStaysOpen, SessionBusy, ToolpostError
from toolpost.types.events import Event, PermissionAsked, QuestionAsked, Settled
from toolpost.types.messages import FilePart
from toolpost.view.changes import Changes
from toolpost.view.session_facts import SessionState
from toolpost.view.transcript import TranscriptView
from toolpost.workspace import Workspace

from .chat_hooks import ChatHooks
from .file_finder import FileFinder
from .shown_session import ShownSession, with_known_agent

RUNS_ELSEWHERE = "another process drives the run of this session: what it does is shown here, and it is stopped there"


class SessionDesk:
    """The open session, and those that were left while they ran: they go on, and are there when they are opened."""

    def __init__(self, args: Namespace, stack: AsyncExitStack) -> None:
        self._face: Face | None = None
        self._early_notes: list[tuple[str, NoteKind]] = []
        self._hooks = ChatHooks()
        self._agent_before = ""
        self._title: str = args.title
        self._undone: dict[str, frozenset[str]] = {}
        self._background: dict[str, ShownSession] = {}
        self._work: set[asyncio.Task[None]] = set()
        self._shell: asyncio.Task[None] | None = None
        # Prompts that are put into a run wait in the order in which they came.
        self._putting = asyncio.Lock()
        self.opener = SessionOpener(args, stack, self._warn, arrange=self._hooks.arranged)
        self._finder = FileFinder(self.opener.workspace)
        self._shown = self._new_shown()

    @property
    def view(self) -> TranscriptView:
        return self._shown.view

    @property
    def workspace(self) -> Workspace:
        return self.opener.workspace

    @property
    def session(self) -> Session:
        """The open session; raises while it is being opened."""
        return self._shown.session

    @property
    def session_id(self) -> str:
        return self._shown.id

    @property
    def has_begun(self) -> bool:
        return self._shown.is_stored

    @property
    def mode(self) -> PermissionMode:
        return self._hooks.mode

    async def stop(self) -> None:
        shown = self._shown
        if self._shell is not None:
            self._shell.cancel()
            await asyncio.wait({self._shell})
        elif shown.runs_here:
            await self.session.abort()
            self._tell(shown, None, shown.view.know(state="idle"))
        elif shown.open_run is not None:
            try:
                await stop_run(self.workspace.store, shown.id)
            except SessionBusy as error:
                raise ToolpostError(RUNS_ELSEWHERE) from error
            shown.open_run = None
            await shown.catch_up()

    async def resume(self) -> None:
        shown = self._shown
        if shown.open_run is None and self.session.open_run is None:
            raise ToolpostError("no run of this session was interrupted")
        self._refuse_elsewhere()
        if shown.open_run is not None:
            shown.use(await self._set_up(with_known_agent(await self._info(), shown.open_run)), self.mode)
        record, shown.open_run = shown.open_run, None
        # At once: whoever waits for the end of what runs would take it for idle until its first event.
        before = shown.view.facts.state
        self._tell(shown, None, shown.view.know(state="waiting" if shown.view.asks else "busy"))
        self._spawn(self._resumed(shown, self.session, record, before))

    async def switch(self, model: Model, agent: str) -> None:
        """Go on in the open session with another model, or as another agent."""
        self._refuse_busy("change the model or the agent")
        await self._switched()
        await self._switch(self._shown, model, agent)

    def _new_shown(self) -> ShownSession:
        return ShownSession(self.opener.workspace.store, self._tell)

    async def _begin_new(self) -> None:
        model = self._shown.session.model if self._shown.is_open else await self.opener.model()
        shown = self._shown = self._new_shown()
        shown.use(self.opener.new(model), self.mode)
        self._opened()

    async def _show(self, session_id: str) -> None:
        """Open a stored session: its end at once, and what a run needs after that."""
        known = self._background.get(session_id)
        shown = known or self._new_shown()
        if known is None:
            await shown.read(session_id)
        await self._leave_shown()
        self._background.pop(session_id, None)
        self._shown = shown
        self._opened()
        if known is None:
            assert shown.info is not None
            self._tell(shown, None, shown.use(await self._set_up(shown.info), self.mode))
            await self._go_on(shown)

    async def _leave_shown(self) -> None:
        """What runs goes on in the background."""
        if self._shell is not None:
            await self.stop()
        shown = self._shown
        if shown.runs_here:
            self._background[shown.id] = shown
        else:
            await shown.close()

    async def _read_again(self) -> None:
        """The conversation has gone back: begin with another view."""
        shown = self._shown
        session = shown.session
        await shown.read(shown.id)
        shown.use(session, self.mode)
        self._opened()

    async def _set_up(self, info: SessionInfo) -> Session:
        return self.opener.stored_session(await self.opener.model(info), info)

    async def _switch(self, shown: ShownSession, model: Model, agent: str) -> None:
        old = shown.session
        if shown.is_stored:
            await old.save()
            shown.info = await self.workspace.store.info(shown.id)
            new = self.opener.stored_session(model, shown.info, agent)
        else:
            new = self.opener.new(model, agent)
        await old.close()
        self._tell(shown, None, shown.use(new, self.mode))

    async def _go_on(self, shown: ShownSession) -> None:
        """Go on with a run whose process died, or that waits for an answer, as the settings say."""
        record, policy = shown.open_run, self.workspace.config.resume
        if record is None:
            return
        if shown.is_driven_elsewhere or record.home == SERVER:
            shown.follow()
            self._note(RUNS_ELSEWHERE)
        elif policy == "ask" and record.state != "waiting":
            self._note("a run of this session was interrupted: /resume goes on with it", "warning")
        elif policy == "never" and await close_interrupted(self.workspace.store, shown.id):
            shown.open_run = None
            await shown.catch_up()
            self._note('the run that was interrupted here is closed, as resume = "never" says', "warning")
        elif policy != "never":
            self._note("going on with the run that was interrupted")
            await self.resume()

    async def _go_on_answered(self) -> None:
        """An answer was stored for a run that nobody drives: go on with it, unless a server does."""
        shown = self._shown
        await shown.catch_up()
        shown.open_run = await self.workspace.store.open_run(shown.id)
        if shown.open_run is not None and shown.open_run.home == SERVER:
            shown.follow()
        elif shown.open_run is not None:
            await self.resume()

    async def _resumed(
        self, shown: ShownSession, session: Session, record: RunRecord | None, before: SessionState
    ) -> None:
        # How a model failed is told by the end of the run.
        try:
            with suppress(ModelError, OutputError):
                await session.resume()
        except ToolpostError as error:
            if isinstance(error, RunStaysOpen):
                # So that it can be stopped here.
                shown.open_run = record
            self._tell(shown, None, shown.view.know(state=before))
            raise

    async def _begin(self, text: str, files: Sequence[FilePart] = ()) -> None:
        self._refuse_elsewhere()
        self._refuse_busy("start another one")
        await self._switched()
        shown = self._shown
        await shown.session.begin(text, files=tuple(files))
        shown.open_run = None
        self._say_busy(shown)

    def _say_busy(self, shown: ShownSession) -> None:
        """Its first event comes a moment later."""
        if shown.runs_here:
            self._tell(shown, None, shown.view.know(state="busy"))

    def _switch_back(self, shown: ShownSession, model: Model, agent: str) -> None:
        shown.switching = self._spawn(self._switch(shown, model, agent))

    async def _switched(self) -> None:
        """Wait until the session is again what it was before a command."""
        if self._shown.switching is not None:
            await asyncio.wait({self._shown.switching})
            self._shown.switching = None

    async def _info(self) -> SessionInfo:
        if not self.has_begun:
            raise ToolpostError("nothing was said in this session yet")
        await self.session.save()
        return await self.workspace.store.info(self.session_id)

    def _refuse_elsewhere(self) -> None:
        if self._shown.is_driven_elsewhere:
            raise ToolpostError(RUNS_ELSEWHERE)

    def _refuse_busy(self, what: str) -> None:
        if self._shown.runs_here or self._shell is not None:
            raise ToolpostError(
                f"something runs in this session: wait until it has ended, or stop it, before you {what}"
            )

    def _opened(self) -> None:
        if self._face is not None:
            self._face.session_opened()

    def _tell(self, shown: ShownSession, event: Event | None, changes: Changes) -> None:
        if shown is self._shown and changes and self._face is not None:
            self._face.session_changed(changes)
        if isinstance(event, Settled) and shown.when_settled is not None:
            shown.when_settled, ended = None, shown.when_settled
            ended()
        if shown.id in self._background:
            self._tell_of_background(shown, event)

    def _tell_of_background(self, shown: ShownSession, event: Event | None) -> None:
        title = shown.view.facts.title or shown.id
        if isinstance(event, PermissionAsked | QuestionAsked):
            self._note(f"the session “{title}” waits for your answer", "warning")
        elif isinstance(event, Settled):
            self._note(f"the run of the session “{title}” has ended")
            del self._background[shown.id]
            self._spawn(shown.close())

    def _warn(self, text: str) -> None:
        self._note(text, "warning")

    def _note(self, text: str, kind: NoteKind = "info") -> None:
        if self._face is None:
            self._early_notes.append((shown_text(text), kind))
        else:
            self._face.note(shown_text(text), kind)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Do it in the background; what fails is told to the person."""

        async def tell_failure() -> None:
            try:
                await work
            except ToolpostError as error:
                self._note(str(error), "error")

        task = asyncio.create_task(tell_failure())
        self._work.add(task)
        task.add_done_callback(self._work.discard)
        return task
