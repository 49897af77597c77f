"""`read`: show a file's lines with their numbers, the names in a folder, an image, or the text of a PDF."""

import base64
from typing import Annotated

from msgspec import structs

from toolpost.guard.paths import FileAccess, Missing, NotAFile, ResolvedPath, digest
from toolpost.tools.define import Tool, ToolContext, ToolResult, tool
from toolpost.tools.file_kind import describe_bytes, kind_of
from toolpost.tools.files.folder_tree import signed_name
from toolpost.tools.files.hints import near_paths
from toolpost.tools.files.instructions import NewInstructions
from toolpost.tools.files.path_permissions import allow, shown_path
from toolpost.tools.files.text import NotText
from toolpost.tools.files.text_page import page_of
from toolpost.tools.limits import ToolLimits
from toolpost.tools.output import MAX_FILE_BYTES
from toolpost.tools.pdf import pdf_text
from toolpost.tools.threads import run_in_thread
from toolpost.tools.workbench import Workbench
from toolpost.types.errors import ToolError
from toolpost.types.messages import FilePart
from toolpost.types.plurals import counted

PDF = "application/pdf"


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
        page = page_of(data, self._offset, self._limit, self._limits)
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
