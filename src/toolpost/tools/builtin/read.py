"""`read`: show a file's lines with their numbers, the names in a folder, an image, or the text of a PDF."""

import base64
from collections.abc import Iterator
from typing import Annotated

from msgspec import Struct, structs

from toolpost.guard.paths import FileAccess, Missing, NotAFile, ResolvedPath, digest
from toolpost.tools.define import Tool, ToolContext, ToolResult, tool
from toolpost.tools.file_kind import describe_bytes, kind_of
from toolpost.tools.files.folder_tree import signed_name
from toolpost.tools.files.hints import near_paths
from toolpost.tools.files.instructions import NewInstructions
from toolpost.tools.files.path_permissions import allow, shown_path
from toolpost.tools.files.text import NotText, decode, is_binary, not_text
from toolpost.tools.limits import ToolLimits
from toolpost.tools.output import MAX_FILE_BYTES
from toolpost.tools.pdf import pdf_text
from toolpost.tools.threads import run_in_thread
from toolpost.tools.workbench import Workbench
from toolpost.types.errors import ToolError
from toolpost.types.messages import FilePart
from toolpost.types.text import counted

PDF = "application/pdf"
# What stands under a page: a page and its notes together stay within the limits.
_NOTE_LINES = 4
_NOTE_BYTES = 500
_NUMBER_BYTES = 8


def make(bench: Workbench) -> Tool:
    @tool(permission="read", patterns=shown_path(bench.project_files), read_only=True, touches_machine=True)
    async def read(
        ctx: ToolContext,
        path: Annotated[str, "File or folder, relative to the project or absolute"],
        offset: Annotated[int, "First line to show; lines begin at 1"] = 1,
        limit: Annotated[int | None, "How many lines to show at most; by default as many as fit"] = None,
    ) -> ToolResult:
        """Read a file: its lines with their numbers, a page at a time; the end of the result says how to go on.

        Also shows images, the text of PDFs, and the names in a folder. Read a file before you change it. The number and
        the tab before each line are not part of the file.
        """
        if limit is not None and limit < 1:
            raise ToolError("limit must be 1 or more.", kind="invalid")
        place = bench.project_files.resolve(path)
        await allow(ctx, bench.project_files, place, "read")
        beside = bench.beside
        news = await run_in_thread(lambda: beside(ctx.session_id, place.real)) if beside else NewInstructions()
        # Both together have the room of one result.
        limits = structs.replace(bench.limits, read_bytes=max(1, bench.limits.read_bytes - news.size))
        reader = _Reader(bench.project_files, limits, place, offset, limit)
        data = await run_in_thread(reader.load)
        if data is None:
            return await run_in_thread(reader.folder)
        text = await _text_of_pdf(data, limits.pdf_seconds) if kind_of(data)[1] == PDF else ""
        result, known = await run_in_thread(lambda: (reader.file(data, text), digest(data)))
        bench.read_tracker.note(ctx.session_id, place.real, known, data)
        if beside is not None:
            beside.give(ctx.session_id, place.real, news)
        return structs.replace(result, content=[*result.content, *news.texts])

    return read


async def _text_of_pdf(data: bytes, seconds: float) -> str:
    """Nothing where it has no text, or can't be read within the limits: many models can look at the file itself."""
    try:
        return await pdf_text(data, seconds)
    except ToolError:
        return ""


