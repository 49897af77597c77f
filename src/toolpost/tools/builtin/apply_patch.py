"""`apply_patch`: apply a patch over several files as one transaction, all of it or nothing."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

from toolpost.guard.paths import ResolvedPath
from toolpost.tools.define import Tool, ToolContext, ToolResult, tool
from toolpost.tools.files.diff import Diff
from toolpost.tools.files.guarded_write import Step, carry_out, content, details, diff_of, require_known
from toolpost.tools.files.hints import near_paths, nearest
from toolpost.tools.files.loose_lines import Key, indentations, plain_punctuation, reindent, windows
from toolpost.tools.files.patch import FilePatch, Hunk, parse_patch
from toolpost.tools.files.path_permissions import EDIT, allow, allow_reading, shown_changes, whole_project
from toolpost.tools.files.text import decode
from toolpost.tools.threads import run_in_thread
from toolpost.tools.workbench import Workbench
from toolpost.types.errors import ToolError

MAX_TITLE = 200
EXECUTABLE = 0o755
_MAX_PLACES_SHOWN = 10


def make(bench: Workbench) -> Tool:
    def patterns(arguments: dict[str, Any]) -> Sequence[str]:
        changes = parse_patch(arguments["patch"])
        return shown_changes(bench.project_files, [path for change in changes for path in change.paths])

    @tool(permission=EDIT, patterns=patterns, always=whole_project, parallel=False, touches_machine=True)
    async def apply_patch(
        ctx: ToolContext,
        patch: Annotated[str, 'From "*** Begin Patch" to "*** End Patch", or a unified diff'],
    ) -> ToolResult:
        """Change several files at once: all changes are made, or none.

        Between "*** Begin Patch" and "*** End Patch" stand "*** Add File: p" (its lines with +), "*** Delete File: p"
        and "*** Update File: p", perhaps with "*** Move to: p", and then hunks: "@@" with a line to find the place by,
        and lines that begin with a space (stay), - (go) or + (come). Unified diffs are taken too.
        """
        transaction = _Transaction(bench, ctx)
        for change in parse_patch(patch):
            await transaction.add(change)
        return await transaction.commit()

    return apply_patch


class _Transaction:
    """The files of a patch as they are and as they will be. Nothing is written before everything fits."""

    def __init__(self, bench: Workbench, ctx: ToolContext) -> None:
        self._bench = bench
        self._ctx = ctx
        self._places: dict[Path, ResolvedPath] = {}
        self._before: dict[Path, bytes | None] = {}
        self._after: dict[Path, bytes | None] = {}
        self._modes: dict[Path, int] = {}

    async def add(self, change: FilePatch) -> None:
        # What is only deleted or moved is not looked into, so it may be larger.
        limits = self._bench.limits
        place = await self._open(change.path, limits.edit_file_bytes if change.hunks else limits.read_file_bytes)
        now = self._after[place.real]
        if change.kind == "add":
            self._require_free(place, change.path)
            self._after[place.real] = change.content.encode(errors="replace")
            if change.executable:
                self._modes.setdefault(place.real, EXECUTABLE)
            return
        if now is None:
            near = await run_in_thread(lambda: near_paths(self._bench.project_files, place))
            hint = f" Did you mean {' or '.join(near)}?" if near else ""
            raise ToolError(f"{change.path} does not exist; nothing was changed.{hint}")
        after = await run_in_thread(lambda: _patched(change, now))
        if change.kind == "delete" or change.move_to:
            _require_no_link(place)
        if change.kind == "delete":
            self._after[place.real] = None
        elif not change.move_to:
            self._after[place.real] = after
        else:
            target = await self._open(change.move_to, limits.edit_file_bytes)
            self._require_free(target, change.move_to)
            self._after[place.real], self._after[target.real] = None, after
            self._modes[target.real] = self._modes[place.real]

    async def commit(self) -> ToolResult:
        steps = [
            Step(self._places[path], before, self._after[path], self._modes.get(path))
            for path, before in self._before.items()
            if before != self._after[path]
        ]
        if not steps:
            raise ToolError("The patch changes nothing: the files are like that already.")
        remarks = await carry_out(self._bench, self._ctx, steps)
        diffs = await run_in_thread(lambda: [diff_of(step) for step in steps])
        told = "\n".join(map(_told, steps, diffs))
        names = ", ".join(step.place.shown for step in steps)
        return ToolResult([told + remarks], details(steps, diffs), names[:MAX_TITLE])

    async def _open(self, path: str, limit: int) -> ResolvedPath:
        """Look at a file once; what was asked and seen then holds until the end."""
        place = self._bench.project_files.resolve(path)
        if place.real in self._places:
            return self._places[place.real]
        await allow(self._ctx, self._bench.project_files, place, EDIT)
        before = await content(self._bench, place, limit)
        if before is not None:
            await allow_reading(self._ctx, place)
            require_known(self._bench, self._ctx, place, before)
            found = self._bench.project_files.stat(place)
            self._modes[place.real] = found.st_mode & 0o777 if found else 0o644
        self._places[place.real] = place
        self._before[place.real] = self._after[place.real] = before
        return place

    def _require_free(self, place: ResolvedPath, path: str) -> None:
        if self._after[place.real] is not None:
            raise ToolError(f"{path} exists already; nothing was changed. Update it, or choose another name.")


def _require_no_link(place: ResolvedPath) -> None:
    """What a link leads to can be changed through it; but to delete or move it there would leave a link to nothing."""
    if place.path.is_symlink():
        raise ToolError(
            f"{place.shown} is a link to {place.target}; nothing was changed. Give the path of the one that you mean."
        )


def _patched(change: FilePatch, now: bytes) -> bytes:
    if not change.hunks:
        return now
    try:
        file = decode(now)
        after = _apply_hunks(file.text, file.newline, change.hunks)
    except ToolError as error:
        raise ToolError(f"{change.path}, {error} Nothing was changed.", kind=error.kind) from None
    if change.kind == "delete" and after:
        raise ToolError(f"{change.path} holds more than the patch deletes; nothing was changed. Read it again.")
    return file.encode(after)


def _told(step: Step, diff: Diff | None) -> str:
    verb = "Added" if step.before is None else "Deleted" if step.after is None else "Updated"
    return f"{verb} {step.place.shown}" + (f" ({diff.stat})" if diff else "")


def _apply_hunks(text: str, newline: str, hunks: Sequence[Hunk]) -> str:
    """The text afterwards; raises a `ToolError` that says which hunk does not fit."""
    patched = _Patched(text, newline)
    for number, hunk in enumerate(hunks, 1):
        try:
            patched.apply(hunk)
        except ToolError as error:
            raise ToolError(f"hunk {number} of {len(hunks)}: {error}", kind=error.kind) from None
    return patched.text


class _Patched:
    """Lines with their ends beside them, so that a line that is kept keeps its own."""

    def __init__(self, text: str, newline: str) -> None:
        lines = text.split("\n")
        self._ended = lines[-1] == ""
        if self._ended:
            lines.pop()
        self._lines = [line.removesuffix("\r") for line in lines]
        self._ends = ["\r\n" if line.endswith("\r") else "\n" for line in lines]
        if not self._ended:
            self._ends[-1] = newline
        self._newline = newline
        self._cursor = 0
        self._drift = 0

    @property
    def text(self) -> str:
        ends = self._ends if self._ended or not self._ends else [*self._ends[:-1], ""]
        return "".join(part for pair in zip(self._lines, ends, strict=True) for part in pair)

    def apply(self, hunk: Hunk) -> None:
        for header in hunk.headers:
            self._cursor = self._find_header(header)
        wanted = [line for sign, line in hunk.lines if sign != "+"]
        first, known = self._find(hunk, wanted) if wanted else (self._insertion(hunk), {})
        lines: list[str] = []
        ends: list[str] = []
        at = first
        for sign, line in hunk.lines:
            if sign == "+":
                lines.append(reindent(line, known))
                ends.append(self._newline)
                continue
            if sign == " ":
                lines.append(self._lines[at])
                ends.append(self._ends[at])
            at += 1
        self._lines[first:at] = lines
        self._ends[first:at] = ends
        self._cursor = first + len(lines)
        self._drift += len(lines) - len(wanted)
        if hunk.final_newline is not None:
            self._ended = hunk.final_newline

    @property
    def _starts(self) -> tuple[int, ...]:
        """Where to look from: behind the last hunk, then from the beginning, since not everybody keeps the order."""
        return (self._cursor, 0) if self._cursor else (0,)

    def _find_header(self, header: str) -> int:
        """A header may be all of its line, or the beginning of it."""
        for start in self._starts:
            for fits in (str.__eq__, str.startswith):
                for at in range(start, len(self._lines)):
                    if fits(self._lines[at].strip(), header.strip()):
                        return at
        raise ToolError(f'there is no line "{header}" for it to follow.')

    def _find(self, hunk: Hunk, wanted: Sequence[str]) -> tuple[int, dict[str, str]]:
        """Where the lines stand that stay or go, and which indentation of theirs means which of the file's."""
        for start, key in ((start, key) for start in self._starts for key in _KEYS):
            keys = [key(line) for line in self._lines]
            places = list(windows(keys, [key(line) for line in wanted], start))
            known = [indentations(wanted, self._lines[at : at + len(wanted)]) for at in places]
            found = {at: table for at, table in zip(places, known, strict=True) if table is not None}
            if found:
                chosen = self._choose(hunk, list(found), len(wanted))
                return chosen, found[chosen]
        raise ToolError(f"its lines were not found. {nearest(self._lines, chr(10).join(wanted))}")

    def _choose(self, hunk: Hunk, places: Sequence[int], count: int) -> int:
        if len(places) == 1:
            return places[0]
        if hunk.at_end and places[-1] + count == len(self._lines):
            return places[-1]
        if hunk.line is not None:
            wanted = hunk.line - 1 + self._drift
            return min(places, key=lambda at: abs(at - wanted))
        if hunk.headers:
            return places[0]
        lines = ", ".join(str(at + 1) for at in places[:_MAX_PLACES_SHOWN])
        raise ToolError(f"its lines are there {len(places)} times, at lines {lines}. Give it more lines around, or @@.")

    def _insertion(self, hunk: Hunk) -> int:
        """Where lines go that have none around them."""
        if hunk.line is not None:
            return min(len(self._lines), max(self._cursor, hunk.line + self._drift))
        return self._cursor + 1 if hunk.headers else len(self._lines)


def _same(line: str) -> str:
    return line


def _forgiving(line: str) -> str:
    return plain_punctuation(line).strip()


_KEYS: tuple[Key, ...] = (_same, str.rstrip, str.strip, _forgiving)
