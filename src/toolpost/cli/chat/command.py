"""`toolpost chat`: open the sessions of this folder in the face that fits the terminal."""

import asyncio
import os
import shutil
import sys
from argparse import ArgumentParser, Namespace
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING

from toolpost.cli.exit_codes import OK
from toolpost.cli.shared.arguments import add_session_arguments
from toolpost.cli.shared.language import language
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
    parser.add_argument(
        "--tui",
        choices=FACES,
        default=None,
        help="full screen, line by line (inline), or plain text for screen readers; auto takes what fits (default)",
    )


def run(args: Namespace) -> int:
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise ConfigError('a chat needs a terminal; without one, use toolpost run "…"')
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="replace")  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]
    return asyncio.run(_chat(args))


async def _chat(args: Namespace) -> int:
    async with AsyncExitStack() as stack:
        control = LocalControl(args, stack)
        size = shutil.get_terminal_size()
        wanted = args.tui or control.workspace.config.tui
        face = choose_face(wanted, term=os.environ.get("TERM", ""), columns=size.columns, lines=size.lines)
        try:
            return await _show(control, face)
        finally:
            await control.close()


async def _show(control: LocalControl, face: FaceName) -> int:
    """One face after the other, until the person leaves."""
    while True:
        _check_extra(face)
        if face == "full":
            status, following = OK, await _full_screen(control)
        else:
            # Imported here: the full screen needs nothing of it.
            from .inline_face import LineChat

            chat = LineChat(control, face)
            following = await chat.go()
            status = chat.status
        if following == "quit":
            return status
        face = following


async def _full_screen(control: LocalControl) -> "NextFace":
    # Imported here: line by line needs nothing of it.
    from toolpost.tui.app import run_full_screen
    from toolpost.tui.options import TerminalOptions
    from toolpost.tui.terminal_background import ask_background

    options = TerminalOptions(
        background=ask_background(),
        no_color=bool(os.environ.get("NO_COLOR")),
        language=language(),
        history=history_file(),
        has_unicode="utf" in (sys.stdout.encoding or "").lower(),
    )
    return await run_full_screen(control, options)


def _check_extra(face: FaceName) -> None:
    needed = {"full": ("textual",), "inline": ("prompt_toolkit",), "plain": ()}[face]
    if not has(needed):
        # A person at a terminal wants the rest as well.
        raise ConfigError(missing_text("all", "a chat in the terminal"))