class _Reader:
    def __init__(
        self, project_files: FileAccess, limits: ToolLimits, place: ResolvedPath, offset: int, limit: int | None
    ) -> None:
        self._project_files = project_files
        self._limits = limits
        self._place = place
        self._offset = offset
        self._limit = limit

    def load(self) -> bytes | None:
        """The content of the file; None for a folder."""
        project_files, place = self._project_files, self._place
        try:
            return project_files.read(place, self._limits.read_file_bytes)
        except NotAFile:
            if project_files.is_folder(place):
                return None
            raise
        except Missing:
            near = near_paths(project_files, place)
            hint = f" Did you mean {' or '.join(near)}?" if near else " List its folder to see what is there."
            raise Missing(f"{place.shown} does not exist.{hint}") from None

    def file(self, data: bytes, pdf_text: str) -> ToolResult:
        mime = kind_of(data)[1]
        if pdf_text:
            return self._page(pdf_text.encode(errors="replace"), "text of a PDF")
        if mime.startswith("image/") or mime == PDF:
            return self._attached(data, mime)
        try:
            return self._page(data)
        except NotText as error:
            raise NotText(f"{self._place.shown}: {error}") from None

    def _page(self, data: bytes, what: str = "") -> ToolResult:
        page = _page_of(data, self._offset, self._limit, self._limits)
        text = f"({what})\n{page.text}" if what else page.text
        details = {"path": self._place.shown, "first": page.first, "lines": len(page.lines), "total": page.total}
        return ToolResult([text], details, self._place.shown)

    def _attached(self, data: bytes, mime: str) -> ToolResult:
        said = f"{self._place.shown}: {describe_bytes(data, len(data))}"
        most = min(self._limits.image_bytes, MAX_FILE_BYTES * 3 // 4)
        if len(data) > most:
            raise ToolError(f"{said}, too large to look at: {most:,} bytes is the limit. Make it smaller first.")
        file = FilePart(mime, base64.b64encode(data).decode(), name=self._place.real.name)
        return ToolResult([said, file], {"path": self._place.shown}, self._place.shown)

    def folder(self) -> ToolResult:
        """The names of a folder, paged like lines."""
        entries = self._project_files.scan(self._place)
        if not 1 <= self._offset <= max(1, len(entries)):
            raise ToolError(
                f"There is no entry {self._offset:,}: the folder has {counted(len(entries), 'entry', 'entries')}.",
                kind="invalid",
            )
        most = min(self._limit or len(entries), self._limits.list_entries)
        shown = [signed_name(entry) for entry in entries[self._offset - 1 :][:most]]
        end = self._offset - 1 + len(shown)
        rest = f"; go on with offset={end + 1}" if end < len(entries) else ""
        text = "\n".join(
            (*shown, f"({len(shown):,} of {counted(len(entries), 'entry', 'entries')} of {self._place.shown}/{rest})")
        )
        return ToolResult([text], {"path": self._place.shown, "total": len(entries)}, self._place.shown)


class _TextPage(Struct, frozen=True):
    """`first` is the number of the first line, `total` how many there are; `cut` of those shown were too long."""

    lines: tuple[str, ...]
    first: int
    total: int
    cut: int = 0
    note: str = ""

    @property
    def text(self) -> str:
        body = "".join(f"{number:>6}\t{line}\n" for number, line in enumerate(self.lines, self.first))
        return body + "\n".join(f"({note})" for note in self._notes())

    def _notes(self) -> Iterator[str]:
        if self.note:
            yield self.note
        if self.cut:
            yield f"cut because too long: {counted(self.cut, 'line')}; search in the file to see the rest"
        last = self.first + len(self.lines) - 1
        if not self.total:
            yield "the file is empty"
        elif last < self.total:
            yield f"lines {self.first:,} to {last:,} of {self.total:,}; go on with offset={last + 1}"
        else:
            yield f"end of file, {counted(self.total, 'line')}"


def _page_of(data: bytes, offset: int, limit: int | None, limits: ToolLimits) -> _TextPage:
    """The page from line `offset` on. Of a large file only what is shown is decoded."""
    if is_binary(data):
        raise not_text(data)
    note = ""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        wide = decode(data)
        data, note = wide.text.encode(), wide.note
    total = data.count(b"\n") + bool(data and not data.endswith(b"\n"))
    if offset < 1 or offset > max(1, total):
        raise ToolError(
            f"There is no line {offset:,}: the file has {counted(total, 'line')}. Lines begin at 1.", kind="invalid"
        )
    most = max(1, min(limit or limits.read_lines, limits.read_lines - _NOTE_LINES))
    raw = _raw_lines(data, offset, most, limits)
    text = decode(b"\n".join(raw))
    lines = [line.removesuffix("\r") for line in text.text.split("\n")] if raw else []
    shown = _fitting([_cut(line, limits.read_line_chars) for line in lines], limits.read_bytes - _NOTE_BYTES)
    cut = sum(len(line) > limits.read_line_chars for line in lines[: len(shown)])
    return _TextPage(tuple(shown), offset, total, cut, note or text.note)


def _raw_lines(data: bytes, offset: int, most: int, limits: ToolLimits) -> list[bytes]:
    at = 0
    for _ in range(offset - 1):
        at = data.index(b"\n", at) + 1
    lines: list[bytes] = []
    room = limits.read_bytes
    while len(lines) < most and at < len(data) and room > 0:
        end = data.find(b"\n", at)
        end = len(data) if end < 0 else end
        lines.append(data[at:end])
        room -= min(end - at, limits.read_line_chars)
        at = end + 1
    return lines


def _cut(line: str, most: int) -> str:
    line = line if line.isprintable() else line.translate(_UNSEEN)
    return line if len(line) <= most else f"{line[:most]}… ({counted(len(line) - most, 'more character')})"


def _fitting(lines: list[str], room: int) -> list[str]:
    """As many lines as fit, but one at least, so that there is always a way on."""
    for count, line in enumerate(lines):
        room -= len(line.encode(errors="replace")) + _NUMBER_BYTES
        if room < 0:
            return lines[: max(1, count)]
    return lines


# Lone surrogates stand for broken bytes, and no encoder takes them.
_UNSEEN = dict.fromkeys(range(0xD800, 0xE000), "\ufffd")
