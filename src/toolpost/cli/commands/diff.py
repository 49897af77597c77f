"""`toolpost diff`: what the agent has changed in this project by now, or the steps in which it did."""

import argparse
from typing import TYPE_CHECKING

from toolpost.cli.exit_codes import OK
from toolpost.cli.shared.formats import moment, short_id
from toolpost.cli.shared.tables import Table

from . import Argument, open_workspace, say
from .undo import SESSION, in_store, only, say_left_out, session_of, show

if TYPE_CHECKING:
    from toolpost.tools.files.undo import Undo

HELP = "show what the agent has changed in this project"
NOTHING = "nothing was changed by an agent here"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    Argument(
        "--steps", action="store_true", help="list the steps that changed files, with what `undo --message` takes"
    ).add_to(parser)
    SESSION.add_to(parser)


def run(args: argparse.Namespace) -> int:
    from toolpost.workspace.changed_files import undo_in

    workspace = open_workspace()
    undo = undo_in(workspace, only(in_store(workspace, lambda: session_of(workspace, args))))
    return _list(undo) if args.steps else _show(undo)


def _list(undo: "Undo") -> int:
    steps = undo.history()
    with Table("TIME", "SESSION", "MESSAGE", "STATE", "FILES") as table:
        for step in reversed(steps):
            state = "undone" if step.undone else "done"
            ids = (short_id(step.session_id), short_id(step.message_id))
            files = [*step.files, *(f"{one.path} (not kept)" for one in step.left_out)]
            table.row(moment(step.time), *ids, state, ", ".join(files))
    if not steps:
        say(NOTHING)
    return OK


def _show(undo: "Undo") -> int:
    steps, left_out = undo.net(), undo.left_out()
    show(steps)
    say_left_out(left_out, "not kept")
    if not steps and not left_out:
        say(f"{NOTHING}, or all of it was taken back")
    return OK
