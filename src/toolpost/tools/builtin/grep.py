"""`grep`: search the contents of files with a regular expression."""

import heapq
import os
from collections.abc import Sequence
from typing import Annotated, Literal

from toolpost.guard.paths import ResolvedPath
from toolpost.tools.code_search.file_selection import Selection, plain_name, shown_below
from toolpost.tools.code_search.matched_lines import WHERE, MatchedLine, MatchedLines, is_whole, read_lines, relative
from toolpost.tools.code_search.path_globs import Glob
from toolpost.tools.code_search.ripgrep import (
    RipgrepRun,
    SearchTarget,
    TakePiece,
    fault_in_pattern,
    run_ripgrep,
    search_target,
)
from toolpost.tools.define import Tool, ToolContext, ToolResult, tool
from toolpost.tools.files.path_permissions import allow, allow_reading, shown_path
from toolpost.tools.threads import run_in_thread
from toolpost.tools.workbench import Workbench
from toolpost.types.errors import ToolError
from toolpost.types.text import counted

Mode = Literal["content", "files", "count"]
MAX_CONTEXT = 20
MAX_NAMED = 5
# The engine would cut a longer result in its middle.
MAX_CHARS = 40_000
NARROWER = "Narrow the pattern, the path or include to see the rest"


def make(bench: Workbench) -> Tool:
    @tool(
        name="grep",
        permission="grep",
        patterns=shown_path(bench.project_files, "."),
        read_only=True,
        touches_machine=True,
    )
    async def grep(
        ctx: ToolContext,
        pattern: Annotated[str, r"Regular expression; write \( for a bracket that is meant as one"],
        path: Annotated[str, "File or folder to search; by default the project"] = ".",
        include: Annotated[str, "Only files that match this glob, such as *.py or src/**/*.{ts,tsx}"] = "",
        mode: Annotated[Mode, "The lines; only the files' names; or how many lines match in each file"] = "content",
        context: Annotated[int, "How many lines to show before and after each match"] = 0,
        ignore_case: Annotated[bool, "Match small and capital letters alike"] = False,
        multiline: Annotated[bool, r"Let matches span lines: . matches a line break, too"] = False,
    ) -> ToolResult:
        """Search the contents of files with a regular expression. Use it to find where something is written.

        What .gitignore names, hidden files, binary files and files with secrets are left out; to search such a file,
        give its path. To find where a function or class is defined, use code_search.
        """
        if not pattern:
            raise ToolError("The pattern is empty; give what to look for.", kind="invalid")
        place = bench.project_files.resolve(path or ".")
        await allow(ctx, bench.project_files, place, "grep")
        if not bench.project_files.is_folder(place):
            await allow_reading(ctx, place)
        search = _Search(bench, ctx, place, include, _arguments(pattern, ignore_case, multiline))
        if mode == "files":
            return await search.files()
        if mode == "count":
            return await search.counts()
        return await search.lines(min(max(context, 0), MAX_CONTEXT))

    return grep


