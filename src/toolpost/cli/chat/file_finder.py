"""Find files, folders and resources of MCP servers by some letters of their paths, for `@` in a prompt."""

import asyncio
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

from toolpost.tools.code_search.ripgrep import ALWAYS, find_ripgrep
from toolpost.workspace import Workspace

# So long a list of files is taken for up to date.
KEPT_SECONDS = 5.0
LIST_SECONDS = 20.0
MAX_PATHS = 200_000
_WORD_STARTS = frozenset("/_-. ")


class FileFinder:
    """Lists the project's files with ripgrep, in a thread, and keeps the list for a while."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._paths: Sequence[str] = ()
        self._listed = -KEPT_SECONDS
        self._one_listing = asyncio.Lock()

    async def find(self, query: str, limit: int) -> Sequence[str]:
        async with self._one_listing:
            if time.monotonic() - self._listed > KEPT_SECONDS:
                self._paths = await asyncio.to_thread(list_paths, self._workspace.project)
                self._listed = time.monotonic()
        resources = await self._resources()
        return await asyncio.to_thread(best_matches, query, (*resources, *self._paths), limit)

    async def _resources(self) -> Sequence[str]:
        servers = self._workspace.servers
        if servers is None:
            return ()
        found, _ = await servers.start().resources()
        return [f"{one.server}:{one.uri}" for one in found]


def list_paths(folder: Path) -> Sequence[str]:
    """Files of a folder and the folders that they are in, which end in `/`; not what `.gitignore` names."""
    program = find_ripgrep()
    if program is None:
        files = [str(path.relative_to(folder)) for path in folder.glob("*") if path.is_file()]
    else:
        command = [program, *ALWAYS, "--files", "--hidden", "--glob=!.git/"]
        try:
            done = subprocess.run(
                command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=LIST_SECONDS, check=False
            )
        except (OSError, subprocess.TimeoutExpired):
            return ()
        files = done.stdout.decode(errors="replace").splitlines()
    files = files[:MAX_PATHS]
    folders = {f"{path[: at + 1]}" for path in files for at, letter in enumerate(path) if letter == "/"}
    return sorted([*files, *folders])


def best_matches(query: str, paths: Sequence[str], limit: int) -> Sequence[str]:
    """The paths that have the letters of the query in their order, the best first."""
    if not query:
        return sorted(paths, key=lambda path: (path.count("/"), path))[:limit]
    wanted = query.casefold()
    scored = ((score, path) for path in paths if (score := _score(wanted, path)) is not None)
    return [path for _, path in sorted(scored, key=lambda one: (one[0], len(one[1]), one[1]))[:limit]]


def _score(wanted: str, path: str) -> int | None:
    """How far a path is from what is wanted: 0 for its very name. None where letters are missing."""
    folded = path.casefold()
    name = folded.rstrip("/").rpartition("/")[2]
    if name.startswith(wanted):
        return len(name) - len(wanted)
    if wanted in name:
        return 100 + name.index(wanted)
    if wanted in folded:
        return 200 + folded.index(wanted)
    at, gaps = -1, 0
    for letter in wanted:
        found = folded.find(letter, at + 1)
        if found < 0:
            return None
        if found != at + 1 and folded[found - 1 : found] not in _WORD_STARTS:
            gaps += found - at
        at = found
    return 1_000 + gaps
