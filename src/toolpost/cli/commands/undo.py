"""`toolpost undo`, `redo` and `diff`: what an agent did to the files of this project, shown first, then taken back."""

import argparse
import asyncio
import sys
from typing import TYPE_CHECKING, TypeVar

from toolpost.cli.exit_codes import FAILED, OK
from toolpost.cli.shared.find_by_id import ID_HELP
from toolpost.cli.shared.session_arguments import count
from toolpost.cli.shared.tables import bold, plain
from toolpost.types.errors import ToolpostError

from . import Argument, complain, open_workspace, say

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from toolpost.tools.files.apply import Step
    from toolpost.tools.files.undo import LeftOut, UndoPlan, Way
    from toolpost.workspace import Workspace

HELP = "take back what the last step did to files"
Found = TypeVar("Found")
LAST = "last"
MOST_SHOWN, MOST_NAMED = 200, 50
_DONE = {"undo": "taken back", "redo": "done again"}
_KINDS = {"added": "new", "changed": "changed", "deleted": "deleted"}
SESSION = Argument("--session", metavar="ID", help=f"only what this session did: {ID_HELP}")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    Argument("--steps", type=count, default=1, metavar="N", help="how many steps (1)").add_to(parser)
    Argument(
        "--message",
        nargs="?",
        const=LAST,
        metavar="ID",
        help="all that came of this message: of a prompt, or of one step (`toolpost diff --steps` lists them); "
        "without an ID, of the last prompt",
    ).add_to(parser)
    SESSION.add_to(parser)
    Argument("-y", "--yes", action="store_true", help="do it without asking").add_to(parser)
    Argument("--dry-run", action="store_true", help="only show what would be done").add_to(parser)


def run(args: argparse.Namespace) -> int:
    return turn_back(args, "undo")


def turn_back(args: argparse.Namespace, way: "Way") -> int:
    """Show what would change, ask, and do it."""
    from toolpost.workspace.changed_files import undo_in

    workspace = open_workspace()
    session, messages = in_store(workspace, lambda: _meant(workspace, args, way))
    undo = undo_in(workspace, only(session))
    turn = undo.plan(way, steps=args.steps, messages=messages)
    if not turn.numbers:
        say(f"there is nothing to {way}")
        return OK
    if turn.problems:
        complain(f"nothing was done: {'; '.join(turn.problems)}. Put the file back, or edit it by hand.")
        return FAILED
    show(turn.steps)
    if args.dry_run or not (args.yes or not turn.steps or _agreed(way, turn)):
        say_left_out(turn.left_out, f"can't be {_DONE[way]}")
        say("nothing was done")
        return OK if args.dry_run else FAILED
    undo.apply(turn)
    say(f"{_DONE[way]}: {_names(turn.steps)}" if turn.steps else f"nothing was {_DONE[way]}")
    say_left_out(turn.left_out, f"not {_DONE[way]}")
    return OK


async def _meant(
    workspace: "Workspace", args: argparse.Namespace, way: "Way"
) -> tuple[str | None, frozenset[str] | None]:
    """The session and the messages that the arguments name; None is for all of them."""
    from toolpost.cli.shared.find_by_id import only_id
    from toolpost.workspace.changed_files import messages_of, messages_of_last

    session = await session_of(workspace, args)
    if args.message in (None, LAST):
        return session, await messages_of_last(workspace, way, only(session)) if args.message else None
    messages = await messages_of(workspace, args.message, only_id)
    if not messages:
        raise ToolpostError(f"no message {args.message} has changed a file here; `toolpost diff --steps` lists them")
    return session, messages


async def session_of(workspace: "Workspace", args: argparse.Namespace) -> str | None:
    """The id of the session that `--session` names; None where it is not given."""
    from toolpost.cli.shared.find_by_id import find_changer

    return await find_changer(workspace, args.session) if args.session else None


def only(session: str | None) -> frozenset[str] | None:
    return frozenset({session}) if session else None


def in_store(workspace: "Workspace", find: "Callable[[], Awaitable[Found]]") -> "Found":
    """What is found with the store open, which is closed before anybody is asked: a question would hold up the loop."""

    async def act() -> Found:
        try:
            return await find()
        finally:
            await workspace.close()

    return asyncio.run(act())


def show(steps: "tuple[Step, ...] | list[Step]") -> None:
    """Each file with what changes in it."""
    from toolpost.tools.files.change import diff_of

    for step in steps[:MOST_SHOWN]:
        say(f"{bold(plain(step.place.shown))} ({_KINDS[step.kind]})")
        if step.note:
            say(f"  {plain(step.note)}")
        if step.is_of_files and step.before != step.after:
            diff = diff_of(step)
            say(plain_diff(diff.text) if diff else "  no text")
    if len(steps) > MOST_SHOWN:
        say(f"and {len(steps) - MOST_SHOWN:,} more")


def say_left_out(left_out: "Sequence[LeftOut]", what: str) -> None:
    """What stays as it is, and why."""
    if left_out:
        named = [plain(one.text) for one in left_out[:MOST_NAMED]]
        say(f"{what}: {', '.join(named)}{_more(len(left_out))}")


def plain_diff(text: str) -> str:
    return "\n".join(f"  {plain(line)}" for line in text.splitlines())


def _agreed(way: str, turn: "UndoPlan") -> bool:
    if not sys.stdin.isatty():
        complain(f"say --yes to {way} this without being asked")
        return False
    answer = input(f"{way} this in {_names(turn.steps)}? [y/N] ")
    return answer.strip().lower() in ("y", "yes")


def _names(steps: "tuple[Step, ...]") -> str:
    return ", ".join(plain(step.place.shown) for step in steps[:MOST_NAMED]) + _more(len(steps))


def _more(count: int) -> str:
    return f" and {count - MOST_NAMED:,} more" if count > MOST_NAMED else ""
