"""The sessions of a `toolpost serve` for a face, over its HTTP API: watch runs, answer asks, prompt and stop."""

import asyncio
from collections.abc import Callable, Coroutine, Mapping, Sequence
from contextlib import aclosing
from typing import Any

from toolpost.arguments.suggestions import closest
from toolpost.types.errors import ToolpostError
from toolpost.types.events import Event, PermissionAsked
from toolpost.types.messages import FilePart, Reply
from toolpost.view.changes import Changes
from toolpost.view.items import ApprovalItem
from toolpost.view.transcript import TranscriptView

from .api_answers import (
    ApiAgents,
    ApiCommandPrompt,
    ApiCommands,
    ApiCompacted,
    ApiDiffs,
    ApiFiles,
    ApiMe,
    ApiModels,
    ApiServers,
    ApiSession,
    ApiTakenBack,
)
from .api_client import PATIENT_SECONDS, ApiClient, ServerRefused, quoted
from .contract import (
    AgentRow,
    ChangedFileDiff,
    Face,
    Feature,
    ModelRow,
    NoteKind,
    PermissionMode,
    ServerRow,
    SessionRow,
    UndonePrompt,
)
from .modes import PLAN_AGENT, is_edit
from .server_files import redo_files, try_undo, undo_files
from .server_lists import listed, prompts_from, session_like
from .server_session import ServerSession, path_of

MAX_LISTED = 1_000
MAX_FOUND = 50
MAX_QUERY = 200


