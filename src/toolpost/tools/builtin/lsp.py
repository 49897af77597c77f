"""`lsp`: ask a language server about code."""

from typing import Annotated

from toolpost.guard.paths import ResolvedPath
from toolpost.tools.define import Tool, ToolContext, ToolResult, tool
from toolpost.tools.files.path_permissions import allow, allow_reading, shown_path
from toolpost.tools.lsp.client import ServerEnded
from toolpost.tools.lsp.documents import ProjectTexts
from toolpost.tools.lsp.operations import LspQuestion, LspRequest, Operation
from toolpost.tools.lsp.servers import servers_of
from toolpost.tools.workbench import Workbench


def make(bench: Workbench) -> Tool:
    @tool(name="lsp", permission="lsp", patterns=shown_path(bench.project_files), read_only=True, touches_machine=True)
    async def lsp(
        ctx: ToolContext,
        operation: Annotated[Operation, "What to ask; document_symbols and diagnostics are about the whole file"],
        path: Annotated[str, "The file; for workspace_symbols any file of the language"],
        line: Annotated[int, "Line of the symbol; lines count from 1"] = 1,
        character: Annotated[int, "Column of the symbol; columns count from 1"] = 1,
        query: Annotated[str, "The name to find; or the name in that line, instead of its column"] = "",
    ) -> ToolResult:
        """Ask a language server: where something is defined or used, its type, who calls it, what is wrong in a file.

        Use it when a name is too common for grep, or after changes, for diagnostics. Answers are path:line:col text.
        """
        place = bench.project_files.resolve(path)
        await allow(ctx, bench.project_files, place, "lsp")
        await allow_reading(ctx, place)
        request = LspRequest(operation, line, character, query)
        try:
            lines = await _ask(bench, ctx, place, request)
        except ServerEnded:
            # It is started once more; if that fails as well, the text says so.
            lines = await _ask(bench, ctx, place, request)
        limit = bench.limits.search_results
        shown = lines[:limit] or [f"The language server knows no {operation.replace('_', ' ')} there."]
        if len(lines) > limit:
            shown.append(f"… and {len(lines) - limit:,} more.")
        return ToolResult(["\n".join(shown)], {"found": len(lines)}, f"{operation} {place.shown}")

    return lsp


async def _ask(bench: Workbench, ctx: ToolContext, place: ResolvedPath, request: LspRequest) -> list[str]:
    client, uri = await servers_of(bench).ask(ctx, place)
    question = LspQuestion(client, uri, ProjectTexts(bench.project_files, ctx), bench.limits.lsp_seconds)
    return await question.answer(request)
