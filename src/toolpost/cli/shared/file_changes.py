"""Show the file changes of sessions, and find the session whose changes are meant."""

import argparse
import asyncio
from typing import TYPE_CHECKING, TypeVar

from .arguments import Argument
from .find_by_id import ID_HELP, find_changer
from .output import say
from .tables import bold, plain

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from toolpost.tools.files.apply import Step
    from toolpost.tools.files.undo import LeftOut
    from toolpost.workspace import Workspace

T = TypeVar("T")
MAX_SHOWN, MAX_NAMED = 200, 50
_KINDS = {"added": "new", "changed": "changed", "deleted": "deleted"}
SESSION = Argument("--session", metavar="ID", help=f"only changes of this session: {ID_HELP}")


async def session_of(workspace: "Workspace", args: argparse.Namespace) -> frozenset[str] | None:
    """The id of the session that `--session` names; None if it is not given."""
    return frozenset({await find_changer(workspace, args.session)}) if args.session else None


def with_store(workspace: "Workspace", find: "Callable[[], Awaitable[T]]") -> T:
    """Await `find` with the store open and close it before a person is asked: a question would block the loop."""

    async def act() -> T:
        try:
            return await find()
        finally:
            await workspace.close()

    return asyncio.run(act())


def show_changes(steps: "Sequence[Step]") -> None:
    """Show each file with its diff."""
    from toolpost.tools.files.guarded_write import diff_of

    for step in steps[:MAX_SHOWN]:
        say(f"{bold(plain(step.place.shown))} ({_KINDS[step.kind]})")
        if step.note:
            say(f"  {plain(step.note)}")
        if step.is_of_files and step.before != step.after:
            diff = diff_of(step)
            say("\n".join(f"  {plain(line)}" for line in diff.text.splitlines()) if diff else "  no text")
    if len(steps) > MAX_SHOWN:
        say(f"and {len(steps) - MAX_SHOWN:,} more")


def say_left_out(left_out: "Sequence[LeftOut]", what: str) -> None:
    """Say which files stay as they are, and why."""
    if left_out:
        say(f"{what}: {listed([one.text for one in left_out])}")


def listed(names: "Sequence[str]") -> str:
    """The names on one line; how many more if there are many."""
    more = f" and {len(names) - MAX_NAMED:,} more" if len(names) > MAX_NAMED else ""
    return ", ".join(plain(name) for name in names[:MAX_NAMED]) + more
