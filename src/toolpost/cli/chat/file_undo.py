"""Undo and redo changes of files from a chat, and list them."""

from collections.abc import Sequence

from toolpost.cli.shared.file_changes import listed
from toolpost.cli.shared.find_by_id import only_id
from toolpost.cli.shared.language import shown
from toolpost.control.contract import ChangedFileDiff
from toolpost.tools.files.apply import Step
from toolpost.tools.files.guarded_write import diff_of
from toolpost.tools.files.undo import UndoPlan, Way
from toolpost.tools.threads import run_in_thread
from toolpost.types.errors import ToolpostError
from toolpost.workspace import Workspace
from toolpost.workspace.undo import family_of, messages_of, messages_of_last, undo_in

# What was done, what was left as it is, and that nothing was done.
_TOLD: dict[Way, tuple[str, str, str]] = {
    "undo": ("undone: {}", "not undone: {}", "nothing can be undone"),
    "redo": ("redone: {}", "not redone: {}", "nothing can be redone"),
}


async def plan_undo(
    workspace: Workspace, prompts: Sequence[str]
) -> tuple[frozenset[str], tuple[tuple[ChangedFileDiff, ...], tuple[str, ...]]]:
    """The messages that answered these prompts; the files that an undo would change, and what it can't undo and why."""
    found: set[str] = set()
    for prompt in prompts:
        found |= await messages_of(workspace, prompt, only_id)
    messages = frozenset(found)
    plan = await run_in_thread(lambda: undo_in(workspace).plan("undo", messages=messages))
    if plan.problems:
        return messages, ((), plan.problems)
    return messages, (tuple(map(_change, plan.steps)), tuple(one.text for one in plan.left_out))


async def undo_files(workspace: Workspace, message_id: str, messages: frozenset[str] | None) -> str:
    """Undo what these messages did, or else those that a message or the answers to a prompt did."""
    if messages is None:
        messages = await messages_of(workspace, message_id, only_id)
    plan = await run_in_thread(lambda: undo_in(workspace).plan("undo", messages=messages))
    return await _apply(workspace, plan)


async def redo_files(workspace: Workspace, session_id: str) -> str:
    """Make again what was undone last in this session."""
    sessions = await family_of(workspace, session_id)
    messages = await messages_of_last(workspace, "redo", sessions)
    plan = await run_in_thread(lambda: undo_in(workspace, sessions).plan("redo", messages=messages))
    return await _apply(workspace, plan)


async def changed_files(workspace: Workspace, session_id: str) -> Sequence[ChangedFileDiff]:
    """Each file that is not as it was before the session."""
    undo = undo_in(workspace, await family_of(workspace, session_id))
    return await run_in_thread(lambda: tuple(map(_change, undo.net())))


async def _apply(workspace: Workspace, plan: UndoPlan) -> str:
    if plan.problems:
        raise ToolpostError(f"nothing was changed: {'; '.join(plan.problems)}")
    done, left, nothing = _TOLD[plan.way]
    if plan.numbers:
        await run_in_thread(lambda: undo_in(workspace).apply(plan))
    told = [done.format(listed([step.place.shown for step in plan.steps]))] if plan.steps else []
    if plan.left_out:
        told.append(left.format(listed([one.text for one in plan.left_out])))
    return "\n".join(map(shown, told)) or shown(nothing)


def _change(step: Step) -> ChangedFileDiff:
    diff = diff_of(step) if step.is_of_files and step.before != step.after else None
    return ChangedFileDiff(step.place.shown, step.kind, diff.text if diff else "", step.note)
