"""The `/` commands of the full screen."""

import asyncio
import os
import re
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, cast

from toolpost.arguments.suggestions import closest
from toolpost.control.contract import Feature
from toolpost.types.errors import ToolpostError
from toolpost.view.cells import fit
from toolpost.view.escape_codes import exact_line
from toolpost.view.words import words

from . import choosers

if TYPE_CHECKING:
    from .app import TerminalApp
    from .options import Leaving

_COMMAND = re.compile(r"/([A-Za-z][\w-]*)(?:\s+(.*))?", re.DOTALL)

Run = Callable[["TerminalApp", str], Awaitable[None]]


async def run_command(app: "TerminalApp", text: str) -> bool:
    """Run what begins with a slash; False where it is no command but a text, such as a path."""
    found = _COMMAND.fullmatch(text.strip())
    if found is None:
        return False
    name, argument = found[1], (found[2] or "").strip()
    if name in COMMANDS:
        await COMMANDS[name](app, argument)
    elif name in app.control.commands():
        await app.control.command(name, argument)
    else:
        likely = closest(name, [*COMMANDS, *app.control.commands()])
        key = "command.unknown_like" if likely else "command.unknown"
        raise ToolpostError(words(key, app.language, name=name, likely=likely or ""))
    return True


async def model(app: "TerminalApp", argument: str) -> None:
    await (app.control.use_model(argument) if argument else choosers.choose_model(app))


async def variant(app: "TerminalApp", argument: str) -> None:
    await (app.control.use_variant(argument) if argument else choosers.choose_variant(app))


async def agent(app: "TerminalApp", argument: str) -> None:
    await (app.control.use_agent(argument) if argument else choosers.choose_agent(app))


async def mode(app: "TerminalApp", argument: str) -> None:
    if argument not in ("ask", "edits", "plan"):
        raise ToolpostError(words("mode.unknown", app.language, names="ask, edits, plan"))
    await app.use_mode(argument)


async def sessions(app: "TerminalApp", argument: str) -> None:
    await choosers.choose_session(app, everywhere=argument == "all")


async def new(app: "TerminalApp", argument: str) -> None:
    await app.control.new()


async def fork(app: "TerminalApp", argument: str) -> None:
    if not app.control.has_begun:
        raise ToolpostError(words("commands.nothing", app.language))
    await app.control.fork()
    app.note(words("commands.forked", app.language))


async def timeline(app: "TerminalApp", argument: str) -> None:
    await choosers.choose_prompt(app)


async def undo(app: "TerminalApp", argument: str) -> None:
    await choosers.undo_prompt(app, "")


async def redo(app: "TerminalApp", argument: str) -> None:
    _need(app, "undo_files")
    app.note(await app.control.redo_files())


async def retry(app: "TerminalApp", argument: str) -> None:
    await app.control.retry()


async def resume(app: "TerminalApp", argument: str) -> None:
    await app.control.resume()


async def stop(app: "TerminalApp", argument: str) -> None:
    await app.control.stop()


async def queue(app: "TerminalApp", argument: str) -> None:
    await choosers.choose_waiting(app)


async def compact(app: "TerminalApp", argument: str) -> None:
    done = app.control.has_begun and await app.control.compact()
    app.note(words("commands.compacted" if done else "commands.nothing", app.language))


async def rename(app: "TerminalApp", argument: str) -> None:
    _need(app, "rename")
    title = argument or await choosers.ask_title(app)
    if title:
        await app.control.rename(title)


async def diff(app: "TerminalApp", argument: str) -> None:
    await choosers.show_changes(app)


async def search(app: "TerminalApp", argument: str) -> None:
    wanted = argument or await choosers.ask_search(app)
    if not wanted:
        app.transcript.clear_search()
        return
    app.note(words("search.found", app.language, count=app.transcript.search(wanted), text=wanted))


async def copy(app: "TerminalApp", argument: str) -> None:
    if argument == "all":
        app.copy_to_clipboard(await app.control.export())
    else:
        app.action_copy_answer()


async def export(app: "TerminalApp", argument: str) -> None:
    """Write the session as Markdown, into a file that must not exist yet."""
    path = os.path.expanduser(argument or f"{app.control.session_id}.md")  # noqa: ASYNC240, PTH111 - it looks at no file
    text = await app.control.export()
    try:
        await asyncio.to_thread(_write_new, path, text)
    except OSError as error:
        raise ToolpostError(words("export.failed", app.language, path=path, why=error.strerror)) from error
    app.note(words("export.written", app.language, path=path))


async def open_editor(app: "TerminalApp", argument: str) -> None:
    """Open the transcript in the person's editor."""
    await choosers.read_in_editor(app, await app.control.export())


async def scrollback(app: "TerminalApp", argument: str) -> None:
    """Write the transcript to the terminal's own scrollback, for its search and its copy mode."""
    await choosers.write_scrollback(app)


async def servers(app: "TerminalApp", argument: str) -> None:
    _need(app, "servers")
    rows = await app.control.servers()
    lines = [fit(f"{exact_line(one.name)}  {one.state}  {exact_line(one.detail)}", app.size.width) for one in rows]
    app.note("\n".join(lines) or words("panel.noServers", app.language))


async def theme(app: "TerminalApp", argument: str) -> None:
    await choosers.choose_theme(app, argument)


async def show_help(app: "TerminalApp", argument: str) -> None:
    await choosers.show_help(app)


async def palette(app: "TerminalApp", argument: str) -> None:
    await choosers.choose_action(app)


async def tui(app: "TerminalApp", argument: str) -> None:
    """Go on in another face: the session stays open."""
    if argument == "full":
        return
    if argument not in ("inline", "plain"):
        raise ToolpostError(words("tui.unknown", app.language))
    app.leave(cast("Leaving", argument))


async def leave(app: "TerminalApp", argument: str) -> None:
    app.leave("quit")


COMMANDS: dict[str, Run] = {
    "model": model,
    "variant": variant,
    "agent": agent,
    "mode": mode,
    "sessions": sessions,
    "new": new,
    "fork": fork,
    "timeline": timeline,
    "undo": undo,
    "redo": redo,
    "retry": retry,
    "resume": resume,
    "stop": stop,
    "queue": queue,
    "compact": compact,
    "rename": rename,
    "diff": diff,
    "search": search,
    "copy": copy,
    "export": export,
    "editor": open_editor,
    "scrollback": scrollback,
    "mcp": servers,
    "theme": theme,
    "tui": tui,
    "palette": palette,
    "help": show_help,
    "exit": leave,
    "quit": leave,
}

# Keys that do what a `/` command does.
COMMAND_KEYS = {
    "palette": "palette",
    "help": "help",
    "sessions": "sessions",
    "new": "new",
    "models": "model",
    "agents": "agent",
    "themes": "theme",
    "timeline": "timeline",
    "changes": "diff",
    "search": "search",
    "export": "editor",
}


def _need(app: "TerminalApp", feature: Feature) -> None:
    if feature not in app.control.features:
        raise ToolpostError(words("command.missing", app.language))


def _write_new(path: str, text: str) -> None:
    with Path(path).open("x", encoding="utf-8") as file:
        file.write(text)
