"""`toolpost sessions import`: import an exported session, or the conversations of another chat."""

import argparse
import asyncio
import sys
import tempfile
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import msgspec
from msgspec import Struct, structs

from toolpost.cli.exit_codes import FAILED, OK
from toolpost.cli.shared.formats import short_id
from toolpost.cli.shared.output import say, say_on_stderr
from toolpost.cli.shared.progress_bar import ProgressBar, can_draw
from toolpost.cli.shared.tables import plain
from toolpost.store.chat_imports import (
    FieldNames,
    ImportedChat,
    UnreadEntry,
    load_field_names,
    read_chats,
    session_of,
)
from toolpost.store.chat_imports.export_file import ExportFile
from toolpost.store.session_document import FORMAT, write_document
from toolpost.types.errors import ConfigError, SessionNotFound, StoreError, ToolpostError
from toolpost.types.messages import Message
from toolpost.types.text import counted

if TYPE_CHECKING:
    from toolpost.types.events import Event
    from toolpost.workspace import Workspace

PIECE_BYTES = 64 * 1024
HEAD_BYTES = 200
SHOWN_PROBLEMS = 20


async def import_sessions(workspace: "Workspace", args: argparse.Namespace) -> int:
    await _warn_of_owner(workspace, args.owner)
    with ExitStack() as stack:
        files = [(name, _opened(name, stack)) for name in args.files]
        if len(files) == 1 and _is_session(files[0][1]):
            return await _import_session(workspace, *files[0], args)
        names = load_field_names(args.mapping) if args.mapping else FieldNames()
        sizes = [(ExportFile(Path(name).name, source), _size(source)) for name, source in files]
        importing = _Import(workspace, args)
        return await importing.go(sizes, names)


class _AccountName(Struct):
    name: str


async def _warn_of_owner(workspace: "Workspace", owner: str) -> None:
    """Where people have accounts, sessions of a name that nobody has are seen by nobody."""
    server = workspace.config.server
    if not owner or not server.accounts or owner in server.users:
        return
    records = await workspace.store.records("account")
    if not any(msgspec.json.decode(record.body, type=_AccountName).name == owner for record in records):
        say_on_stderr(f"nobody has the account {plain(owner)}: the sessions are seen once somebody has it")


class _Counts(Struct):
    chats: int = 0
    messages: int = 0
    there: int = 0
    empty: int = 0
    others: int = 0
    problems: int = 0


class _Import:
    """One import, and what has come of it so far."""

    def __init__(self, workspace: "Workspace", args: argparse.Namespace) -> None:
        self._workspace = workspace
        self._is_dry: bool = args.dry_run
        self._owner: str = args.owner
        self._user: str = args.from_user
        self._counts = _Counts()
        self._bar = ProgressBar(sys.stderr) if can_draw(sys.stderr) else None
        self._done = (0, 1)

    async def go(self, files: list[tuple[ExportFile, int]], names: FieldNames) -> int:
        try:
            for found in read_chats(files, names, self._progress):
                if isinstance(found, UnreadEntry):
                    self._say_problem(found)
                else:
                    await self._take(found)
                self._draw()
        finally:
            if self._bar is not None:
                self._bar.clear()
        for line in self._summary():
            say(line)
        return FAILED if self._counts.problems else OK

    async def _take(self, chat: ImportedChat) -> None:
        counts = self._counts
        if self._user and chat.user != self._user:
            counts.others += 1
            return
        try:
            info, messages = session_of(chat, str(self._workspace.project), self._owner)
        except (ValueError, OverflowError) as error:
            self._say_problem(UnreadEntry(chat.place, str(error)))
            return
        if not messages:
            counts.empty += 1
        elif await self._is_there(info.id):
            counts.there += 1
        else:
            if not self._is_dry:
                document = write_document(info, _each(messages), _none())
                try:
                    await self._workspace.store.restore(document)
                except (StoreError, ValueError) as error:
                    self._say_problem(UnreadEntry(chat.place, str(error)))
                    return
            counts.chats += 1
            counts.messages += len(messages)

    async def _is_there(self, session_id: str) -> bool:
        try:
            await self._workspace.store.info(session_id)
        except SessionNotFound:
            return False
        return True

    def _say_problem(self, entry: UnreadEntry) -> None:
        self._counts.problems += 1
        if self._counts.problems > SHOWN_PROBLEMS:
            return
        text = f"{entry.place}: {entry.reason}"
        if self._bar is not None:
            self._bar.above(text)
        else:
            say_on_stderr(text)

    def _progress(self, done: int, total: int) -> None:
        self._done = (done, total)

    def _draw(self) -> None:
        if self._bar is not None:
            counts = self._counts
            told = [counted(counts.chats, "session")]
            told += [f"{counts.there} already there"] if counts.there else []
            self._bar.draw("importing", *self._done, ", ".join(told))

    def _summary(self) -> Iterator[str]:
        counts = self._counts
        sessions, messages = counted(counts.chats, "session"), counted(counts.messages, "message")
        yield f"{'would import' if self._is_dry else 'imported'} {sessions} with {messages}"
        if counts.there:
            yield f"already there: {counted(counts.there, 'session')}"
        if counts.others:
            yield f"left out, of other users: {counted(counts.others, 'conversation')}"
        if counts.empty:
            yield f"left out, without messages: {counted(counts.empty, 'conversation')}"
        if counts.problems:
            hidden = counts.problems - SHOWN_PROBLEMS
            more = f" ({hidden} of them not shown)" if hidden > 0 else ""
            yield f"not read: {counted(counts.problems, 'entry', 'entries')}{more}"


