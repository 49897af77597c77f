"""`toolpost diff`: show the file changes of agents in this project, as a whole or step by step."""

import argparse
from typing import TYPE_CHECKING

from .exit_codes import OK
from .shared.arguments import Argument
from .shared.file_changes import SESSION, say_left_out, session_of, show_changes, with_store
from .shared.formats import moment, short_id
from .shared.output import say
from .shared.tables import TextTable
from .shared.workspace import open_workspace

if TYPE_CHECKING:
    from toolpost.tools.files.undo import Undo

HELP = "show what agents changed in this project"
NOTHING = "no agent changed a file here"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    Argument(
        "--steps", action="store_true", help="list the steps that changed files, with ids for `undo --message`"
    ).add_to(parser)
    SESSION.add_to(parser)


def run(args: argparse.Namespace) -> int:
    from toolpost.workspace.undo import undo_in

    workspace = open_workspace()
    undo = undo_in(workspace, with_store(workspace, lambda: session_of(workspace, args)))
    return _list(undo) if args.steps else _show(undo)


def _list(undo: "Undo") -> int:
    steps = undo.history()
    with TextTable("TIME", "SESSION", "MESSAGE", "STATE", "FILES") as table:
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
    show_changes(steps)
    say_left_out(left_out, "not kept")
    if not steps and not left_out:
        say(f"{NOTHING}, or all changes were undone")
    return OK
