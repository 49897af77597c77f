"""`edit`: replace one or several stretches of a file; every other byte stays as it is."""

from collections.abc import Sequence
from typing import Annotated

from msgspec import Struct

from toolpost.guard.paths import Missing, ResolvedPath
from toolpost.tools.define import Tool, ToolContext, ToolResult, tool
from toolpost.tools.files.diff import Diff
from toolpost.tools.files.edits import Edit, apply_edit
from toolpost.tools.files.guarded_write import Step, carry_out, content, details, diff_of, require_known
from toolpost.tools.files.hints import near_paths
from toolpost.tools.files.path_permissions import EDIT, allow, allow_reading, changed_path, whole_project
from toolpost.tools.files.text import NotText, decode
from toolpost.tools.threads import run_in_thread
from toolpost.tools.workbench import Workbench
from toolpost.types.errors import ToolError


def make(bench: Workbench) -> Tool:
    @tool(
        name="edit",
        permission=EDIT,
        patterns=changed_path(bench.project_files),
        always=whole_project,
        parallel=False,
        touches_machine=True,
    )
    async def edit(
        ctx: ToolContext,
        path: Annotated[str, "File, relative to the project or absolute"],
        old_text: Annotated[str, "The text to replace, copied from the file; empty to make a new file"] = "",
        new_text: Annotated[str, "What takes its place"] = "",
        replace_all: Annotated[bool, "Replace it wherever it stands, not only where it is the only one"] = False,
        edits: Annotated[list[Edit] | None, "Several replacements in this file, in order, instead of one"] = None,
    ) -> ToolResult:
        """Replace text in a file. The old text must stand there once: give it with enough lines around it.

        Copy it as it is in the file, without the line numbers that read shows. Of several edits all are made or none.
        """
        if edits and (old_text or new_text):
            raise ToolError("Give either old_text and new_text, or edits.", kind="invalid")
        wanted = edits or [Edit(old_text, new_text, replace_all)]
        return await _edit(bench, ctx, bench.project_files.resolve(path), wanted)

    return edit


class _Outcome(Struct, frozen=True):
    after: bytes
    strategies: tuple[str, ...]
    places: int


async def _edit(bench: Workbench, ctx: ToolContext, place: ResolvedPath, edits: Sequence[Edit]) -> ToolResult:
    await allow(ctx, bench.project_files, place, EDIT)
    before = await content(bench, place)
    if before is None and edits[0].old_text:
        near = await run_in_thread(lambda: near_paths(bench.project_files, place))
        hint = f" Did you mean {' or '.join(near)}?" if near else " To make it, leave old_text empty."
        raise Missing(f"{place.shown} does not exist.{hint}")
    if before is not None:
        await allow_reading(ctx, place)
        require_known(bench, ctx, place, before)
    outcome = await run_in_thread(lambda: _apply(place, before or b"", edits))
    step = Step(place, before, outcome.after)
    if step.before == step.after:
        raise ToolError(f"The edits undo each other: {place.shown} stays as it is.", kind="invalid")
    remarks = await carry_out(bench, ctx, [step])
    diff = await run_in_thread(lambda: diff_of(step))
    shown = details([step], [diff], strategies=outcome.strategies)
    return ToolResult([f"{_told(step, outcome, diff)}{remarks}"], shown, place.shown)


def _apply(place: ResolvedPath, before: bytes, edits: Sequence[Edit]) -> _Outcome:
    """The content after all edits, each on what the one before it left."""
    try:
        file = decode(before)
    except NotText as error:
        raise NotText(f"{place.shown}: {error}") from None
    text, newline = file.text, file.newline
    strategies: list[str] = []
    places = 0
    for number, edit in enumerate(edits, 1):
        if not text and not edit.old_text:
            text = edit.new_text
            continue
        try:
            done = apply_edit(text, newline, edit)
        except ToolError as error:
            which = f"Edit {number} of {len(edits)}: " if len(edits) > 1 else ""
            raise ToolError(f"{place.shown}: {which}{error}", kind=error.kind) from None
        text, places = done.text, places + done.places
        strategies.append(done.strategy)
    return _Outcome(file.encode(text), tuple(strategies), places)


def _told(step: Step, outcome: _Outcome, diff: Diff | None) -> str:
    stat = f" ({diff.stat})" if diff else ""
    if step.before is None:
        return f"Made {step.place.shown}{stat}."
    where = f" at {outcome.places:,} places" if outcome.places > len(outcome.strategies) else ""
    said = f"Edited {step.place.shown}{where}{stat}."
    loose = dict.fromkeys(name for name in outcome.strategies if name != "exact")
    if not loose:
        return said
    shown = f":\n{diff.text}" if diff and diff.text and diff.whole else "."
    return f"{said} The old text was not exactly there; it was matched but for {', '.join(loose)}. Check it{shown}"