async def _import_session(workspace: "Workspace", name: str, source: BinaryIO, args: argparse.Namespace) -> int:
    """A document from `toolpost sessions export`."""
    if args.mapping or args.from_user:
        raise ConfigError(f"{name} is an exported session: omit --mapping and --from-user")
    if args.dry_run:
        from toolpost.store.session_document import DocumentReader

        document = DocumentReader(source)
        count = sum(1 for _ in document.messages())
        say(f"would import {plain(document.info.title) or '(no title)'} with {counted(count, 'message')}")
        return OK
    try:
        info = await workspace.store.restore(_pieces(source), owner=args.owner or None)
    except OSError as error:
        raise ToolpostError(f"cannot read {name}: {error.strerror or error}") from error
    # The folder it was made in is another one, or on another machine: from now on it belongs here.
    await workspace.store.update(structs.replace(info, folder=str(workspace.project)))
    say(f"{short_id(info.id)}  {plain(info.title) or '(no title)'}")
    return OK


def _opened(name: str, stack: ExitStack) -> BinaryIO:
    """A file that can be read more than once: what comes through a pipe is copied."""
    try:
        if name == "-":
            file = sys.stdin.buffer
        else:
            file = stack.enter_context(Path(name).open("rb"))  # noqa: SIM115 - the stack closes it
            if file.seekable():
                return file
        copy = stack.enter_context(tempfile.TemporaryFile())  # noqa: SIM115 - the stack closes it
        while piece := file.read(PIECE_BYTES):
            copy.write(piece)
    except OSError as error:
        raise ToolpostError(f"cannot read {name}: {error.strerror or error}") from error
    copy.seek(0)
    return copy


def _is_session(source: BinaryIO) -> bool:
    """What is not JSON at all is refused with the words of that reader too."""
    source.seek(0)
    head = source.read(HEAD_BYTES).removeprefix(b"\xef\xbb\xbf").lstrip()
    source.seek(0)
    return not head.startswith((b"{", b"[")) or f'"{FORMAT}"'.encode() in head


def _size(source: BinaryIO) -> int:
    size = source.seek(0, 2)
    source.seek(0)
    return size


async def _pieces(source: BinaryIO) -> AsyncIterator[bytes]:
    while piece := await asyncio.to_thread(source.read, PIECE_BYTES):
        yield piece


async def _each(messages: Iterable[Message]) -> AsyncIterator[Message]:
    for message in messages:
        yield message


async def _none() -> "AsyncIterator[Event]":
    """Its events are not known."""
    for event in ():
        yield event
