"""Let a person choose from lists: sessions, models, agents, prompts of the timeline, themes, actions."""

import os
import shlex
import subprocess
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import structs
from textual.strip import Strip

from toolpost.control.contract import ModelRow, SessionRow
from toolpost.types.errors import ToolpostError
from toolpost.view.escape_codes import clean, exact_line
from toolpost.view.items import PromptItem
from toolpost.view.words import words

from .dialogs.command_palette import PaletteEntry, action_entries, command_palette
from .dialogs.diff_screen import DiffScreen, changed_files
from .dialogs.help_screen import HelpScreen
from .dialogs.picker import Picker, PickerRow, Preview, RowAction
from .dialogs.text_dialog import ConfirmDialog, TextDialog
from .drawing.items import draw_item
from .status_line import short_count
from .themes import THEMES, theme_for

if TYPE_CHECKING:
    from .app import TerminalApp

PREVIEW_LINES = 60
PREVIEW_CELLS = 60


async def choose_session(app: "TerminalApp", *, everywhere: bool = False) -> None:
    async def preview(session_id: str) -> Sequence[Strip]:
        view = await app.control.peek(session_id)
        look = structs.replace(app.look, width=PREVIEW_CELLS)
        lines: list[Strip] = []
        for item in view.items:
            lines.extend(draw_item(item, look).lines)
        return lines[-PREVIEW_LINES:]

    async def delete(row: PickerRow, _: str) -> Sequence[PickerRow]:
        await app.control.delete(row.id)
        return await listed()

    async def listed() -> Sequence[PickerRow]:
        found = await app.control.sessions(everywhere=everywhere)
        return [_session_row(app, one, everywhere=everywhere) for one in found]

    language = app.language
    actions = [
        RowAction("list.delete", words("sessions.delete", language), delete, words("sessions.confirm", language))
    ]
    chosen = await _choose(app, "sessions.title", await listed(), preview=preview, actions=actions)
    if chosen:
        await app.control.open(chosen)


async def choose_model(app: "TerminalApp") -> None:
    rows = await app.control.models()
    chosen = await _choose(app, "models.title", [_model_row(app, one) for one in rows])
    if chosen:
        await app.control.use_model(chosen)


async def choose_variant(app: "TerminalApp") -> None:
    names = await app.control.variants()
    if not names:
        raise ToolpostError(words("variants.none", app.language))
    rows = [PickerRow("none", words("variants.usual", app.language)), *(PickerRow(name, name) for name in names)]
    chosen = await _choose(app, "variants.title", rows)
    if chosen:
        await app.control.use_variant(chosen)


async def choose_agent(app: "TerminalApp") -> None:
    agents = await app.control.agents()
    rows = [
        PickerRow(one.name, exact_line(one.name), exact_line(one.description), is_current=one.is_current)
        for one in agents
    ]
    chosen = await _choose(app, "agents.title", rows)
    if chosen:
        await app.control.use_agent(chosen)


async def choose_theme(app: "TerminalApp", name: str = "") -> None:
    rows = [PickerRow(one, one, is_current=one == app.palette.name) for one in THEMES]
    chosen = name or await _choose(app, "themes.title", rows)
    if not chosen:
        return
    if chosen not in (*THEMES, "auto"):
        raise ToolpostError(words("themes.unknown", app.language, name=chosen, names=", ".join(THEMES)))
    app.use_theme(theme_for(chosen, app.options.background, app.options.no_color))


async def choose_prompt(app: "TerminalApp") -> None:
    """The timeline: go back to a prompt, or fork there."""
    prompts = [item for item in app.control.view.items if isinstance(item, PromptItem)]
    if not prompts:
        raise ToolpostError(words("commands.nothing", app.language))
    rows = [PickerRow(one.message_id, exact_line(one.text.strip())[:200]) for one in reversed(prompts)]
    message_id = await _choose(app, "timeline.title", rows)
    if not message_id:
        return
    ways = ("undo", "fork")
    way = await _choose(app, "timeline.what", [PickerRow(one, words(f"timeline.{one}", app.language)) for one in ways])
    if way == "undo":
        await undo_prompt(app, message_id)
    elif way == "fork":
        text = next(one.text for one in prompts if one.message_id == message_id)
        await app.control.fork(message_id)
        undone = await app.control.undo(message_id)
        app.editor.load(undone.text if undone else text)


