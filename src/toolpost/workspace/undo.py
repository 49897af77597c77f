"""Open a project's undo, and find the sessions and messages whose file changes are meant."""

from collections.abc import Callable, Collection, Iterable
from typing import TYPE_CHECKING

from toolpost.engine.file_changes import SessionFamily, messages_in

from .workspace import Workspace

if TYPE_CHECKING:
    from toolpost.tools.files.journal import JournaledChange
    from toolpost.tools.files.undo import Undo, Way

# Which of these ids is meant by what was asked for; "" for none.
Pick = Callable[[str, Iterable[str]], str]


def undo_in(workspace: Workspace, sessions: Collection[str] | None = None) -> "Undo":
    """Undo and redo in a project; `sessions` leaves out what others did."""
    # Imported here: few who open a folder take something back.
    from toolpost.guard.paths import FileAccess
    from toolpost.tools.files.undo import Undo

    return Undo(FileAccess(workspace.project), workspace.journal, sessions=sessions)


async def family_of(workspace: Workspace, session_id: str) -> frozenset[str]:
    """A session, and of the agents that it sent those that changed files."""
    family = await SessionFamily.of(workspace.store, workspace.journal.changes())
    return frozenset({session_id, *family.sent_by(session_id)})


async def messages_of(
    workspace: Workspace, wanted: str, pick: Pick, sessions: Collection[str] | None = None
) -> frozenset[str]:
    """The messages whose changes are meant: those that answered the prompt `wanted`, or the one answer that is called
    so. None where no such message is known. `sessions` leaves out the others."""
    changes = _changes(workspace, sessions)
    if not changes:
        return frozenset()
    steps = dict.fromkeys(change.message_id for change in changes)
    if step := pick(wanted, steps):
        return frozenset({step})
    family = await SessionFamily.of(workspace.store, changes)
    for root in dict.fromkeys(family.root(change.session_id) for change in reversed(changes)):
        messages = await messages_in(workspace.store, root)
        if prompt := pick(wanted, messages):
            return family.below(root, prompt, messages, changes)
    return frozenset()


async def messages_of_last(workspace: Workspace, way: "Way", sessions: Collection[str] | None = None) -> frozenset[str]:
    """The messages that answered the prompt whose changes were made last or, to redo them, taken back last."""
    journal = workspace.journal
    undone = journal.undone()
    by_number = {one.number: one for one in _changes(workspace, sessions)}
    turnable = journal.redoable(sessions) if way == "redo" else [one for one in by_number if one not in undone]
    left = [by_number[number] for number in turnable if number in by_number]
    if not left:
        return frozenset()
    changes = journal.changes()
    return await (await SessionFamily.of(workspace.store, changes)).answers_to(left[-1], changes)


def _changes(workspace: Workspace, sessions: Collection[str] | None) -> "list[JournaledChange]":
    return [one for one in workspace.journal.changes() if sessions is None or one.session_id in sessions]
