"""The `/` commands of the chat."""

import asyncio
import base64
import os
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, cast, get_args

from toolpost.cli.shared.formats import ago, dollars, first_sentence, short_id
from toolpost.cli.shared.language import shown
from toolpost.cli.shared.terminal_writer import BOLD, DIM, GREEN, RED
from toolpost.control.contract import ChangedFileDiff, PermissionMode, SessionRow
from toolpost.engine.compaction import tokens_in_use
from toolpost.types.text import counted
from toolpost.view.cells import fit
from toolpost.view.escape_codes import exact_line, readable
from toolpost.view.items import TextItem

if TYPE_CHECKING:
    from .inline_face import LineChat, NextFace

LISTED_SESSIONS = 15
_ESCAPE = "\x1b"
_MODES = get_args(PermissionMode)
_FACES = ("full", "inline", "plain")


async def help_(chat: "LineChat", argument: str) -> None:
    known = {name: help for name, (help, _) in COMMANDS.items()}
    known |= {name: help for name, help in chat.control.commands().items() if name not in known}
    for name, help in known.items():
        chat.say(f"  {chat.pen.style(f'/{exact_line(name)}', BOLD):<{12 + _escapes(chat)}} {exact_line(shown(help))}")
    chat.say(chat.pen.style(f"  {shown(_KEYS if chat.kind == 'inline' else _PLAIN_KEYS)}", DIM))
    chat.say(
        chat.pen.style(
            shown("  !COMMAND runs a command, @ completes files; what is typed while a run goes on waits"), DIM
        )
    )


async def model(chat: "LineChat", argument: str) -> None:
    if not argument:
        chat.tell(f"{exact_line(chat.control.view.facts.model)}; to change it: /model provider/model")
        return
    await chat.control.use_model(argument)
    left = chat.local.opener.variant if chat.local is not None else ""
    chosen = exact_line(chat.control.view.facts.model)
    chat.tell(f"the model is now {chosen}{f', variant {exact_line(left)}' if left else ''}")


async def variant(chat: "LineChat", argument: str) -> None:
    names = await chat.control.variants()
    if not argument:
        _show_variants(chat, names)
        more = "/variant NAME selects one, /variant none clears it" if names else "this model has no variants"
        chat.say(chat.pen.style(shown(more), DIM))
        return
    wanted = "" if argument == "none" and argument not in names else argument
    await chat.control.use_variant(wanted)
    chat.tell(f"the variant of {exact_line(chat.control.view.facts.model)} is now {exact_line(wanted) or 'none'}")


async def agent(chat: "LineChat", argument: str) -> None:
    if not argument:
        rows = await chat.control.agents()
        widest = max((len(exact_line(row.name)) for row in rows), default=0)
        for row in rows:
            about = exact_line(row.description)
            line = f" {_here(chat, row.is_current)} {exact_line(row.name):<{widest}}  {about}"
            chat.say(fit(line, chat.pen.width))
        chat.say(chat.pen.style(shown("/agent NAME selects another"), DIM))
        return
    await chat.control.use_agent(argument)
    name = chat.control.view.facts.agent
    is_read_only = any(row.is_read_only for row in await chat.control.agents() if row.name == name)
    chat.tell(f"the agent is now {exact_line(name)}{', which is read-only' if is_read_only else ''}")


async def mode(chat: "LineChat", argument: str) -> None:
    if not argument:
        for name, about in _ABOUT_MODES.items():
            chat.tell(f" {_here(chat, name == chat.control.mode)} {name:<5}  {about}")
        chat.say(chat.pen.style(shown("/mode NAME selects another"), DIM))
        return
    if argument not in _MODES:
        chat.note(f"there is no mode {argument}: choose ask, edits or plan")
        return
    await chat.control.use_mode(cast("PermissionMode", argument))
    chat.tell(f"the mode is now {argument}: {_ABOUT_MODES[argument]}")


async def sessions(chat: "LineChat", argument: str) -> None:
    is_all = argument == "all"
    if argument and not is_all:
        number = int(argument) if argument.isdecimal() else 0
        # A number is the one that the person saw; who saw none means the list as it is now.
        listed = chat.listed or [row.id for row in await _newest(chat)]
        is_listed = 0 < number <= len(listed)
        await chat.control.open(listed[number - 1] if is_listed else argument)
        chat.recap()
        return
    found = await _newest(chat, everywhere=is_all)
    chat.listed = [row.id for row in found]
    for number, row in enumerate(found, 1):
        chat.say(_session_line(chat, number, row, with_folder=is_all))
    chat.say(chat.pen.style(shown("/sessions NUMBER continues one" if found else "no sessions here yet"), DIM))


async def new(chat: "LineChat", argument: str) -> None:
    await chat.control.new()
    chat.tell("your next prompt starts a new session")


async def fork(chat: "LineChat", argument: str) -> None:
    if not chat.control.has_begun:
        chat.tell("there is nothing to fork yet")
        return
    await chat.control.fork()
    chat.tell(f"this is now a copy, {short_id(chat.control.session_id)}; the original session is unchanged")


