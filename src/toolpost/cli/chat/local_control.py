"""The sessions of this folder for a face: open them, run prompts in the background, answer asks, undo, fork, choose."""

import asyncio
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager

from toolpost.arguments.suggestions import closest
from toolpost.cli.shared.find_by_id import find_session
from toolpost.cli.shared.mcp_mentions import ExpandedPrompt, prompt_of_server, server_prompts, with_mentions
from toolpost.cli.shared.stop_requests import heed_stops
from toolpost.control.contract import (
    AgentRow,
    ChangedFileDiff,
    Face,
    Feature,
    ModelRow,
    PermissionMode,
    ServerRow,
    SessionRow,
    UndonePrompt,
)
from toolpost.control.modes import PLAN_AGENT, is_edit
from toolpost.definitions.commands import CommandFile
from toolpost.engine.model_options import variant_options
from toolpost.engine.permissions import Answer
from toolpost.engine.session import Session
from toolpost.engine.unheld_runs import answer_ask, answer_question
from toolpost.plugins.hooks import Command
from toolpost.store.contract import SessionInfo
from toolpost.types.errors import SessionBusy, ToolpostError
from toolpost.types.events import PermissionAsked, QuestionAsked
from toolpost.types.messages import FilePart, Reply
from toolpost.view.items import ApprovalItem
from toolpost.view.transcript import TranscriptView
from toolpost.workspace.command_prompts import prompt_from

from .session_desk import RUNS_ELSEWHERE, SessionDesk
from .shown_session import ShownSession

MAX_LISTED = 1_000


