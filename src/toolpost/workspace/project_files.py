"""Find files and folders of the project by a few letters of their paths: what a person may mention in a prompt."""

import asyncio
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from toolpost.fuzzy import FuzzyList
from toolpost.guard.paths import ResolvedPath
from toolpost.guard.redact import clean_environment
from toolpost.guard.secret_names import is_secret
from toolpost.tools.code_search.file_selection import held_back, is_hidden
from toolpost.tools.code_search.matched_lines import relative
from toolpost.tools.code_search.ripgrep import run_ripgrep, search_target
from toolpost.tools.define import ToolContext
from toolpost.types.errors import PermissionDenied

from .workspace import Workspace

# A person waits while typing: of a very large folder the first files have to do.
MAX_FILES = 50_000
SECONDS = 3.0
KEPT_SECONDS = 5.0


class FileIndex:
    """The files of a folder, without ignored files (.gitignore), hidden files, and files that the rules deny or that
    may contain secrets. The list is cached for a moment: a person types letter by letter."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._one_look = asyncio.Lock()
        self._paths: list[str] = []
        self._files = FuzzyList(())
        self._files_and_folders = FuzzyList(())
        self._is_whole = True
        self._until = 0.0

    async def files(self, query: str, limit: int) -> Sequence[str]:
        """Files whose paths have the letters of the query in order, the best match first."""
        await self._look()
        return await _best(self._files, query, limit)

    async def files_and_folders(self, query: str, limit: int) -> Sequence[str]:
        """The same with folders, which end in `/`."""
        await self._look()
        return await _best(self._files_and_folders, query, limit)

    @property
    def is_whole(self) -> bool:
        """False if not every file was listed: there are too many, or it took too long."""
        return self._is_whole

    async def _look(self) -> None:
        async with self._one_look:
            if time.monotonic() < self._until:
                return
            paths = await self._listed()
            # What is the same stays, with what was found in it for the letters before.
            if paths != self._paths:
                self._paths = paths
                # In a thread: a large folder takes a tenth of a second.
                self._files, self._files_and_folders = await asyncio.to_thread(_searchable, paths)
            self._until = time.monotonic() + KEPT_SECONDS

    async def _listed(self) -> list[str]:
        ground = self._workspace.bench.project_files
        place, ctx, pieces = ground.resolve("."), self._context(), list[bytes]()

        def take(piece: bytes) -> bool:
            pieces.append(piece)
            return len(pieces) < MAX_FILES

        with search_target(ground, place) as where:
            run = await run_ripgrep(["--files", "--null"], ctx, where, take, end=b"\0", seconds=SECONDS)
        self._is_whole = not run.timed_out and len(pieces) < MAX_FILES
        return await asyncio.to_thread(_usable, pieces, ctx, place)

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


async def _best(among: FuzzyList, query: str, limit: int) -> Sequence[str]:
    wanted = query.replace("\\", "/").removeprefix("./")
    # In a thread, so that a person who types goes on typing.
    return [match.text for match in await asyncio.to_thread(among.best, wanted, limit)]


def _usable(pieces: Sequence[bytes], ctx: ToolContext, place: ResolvedPath) -> list[str]:
    paths: list[str] = []
    for piece in pieces:
        path = relative(piece)
        usable = path.isprintable() and not is_hidden(path) and not is_secret(Path(path))
        if usable and not held_back(ctx, "glob", place, path):
            paths.append(path)
    # ripgrep lists in whatever order its threads finish.
    return sorted(paths)


def _searchable(paths: Sequence[str]) -> tuple[FuzzyList, FuzzyList]:
    folders: set[str] = set()
    for path in paths:
        folder = path.rpartition("/")[0]
        while folder and f"{folder}/" not in folders:
            folders.add(f"{folder}/")
            folder = folder.rpartition("/")[0]
    return FuzzyList(paths), FuzzyList([*paths, *sorted(folders)])