async def undo(chat: "LineChat", argument: str) -> None:
    undone = await chat.control.undo()
    if undone is None:
        chat.tell("there is nothing to undo")
        return
    chat.prefill = undone.text
    chat.tell("the last prompt and its answer are undone")
    if not undone.files:
        if undone.problems:
            chat.note(f"files are unchanged: {'; '.join(undone.problems)}")
        return
    _show_files(chat, undone.files)
    if undone.problems:
        chat.tell(f"cannot be undone: {exact_line('; '.join(undone.problems))}")
    if await _agreed(chat, "undo these file changes too?"):
        await chat.control.undo_files(undone.message_id)
        chat.tell("these file changes are undone" if undone.problems else "the file changes are undone")


async def redo(chat: "LineChat", argument: str) -> None:
    chat.say(await chat.control.redo_files())


async def diff(chat: "LineChat", argument: str) -> None:
    files = await chat.control.changed_files() if chat.control.has_begun else ()
    _show_files(chat, files)
    if not files:
        chat.tell("this session has changed no files")


async def retry(chat: "LineChat", argument: str) -> None:
    if not chat.control.has_begun:
        chat.tell("there is nothing to retry")
        return
    await chat.control.retry()


async def resume(chat: "LineChat", argument: str) -> None:
    await chat.control.resume()


async def compact(chat: "LineChat", argument: str) -> None:
    if chat.control.has_begun and await chat.control.compact():
        used = tokens_in_use(chat.local.session.messages) if chat.local is not None else 0
        chat.tell(f"summarised: {counted(used, 'token')} in use now" if used else "summarised")
    else:
        chat.tell("there is nothing to summarise yet")


async def rename(chat: "LineChat", argument: str) -> None:
    if not argument:
        chat.tell("to give the session a title: /rename TITLE")
        return
    await chat.control.rename(argument)
    chat.tell(f"the title is now {exact_line(argument)}")


async def copy(chat: "LineChat", argument: str) -> None:
    """By OSC 52, which terminals take over SSH too."""
    answers = [item.text for item in chat.control.view.items if isinstance(item, TextItem)]
    if not answers:
        chat.tell("there is no answer to copy yet")
    elif chat.kind == "plain":
        chat.tell("plain mode sends nothing but text to the terminal: use /export FILE instead")
    else:
        chat.pen.put(_clipboard_code(answers[-1]))
        chat.pen.at_line_start = True
        chat.tell("the last answer was sent to the clipboard of the terminal")


async def export(chat: "LineChat", argument: str) -> None:
    text = await chat.control.export()
    if not argument:
        chat.say(readable(text))
        return
    try:
        await asyncio.to_thread(_write_new, argument, text)
    except OSError as error:
        chat.note(f"{exact_line(argument)} cannot be written: {error.strerror}")
        return
    chat.tell(f"the session is in {exact_line(argument)}")


async def tools(chat: "LineChat", argument: str) -> None:
    if chat.local is None:
        chat.say("the tools are those of the server")
        return
    registry = chat.local.workspace.tools
    widest = max((len(tool.name) for tool in registry), default=0)
    for tool in registry:
        about = exact_line(first_sentence(tool.description))
        chat.say(fit(f"  {tool.name:<{widest}}  {about}", chat.pen.width))
    if not len(registry):
        chat.tell("no tools here: use --tools FILE.py, or put a file into .toolpost/tools/")


async def mcp(chat: "LineChat", argument: str) -> None:
    if "servers" not in chat.control.features:
        chat.tell("no MCP servers here; to add one: toolpost mcp add")
        return
    for one in await chat.control.servers():
        detail = exact_line(one.detail) or counted(one.tools, "tool")
        chat.say(fit(f"  {exact_line(one.name)}  {one.state}  {detail}", chat.pen.width))


async def jobs(chat: "LineChat", argument: str) -> None:
    if chat.local is None:
        lines = [
            f"{one.id}  {'running' if one.is_running else 'ended'}  {exact_line(one.title)}"
            for one in chat.control.view.facts.jobs
        ]
    else:
        running = chat.local.workspace.bench.jobs
        found = running.of(chat.control.session_id) if running else ()
        lines = [f"{job.id}  {job.status}  {exact_line(job.command)}" for job in found]
    for line in lines:
        chat.say(fit(f"  {line}", chat.pen.width))
    if not lines:
        chat.tell("no background jobs in this session")


async def status(chat: "LineChat", argument: str) -> None:
    facts = chat.control.view.facts
    window = facts.window
    share = f" of {window:,} ({facts.used / window:.0%})" if window else ""
    cost = "not known" if facts.cost is None else dollars(facts.cost)
    chat.say(f"  model    {exact_line(facts.model)}")
    chat.tell(f"  agent    {exact_line(facts.agent)}, mode {chat.control.mode}")
    chat.say(f"  session  {chat.control.session_id}  {exact_line(facts.title)}")
    chat.say(f"  context  {counted(facts.used, 'token')}{share}")
    chat.tell(f"  spent    {counted(facts.usage.total, 'token')}, cost {cost}")