class LocalControl(SessionDesk):
    """Implements `Control` for this machine. `opener` and `workspace` are for faces in this process that show more than
    the contract has."""

    @property
    def features(self) -> frozenset[Feature]:
        workspace = self.workspace
        found: dict[Feature, bool] = {
            "shell": "bash" in workspace.tools,
            "files": True,
            "undo_files": True,
            "servers": workspace.servers is not None,
            "jobs": True,
            "everywhere": not self.opener.is_unstored,
            "variants": True,
            "rename": True,
            "stored": not self.opener.is_unstored,
        }
        return frozenset(name for name, has in found.items() if has)

    @property
    def place(self) -> str:
        return str(self.workspace.project)

    @property
    def folder(self) -> str:
        info = self._shown.info
        return (info.folder if info is not None else "") or str(self.workspace.project)

    @property
    def is_at_beginning(self) -> bool:
        return self._shown.is_at_beginning

    async def start(self, face: Face) -> None:
        if self._face is None and not self.opener.is_unstored:
            self._spawn(heed_stops(self.workspace.store, self._running))
        self._face = face
        for text, kind in self._early_notes:
            face.note(text, kind)
        self._early_notes.clear()
        if self._shown.is_open:
            # Another face had it before.
            face.session_opened()
            return
        info = await self.opener.asked_for()
        if info is None:
            await self._begin_new()
            return
        await self._show(info.id)
        if self._title:
            await self.rename(self._title)

    async def close(self, *, leaves_runs: bool = False) -> None:
        # Where nothing ever goes on with a run, one that is left open would never end.
        leaves_runs = leaves_runs and self.workspace.config.resume != "never" and not self.opener.is_unstored
        shown = (self._shown, *self._background.values())
        if leaves_runs:
            await asyncio.gather(*(one.let_go() for one in shown))
        work = [*self._work, *([self._shell] if self._shell is not None else [])]
        for task in work:
            task.cancel()
        await asyncio.gather(*work, return_exceptions=True)
        for one in shown:
            await one.close()

    async def prompt(self, text: str, files: Sequence[FilePart] = ()) -> None:
        said = await with_mentions(self.workspace, text)
        await self._begin(said.text, (*files, *said.files))

    async def put(self, text: str, *, steer: bool) -> None:
        """What a mention brings along besides text stays out: a prompt that waits has no files."""
        self._refuse_elsewhere()
        said = await with_mentions(self.workspace, text)
        session = await self.session
        async with self._putting:
            await (session.steer(said.text) if steer else session.queue(said.text))
            if session.status.state == "idle" and session.waiting:
                # The run had ended meanwhile: nobody else would take it up.
                await self._begin_waiting(session)
        self._shown.refresh()

    async def _begin_waiting(self, session: Session) -> None:
        text = await session.unqueue(session.waiting[0].id)
        if not text:
            return
        try:
            await self._begin(text)
        except ToolpostError:
            # Something else has begun: it waits for the end of that.
            await session.queue(text)

    async def unqueue(self, prompt_id: str) -> str:
        self._refuse_elsewhere()
        text = await self.session.unqueue(prompt_id)
        self._shown.refresh()
        return text

    async def retry(self) -> None:
        session = await self.session
        prompt = next((one for one in reversed(session.messages) if one.role == "user"), None)
        if prompt is None:
            raise ToolpostError("there is nothing to retry")
        self._refuse_elsewhere()
        await session.begin(None, at=prompt.id)
        self._say_busy(self._shown)

    async def reply(self, ask_id: str, reply: Reply, message: str = "") -> None:
        session = self.session
        if any(isinstance(one, PermissionAsked) and one.ask_id == ask_id for one in session.open_asks):
            session.reply(ask_id, reply, message)
            return
        with _refused_elsewhere():
            await answer_ask(self.workspace.store, session.id, ask_id, Answer(reply, message))
        await self._go_on_answered()

    async def answer(self, question_id: str, answers: Sequence[tuple[str, ...]] | None) -> None:
        session, given = self.session, None if answers is None else tuple(answers)
        if any(isinstance(one, QuestionAsked) and one.question_id == question_id for one in session.open_asks):
            session.answer(question_id, given)
            return
        with _refused_elsewhere():
            await answer_question(self.workspace.store, session.id, question_id, given)
        await self._go_on_answered()

    async def command(self, name: str, argument: str) -> None:
        plugins, files = self.plugin_commands(), self.workspace.commands
        if name in plugins:
            await self._begin(plugins[name].prompt.replace("$ARGUMENTS", argument))
        elif name in files:
            await self._run_file(files[name], argument)
        elif name.startswith("mcp__"):
            said: ExpandedPrompt = await prompt_of_server(self.workspace, name, argument)
            await self._begin(said.text, said.files)
        else:
            likely = closest(name, [*plugins, *files])
            more = f"did you mean /{likely}?" if likely else "/help lists them"
            raise ToolpostError(f"unknown command /{name}: {more}")

    async def shell(self, command: str) -> None:
        """Its call is shown like one of the model's. What it gave stands beside the next prompt, where the model reads
        it: it is kept in this process until then."""
        if "bash" not in self.workspace.tools:
            raise ToolpostError("there is no tool bash here, which runs commands")
        self._refuse_elsewhere()
        if self._shell is not None or self._shown.runs_here:
            raise ToolpostError("something runs: wait until it has ended, or stop it")
        task = self._shell = asyncio.create_task(self._call_shell(self._shown, command))
        try:
            await asyncio.wait({task})
        finally:
            self._shell = None
        if not task.cancelled():
            task.result()

    async def earlier(self) -> None:
        self._tell(self._shown, None, await self._shown.earlier())

    async def undo(self, message_id: str = "") -> UndonePrompt | None:
        from .file_undo import plan_undo

        if not self.has_begun:
            return None
        session = await self.session
        self._refuse_busy("undo a prompt")
        branch = session.messages
        at = next(
            (
                place
                for place in range(len(branch) - 1, -1, -1)
                if branch[place].role == "user"
                and (branch[place].id == message_id if message_id else branch[place].text)
            ),
            None,
        )
        prompt = branch[at] if at is not None else None
        if prompt is None and message_id:
            # It stands before what was summarised.
            prompt = await self.workspace.store.message(session.id, message_id)
        if prompt is None:
            return None
        later = [one.id for one in (branch if at is None else branch[at:]) if one.role == "user"]
        undone, plan = await plan_undo(self.workspace, [prompt.id, *later])
        self._undone[prompt.id] = undone
        await session.branch(prompt.parent_id)
        await self._read_again()
        return UndonePrompt(prompt.id, prompt.text, *plan)

    async def undo_files(self, message_id: str) -> str:
        from .file_undo import undo_files

        self._refuse_busy("undo changes of files")
        return await undo_files(self.workspace, message_id, self._undone.get(message_id))

    async def redo_files(self) -> str:
        from .file_undo import redo_files

        self._refuse_busy("redo changes of files")
        return await redo_files(self.workspace, self.session_id)

    async def fork(self, at: str = "") -> None:
        if not self.has_begun:
            raise ToolpostError("there is nothing to fork yet")
        # A copy of all that was said goes on without what was said meanwhile.
        forked = await (await self.session).fork(at or None)
        await forked.close()
        await self._show(forked.id)

    async def compact(self) -> bool:
        self._refuse_elsewhere()
        return self.has_begun and await self.session.compact()

    async def rename(self, title: str) -> None:
        self._refuse_elsewhere()
        await self.session.rename(title)
        self._shown.refresh()

    async def changed_files(self) -> Sequence[ChangedFileDiff]:
        from .file_undo import changed_files

        return await changed_files(self.workspace, self.session_id)

    async def export(self) -> str:
        # Imported here: few sessions are exported.
        from toolpost.cli.sessions.transcript import about
        from toolpost.cli.shared.workspace import redactor_of
        from toolpost.store.markdown_export import markdown

        if self._shown.runs_here:
            await self.session.save()
        info = await self._info()
        hide = redactor_of(self.workspace).text
        return "".join([text async for text in markdown(self.workspace.store, info, about(info), hide)])

    async def watch(self, session_id: str) -> TranscriptView:
        view = self._shown.view.sub_agent(session_id)
        if not view.ids:
            found = self._new_shown()
            await found.read(session_id)
            info = found.info
            assert info is not None
            messages = await self.workspace.store.branch(session_id, info.head)
            is_open = info.open_run is not None
            after = max(0, info.open_seq - 1) if is_open else info.seq
            view.open(messages, after=after, is_running=is_open)
            self._shown.follow_sub_agent(session_id, after)
        return view

    async def new(self) -> None:
        await self._leave_shown()
        await self._begin_new()

    async def open(self, session_id: str) -> None:
        info = await find_session(self.workspace, session_id)
        if info.id != self.session_id:
            await self._show(info.id)

    async def sessions(self, *, everywhere: bool = False) -> Sequence[SessionRow]:
        rows: list[SessionRow] = []
        async for info in self.opener.stored(everywhere=everywhere):
            rows.append(await self._row(info))
            if len(rows) == MAX_LISTED:
                break
        return rows

    async def peek(self, session_id: str) -> TranscriptView:
        found = self._background.get(session_id)
        if found is None:
            found = self._new_shown()
            await found.read(session_id)
        return found.view

    async def delete(self, session_id: str) -> None:
        shown = self._background.get(session_id) or (self._shown if session_id == self.session_id else None)
        if shown is not None and shown.runs_here:
            raise ToolpostError("this session runs: stop it before you delete it")
        if shown is self._shown:
            await self.new()
        await self.workspace.delete_session(session_id)

    async def models(self) -> Sequence[ModelRow]:
        from .model_list import list_models

        return await list_models(self.workspace, self.session.model.info)

    async def use_model(self, model_id: str) -> None:
        model = self.workspace.model(model_id)
        if self.opener.variant not in self.workspace.variants(model.info):
            self.opener.variant = ""
        await self.switch(model, self.session.agent)
        self.opener.model_id = model.info.id

    async def variants(self) -> Sequence[str]:
        return tuple(self.workspace.variants(self.session.model.info))

    async def use_variant(self, name: str) -> None:
        model = self.session.model
        variant_options(model.info, name, self.workspace.variants(model.info))
        before, self.opener.variant = self.opener.variant, name
        try:
            await self.switch(model, self.session.agent)
        except ToolpostError:
            self.opener.variant = before
            raise

    async def agents(self) -> Sequence[AgentRow]:
        offered = {name: one for name, one in self.workspace.agents.items() if one.mode != "subagent"}
        current = self.session.agent
        return [
            AgentRow(name, one.description or "", bool(one.read_only), name == current) for name, one in offered.items()
        ]

    async def use_agent(self, name: str) -> None:
        name, settings = self.workspace.agent(name)
        model = self.workspace.model(settings.model) if settings.model else self.session.model
        await self.switch(model, name)
        self.opener.agent = name
        if self.mode == "plan" and name != PLAN_AGENT:
            self._set_mode("ask")

    async def use_mode(self, mode: PermissionMode) -> None:
        if mode == "plan" != self.mode:
            before = self.session.agent
            await self.use_agent(PLAN_AGENT)
            self._agent_before = before
        elif self.mode == "plan" != mode and self._agent_before:
            before, self._agent_before = self._agent_before, ""
            await self.use_agent(before)
        self._set_mode(mode)
        if mode == "edits":
            for ask in self.view.asks:
                if isinstance(ask, ApprovalItem) and is_edit(ask.permission, ask.patterns):
                    await self.reply(ask.id, "once")

    def commands(self) -> Mapping[str, str]:
        return {
            **{name: prompt.description for name, prompt in server_prompts(self.workspace).items()},
            **{name: command.description for name, command in self.workspace.commands.items()},
            **{name: command.description for name, command in self.plugin_commands().items()},
        }

    async def find_files(self, query: str, limit: int = 20) -> Sequence[str]:
        return await self._finder.find(query, limit)

    async def servers(self) -> Sequence[ServerRow]:
        servers = self.workspace.servers
        if servers is None:
            return ()
        return [ServerRow(one.name, one.state, one.detail, one.tools) for one in servers.start().status()]

    def plugin_commands(self) -> Mapping[str, Command]:
        return {name: command for plugin in self.workspace.plugins for name, command in plugin.commands().items()}

    async def _run_file(self, command: CommandFile, argument: str) -> None:
        """As its own agent and model, where the file names them: until the run has ended."""
        shown, session = self._shown, self.session
        model, agent = session.model, session.agent
        is_other = bool(command.agent or command.model)
        if is_other:
            chosen = self.workspace.model(command.model) if command.model else model
            await self.switch(chosen, command.agent or agent)
        try:
            prompt = await prompt_from(command, argument, self.session, self.workspace.project)
            await self._begin(prompt)
        except BaseException:
            if is_other:
                await self._switch(shown, model, agent)
            raise
        if is_other:
            shown.when_settled = lambda: self._switch_back(shown, model, agent)

    async def _call_shell(self, shown: ShownSession, command: str) -> None:
        session = shown.session
        self._tell(shown, None, shown.view.know(state="busy"))
        try:
            outcome = await session.call("bash", {"command": command})
            self._hooks.note_result(session.id, command, outcome.text)
        finally:
            self._tell(shown, None, shown.view.know(state="idle"))

    async def _row(self, info: SessionInfo) -> SessionRow:
        # Imported here: most sessions have no open run.
        from toolpost.server.chat.open_runs import look_at

        here = self._shown if info.id == self.session_id else self._background.get(info.id)
        if here is not None and here.runs_here:
            state = here.session.status.state
        else:
            state = (await look_at(self.workspace.store, info)).state if info.open_run is not None else "idle"
        return SessionRow(info.id, info.title, info.folder, info.updated, state, info.model, info.cost)

    def _running(self) -> list[Session]:
        return [one.session for one in (self._shown, *self._background.values()) if one.runs_here]

    def _set_mode(self, mode: PermissionMode) -> None:
        self._hooks.mode = mode
        self._tell(self._shown, None, self.view.know(mode=mode))


@contextmanager
def _refused_elsewhere() -> Generator[None]:
    """A run that another process drives can only be answered there."""
    try:
        yield
    except SessionBusy as error:
        raise ToolpostError(RUNS_ELSEWHERE) from error
