"""`code_search`: find where a name is defined and used, in the project and in its installed packages."""

from typing import Annotated, Literal

from toolpost.tools.code_search.dependencies import dependency_folders
from toolpost.tools.code_search.symbol_search import CodeQuery, SearchScope, search_code
from toolpost.tools.define import Tool, ToolContext, ToolResult, tool
from toolpost.tools.untrusted import untrusted
from toolpost.tools.workbench import Workbench
from toolpost.types.errors import ToolError

Kind = Literal["definition", "reference", "any"]
Scope = Literal["project", "dependencies", "all"]


def make(bench: Workbench) -> Tool:
    @tool(
        permission="code_search",
        patterns=lambda arguments: [str(arguments["query"])],
        read_only=True,
        touches_machine=True,
    )
    async def code_search(
        ctx: ToolContext,
        query: Annotated[str, "A name such as parse_config, Parser.parse or ParserError; or words of it: parse config"],
        kind: Annotated[Kind, "Where it is defined, where it is used, or both"] = "any",
        scope: Annotated[Scope, "The project, its installed packages, or both"] = "project",
    ) -> ToolResult:
        """Find where a function, class, method, type or constant is defined and used, with its code.

        Knows Python, JavaScript, TypeScript, Go, Rust, Java, C and C++. Use it for names; for any other text use grep.
        """
        wanted = CodeQuery(query)
        parts: list[str] = []
        details: dict[str, int] = {}
        for source in _sources(bench, scope):
            found = await search_code(bench, ctx, wanted, kind, source)
            details[source.name] = len(found.definitions) + len(found.references)
            text = found.text(bench.limits)
            # What is installed was written by others.
            parts.append(untrusted(text, "installed packages") if text and source.name == "dependencies" else text)
        said = "\n\n".join(filter(None, parts)) or f"Nothing named {query} was found. grep finds it in other texts."
        return ToolResult([said], details, query)

    return code_search


def _sources(bench: Workbench, scope: Scope) -> list[SearchScope]:
    sources: list[SearchScope] = []
    if scope != "dependencies":
        sources.append(SearchScope("project", (bench.project_files.resolve("."),)))
    if scope != "project":
        folders = tuple(dependency_folders(bench.project_files))
        if not folders and scope == "dependencies":
            raise ToolError("The project has no installed packages: neither a virtual environment nor node_modules.")
        sources.append(SearchScope("dependencies", folders))
    return sources
