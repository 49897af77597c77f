"""Find files of the project by a few letters of their paths, to mention them in a prompt."""

import asyncio
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta, Struct

from toolpost.guard.redact import clean_environment
from toolpost.guard.secret_names import is_secret
from toolpost.server.http import Request
from toolpost.server.routing import Doc, Route
from toolpost.tools.code_search.file_selection import held_back, is_hidden
from toolpost.tools.code_search.matched_lines import relative
from toolpost.tools.code_search.ripgrep import run_ripgrep, search_target
from toolpost.tools.define import ToolContext
from toolpost.types.errors import PermissionDenied
from toolpost.workspace import Workspace

MAX_FILES = 50
# A person waits while typing: of a very large folder the first files have to do.
MAX_LOOKED_AT = 50_000
SECONDS = 3.0
KEPT_SECONDS = 5.0
MAX_QUERY = 200


class FileQuery(Struct, frozen=True):
    query: Annotated[str, Meta(max_length=MAX_QUERY, description="Letters of the path, in order")] = ""
    limit: Annotated[int, Meta(ge=1, le=MAX_FILES, description="The maximum number of results")] = 20


class ProjectFiles(Struct, frozen=True):
    """Paths in the project, the best match first, without ignored files (.gitignore), hidden files, and files that the
    rules deny or that may contain secrets. `is_whole` is false if not every file was searched."""

    files: list[str]
    is_whole: bool


def routes(workspace: Workspace) -> list[Route]:
    listing = _Listing(workspace)

    async def files(request: Request) -> None:
        asked = request.query_as(FileQuery)
        paths, is_whole = await listing.all()
        await request.reply_json(ProjectFiles(likeliest(asked.query, paths, asked.limit), is_whole))

    doc = Doc("Find files of the project", tag="tools", query=FileQuery, gives=ProjectFiles)
    return [Route("GET", "/api/project-files", files, doc, needs="machine")]


def likeliest(query: str, paths: Sequence[str], limit: int) -> list[str]:
    """Return the paths with the letters of the query in order: matches in a row in the file's name first, then in the
    path."""
    wanted = query.lower().replace("\\", "/").removeprefix("./")
    ranked = [(rank, len(path), path) for path in paths if (rank := _rank(wanted, path.lower())) is not None]
    return [path for _, _, path in sorted(ranked)[:limit]]


def _rank(wanted: str, path: str) -> int | None:
    name = path.rpartition("/")[2]
    if not wanted:
        return path.count("/")
    for rank, found in enumerate((name.startswith(wanted), path.startswith(wanted), wanted in name, wanted in path)):
        if found:
            return rank
    letters = iter(path)
    return 4 if all(letter in letters for letter in wanted) else None


class _Listing:
    """The list of files, cached for a moment: a person types letter by letter."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._one_look = asyncio.Lock()
        self._found: tuple[list[str], bool] = [], False
        self._until = 0.0

    async def all(self) -> tuple[list[str], bool]:
        async with self._one_look:
            if time.monotonic() >= self._until:
                self._found = await self._look()
                self._until = time.monotonic() + KEPT_SECONDS
            return self._found

    async def _look(self) -> tuple[list[str], bool]:
        ground = self._workspace.bench.project_files
        place, ctx, paths = ground.resolve("."), self._context(), list[str]()

        def take(piece: bytes) -> bool:
            path = relative(piece)
            usable = path.isprintable() and not is_hidden(path) and not is_secret(Path(path))
            if usable and not held_back(ctx, "glob", place, path):
                paths.append(path)
            return len(paths) < MAX_LOOKED_AT

        with search_target(ground, place) as where:
            run = await run_ripgrep(["--files", "--null"], ctx, where, take, end=b"\0", seconds=SECONDS)
        return paths, not run.timed_out and len(paths) < MAX_LOOKED_AT

    def _context(self) -> ToolContext:
        """Return a context with the rules of the default agent, which asks no permissions."""
        workspace = self._workspace
        rules = workspace.rules(workspace.agent()[1])

        async def environment() -> dict[str, str]:
            return clean_environment(workspace.process_environ)

        async def refuse(
            permission: str,
            patterns: Sequence[str],
            always: Sequence[str],
            title: str,
            details: dict[str, Any] | None,
            *_: object,
        ) -> None:
            raise PermissionDenied("no permission can be asked while files are listed")

        return ToolContext(
            session_id="",
            message_id="",
            call_id="",
            folder=workspace.project,
            on_update=lambda text, details: None,
            asker=refuse,
            environ=environment,
            decide=lambda permission, path: rules.decide(permission, [path]).action,
            forbids=rules.forbids,
        )