class _Search:
    """One search, told in one of three ways."""

    def __init__(
        self, bench: Workbench, ctx: ToolContext, place: ResolvedPath, include: str, arguments: list[str]
    ) -> None:
        self._bench = bench
        self._ctx = ctx
        self._place = place
        self._one_file = not bench.project_files.is_folder(place)
        wanted = Glob(include) if include and not self._one_file else None
        hidden = bool(wanted and wanted.hidden)
        self._selection = Selection(ctx, place, wanted, hidden=hidden, permissions=("grep", "read"))
        self._arguments = arguments
        self._limit = bench.limits.search_results

    async def lines(self, context: int) -> ToolResult:
        hits = MatchedLines(self._limit, self._selected)
        with search_target(self._bench.project_files, self._place) as where:
            run = await self._run(where, [*WHERE, f"--context={context}"], hits.take, b"\n")
        found = hits.files()
        texts = await run_in_thread(lambda: [self._texts(path, lines) for path, lines in found])
        lines = [line for file in texts for line in file]
        shown = _within(lines, MAX_CHARS)
        if hits.full or len(shown) < len(lines):
            shown.append(f"(not all matches are shown. {NARROWER}, or use mode files or count.)")
        elif hits.binary:
            shown.append("(a binary file matches; its lines are not shown.)")
        return self._told(shown, run, hits.matches, len(found))

    def _texts(self, path: str, found: Sequence[MatchedLine]) -> list[str]:
        width = self._bench.limits.search_line_chars
        # A file that is searched alone has no name for ripgrep.
        below = "" if self._one_file else path
        lines = read_lines(self._bench.project_files, self._place, below, found, width)
        return [self._name(path), *(f"  {line}" for line in lines)] if lines else []

    async def files(self) -> ToolResult:
        with search_target(self._bench.project_files, self._place) as where:
            newest = NewestFiles(where.folder, self._limit)

            def take(piece: bytes) -> bool:
                if self._selected(path := relative(piece)):
                    newest.add(path)
                return True

            run = await self._run(where, ["--files-with-matches", "--null"], take, b"\0")
        lines = [self._name(path) for path in newest.paths()]
        if newest.left_out:
            lines.append(f"… and {counted(newest.left_out, 'more file')}. {NARROWER}.")
        return self._told(lines, run, newest.total, newest.total)

    async def counts(self) -> ToolResult:
        most = _Most(self._limit)

        def take(piece: bytes) -> bool:
            name, _, lines = piece.rpartition(b"\0")
            # A piece without a name is a part of one that has a line break in it.
            if is_whole(name) and self._selected(path := relative(name)):
                most.add(int(lines), path)
            return True

        with search_target(self._bench.project_files, self._place) as where:
            run = await self._run(where, ["--count", "--null", "--with-filename"], take, b"\n")
        lines = [f"{self._name(path)}: {count:,}" for count, path in most.counts()]
        if most.files > len(lines):
            lines.append(f"… and {counted(most.files - len(lines), 'more file')}. {NARROWER}.")
        if most.files > 1:
            lines.append(f"({counted(most.lines, 'line')} in {most.files:,} files)")
        return self._told(lines, run, most.lines, most.files)

    async def _run(self, where: SearchTarget, how: list[str], take: TakePiece, end: bytes) -> RipgrepRun:
        seconds = self._bench.limits.search_seconds
        arguments = [*how, *self._arguments, *self._selection.arguments()]
        run = await run_ripgrep(arguments, self._ctx, where, take, end=end, seconds=seconds)
        if fault := fault_in_pattern(run):
            raise ToolError(fault, kind="invalid")
        return run

    def _told(self, lines: list[str], run: RipgrepRun, found: int, files: int) -> ToolResult:
        lines = lines or ["Nothing was found."]
        lines += run.remarks(self._bench.limits.search_seconds)
        if secrets := self._selection.secrets:
            lines.append(f"({_files(secrets)} that may hold secrets left out: {self._names(secrets)})")
        if held_back := self._selection.held_back:
            named = self._names(held_back)
            lines.append(f"({_files(held_back)} left out that may not be read without permission: {named})")
        return ToolResult(["\n".join(lines)], {"found": found, "files": files}, self._place.shown)

    def _selected(self, path: str) -> bool:
        return self._one_file or self._selection(path)

    def _name(self, path: str) -> str:
        return self._place.shown if self._one_file else plain_name(shown_below(self._place, path))

    def _names(self, paths: Sequence[str]) -> str:
        return ", ".join(self._name(path) for path in sorted(paths)[:MAX_NAMED])


class _Most:
    """The files with the most matching lines, in the memory that the shown ones take."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._heap: list[tuple[int, str]] = []
        self.files = 0
        self.lines = 0

    def add(self, lines: int, path: str) -> None:
        self.files += 1
        self.lines += lines
        heapq.heappush(self._heap, (lines, path))
        if len(self._heap) > self._limit:
            heapq.heappop(self._heap)

    def counts(self) -> list[tuple[int, str]]:
        return sorted(self._heap, key=lambda entry: (-entry[0], entry[1]))


class NewestFiles:
    """Takes paths below an open folder and keeps the `limit` that were changed last."""

    def __init__(self, folder: int, limit: int) -> None:
        self._folder = folder
        self._limit = limit
        self._heap: list[tuple[int, str]] = []
        self.total = 0

    def add(self, path: str) -> None:
        self.total += 1
        entry = (self._changed(path), path)
        if len(self._heap) < self._limit:
            heapq.heappush(self._heap, entry)
        elif entry > self._heap[0]:
            heapq.heapreplace(self._heap, entry)

    @property
    def left_out(self) -> int:
        return self.total - len(self._heap)

    def paths(self) -> list[str]:
        """The newest first."""
        return [path for _, path in sorted(self._heap, key=lambda entry: (-entry[0], entry[1]))]

    def _changed(self, path: str) -> int:
        try:
            return os.stat(path, dir_fd=self._folder, follow_symlinks=False).st_mtime_ns
        except OSError:
            return 0  # gone meanwhile, or not to be looked at


def _arguments(pattern: str, ignore_case: bool, multiline: bool) -> list[str]:
    arguments = [f"--regexp={pattern}", "--engine=auto"]
    if ignore_case:
        arguments.append("--ignore-case")
    if multiline:
        arguments += ["--multiline", "--multiline-dotall"]
    elif "\n" in pattern or r"\n" in pattern:
        arguments.append("--multiline")
    return arguments


def _within(lines: Sequence[str], room: int) -> list[str]:
    """The first lines that find room."""
    kept: list[str] = []
    for line in lines:
        room -= len(line) + 1
        if room < 0:
            break
        kept.append(line)
    return kept


def _files(paths: Sequence[str]) -> str:
    return counted(len(paths), "file")