class ServerControl:
    """Implements `Control` over HTTP. What runs on the server runs on when a session is left.

    `session` is the id of the first session or how that begins; with `newest` it is the newest one. `shown` puts notes
    into the person's language.
    """

    def __init__(
        self, api: ApiClient, *, session: str = "", newest: bool = False, shown: Callable[[str], str] = str
    ) -> None:
        self._api = api
        self._wanted = session
        self._wants_newest = newest
        self._translated = shown
        self._face: Face | None = None
        self._me = ApiMe("")
        self._mode: PermissionMode = "ask"
        self._agent_before = ""
        self._chosen: dict[str, str] = {}
        self._features: frozenset[Feature] = frozenset()
        self._commands: Mapping[str, str] = {}
        self._models: ApiModels | None = None
        self._undone: dict[str, Sequence[str]] = {}
        self._work: set[asyncio.Task[None]] = set()
        self._shown = self._new_shown()

    @property
    def view(self) -> TranscriptView:
        return self._shown.view

    @property
    def features(self) -> frozenset[Feature]:
        return self._features

    @property
    def place(self) -> str:
        return self._api.url

    @property
    def folder(self) -> str:
        return self._me.folder

    @property
    def session_id(self) -> str:
        return self._shown.id

    @property
    def has_begun(self) -> bool:
        return bool(self._shown.id)

    @property
    def mode(self) -> PermissionMode:
        return self._mode

    @property
    def is_at_beginning(self) -> bool:
        return self._shown.is_at_beginning

    async def start(self, face: Face) -> None:
        self._face = face
        if self._me.version:
            # Another face had it before.
            face.session_opened()
            return
        me = await self._api.get("/api/me", ApiMe)
        self._commands, self._features = await asyncio.gather(self._found_commands(), self._found_features(me))
        self._me = me
        if self._wanted:
            await self.open(self._wanted)
        elif self._wants_newest and (newest := await self.sessions()):
            await self._show(newest[0].id)
        else:
            await self.new()

    async def close(self, *, leaves_runs: bool = False) -> None:
        for task in tuple(self._work):
            task.cancel()
        await asyncio.gather(*self._work, return_exceptions=True)
        await self._shown.close()

    # The run.

    async def prompt(self, text: str, files: Sequence[FilePart] = ()) -> None:
        await self._chat({"message": text, "files": [_given(file) for file in files]})

    async def put(self, text: str, *, steer: bool) -> None:
        await self._api.do("POST", f"{await self._path()}/prompts", {"text": text, "steer": steer})
        self._shown.refresh()

    async def unqueue(self, prompt_id: str) -> str:
        path = f"{await self._path()}/prompts/{quoted(prompt_id)}"
        taken = await self._api.delete(path, ApiTakenBack)
        self._shown.refresh()
        return taken.text or ""

    async def stop(self) -> None:
        if self.has_begun:
            await self._api.do("POST", f"{self._shown.path}/stop")
            self._shown.refresh()

    async def resume(self) -> None:
        await self._api.do("POST", f"{await self._path()}/resume")
        self._shown.refresh()

    async def retry(self) -> None:
        if not self.has_begun:
            raise ToolpostError("there is nothing to retry")
        await self._chat({"trigger": "regenerate-message"})

    async def reply(self, ask_id: str, reply: Reply, message: str = "") -> None:
        await self._api.do("POST", f"/api/asks/{quoted(ask_id)}", {"reply": reply, "message": message})

    async def answer(self, question_id: str, answers: Sequence[tuple[str, ...]] | None) -> None:
        given = None if answers is None else [list(one) for one in answers]
        await self._api.do("POST", f"/api/questions/{quoted(question_id)}", {"answers": given})

    async def command(self, name: str, argument: str) -> None:
        if name not in self._commands:
            likely = closest(name, list(self._commands))
            more = f"did you mean /{likely}?" if likely else "/help lists them"
            raise ToolpostError(f"unknown command /{name}: {more}")
        call = {"name": name, "arguments": argument}
        # Its shell commands may ask a person first.
        path = f"{await self._path()}/commands"
        found = await self._api.post(path, ApiCommandPrompt, call, seconds=PATIENT_SECONDS)
        await self._chat({"message": found.prompt, "agent": found.agent, "model": found.model})

    async def shell(self, command: str) -> None:
        raise ToolpostError("a server runs no commands of yours: ask the agent to run this one")

    # The conversation.

    async def earlier(self) -> None:
        self._tell(self._shown, None, await self._shown.earlier())

    async def undo(self, message_id: str = "") -> UndonePrompt | None:
        if not self.has_begun:
            return None
        prompt, prompts = await prompts_from(self._api, self._shown.path, message_id)
        if prompt is None:
            return None
        files, problems = (), ()
        if "undo_files" in self._features:
            files, problems = await try_undo(self._api, self._shown.path, prompts)
        await self._api.do("POST", f"{self._shown.path}/branch", {"at": prompt.parent_id})
        self._undone[prompt.id] = prompts
        await self._show(self.session_id)
        return UndonePrompt(prompt.id, prompt.text, files, problems)

    async def undo_files(self, message_id: str) -> str:
        if not self.has_begun:
            return "nothing can be undone"
        return await undo_files(self._api, self._shown.path, self._undone.get(message_id, (message_id,)))

    async def redo_files(self) -> str:
        if not self.has_begun:
            return "nothing can be redone"
        return await redo_files(self._api, self._shown.path)

    async def fork(self, at: str = "") -> None:
        if not self.has_begun:
            raise ToolpostError("there is nothing to fork yet")
        copy = await self._api.post(f"{self._shown.path}/fork", ApiSession, {"at": at or None})
        await self._show(copy.id)

    async def compact(self) -> bool:
        if not self.has_begun:
            return False
        path = f"{self._shown.path}/compact"
        return (await self._api.post(path, ApiCompacted, seconds=PATIENT_SECONDS)).is_compacted

    async def rename(self, title: str) -> None:
        await self._api.do("PATCH", await self._path(), {"title": title})
        self._shown.refresh()

    async def changed_files(self) -> Sequence[ChangedFileDiff]:
        if not self.has_begun:
            return ()
        return (await self._api.get(f"{self._shown.path}/diff", ApiDiffs)).changes

    async def export(self) -> str:
        if not self.has_begun:
            raise ToolpostError("nothing was said in this session yet")
        return await self._api.text(f"{self._shown.path}/export", format="markdown")

    async def watch(self, session_id: str) -> TranscriptView:
        return await self._shown.watch(session_id)

    # Choices.

    async def new(self) -> None:
        await self._shown.close()
        shown = self._shown = self._new_shown()
        chosen = self._chosen
        shown.view.know(
            model=chosen.get("model") or self._me.model,
            agent=chosen.get("agent") or self._me.agent,
            mode=self._mode,
            title="",
        )
        self._opened()

    async def open(self, session_id: str) -> None:
        if session_id == self.session_id:
            return
        try:
            await self._show(session_id)
        except ServerRefused as error:
            if error.code != "session_not_found":
                raise
            found = await session_like(self._api, session_id)
            if not found:
                raise
            await self._show(found)

    async def sessions(self, *, everywhere: bool = False) -> Sequence[SessionRow]:
        async with aclosing(listed(self._api)) as found:
            rows: list[SessionRow] = []
            async for one in found:
                rows.append(one.row(self._me.folder))
                if len(rows) == MAX_LISTED:
                    break
        return rows

    async def peek(self, session_id: str) -> TranscriptView:
        found = self._new_shown()
        await found.read(session_id)
        return found.view

    async def delete(self, session_id: str) -> None:
        await self._api.do("DELETE", path_of(session_id))
        if session_id == self.session_id:
            await self.new()

    async def models(self) -> Sequence[ModelRow]:
        self._models = await self._api.get("/api/models", ApiModels)
        current = self._shown.settings.model or self._chosen.get("model", "")
        return [one.row(current) for one in self._models.models]

    async def use_model(self, model_id: str) -> None:
        # A variant belongs to a model.
        await self._choose(model=model_id, variant="")

    async def variants(self) -> Sequence[str]:
        if self._models is None:
            self._models = await self._api.get("/api/models", ApiModels)
        return self._models.variants(self.view.facts.model)

    async def use_variant(self, name: str) -> None:
        await self._choose(variant=name)

    async def agents(self) -> Sequence[AgentRow]:
        return (await self._api.get("/api/agents", ApiAgents)).rows(self.view.facts.agent)

    async def use_agent(self, name: str) -> None:
        await self._choose(agent=name)
        if self._mode == "plan" and name != PLAN_AGENT:
            self._set_mode("ask")

    async def use_mode(self, mode: PermissionMode) -> None:
        if mode == "plan" != self._mode:
            if PLAN_AGENT not in {row.name for row in await self.agents()}:
                raise ToolpostError(f"this server offers you no agent {PLAN_AGENT}: /agent lists those that it has")
            before = self.view.facts.agent
            await self.use_agent(PLAN_AGENT)
            self._agent_before = before
        elif self._mode == "plan" != mode and self._agent_before:
            before, self._agent_before = self._agent_before, ""
            await self.use_agent(before)
        self._set_mode(mode)
        self._allow_edits()

    def commands(self) -> Mapping[str, str]:
        return self._commands

    async def find_files(self, query: str, limit: int = 20) -> Sequence[str]:
        if "files" not in self._features:
            return ()
        limit = min(limit, MAX_FOUND)
        return (await self._api.get("/api/project-files", ApiFiles, query=query[:MAX_QUERY], limit=limit)).files

    async def servers(self) -> Sequence[ServerRow]:
        return (await self._api.get("/api/mcp", ApiServers)).rows

    # What the server has.

    async def _found_commands(self) -> Mapping[str, str]:
        found = await self._if_there(self._api.get("/api/commands", ApiCommands))
        return {one.name: one.description for one in found.commands} if found is not None else {}

    async def _found_features(self, me: ApiMe) -> frozenset[Feature]:
        """What the server has and the person's role may use."""
        files, servers = await asyncio.gather(
            self._if_there(self._api.get("/api/project-files", ApiFiles, limit=1)),
            self._if_there(self._api.get("/api/mcp", ApiServers)),
        )
        found: dict[Feature, bool] = {
            "files": files is not None,
            "undo_files": files is not None,
            "servers": servers is not None and bool(servers.servers),
            "jobs": True,
            "variants": True,
            "rename": True,
            "stored": me.store != "memory",
        }
        return frozenset(name for name, has in found.items() if has)

    async def _if_there(self, asking: Coroutine[Any, Any, Any]) -> Any:
        try:
            return await asking
        except ServerRefused as error:
            if not error.is_missing:
                raise
            return None

    # One session.

    def _new_shown(self) -> ServerSession:
        return ServerSession(self._api, self._tell, self._note)

    async def _show(self, session_id: str) -> None:
        shown = self._new_shown()
        await shown.read(session_id)
        await self._shown.close()
        self._shown = shown
        shown.view.know(mode=self._mode)
        self._opened()
        shown.follow()
        self._allow_edits()

    async def _path(self) -> str:
        """The path of the open session, which the server makes now if it is new."""
        if not self.has_begun:
            self._shown.begin(await self._api.post("/api/sessions", ApiSession, self._chosen))
        return self._shown.path

    async def _chat(self, body: dict[str, Any]) -> None:
        await self._path()
        await self._shown.chat(body)

    async def _choose(self, **settings: str) -> None:
        """For this session from its next run on, and for those that are new."""
        if self.has_begun:
            await self._api.do("PATCH", self._shown.path, settings)
            await self._shown.learn_settings()
        else:
            model, agent = settings.get("model", self.view.facts.model), settings.get("agent", self.view.facts.agent)
            self._tell(self._shown, None, self.view.know(model=model, agent=agent))
        self._chosen |= settings

    # The mode.

    def _set_mode(self, mode: PermissionMode) -> None:
        self._mode = mode
        self._tell(self._shown, None, self.view.know(mode=mode))

    def _allow_edits(self) -> None:
        if self._mode == "edits":
            for ask in self.view.asks:
                if isinstance(ask, ApprovalItem) and is_edit(ask.permission, ask.patterns):
                    self._spawn(self._allow(ask.id))

    async def _allow(self, ask_id: str) -> None:
        try:
            await self.reply(ask_id, "once")
        except ServerRefused as error:
            # Somebody else was quicker.
            if error.status != 404:
                raise

    # What the face is told.

    def _opened(self) -> None:
        if self._face is not None:
            self._face.session_opened()

    def _tell(self, shown: ServerSession, event: Event | None, changes: Changes) -> None:
        if shown is not self._shown or self._face is None:
            return
        self._face.session_changed(changes)
        if isinstance(event, PermissionAsked) and self._mode == "edits" and is_edit(event.permission, event.patterns):
            self._spawn(self._allow(event.ask_id))

    def _note(self, text: str, kind: NoteKind = "info") -> None:
        if self._face is not None:
            self._face.note(self._translated(text), kind)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Do it in the background; what fails is told to the person."""

        async def tell_failure() -> None:
            try:
                await work
            except ToolpostError as error:
                self._note(str(error), "error")

        task = asyncio.create_task(tell_failure())
        self._work.add(task)
        task.add_done_callback(self._work.discard)


def _given(file: FilePart) -> dict[str, str]:
    """As the AI SDK writes a file."""
    url = file.url or f"data:{file.mime};base64,{file.data}"
    return {"url": url, "mediaType": file.mime, "filename": file.name}