async def tui(chat: "LineChat", argument: str) -> None:
    if argument not in _FACES:
        chat.tell(f"this is {chat.kind}; to change it: /tui full, /tui inline or /tui plain")
    elif argument != chat.kind:
        chat.next = cast("NextFace", argument)


async def exit_(chat: "LineChat", argument: str) -> None:
    chat.next = "quit"


COMMANDS: dict[str, tuple[str, Callable[["LineChat", str], Awaitable[None]]]] = {
    "model": ("show the model, or change it: /model provider/model", model),
    "variant": ("list the variants of the model, or select one: /variant high", variant),
    "agent": ("list the agents, or select one: /agent plan", agent),
    "mode": ("show what is asked for, or change it: /mode ask, edits or plan", mode),
    "sessions": ("list the sessions of this project, or continue one: /sessions 2; /sessions all", sessions),
    "new": ("start a new session", new),
    "fork": ("copy this session and continue in the copy", fork),
    "undo": ("undo the last prompt, to change it", undo),
    "redo": ("redo the file changes that were undone last", redo),
    "diff": ("show what this session changed in files", diff),
    "retry": ("answer the last prompt again", retry),
    "resume": ("go on with a run that was interrupted", resume),
    "compact": ("summarise the conversation so far", compact),
    "rename": ("give the session another title", rename),
    "copy": ("copy the last answer", copy),
    "export": ("show the session as Markdown, or write it: /export FILE", export),
    "tools": ("list the tools", tools),
    "mcp": ("show the state of the MCP servers", mcp),
    "jobs": ("list the background jobs of this session", jobs),
    "status": ("show tokens, cost and how full the context is", status),
    "tui": ("change to another face: /tui full, inline or plain", tui),
    "help": ("show this list", help_),
    "exit": ("quit", exit_),
    "quit": ("quit", exit_),
}


_KEYS = "Enter sends, Alt+Enter adds a line, Ctrl-C stops a run, Ctrl-D quits"
_PLAIN_KEYS = "Enter sends, a backslash before it adds a line, Ctrl-C stops a run, Ctrl-D quits"
_ABOUT_MODES: dict[str, str] = {
    "ask": "asks before files are changed and commands are run, as the rules say",
    "edits": "changes files of the project without asking; everything else is asked for",
    "plan": "the read-only agent plans and changes nothing",
}


def _show_variants(chat: "LineChat", names: Sequence[str]) -> None:
    local = chat.local
    if local is None:
        for name in names:
            chat.say(fit(f"   {exact_line(name)}", chat.pen.width))
        return
    known = local.workspace.variants(local.session.model.info)
    chosen = local.opener.variant or local.workspace.agent(local.session.agent)[1].variant
    for name, options in known.items():
        told = ", ".join(f"{key} {value}" for key, value in options.items())
        chat.say(fit(f" {_here(chat, name == chosen)} {exact_line(name)}  {exact_line(told)}", chat.pen.width))


def _here(chat: "LineChat", is_here: bool) -> str:
    mark = ">" if chat.kind == "plain" else "*"
    return mark if is_here else " "


async def _agreed(chat: "LineChat", question: str) -> bool:
    answer = await chat.ask(f"{question} [y/N] ")
    return (answer or "").strip().lower() in ("y", "yes")


def _show_files(chat: "LineChat", files: Sequence[ChangedFileDiff]) -> None:
    for file in files:
        chat.say(f"{chat.pen.style(exact_line(file.path), BOLD)} ({_KINDS.get(file.change, file.change)})")
        if file.note:
            chat.say(f"  {exact_line(file.note)}")
        for line in file.diff.splitlines():
            colour = GREEN if line.startswith("+") else RED if line.startswith("-") else ""
            chat.say("  " + (chat.pen.style(exact_line(line), colour) if colour else exact_line(line)))


_KINDS = {"added": "new", "changed": "changed", "deleted": "deleted"}


async def _newest(chat: "LineChat", *, everywhere: bool = False) -> Sequence[SessionRow]:
    return (await chat.control.sessions(everywhere=everywhere))[:LISTED_SESSIONS]


def _session_line(chat: "LineChat", number: int, row: SessionRow, *, with_folder: bool) -> str:
    here = _here(chat, row.id == chat.control.session_id)
    folder = f"  · {exact_line(row.folder)}" if with_folder else ""
    line = f" {here}{number:>2}  {exact_line(row.title) or '(no title)'}  · {ago(row.updated)}{folder}"
    return fit(line, chat.pen.width)


def _clipboard_code(text: str) -> str:
    """The escape code that puts a text into the clipboard of the terminal. tmux passes it on where it is told to."""
    code = f"\x1b]52;c;{base64.b64encode(text.encode()).decode()}\x07"
    return f"\x1bPtmux;{code.replace(_ESCAPE, _ESCAPE * 2)}\x1b\\" if os.environ.get("TMUX") else code


def _write_new(path: str, text: str) -> None:
    """Never over a file that is there."""
    with Path(path).expanduser().open("x", encoding="utf-8", errors="replace") as file:
        file.write(text)


def _escapes(chat: "LineChat") -> int:
    """The invisible letters of a styled text, which padding counts too."""
    return len(chat.pen.style("x", BOLD)) - 1
