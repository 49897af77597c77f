"""The files that a session changed: list them, compare them, undo and redo the changes."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from toolpost.guard.redact import known_secrets
from toolpost.server.chat.conversations import Conversations
from toolpost.server.http import Request
from toolpost.server.refusals import BadRequest, Refusal
from toolpost.server.routing import Doc, Route
from toolpost.tools.files.apply import Step
from toolpost.tools.files.guarded_write import details, diff_of
from toolpost.tools.files.undo import LeftOut, PastStep, Undo, Way
from toolpost.tools.threads import run_in_thread
from toolpost.types.errors import ToolError
from toolpost.workspace.undo import family_of, messages_of, messages_of_last, undo_in

from .session_view import SESSION_ID, Name

MAX_FILES = 500
LAST = "last"


class ChangedFile(Struct, frozen=True):
    """`added` and `removed` are numbers of lines, null if the file is not text. `note` has what lines do not show:
    another mode, the target of a link, a folder."""

    path: str
    kind: Literal["added", "changed", "deleted"]
    added: int | None = None
    removed: int | None = None
    note: Annotated[str | UnsetType, Meta(description="Left out if there is nothing to note")] = UNSET


class NotKept(Struct, frozen=True):
    """A change of a command that cannot be undone, and why."""

    path: str
    why: str


class FileDiff(ChangedFile, frozen=True):
    """`diff` is a unified diff without file names, cut off if it is long. Null if the file is not text."""

    diff: str | None = None


class FileStep(Struct, frozen=True):
    """One step of the session or of one of its sub-agents, and whether it is undone now. `not_kept` are changed files
    that cannot be undone."""

    message: str
    session: str
    time: float
    files: tuple[str, ...]
    is_undone: bool
    not_kept: tuple[str, ...] = ()


class ChangedFiles(Struct, frozen=True):
    """Each file once, compared with how it was at first, and the steps that changed files, the newest first. `is_whole`
    is false if there are more."""

    files: list[ChangedFile]
    steps: list[FileStep]
    is_whole: bool
    not_kept: list[NotKept] = []


class FileDiffs(Struct, frozen=True):
    files: list[FileDiff]
    is_whole: bool


class DiffQuery(Struct, frozen=True):
    path: Annotated[str, Meta(max_length=4_096, description="Only this file, as the list names it")] = ""


class TurnBack(Struct, frozen=True, forbid_unknown_fields=True):
    """What to undo or redo: a number of steps, or everything of one message, which is a prompt or a step; "last" is the
    last prompt. `messages` are several at once: those that changed no file are passed over. With `is_trial` nothing is
    changed."""

    steps: Annotated[int, Meta(ge=1, le=1_000)] = 1
    message: Annotated[str, Meta(max_length=200)] = ""
    messages: Annotated[tuple[Name, ...], Meta(max_length=1_000)] = ()
    is_trial: bool = False


class TurnedBack(Struct, frozen=True):
    """The changes in files; empty if there was nothing to do. `not_taken_back` are changes that stay."""

    files: list[FileDiff]
    is_done: bool
    not_taken_back: list[NotKept] = []


def routes(conversations: Conversations) -> list[Route]:
    files = _Files(conversations)
    listed = Doc("List the files that a session changed", "sessions", gives=ChangedFiles, params=SESSION_ID)
    compared = Doc(
        "Get the diffs of the files that a session changed",
        "sessions",
        query=DiffQuery,
        gives=FileDiffs,
        params=SESSION_ID,
    )
    undone = Doc(
        "Undo changes of files", "sessions", takes=TurnBack, gives=TurnedBack, errors=(409,), params=SESSION_ID
    )
    redone = Doc(
        "Redo changes of files", "sessions", takes=TurnBack, gives=TurnedBack, errors=(409,), params=SESSION_ID
    )
    return [
        Route("GET", "/api/sessions/{id}/files", files.list, listed, needs="machine"),
        Route("GET", "/api/sessions/{id}/diff", files.compare, compared, needs="machine"),
        Route("POST", "/api/sessions/{id}/undo", files.turn("undo"), undone, needs="machine"),
        Route("POST", "/api/sessions/{id}/redo", files.turn("redo"), redone, needs="machine"),
    ]


class _Files:
    def __init__(self, conversations: Conversations) -> None:
        self._conversations = conversations
        self._workspace = conversations.workspace

    async def list(self, request: Request) -> None:
        undo, _ = await self._of(request)
        steps, past, left = await run_in_thread(lambda: (undo.net(), undo.history(), undo.left_out()))
        shown = await run_in_thread(lambda: [_shown(step, ChangedFile) for step in steps[:MAX_FILES]])
        told = [_past(one) for one in reversed(past)]
        is_whole = max(len(steps), len(told), len(left)) <= MAX_FILES
        await request.reply_json(ChangedFiles(shown, told[:MAX_FILES], is_whole, _not_kept(left)))

    async def compare(self, request: Request) -> None:
        wanted = request.query_as(DiffQuery).path
        undo, _ = await self._of(request)

        def compared() -> FileDiffs:
            steps = [step for step in undo.net() if wanted in ("", step.place.shown)]
            return FileDiffs([_shown(step, FileDiff) for step in steps[:MAX_FILES]], len(steps) <= MAX_FILES)

        await request.reply_json(await run_in_thread(compared))

    def turn(self, way: Way) -> Callable[[Request], Awaitable[None]]:
        async def handler(request: Request) -> None:
            asked = request.json(TurnBack)
            undo, family = await self._of(request)
            messages = await self._meant(asked, way, family)
            # Held meanwhile: a run would go on changing what is put back.
            lease = await self._conversations.store.lease(request.params["id"])
            try:
                await request.reply_json(await run_in_thread(lambda: _turned(undo, way, asked, messages)))
            finally:
                lease.release()

        return handler

    async def _of(self, request: Request) -> tuple[Undo, frozenset[str]]:
        """Return what the session and its sub-agents have changed, and their ids."""
        info = await self._conversations.info(request.params["id"], request.user)
        family = await family_of(self._workspace, info.id)
        return undo_in(self._workspace, family), family

    async def _meant(self, asked: TurnBack, way: Way, family: frozenset[str]) -> frozenset[str] | None:
        if asked.messages:
            found = [await messages_of(self._workspace, one, _exactly, family) for one in asked.messages]
            return frozenset[str]().union(*found)
        if not asked.message:
            return None
        if asked.message == LAST:
            return await messages_of_last(self._workspace, way, family)
        messages = await messages_of(self._workspace, asked.message, _exactly, family)
        if not messages:
            raise BadRequest(
                f"message: {asked.message} changed no file in this session; GET the session's `files` to see the steps"
            )
        return messages


def _turned(undo: Undo, way: Way, asked: TurnBack, messages: frozenset[str] | None) -> TurnedBack:
    turn = undo.plan(way, steps=asked.steps, messages=messages)
    if turn.problems:
        raise Refusal(
            "conflict",
            f"nothing was changed: {'; '.join(turn.problems)}. Put the file back, or edit it by hand",
            code="file_changed_since",
        )
    shown = [_shown(step, FileDiff) for step in turn.steps[:MAX_FILES]]
    if turn.numbers and not asked.is_trial:
        try:
            undo.apply(turn)
        except ToolError as error:
            raise Refusal("conflict", f"nothing was changed: {error}") from error
    return TurnedBack(shown, bool(turn.numbers) and not asked.is_trial, _not_kept(turn.left_out))


def _past(one: PastStep) -> FileStep:
    left = tuple(left.path for left in one.left_out[:MAX_FILES])
    return FileStep(one.message_id, one.session_id, one.time, one.files[:MAX_FILES], one.undone, left)


def _not_kept(left_out: Sequence[LeftOut]) -> list[NotKept]:
    return [NotKept(one.path, one.why) for one in left_out[:MAX_FILES]]


def _shown(step: Step, kind: Any) -> Any:
    """Return a change as events show it, without the server's secrets."""
    told = details([step], [diff_of(step)])["files"][0]
    return msgspec.convert(known_secrets().hide_in(told), kind)


def _exactly(wanted: str, ids: Any) -> str:
    return wanted if wanted in ids else ""