async def undo_prompt(app: "TerminalApp", message_id: str) -> None:
    """Take a prompt back into the editor, and offer to undo what followed from it in files."""
    undone = await app.control.undo(message_id) if app.control.has_begun else None
    if undone is None:
        raise ToolpostError(words("undo.nothing", app.language))
    app.editor.load(undone.text)
    if undone.problems:
        app.note(words("undo.files_stay", app.language, why="; ".join(undone.problems)), "warning")
    elif undone.files and "undo_files" in app.control.features:
        names = ", ".join(one.path for one in undone.files)
        if await app.push_screen_wait(ConfirmDialog(words("undo.files", app.language, names=names), app.look)):
            app.note(await app.control.undo_files(undone.message_id))


async def choose_waiting(app: "TerminalApp") -> None:
    """Take a waiting prompt back, to change it or to drop it."""
    rows = [PickerRow(one.id, exact_line(one.text)) for one in app.control.view.facts.queue]
    if not rows:
        raise ToolpostError(words("queue.none", app.language))
    chosen = await _choose(app, "queue.title", rows)
    text = await app.control.unqueue(chosen) if chosen else ""
    if text and not app.editor.draft:
        app.editor.load(text)


async def ask_title(app: "TerminalApp") -> str | None:
    title = app.control.view.facts.title
    return await app.push_screen_wait(TextDialog(words("rename.title", app.language), app.look, value=title))


async def ask_search(app: "TerminalApp") -> str | None:
    return await app.push_screen_wait(TextDialog(words("search.title", app.language), app.look))


async def show_changes(app: "TerminalApp") -> None:
    changes = await app.control.changed_files()
    if not changes:
        raise ToolpostError(words("panel.noFiles", app.language))
    app.push_screen(DiffScreen(changed_files(changes), app.look, keys=app.keys))


async def show_help(app: "TerminalApp") -> None:
    app.push_screen(HelpScreen(app.look, app.commands(), keys=app.keys))


async def choose_action(app: "TerminalApp") -> None:
    """The command palette: everything that can be done, with its key."""
    commands = [PaletteEntry(f"/{name}", f"/{name}", exact_line(about)) for name, about in app.commands().items()]
    entries = [*commands, *action_entries("app", app.look, keys=app.keys)]
    chosen = await app.push_screen_wait(command_palette(entries, app.look, keys=app.keys))
    if chosen and chosen.startswith("/"):
        app.run_slash(chosen[1:])
    elif chosen:
        await app.run_action_of(chosen)


async def read_in_editor(app: "TerminalApp", text: str) -> None:
    command = shlex.split(os.environ.get("VISUAL") or os.environ.get("EDITOR") or "vi")
    with tempfile.TemporaryDirectory(prefix="toolpost-") as folder:
        path = Path(folder) / "transcript.md"
        path.write_text(text, encoding="utf-8")
        try:
            with app.suspend():
                subprocess.run([*command, str(path)], check=False)  # noqa: ASYNC221 - the editor has the terminal
        except OSError as error:
            raise ToolpostError(words("editor.failed", app.language, command=command[0])) from error


async def write_scrollback(app: "TerminalApp") -> None:
    """Leave the screen for a moment: what is written then stays in the terminal's own scrollback."""
    text = app.transcript.plain_text()
    with app.suspend():
        os.write(1, f"{clean(text)}\n\n{words('scrollback.back', app.language)}\n".encode())
        with open("/dev/tty", "rb") as terminal:  # noqa: ASYNC230, PTH123 - the person reads, and nothing else is shown
            terminal.readline()


async def _choose(
    app: "TerminalApp",
    title: str,
    rows: Sequence[PickerRow],
    *,
    preview: Preview | None = None,
    actions: Sequence[RowAction] = (),
) -> str | None:
    picker = Picker(rows, app.look, title=words(title, app.language), preview=preview, actions=actions, keys=app.keys)
    return await app.push_screen_wait(picker)


def _session_row(app: "TerminalApp", row: SessionRow, *, everywhere: bool) -> PickerRow:
    state = "" if row.state == "idle" else words(f"state.{row.state}", app.language, seconds=0)
    when = time.strftime("%Y-%m-%d %H:%M", time.localtime(row.updated)) if row.updated else ""
    detail = "  ".join(part for part in (state, row.folder if everywhere else "", when) if part)
    label = exact_line(row.title) or words("sessions.untitled", app.language)
    return PickerRow(row.id, label, exact_line(detail), is_current=row.id == app.control.session_id)


def _model_row(app: "TerminalApp", row: ModelRow) -> PickerRow:
    price = ""
    if row.price_in is not None and row.price_out is not None:
        price = f"${row.price_in:g}/${row.price_out:g}"
    window = short_count(row.window) if row.window else ""
    missing = exact_line(row.missing)
    detail = "  ".join(part for part in (window, price, missing) if part)
    return PickerRow(row.id, exact_line(row.id), detail, is_current=row.is_current)
