"""`toolpost sessions`: list, search, show, rename, delete, export and import sessions."""

import argparse
import asyncio
import contextlib
import sys
from collections.abc import AsyncGenerator, AsyncIterator
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from msgspec import structs

from toolpost.cli.exit_codes import OK, USAGE
from toolpost.cli.shared.arguments import JSON, YES, Argument, Subcommands
from toolpost.cli.shared.find_by_id import ID_HELP, find_session
from toolpost.cli.shared.formats import ago, at_home, dollars, short_id
from toolpost.cli.shared.language import shown
from toolpost.cli.shared.output import JsonList, confirm, say, say_on_stderr
from toolpost.cli.shared.tables import TextTable, bold, dim, plain
from toolpost.cli.shared.workspace import redactor_of, run_in_workspace
from toolpost.types.errors import SessionNotFound, ToolpostError
from toolpost.types.text import counted

from .open_runs import open_run_of, state_of, titled

if TYPE_CHECKING:
    from toolpost.guard.redact import Redactor
    from toolpost.store.contract import SessionHit, SessionInfo
    from toolpost.workspace import Workspace

HELP = "list, search, show, rename, delete, export and import sessions"
EMPTY = 'no sessions yet; to start one: toolpost run "…"'
NO_TERMINAL = "standard input is not a terminal: add --yes to delete without confirmation"

_ALL = Argument("--all", action="store_true", help="sessions of every project")
_TEXT = Argument("text", metavar="TEXT", help="the text to search for")
_TITLE = Argument("title", metavar="TITLE", help="the new title")
_IMPORT = (
    Argument(
        "files",
        metavar="FILE",
        nargs="+",
        help="a file from `export`; conversations.json of ChatGPT, an export of Open WebUI, or JSON lines of "
        "mongoexport (conversations and messages, in one file or in two); - for stdin",
    ),
    Argument("--mapping", type=Path, metavar="FILE", help="the names of fields in other collections, in TOML"),
    Argument("--dry-run", action="store_true", help="say what would be imported, and import nothing"),
    Argument("--from-user", default="", metavar="ID", help="only the conversations of this user of the other chat"),
    Argument("--owner", default="", metavar="NAME", help="the user of this server whom the sessions belong to"),
)
_ID = Argument("id", metavar="ID", help=ID_HELP)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    commands = Subcommands(parser, default="list")
    commands.add("list", "list this project's sessions, newest first", _ALL, JSON)
    commands.add(
        "search",
        "search for a text in messages, calls and results",
        _TEXT,
        _ALL,
        JSON,
    )
    full = Argument("--full", action="store_true", help="do not shorten long results")
    commands.add("show", "show a conversation", _ID, full, JSON)
    commands.add("rename", "change the title of a session", _ID, _TITLE)
    commands.add("delete", "delete sessions for good", Argument("ids", metavar="ID", nargs="+", help=ID_HELP), YES)
    output = Argument("-o", "--output", metavar="FILE", help="write to this file instead of stdout")
    kind = Argument("--format", choices=("json", "markdown"), default="json", help="json can be imported")
    commands.add("export", "export a session without its secrets", _ID, output, kind)
    commands.add("import", "import sessions, or the conversations of another chat, into this project", *_IMPORT)


def run(args: argparse.Namespace) -> int:
    actions = {
        "list": _list,
        "search": _search,
        "show": _show,
        "rename": _rename,
        "delete": _delete,
        "export": _export,
        "import": _import,
    }
    return run_in_workspace(lambda workspace: actions[args.action](workspace, args))


async def _list(workspace: "Workspace", args: argparse.Namespace) -> int:
    redactor, folder = redactor_of(workspace), None if args.all else str(workspace.project)
    runs = {run.record.session_id: run async for run in workspace.store.open_runs(folder=folder)}
    stored = workspace.store.sessions(folder=folder)
    sessions = (_without_secrets(titled(info, runs.get(info.id)), redactor) async for info in stored)
    if args.json:
        entries = JsonList()
        async for info in sessions:
            entries.add({**_summary(info), "state": await state_of(workspace.store, info, runs.get(info.id))})
        entries.end()
        return OK
    found = False
    columns = ("ID", "WHEN", *(("STATE",) if runs else ()), "MODEL", "TOKENS", "COST")
    with TextTable(*columns, *(("PROJECT",) if args.all else ()), "TITLE", right=("TOKENS", "COST")) as table:
        async for info in sessions:
            found = True
            run, place = runs.get(info.id), (at_home(info.folder),) if args.all else ()
            state = (shown(await state_of(workspace.store, info, run)) if run else "",) if runs else ()
            facts = (info.model, f"{info.usage.total:,}", dollars(info.cost))
            table.row(short_id(info.id), ago(info.updated), *state, *facts, *place, _title(info))
    if not found:
        say(EMPTY if args.all else f"{EMPTY}; to see other projects: toolpost sessions --all")
    return OK


async def _search(workspace: "Workspace", args: argparse.Namespace) -> int:
    redactor, entries, found = redactor_of(workspace), JsonList(), False
    async for hit, stored in _hits(workspace, args.text, everywhere=args.all):
        found, info = True, _without_secrets(stored, redactor)
        snippet = redactor.text(hit.snippet)
        if args.json:
            entries.add({**structs.asdict(hit), "snippet": snippet, "title": info.title})
            continue
        say(f"{bold(short_id(hit.session_id))}  {ago(hit.time)}  {hit.role}  {dim(_title(info))}")
        say(f"  {plain(snippet)}")
    if args.json:
        entries.end()
    elif not found:
        where = "" if args.all else " in this project; to search every project: --all"
        say(f"no match for {args.text!r}{where}")
    return OK


