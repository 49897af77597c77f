"""Change files for the model: only files that it has read, recorded for undo first, all or nothing."""

import logging
from collections.abc import Sequence
from pathlib import PurePath
from typing import Any

from toolpost.guard.autorun_files import autorun_file, is_told_of, may_be_git
from toolpost.guard.paths import Missing, ResolvedPath, digest
from toolpost.tools.define import ToolContext
from toolpost.tools.threads import run_in_thread
from toolpost.tools.workbench import Workbench
from toolpost.types.errors import ToolError

from .apply import Step, inverse, write_all
from .diff import MAX_SHOWN_LINES, Diff, compare
from .text import NotText, decode

log = logging.getLogger("toolpost.tools")

DETAIL_LINES = 500
MAX_COMPARED_BYTES = 50_000_000


async def content(bench: Workbench, place: ResolvedPath, limit: int | None = None) -> bytes | None:
    """The content of a file that is to be changed, or None if there is no such file."""
    try:
        return await run_in_thread(lambda: bench.project_files.read(place, limit or bench.limits.edit_file_bytes))
    except Missing:
        return None


def require_known(bench: Workbench, ctx: ToolContext, place: ResolvedPath, data: bytes) -> None:
    """Raise if the file is not as the model of this session has seen it last, and show what changed."""
    known = bench.read_tracker.of(ctx.session_id, place.real)
    if known is None or known == digest(data):
        return
    diff = _compare(bench.read_tracker.content(ctx.session_id, place.real), data)
    if diff is None or not diff.whole:
        raise ToolError(f"{place.shown} was changed since you read it; nothing was written. Read it again first.")
    bench.read_tracker.note(ctx.session_id, place.real, digest(data), data)
    raise ToolError(
        f"{place.shown} was changed by another program since you read it; nothing was written. This is what changed; "
        f"take it into account and call again:\n{diff.text}"
    )


async def carry_out(bench: Workbench, ctx: ToolContext, steps: Sequence[Step]) -> str:
    """Make all changes or none. Return what those who watch edits have to say, for the model to read."""
    await _note_jobs(bench, ctx)
    for step in steps:
        await bench.record(ctx, step)
    try:
        told = await _write_watched(bench, ctx, steps)
        await _note_jobs(bench, ctx, steps)
    except Exception:
        # What was noted and is not so would stand in the way of an undo.
        for step in reversed(steps):
            await bench.record(ctx, inverse(step))
        raise
    for step in steps:
        if step.after is None:
            bench.read_tracker.forget(ctx.session_id, step.place.real)
        else:
            bench.read_tracker.note(ctx.session_id, step.place.real, digest(step.after), step.after)
    remarks = [await _remarks(bench, ctx, step.place) for step in steps if step.after is not None]
    return "".join((told, *remarks))


def diff_of(step: Step) -> Diff | None:
    """The difference that a step makes, or None where it is not text."""
    if not step.is_of_files:
        return None
    return _compare(step.before or b"", step.after or b"", DETAIL_LINES)


def details(steps: Sequence[Step], diffs: Sequence[Diff | None], **more: Any) -> dict[str, Any]:
    """The details of a change that faces show, with a notice for each file that runs later."""
    notices = [notice for step in steps if (notice := _notice(step))]
    return {"files": list(map(_detail, steps, diffs)), **({"notices": notices} if notices else {}), **more}


async def _note_jobs(bench: Workbench, ctx: ToolContext, own: Sequence[Step] = ()) -> None:
    """Let what jobs changed until now be theirs, and what was changed just now not."""
    if bench.command_changes is not None:
        # Imported here: hardly any change comes while a command runs.
        from toolpost.tools.command_changes import note_until_now

        await note_until_now(bench, ctx, [step.place.real for step in own])


def _compare(before: bytes | None, after: bytes, shown_lines: int = MAX_SHOWN_LINES) -> Diff | None:
    if before is None or max(len(before), len(after)) > MAX_COMPARED_BYTES:
        return None
    try:
        return compare(decode(before).text, decode(after).text, shown_lines)
    except NotText:
        return None


async def _write_watched(bench: Workbench, ctx: ToolContext, steps: Sequence[Step]) -> str:
    """Make the changes. Where they may make a repository they are watched like a command; says what came of that."""
    if not any(step.place.inside and may_be_git(PurePath(step.place.target)) for step in steps):
        await run_in_thread(lambda: write_all(bench.project_files, steps))
        # A job that runs meanwhile must not make them look as if it had made them.
        if bench.watch is not None and (asked := [step.place.real for step in steps if step.place.guarded]):
            await bench.watch.accept(asked)
        return ""
    # Imported here: hardly any change comes this way.
    from toolpost.tools.autorun_watch import watch_of, watched

    async with watched(bench, ctx, [bench.project_files.root]):
        await run_in_thread(lambda: write_all(bench.project_files, steps))
    return (await watch_of(bench).settle(ctx)).text


def _notice(step: Step) -> str:
    """Of a file that somebody else's program runs later, where this changes what it runs; what is guarded was asked."""
    path = PurePath(step.place.target)
    row = autorun_file(path)
    if row is None or row.verdict == "guard" or step.after is None or not is_told_of(path):
        return ""
    if row.part is not None and row.part(step.after) in ("", row.part(step.before or b"")):
        return ""
    return f"{step.place.shown} is {row.runs}"


def _detail(step: Step, diff: Diff | None) -> dict[str, Any]:
    counts = {"diff": diff.text, "added": diff.added, "removed": diff.removed} if diff else {}
    return {"path": step.place.shown, "kind": step.kind, **counts, **({"note": step.note} if step.note else {})}


async def _remarks(bench: Workbench, ctx: ToolContext, place: ResolvedPath) -> str:
    said: list[str] = []
    for watch in bench.after_edit:
        try:
            said.append(await watch(ctx, place))
        except Exception:  # the file is written; who watches can't undo that by failing
            log.exception("a watcher of edits failed")
    return "".join(f"\n{text}" for text in said if text)
