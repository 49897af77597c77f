"""Export a session as a document for programs or people, and import it again."""

from collections.abc import AsyncGenerator, AsyncIterator, Iterable
from contextlib import aclosing
from typing import Any, Literal, TypeVar

import msgspec
from msgspec import Struct, structs

from toolpost.arguments.decode_errors import explain_decode_error
from toolpost.guard.redact import Redactor, known_redactor, redacted, redacted_all, redacted_events
from toolpost.server.chat.conversations import Conversations
from toolpost.server.chat.request import GivenFile, file_parts
from toolpost.server.chat.session_settings import KEPT_AS
from toolpost.server.http import JSON, Request
from toolpost.server.refusals import BadRequest
from toolpost.server.routing import Doc, ResponseDoc, Route
from toolpost.store.contract import SessionInfo, Store
from toolpost.store.markdown_export import markdown
from toolpost.store.session_document import write_document
from toolpost.types.errors import StoreError
from toolpost.types.events import Event
from toolpost.types.ids import new_id
from toolpost.types.messages import Completed, FilePart, Message
from toolpost.workspace import Workspace

from .session_view import SESSION_ID, Name, Names, SessionView, SystemText, check_options, shown, stored

T = TypeVar("T")

MARKDOWN = "text/markdown"


class ExportQuery(Struct, frozen=True):
    format: Literal["json", "markdown"] = "json"


class ChosenSettings(Struct, frozen=True):
    """The settings of a session within the limits of a change to them."""

    model: Name = ""
    agent: Name = ""
    system: SystemText = ""
    variant: Name = ""
    options: dict[str, Any] = {}
    switched_off: Names = ()
    pinned: bool = False


class ExportedSession(Struct, frozen=True):
    """The export as JSON. Secrets in it are hidden, and the deltas of streams are left out."""

    format: Literal["toolpost-session"]
    version: Literal[1]
    info: SessionInfo
    messages: list[Message]
    events: list[Event]


def routes(conversations: Conversations) -> list[Route]:
    transfer = _Transfer(conversations)
    exported = Doc(
        "Export a session",
        "sessions",
        query=ExportQuery,
        gives=ExportedSession,
        also={200: ResponseDoc("The current branch as Markdown", content_type=MARKDOWN)},
        params=SESSION_ID,
    )
    imported = Doc(
        "Import an exported session",
        "sessions",
        takes=ExportedSession,
        gives=SessionView,
        status=201,
        description="It gets a new id and belongs to the user who imports it.",
    )
    return [
        Route("GET", "/api/sessions/{id}/export", transfer.export, exported),
        Route("POST", "/api/sessions/import", transfer.import_session, imported),
    ]


class _Transfer:
    def __init__(self, conversations: Conversations) -> None:
        self._conversations = conversations

    async def export(self, request: Request) -> None:
        store, redactor = self._conversations.store, _redactor(self._conversations.workspace)
        info = await stored(self._conversations, request.params["id"], request.user)
        is_json = request.query_as(ExportQuery).format == "json"
        pieces = _as_json(store, info, redactor) if is_json else _as_markdown(store, info, redactor)
        name = f"{info.id}.{'json' if is_json else 'md'}"
        headers = {"content-disposition": f'attachment; filename="{name}"'}
        content_type = JSON if is_json else f"{MARKDOWN}; charset=utf-8"
        async with request.stream(content_type=content_type, headers=headers) as stream, aclosing(pieces):
            async for piece in pieces:
                await stream.write(piece)

    async def import_session(self, request: Request) -> None:
        given = request.json(ExportedSession)
        # An id of ours, whatever it was: whether another's session has it must not be seen.
        info = structs.replace(
            given.info,
            id=new_id("ses"),
            folder=str(self._conversations.workspace.project),
            owner=request.user.name,
            # Whose errand it was is not here: it would be shown in nobody's list.
            parent=None,
        )
        _check_settings(info)
        messages = [_with_files_read(message) for message in given.messages]
        document = write_document(info, _each(messages), _each(given.events))
        try:
            info = await self._conversations.store.restore(document, owner=request.user.name)
        except StoreError as error:
            raise BadRequest(str(error)) from error
        headers = {"location": f"/api/sessions/{info.id}"}
        await request.reply_json(shown(info), status=201, headers=headers)


def _check_settings(info: SessionInfo) -> None:
    """Refuse settings that a person could not give the session otherwise."""
    chosen: Any = (info.metadata or {}).get(KEPT_AS, {})
    try:
        check_options(msgspec.convert(chosen, ChosenSettings).options)
    except msgspec.ValidationError as error:
        raise BadRequest(f"info.metadata.{KEPT_AS}: {explain_decode_error(error, ChosenSettings)}") from None


def _with_files_read(message: Message) -> Message:
    """A message whose files are in it. Those of a person keep the rules of every prompt."""
    files = [part for part in message.parts if isinstance(part, FilePart)]
    results = [part.state.content for part in message.calls if isinstance(part.state, Completed)]
    for part in (*files, *(piece for content in results for piece in content if isinstance(piece, FilePart))):
        if part.url and not part.url[:5].lower() == "data:":
            raise BadRequest(f"the message {message.id} has a link to a file: only files in data URLs are accepted")
    if message.role != "user" or not files:
        return message
    given = [GivenFile(part.url or f"data:{part.mime};base64,{part.data}", part.mime, part.name) for part in files]
    read = iter(file_parts(given))
    return structs.replace(
        message, parts=tuple(next(read) if isinstance(part, FilePart) else part for part in message.parts)
    )


async def _as_json(store: Store, info: SessionInfo, redactor: Redactor) -> AsyncGenerator[bytes, None]:
    messages = redacted_all(store.messages(info.id), redactor)
    events = redacted_events(store.events(info.id), redactor)
    async for piece in write_document(redacted(info, redactor), messages, events):
        yield piece


async def _as_markdown(store: Store, info: SessionInfo, redactor: Redactor) -> AsyncGenerator[bytes, None]:
    about = f"{info.id} · {info.model}" if info.model else info.id
    async for text in markdown(store, info, about, redactor.text):
        yield text.encode(errors="replace")


async def _each(items: Iterable[T]) -> AsyncIterator[T]:
    for item in items:
        yield item


def _redactor(workspace: Workspace) -> Redactor:
    """Return what hides texts that look like keys, and the keys in the environment."""
    owns = workspace.config.providers.values()
    named = {name for settings in owns for name in (*settings.key_variables, settings.auth_token_env) if name}
    return known_redactor(workspace.environ, named)
