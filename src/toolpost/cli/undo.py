"""`toolpost undo` and `toolpost redo`: show what an agent did to the files of this project, and undo or redo it."""

import argparse
from typing import TYPE_CHECKING

from toolpost.types.errors import ToolpostError

from .exit_codes import FAILED, OK
from .shared.arguments import YES, Argument, positive_integer
from .shared.file_changes import SESSION, listed, say_left_out, session_of, show_changes, with_store
from .shared.output import confirm, say, say_on_stderr
from .shared.workspace import open_workspace

if TYPE_CHECKING:
    from toolpost.tools.files.undo import UndoPlan, Way
    from toolpost.workspace import Workspace

HELP = "undo the file changes of the last step"
LAST = "last"
_DONE = {"undo": "undone", "redo": "redone"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    Argument("--steps", type=positive_integer, default=1, metavar="N", help="how many steps (default: 1)").add_to(
        parser
    )
    Argument(
        "--message",
        nargs="?",
        const=LAST,
        metavar="ID",
        help="all changes of this message: a prompt or a step (`toolpost diff --steps` lists them); "
        "without ID, the last prompt",
    ).add_to(parser)
    SESSION.add_to(parser)
    YES.add_to(parser)
    Argument("--dry-run", action="store_true", help="only show what would change").add_to(parser)


def run(args: argparse.Namespace) -> int:
    return undo_or_redo(args, "undo")


def undo_or_redo(args: argparse.Namespace, way: "Way") -> int:
    """Show what would change, ask, and do it."""
    from toolpost.workspace.undo import undo_in

    workspace = open_workspace()
    session, messages = with_store(workspace, lambda: _meant(workspace, args, way))
    undo = undo_in(workspace, session)
    turn = undo.plan(way, steps=args.steps, messages=messages)
    if not turn.numbers:
        say(f"there is nothing to {way}")
        return OK
    if turn.problems:
        say_on_stderr(f"nothing was changed: {'; '.join(turn.problems)}. Put the file back, or edit it by hand.")
        return FAILED
    show_changes(turn.steps)
    if args.dry_run or not (args.yes or not turn.steps or _agreed(way, turn)):
        say_left_out(turn.left_out, f"cannot be {_DONE[way]}")
        say("nothing was changed")
        return OK if args.dry_run else FAILED
    undo.apply(turn)
    say(f"{_DONE[way]}: {_names(turn)}" if turn.steps else f"nothing was {_DONE[way]}")
    say_left_out(turn.left_out, f"not {_DONE[way]}")
    return OK


async def _meant(
    workspace: "Workspace", args: argparse.Namespace, way: "Way"
) -> tuple[frozenset[str] | None, frozenset[str] | None]:
    """The session and the messages that the arguments name; None means all of them."""
    from toolpost.workspace.undo import messages_of, messages_of_last

    from .shared.find_by_id import only_id

    session = await session_of(workspace, args)
    if args.message in (None, LAST):
        return session, await messages_of_last(workspace, way, session) if args.message else None
    messages = await messages_of(workspace, args.message, only_id)
    if not messages:
        raise ToolpostError(f"no message {args.message} changed a file here; `toolpost diff --steps` lists them")
    return session, messages


def _agreed(way: str, turn: "UndoPlan") -> bool:
    return confirm(
        f"{way} this in {_names(turn)}?", without_terminal=f"standard input is not a terminal: add --yes to {way} this"
    )


def _names(turn: "UndoPlan") -> str:
    return listed([step.place.shown for step in turn.steps])