async def _hits(
    workspace: "Workspace", text: str, *, everywhere: bool
) -> "AsyncIterator[tuple[SessionHit, SessionInfo]]":
    known: dict[str, SessionInfo | None] = {}
    async for hit in workspace.store.search(text):
        if hit.session_id not in known:
            # It may have been deleted since the page with this hit was read.
            with contextlib.suppress(SessionNotFound):
                known[hit.session_id] = await workspace.store.info(hit.session_id)
        info = known.setdefault(hit.session_id, None)
        if info is not None and (everywhere or info.folder == str(workspace.project)):
            yield hit, info


async def _show(workspace: "Workspace", args: argparse.Namespace) -> int:
    # Imported here: listing needs nothing of it.
    from toolpost.guard.redact import redacted
    from toolpost.store.markdown_export import current_branch

    from .transcript import write_text

    info, redactor = await find_session(workspace, args.id), redactor_of(workspace)
    if args.json:
        entries = JsonList()
        async for message in current_branch(workspace.store, info):
            entries.add(redacted(message, redactor))
        entries.end()
    else:
        run = await open_run_of(workspace.store, info)
        state = shown(await state_of(workspace.store, info, run)) if run else ""
        await write_text(workspace.store, titled(info, run), sys.stdout.write, redactor.text, args.full, state)
    return OK


async def _rename(workspace: "Workspace", args: argparse.Namespace) -> int:
    info = await find_session(workspace, args.id)
    async with _held(workspace, info.id):
        # Read again: only now nobody else changes it.
        current = await workspace.store.info(info.id)
        await workspace.store.update(structs.replace(current, title=args.title))
    say(f"{short_id(info.id)} is now “{plain(args.title)}”")
    return OK


async def _delete(workspace: "Workspace", args: argparse.Namespace) -> int:
    redactor = redactor_of(workspace)
    found = [_without_secrets(await find_session(workspace, one), redactor) for one in args.ids]
    wanted = {info.id: info for info in found}
    if not args.yes:
        for info in wanted.values():
            say(f"  {short_id(info.id)}  {ago(info.updated)}  {_title(info)}")
        question = f"delete {counted(len(wanted), 'session')} for good?"
        if not await asyncio.to_thread(confirm, question, without_terminal=NO_TERMINAL):
            say("nothing was deleted")
            return OK if sys.stdin.isatty() else USAGE
    for info in wanted.values():
        async with _held(workspace, info.id):
            await workspace.delete_session(info.id)
        say(f"deleted {short_id(info.id)}  {_title(info)}")
    return OK


async def _export(workspace: "Workspace", args: argparse.Namespace) -> int:
    info = await find_session(workspace, args.id)
    if args.output is None:
        await _write_export(workspace, info, args.format, sys.stdout.buffer)
        return OK
    target = Path(args.output)
    # Beside it and then in its place: an export that fails leaves no half of a file, and not the old one's loss.
    draft = target.with_name(f"{target.name}.part")
    try:
        with draft.open("wb") as file:
            await _write_export(workspace, info, args.format, file)
        draft.replace(target)
    except OSError as error:
        raise ToolpostError(f"cannot write {target}: {error.strerror or error}") from error
    finally:
        draft.unlink(missing_ok=True)
    say_on_stderr(f"{short_id(info.id)} is in {target}")
    return OK


async def _write_export(workspace: "Workspace", info: "SessionInfo", kind: str, out: BinaryIO) -> None:
    # Imported here: listing needs nothing of it.
    from toolpost.guard.redact import redacted, redacted_all, redacted_events
    from toolpost.store.markdown_export import markdown
    from toolpost.store.session_document import write_document

    from .transcript import about

    store, redactor = workspace.store, redactor_of(workspace)
    if kind == "markdown":
        async for text in markdown(store, info, about(info), redactor.text):
            out.write(text.encode(errors="replace"))
        return
    messages = redacted_all(store.messages(info.id), redactor)
    events = redacted_events(store.events(info.id), redactor)
    async for piece in write_document(redacted(info, redactor), messages, events):
        out.write(piece)


async def _import(workspace: "Workspace", args: argparse.Namespace) -> int:
    # Imported here: listing needs nothing of it.
    from .import_chats import import_sessions

    return await import_sessions(workspace, args)


@contextlib.asynccontextmanager
async def _held(workspace: "Workspace", session_id: str) -> AsyncGenerator[None]:
    """Keep runs out while a session is changed; one that is going on refuses us."""
    lease = await workspace.store.lease(session_id)
    try:
        yield
    finally:
        lease.release()


def _summary(info: "SessionInfo") -> dict[str, object]:
    names = ("id", "title", "folder", "model", "agent", "created", "updated", "usage", "cost", "forked_from", "parent")
    return {name: getattr(info, name) for name in names}


def _without_secrets(info: "SessionInfo", redactor: "Redactor") -> "SessionInfo":
    """A title is the beginning of a prompt, and prompts hold keys at times."""
    return structs.replace(info, title=redactor.text(info.title))


def _title(info: "SessionInfo") -> str:
    return plain(info.title) or "(no title)"
