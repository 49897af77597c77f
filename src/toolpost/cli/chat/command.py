"""`toolpost chat`: open the sessions of this folder in the face that fits the terminal."""

import asyncio
import os
import shutil
import sys
from argparse import ArgumentParser, Namespace
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, Literal

from toolpost.cli.exit_codes import OK, STOPPED
from toolpost.cli.shared.arguments import add_session_arguments
from toolpost.cli.shared.language import language
from toolpost.config.schema import Config, TuiChoice
from toolpost.control.contract import Control
from toolpost.extras import has, missing_text
from toolpost.types.errors import ConfigError

from .face_choice import FACES, FaceName, choose_face
from .history_file import history_file
from .local_control import LocalControl

if TYPE_CHECKING:
    from .inline_face import NextFace

HELP = "chat in the terminal (the default without a command)"


def add_arguments(parser: ArgumentParser) -> None:
    add_session_arguments(parser)
    add_face_argument(parser)


def add_face_argument(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--tui",
        choices=FACES,
        default=None,
        help="full screen, line by line (inline), or plain text for screen readers; auto takes what fits (default)",
    )


def run(args: Namespace) -> int:
    check_terminal()
    return asyncio.run(_chat(args))


def check_terminal() -> None:
    """Raise `ConfigError` where no person sits in front of it."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise ConfigError('a chat needs a terminal; without one, use toolpost run "…"')
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="replace")  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]


async def _chat(args: Namespace) -> int:
    async with AsyncExitStack() as stack:
        control = LocalControl(args, stack)
        return await show_sessions(control, control.workspace.config, args.tui)


async def show_sessions(
    control: Control, config: Config, wanted: TuiChoice | None, again: str = "toolpost chat -s {id}"
) -> int:
    """Show the sessions of a control in one face after the other, until the person leaves; then close it. `again` is
    the command that shows a session again."""
    size = shutil.get_terminal_size()
    # Textual draws on the standard error.
    term = os.environ.get("TERM", "") if sys.stderr.isatty() else "dumb"
    face = choose_face(wanted or config.tui, term=term, columns=size.columns, lines=size.lines)
    status = STOPPED
    try:
        status = await _show(control, config, face, again)
    finally:
        await control.close(leaves_runs=status == STOPPED)
    return status


async def _show(control: Control, config: Config, face: FaceName, again: str) -> int:
    while True:
        _check_extra(face)
        if face == "full":
            status, following = OK, await _full_screen(control, config, again)
        else:
            # Imported here: the full screen needs nothing of it.
            from .inline_face import LineChat

            chat = LineChat(control, face, again)
            following = await chat.go()
            status = chat.status
        if following == "lost":
            return STOPPED
        if following == "quit":
            return status
        face = following


async def _full_screen(control: Control, config: Config, again: str) -> "NextFace | Literal['lost']":
    # Imported here: line by line needs nothing of it.
    from toolpost.tui.app import run_full_screen
    from toolpost.tui.options import TerminalOptions
    from toolpost.tui.terminal_background import ask_background

    terminal = config.terminal
    options = TerminalOptions(
        theme=terminal.theme,
        background=ask_background(),
        no_color=bool(os.environ.get("NO_COLOR")),
        keys=config.keys,
        mouse=terminal.mouse,
        vim=terminal.vim,
        notify=terminal.notify,
        motion=terminal.motion,
        status_command=terminal.status_command,
        language=language(),
        history=history_file(),
        resume_command=again,
        has_unicode="utf" in (sys.stdout.encoding or "").lower(),
        side_pane=terminal.side_pane,
    )
    return await run_full_screen(control, options)


def _check_extra(face: FaceName) -> None:
    needed = {"full": ("textual",), "inline": ("prompt_toolkit",), "plain": ()}[face]
    if not has(needed):
        # A person at a terminal wants the rest as well.
        raise ConfigError(missing_text("all", "a chat in the terminal"))
